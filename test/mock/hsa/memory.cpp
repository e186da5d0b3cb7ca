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
const Block *find(const void *Address, size_t Bytes) {
  auto At = reinterpret_cast<uintptr_t>(Address);
  auto After = state().Memory.upper_bound(At);
  if (After == state().Memory.begin())
    return nullptr;
  auto &[Base, B] = *std::prev(After);
  return At - Base <= B.Bytes && Bytes <= B.Bytes - (At - Base) ? &B : nullptr;
}
} // namespace mock

Status hsa_amd_memory_pool_allocate(Pool P, size_t Bytes, uint32_t Flags,
                                    void **Out) {
  MOCK_CALL(hsa_amd_memory_pool_allocate);
  if (!Bytes || Flags)
    return StatusInvalidArgument;
  if (Bytes > GpuBytes)
    return StatusOutOfResources;
  void *Memory = nullptr;
  if (posix_memalign(&Memory, 4096, (Bytes + 4095) / 4096 * 4096) != 0)
    return StatusOutOfResources;
  memset(Memory, 0xcd, std::min<size_t>(Bytes, 1 << 20)); // not cleared
  std::lock_guard Lock(state().Mutex);
  state().Memory[reinterpret_cast<uintptr_t>(Memory)] = {
      Bytes, P.handle, {P.handle / 10}};
  ++state().MemoryVersion;
  *Out = Memory;
  return StatusSuccess;
}

Status hsa_amd_memory_pool_free(void *Memory) {
  MOCK_CALL(hsa_amd_memory_pool_free);
  {
    std::lock_guard Lock(state().Mutex);
    if (!state().Memory.erase(reinterpret_cast<uintptr_t>(Memory)))
      return StatusInvalidAllocation;
    ++state().MemoryVersion;
  }
  free(Memory);
  return StatusSuccess;
}

Status hsa_amd_agents_allow_access(uint32_t Count, const Agent *Agents,
                                   const uint32_t *Flags, const void *Memory) {
  MOCK_CALL(hsa_amd_agents_allow_access);
  if (!Count || Flags)
    return StatusInvalidArgument;
  std::lock_guard Lock(state().Mutex);
  auto Found = state().Memory.find(reinterpret_cast<uintptr_t>(Memory));
  if (Found == state().Memory.end())
    return StatusInvalidAllocation;
  Block &B = Found->second;
  B.Agents = {B.PoolHandle / 10}; // the call replaces the list
  for (uint32_t I = 0; I != Count; ++I)
    B.Agents.push_back(Agents[I].handle);
  ++state().MemoryVersion;
  return StatusSuccess;
}

Status hsa_amd_memory_lock(void *Host, size_t Bytes, Agent *, int,
                           void **Seen) {
  MOCK_CALL(hsa_amd_memory_lock);
  std::lock_guard Lock(state().Mutex);
  state().Locked[reinterpret_cast<uintptr_t>(Host)] = Bytes;
  ++state().MemoryVersion;
  *Seen = Host;
  return StatusSuccess;
}

Status hsa_amd_memory_unlock(void *Host) {
  MOCK_CALL(hsa_amd_memory_unlock);
  std::lock_guard Lock(state().Mutex);
  ++state().MemoryVersion;
  return state().Locked.erase(reinterpret_cast<uintptr_t>(Host))
             ? StatusSuccess
             : StatusInvalidArgument;
}

Status hsa_amd_pointer_info(const void *Address, PointerInfo *Out,
                            void *(*)(size_t), uint32_t *, Agent **) {
  MOCK_CALL(hsa_amd_pointer_info);
  std::lock_guard Lock(state().Mutex);
  Out->Type = PointerUnknown;
  if (const Block *B = find(Address, 1)) {
    Out->Type = PointerHsa;
    Out->Owner = {B->PoolHandle / 10};
  }
  return StatusSuccess;
}

