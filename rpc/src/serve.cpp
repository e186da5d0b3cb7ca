// Finding calls and running their callbacks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include <ctime>

using namespace xcc::rpc;

thread_local Serving *Serving::Innermost = nullptr;

bool xcc_rpc_server::anyPending() const {
  for (uint32_t W = 0, E = Protocol.view().L.words(); W != E; ++W)
    if (Protocol.pending(W))
      return true;
  return false;
}

uint32_t xcc_rpc_server::serve(Worker &W) {
  const uint32_t Words = Protocol.view().L.words();
  uint32_t Served = 0;
  for (uint32_t I = 0; I != Words; ++I) {
    const uint32_t Word = W.NextWord;
    W.NextWord = Word + 1 == Words ? 0 : Word + 1;
    for (uint32_t Bits = Protocol.pending(Word); Bits; Bits &= Bits - 1) {
      uint32_t Port = Word * PortsPerWord + uint32_t(__builtin_ctz(Bits));
      // Both lines at once, the packet's to write the answer to.
      const PortHeader *H = &Protocol.view().header(Port);
      __builtin_prefetch(H);
      __builtin_prefetch(H + 1, 1);
      if (!Protocol.claim(Port))
        continue;
      // More than one: another thread need not wait for this callback.
      if ((Served || (Bits & (Bits - 1))) &&
          Asleep.load(std::memory_order_relaxed))
        ring(1);
      dispatch(W, Port);
      ++Served;
      if (W.HeldUp.load(std::memory_order_relaxed) ||
          (W.OwnThread && Stopping.load(std::memory_order_relaxed)))
        return Served;
    }
  }
  return Served;
}

bool xcc_rpc_server::find(Worker &W, Opcode Op, Handler &H) {
  // Looking versions up first: what is found is at least as new.
  uint64_t Versions[] = {Registered.version(), Registry::global().version()};
  if (W.Last != Op || W.Versions[0] != Versions[0] ||
      W.Versions[1] != Versions[1]) {
    if (!Registered.find(Op, W.LastHandler) &&
        !Registry::global().find(Op, W.LastHandler)) {
      W.Last = 0;
      return false;
    }
    W.Last = Op;
    W.Versions[0] = Versions[0];
    W.Versions[1] = Versions[1];
  }
  H = W.LastHandler;
  return true;
}

void xcc_rpc_server::dispatch(Worker &W, uint32_t Index) {
  const View &V = Protocol.view();
  PortHeader &H = V.header(Index);
  PortLocal &Mine = V.local(Index);
  xcc_rpc_port Port;
  Port.Server = this;
  Port.On = &W;
  Port.Op = atomic::load(&H.Op);
  Port.C.Port = Index;
  Port.C.Number = atomic::load(&H.Call);
  Port.C.Mask = atomic::load(&H.Mask) & V.laneMask();
  Handler Callback;
  if (Port.C.Number == Mine.Call)
    Port.hand(Answer::Closed); // It has ended, whatever the client thinks.
  else if (!Port.C.Mask)
    Port.hand(Answer::BadMessage);
  else if (!Port.Op || !find(W, Port.Op, Callback))
    Port.hand(Answer::NoSuchOpcode);
  else {
    // The message is there; the callback's first receive takes it.
    Port.C.Mine = false;
    const uint64_t Beat = W.Beat.load(std::memory_order_relaxed);
    W.Beat.store(Beat + 1, std::memory_order_relaxed);
    if (W.OwnThread)
      noticeWork();
    Callback.Function(&Port, Callback.User);
    W.Beat.store(Beat + 2, std::memory_order_release);
    // Not received even once: its turn all the same.
    if (!Port.C.Mine && !Port.Failed && !Port.Touched)
      Port.C.Mine = true;
    if (Port.C.Mine)
      Port.hand(Port.Failed ? Answer::BadMessage : Answer::Ok);
  }
  Mine.Call = Port.C.Number;
  Protocol.release(Index);
  // Something may have come while the port was locked, which those that looked
  // meanwhile have not seen. A poller looks again itself.
  if ((!W.OwnThread || W.HeldUp.load(std::memory_order_relaxed)) &&
      Asleep.load() && (Protocol.pending(View::word(Index)) & View::bit(Index)))
    ring(1);
}

bool xcc_rpc_server::servesHere() const {
  for (const Serving *S = Serving::Innermost; S; S = S->Outer)
    if (S->Server == this)
      return true;
  return false;
}

uint32_t xcc_rpc_server::serveHere() {
  Worker W;
  W.OwnThread = false;
  const Serving Here(this, &W);
  Handling.fetch_add(1);
  uint32_t Served = serve(W);
  Handling.fetch_sub(1);
  return Served;
}

xcc_rpc_status xcc_rpc_server_handle(xcc_rpc_server *Server,
                                     uint32_t *Handled) {
  if (!Server)
    return XCC_RPC_INVALID_VALUE;
  if (Server->forked())
    return XCC_RPC_FORKED;
  uint32_t Served = Server->serveHere();
  if (Handled)
    *Handled = Served;
  return XCC_RPC_SUCCESS;
}

void xcc_rpc_server::drain() {
  const View &V = Protocol.view();
  // Ports that nobody serves are pending, others locked: looking for both, in
  // this order, misses none that was sent before.
  auto quiet = [&] {
    if (anyPending())
      return false;
    uint32_t Locked = 0, Silent = 0;
    for (uint32_t W = 0, E = V.L.words(); W != E; ++W)
      Locked += uint32_t(__builtin_popcount(atomic::loadLocal(V.lock() + W)));
    if (!Locked)
      return true;
    std::lock_guard Guard(Mutex);
    for (const xcc_rpc_port *Port = Waiting; Port; Port = Port->Next)
      ++Silent;
    return Locked <= Silent;
  };
  timespec Nap = {0, 1'000};
  while (true) {
    if (serveHere()) {
      Nap.tv_nsec = 1'000;
      continue;
    }
    if (quiet())
      return;
    nanosleep(&Nap, nullptr);
    Nap.tv_nsec = Nap.tv_nsec < 500'000 ? Nap.tv_nsec * 2 : Nap.tv_nsec;
  }
}

xcc_rpc_status xcc_rpc_server_drain(xcc_rpc_server *Server) {
  if (!Server)
    return XCC_RPC_INVALID_VALUE;
  if (Server->forked())
    return XCC_RPC_FORKED;
  if (Server->servesHere())
    return XCC_RPC_BUSY;
  Server->drain();
  return XCC_RPC_SUCCESS;
}

int xcc_rpc_will_wait(void) {
  const Serving *Here = Serving::Innermost;
  return Here && Here->On->inCallback() && Here->Server->willWait(*Here->On);
}
