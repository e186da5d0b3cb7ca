// A kernel otherwise than the compiler would make it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When code is generated in a running process, more is known than when the program
// was built: values of parameters, the shape of launches. This adds these facts, and
// the options of the process, to the kernel's module, before an arch is chosen.

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

/// Bytes of the kernarg segment that every launch has there: a parameter's.
struct KernelConstant {
  uint32_t offset;
  std::string bytes;
  bool shared = false; ///< of an object that threads share, and may write to
};

struct KernelVariant {
  std::optional<unsigned> optLevel;
  bool fastMath = false; ///< as -ffast-math, for what the kernel reaches
  uint32_t maxThreads = 0, minBlocks = 0; ///< launch bounds, 0: as they are
  std::vector<KernelConstant> constants;
  std::vector<KernelPointer> pointers;
  uint32_t block[3] = {}, grid[3] = {}; ///< of every launch, 0: any
  /// May do what it likes to the module; false: it gave up.
  std::function<bool(llvm::Module &)> transform;
};

/// Makes the module's only kernel what the variant says.
llvm::Error makeVariant(llvm::Module &module, Kernel &kernel,
                        const Target &target, const KernelVariant &variant);

/// For kernels that read their arguments from memory: folds loads of values that
/// makeVariant noted, as soon as their addresses are known, and adds alias scopes to
/// accesses through pointers.
void addConstantsToPipeline(llvm::PassBuilder &builder);

} // namespace xcc

#endif // XCC_BACKEND_LINK_VARIANT_H
