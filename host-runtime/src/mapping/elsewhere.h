// The same host memory on several devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each device with separate memory has its own copy. Launches in flight or
// scopes may have copies on several devices, but at most one copy is newer than
// the host's memory. It is copied back before another device uses the memory.
// When a kernel writes to a copy, the copies that scopes hold on other devices
// become stale; they are sent again before a launch uses them.
//
// Use all of this under mappingMutex.

#ifndef XCC_SRC_MAPPING_ELSEWHERE_H
#define XCC_SRC_MAPPING_ELSEWHERE_H

#include "mapping/uses.h"

namespace xcc::rt {

/// An entry and its device.
struct EntryOn {
  MappedMemory *memory = nullptr;
  Entry *entry = nullptr; ///< null if there is none
};

/// Finds the first entry of another device that must be settled before these
/// entries are used on this device.
EntryOn findOnOtherDevice(const MappedMemory &memory,
                          const std::vector<Used> &used);
/// Does another device have a copy of any of this memory?
bool isElsewhere(const MappedMemory &memory, const std::vector<Used> &used);
/// Waits for work that uses an entry, and copies back what kernels wrote; or
/// waits for the thread that does so. The lock is released meanwhile, so the
/// caller must look up the entry again.
xcc_status copyBackEntry(const EntryOn &e);
/// Brings an object up to date before a visitor looks at it, for a launch or
/// (\p scope) a scope of the device, if kernels in flight may have changed it.
/// Does not copy back what the launch itself finds on the device. Takes the
/// lock.
xcc_status bringHomeForVisit(const Device &on, uintptr_t begin, uint64_t bytes,
                             bool scope);
/// Computes objectsChange.
void findChangedObjects();
/// Called for host memory that kernels of this device write, or that was
/// updated: marks the copies that scopes hold on other devices as stale.
void outdateElsewhere(const MappedMemory &memory, uintptr_t begin,
                      uint64_t bytes);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_ELSEWHERE_H
