// What the allocation functions come to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_RPC_MALLOC_H
#define XCC_DEVICE_RPC_MALLOC_H

#include <stddef.h>

extern "C" {
/// Null, and errno, when there is no memory. Alignment: a power of two.
void *__xcc_allocate(size_t Size, size_t Alignment);
void __xcc_free(void *Block);
/// Ends the launch if Block is not allocated.
size_t __xcc_usable_size(void *Block);
}

#endif // XCC_DEVICE_RPC_MALLOC_H
