// Which allocation and device an address belongs to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table holds everything that was allocated through the runtime. All
// devices share one address space, so the address alone says to which device it
// belongs. Freeing a foreign pointer, or copying past an end, is an error and
// not a crash.

#ifndef XCC_SRC_DEVICES_ALLOCATIONS_H
#define XCC_SRC_DEVICES_ALLOCATIONS_H

#include "device.h"

#include <functional>

namespace xcc::rt {

enum class MemoryKind : uint8_t {
  Device,     ///< xcc_memory_alloc
  Stream,     ///< xcc_memory_alloc_async
  Host,       ///< xcc_memory_alloc_host
  Managed,    ///< xcc_memory_alloc_managed
  Registered, ///< xcc_memory_register
  Variable    ///< a variable of a loaded image
};
/// Page-locked memory of the host, which devices may see at another address.
inline bool isLocked(MemoryKind kind) {
  return kind == MemoryKind::Host || kind == MemoryKind::Registered;
}

struct Allocation {
  size_t size = 0;
  Device *on = nullptr;
  MemoryKind kind = MemoryKind::Device;
  bool reportedUnmapped = false; ///< reported by reportUnmappedRegistrations()
};

/// The allocation that contains an address, or ends at it.
struct FoundAllocation : Allocation {
  uintptr_t begin = 0;
};
/// Returns false if the runtime has no such allocation.
bool findAllocation(const void *address, FoundAllocation &out);
/// Finds the start of the device allocation into which a pointer of \p by's
/// kernels points. Returns false if there is none, or if the pointer may also
/// be the end of the allocation before.
bool findEnclosing(uintptr_t address, const Device &by, uintptr_t &begin);
/// Can kernels of \p by access memory of this allocation?
bool isVisible(const Allocation &a, const Device &by);

/// Calls \p visit for each allocation, in order of address. \p visit must not
/// change the table.
void visitAllocations(
    const std::function<void(uintptr_t, const Allocation &)> &visit);

/// Adds an allocation to the table. Returns false when memory ran out.
[[nodiscard]] bool rememberAllocation(void *pointer, const Allocation &a);

/// Removes the allocation that begins at \p pointer from the table. Returns
/// false if none of that kind does. MemoryKind::Device also means Stream.
bool takeAllocation(void *pointer, MemoryKind kind, Allocation &out);
/// The error of \p call for a pointer that takeAllocation() rejected. \p gave
/// is the function that allocates such memory.
[[gnu::cold]] xcc_status failToTake(const char *call, const char *gave,
                                    void *pointer);
/// Does the range overlap any allocation?
bool overlapsAllocation(const void *pointer, size_t bytes);
/// Prints a message, once, for each registered range that is no longer mapped:
/// it was freed without being unregistered. Memory that the heap keeps mapped
/// is not found.
void reportUnmappedRegistrations();
/// The bytes that are allocated in streams of a device.
uint64_t allocatedInStreams(const Device &on);

/// Removes a variable from the table when its image is unloaded.
void forgetVariable(void *pointer);

/// How many allocations were removed. While it is unchanged, what was found is
/// still allocated.
uint64_t freedAllocations();

/// How often the table changed. While it is unchanged, so is the table.
uint64_t allocationChanges();

/// Describes the memory at \p pointer. Fails if the range reaches past the end
/// of an allocation.
xcc_status locate(const void *pointer, size_t bytes, Place &out);

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_ALLOCATIONS_H
