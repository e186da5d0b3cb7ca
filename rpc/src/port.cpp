// Operations of callbacks on their call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Packets are copied out of shared memory before a callback sees them, and
// sizes are read once, so that the client cannot change them later.

#include "server.h"

#include <cstring>
#include <ctime>

using namespace xcc::rpc;

xcc_rpc_status xcc_rpc_port::fail(xcc_rpc_status status) {
  if (!failed)
    failed = status;
  return failed;
}

void xcc_rpc_port::hand(Answer status) {
  server->protocol.hand(c.port, status);
  c.mine = false;
}

/// Checks once whether the wait is over. If it is, c.mine or failed is set.
bool xcc_rpc_port::look() {
  const xcc::rpc::Server<> &p = server->protocol;
  PortHeader &h = p.view().header(c.port);
  if (p.turn(c.port)) {
    if (atomic::load(&h.call) != c.number) {
      fail(XCC_RPC_CLOSED); // it is the next call's turn
      return true;
    }
    c.mine = true;
    c.mask &= atomic::load(&h.mask);
    if (!c.mask)
      fail(XCC_RPC_BAD_MESSAGE);
    return true;
  }
  if (p.closed(c.port, c.number)) {
    // The client may have sent something before it closed.
    if (!p.turn(c.port))
      fail(XCC_RPC_CLOSED);
    return failed;
  }
  if (server->gone(View::word(c.port)))
    fail(XCC_RPC_CLOSED);
  else if (cut.load(std::memory_order_relaxed))
    fail(XCC_RPC_CUT);
  return failed;
}

xcc_rpc_status xcc_rpc_port::await() {
  touched = true;
  for (unsigned i = 0; i != 2000; ++i) {
    if (look())
      return failed;
    relax();
  }
  return awaitSlowly();
}

