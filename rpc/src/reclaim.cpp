// Leases of ports by processes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A process takes ports by the word. The lease of a word is 0 or identifies the
// process that has its 32 ports, by PID and start time in one 64-bit number. So
// one compare-and-swap sets it, and a process cannot die at a moment that
// leaves a lock with an unknown owner: the locks are in the process's own
// memory and disappear with it.

#include "processes.h"
#include "server.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace xcc::rpc {

static constexpr unsigned PidBits = 22; // PID_MAX_LIMIT of the kernel

ProcessId identify(uint32_t pid) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%u/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  // PID (NAME) STATE ...; NAME may contain anything. Field 22 is the start
  // time.
  const char *at = strrchr(text, ')');
  if (!at || !at[1] || !at[2] || at[2] == 'Z' || at[2] == 'X')
    return 0;
  for (unsigned field = 2; field != 22; ++field)
    if (!(at = strchr(at + 1, ' ')))
      return 0;
  uint64_t start = strtoull(at, nullptr, 10);
  return (start << PidBits) | (pid & ((1u << PidBits) - 1));
}

ProcessId self() { return identify(uint32_t(getpid())); }

bool alive(ProcessId id) {
  uint32_t pid = uint32_t(id) & ((1u << PidBits) - 1);
  return pid && identify(pid) == id;
}

} // namespace xcc::rpc

using namespace xcc::rpc;

uint32_t xcc_rpc_server::reclaim() {
  std::lock_guard guard(reclaimMutex);
  const View &v = protocol.view();
  uint32_t ports = 0;
  for (uint32_t w = 0; w != v.l.words(); ++w) {
    ProcessId holder = __atomic_load_n(v.leases() + w, __ATOMIC_ACQUIRE);
    if (!holder || alive(holder))
      continue;
    // Makes callbacks that wait for this process give up.
    gone_[w].store(true, std::memory_order_relaxed);
    // Serve its calls before other processes get the ports.
    uint32_t open =
        atomic::loadStrong(v.clientBits() + w) ^ atomic::loadLocal(v.out() + w);
    if ((open & v.valid(w)) || atomic::loadLocal(v.lock() + w)) {
      ring(1);
      continue;
    }
    gone_[w].store(false, std::memory_order_relaxed);
    if (__atomic_compare_exchange_n(v.leases() + w, &holder, ProcessId(0),
                                    false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      ports += uint32_t(__builtin_popcount(v.valid(w)));
  }
  return ports;
}

xcc_rpc_status xcc_rpc_server_reclaim(xcc_rpc_server *server, uint32_t *ports) {
  if (!server)
    return XCC_RPC_INVALID_VALUE;
  if (server->forked())
    return XCC_RPC_FORKED;
  uint32_t count = server->reclaim();
  if (ports)
    *ports = count;
  return XCC_RPC_SUCCESS;
}
