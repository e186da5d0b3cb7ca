// What an AMD GPU's name tells about it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_AMDGCN_ARCH_H
#define XCC_BACKEND_TARGETS_AMDGCN_ARCH_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace xcc::amdgcn {

/// A target id taken apart.
struct TargetID {
  std::string canonical; ///< features by name: "gfx90a:sramecc+:xnack-"
  std::string processor;
  std::string features; ///< for LLVM: "+sramecc,-xnack"
  bool generic = false; ///< of several processors
};

/// A target id as the User Guide for AMDGPU Backend, "Target ID", spells it:
/// "processor(:feature[+-])*", each feature at most once, and only those that
/// the processor has.
std::optional<TargetID> parseTargetID(llvm::StringRef arch);

/// Bytes of memory that a block may share.
uint64_t sharedMemoryOf(llvm::StringRef processor);

/// Warps that one SIMD unit holds at most.
unsigned warpsOf(llvm::StringRef processor);

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_ARCH_H
