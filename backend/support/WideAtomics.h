// Atomic operations that no machine has
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_WIDEATOMICS_H
#define XCC_BACKEND_SUPPORT_WIDEATOMICS_H

namespace llvm {
class Module;
} // namespace llvm

namespace xcc {

/// Replaces atomic operations that LLVM has no code for by calls of the device
/// runtime (device-runtime/atomics.cpp): those on more than 8 bytes, and those
/// on addresses that are not known to be aligned to the operand's size.
void callWideAtomics(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_WIDEATOMICS_H
