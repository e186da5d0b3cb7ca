// Where the memory of devices lies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two implementations, of which a library links one. In the mocks, device
// memory is ordinary memory of the host, so that tests can look into it
// (plain_memory.cpp). In the simulators the program holds addresses that its
// own code cannot use, and drivers translate them
// (test/simulator/common/device_memory.cpp).

#ifndef XCC_TEST_MOCK_DEVICE_MEMORY_H
#define XCC_TEST_MOCK_DEVICE_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace mock {

/// The address that the program sees, or 0 when there is no memory left. What
/// is there is not defined. \p align is a power of two.
uint64_t allocateDevice(size_t bytes, size_t align);
void freeDevice(uint64_t address);

/// What is added to an address of the program's so that a driver or a device
/// can use it: 0 for memory of the host.
uint64_t deviceShift(uint64_t address);

/// Where a driver or a device finds what the program sees at an address.
template <class T = char> T *reachable(uint64_t address) {
  return reinterpret_cast<T *>(address + deviceShift(address));
}
inline char *reachable(const void *address) {
  return reachable(reinterpret_cast<uintptr_t>(address));
}

} // namespace mock
#endif // XCC_TEST_MOCK_DEVICE_MEMORY_H
