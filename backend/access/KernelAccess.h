// Which memory a kernel reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code generation looks at each kernel when the optimiser has simplified
// it and before a target changes it for its machine, and writes down what
// memory is reached through the kernarg block. What optimisation does later
// writes nothing that the kernel does not write, and what it may read
// more it does not use.

#ifndef XCC_BACKEND_ACCESS_KERNELACCESS_H
#define XCC_BACKEND_ACCESS_KERNELACCESS_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class PassBuilder;
} // namespace llvm

namespace xcc::access {

/// What is known of one kernel.
struct KernelAccess {
  std::string paths;       ///< as the column access= has it
  std::string unknown;     ///< why there is no such column
  std::string overwrites;  ///< as the column beside it, empty: there is none
  std::string beside = {}; ///< as the column beside=, empty: there is none
  bool heap = false;       ///< may allocate or free memory
};

/// Looks at a kernel's entry. Its one parameter is the kernarg block
/// (KernelArguments::Segment), or it has the kernel's (Values).
KernelAccess accessOf(llvm::Function &entry, const Kernel &kernel,
                      KernelArguments arguments);

/// Looks at all kernels of a module, and writes to its named metadata
/// "xcc.access" what it finds: symbol, paths, why there are none, overwrites,
/// beside, heap.
class KernelAccessPass : public llvm::PassInfoMixin<KernelAccessPass> {
public:
  KernelAccessPass(const KernelTable &kernels, KernelArguments arguments)
      : kernels(kernels), arguments(arguments) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  const KernelTable &kernels;
  KernelArguments arguments;
};

/// Has the pipelines that are built afterwards look at the kernels, which
/// outlive them.
void addToPipeline(llvm::PassBuilder &builder, const KernelTable &kernels,
                   KernelArguments arguments);

/// Adds the columns access=, overwrites= and beside= of kernels of which it is
/// known, of others why it is not, and heap= of those that use the heap.
void markAccess(GeneratedPart &part, const llvm::Module &module);

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_KERNELACCESS_H
