// Which of a linked module's kernels are generated together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part is the kernels of one translation unit with all that they reach, so
// that it is optimised as well as in the whole module, and its code stays as it
// is when other units change. What must be there once, variables above all, has
// a part of its own.

#ifndef XCC_BACKEND_LINK_PARTITION_H
#define XCC_BACKEND_LINK_PARTITION_H

#include "Kernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include <functional>
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
  /// Variables that several parts use. The last part defines them, and has no
  /// kernels, if there are any.
  llvm::DenseSet<const llvm::GlobalValue *> shared;
};

/// Divides a module of which all but kernels and what the runtime fills in is
/// internal. What several parts need is generated several times, as far as that
/// at most doubles the work; otherwise units share a part. One part, with
/// nothing in `values`, where the module cannot or need not be divided.
/// `unitOf` says which unit a kernel comes from; -1: none.
Partition divide(llvm::Module &module, const KernelTable &kernels,
                 llvm::function_ref<int(llvm::StringRef symbol)> unitOf);

/// A module of its own with a part's values, whose names and types do not tell
/// of other parts. `last` is the part that defines what is shared.
std::unique_ptr<llvm::Module> extract(const llvm::Module &module,
                                      const ModulePart &part,
                                      const Partition &partition, bool last);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PARTITION_H
