// Which device modules take part in a link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects do, and members of archives with kernels. Of other members those do
// that define what is undefined so far, as for the host's linker, and those that do
// something before main and that the host's link takes. Two objects
// that define one function are an error here as there; of two members of which
// the host's linker may take one, the first counts.

#ifndef XCC_BACKEND_LINK_MEMBERS_H
#define XCC_BACKEND_LINK_MEMBERS_H

#include "DeviceModule.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// Symbols whose definition in a module does not count, since another one came
/// first.
using Overruled = llvm::DenseMap<const DeviceModule *, llvm::StringSet<>>;

/// Takes what does not take part out of `inputs`. Their modules are in memory,
/// or bitcode.
llvm::Expected<Overruled>
chooseMembers(std::vector<DeviceModule *> &inputs,
              const std::function<bool(llvm::StringRef member)> &inHostLink);

/// Kernels of a member that the host's link does not take are not launched. Takes
/// them out of `inputs` where their code lacks a definition, which is no error
/// then; whether there were any.
llvm::Expected<bool> dropUnusedKernels(
    llvm::ArrayRef<DeviceModule *> inputs,
    const std::function<bool(llvm::StringRef member)> &inHostLink);

/// Makes declarations of definitions that do not count.
void dropDefinitions(llvm::Module &module, const llvm::StringSet<> &symbols);

} // namespace xcc

#endif // XCC_BACKEND_LINK_MEMBERS_H
