// Kernels whose use of the stack is not known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU reserves stack for each thread before a kernel starts. For recursion or
// calls through pointers the size is a guess. A stack that is too small shows
// as an access to memory that does not exist, so the message about such an
// access mentions the stack.

#ifndef XCC_SRC_COMMON_STACKS_H
#define XCC_SRC_COMMON_STACKS_H

#include "devices/device.h"

#include <cstddef>

namespace xcc::rt {

/// Records that the kernel's threads have \p bytes of stack, maybe too few.
void noteGuessedStack(const xcc_kernel_info *kernel, size_t bytes) noexcept;

/// Bytes of stack for each thread of such a kernel: the program's setting, else
/// the environment's, else 16 KiB.
xcc_status requestedStack(const Device &on, const NumberSetting &setting,
                          size_t &bytes);

/// The text "; its threads have 16384 bytes of stack ..." for a message about a
/// bad access; empty for kernels whose use is known. \p option names the
/// setting for more stack. Returns \p text.
const char *stackAdvice(const xcc_kernel_info *kernel, const char *option,
                        char *text, size_t size) noexcept;

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_STACKS_H
