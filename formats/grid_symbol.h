// The barrier of a grid, a variable of images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FORMATS_GRID_SYMBOL_H
#define XCC_FORMATS_GRID_SYMBOL_H

/// Three 32-bit words: the number of waiting blocks, of barriers that have
/// opened, and of blocks. The runtime writes {0, 0, blocks} before a
/// cooperative launch and resets the number of blocks afterwards, so that
/// waiting in other launches is an error.
#define XCC_SYMBOL_GRID "__xcc_grid"

#endif // XCC_FORMATS_GRID_SYMBOL_H
