// What a callback does with its call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Packets are copied out of shared memory before a callback sees them, and
// sizes are read once: nothing the client does later changes them.

#include "server.h"

#include <cstring>
#include <ctime>

using namespace xcc::rpc;

xcc_rpc_status xcc_rpc_port::fail(xcc_rpc_status Status) {
  if (!Failed)
    Failed = Status;
  return Failed;
}

void xcc_rpc_port::hand(Answer Status) {
  Server->Protocol.hand(C.Port, Status);
  C.Mine = false;
}

/// One look at whether the wait is over; then C.Mine or Failed is set.
bool xcc_rpc_port::look() {
  const xcc::rpc::Server<> &P = Server->Protocol;
  PortHeader &H = P.view().header(C.Port);
  if (P.turn(C.Port)) {
    if (atomic::load(&H.Call) != C.Number) {
      fail(XCC_RPC_CLOSED); // The turn is the next call's.
      return true;
    }
    C.Mine = true;
    C.Mask &= atomic::load(&H.Mask);
    if (!C.Mask)
      fail(XCC_RPC_BAD_MESSAGE);
    return true;
  }
  if (P.closed(C.Port, C.Number)) {
    // Unless it sent something first.
    if (!P.turn(C.Port))
      fail(XCC_RPC_CLOSED);
    return Failed;
  }
  if (Server->dead(View::word(C.Port)))
    fail(XCC_RPC_CLOSED);
  else if (Cut.load(std::memory_order_relaxed))
    fail(XCC_RPC_CUT);
  return Failed;
}

xcc_rpc_status xcc_rpc_port::await() {
  Touched = true;
  for (unsigned I = 0; I != 2000; ++I) {
    if (look())
      return Failed;
    relax();
  }
  return awaitSlowly();
}

