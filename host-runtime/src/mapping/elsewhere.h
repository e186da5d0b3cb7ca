// The same host memory on several devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices with memory of their own have a copy each. Of what launches in flight
// or scopes of several devices have, one device at most has a newer version than
// the host: before another one uses it, it is brought home. What a kernel writes
// makes the copies that scopes hold on other devices stale, and they are sent
// again before a launch uses them.
//
// Everything here is used under mappingMutex.

#ifndef XCC_SRC_MAPPING_ELSEWHERE_H
#define XCC_SRC_MAPPING_ELSEWHERE_H

#include "mapping/uses.h"

namespace xcc::rt {

/// An entry of some device.
struct EntryOn {
  MappedMemory *memory = nullptr;
  Entry *entry = nullptr; ///< null: there is none
};

/// The first entry of another device that has to be brought home before these
/// are used on this one.
EntryOn findElsewhere(const MappedMemory &memory,
                      const std::vector<Used> &used);
/// Does any other device have some of what these are?
bool isElsewhere(const MappedMemory &memory, const std::vector<Used> &used);
/// Waits for work that uses an entry, and copies back what kernels wrote; or waits
/// for the thread that does so. The lock is released meanwhile, so the caller has to
/// look up the entry again.
xcc_status bringHome(const EntryOn &e);
/// Before a visitor looks at an object there, for a launch or (\p scope) a scope
/// of the device: kernels in flight may have changed what it would find. Not
/// what the launch finds present, as the kernels left it. Takes the lock.
xcc_status bringHomeForVisit(const Device &on, uintptr_t begin, uint64_t bytes,
                             bool scope);
/// Sets objectsChange anew.
void findChangedObjects();
/// Host memory that kernels of this device write, or of which it was told:
/// copies that scopes hold on other devices are stale.
void outdateElsewhere(const MappedMemory &memory, uintptr_t begin,
                      uint64_t bytes);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_ELSEWHERE_H
