// The agents and memory pools there are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt::hsa {

namespace {
/// What the visitors collect. An exception must not pass through the library.
struct Visit {
  std::vector<Agent> Agents;
  std::vector<Pool> Pools;
  std::vector<Isa> Isas;
  bool OutOfMemory = false;

  template <class T> Status add(std::vector<T> &To, T Item) {
    try {
      To.push_back(Item);
      return StatusSuccess;
    } catch (const std::bad_alloc &) {
      OutOfMemory = true;
      return StatusInfoBreak;
    }
  }
};
} // namespace

static xcc_error *failed(const char *Call, Status S) {
  return makeError(codeOf(S), {}, "%s failed: %s", Call, statusText(S));
}

/// An optional fact: the default stays when the library does not know it.
template <class T> static void ask(Agent A, AgentInfo What, T &Value) {
  T Given{};
  if (Hsa.agent_get_info(A, What, &Given) == StatusSuccess)
    memcpy(&Value, &Given, sizeof(T));
}

static std::string text(Agent A, AgentInfo What) {
  char Text[64 + 1] = {};
  if (Hsa.agent_get_info(A, What, Text) != StatusSuccess)
    return {};
  std::string Result(Text);
  while (!Result.empty() && Result.back() == ' ')
    Result.pop_back();
  return Result;
}

/// The agent's target id. Its first ISA is its own, any others are generic.
static xcc_error *targetOf(Agent A, std::string &Out) {
  Visit V;
  Status S = Hsa.agent_iterate_isas(
      A,
      [](Isa I, void *Data) {
        auto &V = *static_cast<Visit *>(Data);
        return V.add(V.Isas, I);
      },
      &V);
  if (S != StatusSuccess && S != StatusInfoBreak)
    return failed("hsa_agent_iterate_isas", S);
  if (V.OutOfMemory)
    throw std::bad_alloc();
  Out = text(A, AgentName);
  if (V.Isas.empty())
    return nullptr;
  uint32_t Length = 0;
  S = Hsa.isa_get_info_alt(V.Isas[0], IsaNameLength, &Length);
  if (S != StatusSuccess)
    return failed("hsa_isa_get_info_alt", S);
  std::string Name(std::min(Length, 4096u) + 1, '\0');
  S = Hsa.isa_get_info_alt(V.Isas[0], IsaName, Name.data());
  if (S != StatusSuccess)
    return failed("hsa_isa_get_info_alt", S);
  Name.resize(strlen(Name.c_str()));
  // "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"
  size_t Dashes = Name.find("--");
  if (Dashes != std::string::npos)
    Out = Name.substr(Dashes + 2);
  return nullptr;
}

static xcc_error *poolsOf(Agent A, std::vector<Pool> &Out) {
  Visit V;
  Status S = Hsa.amd_agent_iterate_memory_pools(
      A,
      [](Pool P, void *Data) {
        auto &V = *static_cast<Visit *>(Data);
        return V.add(V.Pools, P);
      },
      &V);
  if (V.OutOfMemory)
    throw std::bad_alloc();
  if (S != StatusSuccess)
    return failed("hsa_amd_agent_iterate_memory_pools", S);
  Out = std::move(V.Pools);
  return nullptr;
}

namespace {
struct PoolFacts {
  uint32_t Segment = ~0u, Flags = 0;
  size_t Size = 0;
  bool Allocates = false;
};
} // namespace

static xcc_error *askPool(Pool P, PoolFacts &F) {
  auto Ask = [P](PoolInfo What, void *Value) {
    return Hsa.amd_memory_pool_get_info(P, What, Value);
  };
  Status S = Ask(PoolSegment, &F.Segment);
  if (S == StatusSuccess)
    S = Ask(PoolSize, &F.Size);
  if (S == StatusSuccess && F.Segment == SegmentGlobal)
    S = Ask(PoolGlobalFlags, &F.Flags);
  if (S == StatusSuccess && F.Segment == SegmentGlobal)
    S = Ask(PoolAllocAllowed, &F.Allocates);
  return S == StatusSuccess ? nullptr
                            : failed("hsa_amd_memory_pool_get_info", S);
}

