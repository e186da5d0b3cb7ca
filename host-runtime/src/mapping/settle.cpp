// Settling: copying mapped memory back when work has ended
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/settle.h"
#include "errors/sentence.h"
#include "mapping/busy.h"
#include "mapping/copy_back.h"
#include "mapping/dependencies.h"
#include "mapping/elsewhere.h"
#include "mapping/grown.h"
#include "mapping/known.h"

#include <algorithm>
#include <new>
#include <utility>

namespace xcc::rt {

/// Does the holder of mappingMutex wait for a kernel? Then others may read.
static constinit std::mutex readableMutex;
static bool readable = false;

NamesReadable::NamesReadable() {
  std::lock_guard lock(readableMutex);
  readable = true;
}

NamesReadable::~NamesReadable() {
  std::lock_guard lock(readableMutex);
  readable = false;
}

namespace {
/// Queues with the number of the mapped launch up to which they have ended.
class EndedWork {
public:
  EndedWork(Queue &queue, uint64_t upTo) : list{{&queue, upTo}} {}
  bool has(const Use &u) const {
    return std::any_of(list.begin(), list.end(), [&](const auto &q) {
      return q.first == u.queue && u.last <= q.second;
    });
  }
  bool has(const Queue *queue) const {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto &q) { return q.first == queue; });
  }
  /// Has any use of the entry ended? Have all?
  bool any(const Entry &e) const {
    return std::any_of(e.uses.begin(), e.uses.end(),
                       [&](const Use &u) { return has(u); });
  }
  bool all(const Entry &e) const {
    return std::all_of(e.uses.begin(), e.uses.end(),
                       [&](const Use &u) { return has(u); });
  }
  /// Waits for other queues that use entries which kernels have grown, because
  /// such objects are copied back as a whole.
  void addOthers(MappedMemory &memory);

private:
  bool addOther(const MappedMemory &memory);
  std::vector<std::pair<Queue *, uint64_t>> list;
};
} // namespace

bool EndedWork::addOther(const MappedMemory &memory) {
  for (const Entry *e : memory.inFlight)
    if (e->grows && !e->isHeld() && any(*e))
      for (const Use &u : e->uses)
        if (!has(u.queue)) {
          list.push_back({u.queue, u.queue->mappedLaunches});
          return true;
        }
  return false;
}

void EndedWork::addOthers(MappedMemory &memory) {
  while (addOther(memory)) {
    {
      Unlocked meanwhile;
      list.back().first->drain();
    }
    waitForBusy(memory);
  }
}

/// Settles a queue's work. Call it under the lock, which is released meanwhile.
static xcc_status settleQueue(MappedMemory &memory, Queue &queue,
                              uint64_t upTo) try {
  // Another thread may be copying back the same entries.
  waitForBusy(memory);
  EndedWork work(queue, upTo);
  work.addOthers(memory);
  std::vector<Entry *> ended, pulled, concerned;
  for (Entry *e : memory.inFlight) {
    if (!work.any(*e))
      continue;
    // A held entry stays until its scopes end, with what kernels wrote.
    if (e->isHeld()) {
      if (work.has(e->writer))
        e->writer = nullptr;
      continue;
    }
    // Later writers have waited for the maker.
    if (e->maker)
      e->lost |= e->maker->failures() != e->failures;
    if (work.has(e->maker))
      e->maker = nullptr;
    // Bytes that another queue writes now are copied back when it is settled.
    const bool last = work.all(*e);
    const bool comes = e->dirty && (last || work.has(e->writer));
    if (comes)
      pulled.push_back(e);
    if (comes || last)
      concerned.push_back(e);
    if (last)
      ended.push_back(e);
  }
  for (Entry *e : memory.inFlight)
    std::erase_if(e->uses, [&](const Use &u) { return work.has(u); });
  // Other threads may use these entries again while the copies run.
  std::erase_if(memory.inFlight,
                [](Entry *e) { return e->isHeld() && e->uses.empty(); });
  auto leave = [&] {
    if (objectsChange.load(std::memory_order_relaxed))
      findChangedObjects();
    std::erase_if(memory.inFlight, [](Entry *e) { return e->uses.empty(); });
    std::erase_if(ended, [](const Entry *e) { return e->isHeld(); });
    memory.remove(ended);
  };
  if (ended.empty() && pulled.empty())
    return XCC_SUCCESS;
  for (Entry *e : ended)
    e->writer = nullptr;
  for (Entry *e : pulled)
    e->writer = nullptr;
  if (pulled.empty()) {
    leave();
    return XCC_SUCCESS;
  }
  Busy busy(memory, concerned);
  FromDevice addresses(memory, /*grown=*/true);
  xcc_status status = copyBack(memory, pulled, &queue, nullptr, &addresses);
  FreedMemory freed;
  xcc_status more =
      copyBackAllocations(memory, concerned, &queue, addresses, freed);
  busy.end();
  leave();
  return status == XCC_SUCCESS ? more : status;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY,
              {nullptr, nullptr, 0, memory.on.ordinal()},
              "out of memory while copying back what kernels wrote");
}

