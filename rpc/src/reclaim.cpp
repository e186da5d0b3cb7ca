// Processes that come and go
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A process takes ports by the word: the lease of a word is 0 or says which
// process has its 32 ports, by PID and start time, in one 64-bit number. So it
// is set by one compare-and-swap, and there is no moment at which a process can
// die and leave a lock behind that nobody can tell the owner of: locks are in
// the process's own memory and go with it.

#include "processes.h"
#include "server.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace xcc::rpc {

static constexpr unsigned PidBits = 22; // the kernel's PID_MAX_LIMIT

ProcessId identify(uint32_t Pid) {
  char Path[32], Text[1024];
  snprintf(Path, sizeof Path, "/proc/%u/stat", Pid);
  FILE *File = fopen(Path, "re");
  if (!File)
    return 0;
  size_t Size = fread(Text, 1, sizeof Text - 1, File);
  fclose(File);
  Text[Size] = 0;
  // PID (NAME) STATE ...; the name may hold anything. Field 22 is the start.
  const char *At = strrchr(Text, ')');
  if (!At || !At[1] || !At[2] || At[2] == 'Z' || At[2] == 'X')
    return 0;
  for (unsigned Field = 2; Field != 22; ++Field)
    if (!(At = strchr(At + 1, ' ')))
      return 0;
  uint64_t Start = strtoull(At, nullptr, 10);
  return (Start << PidBits) | (Pid & ((1u << PidBits) - 1));
}

ProcessId self() { return identify(uint32_t(getpid())); }

bool alive(ProcessId Id) {
  uint32_t Pid = uint32_t(Id) & ((1u << PidBits) - 1);
  return Pid && identify(Pid) == Id;
}

} // namespace xcc::rpc

using namespace xcc::rpc;

uint32_t xcc_rpc_server::reclaim() {
  std::lock_guard Guard(ReclaimMutex);
  const View &V = Protocol.view();
  uint32_t Ports = 0;
  for (uint32_t W = 0; W != V.L.words(); ++W) {
    ProcessId Holder = __atomic_load_n(V.leases() + W, __ATOMIC_ACQUIRE);
    if (!Holder || alive(Holder))
      continue;
    // Callbacks that wait for it give up.
    Dead[W].store(true, std::memory_order_relaxed);
    // What it has called is served before others get the ports.
    uint32_t Open =
        atomic::loadStrong(V.clientBits() + W) ^ atomic::loadLocal(V.out() + W);
    if ((Open & V.valid(W)) || atomic::loadLocal(V.lock() + W)) {
      ring(1);
      continue;
    }
    Dead[W].store(false, std::memory_order_relaxed);
    if (__atomic_compare_exchange_n(V.leases() + W, &Holder, ProcessId(0),
                                    false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      Ports += uint32_t(__builtin_popcount(V.valid(W)));
  }
  return Ports;
}

xcc_rpc_status xcc_rpc_server_reclaim(xcc_rpc_server *Server, uint32_t *Ports) {
  if (!Server)
    return XCC_RPC_INVALID_VALUE;
  if (Server->forked())
    return XCC_RPC_FORKED;
  uint32_t Count = Server->reclaim();
  if (Ports)
    *Ports = Count;
  return XCC_RPC_SUCCESS;
}
