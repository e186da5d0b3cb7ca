// When the host may look again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/settle.h"
#include "mapping/copy_back.h"
#include "mapping/known.h"

#include <algorithm>
#include <new>

namespace xcc::rt {

/// Under the lock; null: every queue.
static xcc_status settleQueue(MappedMemory &memory, Queue *queue,
                              uint64_t upTo) try {
  std::vector<Entry *> ended, pulled;
  for (Entry *e : memory.inFlight) {
    bool mine = false;
    for (size_t i = 0; i != e->uses.size();)
      if (!queue || (e->uses[i].queue == queue && e->uses[i].last <= upTo)) {
        e->uses.erase(e->uses.begin() + ptrdiff_t(i));
        mine = true;
      } else {
        ++i;
      }
    if (!mine)
      continue;
    bool last = e->uses.empty();
    // What another queue writes now comes back with that queue.
    if (e->dirty && (last || e->writer == queue))
      pulled.push_back(e);
    if (last)
      ended.push_back(e);
    if (last || e->writer == queue)
      e->writer = nullptr;
  }
  if (ended.empty() && pulled.empty())
    return XCC_SUCCESS;
  xcc_status status = copyBack(memory, pulled, queue);
  std::erase_if(memory.inFlight, [](Entry *e) { return e->uses.empty(); });
  for (Entry *e : ended)
    if (!e->scopes)
      memory.remove(e);
  return status;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY,
              {nullptr, nullptr, 0, memory.on.ordinal()},
              "out of memory while copying back what kernels wrote");
}

/// Those that the queue waited for as well.
static xcc_status settleAll(MappedMemory &memory, Queue *queue, uint64_t upTo) {
  xcc_status status = settleQueue(memory, queue, upTo);
  auto &all = memory.dependencies;
  for (size_t i = 0; i < all.size();) {
    if (queue && (all[i].waits != queue || all[i].since > upTo)) {
      ++i;
      continue;
    }
    MappedMemory::Dependency d = all[i];
    all.erase(all.begin() + ptrdiff_t(i));
    xcc_status more = settleAll(*d.other, d.queue, d.upTo);
    if (status == XCC_SUCCESS)
      status = more;
    i = 0;
  }
  return status;
}

void dependOn(Device &on, Queue &queue, Device &otherOn, Queue &other,
              uint64_t upTo) {
  MappedMemory *from = otherOn.mapped.load(std::memory_order_acquire);
  if (!from) [[likely]]
    return;
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(on);
  try {
    if (memory)
      memory->dependencies.push_back(
          {&queue, queue.mappedLaunches, from, &other, upTo});
  } catch (const std::bad_alloc &) {
    memory = nullptr;
  }
  if (memory)
    return;
  // Nobody can remember it: so that nothing is left to be remembered.
  other.drain();
  (void)settleQueue(*from, &other, upTo);
}

xcc_status settle(Device &on, Queue &queue, uint64_t upTo) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory) [[likely]]
    return XCC_SUCCESS;
  std::lock_guard lock(mappingMutex);
  return settleAll(*memory, &queue, upTo);
}

xcc_status settle(Device &on) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory) [[likely]]
    return XCC_SUCCESS;
  std::lock_guard lock(mappingMutex);
  return settleAll(*memory, nullptr, UINT64_MAX);
}

uint64_t mappedLaunches(Device &on, Queue &queue) {
  if (!on.mapped.load(std::memory_order_acquire)) [[likely]]
    return 0;
  std::lock_guard lock(mappingMutex);
  return queue.mappedLaunches;
}

void forgetLaunches(Device &on) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory) [[likely]]
    return;
  std::lock_guard lock(mappingMutex);
  memory->known->forget();
}

bool trimMapped(Device &on) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory)
    return false;
  std::lock_guard lock(mappingMutex);
  return memory->trim();
}

xcc_status settleEntry(MappedMemory &memory, Entry &e) {
  while (!e.uses.empty()) {
    Queue *q = e.uses.back().queue;
    bool last = e.uses.size() == 1;
    q->drain();
    XCC_TRY(settleQueue(memory, q, UINT64_MAX));
    if (last)
      break; // the entry is gone
  }
  return XCC_SUCCESS;
}

xcc_status settleRange(const void *begin, size_t bytes) {
  auto first = reinterpret_cast<uintptr_t>(begin);
  if (!anyMapped.load(std::memory_order_acquire)) [[likely]]
    return XCC_SUCCESS;
  std::lock_guard lock(mappingMutex);
  for (MappedMemory *memory : allMapped()) {
    if (memory->inFlight.empty())
      continue;
    for (bool more = true; more;) {
      more = false;
      for (Entry *e : memory->inFlight)
        if (e->begin < first + bytes && first < e->end()) {
          XCC_TRY(settleEntry(*memory, *e));
          more = true;
          break;
        }
    }
  }
  return XCC_SUCCESS;
}

} // namespace xcc::rt
