// Clients of this or another process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "processes.h"
#include "server.h"

#include <cstring>
#include <ctime>
#include <new>

using namespace xcc::rpc;

/// The word that this call made the process's own, or none.
static uint64_t *takeLease(const View &V, ProcessId Id) {
  for (uint32_t W = 0; W != V.L.words(); ++W) {
    ProcessId None = 0;
    if (__atomic_compare_exchange_n(V.leases() + W, &None, Id, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return V.leases() + W;
  }
  return nullptr;
}

static bool anyDead(const View &V) {
  for (uint32_t W = 0; W != V.L.words(); ++W) {
    ProcessId Id = __atomic_load_n(V.leases() + W, __ATOMIC_RELAXED);
    if (!Id || !alive(Id))
      return true;
  }
  return false;
}

/// Has the server look for processes that died, until a word is free or it is
/// clear that none will be.
static uint64_t *awaitLease(const View &V, ProcessId Id) {
  Control &C = V.control();
  for (int64_t Start = now(); now() - Start < 2000;) {
    if (uint64_t *Lease = takeLease(V, Id))
      return Lease;
    if (!anyDead(V))
      return nullptr;
    atomic::exchangeStrong(&C.ReclaimWanted, 1);
    atomic::exchangeStrong(&C.ServerSleeps, 0);
    atomic::addStrong(&C.Doorbell, 1);
    futexWake(&C.Doorbell, 1, atomic::load(&C.Flags) & ProcessShared);
    const timespec Pause = {0, 1'000'000};
    nanosleep(&Pause, nullptr);
  }
  return nullptr;
}

xcc_rpc_status xcc_rpc_client_attach(void *Memory, size_t Size,
                                     xcc_rpc_client **Result) {
  if (!Memory || !Result)
    return XCC_RPC_INVALID_VALUE;
  *Result = nullptr;
  if (Size < sizeof(Control))
    return XCC_RPC_WRONG_MEMORY;
  Control &C = *static_cast<Control *>(Memory);
  uint32_t Version = __atomic_load_n(&C.Version, __ATOMIC_ACQUIRE);
  const Layout L{atomic::load(&C.Ports), atomic::load(&C.Lanes)};
  if (Version != LayoutVersion || !L.valid() || Size < L.size())
    return XCC_RPC_WRONG_MEMORY;
  std::unique_ptr<xcc_rpc_client> Made(new (std::nothrow) xcc_rpc_client);
  if (Made)
    Made->Private.reset(new (std::nothrow) uint32_t[L.localSize() / 4]());
  if (!Made || !Made->Private)
    return XCC_RPC_OUT_OF_MEMORY;
  ProcessId Id = self();
  if (!Id)
    return XCC_RPC_SYSTEM;
  const View V(Memory, Made->Private.get(), L);
  Made->Generation = generation();
  Made->Lease = awaitLease(V, Id);
  if (!Made->Lease)
    return XCC_RPC_BUSY;
  // The ports are as whoever had them before left them.
  const uint32_t W = uint32_t(Made->Lease - V.leases());
  const uint32_t Bits = atomic::load(V.clientBits() + W);
  for (uint32_t I = 0; I != PortsPerWord; ++I)
    if (V.valid(W) >> I & 1) {
      const uint32_t Port = W * PortsPerWord + I;
      PortLocal &Mine = V.local(Port);
      Mine.Out = Bits >> I & 1;
      Mine.Owing = 1;
      Mine.Call = atomic::load(&V.header(Port).Call);
    }
  Made->Protocol = xcc::rpc::Client<>(V, W, 1);
  *Result = Made.release();
  return XCC_RPC_SUCCESS;
}

void xcc_rpc_client_detach(xcc_rpc_client *Client) {
  if (!Client)
    return;
  if (Client->Generation == generation())
    __atomic_store_n(Client->Lease, ProcessId(0), __ATOMIC_RELEASE);
  delete Client;
}

static xcc_rpc_status statusOf(Answer A) {
  switch (A) {
  case Answer::Ok:
    return XCC_RPC_SUCCESS;
  case Answer::NoSuchOpcode:
    return XCC_RPC_NO_SUCH_OPCODE;
  case Answer::BadMessage:
    return XCC_RPC_BAD_MESSAGE;
  case Answer::Closed:
    break;
  }
  return XCC_RPC_CLOSED;
}

xcc_rpc_status xcc_rpc_client_call(xcc_rpc_client *Client, uint32_t Op,
                                   const void *Request, size_t Size,
                                   void *Reply, size_t ReplySize) {
  if (!Client || (Size && !Request) || Size > sizeof(Packet) ||
      ReplySize > sizeof(Packet))
    return XCC_RPC_INVALID_VALUE;
  if (Client->Generation != generation())
    return XCC_RPC_FORKED;
  auto Ended = Client->Protocol.open(Op)
                   .send([&](Packet &P, uint32_t) {
                     if (Size)
                       memcpy(P.Bytes, Request, Size);
                   })
                   .recv([&](Packet &P, uint32_t) {
                     if (Reply)
                       memcpy(Reply, P.Bytes, ReplySize);
                   });
  return statusOf(Ended.status());
}

xcc_rpc_status xcc_rpc_client_call_n(xcc_rpc_client *Client, uint32_t Op,
                                     const void *Request, uint64_t Size,
                                     xcc_rpc_allocate_function Allocate,
                                     void *Context) {
  if (!Client || (Size && !Request) || !Allocate)
    return XCC_RPC_INVALID_VALUE;
  if (Client->Generation != generation())
    return XCC_RPC_FORKED;
  bool NoMemory = false;
  auto Ended = Client->Protocol.open(Op)
                   .send_n([&](uint32_t) {
                     return Bytes{Request, Size};
                   })
                   .recv_n([&](uint32_t Lane, uint64_t Bytes) {
                     void *To = Allocate(Bytes, Lane, Context);
                     NoMemory |= !To;
                     return To;
                   });
  xcc_rpc_status Status = statusOf(Ended.status());
  return Status ? Status : NoMemory ? XCC_RPC_OUT_OF_MEMORY : XCC_RPC_SUCCESS;
}
