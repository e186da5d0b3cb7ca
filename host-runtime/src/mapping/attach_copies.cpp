// Copies to the device before a launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/attach.h"
#include "mapping/copies.h"
#include "mapping/hidden.h"
#include "mapping/moves.h"
#include "rpc/services/mapped.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace xcc::rt {

/// Writes the headers that device code finds before copies that it may free.
xcc_status Attachment::sendHeaders() {
  uint64_t &low = memory.freeable[0], &past = memory.freeable[1];
  for (Entry *e : fresh) {
    if (!e->owned)
      continue;
    const auto at = reinterpret_cast<uint64_t>(e->device);
    e->header[0] = at ^ XCC_MAPPED_LIVE;
    e->header[1] = e->allocated;
    low = std::min(low, at);
    past = std::max(past, at + 1);
    char *there = e->device - sizeof(e->header);
    if (e->block->staging)
      memcpy(e->block->staging.get() + (there - e->block->memory), e->header,
             sizeof(e->header));
    else
      XCC_TRY(m.queue.copy(memory.place(*e->block, there), {.at = e->header},
                           sizeof(e->header)));
  }
  if (std::equal(memory.freeable, memory.freeable + 2, memory.freeableSent))
    return XCC_SUCCESS;
  uint64_t base = 0, end = 0;
  deviceHeap(m.on, base, end);
  if (base == end)
    return XCC_SUCCESS;
  std::copy_n(memory.freeable, 2, memory.freeableSent);
  auto *heap = reinterpret_cast<char *>(base);
  return m.queue.copy(
      {.at = heap + XCC_MAPPED_BOUNDS, .owner = &m.on, .allocation = heap},
      {.at = memory.freeableSent}, sizeof(memory.freeableSent));
}

xcc_status Attachment::copyIn() {
  const MoveLines lines;
  enqueued = true;
  failures = m.queue.failures();
  heapFailures = m.queue.heapFailures();
  if (logs(LogCategory::Map)) [[unlikely]]
    for (size_t i = 0; i != m.ranges.size(); ++i)
      if (!entryOf[i]->isNew && (!i || entryOf[i] != entryOf[i - 1]))
        showPresent(m.on, m.nameOf(m.ranges[i].path), m.ranges[i].bytes,
                    *entryOf[i], m.place);
  auto host = [](uintptr_t at) { return reinterpret_cast<char *>(at); };
  Copies copies(memory, m.queue);
  // Send what earlier launches did not need.
  for (const Used &u : used) {
    const Entry &e = *u.entry;
    if (e.isNew || !u.needs || e.unsent.empty())
      continue;
    Move shown(m.on, Move::ToDevice, e, e.unsent.total(), "needed now, ",
               m.place);
    XCC_TRY(copies.add(e, e.unsent, Copies::ToDevice));
  }
  XCC_TRY(sendStale(copies));
  for (size_t i = 0; i != fresh.size(); ++i) {
    Entry &e = *fresh[i];
    if (!isSent(e)) {
      e.unsent = std::move(making[i].in);
      Move shown(m.on, Move::ToDevice, e, 0,
                 used[e.mark].makes ? "new, overwritten by "
                                    : "new, not used by ",
                 m.place);
      // For tests: make a kernel notice if it reads the memory nevertheless.
      if (m.on.hidesOriginals())
        XCC_TRY(m.queue.fillBytes(memory.place(*e.block, e.device), HiddenByte,
                                  e.allocated));
      continue;
    }
    Move shown(m.on, Move::ToDevice, e, making[i].in.total(), "new, ", m.place);
    if (!e.block->staging) {
      XCC_TRY(copies.add(e, making[i].in, Copies::ToDevice));
      continue;
    }
    char *copy = e.block->staging.get() + (e.device - e.block->memory);
    for (const Span &s : making[i].in)
      memcpy(copy + s.offset, host(e.begin) + s.offset, s.bytes);
    for (const HeldAddress &a : e.addresses)
      memcpy(copy + a.offset, &a.sent, sizeof(a.sent));
  }
  if (!m.on.usesHostHeap())
    XCC_TRY(sendHeaders());
  if (copies.entries()) {
    Move shown(m.on, Move::ToDevice, copies.bytes(), copies.entries());
    XCC_TRY(copies.end());
  }
  for (Block *b : blocks)
    if (b->staging && b->sent) {
      Move shown(m.on, Move::ToDevice, b->sent, b->entries);
      XCC_TRY(m.queue.copy(memory.place(*b, b->memory),
                           {.at = b->staging.get()}, b->sent));
    }
  return XCC_SUCCESS;
}

} // namespace xcc::rt
