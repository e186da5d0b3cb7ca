// Code for values that stay the same over many launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_JIT=adaptive. Launches of a kernel on a device are watched; when numbers
// among its arguments and captures, its block and its grid, have stayed the same for a
// while, a thread of the runtime has code generated that knows them, and the
// generic code runs on until that is there. Each launch compares its values
// with those the code was made for, and takes the generic code if one differs;
// after some of these in succession the guess is dropped and another is tried,
// a few times.

#ifndef XCC_SRC_GENERATION_ADAPTIVE_H
#define XCC_SRC_GENERATION_ADAPTIVE_H

#include "devices/device.h"

#include <atomic>

namespace xcc::rt {

/// Is it wanted? Set with the first device.
inline constinit std::atomic<bool> adaptive{false};

/// What to launch in the place of a kernel's generic code: that, or code for
/// these values. All was checked.
const Kernel *adapt(const xcc_kernel_info &info,
                    const xcc_launch_config &config, const void *kernarg,
                    Device &on, const Kernel *generic);

/// Before the unit's images go: nothing is generated for it any more.
void forgetGuesses(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_ADAPTIVE_H