Status hsa_amd_memory_fill(void *To, uint32_t Value, size_t Count) {
  MOCK_CALL(hsa_amd_memory_fill);
  if (reinterpret_cast<uintptr_t>(To) % 4)
    return StatusInvalidArgument;
  {
    std::lock_guard Lock(state().Mutex);
    if (!find(To, Count * 4))
      return StatusInvalidAllocation;
  }
  std::fill_n(static_cast<uint32_t *>(To), Count, Value);
  return StatusSuccess;
}

namespace {
struct Copy {
  void *To;
  const void *From;
  size_t Bytes;
  std::vector<SignalRef> Before;
  SignalRef Done;
  bool Fails;
};

/// One engine; copies depend on earlier work only, so the order of calls is one
/// in which they can run.
class Engine {
public:
  Engine() : Worker([this] { run(); }) { Worker.detach(); }
  void add(Copy C) {
    {
      std::lock_guard Lock(state().Mutex);
      Waiting.push_back(std::move(C));
    }
    state().Changed.notify_all();
  }

private:
  void run() {
    while (true) {
      Copy C;
      {
        std::unique_lock Lock(state().Mutex);
        state().Changed.wait(Lock, [this] { return !Waiting.empty(); });
        C = std::move(Waiting.front());
        Waiting.pop_front();
        state().Changed.wait(Lock, [&] {
          return std::all_of(C.Before.begin(), C.Before.end(), [](SignalRef S) {
            return reinterpret_cast<MockSignal *>(S.handle)->Value == 0;
          });
        });
      }
      if (!C.Fails)
        memcpy(C.To, C.From, C.Bytes);
      auto *Done = reinterpret_cast<MockSignal *>(C.Done.handle);
      {
        std::lock_guard Lock(state().Mutex);
        if (C.Fails)
          Done->Value = -1;
        else
          --Done->Value;
      }
      state().Changed.notify_all();
    }
  }
  std::deque<Copy> Waiting;
  std::thread Worker;
};
} // namespace

/// May an engine that works for this agent read or write there? Mutex held.
static bool sees(uint64_t Agent, const void *At, size_t Bytes) {
  if (const Block *B = find(At, Bytes))
    return Agent == HostAgent || std::find(B->Agents.begin(), B->Agents.end(),
                                           Agent) != B->Agents.end();
  auto Address = reinterpret_cast<uintptr_t>(At);
  auto After = state().Locked.upper_bound(Address);
  if (After == state().Locked.begin())
    return false;
  auto [Base, Size] = *std::prev(After);
  return Address - Base <= Size && Bytes <= Size - (Address - Base);
}

Status hsa_amd_memory_async_copy(void *To, Agent ToAgent, const void *From,
                                 Agent FromAgent, size_t Bytes, uint32_t Count,
                                 const SignalRef *Before, SignalRef Done) {
  MOCK_CALL(hsa_amd_memory_async_copy);
  static Engine &TheEngine = *new Engine;
  // The engine is a GPU's, so that GPU must see both.
  uint64_t Works = isGpu(ToAgent) ? ToAgent.handle : FromAgent.handle;
  bool Good, Fails;
  {
    std::lock_guard Lock(state().Mutex);
    Good = sees(Works, To, Bytes) && sees(Works, From, Bytes);
    Fails = state().FailCopy && --state().FailCopy == 0;
  }
  if (!isGpu(Agent{Works}))
    violated("async_copy: neither agent is a GPU");
  if (!Good)
    violated("async_copy of %zu bytes: agent %d does not see both sides", Bytes,
             int(Works));
  auto T = reinterpret_cast<uintptr_t>(To),
       F = reinterpret_cast<uintptr_t>(From);
  if (T < F + Bytes && F < T + Bytes)
    violated("async_copy: the ranges overlap");
  if (reinterpret_cast<MockSignal *>(Done.handle)->Value != 1)
    violated("async_copy: the completion signal is not 1");
  TheEngine.add({To, From, Bytes, {Before, Before + Count}, Done, Fails});
  return StatusSuccess;
}
