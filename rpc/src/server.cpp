// Creating and configuring servers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"
#include "own.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace xcc::rpc;

static constexpr size_t MemoryAlignment = 128;

static void *allocateDefault(size_t size, void *) {
  size_t rounded = (size + MemoryAlignment - 1) & ~(MemoryAlignment - 1);
  return aligned_alloc(MemoryAlignment, rounded);
}
static void freeDefault(void *memory, size_t, void *) { free(memory); }

/// The protocol works for any number of lanes, but devices have only these, so
/// another number is an error.
static bool usable(Layout l) {
  return l.valid() &&
         (l.laneCount == 1 || l.laneCount == 32 || l.laneCount == 64);
}

size_t xcc_rpc_memory_size(uint32_t ports, uint32_t lanes) {
  Layout l{ports, lanes};
  return usable(l) ? l.size() : 0;
}

/// Copies the caller's options and fills in defaults. Returns false if they are
/// invalid.
static bool complete(const xcc_rpc_server_options *given,
                     xcc_rpc_server_options &o) {
  if (!given || given->size != sizeof o)
    return false;
  o = *given;
  if (!o.allocate != !o.free || (o.allocate && o.memory))
    return false;
  if (!usable({o.ports, o.lanes}))
    return false;
  if (o.flags & ~uint32_t(XCC_RPC_CLIENTS_WAKE | XCC_RPC_PROCESS_SHARED))
    return false;
  if (o.memory && (o.memory_size < Layout{o.ports, o.lanes}.size() ||
                   reinterpret_cast<uintptr_t>(o.memory) % MemoryAlignment))
    return false;
  if (!o.allocate) {
    o.allocate = allocateDefault;
    o.free = freeDefault;
  }
  o.threads = o.threads ? o.threads : 1;
  o.max_threads = o.max_threads ? o.max_threads : 64;
  if (o.max_threads < o.threads)
    o.max_threads = o.threads;
  o.patience_ms = o.patience_ms ? o.patience_ms : 1000;
  o.max_stream = o.max_stream ? o.max_stream : uint64_t(256) << 20;
  return true;
}

