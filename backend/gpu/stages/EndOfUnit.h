// GPU steps at the end of a device pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They run on the module of one translation unit, as Clang generated it.
// docs/passes.md (section 2) gives the order and its reasons.

#ifndef XCC_BACKEND_GPU_STAGES_ENDOFUNIT_H
#define XCC_BACKEND_GPU_STAGES_ENDOFUNIT_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::gpu {

/// Moves every variable to global memory, whatever Clang's default for the
/// target is.
void placeGlobals(llvm::Module &module);

/// Lowers the host's inline assembly that the front end has kept. Assembly
/// without text hides values from the optimiser: they pass through registers of
/// 32 bits, whose constraint in the machine's assembly is `letter`.
void lowerHostAssembly(llvm::Module &module, llvm::StringRef letter);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_ENDOFUNIT_H
