// Properties of an AMD GPU that follow from its name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_AMDGCN_ARCH_H
#define XCC_BACKEND_TARGETS_AMDGCN_ARCH_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace xcc::amdgcn {

/// A parsed target ID.
struct TargetID {
  std::string canonical; ///< with sorted features: "gfx90a:sramecc+:xnack-"
  std::string processor;
  std::string features; ///< in LLVM's notation: "+sramecc,-xnack"
  bool generic = false; ///< stands for several processors
};

/// Parses a target ID as in the User Guide for AMDGPU Backend, "Target ID":
/// "processor(:feature[+-])*". Each feature may occur only once, and the
/// processor must have it.
std::optional<TargetID> parseTargetID(llvm::StringRef arch);

/// The bytes of shared memory that a block may use.
uint64_t sharedMemoryOf(llvm::StringRef processor);

/// The maximum number of warps on one SIMD unit.
unsigned warpsOf(llvm::StringRef processor);

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_ARCH_H
