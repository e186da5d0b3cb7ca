// The mock's agents and pools
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "execution.h"

#include <chrono>

using namespace mock;

namespace mock {
bool isGpu(Agent A) {
  return A.handle >= FirstGpu && A.handle - FirstGpu < state().Gpus.size();
}
} // namespace mock

template <class T> static Status put(void *To, const T &Value) {
  memcpy(To, &Value, sizeof(T));
  return StatusSuccess;
}
static Status putText(void *To, const std::string &Text) {
  char Field[64] = {};
  memcpy(Field, Text.data(), std::min<size_t>(Text.size(), 63));
  memcpy(To, Field, sizeof(Field));
  return StatusSuccess;
}

Status hsa_system_get_info(SystemInfo What, void *Value) {
  MOCK_CALL(hsa_system_get_info);
  switch (What) {
  case SystemVersionMajor:
    return put(Value, uint16_t(1));
  case SystemTimestamp:
    return put(Value,
               uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                        std::chrono::nanoseconds(1)));
  case SystemTimestampFrequency:
    return put(Value, uint64_t(1000000000));
  }
  return StatusInvalidArgument;
}

Status hsa_iterate_agents(AgentVisitor Visit, void *Data) {
  MOCK_CALL(hsa_iterate_agents);
  if (Status S = Visit(Agent{HostAgent}, Data))
    return S;
  for (size_t I = 0; I != state().Gpus.size(); ++I)
    if (Status S = Visit(Agent{FirstGpu + I}, Data))
      return S;
  return StatusSuccess;
}

Status hsa_agent_get_info(Agent A, AgentInfo What, void *Value) {
  MOCK_CALL(hsa_agent_get_info);
  bool Gpu = isGpu(A);
  if (!Gpu && A.handle != HostAgent)
    return StatusInvalidAgent;
  if (What == AgentDeviceType)
    return put(Value, uint32_t(Gpu ? DeviceGpu : DeviceCpu));
  if (!Gpu)
    return What == AgentName ? putText(Value, "Mock CPU")
                             : StatusInvalidArgument;
  const std::string &Target = state().Gpus[A.handle - FirstGpu].Target;
  bool Narrow = Target.starts_with("gfx1");
  switch (What) {
  case AgentName:
    return putText(Value, Target.substr(0, Target.find(':')));
  case AgentProductName:
    return putText(Value, (execution() ? "Simulated " : "Mock ") +
                              Target.substr(0, Target.find(':')));
  case AgentWavefrontSize:
    return put(Value, uint32_t(Narrow ? 32 : 64));
  case AgentWorkgroupMaxDim: {
    uint16_t Dims[3] = {1024, 1024, 1024};
    return put(Value, Dims);
  }
  case AgentWorkgroupMaxSize:
    return put(Value, uint32_t(1024));
  case AgentGridMaxDim: {
    // Older and newer runtimes say one or the other.
    uint32_t Dims[3] = {Narrow ? INT32_MAX : UINT32_MAX,
                        Narrow ? 65535 : UINT32_MAX,
                        Narrow ? 65535 : UINT32_MAX};
    return put(Value, Dims);
  }
  case AgentQueueMinSize:
    return put(Value, std::min(uint32_t(64), state().QueueSize));
  case AgentQueueMaxSize:
    return put(Value, state().QueueSize);
  case AgentComputeUnits:
    return put(Value, uint32_t(104));
  case AgentMaxWavesPerCu:
    return put(Value, uint32_t(32));
  case AgentSimdsPerCu:
    return put(Value, uint32_t(4));
  default:
    return StatusInvalidArgument;
  }
}

Status hsa_agent_iterate_isas(Agent A, IsaVisitor Visit, void *Data) {
  MOCK_CALL(hsa_agent_iterate_isas);
  if (!isGpu(A))
    return StatusInvalidAgent;
  return Visit(Isa{A.handle}, Data);
}

Status hsa_isa_get_info_alt(Isa I, IsaInfo What, void *Value) {
  MOCK_CALL(hsa_isa_get_info_alt);
  std::string Name =
      "amdgcn-amd-amdhsa--" + state().Gpus[I.handle - FirstGpu].Target;
  if (What == IsaNameLength)
    return put(Value, uint32_t(Name.size() + 1));
  memcpy(Value, Name.c_str(), Name.size() + 1);
  return StatusSuccess;
}

Status hsa_amd_agent_iterate_memory_pools(Agent A, PoolVisitor Visit,
                                          void *Data) {
  MOCK_CALL(hsa_amd_agent_iterate_memory_pools);
  if (A.handle == HostAgent) {
    for (PoolNumber N : {CoarseNumber, FineNumber, KernargNumber})
      if (Status S = Visit(Pool{HostAgent * 10 + N}, Data))
        return S;
    return StatusSuccess;
  }
  if (!isGpu(A))
    return StatusInvalidAgent;
  for (PoolNumber N : {CoarseNumber, LdsNumber})
    if (Status S = Visit(Pool{A.handle * 10 + N}, Data))
      return S;
  return StatusSuccess;
}

Status hsa_amd_memory_pool_get_info(Pool P, PoolInfo What, void *Value) {
  MOCK_CALL(hsa_amd_memory_pool_get_info);
  uint64_t Number = P.handle % 10;
  switch (What) {
  case PoolSegment:
    return put(Value,
               uint32_t(Number == LdsNumber ? SegmentGroup : SegmentGlobal));
  case PoolSize:
    return put(Value, size_t(Number == LdsNumber ? LdsBytes : GpuBytes));
  case PoolGlobalFlags:
    return put(Value, uint32_t(Number == KernargNumber ? PoolKernarg | PoolFine
                               : Number == FineNumber  ? PoolFine
                                                       : PoolCoarse));
  case PoolAllocAllowed:
    return put(Value, Number != LdsNumber);
  }
  return StatusInvalidArgument;
}

Status hsa_amd_agent_memory_pool_get_info(Agent A, Pool P, AgentPoolInfo,
                                          void *Value) {
  MOCK_CALL(hsa_amd_agent_memory_pool_get_info);
  uint64_t Owner = P.handle / 10;
  bool Sees = Owner == A.handle || Owner == HostAgent || state().Peers;
  return put(Value, uint32_t(Sees ? 2 : AccessNever));
}
