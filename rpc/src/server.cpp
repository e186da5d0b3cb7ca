// Creating and configuring servers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace xcc::rpc;

static constexpr size_t MemoryAlignment = 128;

static void *allocateDefault(size_t Size, void *) {
  size_t Rounded = (Size + MemoryAlignment - 1) & ~(MemoryAlignment - 1);
  return aligned_alloc(MemoryAlignment, Rounded);
}
static void freeDefault(void *Memory, size_t, void *) { free(Memory); }

/// The protocol works for any number of lanes; devices have these, and another
/// number is a mistake.
static bool usable(Layout L) {
  return L.valid() && (L.Lanes == 1 || L.Lanes == 32 || L.Lanes == 64);
}

size_t xcc_rpc_memory_size(uint32_t Ports, uint32_t Lanes) {
  Layout L{Ports, Lanes};
  return usable(L) ? L.size() : 0;
}

/// The caller's options with the defaults filled in, or none.
static bool complete(const xcc_rpc_server_options *Given,
                     xcc_rpc_server_options &O) {
  if (!Given || Given->size != sizeof O)
    return false;
  O = *Given;
  if (!O.allocate != !O.free || (O.allocate && O.memory))
    return false;
  if (!usable({O.ports, O.lanes}))
    return false;
  if (O.flags & ~uint32_t(XCC_RPC_CLIENTS_WAKE | XCC_RPC_PROCESS_SHARED))
    return false;
  if (O.memory && (O.memory_size < Layout{O.ports, O.lanes}.size() ||
                   reinterpret_cast<uintptr_t>(O.memory) % MemoryAlignment))
    return false;
  if (!O.allocate) {
    O.allocate = allocateDefault;
    O.free = freeDefault;
  }
  O.threads = O.threads ? O.threads : 1;
  O.max_threads = O.max_threads ? O.max_threads : 64;
  if (O.max_threads < O.threads)
    O.max_threads = O.threads;
  O.patience_ms = O.patience_ms ? O.patience_ms : 1000;
  O.max_stream = O.max_stream ? O.max_stream : uint64_t(256) << 20;
  return true;
}

xcc_rpc_status xcc_rpc_server_create(const xcc_rpc_server_options *Given,
                                     xcc_rpc_server **Result) {
  xcc_rpc_server_options O;
  if (!Result || !complete(Given, O))
    return XCC_RPC_INVALID_VALUE;
  *Result = nullptr;
  if (xcc_rpc_status Status = addServer())
    return Status;
  const Layout L{O.ports, O.lanes};
  std::unique_ptr<xcc_rpc_server> S(new (std::nothrow) xcc_rpc_server);
  if (S)
    S->Private.reset(new (std::nothrow) uint32_t[L.localSize() / 4]());
  if (!S || !S->Private) {
    removeServer();
    return XCC_RPC_OUT_OF_MEMORY;
  }
  S->Options = O;
  S->OwnsMemory = !O.memory;
  S->Memory = O.memory ? O.memory : O.allocate(L.size(), O.context);
  if (!S->Memory || reinterpret_cast<uintptr_t>(S->Memory) % MemoryAlignment) {
    if (S->Memory)
      O.free(S->Memory, L.size(), O.context);
    removeServer();
    return XCC_RPC_OUT_OF_MEMORY;
  }
  S->Shared = O.flags & XCC_RPC_PROCESS_SHARED;
  S->ClientsWake = S->Shared || (O.flags & XCC_RPC_CLIENTS_WAKE);

  View V(S->Memory, S->Private.get(), L);
  Control &C = V.control();
  bool Continues = O.memory && C.Version == LayoutVersion &&
                   C.Ports == L.Ports && C.Lanes == L.Lanes;
  if (!Continues)
    memset(S->Memory, 0, L.size());
  C.Ports = L.Ports;
  C.Lanes = L.Lanes;
  atomic::store(&C.Flags, S->Shared ? ProcessShared : 0u);
  __atomic_store_n(&C.Version, LayoutVersion, __ATOMIC_RELEASE);
  S->Protocol = xcc::rpc::Server<>(V);
  *Result = S.release();
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_destroy(xcc_rpc_server *S) {
  if (!S)
    return XCC_RPC_SUCCESS;
  if (S->forked())
    return XCC_RPC_FORKED;
  if (S->servesHere())
    return XCC_RPC_BUSY;
  S->stop();
  if (S->OwnsMemory) {
    S->Deadline.store(now() + S->Options.patience_ms);
    S->drain();
    S->Options.free(S->Memory, S->Protocol.view().L.size(), S->Options.context);
  }
  delete S;
  removeServer();
  return XCC_RPC_SUCCESS;
}

/// Can anything be done with the server here?
static xcc_rpc_status check(const xcc_rpc_server *S) {
  if (!S)
    return XCC_RPC_INVALID_VALUE;
  return S->forked() ? XCC_RPC_FORKED : XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_register(xcc_rpc_server *S, uint32_t Op,
                                       xcc_rpc_callback Function, void *User) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  return S->Registered.add(Op, {Function, User});
}

xcc_rpc_status xcc_rpc_server_unregister(xcc_rpc_server *S, uint32_t Op) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  return S->Registered.remove(Op);
}

xcc_rpc_status xcc_rpc_server_start(xcc_rpc_server *S) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  return S->start();
}

xcc_rpc_status xcc_rpc_server_stop(xcc_rpc_server *S) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  if (S->servesHere())
    return XCC_RPC_BUSY;
  S->stop();
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_begin_kernel(xcc_rpc_server *S) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  if (!S->InFlight.fetch_add(1) && !S->ClientsWake)
    S->ring(0x7fffffff);
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_end_kernel(xcc_rpc_server *S) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  uint32_t Count = S->InFlight.load();
  do
    if (!Count)
      return XCC_RPC_INVALID_VALUE;
  while (!S->InFlight.compare_exchange_weak(Count, Count - 1));
  // A poller asleep has not seen what the kernel's last moments left.
  if (Count == 1 && !S->ClientsWake && S->Asleep.load() && S->anyPending())
    S->ring(1);
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_client(xcc_rpc_server *S,
                                     xcc_rpc_client_info *Info) {
  if (xcc_rpc_status Status = Info ? check(S) : XCC_RPC_INVALID_VALUE)
    return Status;
  const Layout &L = S->Protocol.view().L;
  *Info = {S->Memory, L.size(), L.localSize(), L.Ports, L.Lanes};
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_reset(xcc_rpc_server *S) {
  if (xcc_rpc_status Status = check(S))
    return Status;
  return S->reset();
}

xcc_rpc_status xcc_rpc_server::reset() {
  std::lock_guard Guard(StartStop);
  if (Running || Handling.load())
    return XCC_RPC_BUSY;
  const View &V = Protocol.view();
  constexpr size_t Kept = offsetof(Control, ServerSleeps);
  memset(V.Shared + Kept, 0, V.L.size() - Kept);
  memset(V.Private, 0, V.L.localSize());
  return XCC_RPC_SUCCESS;
}
