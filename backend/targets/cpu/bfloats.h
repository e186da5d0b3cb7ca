// Conversions to bfloat16
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This works around two bugs of LLVM 22. If the processor has no instruction
// for a conversion, the code generator calls functions that GCC's library has
// only from GCC 13 on. It adds these calls too late for us to link our own
// functions. On processors with AVX512-BF16 or AVX-NE-CONVERT it uses
// vcvtneps2bf16, which flushes subnormal numbers to zero whatever MXCSR says.

#ifndef XCC_BACKEND_TARGETS_CPU_BFLOATS_H
#define XCC_BACKEND_TARGETS_CPU_BFLOATS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace xcc::cpu {

/// Replaces all instructions that round to bfloat16 by calls of the device
/// library (device-runtime/cpu/bfloat.cpp). Call it before libraries are
/// linked.
void callRounding(llvm::Module &module);

/// Defines the function that the code generator may still call, if a part of a
/// program's code was compiled without it.
void defineRounding(llvm::Module &module);

/// Turns these instructions off in functions that still compute with bfloat16.
/// A function that uses them through Clang's intrinsics keeps them.
void keepSmallBfloats(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_BFLOATS_H
