// What is uniform in a warp of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_UNIFORM_H
#define XCC_BACKEND_TARGETS_NVPTX_UNIFORM_H

namespace llvm {
class IntrinsicInst;
} // namespace llvm

namespace xcc::nvptx {

/// Implements BarrierOps::isUniform.
bool isUniform(const llvm::IntrinsicInst &call);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_UNIFORM_H
