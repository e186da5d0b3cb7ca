// Whose memory an address is
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of everything that was allocated through the runtime. All devices
// share one address space, so an address alone says which device it belongs to;
// freeing a foreign pointer and copying past an end are errors, not crashes.

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
  Variable    ///< of a loaded image
};
/// Page-locked memory of the host, which devices may see at another address.
inline bool isLocked(MemoryKind kind) {
  return kind == MemoryKind::Host || kind == MemoryKind::Registered;
}

struct Allocation {
  size_t size = 0;
  Device *on = nullptr;
  MemoryKind kind = MemoryKind::Device;
  bool toldGone = false; ///< by tellGoneRegistrations()
};

/// An allocation that an address is in, or one past.
struct FoundAllocation : Allocation {
  uintptr_t begin = 0;
};
/// False where the runtime gave no such memory.
bool findAllocation(const void *address, FoundAllocation &out);
/// Where the allocation begins that a pointer of \p by's kernels is into: false
/// where there is none that a device gave, or it may as well point to the end
/// of another.
bool findEnclosing(uintptr_t address, const Device &by, uintptr_t &begin);
/// Do kernels of \p by reach memory that was allocated so?
bool isVisible(const Allocation &a, const Device &by);

/// Calls \p visit for each, by address. It may not change the table.
void visitAllocations(
    const std::function<void(uintptr_t, const Allocation &)> &visit);

/// Remembers what a device gave. False when memory ran out.
[[nodiscard]] bool rememberAllocation(void *pointer, const Allocation &a);

/// Takes the allocation that begins there off the table; false when there is
/// none of that kind. Device is Stream too.
bool takeAllocation(void *pointer, MemoryKind kind, Allocation &out);
/// What \p call of a pointer failed with that takeAllocation() did not take.
/// \p gave: the function that gives what the call takes.
[[gnu::cold]] xcc_status failToTake(const char *call, const char *gave,
                                    void *pointer);
/// Is some of that memory in the table?
bool overlapsAllocation(const void *pointer, size_t bytes);
/// Tells of registered memory that is not the process's any more, once of each:
/// who freed it did not unregister it. Memory that the heap keeps is not seen.
void tellGoneRegistrations();
/// Bytes that are allocated in streams of a device.
uint64_t allocatedInStreams(const Device &on);

/// The same for a variable of an image that goes.
void forgetVariable(void *pointer);

/// How many were taken off: while it is the same, what was found still is.
uint64_t freedAllocations();

/// How often the table changed: while it is the same, so is all of it.
uint64_t allocationChanges();

/// What is known of the memory there. Fails when the range runs past the end of
/// an allocation.
xcc_status locate(const void *pointer, size_t bytes, Place &out);

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_ALLOCATIONS_H
