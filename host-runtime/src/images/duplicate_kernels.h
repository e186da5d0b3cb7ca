// Units whose own kernels have the same symbols
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal files in two folders become objects whose kernels have the same
// symbols. The device link gives the kernels of each unit symbols of its own;
// its host code was compiled before, and has descriptors with the old ones.

#ifndef XCC_SRC_IMAGES_DUPLICATE_KERNELS_H
#define XCC_SRC_IMAGES_DUPLICATE_KERNELS_H

#include "xcc/abi.h"

namespace xcc::rt {

/// Gives each descriptor of a linked unit that has such kernels the symbol of
/// its own. Before any is used.
void separateDuplicates(xcc_binary &unit);
/// The same for one, which the linker may have taken from the unit's list as
/// nothing there refers to it. Throws std::bad_alloc.
void separateDuplicate(const xcc_kernel_info &info);
/// The unit goes.
void forgetDuplicates(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_DUPLICATE_KERNELS_H
