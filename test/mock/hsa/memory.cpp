// The mock's memory and copies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The agents that see an allocation are checked: a copy by an engine between
// places that it may not see is a violation.

#include "execution.h"
#include "state.h"
#include "test/mock/device_memory.h"
#include "test/mock/lateness.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <thread>

using namespace mock;

namespace mock {
const Block *find(const void *address, size_t bytes) {
  auto at = reinterpret_cast<uintptr_t>(address);
  auto after = state().memory.upper_bound(at);
  if (after == state().memory.begin())
    return nullptr;
  auto &[base, b] = *std::prev(after);
  return at - base <= b.bytes && bytes <= b.bytes - (at - base) ? &b : nullptr;
}
} // namespace mock

Status hsa_amd_memory_pool_allocate(Pool p, size_t bytes, uint32_t flags,
                                    void **out) {
  MOCK_CALL(hsa_amd_memory_pool_allocate);
  if (!bytes || flags)
    return StatusInvalidArgument;
  if (bytes > GpuBytes)
    return StatusOutOfResources;
  const size_t whole = (bytes + 4095) / 4096 * 4096;
  void *memory = nullptr;
  if (isGpu({p.handle / 10}))
    memory = reinterpret_cast<void *>(allocateDevice(bytes, 4096));
  else if (posix_memalign(&memory, 4096, whole) != 0)
    memory = nullptr;
  if (!memory)
    return StatusOutOfResources;
  memset(reachable(memory), 0xcd, std::min<size_t>(bytes, 1 << 20));
  if (Execution *e = execution())
    e->allocated(memory, bytes);
  std::lock_guard lock(state().mutex);
  state().memory[reinterpret_cast<uintptr_t>(memory)] = {
      bytes, p.handle, {p.handle / 10}};
  ++state().memoryVersion;
  *out = memory;
  return StatusSuccess;
}

Status hsa_amd_memory_pool_free(void *memory) {
  MOCK_CALL(hsa_amd_memory_pool_free);
  const auto address = reinterpret_cast<uintptr_t>(memory);
  bool onGpu;
  {
    std::lock_guard lock(state().mutex);
    auto found = state().memory.find(address);
    if (found == state().memory.end())
      return StatusInvalidAllocation;
    onGpu = isGpu({found->second.poolHandle / 10});
    state().memory.erase(found);
    ++state().memoryVersion;
  }
  if (onGpu)
    freeDevice(address);
  else
    free(memory);
  return StatusSuccess;
}

Status hsa_amd_agents_allow_access(uint32_t count, const Agent *agents,
                                   const uint32_t *flags, const void *memory) {
  MOCK_CALL(hsa_amd_agents_allow_access);
  if (!count || flags)
    return StatusInvalidArgument;
  std::lock_guard lock(state().mutex);
  auto found = state().memory.find(reinterpret_cast<uintptr_t>(memory));
  if (found == state().memory.end())
    return StatusInvalidAllocation;
  Block &b = found->second;
  b.agents = {b.poolHandle / 10}; // the call replaces the list
  for (uint32_t i = 0; i != count; ++i)
    b.agents.push_back(agents[i].handle);
  ++state().memoryVersion;
  return StatusSuccess;
}

Status hsa_amd_memory_lock(void *host, size_t bytes, Agent *, int,
                           void **seen) {
  MOCK_CALL(hsa_amd_memory_lock);
  std::lock_guard lock(state().mutex);
  state().locked[reinterpret_cast<uintptr_t>(host)] = bytes;
  ++state().memoryVersion;
  *seen = host;
  return StatusSuccess;
}

Status hsa_amd_memory_unlock(void *host) {
  MOCK_CALL(hsa_amd_memory_unlock);
  std::lock_guard lock(state().mutex);
  ++state().memoryVersion;
  return state().locked.erase(reinterpret_cast<uintptr_t>(host))
             ? StatusSuccess
             : StatusInvalidArgument;
}

Status hsa_amd_pointer_info(const void *address, PointerInfo *out,
                            void *(*)(size_t), uint32_t *, Agent **) {
  MOCK_CALL(hsa_amd_pointer_info);
  std::lock_guard lock(state().mutex);
  out->type = PointerUnknown;
  if (const Block *b = find(address, 1)) {
    out->type = PointerHsa;
    out->owner = {b->poolHandle / 10};
  }
  return StatusSuccess;
}

