// The agents and memory pools of the machine
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HSA runtime's description of the machine, read once: each GPU with its
// target and limits, and the host agent whose memory is used for arguments and
// pinned buffers.

#ifndef XCC_SRC_HSA_DRIVER_MACHINE_H
#define XCC_SRC_HSA_DRIVER_MACHINE_H

#include "driver.h"

#include <string>
#include <vector>

namespace xcc::rt::hsa {

/// Static facts of a GPU agent.
struct GpuFacts {
  Agent handle{};
  Pool memory{};      ///< coarse-grained, the device's own
  std::string name;   ///< "AMD Instinct MI210"
  std::string target; ///< "gfx90a:sramecc+:xnack-"
  uint64_t totalMemory = 0;
  uint32_t sharedMemory = 64 * 1024; ///< bytes that a block may have
  uint32_t wave = 64;
  uint32_t computeUnits = 0;
  uint32_t maxWavesPerCu = 0, simdsPerCu = 0; ///< 0: unknown
  uint32_t maxBlock = 1024;
  uint16_t maxBlockDim[3] = {1024, 1024, 1024};
  uint32_t maxGridDim[3] = {0x7fffffff, 0x7fffffff, 0x7fffffff}; ///< threads
  uint32_t minQueue = 64, maxQueue = 64;                         ///< packets
};

struct Machine {
  std::vector<GpuFacts> gpus;
  std::vector<Agent> gpuAgents; ///< the same ones, for calls that take a list
  Agent host{};
  Pool fine{};    ///< host memory that GPUs see coherently
  Pool kernarg{}; ///< host memory for kernel arguments
  /// Can all GPUs access all host memory (XNACK, or shared memory)?
  bool reachHost = false;
  uint64_t tickFrequency = 1000000000; ///< of time stamps, Hz
};

/// Reads the facts from an initialised HSA runtime. Returns null on success,
/// even without a GPU; else the reason.
xcc_error *exploreMachine(Machine &out);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_DRIVER_MACHINE_H