static xcc_error *exploreGpu(Agent A, Machine &Out) {
  GpuFacts G;
  G.Handle = A;
  if (xcc_error *Why = targetOf(A, G.Target))
    return Why;
  G.Name = text(A, AgentProductName);
  if (G.Name.empty())
    G.Name = G.Target;
  ask(A, AgentWavefrontSize, G.Wave);
  ask(A, AgentComputeUnits, G.ComputeUnits);
  ask(A, AgentMaxWavesPerCu, G.MaxWavesPerCu);
  ask(A, AgentSimdsPerCu, G.SimdsPerCu);
  ask(A, AgentWorkgroupMaxSize, G.MaxBlock);
  ask(A, AgentWorkgroupMaxDim, G.MaxBlockDim);
  ask(A, AgentGridMaxDim, G.MaxGridDim);
  ask(A, AgentQueueMinSize, G.MinQueue);
  ask(A, AgentQueueMaxSize, G.MaxQueue);
  std::vector<Pool> Pools;
  if (xcc_error *Why = poolsOf(A, Pools))
    return Why;
  for (Pool P : Pools) {
    PoolFacts F;
    if (xcc_error *Why = askPool(P, F))
      return Why;
    if (F.Segment == SegmentGroup)
      G.Lds = static_cast<uint32_t>(std::min<size_t>(F.Size, UINT32_MAX));
    if (F.Segment == SegmentGlobal && F.Allocates && (F.Flags & PoolCoarse) &&
        !G.Memory.handle) {
      G.Memory = P;
      G.TotalMemory = F.Size;
    }
  }
  // Without memory or queues of its own it cannot be used.
  if (G.Memory.handle && G.MaxQueue) {
    Out.Gpus.push_back(std::move(G));
    Out.GpuAgents.push_back(A);
  }
  return nullptr;
}

/// Takes the first host agent that has both kinds of pool.
static xcc_error *exploreHost(Agent A, Machine &Out) {
  std::vector<Pool> Pools;
  if (xcc_error *Why = poolsOf(A, Pools))
    return Why;
  Pool Fine{}, Kernarg{};
  for (Pool P : Pools) {
    PoolFacts F;
    if (xcc_error *Why = askPool(P, F))
      return Why;
    if (F.Segment != SegmentGlobal || !F.Allocates || !(F.Flags & PoolFine))
      continue;
    if (F.Flags & PoolKernarg) {
      if (!Kernarg.handle)
        Kernarg = P;
    } else if (!Fine.handle) {
      Fine = P;
    }
  }
  if (Out.Kernarg.handle || !Kernarg.handle)
    return nullptr;
  Out.Host = A;
  Out.Kernarg = Kernarg;
  // Some systems have one pool for both.
  Out.Fine = Fine.handle ? Fine : Kernarg;
  return nullptr;
}

xcc_error *exploreMachine(Machine &Out) {
  Out = Machine();
  Status S = Hsa.system_get_info(SystemTimestampFrequency, &Out.TickFrequency);
  if (S != StatusSuccess || !Out.TickFrequency)
    return failed("hsa_system_get_info", S);
  Visit V;
  S = Hsa.iterate_agents(
      [](Agent A, void *Data) {
        auto &V = *static_cast<Visit *>(Data);
        return V.add(V.Agents, A);
      },
      &V);
  if (V.OutOfMemory)
    throw std::bad_alloc();
  if (S != StatusSuccess)
    return failed("hsa_iterate_agents", S);
  for (Agent A : V.Agents) {
    uint32_t Type = ~0u;
    S = Hsa.agent_get_info(A, AgentDeviceType, &Type);
    if (S != StatusSuccess)
      return failed("hsa_agent_get_info", S);
    xcc_error *Why = Type == DeviceGpu   ? exploreGpu(A, Out)
                     : Type == DeviceCpu ? exploreHost(A, Out)
                                         : nullptr;
    if (Why)
      return Why;
  }
  if (!Out.Gpus.empty() && !Out.Kernarg.handle)
    return makeError(XCC_ERROR_SYSTEM, {},
                     "the HSA runtime has no host memory for kernel arguments; "
                     "reinstall ROCm");
  return nullptr;
}

} // namespace xcc::rt::hsa
