// Units that have kernels with the same symbols
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal files in two folders become objects whose kernels have the same
// symbols. The device link gives the kernels of each unit new symbols. The host
// code was compiled before, so its descriptors have the old symbols.

#ifndef XCC_SRC_IMAGES_DUPLICATE_KERNELS_H
#define XCC_SRC_IMAGES_DUPLICATE_KERNELS_H

#include "xcc/abi.h"

namespace xcc::rt {

/// Sets the new symbols in a linked unit's descriptors that need them. Call it
/// before any descriptor is used.
void separateDuplicates(xcc_binary &unit);
/// The same for one descriptor. The linker may have removed its entry from the
/// unit's list, because nothing there refers to it. Throws std::bad_alloc.
void separateDuplicate(const xcc_kernel_info &info);
/// Called when the unit is unloaded.
void forgetDuplicates(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_DUPLICATE_KERNELS_H