Status hsa_amd_memory_fill(void *to, uint32_t value, size_t count) {
  MOCK_CALL(hsa_amd_memory_fill);
  if (reinterpret_cast<uintptr_t>(to) % 4)
    return StatusInvalidArgument;
  {
    std::lock_guard lock(state().mutex);
    if (!find(to, count * 4))
      return StatusInvalidAllocation;
  }
  std::fill_n(reachable<uint32_t>(reinterpret_cast<uintptr_t>(to)), count,
              value);
  if (Execution *e = execution())
    e->written(to, count * 4);
  return StatusSuccess;
}

namespace {
struct Copy {
  void *to;
  const void *from;
  size_t bytes;
  std::vector<SignalRef> before;
  SignalRef done;
  bool fails;
  bool wanted = false; ///< it may begin
  bool old = false;    ///< a while has passed since it was put in
  /// Rows of bytes, and from row to row, slice to slice; one row otherwise.
  size_t height = 1, depth = 1;
  size_t toPitch[2] = {}, fromPitch[2] = {};

  void run() const {
    for (size_t z = 0; z != depth; ++z)
      for (size_t y = 0; y != height; ++y) {
        char *into = static_cast<char *>(to) + z * toPitch[1] + y * toPitch[0];
        auto *of = static_cast<const char *>(from) + z * fromPitch[1] +
                   y * fromPitch[0];
        memcpy(reachable(into), reachable(of), bytes);
        if (Execution *e = execution())
          e->copied(into, of, bytes);
      }
  }
};

/// One engine, which makes one copy after the other: of those that somebody has
/// asked for (lateness.h) and whose signals are reached, the first that was put
/// in, or one that a seed chooses.
class Engine {
public:
  Engine() : worker([this] { run(); }) { worker.detach(); }
  void add(Copy c) {
    {
      std::lock_guard lock(state().mutex);
      const Begins when = workBegins();
      c.wanted = when == Begins::AtOnce ||
                 (when == Begins::Seeded && throwDice(4) == 0);
      waiting.push_back(std::move(c));
      if (waiting.back().wanted)
        wantSources(waiting.back());
    }
    state().changed.notify_all();
    watchQueues();
  }
  // With the state's mutex held:
  bool want(uint64_t signal) {
    if (running == signal)
      return true;
    for (Copy &c : waiting)
      if (c.done.handle == signal) {
        wantCopy(c);
        return true;
      }
    return false;
  }
  void wantAll() {
    for (Copy &c : waiting)
      wantCopy(c);
  }
  bool tick() {
    bool left = false;
    for (Copy &c : waiting) {
      if (c.old)
        wantCopy(c);
      c.old = true;
      left |= !c.wanted;
    }
    return left;
  }

private:
  static bool isReached(SignalRef s) {
    return reinterpret_cast<MockSignal *>(s.handle)->value == 0;
  }
  static void wantSources(const Copy &c) {
    for (SignalRef s : c.before)
      if (!isReached(s))
        mock::want(s.handle);
  }
  static void wantCopy(Copy &c) {
    if (c.wanted)
      return;
    c.wanted = true;
    state().changed.notify_all();
    wantSources(c);
  }
  /// The number of those that can be made; \p chosen is the last of \p which.
  size_t find(size_t which, std::deque<Copy>::iterator &chosen) {
    size_t count = 0;
    for (auto c = waiting.begin(); c != waiting.end() && count <= which; ++c)
      if (c->wanted &&
          std::all_of(c->before.begin(), c->before.end(), isReached)) {
        chosen = c;
        ++count;
      }
    return count;
  }
  void run() {
    while (true) {
      Copy c;
      {
        std::unique_lock lock(state().mutex);
        std::deque<Copy>::iterator next;
        state().changed.wait(lock, [&] { return find(0, next) != 0; });
        if (workBegins() == Begins::Seeded)
          find(throwDice(unsigned(find(waiting.size(), next))), next);
        c = std::move(*next);
        waiting.erase(next);
        running = c.done.handle;
      }
      uint64_t begin = mockNow();
      if (!c.fails)
        c.run();
      auto *done = reinterpret_cast<MockSignal *>(c.done.handle);
      {
        std::lock_guard lock(state().mutex);
        running = 0;
        done->wanted = false;
        done->begin = begin;
        done->end = mockNow();
        if (c.fails)
          done->value = -1;
        else
          --done->value;
      }
      state().changed.notify_all();
    }
  }
  std::deque<Copy> waiting;
  uint64_t running = 0; ///< what the copy that runs completes
  std::thread worker;
};
} // namespace

