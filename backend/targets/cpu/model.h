// What code asks of the CPU that it runs on
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_CPU_MODEL_H
#define XCC_BACKEND_TARGETS_CPU_MODEL_H

#include "llvm/IR/Module.h"

namespace xcc::cpu {

/// Defines, where the module declares it, what __builtin_cpu_supports and
/// __builtin_cpu_is read, as it is on this machine. Libraries have it in an
/// archive alone, which only who compiles has.
void defineModel(llvm::Module &module);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_MODEL_H
