// Divides a linked module into parts that are generated separately
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part contains the kernels of one translation unit and all that they reach.
// So it is optimised as well as in the whole module, and its code does not
// change when other units change. A unit with very many kernels becomes several
// parts. Values that must exist once, above all variables, have a part of their
// own. Units that are kept apart call each other's functions instead of copying
// them.

#ifndef XCC_BACKEND_LINK_PARTITION_H
#define XCC_BACKEND_LINK_PARTITION_H

#include "Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <vector>

namespace xcc {

/// Part of a module: the numbers of its kernels in the table, and the values
/// defined or declared for them, in the module's order.
struct ModulePart {
  std::vector<unsigned> kernels;
  std::vector<const llvm::GlobalValue *> values;
};

struct Partition {
  std::vector<ModulePart> parts;
  /// Values that several parts use and only one defines, with the number of
  /// that part. Variables are in the last part, which then has no kernels.
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> shared;
  /// If units are kept apart: functions that are nevertheless copied into parts
  /// of other units.
  std::vector<const llvm::Function *> copied;
};

struct PartitionRequest {
  /// The unit of a kernel, or of a function that only one unit defines; -1 if
  /// there is none.
  llvm::function_ref<int(llvm::StringRef symbol)> unitOf;
  /// Whether units call each other's functions instead of copying them, if
  /// these need nothing from their callers.
  bool apart = false;
};

/// Divides a module in which all but kernels and the runtime's variables are
/// internal. Code that several parts need is generated several times, as long
/// as that at most doubles the work; otherwise units share a part. The result
/// has one part with empty `values` if the module cannot or need not be
/// divided.
Partition divide(llvm::Module &module, const KernelTable &kernels,
                 const PartitionRequest &request);

/// Makes a module of a part's values. Its names and types do not depend on
/// other parts.
std::unique_ptr<llvm::Module> extract(const llvm::Module &module,
                                      const Partition &partition,
                                      unsigned number);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PARTITION_H
