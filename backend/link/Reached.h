// What kernels reach, and what is wrong with that
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units export each other more than any kernel asks for. What kernels reach is
// kept; functions among it that no device can run are errors, told with the
// calls that lead to them. So is what nothing defines, which is known later:
// the paths there are written down here, while the code is as it was written.

#ifndef XCC_BACKEND_LINK_REACHED_H
#define XCC_BACKEND_LINK_REACHED_H

#include "Kernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// Deletes what neither kernels nor what `keep` names lead to.
void dropUnreached(llvm::Module &module,
                   llvm::function_ref<bool(const llvm::GlobalValue &)> keep);

/// Functions, variables and aliases that a global value's code or initial value
/// names, each once, in order.
llvm::SetVector<const llvm::GlobalValue *>
namedBy(const llvm::GlobalValue &value);
/// What the compiler says when a kernel reaches this; empty where a device can
/// run or have it.
llvm::StringRef faultOf(const llvm::GlobalValue &value);

/// Takes kernels that the program can do without out of the table if they lead
/// to what no device can run, or to what nobody has: neither the module nor
/// what `isProvided` knows of. `texts` become the warnings.
void dropOptional(llvm::Module &module, KernelTable &kernels,
                  const std::function<bool(llvm::StringRef)> &isProvided,
                  std::vector<std::string> &texts);

/// An error for each function that no device can run.
llvm::Error checkFaults(const llvm::Module &module, const KernelTable &kernels);

/// For each symbol that the module lacks, the calls that lead to it, as notes of a
/// line each.
llvm::StringMap<std::string> pathsToLacking(const llvm::Module &module,
                                            const KernelTable &kernels);

/// Removes notes for the link, which are of no use after it.
void dropLinkNotes(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_REACHED_H
