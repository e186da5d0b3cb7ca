// Entries that a thread works on without the lock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/busy.h"

#include <condition_variable>

namespace xcc::rt {

static std::condition_variable &noLongerBusy() {
  // Never freed: threads may launch until the process ends.
  static auto &c = *new std::condition_variable;
  return c;
}

Busy::Busy(MappedMemory &memory, std::vector<Entry *> list)
    : memory(memory), entries(std::move(list)) {
  for (Entry *e : entries)
    ++e->busy;
  memory.busy += entries.size();
  ++memory.table.generation;
}

void Busy::end() {
  if (entries.empty())
    return;
  for (Entry *e : entries)
    --e->busy;
  memory.busy -= entries.size();
  entries.clear();
  noLongerBusy().notify_all();
}

void waitForBusy(const MappedMemory &memory) {
  if (!memory.busy) [[likely]]
    return;
  std::unique_lock lock(mappingMutex, std::adopt_lock);
  noLongerBusy().wait(lock, [&] { return !memory.busy; });
  lock.release();
}

} // namespace xcc::rt
