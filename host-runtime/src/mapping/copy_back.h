// What kernels wrote, back to the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_COPY_BACK_H
#define XCC_SRC_MAPPING_COPY_BACK_H

#include "mapping/from_device.h"

namespace xcc::rt {

/// Copies what kernels may have written of these entries to the host, in
/// \p queue (null: any of the device's), and waits for it. Addresses that no
/// kernel changed stay the host's own; those that were changed to point into
/// mapped memory are translated. \p update asks for it, or null: kernels have
/// written it. Under the lock, which is
/// given away while the copies run: the entries are busy. With \p grown,
/// bringGrown comes next with the same: it resolves addresses of memory that
/// kernels allocated, and copies what they may have freed. May throw
/// std::bad_alloc.
xcc_status copyBack(MappedMemory &memory, const std::vector<Entry *> &entries,
                    Queue *queue, const MappingPlace *update = nullptr,
                    FromDevice *grown = nullptr);

/// Bytes of an entry from its copy to the host, around its addresses. \p grown:
/// an address that is nothing's stays the device's.
xcc_status scatter(MappedMemory &memory, FromDevice &addresses, Entry &e,
                   const char *copy, bool grown);
/// What a kernel added to a container that had room for it.
xcc_status fetchAdded(const MappedMemory &memory, Queue &in, const Added &a);

/// Enqueues what only this queue's kernels write behind them, before somebody
/// waits for the queue, where that takes no time: copyBack then has nothing
/// more to do for it than to wait. Not where addresses are to be translated.
/// Under the lock. May throw std::bad_alloc.
void copyBackBehind(MappedMemory &memory, Queue &queue);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_COPY_BACK_H
