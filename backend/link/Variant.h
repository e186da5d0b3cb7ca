// Variants of a kernel, generated at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A running process knows more than the compiler did: values of parameters, the
// shape of launches. makeVariant adds these facts, and the options of the
// process, to the kernel's module before an arch is chosen.

#ifndef XCC_BACKEND_LINK_VARIANT_H
#define XCC_BACKEND_LINK_VARIANT_H

#include "Kernel.h"
#include "KnownPointers.h"
#include "targets/Target.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include <functional>
#include <optional>

namespace xcc {

/// Bytes at an offset of the kernarg segment that every launch passes.
struct KernelConstant {
  uint32_t offset;
  std::string bytes;
  bool shared = false; ///< in an object that threads share and may write
};

struct KernelVariant {
  std::optional<unsigned> optLevel;
  bool fastMath = false; ///< like -ffast-math, for all code that the kernel
                         ///< reaches
  uint32_t maxThreads = 0, minBlocks = 0; ///< launch bounds; 0: unchanged
  std::vector<KernelConstant> constants;
  std::vector<KernelPointer> pointers;
  uint32_t block[3] = {}, grid[3] = {}; ///< of every launch; 0: any
  /// May change the module in any way. Returns false if it fails.
  std::function<bool(llvm::Module &)> transform;
};

/// Changes the module's only kernel to the variant.
llvm::Error makeVariant(llvm::Module &module, Kernel &kernel,
                        const Target &target, const KernelVariant &variant);

/// For kernels that read arguments from memory: folds loads of constants that
/// makeVariant noted, once their addresses are known, and adds alias scopes to
/// accesses through pointers.
void addConstantsToPipeline(llvm::PassBuilder &builder);

} // namespace xcc

#endif // XCC_BACKEND_LINK_VARIANT_H
