// Properties of an NVIDIA GPU that follow from its name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_ARCH_H
#define XCC_BACKEND_TARGETS_NVPTX_ARCH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace xcc::nvptx {

/// A parsed arch: sm_90a is 90 with the suffix 'a'.
struct Arch {
  unsigned version = 0;
  char suffix = 0; ///< 'a': only this GPU, 'f': its family, 0: it and later
                   ///< GPUs
  /// Parses a name such as sm_90a. The version is 0 if the name is not an arch.
  explicit Arch(llvm::StringRef name);
};

/// The PTX version to generate. Drivers and ptxas accept older versions, so
/// this is the oldest version that has the features that xcc uses. This is 7.8
/// (CUDA 11.8) for GPUs with independent threads, or the version that
/// introduced the arch (PTX ISA, release notes). It is at least 8.1 for kernels
/// with more bytes of arguments than older versions allow.
std::string ptxFeature(Arch arch, uint64_t arguments = 0);

/// The maximum number of argument bytes of a kernel (PTX ISA, kernel
/// parameters).
uint64_t mostArguments(Arch arch);

/// The limits of a multiprocessor (CUDA C++ Programming Guide, compute
/// capabilities): warps, blocks, bytes of shared memory.
struct Multiprocessor {
  unsigned warps, blocks, shared;
};
Multiprocessor multiprocessorOf(Arch arch);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_ARCH_H
