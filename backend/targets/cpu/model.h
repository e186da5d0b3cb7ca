// The CPU model that code can query
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_CPU_MODEL_H
#define XCC_BACKEND_TARGETS_CPU_MODEL_H

#include "llvm/IR/Module.h"

namespace xcc::cpu {

/// Defines the variables that __builtin_cpu_supports and __builtin_cpu_is read,
/// with the values for this machine, if the module declares them. Only a static
/// library defines them, and only machines with a compiler have it.
void defineModel(llvm::Module &module);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_MODEL_H
