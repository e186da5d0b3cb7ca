// The mock's agents and pools
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "execution.h"

#include <chrono>
#include <cstdlib>

using namespace mock;

namespace mock {
bool isGpu(Agent a) {
  return a.handle >= FirstGpu && a.handle - FirstGpu < state().gpus.size();
}
} // namespace mock

template <class T> static Status put(void *to, const T &value) {
  memcpy(to, &value, sizeof(T));
  return StatusSuccess;
}
static Status putText(void *to, const std::string &text) {
  char field[64] = {};
  memcpy(field, text.data(), std::min<size_t>(text.size(), 63));
  memcpy(to, field, sizeof(field));
  return StatusSuccess;
}

static uint64_t freeMemoryOf(Agent a) {
  std::lock_guard lock(state().mutex);
  uint64_t bytes = GpuBytes;
  for (auto &[base, block] : state().memory)
    if (block.poolHandle / 10 == a.handle)
      bytes -= std::min<uint64_t>(bytes, block.bytes);
  return bytes;
}

Status hsa_system_get_info(SystemInfo what, void *value) {
  MOCK_CALL(hsa_system_get_info);
  switch (what) {
  case SystemVersionMajor:
    return put(value, uint16_t(1));
  case SystemVersionMinor: {
    const char *text = getenv("MOCK_HSA_VERSION");
    return put(value, uint16_t(text ? atoi(text) : 1));
  }
  case SystemTimestamp:
    return put(value,
               uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                        std::chrono::nanoseconds(1)));
  case SystemTimestampFrequency:
    return put(value, uint64_t(1000000000));
  case SystemSvmByDefault:
    if (!getenv("MOCK_HSA_SVM"))
      break; // older than the question
    return put(value, true);
  }
  return StatusInvalidArgument;
}

Status hsa_iterate_agents(AgentVisitor visit, void *data) {
  MOCK_CALL(hsa_iterate_agents);
  if (Status s = visit(Agent{HostAgent}, data))
    return s;
  for (size_t i = 0; i != state().gpus.size(); ++i)
    if (Status s = visit(Agent{FirstGpu + i}, data))
      return s;
  return StatusSuccess;
}

Status hsa_agent_get_info(Agent a, AgentInfo what, void *value) {
  MOCK_CALL(hsa_agent_get_info);
  bool gpu = isGpu(a);
  if (!gpu && a.handle != HostAgent)
    return StatusInvalidAgent;
  if (what == AgentDeviceType)
    return put(value, uint32_t(gpu ? DeviceGpu : DeviceCpu));
  if (!gpu)
    return what == AgentName ? putText(value, "Mock CPU")
                             : StatusInvalidArgument;
  const std::string &target = state().gpus[a.handle - FirstGpu].target;
  bool narrow = target.starts_with("gfx1");
  switch (what) {
  case AgentName:
    return putText(value, target.substr(0, target.find(':')));
  case AgentProductName:
    return putText(value, (execution() ? "Simulated " : "Mock ") +
                              target.substr(0, target.find(':')));
  case AgentWavefrontSize:
    return put(value, uint32_t(narrow ? 32 : 64));
  case AgentWorkgroupMaxDim: {
    uint16_t dims[3] = {1024, 1024, 1024};
    return put(value, dims);
  }
  case AgentWorkgroupMaxSize:
    return put(value, uint32_t(1024));
  case AgentGridMaxDim: {
    // Older and newer runtimes say one or the other.
    uint32_t dims[3] = {narrow ? INT32_MAX : UINT32_MAX,
                        narrow ? 65535 : UINT32_MAX,
                        narrow ? 65535 : UINT32_MAX};
    return put(value, dims);
  }
  case AgentQueueMinSize:
    return put(value, std::min(uint32_t(64), state().queueSize));
  case AgentQueueMaxSize:
    return put(value, state().queueSize);
  case AgentComputeUnits:
    return put(value, uint32_t(104));
  case AgentMaxClock:
    return put(value, uint32_t(1700));
  case AgentMaxWavesPerCu:
    return put(value, uint32_t(32));
  case AgentSimdsPerCu:
    return put(value, uint32_t(4));
  case AgentFreeMemory:
    return put(value, freeMemoryOf(a));
  default:
    return StatusInvalidArgument;
  }
}

Status hsa_agent_iterate_isas(Agent a, IsaVisitor visit, void *data) {
  MOCK_CALL(hsa_agent_iterate_isas);
  if (!isGpu(a))
    return StatusInvalidAgent;
  return visit(Isa{a.handle}, data);
}

Status hsa_isa_get_info_alt(Isa i, IsaInfo what, void *value) {
  MOCK_CALL(hsa_isa_get_info_alt);
  std::string name =
      "amdgcn-amd-amdhsa--" + state().gpus[i.handle - FirstGpu].target;
  if (what == IsaNameLength)
    return put(value, uint32_t(name.size() + 1));
  memcpy(value, name.c_str(), name.size() + 1);
  return StatusSuccess;
}

Status hsa_amd_agent_iterate_memory_pools(Agent a, PoolVisitor visit,
                                          void *data) {
  MOCK_CALL(hsa_amd_agent_iterate_memory_pools);
  if (a.handle == HostAgent) {
    for (PoolNumber n : {CoarseNumber, FineNumber, KernargNumber})
      if (Status s = visit(Pool{HostAgent * 10 + n}, data))
        return s;
    return StatusSuccess;
  }
  if (!isGpu(a))
    return StatusInvalidAgent;
  for (PoolNumber n : {CoarseNumber, LdsNumber})
    if (Status s = visit(Pool{a.handle * 10 + n}, data))
      return s;
  return StatusSuccess;
}

Status hsa_amd_memory_pool_get_info(Pool p, PoolInfo what, void *value) {
  MOCK_CALL(hsa_amd_memory_pool_get_info);
  uint64_t number = p.handle % 10;
  switch (what) {
  case PoolSegment:
    return put(value,
               uint32_t(number == LdsNumber ? SegmentGroup : SegmentGlobal));
  case PoolSize:
    return put(value, size_t(number == LdsNumber ? LdsBytes : GpuBytes));
  case PoolGlobalFlags:
    return put(value, uint32_t(number == KernargNumber ? PoolKernarg | PoolFine
                               : number == FineNumber  ? PoolFine
                                                       : PoolCoarse));
  case PoolAllocAllowed:
    return put(value, number != LdsNumber);
  }
  return StatusInvalidArgument;
}

Status hsa_amd_agent_memory_pool_get_info(Agent a, Pool p, AgentPoolInfo,
                                          void *value) {
  MOCK_CALL(hsa_amd_agent_memory_pool_get_info);
  uint64_t owner = p.handle / 10;
  bool sees = owner == a.handle || owner == HostAgent || state().peers;
  return put(value, uint32_t(sees ? 2 : AccessNever));
}
