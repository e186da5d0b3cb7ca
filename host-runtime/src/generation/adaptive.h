// Specialised code for values that stay the same over many launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_JIT=adaptive. The runtime watches the launches of a kernel on a device.
// When numbers among its arguments and captures, its block or its grid have
// stayed the same for a while, a thread of the runtime generates code for these
// values. Until that is ready, the generic code runs. Each launch compares its
// values with those of the code, and uses the generic code if one differs.
// After several such launches in succession the guess is dropped and another is
// tried, a few times.

#ifndef XCC_SRC_GENERATION_ADAPTIVE_H
#define XCC_SRC_GENERATION_ADAPTIVE_H

#include "devices/device.h"

#include <atomic>

namespace xcc::rt {

/// Is adaptive specialisation on? Set with the first device.
inline constinit std::atomic<bool> adaptive{false};

/// The kernel to launch instead of \p generic: that one, or code for these
/// values. The launch must have been checked.
const Kernel *adapt(const xcc_kernel_info &info,
                    const xcc_launch_config &config, const void *kernarg,
                    Device &on, const Kernel *generic);

/// Called before the unit's images are unloaded: stops generating code for it.
void forgetProfiles(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_ADAPTIVE_H
