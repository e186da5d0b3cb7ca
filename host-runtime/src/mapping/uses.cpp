// How launches use entries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/uses.h"

#include <algorithm>

namespace xcc::rt {

xcc_status waitForOthers(Device &on, Queue &queue,
                         const std::vector<Used> &used) {
  std::vector<Queue *> others;
  auto after = [&](Queue *q) {
    if (q && q != &queue &&
        std::find(others.begin(), others.end(), q) == others.end())
      others.push_back(q);
  };
  for (const Used &u : used) {
    after(u.entry->writer);
    if (u.writes || u.sends)
      for (const Use &other : u.entry->uses)
        after(other.queue);
  }
  for (Queue *q : others) {
    Event *point;
    XCC_TRY(on.createEvent(&point));
    xcc_status status = q->record(*point);
    if (status == XCC_SUCCESS)
      status = queue.wait(*point);
    delete point;
    XCC_TRY(status);
  }
  return XCC_SUCCESS;
}

void useEntries(MappedMemory &memory, Queue &queue, const MappingPlace &by,
                const std::vector<Used> &used,
                const std::vector<Written> &written, uint64_t failures) {
  ++queue.mappedLaunches;
  for (const Written &w : written)
    w.entry->back.add(w.span.offset, w.span.bytes);
  for (const Used &u : used) {
    Entry &e = *u.entry;
    if (u.writes) {
      e.willBeWritten(by);
      e.compared |= u.byConst || (u.anywhere && e.constant);
    }
    e.has(queue, u.needs, u.makes, failures);
    // Also for held entries: launches in other streams must wait for this one.
    if (e.uses.empty())
      memory.inFlight.push_back(&e);
    e.use(queue);
    if (u.writes || u.sends || e.isNew)
      e.writer = &queue;
    e.isNew = false;
  }
}

} // namespace xcc::rt
