// When the host may look again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches have mapped stays on the device while they are in flight: the
// host may touch none of it, so nothing can have changed, and the next launch
// that uses it copies nothing. Once the program has waited for that work, or has
// been told that it has ended, what kernels wrote is copied back, and the
// entries go.

#ifndef XCC_SRC_MAPPING_SETTLE_H
#define XCC_SRC_MAPPING_SETTLE_H

#include "mapping/present.h"

namespace xcc::rt {

/// Waits for the queue's work so far and settles it, as the next does.
xcc_status drainAndSettle(Device &on, Queue &queue);
/// The same for all of a device's queues.
xcc_status drainAndSettle(Device &on);
/// Called when the program knows that the queue's work up to its mapped launch \p
/// upTo has ended. Fails if something could not be copied back. Costs nothing if
/// nothing is mapped.
xcc_status settle(Device &on, Queue &queue, uint64_t upTo);
/// Host memory that a call is about to use in the order of some queue: waits
/// for work that has a newer copy of it, or uses it.
xcc_status settleRange(const void *begin, size_t bytes);
/// The number to settle a queue up to: what is enqueued later counts on.
uint64_t mappedLaunches(Device &on, Queue &queue);
/// What the program calls the object whose copy is at an address of the device, in
/// quotes; empty: it is none, or another thread works on mapped memory.
std::string nameOfCopy(Device &on, uint64_t address);
/// Adds " (of 'name')", of the same, where nothing may be allocated.
void writeNameOfCopy(Sentence &to, Device &on, uint64_t address);
/// What the program calls a container in use by a kernel that allocates, whose
/// allocator has a state, and so functions that are the host's; empty: none.
std::string nameOfForeign(Device &on);
/// While it lives, the thread that has the lock changes nothing and waits for a
/// kernel, which may fail and want a name.
class LentForNames {
public:
  LentForNames();
  ~LentForNames();
  LentForNames(const LentForNames &) = delete;
};
/// Work of a queue from now on runs behind another queue's mapped launches up
/// to a number.
void dependOn(Device &on, Queue &queue, Device &otherOn, Queue &other,
              uint64_t upTo);

/// Frees the device's memory that is kept for later mappings; true when there
/// was some.
bool trimMapped(Device &on);

/// Kernels of the device are about to go.
void forgetLaunches(Device &on);

/// Waits for work that uses an entry, and settles it, or waits for the thread that
/// does so. The caller has the lock, which is released meanwhile, and looks up the
/// entry again: it may be gone, or in use again.
xcc_status settleEntry(MappedMemory &memory, Entry &e);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_SETTLE_H