xcc_rpc_status xcc_rpc_server_create(const xcc_rpc_server_options *given,
                                     xcc_rpc_server **result) {
  xcc_rpc_server_options o;
  if (!result || !complete(given, o))
    return XCC_RPC_INVALID_VALUE;
  *result = nullptr;
  if (xcc_rpc_status status = addServer())
    return status;
  const Layout l{o.ports, o.lanes};
  std::unique_ptr<xcc_rpc_server> s(new (std::nothrow) xcc_rpc_server);
  if (s)
    s->privateWords.reset(new (std::nothrow) uint32_t[l.localSize() / 4]());
  if (!s || !s->privateWords) {
    removeServer();
    return XCC_RPC_OUT_OF_MEMORY;
  }
  s->options = o;
  s->ownsMemory = !o.memory;
  s->memory = o.memory ? o.memory : o.allocate(l.size(), o.context);
  if (!s->memory || reinterpret_cast<uintptr_t>(s->memory) % MemoryAlignment) {
    if (s->memory)
      o.free(s->memory, l.size(), o.context);
    removeServer();
    return XCC_RPC_OUT_OF_MEMORY;
  }
  s->shared = o.flags & XCC_RPC_PROCESS_SHARED;
  s->clientsWake = s->shared || (o.flags & XCC_RPC_CLIENTS_WAKE);

  View v(s->memory, s->privateWords.get(), l);
  Control &c = v.control();
  bool continues = o.memory && c.version == LayoutVersion &&
                   c.ports == l.portCount && c.lanes == l.laneCount;
  if (!continues)
    memset(s->memory, 0, l.size());
  c.ports = l.portCount;
  c.lanes = l.laneCount;
  atomic::store(&c.flags, s->shared ? ProcessShared : 0u);
  __atomic_store_n(&c.version, LayoutVersion, __ATOMIC_RELEASE);
  s->protocol = xcc::rpc::Server<>(v);
  *result = s.release();
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_destroy(xcc_rpc_server *s) {
  if (!s)
    return XCC_RPC_SUCCESS;
  if (s->forked())
    return XCC_RPC_FORKED;
  if (s->servesHere())
    return XCC_RPC_BUSY;
  s->stop();
  if (s->ownsMemory) {
    s->deadline.store(now() + s->options.patience_ms);
    s->drain();
    s->options.free(s->memory, s->protocol.view().l.size(), s->options.context);
  }
  delete s;
  removeServer();
  return XCC_RPC_SUCCESS;
}

/// Checks that this process may use the server.
static xcc_rpc_status check(const xcc_rpc_server *s) {
  if (!s)
    return XCC_RPC_INVALID_VALUE;
  return s->forked() ? XCC_RPC_FORKED : XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc::rpc::registerService(xcc_rpc_server *s, uint32_t op,
                                         xcc_rpc_callback function,
                                         void *user) {
  if (xcc_rpc_status status = check(s))
    return status;
  return s->registered.add(op, {function, user});
}

xcc_rpc_status xcc::rpc::unregisterService(xcc_rpc_server *s, uint32_t op) {
  if (xcc_rpc_status status = check(s))
    return status;
  return s->registered.remove(op);
}

xcc_rpc_status xcc_rpc_server_register(xcc_rpc_server *s, uint32_t op,
                                       xcc_rpc_callback function, void *user) {
  return op < FirstUserOpcode ? XCC_RPC_INVALID_VALUE
                              : registerService(s, op, function, user);
}

xcc_rpc_status xcc_rpc_server_unregister(xcc_rpc_server *s, uint32_t op) {
  return op < FirstUserOpcode ? XCC_RPC_INVALID_VALUE
                              : unregisterService(s, op);
}

xcc_rpc_status xcc_rpc_server_start(xcc_rpc_server *s) {
  if (xcc_rpc_status status = check(s))
    return status;
  return s->start();
}

xcc_rpc_status xcc_rpc_server_stop(xcc_rpc_server *s) {
  if (xcc_rpc_status status = check(s))
    return status;
  if (s->servesHere())
    return XCC_RPC_BUSY;
  s->stop();
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_begin_kernel(xcc_rpc_server *s) {
  if (xcc_rpc_status status = check(s))
    return status;
  if (!s->inFlight.fetch_add(1) && !s->clientsWake)
    s->ring(0x7fffffff);
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_end_kernel(xcc_rpc_server *s) {
  if (xcc_rpc_status status = check(s))
    return status;
  uint32_t count = s->inFlight.load();
  do
    if (!count)
      return XCC_RPC_INVALID_VALUE;
  while (!s->inFlight.compare_exchange_weak(count, count - 1));
  // A sleeping poller may have missed the kernel's last calls.
  if (count == 1 && !s->clientsWake && s->asleep.load() && s->anyPending())
    s->ring(1);
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_client(xcc_rpc_server *s,
                                     xcc_rpc_client_info *info) {
  if (xcc_rpc_status status = info ? check(s) : XCC_RPC_INVALID_VALUE)
    return status;
  const Layout &l = s->protocol.view().l;
  *info = {s->memory, l.size(), l.localSize(), l.portCount, l.laneCount};
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_server_reset(xcc_rpc_server *s) {
  if (xcc_rpc_status status = check(s))
    return status;
  return s->reset();
}

xcc_rpc_status xcc_rpc_server::reset() {
  std::lock_guard guard(startStop);
  if (running || handling.load())
    return XCC_RPC_BUSY;
  const View &v = protocol.view();
  constexpr size_t kept = offsetof(Control, serverSleeps);
  memset(v.shared + kept, 0, v.l.size() - kept);
  memset(v.privateBytes, 0, v.l.localSize());
  return XCC_RPC_SUCCESS;
}
