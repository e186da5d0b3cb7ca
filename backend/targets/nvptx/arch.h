// What an NVIDIA GPU's name tells about it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_ARCH_H
#define XCC_BACKEND_TARGETS_NVPTX_ARCH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace xcc::nvptx {

/// sm_90a is 90 with the suffix 'a'.
struct Arch {
  unsigned version = 0;
  char suffix = 0; ///< 'a': this GPU alone, 'f': its family, 0: it and later
  /// Parses a name such as sm_90a; version 0 if it is no arch.
  explicit Arch(llvm::StringRef name);
};

/// The PTX version to write. Drivers and ptxas take older ones, so this is the
/// oldest that has what we use: 7.8 (CUDA 11.8) for GPUs with independent
/// threads, or what the arch came with (PTX ISA, release notes), and 8.1 for
/// kernels with that many bytes of arguments.
std::string ptxFeature(Arch arch, uint64_t arguments = 0);

/// Bytes of arguments that a kernel can take (PTX ISA, kernel parameters).
uint64_t mostArguments(Arch arch);

/// What a multiprocessor holds (CUDA C++ Programming Guide, compute
/// capabilities): warps, blocks, bytes of shared memory.
struct Multiprocessor {
  unsigned warps, blocks, shared;
};
Multiprocessor multiprocessorOf(Arch arch);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_ARCH_H
