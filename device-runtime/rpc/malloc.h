// Allocation functions behind malloc and operator new
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_RPC_MALLOC_H
#define XCC_DEVICE_RPC_MALLOC_H

#include <stddef.h>

extern "C" {
/// Returns null and sets errno if there is no memory. \p alignment is a power
/// of two.
void *__xcc_allocate(size_t size, size_t alignment);
void __xcc_free(void *block);
/// Ends the launch if \p block, a control block, is a copy of the host's.
void __xcc_last_owner_goes(void *block);
/// Ends the launch if \p block is not allocated.
size_t __xcc_usable_size(void *block);
}

#endif // XCC_DEVICE_RPC_MALLOC_H
