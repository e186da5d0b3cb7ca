// Device memory of the simulators, as far as reports ask for it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_COMMON_DEVICE_MEMORY_H
#define XCC_TEST_SIMULATOR_COMMON_DEVICE_MEMORY_H

#include <cstdint>

namespace simulator {

/// Bytes of addresses for all devices together.
constexpr uint64_t ReservedBytes = uint64_t(1) << 37;
/// From an address to the bits that say what was written (definedness.h).
constexpr uint64_t DefinednessShift = 2 * ReservedBytes;

struct Allocation {
  uint64_t begin = 0, bytes = 0;
};

/// Is this an address that device memory has, or may get?
bool isDeviceAddress(uint64_t address);
/// The allocation there. False also when it cannot be told now: a signal handler
/// may ask, and waits for no lock.
bool findAllocation(uint64_t address, Allocation &out);

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_COMMON_DEVICE_MEMORY_H
