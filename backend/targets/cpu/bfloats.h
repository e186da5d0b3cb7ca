// Conversions to bfloat16
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two faults of LLVM 22. Where the processor has no instruction for it, the code
// generator calls functions that GCC's library has from GCC 13 on, and asks for
// them when it is too late to link ours. On processors with AVX512-BF16 or
// AVX-NE-CONVERT it takes vcvtneps2bf16, which makes zeros of subnormal numbers
// whatever MXCSR says.

#ifndef XCC_BACKEND_TARGETS_CPU_BFLOATS_H
#define XCC_BACKEND_TARGETS_CPU_BFLOATS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace xcc::cpu {

/// Makes calls of the device library's functions (device-runtime/cpu/bfloat.cpp)
/// of all instructions that round to bfloat16; before libraries are linked.
void callRounding(llvm::Module &module);

/// Defines the function that the code generator may still call, where a part of
/// a program's code has come without it.
void defineRounding(llvm::Module &module);

/// Functions that still compute with bfloat16 do without these instructions. One
/// that names them itself, by Clang's intrinsics, keeps them.
void keepSmallBfloats(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_BFLOATS_H