xcc_rpc_status xcc_rpc_port::awaitSlowly() {
  xcc_rpc_server &S = *Server;
  WaitsSince = now();
  {
    std::lock_guard Guard(S.Mutex);
    Previous = S.LastWaiting;
    Next = nullptr;
    (Previous ? Previous->Next : S.Waiting) = this;
    S.LastWaiting = this;
  }
  PortHeader &H = S.Protocol.view().header(C.Port);
  // Woken by the client where it can; and looking now and then, for a client
  // that died and a server that stops.
  const FutexTime Tick = {0, 2'000'000};
  timespec Nap = {0, 2'000};
  while (!look()) {
    if (((S.Stopping.load() || !On->OwnThread) &&
         now() - WaitsSince >= S.Options.patience_ms) ||
        now() >= S.Deadline.load()) {
      fail(XCC_RPC_CUT);
      break;
    }
    if (S.ClientsWake) {
      atomic::exchangeStrong(&H.ServerSleeps, 1);
      if (look())
        break;
      futexWait(&H.ServerSleeps, 1, S.Shared, &Tick);
    } else {
      nanosleep(&Nap, nullptr);
      Nap.tv_nsec = Nap.tv_nsec < 100'000 ? Nap.tv_nsec * 2 : Nap.tv_nsec;
    }
  }
  if (S.ClientsWake)
    atomic::store(&H.ServerSleeps, 0u);
  std::lock_guard Guard(S.Mutex);
  (Previous ? Previous->Next : S.Waiting) = Next;
  (Next ? Next->Previous : S.LastWaiting) = Previous;
  return Failed;
}

xcc_rpc_status xcc_rpc_port::receive() {
  if (Failed)
    return Failed;
  if (C.Mine)
    hand(Answer::Ok);
  if (await())
    return Failed;
  const Packet *From = Server->Protocol.view().packets(C.Port);
  lanes::Vector<MaxLanes>::each(C.Mask, [&](uint32_t L) {
    memcpy(&Packets[L], &From[L], sizeof(Packet));
  });
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_port::send() {
  if (Failed)
    return Failed;
  if (!C.Mine && await())
    return Failed;
  Packet *To = Server->Protocol.view().packets(C.Port);
  lanes::Vector<MaxLanes>::each(
      C.Mask, [&](uint32_t L) { memcpy(&To[L], &Packets[L], sizeof(Packet)); });
  hand(Answer::Ok);
  return XCC_RPC_SUCCESS;
}

template <class F> static void eachLane(const xcc_rpc_port *Port, F &&Do) {
  lanes::Vector<MaxLanes>::each(Port->C.Mask, Do);
}

uint32_t xcc_rpc_port_opcode(const xcc_rpc_port *Port) { return Port->Op; }
uint64_t xcc_rpc_port_lanes(const xcc_rpc_port *Port) { return Port->C.Mask; }
xcc_rpc_server *xcc_rpc_port_server(const xcc_rpc_port *Port) {
  return Port->Server;
}

xcc_rpc_status xcc_rpc_recv(xcc_rpc_port *Port, xcc_rpc_packet_function Use,
                            void *Context) {
  if (!Port)
    return XCC_RPC_INVALID_VALUE;
  if (xcc_rpc_status Status = Port->receive())
    return Status;
  if (Use)
    eachLane(Port, [&](uint32_t L) { Use(&Port->Packets[L], L, Context); });
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_send(xcc_rpc_port *Port, xcc_rpc_packet_function Fill,
                            void *Context) {
  if (!Port)
    return XCC_RPC_INVALID_VALUE;
  // The turn first: the lanes that are left are known then.
  if (Port->Failed || (!Port->C.Mine && Port->await()))
    return Port->Failed;
  if (Fill)
    eachLane(Port, [&](uint32_t L) { Fill(&Port->Packets[L], L, Context); });
  return Port->send();
}

xcc_rpc_status xcc_rpc_recv_and_send(xcc_rpc_port *Port,
                                     xcc_rpc_packet_function Work,
                                     void *Context) {
  xcc_rpc_status Status = xcc_rpc_recv(Port, Work, Context);
  return Status ? Status : Port->send();
}

/// What fits into the first packet of a stream, beside the size.
static constexpr uint64_t First = sizeof(Packet) - 8;

static uint64_t part(uint64_t Size, uint64_t Offset, uint64_t Most) {
  return Size <= Offset ? 0 : Size - Offset < Most ? Size - Offset : Most;
}

xcc_rpc_status xcc_rpc_recv_n(xcc_rpc_port *Port, void **Data, uint64_t *Sizes,
                              xcc_rpc_allocate_function Allocate,
                              void *Context) {
  if (!Port || !Data || !Allocate)
    return XCC_RPC_INVALID_VALUE;
  if (xcc_rpc_status Status = Port->receive())
    return Status;
  uint64_t Size[MaxLanes], Total = 0, Longest = 0;
  const uint64_t Most = Port->Server->Options.max_stream;
  bool TooMuch = false;
  eachLane(Port, [&](uint32_t L) {
    Data[L] = nullptr;
    memcpy(&Size[L], Port->Packets[L].Bytes, 8);
    TooMuch |= Size[L] > Most || Size[L] > Most - Total;
    Total += TooMuch ? 0 : Size[L];
    Longest = Size[L] > Longest ? Size[L] : Longest;
  });
  if (TooMuch)
    return Port->fail(XCC_RPC_BAD_MESSAGE);
  eachLane(Port, [&](uint32_t L) {
    if (Sizes)
      Sizes[L] = Size[L];
    if (Port->Failed)
      return;
    Data[L] = Allocate(Size[L], L, Context);
    if (!Data[L])
      Port->fail(XCC_RPC_OUT_OF_MEMORY);
    else if (uint64_t Bytes = part(Size[L], 0, First))
      memcpy(Data[L], Port->Packets[L].Bytes + 8, Bytes);
  });
  if (Port->Failed)
    return Port->Failed;
  for (uint64_t Offset = First; Offset < Longest; Offset += sizeof(Packet)) {
    if (xcc_rpc_status Status = Port->receive())
      return Status;
    eachLane(Port, [&](uint32_t L) {
      if (uint64_t Bytes = part(Size[L], Offset, sizeof(Packet)))
        memcpy(static_cast<char *>(Data[L]) + Offset, Port->Packets[L].Bytes,
               Bytes);
    });
  }
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_send_n(xcc_rpc_port *Port, const void *const *Data,
                              const uint64_t *Sizes) {
  if (!Port || !Data || !Sizes)
    return XCC_RPC_INVALID_VALUE;
  if (Port->Failed || (!Port->C.Mine && Port->await()))
    return Port->Failed;
  uint64_t Longest = 0;
  eachLane(Port, [&](uint32_t L) {
    memcpy(Port->Packets[L].Bytes, &Sizes[L], 8);
    if (uint64_t Bytes = part(Sizes[L], 0, First))
      memcpy(Port->Packets[L].Bytes + 8, Data[L], Bytes);
    Longest = Sizes[L] > Longest ? Sizes[L] : Longest;
  });
  if (xcc_rpc_status Status = Port->send())
    return Status;
  for (uint64_t Offset = First; Offset < Longest; Offset += sizeof(Packet)) {
    if (Port->await())
      return Port->Failed;
    eachLane(Port, [&](uint32_t L) {
      if (uint64_t Bytes = part(Sizes[L], Offset, sizeof(Packet)))
        memcpy(Port->Packets[L].Bytes,
               static_cast<const char *>(Data[L]) + Offset, Bytes);
    });
    if (xcc_rpc_status Status = Port->send())
      return Status;
  }
  return XCC_RPC_SUCCESS;
}
