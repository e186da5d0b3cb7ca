// The agents and memory pools there are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the HSA runtime tells of the machine, asked once: each GPU with its
// target and limits, and the host agent whose memory serves for arguments and
// pinned buffers.

#ifndef XCC_SRC_HSA_MACHINE_H
#define XCC_SRC_HSA_MACHINE_H

#include "driver.h"

#include <string>
#include <vector>

namespace xcc::rt::hsa {

/// Static facts of a GPU agent.
struct GpuFacts {
  Agent Handle{};
  Pool Memory{};      ///< coarse-grained, the device's own
  std::string Name;   ///< "AMD Instinct MI210"
  std::string Target; ///< "gfx90a:sramecc+:xnack-"
  uint64_t TotalMemory = 0;
  uint32_t Lds = 64 * 1024; ///< bytes that a block may have
  uint32_t Wave = 64;
  uint32_t ComputeUnits = 0;
  uint32_t MaxWavesPerCu = 0, SimdsPerCu = 0; ///< 0: not said
  uint32_t MaxBlock = 1024;
  uint16_t MaxBlockDim[3] = {1024, 1024, 1024};
  uint32_t MaxGridDim[3] = {0x7fffffff, 0x7fffffff, 0x7fffffff}; ///< threads
  uint32_t MinQueue = 64, MaxQueue = 64;                         ///< packets
};

struct Machine {
  std::vector<GpuFacts> Gpus;
  std::vector<Agent> GpuAgents; ///< the same ones, for calls that take a list
  Agent Host{};
  Pool Fine{};                         ///< host memory that GPUs see coherently
  Pool Kernarg{};                      ///< where arguments go
  uint64_t TickFrequency = 1000000000; ///< of time stamps, Hz
};

/// Asks an initialised HSA runtime. Null when that worked, also when there is
/// no GPU; else why not.
xcc_error *exploreMachine(Machine &Out);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_MACHINE_H
