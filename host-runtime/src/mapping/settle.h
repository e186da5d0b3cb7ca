// Settling: copying mapped memory back when work has ended
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that launches mapped stays on the device while they are in flight. The
// host must not access it meanwhile, so the next launch that uses it copies
// nothing. When the program has waited for the work, or has learned that it has
// ended, kernels' results are copied back and the entries are removed.

#ifndef XCC_SRC_MAPPING_SETTLE_H
#define XCC_SRC_MAPPING_SETTLE_H

#include "mapping/present.h"

namespace xcc::rt {

/// Waits for the queue's work so far, and settles it.
xcc_status drainAndSettle(Device &on, Queue &queue);
/// The same for all of a device's queues.
xcc_status drainAndSettle(Device &on);
/// Call this when the program knows that the queue's work up to its mapped
/// launch \p upTo has ended. Fails if something could not be copied back. Costs
/// nothing if nothing is mapped.
xcc_status settle(Device &on, Queue &queue, uint64_t upTo);
/// Call this before host memory is used in the order of some queue: waits for
/// work that uses it or has a newer copy, and settles that.
xcc_status settleRange(const void *begin, size_t bytes);
/// The number up to which to settle a queue now. Later mapped launches get
/// higher numbers.
uint64_t mappedLaunches(Device &on, Queue &queue);
/// The program's name, in quotes, of the object whose copy is at a device
/// address. Empty if there is none, or if another thread works on mapped
/// memory.
std::string nameOfCopy(Device &on, uint64_t address);
/// Adds " (of 'name')" with that name, without allocating memory.
void writeNameOfCopy(Sentence &to, Device &on, uint64_t address);
/// The program's name of a container that a kernel which allocates uses, and
/// whose allocator has a state. Its functions are the host's. Empty if there is
/// none.
std::string nameOfForeign(Device &on);
/// While it lives, the thread that holds the lock changes nothing and waits for
/// a kernel. Other threads may read names, in case the kernel fails.
class NamesReadable {
public:
  NamesReadable();
  ~NamesReadable();
  NamesReadable(const NamesReadable &) = delete;
};
/// Records that the queue's later work runs after another queue's mapped
/// launches up to \p upTo.
void dependOn(Device &on, Queue &queue, Device &otherOn, Queue &other,
              uint64_t upTo);

/// Frees the device's memory that is kept for later mappings. Returns true if
/// there was any.
bool trimMapped(Device &on);

/// Called when kernels of the device are about to be unloaded.
void forgetLaunches(Device &on);

/// Waits for work that uses an entry, and settles it, or waits for the thread
/// that does so. The caller holds the lock, which is released meanwhile, and
/// must look up the entry again: it may be gone, or in use again.
xcc_status settleEntry(MappedMemory &memory, Entry &e);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_SETTLE_H
