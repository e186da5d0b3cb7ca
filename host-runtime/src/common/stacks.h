// Kernels whose use of stack is not known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU sets stack aside for each thread before a kernel starts. Where that is
// a guess, for recursion or calls through pointers, too little shows as an
// access to memory that is not there; so the message about one says that it may
// have been the stack.

#ifndef XCC_SRC_COMMON_STACKS_H
#define XCC_SRC_COMMON_STACKS_H

#include "devices/device.h"

#include <cstddef>

namespace xcc::rt {

/// The kernel's threads have that many bytes, which may be too few.
void noteGuessedStack(const xcc_kernel_info *kernel, size_t bytes) noexcept;

/// Bytes of stack for each thread of such a kernel: what the program asks for,
/// else the environment, else 16 KiB.
xcc_status wantedStack(const Device &on, const NumberSetting &setting,
                       size_t &bytes);

/// "; its threads have 16384 bytes of stack ..." to be added to a message about
/// a bad access; empty for kernels whose use is known. \p option: what asks for
/// more. Returns \p text.
const char *stackAdvice(const xcc_kernel_info *kernel, const char *option,
                        char *text, size_t size) noexcept;

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_STACKS_H
