//===-- Embed.h - Device code as OffloadBinary
//-----------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object holds between -c and the link, and what a linked binary
// holds: OffloadBinary (version 1), in the section .llvm.offloading.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_EMBED_H
#define XCC_FRONTEND_EMBED_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/Object/OffloadBinary.h"

namespace xcc {

/// Marks OffloadBinary blobs as ours: the "xcc.abi" string.
std::string abiString();

/// A device pass's module, as bitcode, for one triple and any arch.
llvm::SmallString<0> packModule(const Target &target, llvm::Module &module,
                                const KernelTable &layouts);
/// A finished image.
llvm::SmallString<0> packImage(const DeviceImage &image);

/// Writes `blob` into the module's .llvm.offloading section. In objects the
/// section is excluded from the link; in the linked unit it is loaded.
void embedForLink(llvm::Module &module, llvm::StringRef blob);

} // namespace xcc

#endif // XCC_FRONTEND_EMBED_H
