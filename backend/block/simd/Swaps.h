// Lanes that exchange their elements
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SIMD_SWAPS_H
#define XCC_BACKEND_BLOCK_SIMD_SWAPS_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class TargetTransformInfo;
}

namespace xcc::block::simd {

/// \p v with the elements of all lanes n and n ^ \p by exchanged. Of \p by,
/// only as many low bits count as a lane's number has.
llvm::Value *swapLanes(llvm::Value *v, llvm::Value *by,
                       const llvm::TargetTransformInfo &target,
                       llvm::IRBuilder<> &b);

/// The cost of swapLanes for \p lanes elements of \p t, in LLVM's unit.
double costOfSwap(llvm::Type *t, unsigned lanes, const llvm::Value *by,
                  const llvm::TargetTransformInfo &target);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_SWAPS_H
