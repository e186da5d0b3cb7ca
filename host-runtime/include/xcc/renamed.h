// Functions of <xcc/runtime.h> by their names of before
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name is xcc_<object>_<verb>. These were called otherwise, and still can be:
// both names are the same function. <xcc/runtime.h> includes this.

// No guard: libxcc makes its aliases of the same list.
#ifndef XCC_RENAMED
#define XCC_RENAMED(before, now)                                               \
  XCC_API                                                                      \
  __attribute__((deprecated("call " #now))) extern __typeof__(now) before;
#endif

XCC_RENAMED(xcc_alloc, xcc_memory_alloc)
XCC_RENAMED(xcc_free, xcc_memory_free)
XCC_RENAMED(xcc_alloc_host, xcc_memory_alloc_host)
XCC_RENAMED(xcc_free_host, xcc_memory_free_host)
XCC_RENAMED(xcc_alloc_managed, xcc_memory_alloc_managed)
XCC_RENAMED(xcc_free_managed, xcc_memory_free_managed)
XCC_RENAMED(xcc_host_register, xcc_memory_register)
XCC_RENAMED(xcc_host_unregister, xcc_memory_unregister)
XCC_RENAMED(xcc_alloc_async, xcc_memory_alloc_async)
XCC_RENAMED(xcc_free_async, xcc_memory_free_async)
XCC_RENAMED(xcc_copy, xcc_memory_copy)
XCC_RENAMED(xcc_fill, xcc_memory_fill)
XCC_RENAMED(xcc_copy_async, xcc_memory_copy_async)
XCC_RENAMED(xcc_fill_async, xcc_memory_fill_async)
XCC_RENAMED(xcc_fill_elements, xcc_memory_fill_elements)
XCC_RENAMED(xcc_fill_elements_async, xcc_memory_fill_elements_async)
XCC_RENAMED(xcc_alloc_pitched, xcc_memory_alloc_pitched)
XCC_RENAMED(xcc_copy_pitched, xcc_memory_copy_pitched)
XCC_RENAMED(xcc_copy_pitched_async, xcc_memory_copy_pitched_async)
XCC_RENAMED(xcc_fill_pitched, xcc_memory_fill_pitched)
XCC_RENAMED(xcc_fill_pitched_async, xcc_memory_fill_pitched_async)
XCC_RENAMED(xcc_find_kernel, xcc_kernel_find)
XCC_RENAMED(xcc_jit_kernel, xcc_kernel_generate)
XCC_RENAMED(xcc_last_error, xcc_error_last)
XCC_RENAMED(xcc_launch, xcc_kernel_launch)

#undef XCC_RENAMED
