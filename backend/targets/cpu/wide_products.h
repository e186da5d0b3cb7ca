// Products of eight 64-bit integers, which LLVM 22 cannot select
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For processors with AVX-512 IFMA, LLVM turns such products into 52-bit
// multiply-adds if their factors are known to be small. It does so before it
// splits vectors. It crashes if vectors have 512 bits, the processor is one for
// which it prefers 256 bits, such as Ice Lake and Sapphire Rapids, and the
// function does not ask for more.

#ifndef XCC_BACKEND_TARGETS_CPU_WIDE_PRODUCTS_H
#define XCC_BACKEND_TARGETS_CPU_WIDE_PRODUCTS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace xcc::cpu {

/// Lets functions keep vectors of eight 64-bit integers or addresses in one
/// register on these processors.
void allowWideProducts(llvm::Module &module,
                       const llvm::TargetMachine &machine);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_WIDE_PRODUCTS_H
