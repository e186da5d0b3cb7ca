// The agents and memory pools of the machine
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt::hsa {

namespace {
/// The results of visitors. No exception may pass through the library.
struct Visit {
  std::vector<Agent> agents;
  std::vector<Pool> pools;
  std::vector<Isa> isas;
  bool outOfMemory = false;

  template <class T> Status add(std::vector<T> &to, T item) {
    try {
      to.push_back(item);
      return StatusSuccess;
    } catch (const std::bad_alloc &) {
      outOfMemory = true;
      return StatusInfoBreak;
    }
  }
};
} // namespace

static xcc_error *failed(const char *call, Status s) {
  return makeError(codeOf(s), {}, "%s failed: %s", call, statusText(s));
}

/// Reads an optional fact: \p value stays unchanged if the library does not
/// know it.
template <class T> static void ask(Agent a, AgentInfo what, T &value) {
  T given{};
  if (hsa.agent_get_info(a, what, &given) == StatusSuccess)
    memcpy(&value, &given, sizeof(T));
}

static std::string text(Agent a, AgentInfo what) {
  char text[64 + 1] = {};
  if (hsa.agent_get_info(a, what, text) != StatusSuccess)
    return {};
  std::string result(text);
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

/// The agent's target id. Its first ISA is its own; others are generic.
static xcc_error *targetOf(Agent a, std::string &out) {
  Visit v;
  Status s = hsa.agent_iterate_isas(
      a,
      [](Isa i, void *data) {
        auto &v = *static_cast<Visit *>(data);
        return v.add(v.isas, i);
      },
      &v);
  if (s != StatusSuccess && s != StatusInfoBreak)
    return failed("hsa_agent_iterate_isas", s);
  if (v.outOfMemory)
    throw std::bad_alloc();
  out = text(a, AgentName);
  if (v.isas.empty())
    return nullptr;
  uint32_t length = 0;
  s = hsa.isa_get_info_alt(v.isas[0], IsaNameLength, &length);
  if (s != StatusSuccess)
    return failed("hsa_isa_get_info_alt", s);
  std::string name(std::min(length, 4096u) + 1, '\0');
  s = hsa.isa_get_info_alt(v.isas[0], IsaName, name.data());
  if (s != StatusSuccess)
    return failed("hsa_isa_get_info_alt", s);
  name.resize(strlen(name.c_str()));
  // "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"
  size_t dashes = name.find("--");
  if (dashes != std::string::npos)
    out = name.substr(dashes + 2);
  return nullptr;
}

static xcc_error *poolsOf(Agent a, std::vector<Pool> &out) {
  Visit v;
  Status s = hsa.amd_agent_iterate_memory_pools(
      a,
      [](Pool p, void *data) {
        auto &v = *static_cast<Visit *>(data);
        return v.add(v.pools, p);
      },
      &v);
  if (v.outOfMemory)
    throw std::bad_alloc();
  if (s != StatusSuccess)
    return failed("hsa_amd_agent_iterate_memory_pools", s);
  out = std::move(v.pools);
  return nullptr;
}

namespace {
struct PoolFacts {
  uint32_t segment = ~0u, flags = 0;
  size_t size = 0;
  bool allocates = false;
};
} // namespace

static xcc_error *queryPool(Pool p, PoolFacts &f) {
  auto ask = [p](PoolInfo what, void *value) {
    return hsa.amd_memory_pool_get_info(p, what, value);
  };
  Status s = ask(PoolSegment, &f.segment);
  if (s == StatusSuccess)
    s = ask(PoolSize, &f.size);
  if (s == StatusSuccess && f.segment == SegmentGlobal)
    s = ask(PoolGlobalFlags, &f.flags);
  if (s == StatusSuccess && f.segment == SegmentGlobal)
    s = ask(PoolAllocAllowed, &f.allocates);
  return s == StatusSuccess ? nullptr
                            : failed("hsa_amd_memory_pool_get_info", s);
}

static xcc_error *exploreGpu(Agent a, Machine &out) {
  GpuFacts g;
  g.handle = a;
  if (xcc_error *why = targetOf(a, g.target))
    return why;
  g.name = text(a, AgentProductName);
  if (g.name.empty())
    g.name = g.target;
  ask(a, AgentWavefrontSize, g.wave);
  ask(a, AgentComputeUnits, g.computeUnits);
  ask(a, AgentMaxWavesPerCu, g.maxWavesPerCu);
  ask(a, AgentSimdsPerCu, g.simdsPerCu);
  ask(a, AgentWorkgroupMaxSize, g.maxBlock);
  ask(a, AgentWorkgroupMaxDim, g.maxBlockDim);
  ask(a, AgentGridMaxDim, g.maxGridDim);
  ask(a, AgentQueueMinSize, g.minQueue);
  ask(a, AgentQueueMaxSize, g.maxQueue);
  std::vector<Pool> pools;
  if (xcc_error *why = poolsOf(a, pools))
    return why;
  for (Pool p : pools) {
    PoolFacts f;
    if (xcc_error *why = queryPool(p, f))
      return why;
    if (f.segment == SegmentGroup)
      g.sharedMemory =
          static_cast<uint32_t>(std::min<size_t>(f.size, UINT32_MAX));
    if (f.segment == SegmentGlobal && f.allocates && (f.flags & PoolCoarse) &&
        !g.memory.handle) {
      g.memory = p;
      g.totalMemory = f.size;
    }
  }
  // A GPU without memory or queues of its own cannot be used.
  if (g.memory.handle && g.maxQueue) {
    out.gpus.push_back(std::move(g));
    out.gpuAgents.push_back(a);
  }
  return nullptr;
}

/// Uses the first host agent that has a pool for kernel arguments.
static xcc_error *exploreHost(Agent a, Machine &out) {
  std::vector<Pool> pools;
  if (xcc_error *why = poolsOf(a, pools))
    return why;
  Pool fine{}, kernarg{};
  for (Pool p : pools) {
    PoolFacts f;
    if (xcc_error *why = queryPool(p, f))
      return why;
    if (f.segment != SegmentGlobal || !f.allocates || !(f.flags & PoolFine))
      continue;
    if (f.flags & PoolKernarg) {
      if (!kernarg.handle)
        kernarg = p;
    } else if (!fine.handle) {
      fine = p;
    }
  }
  if (out.kernarg.handle || !kernarg.handle)
    return nullptr;
  out.host = a;
  out.kernarg = kernarg;
  // Some systems have one pool for both purposes.
  out.fine = fine.handle ? fine : kernarg;
  return nullptr;
}

xcc_error *exploreMachine(Machine &out) {
  out = Machine();
  Status s = hsa.system_get_info(SystemTimestampFrequency, &out.tickFrequency);
  if (s != StatusSuccess || !out.tickFrequency)
    return failed("hsa_system_get_info", s);
  // Older runtimes do not know this attribute.
  if (hsa.system_get_info(SystemSvmByDefault, &out.reachHost) != StatusSuccess)
    out.reachHost = false;
  Visit v;
  s = hsa.iterate_agents(
      [](Agent a, void *data) {
        auto &v = *static_cast<Visit *>(data);
        return v.add(v.agents, a);
      },
      &v);
  if (v.outOfMemory)
    throw std::bad_alloc();
  if (s != StatusSuccess)
    return failed("hsa_iterate_agents", s);
  for (Agent a : v.agents) {
    uint32_t type = ~0u;
    s = hsa.agent_get_info(a, AgentDeviceType, &type);
    if (s != StatusSuccess)
      return failed("hsa_agent_get_info", s);
    xcc_error *why = type == DeviceGpu   ? exploreGpu(a, out)
                     : type == DeviceCpu ? exploreHost(a, out)
                                         : nullptr;
    if (why)
      return why;
  }
  if (!out.gpus.empty() && !out.kernarg.handle)
    return makeError(XCC_ERROR_SYSTEM, {},
                     "the HSA runtime has no host memory for kernel arguments; "
                     "reinstall ROCm");
  return nullptr;
}

} // namespace xcc::rt::hsa
