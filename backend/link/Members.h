// Chooses the device modules that take part in a link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are: objects; members of archives with kernels; members that define
// symbols which are undefined so far, as in the host's linker; and members with
// initialisers that the host link takes. Two objects that define the same
// function are an error, as in a host link. If two members define it, the first
// is used.

#ifndef XCC_BACKEND_LINK_MEMBERS_H
#define XCC_BACKEND_LINK_MEMBERS_H

#include "DeviceModule.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// For each module, symbols whose definition is not used, because another one
/// came first.
using NonPrevailing = llvm::DenseMap<const DeviceModule *, llvm::StringSet<>>;

/// Removes the modules that do not take part from `inputs`. Their modules must
/// be in memory or bitcode.
llvm::Expected<NonPrevailing>
chooseMembers(std::vector<DeviceModule *> &inputs,
              const std::function<bool(llvm::StringRef member)> &inHostLink);

/// Removes kernels of archive members that the host link does not take, if
/// their code lacks a definition: they are never launched, so this is no error.
/// Returns whether there were any.
llvm::Expected<bool> dropUnusedKernels(
    llvm::ArrayRef<DeviceModule *> inputs,
    const std::function<bool(llvm::StringRef member)> &inHostLink);

/// Replaces unused definitions by declarations.
void dropDefinitions(llvm::Module &module, const llvm::StringSet<> &symbols);

} // namespace xcc

#endif // XCC_BACKEND_LINK_MEMBERS_H
