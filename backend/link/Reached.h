// What kernels reach, and errors in it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units export more than kernels use. The link keeps only what kernels reach.
// Functions among it that no device can run are errors, reported with the calls
// that lead to them. Missing definitions are errors too, but known only later:
// the paths to them are recorded here, before code is changed.

#ifndef XCC_BACKEND_LINK_REACHED_H
#define XCC_BACKEND_LINK_REACHED_H

#include "Kernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// Deletes everything that is not reached from the values for which `keep`
/// holds.
void dropUnreached(llvm::Module &module,
                   llvm::function_ref<bool(const llvm::GlobalValue &)> keep);

/// The functions, variables and aliases that a global value's code or initial
/// value names, each once, in order.
llvm::SetVector<const llvm::GlobalValue *>
namedBy(const llvm::GlobalValue &value);
/// The compiler's error for the case that a kernel reaches this; empty if a
/// device can run or have it.
llvm::StringRef faultOf(const llvm::GlobalValue &value);

/// Removes optional kernels from the table if they reach code that no device
/// can run, or symbols that neither the module nor `isProvided` has. Adds
/// warnings to `texts`.
void dropOptional(llvm::Module &module, KernelTable &kernels,
                  const std::function<bool(llvm::StringRef)> &isProvided,
                  std::vector<std::string> &texts);

/// Returns an error for each reached function that no device can run.
llvm::Error checkFaults(const llvm::Module &module, const KernelTable &kernels);

/// For each symbol that the module lacks, the calls that lead to it, as notes
/// of one line each.
llvm::StringMap<std::string> pathsToUndefined(const llvm::Module &module,
                                              const KernelTable &kernels);

/// Removes the notes for the link.
void dropLinkNotes(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_REACHED_H
