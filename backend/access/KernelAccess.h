// Which memory a kernel reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code generation analyses each kernel after the optimiser has
// simplified it and before a target changes it for its machine. It records what
// memory is reached through the kernarg block. Later optimisations add no
// writes, and do not use what they read in addition.

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
  std::string paths;       ///< as in the column access=
  std::string unknown;     ///< why there is no such column
  std::string overwrites;  ///< as in the column overwrites=; empty: none
  std::string beside = {}; ///< as in the column beside=; empty: none
  bool heap = false;       ///< may allocate or free memory
};

/// Analyses a kernel's entry. Its one parameter is the kernarg block
/// (KernelArguments::Segment), or it has the kernel's parameters (Values).
KernelAccess accessOf(llvm::Function &entry, const Kernel &kernel,
                      KernelArguments arguments);

/// Analyses all kernels of a module, and records the results in its named
/// metadata "xcc.access": symbol, paths, why there are none, overwrites,
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

/// Adds the analysis to pipelines that are built afterwards. \p kernels has to
/// outlive them.
void addToPipeline(llvm::PassBuilder &builder, const KernelTable &kernels,
                   KernelArguments arguments);

/// Adds the columns access=, overwrites= and beside= of kernels whose access is
/// known, the reason for other kernels, and heap= of those that use the heap.
void markAccess(GeneratedPart &part, const llvm::Module &module);

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_KERNELACCESS_H