/// May an engine that works for this agent read or write there? Mutex held.
static bool sees(uint64_t agent, const void *at, size_t bytes) {
  if (const Block *b = find(at, bytes))
    return agent == HostAgent || std::find(b->agents.begin(), b->agents.end(),
                                           agent) != b->agents.end();
  auto address = reinterpret_cast<uintptr_t>(at);
  auto after = state().locked.upper_bound(address);
  if (after == state().locked.begin())
    return false;
  auto [base, size] = *std::prev(after);
  return address - base <= size && bytes <= size - (address - base);
}

static Engine &theEngine() {
  static Engine &engine = *new Engine;
  return engine;
}

bool mock::wantCopy(uint64_t signal) { return theEngine().want(signal); }
void mock::wantAllCopies() { theEngine().wantAll(); }
bool mock::tickCopies() { return theEngine().tick(); }

Status hsa_amd_memory_async_copy_rect(
    const PitchedPointer *to, const Dim3 *toOffset, const PitchedPointer *from,
    const Dim3 *fromOffset, const Dim3 *range, Agent works, CopyDirection way,
    uint32_t count, const SignalRef *before, SignalRef done) {
  MOCK_CALL(hsa_amd_memory_async_copy_rect);
  auto isUsable = [&](const PitchedPointer &side, const Dim3 &offset) {
    if (offset.x || offset.y || offset.z)
      return false;
    // The library asks for words.
    if ((reinterpret_cast<uintptr_t>(side.base) | side.pitch) % 4 ||
        (range->z > 1 && side.slice % 4) || side.pitch < range->x)
      return false;
    std::lock_guard lock(state().mutex);
    return sees(works.handle, side.base,
                (range->z - 1) * side.slice + (range->y - 1) * side.pitch +
                    range->x);
  };
  bool fails;
  {
    std::lock_guard lock(state().mutex);
    fails = state().failCopy && --state().failCopy == 0;
  }
  if (!isGpu(works) || way < HostToDevice || way > DeviceToDevice)
    violated("async_copy_rect: the agent is no GPU, or no direction");
  if (!range->x || !range->y || !range->z || !isUsable(*to, *toOffset) ||
      !isUsable(*from, *fromOffset))
    violated("async_copy_rect: agent %d does not see both sides, or they are "
             "no rows of words",
             int(works.handle));
  if (reinterpret_cast<MockSignal *>(done.handle)->value != 1)
    violated("async_copy_rect: the completion signal is not 1");
  theEngine().add({const_cast<void *>(to->base),
                   from->base,
                   range->x,
                   {before, before + count},
                   done,
                   fails,
                   false,
                   false,
                   range->y,
                   range->z,
                   {to->pitch, to->slice},
                   {from->pitch, from->slice}});
  return StatusSuccess;
}

Status hsa_amd_memory_async_copy(void *to, Agent toAgent, const void *from,
                                 Agent fromAgent, size_t bytes, uint32_t count,
                                 const SignalRef *before, SignalRef done) {
  MOCK_CALL(hsa_amd_memory_async_copy);
  // The engine is a GPU's, so that GPU must see both.
  uint64_t works = isGpu(toAgent) ? toAgent.handle : fromAgent.handle;
  bool good, fails;
  {
    std::lock_guard lock(state().mutex);
    good = sees(works, to, bytes) && sees(works, from, bytes);
    fails = state().failCopy && --state().failCopy == 0;
  }
  if (!isGpu(Agent{works}))
    violated("async_copy: neither agent is a GPU");
  if (!good)
    violated("async_copy of %zu bytes: agent %d does not see both sides", bytes,
             int(works));
  auto t = reinterpret_cast<uintptr_t>(to),
       f = reinterpret_cast<uintptr_t>(from);
  if (t < f + bytes && f < t + bytes)
    violated("async_copy: the ranges overlap");
  if (reinterpret_cast<MockSignal *>(done.handle)->value != 1)
    violated("async_copy: the completion signal is not 1");
  theEngine().add({to, from, bytes, {before, before + count}, done, fails});
  return StatusSuccess;
}
