// Other processes as clients
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_RPC_SRC_PROCESSES_H
#define XCC_RPC_SRC_PROCESSES_H

#include "../client.h"
#include "xcc/rpc.h"

#include <cstdint>
#include <memory>

namespace xcc::rpc {

/// A process of all that there are between two boots; 0 is none.
using ProcessId = uint64_t;

ProcessId self();
/// False also for a process that has ended but was not waited for.
bool alive(ProcessId id);

} // namespace xcc::rpc

/// A process that has attached to a server's memory.
struct xcc_rpc_client {
  std::unique_ptr<uint32_t[]> privateWords;
  xcc::rpc::Client<> protocol; ///< of the 32 ports it has
  uint64_t *lease = nullptr;   ///< in shared memory: marks it
  uint32_t generation = 0;     ///< of the process that has attached
};

#endif // XCC_RPC_SRC_PROCESSES_H
