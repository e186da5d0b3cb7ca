// The mock's memory and copies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory is host memory whose agents are checked: a copy by an engine
// between places that it may not see is a violation.

#include "state.h"

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
  void *memory = nullptr;
  if (posix_memalign(&memory, 4096, (bytes + 4095) / 4096 * 4096) != 0)
    return StatusOutOfResources;
  memset(memory, 0xcd, std::min<size_t>(bytes, 1 << 20)); // not cleared
  std::lock_guard lock(state().mutex);
  state().memory[reinterpret_cast<uintptr_t>(memory)] = {
      bytes, p.handle, {p.handle / 10}};
  ++state().memoryVersion;
  *out = memory;
  return StatusSuccess;
}

Status hsa_amd_memory_pool_free(void *memory) {
  MOCK_CALL(hsa_amd_memory_pool_free);
  {
    std::lock_guard lock(state().mutex);
    if (!state().memory.erase(reinterpret_cast<uintptr_t>(memory)))
      return StatusInvalidAllocation;
    ++state().memoryVersion;
  }
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
  std::fill_n(static_cast<uint32_t *>(to), count, value);
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
  /// Rows of bytes, and from row to row, slice to slice; one row otherwise.
  size_t height = 1, depth = 1;
  size_t toPitch[2] = {}, fromPitch[2] = {};

  void run() const {
    for (size_t z = 0; z != depth; ++z)
      for (size_t y = 0; y != height; ++y)
        memcpy(static_cast<char *>(to) + z * toPitch[1] + y * toPitch[0],
               static_cast<const char *>(from) + z * fromPitch[1] +
                   y * fromPitch[0],
               bytes);
  }
};

/// One engine; copies depend on earlier work only, so the order of calls is one
/// in which they can run.
class Engine {
public:
  Engine() : worker([this] { run(); }) { worker.detach(); }
  void add(Copy c) {
    {
      std::lock_guard lock(state().mutex);
      waiting.push_back(std::move(c));
    }
    state().changed.notify_all();
  }

private:
  void run() {
    while (true) {
      Copy c;
      {
        std::unique_lock lock(state().mutex);
        state().changed.wait(lock, [this] { return !waiting.empty(); });
        c = std::move(waiting.front());
        waiting.pop_front();
        state().changed.wait(lock, [&] {
          return std::all_of(c.before.begin(), c.before.end(), [](SignalRef s) {
            return reinterpret_cast<MockSignal *>(s.handle)->value == 0;
          });
        });
      }
      uint64_t begin = mockNow();
      if (!c.fails)
        c.run();
      auto *done = reinterpret_cast<MockSignal *>(c.done.handle);
      {
        std::lock_guard lock(state().mutex);
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
