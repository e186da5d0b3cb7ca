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

/// Makes calls of the device runtime (device-runtime/atomics.cpp) of atomic
/// operations on more than 8 bytes, and on addresses of which it is not known
/// that they are aligned to the operand's size: LLVM has no code for those.
void callWideAtomics(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_WIDEATOMICS_H