xcc_rpc_status xcc_rpc_port::awaitSlowly() {
  xcc_rpc_server &s = *server;
  waitsSince = now();
  {
    std::lock_guard guard(s.mutex);
    previous = s.lastWaiting;
    next = nullptr;
    (previous ? previous->next : s.waiting) = this;
    s.lastWaiting = this;
  }
  PortHeader &h = s.protocol.view().header(c.port);
  // The client wakes this thread if it can. The thread also checks now and then
  // for a dead client and a stopping server.
  const FutexTime tick = {0, 2'000'000};
  timespec nap = {0, 2'000};
  while (!look()) {
    if (((s.stopping.load() || !on->ownThread) &&
         now() - waitsSince >= s.options.patience_ms) ||
        now() >= s.deadline.load()) {
      fail(XCC_RPC_CUT);
      break;
    }
    if (s.clientsWake) {
      atomic::exchangeStrong(&h.serverSleeps, 1);
      if (look())
        break;
      futexWait(&h.serverSleeps, 1, s.shared, &tick);
    } else {
      nanosleep(&nap, nullptr);
      nap.tv_nsec = nap.tv_nsec < 100'000 ? nap.tv_nsec * 2 : nap.tv_nsec;
    }
  }
  if (s.clientsWake)
    atomic::store(&h.serverSleeps, 0u);
  std::lock_guard guard(s.mutex);
  (previous ? previous->next : s.waiting) = next;
  (next ? next->previous : s.lastWaiting) = previous;
  return failed;
}

xcc_rpc_status xcc_rpc_port::receive() {
  if (failed)
    return failed;
  if (c.mine)
    hand(Answer::Ok);
  if (await())
    return failed;
  const Packet *from = server->protocol.view().packets(c.port);
  lanes::Vector<MaxLanes>::each(c.mask, [&](uint32_t l) {
    memcpy(&packets[l], &from[l], sizeof(Packet));
  });
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_port::send() {
  if (failed)
    return failed;
  if (!c.mine && await())
    return failed;
  Packet *to = server->protocol.view().packets(c.port);
  lanes::Vector<MaxLanes>::each(
      c.mask, [&](uint32_t l) { memcpy(&to[l], &packets[l], sizeof(Packet)); });
  hand(Answer::Ok);
  return XCC_RPC_SUCCESS;
}

template <class F> static void eachLane(const xcc_rpc_port *port, F &&action) {
  lanes::Vector<MaxLanes>::each(port->c.mask, action);
}

uint32_t xcc_rpc_port_opcode(const xcc_rpc_port *port) { return port->op; }
uint64_t xcc_rpc_port_lanes(const xcc_rpc_port *port) { return port->c.mask; }
xcc_rpc_server *xcc_rpc_port_server(const xcc_rpc_port *port) {
  return port->server;
}

xcc_rpc_status xcc_rpc_recv(xcc_rpc_port *port, xcc_rpc_packet_function use,
                            void *context) {
  if (!port)
    return XCC_RPC_INVALID_VALUE;
  if (xcc_rpc_status status = port->receive())
    return status;
  if (use)
    eachLane(port, [&](uint32_t l) { use(&port->packets[l], l, context); });
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_send(xcc_rpc_port *port, xcc_rpc_packet_function fill,
                            void *context) {
  if (!port)
    return XCC_RPC_INVALID_VALUE;
  // Wait for the turn first, because lanes may leave then.
  if (port->failed || (!port->c.mine && port->await()))
    return port->failed;
  if (fill)
    eachLane(port, [&](uint32_t l) { fill(&port->packets[l], l, context); });
  return port->send();
}

xcc_rpc_status xcc_rpc_recv_and_send(xcc_rpc_port *port,
                                     xcc_rpc_packet_function work,
                                     void *context) {
  xcc_rpc_status status = xcc_rpc_recv(port, work, context);
  return status ? status : port->send();
}

/// The bytes of a stream's first packet, after the size.
static constexpr uint64_t First = sizeof(Packet) - 8;

static uint64_t part(uint64_t size, uint64_t offset, uint64_t most) {
  return size <= offset ? 0 : size - offset < most ? size - offset : most;
}

xcc_rpc_status xcc_rpc_recv_n(xcc_rpc_port *port, void **data, uint64_t *sizes,
                              xcc_rpc_allocate_function allocate,
                              void *context) {
  if (!port || !data || !allocate)
    return XCC_RPC_INVALID_VALUE;
  if (xcc_rpc_status status = port->receive())
    return status;
  uint64_t size[MaxLanes], total = 0, longest = 0;
  const uint64_t most = port->server->options.max_stream;
  bool tooMuch = false;
  eachLane(port, [&](uint32_t l) {
    data[l] = nullptr;
    memcpy(&size[l], port->packets[l].bytes, 8);
    tooMuch |= size[l] > most || size[l] > most - total;
    total += tooMuch ? 0 : size[l];
    longest = size[l] > longest ? size[l] : longest;
  });
  if (tooMuch)
    return port->fail(XCC_RPC_BAD_MESSAGE);
  eachLane(port, [&](uint32_t l) {
    if (sizes)
      sizes[l] = size[l];
    if (port->failed)
      return;
    data[l] = allocate(size[l], l, context);
    if (!data[l])
      port->fail(XCC_RPC_OUT_OF_MEMORY);
    else if (uint64_t bytes = part(size[l], 0, First))
      memcpy(data[l], port->packets[l].bytes + 8, bytes);
  });
  if (port->failed)
    return port->failed;
  for (uint64_t offset = First; offset < longest; offset += sizeof(Packet)) {
    if (xcc_rpc_status status = port->receive())
      return status;
    eachLane(port, [&](uint32_t l) {
      if (uint64_t bytes = part(size[l], offset, sizeof(Packet)))
        memcpy(static_cast<char *>(data[l]) + offset, port->packets[l].bytes,
               bytes);
    });
  }
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_send_n(xcc_rpc_port *port, const void *const *data,
                              const uint64_t *sizes) {
  if (!port || !data || !sizes)
    return XCC_RPC_INVALID_VALUE;
  if (port->failed || (!port->c.mine && port->await()))
    return port->failed;
  uint64_t longest = 0;
  eachLane(port, [&](uint32_t l) {
    memcpy(port->packets[l].bytes, &sizes[l], 8);
    if (uint64_t bytes = part(sizes[l], 0, First))
      memcpy(port->packets[l].bytes + 8, data[l], bytes);
    longest = sizes[l] > longest ? sizes[l] : longest;
  });
  if (xcc_rpc_status status = port->send())
    return status;
  for (uint64_t offset = First; offset < longest; offset += sizeof(Packet)) {
    if (port->await())
      return port->failed;
    eachLane(port, [&](uint32_t l) {
      if (uint64_t bytes = part(sizes[l], offset, sizeof(Packet)))
        memcpy(port->packets[l].bytes,
               static_cast<const char *>(data[l]) + offset, bytes);
    });
    if (xcc_rpc_status status = port->send())
      return status;
  }
  return XCC_RPC_SUCCESS;
}
