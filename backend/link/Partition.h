// Which of a linked module's kernels are generated together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part is the kernels of one translation unit with all that they reach, so
// that it is optimised as well as in the whole module, and its code stays as it
// is when other units change. A unit of very many kernels is several parts. What
// must be there once, variables above all, has a part of its own. Units that are
// kept apart call each other's functions instead, as those of different objects
// do.

#ifndef XCC_BACKEND_LINK_PARTITION_H
#define XCC_BACKEND_LINK_PARTITION_H

#include "Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <vector>

namespace xcc {

/// Part of a module: the kernels with these numbers in the table, and what is
/// defined or declared for them, in the module's order.
struct ModulePart {
  std::vector<unsigned> kernels;
  std::vector<const llvm::GlobalValue *> values;
};

struct Partition {
  std::vector<ModulePart> parts;
  /// What several parts use and one defines: which. Variables are the last
  /// part's, which has no kernels then.
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> shared;
  /// If units are kept apart: their functions that parts of other units have too.
  std::vector<const llvm::Function *> copied;
};

struct PartitionRequest {
  /// The unit that a kernel, or a function that only one unit defines, comes
  /// from; -1: none.
  llvm::function_ref<int(llvm::StringRef symbol)> unitOf;
  /// Whether units call each other's functions, where these need nothing of
  /// their callers, and have no copies of them.
  bool apart = false;
};

/// Divides a module of which all but kernels and what the runtime fills in is
/// internal. What several parts need is generated several times, as far as that
/// at most doubles the work; otherwise units share a part. One part, with
/// nothing in `values`, where the module cannot or need not be divided.
Partition divide(llvm::Module &module, const KernelTable &kernels,
                 const PartitionRequest &request);

/// A module of its own with a part's values, whose names and types do not tell
/// of other parts.
std::unique_ptr<llvm::Module> extract(const llvm::Module &module,
                                      const Partition &partition,
                                      unsigned number);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PARTITION_H
