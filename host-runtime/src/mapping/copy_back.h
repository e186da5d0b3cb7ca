// Copying kernels' results back to the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_COPY_BACK_H
#define XCC_SRC_MAPPING_COPY_BACK_H

#include "mapping/from_device.h"

namespace xcc::rt {

/// Copies what kernels may have written in these entries to the host, in \p
/// queue (null: any of the device's), and waits for it. Addresses that no
/// kernel changed keep the host's value; those that were changed to point into
/// mapped memory are translated. \p update is the place that requested the
/// copy; null if it follows a kernel. Call it under the lock, which it releases
/// while the copies run; the entries are busy then. With \p grown, call
/// bringGrown next with the same: it resolves addresses of memory that kernels
/// allocated, and copies memory that they may have freed. May throw
/// std::bad_alloc.
xcc_status copyBack(MappedMemory &memory, const std::vector<Entry *> &entries,
                    Queue *queue, const MappingPlace *update = nullptr,
                    FromDevice *grown = nullptr);

/// Writes an entry's bytes from \p copy to the host, except its unchanged
/// addresses. \p grown: keep an unknown address as it is on the device.
xcc_status scatter(MappedMemory &memory, FromDevice &addresses, Entry &e,
                   const char *copy, bool grown);
/// Copies elements that a kernel added to a container that had room for them.
xcc_status fetchAdded(const MappedMemory &memory, Queue &in, const Added &a);

/// Enqueues the copies to the host after this queue's kernels, before a thread
/// waits for the queue, if that takes no time. copyBack then only has to wait.
/// Skips entries with addresses to translate. Call it under the lock. May throw
/// std::bad_alloc.
void copyBackBehind(MappedMemory &memory, Queue &queue);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_COPY_BACK_H
