// Finding calls and running their callbacks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include <ctime>

using namespace xcc::rpc;

thread_local Serving *Serving::innermost = nullptr;

bool xcc_rpc_server::anyPending() const {
  for (uint32_t w = 0, e = protocol.view().l.words(); w != e; ++w)
    if (protocol.pending(w))
      return true;
  return false;
}

uint32_t xcc_rpc_server::serve(Worker &w) {
  const uint32_t words = protocol.view().l.words();
  uint32_t served = 0;
  for (uint32_t i = 0; i != words; ++i) {
    const uint32_t word = w.nextWord;
    w.nextWord = word + 1 == words ? 0 : word + 1;
    for (uint32_t bits = protocol.pending(word); bits; bits &= bits - 1) {
      uint32_t port = word * PortsPerWord + uint32_t(__builtin_ctz(bits));
      // Prefetch both lines; the packet's for writing the answer.
      const PortHeader *h = &protocol.view().header(port);
      __builtin_prefetch(h);
      __builtin_prefetch(h + 1, 1);
      if (!protocol.claim(port))
        continue;
      // There are more calls: wake another thread, so that they need not wait
      // for this callback.
      if ((served || (bits & (bits - 1))) &&
          asleep.load(std::memory_order_relaxed))
        ring(1);
      dispatch(w, port);
      ++served;
      if (w.blockedInCallback.load(std::memory_order_relaxed) ||
          (w.ownThread && stopping.load(std::memory_order_relaxed)))
        return served;
    }
  }
  return served;
}

bool xcc_rpc_server::find(Worker &w, Opcode op, Handler &h) {
  // Read the versions first, so that the handler found is at least as new.
  uint64_t versions[] = {registered.version(), Registry::global().version()};
  if (w.last != op || w.versions[0] != versions[0] ||
      w.versions[1] != versions[1]) {
    if (!registered.find(op, w.lastHandler) &&
        !Registry::global().find(op, w.lastHandler)) {
      w.last = 0;
      return false;
    }
    w.last = op;
    w.versions[0] = versions[0];
    w.versions[1] = versions[1];
  }
  h = w.lastHandler;
  return true;
}

void xcc_rpc_server::dispatch(Worker &w, uint32_t index) {
  const View &v = protocol.view();
  PortHeader &h = v.header(index);
  PortLocal &mine = v.local(index);
  xcc_rpc_port port;
  port.server = this;
  port.on = &w;
  port.op = atomic::load(&h.op);
  port.c.port = index;
  port.c.number = atomic::load(&h.call);
  port.c.mask = atomic::load(&h.mask) & v.laneMask();
  Handler callback;
  if (port.c.number == mine.call)
    port.hand(Answer::Closed); // the call has ended, whatever the client says
  else if (!port.c.mask)
    port.hand(Answer::BadMessage);
  else if (!port.op || !find(w, port.op, callback))
    port.hand(Answer::NoSuchOpcode);
  else {
    // The message has arrived; the callback's first receive takes it.
    port.c.mine = false;
    const uint64_t beat = w.beat.load(std::memory_order_relaxed);
    w.beat.store(beat + 1, std::memory_order_relaxed);
    if (w.ownThread)
      noticeWork();
    if (options.called)
      options.called(options.context);
    callback.function(&port, callback.user);
    w.beat.store(beat + 2, std::memory_order_release);
    // The callback received nothing, but it is its turn.
    if (!port.c.mine && !port.failed && !port.touched)
      port.c.mine = true;
    if (port.c.mine)
      port.hand(port.failed ? Answer::BadMessage : Answer::Ok);
  }
  mine.call = port.c.number;
  protocol.release(index);
  // A call may have arrived while the port was locked, which threads that
  // looked meanwhile have missed. A polling thread looks again by itself.
  if ((!w.ownThread || w.blockedInCallback.load(std::memory_order_relaxed)) &&
      asleep.load() && (protocol.pending(View::word(index)) & View::bit(index)))
    ring(1);
}

bool xcc_rpc_server::servesHere() const {
  for (const Serving *s = Serving::innermost; s; s = s->outer)
    if (s->server == this)
      return true;
  return false;
}

uint32_t xcc_rpc_server::serveHere() {
  Worker w;
  w.ownThread = false;
  const Serving here(this, &w);
  handling.fetch_add(1);
  uint32_t served = serve(w);
  handling.fetch_sub(1);
  return served;
}

xcc_rpc_status xcc_rpc_server_handle(xcc_rpc_server *server,
                                     uint32_t *handled) {
  if (!server)
    return XCC_RPC_INVALID_VALUE;
  if (server->forked())
    return XCC_RPC_FORKED;
  uint32_t served = server->serveHere();
  if (handled)
    *handled = served;
  return XCC_RPC_SUCCESS;
}

void xcc_rpc_server::drain() {
  const View &v = protocol.view();
  // Ports with unserved calls are pending, others are locked. Checking pending
  // ports first and locks second misses no call that was sent before.
  auto quiet = [&] {
    if (anyPending())
      return false;
    uint32_t locked = 0, silent = 0;
    for (uint32_t w = 0, e = v.l.words(); w != e; ++w)
      locked += uint32_t(__builtin_popcount(atomic::loadLocal(v.lock() + w)));
    if (!locked)
      return true;
    std::lock_guard guard(mutex);
    for (const xcc_rpc_port *port = waiting; port; port = port->next)
      ++silent;
    return locked <= silent;
  };
  timespec nap = {0, 1'000};
  while (true) {
    if (serveHere()) {
      nap.tv_nsec = 1'000;
      continue;
    }
    if (quiet())
      return;
    nanosleep(&nap, nullptr);
    nap.tv_nsec = nap.tv_nsec < 500'000 ? nap.tv_nsec * 2 : nap.tv_nsec;
  }
}

xcc_rpc_status xcc_rpc_server_drain(xcc_rpc_server *server) {
  if (!server)
    return XCC_RPC_INVALID_VALUE;
  if (server->forked())
    return XCC_RPC_FORKED;
  if (server->servesHere())
    return XCC_RPC_BUSY;
  server->drain();
  return XCC_RPC_SUCCESS;
}

int xcc_rpc_will_wait(void) {
  const Serving *here = Serving::innermost;
  return here && here->on->inCallback() && here->server->willWait(*here->on);
}