/// Settles the queue's launches, and those for which it waited.
static xcc_status settleAll(MappedMemory &memory, Queue &queue, uint64_t upTo) {
  xcc_status status = settleQueue(memory, queue, upTo);
  Dependency d;
  while (takeDependency(memory, &queue, upTo, d)) {
    if (d.merged) {
      Unlocked meanwhile;
      d.queue->drain();
    }
    xcc_status more = settleAll(*d.other, *d.queue, d.upTo);
    if (status == XCC_SUCCESS)
      status = more;
  }
  return status;
}

void dependOn(Device &on, Queue &queue, Device &otherOn, Queue &other,
              uint64_t upTo) {
  MappedMemory *from = otherOn.mapped.load(std::memory_order_acquire);
  if (!from) [[likely]]
    return;
  std::lock_guard lock(mappingMutex);
  try {
    // A thread that read the number before does not know of this dependency.
    if (MappedMemory *memory = mappedMemory(on)) {
      remember(*memory, {&queue, ++queue.mappedLaunches, from, &other, upTo});
      return;
    }
  } catch (const std::bad_alloc &) {
  }
  // There is no memory for a dependency, so settle the other queue now.
  {
    Unlocked meanwhile;
    other.drain();
  }
  (void)settleQueue(*from, other, upTo);
}

xcc_status settle(Device &on, Queue &queue, uint64_t upTo) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory) [[likely]]
    return XCC_SUCCESS;
  std::lock_guard lock(mappingMutex);
  return settleAll(*memory, queue, upTo);
}

/// Enqueues copies back behind the work, as far as possible. Without memory for
/// that, they are made later.
static void beginCopyBack(MappedMemory &memory, Queue &queue) try {
  copyBackBehind(memory, queue);
} catch (const std::bad_alloc &) {
}

xcc_status drainAndSettle(Device &on, Queue &queue) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory) [[likely]] {
    queue.drain();
    return XCC_SUCCESS;
  }
  std::lock_guard lock(mappingMutex);
  beginCopyBack(*memory, queue);
  const uint64_t upTo = queue.mappedLaunches;
  {
    Unlocked meanwhile;
    queue.drain();
  }
  return settleAll(*memory, queue, upTo);
}

xcc_status drainAndSettle(Device &on) try {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory) [[likely]] {
    on.drain();
    return XCC_SUCCESS;
  }
  std::lock_guard lock(mappingMutex);
  std::vector<std::pair<Queue *, uint64_t>> queues;
  auto add = [&](Queue *q) {
    for (const auto &known : queues)
      if (known.first == q)
        return;
    queues.push_back({q, q->mappedLaunches});
  };
  for (const Entry *e : memory->inFlight)
    for (const Use &u : e->uses)
      add(u.queue);
  for (const Dependency &d : memory->dependencies)
    add(d.waits);
  for (const auto &[queue, upTo] : queues)
    beginCopyBack(*memory, *queue);
  {
    Unlocked meanwhile;
    on.drain();
  }
  xcc_status status = XCC_SUCCESS;
  for (const auto &[queue, upTo] : queues) {
    xcc_status one = settleAll(*memory, *queue, upTo);
    if (status == XCC_SUCCESS)
      status = one;
  }
  // Another thread may still be copying back what it has settled.
  waitForBusy(*memory);
  return status;
} catch (const std::bad_alloc &) {
  on.drain();
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, on.ordinal()},
              "out of memory while copying back what kernels wrote");
}

uint64_t mappedLaunches(Device &on, Queue &queue) {
  if (!on.mapped.load(std::memory_order_acquire)) [[likely]]
    return 0;
  std::lock_guard lock(mappingMutex);
  return queue.mappedLaunches;
}

/// Calls \p found(entry) for the first entry for which \p is returns true, if
/// the calling thread may read the table.
template <class Is, class Found>
static void findEntry(Device &on, Is is, Found found) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory)
    return;
  const std::unique_lock all(mappingMutex, std::try_to_lock);
  std::unique_lock borrowed(readableMutex, std::defer_lock);
  if (!all) {
    borrowed.lock();
    if (!readable)
      return;
  }
  for (const Entry *e : memory->table.all())
    if (is(*e))
      return found(*e);
}

static auto isAt(uint64_t address) {
  return [=](const Entry &e) {
    return address - reinterpret_cast<uintptr_t>(e.device) < e.allocated;
  };
}

std::string nameOfCopy(Device &on, uint64_t address) {
  std::string name;
  findEntry(on, isAt(address), [&](const Entry &e) { name = e.name(); });
  return name;
}

std::string nameOfForeign(Device &on) {
  std::string name;
  findEntry(
      on,
      [](const Entry &e) {
        return e.grows && e.owned & XCC_MAP_FOREIGN && !e.allocator;
      },
      [&](const Entry &e) { name = e.name(); });
  return name;
}

void writeNameOfCopy(Sentence &to, Device &on, uint64_t address) {
  findEntry(on, isAt(address), [&](const Entry &e) {
    to.add(" (of ");
    if (e.namedBy)
      e.namedBy->writeName(to, e.path);
    else
      to.add("%s", e.words.c_str());
    to.add(")");
  });
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
  if (e.busy) {
    waitForBusy(memory);
    return XCC_SUCCESS;
  }
  if (e.uses.empty())
    return XCC_SUCCESS;
  Queue &q = *e.uses.back().queue;
  const uint64_t upTo = q.mappedLaunches;
  {
    Unlocked meanwhile;
    q.drain();
  }
  return settleQueue(memory, q, upTo);
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
