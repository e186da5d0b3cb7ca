// Host code that uses device memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_COMMON_HOST_ACCESS_H
#define XCC_TEST_SIMULATOR_COMMON_HOST_ACCESS_H

namespace simulator {

/// From now on a SIGSEGV at an address of device memory is explained on stderr,
/// before whoever handled the signal so far gets it: a sanitizer, the CPU
/// device, or the system, which ends the process.
void reportHostAccess();

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_COMMON_HOST_ACCESS_H
