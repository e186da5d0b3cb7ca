// What kernels that wait for their whole grid have in their image
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FORMATS_GRID_SYMBOL_H
#define XCC_FORMATS_GRID_SYMBOL_H

/// Three words of 32 bits: blocks that wait, barriers that have opened, and how
/// many blocks there are. The runtime writes {0, 0, blocks} before a cooperative
/// launch, and no blocks after it, when a kernel that comes here is an error.
#define XCC_SYMBOL_GRID "__xcc_grid"

#endif // XCC_FORMATS_GRID_SYMBOL_H
