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

/// Identifies a process until the next boot; 0 is none.
using ProcessId = uint64_t;

ProcessId self();
/// Returns false also for zombies.
bool alive(ProcessId id);

} // namespace xcc::rpc

/// A process that has attached to a server's memory.
struct xcc_rpc_client {
  std::unique_ptr<uint32_t[]> privateWords;
  xcc::rpc::Client<> protocol; ///< client of the 32 leased ports
  uint64_t *lease = nullptr;   ///< the lease of their word, in shared memory
  uint32_t generation = 0;     ///< generation of the process that attached
};

#endif // XCC_RPC_SRC_PROCESSES_H
