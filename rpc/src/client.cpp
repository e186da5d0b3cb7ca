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

/// Leases a word of ports for the process. Returns null if none is free.
static uint64_t *takeLease(const View &v, ProcessId id) {
  for (uint32_t w = 0; w != v.l.words(); ++w) {
    ProcessId none = 0;
    if (__atomic_compare_exchange_n(v.leases() + w, &none, id, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return v.leases() + w;
  }
  return nullptr;
}

static bool anyDead(const View &v) {
  for (uint32_t w = 0; w != v.l.words(); ++w) {
    ProcessId id = __atomic_load_n(v.leases() + w, __ATOMIC_RELAXED);
    if (!id || !alive(id))
      return true;
  }
  return false;
}

/// Makes the server look for dead processes, until a word is free or no process
/// is dead.
static uint64_t *awaitLease(const View &v, ProcessId id) {
  Control &c = v.control();
  for (int64_t start = now(); now() - start < 2000;) {
    if (uint64_t *lease = takeLease(v, id))
      return lease;
    if (!anyDead(v))
      return nullptr;
    atomic::exchangeStrong(&c.reclaimRequested, 1);
    atomic::exchangeStrong(&c.serverSleeps, 0);
    atomic::addStrong(&c.doorbell, 1);
    futexWake(&c.doorbell, 1, atomic::load(&c.flags) & ProcessShared);
    const timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return nullptr;
}

xcc_rpc_status xcc_rpc_client_attach(void *memory, size_t size,
                                     xcc_rpc_client **result) {
  if (!memory || !result)
    return XCC_RPC_INVALID_VALUE;
  *result = nullptr;
  if (size < sizeof(Control))
    return XCC_RPC_WRONG_MEMORY;
  Control &c = *static_cast<Control *>(memory);
  uint32_t version = __atomic_load_n(&c.version, __ATOMIC_ACQUIRE);
  const Layout l{atomic::load(&c.ports), atomic::load(&c.lanes)};
  if (version != LayoutVersion || !l.valid() || size < l.size())
    return XCC_RPC_WRONG_MEMORY;
  std::unique_ptr<xcc_rpc_client> made(new (std::nothrow) xcc_rpc_client);
  if (made)
    made->privateWords.reset(new (std::nothrow) uint32_t[l.localSize() / 4]());
  if (!made || !made->privateWords)
    return XCC_RPC_OUT_OF_MEMORY;
  ProcessId id = self();
  if (!id)
    return XCC_RPC_SYSTEM;
  const View v(memory, made->privateWords.get(), l);
  made->generation = generation();
  made->lease = awaitLease(v, id);
  if (!made->lease)
    return XCC_RPC_BUSY;
  // The ports are in the state in which their last user left them.
  const uint32_t w = uint32_t(made->lease - v.leases());
  const uint32_t bits = atomic::load(v.clientBits() + w);
  for (uint32_t i = 0; i != PortsPerWord; ++i)
    if (v.valid(w) >> i & 1) {
      const uint32_t port = w * PortsPerWord + i;
      PortLocal &mine = v.local(port);
      mine.out = bits >> i & 1;
      mine.unanswered = 1;
      mine.call = atomic::load(&v.header(port).call);
    }
  made->protocol = xcc::rpc::Client<>(v, w, 1);
  *result = made.release();
  return XCC_RPC_SUCCESS;
}

void xcc_rpc_client_detach(xcc_rpc_client *client) {
  if (!client)
    return;
  if (client->generation == generation())
    __atomic_store_n(client->lease, ProcessId(0), __ATOMIC_RELEASE);
  delete client;
}

static xcc_rpc_status statusOf(Answer a) {
  switch (a) {
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

xcc_rpc_status xcc_rpc_client_call(xcc_rpc_client *client, uint32_t op,
                                   const void *request, size_t size,
                                   void *reply, size_t replySize) {
  if (!client || (size && !request) || size > sizeof(Packet) ||
      replySize > sizeof(Packet))
    return XCC_RPC_INVALID_VALUE;
  if (client->generation != generation())
    return XCC_RPC_FORKED;
  auto ended = client->protocol.open(op)
                   .send([&](Packet &p, uint32_t) {
                     if (size)
                       memcpy(p.bytes, request, size);
                   })
                   .recv([&](Packet &p, uint32_t) {
                     if (reply)
                       memcpy(reply, p.bytes, replySize);
                   });
  return statusOf(ended.status());
}

xcc_rpc_status xcc_rpc_client_call_n(xcc_rpc_client *client, uint32_t op,
                                     const void *request, uint64_t size,
                                     xcc_rpc_allocate_function allocate,
                                     void *context) {
  if (!client || (size && !request) || !allocate)
    return XCC_RPC_INVALID_VALUE;
  if (client->generation != generation())
    return XCC_RPC_FORKED;
  bool noMemory = false;
  auto ended = client->protocol.open(op)
                   .send_n([&](uint32_t) { return Bytes{request, size}; })
                   .recv_n([&](uint32_t lane, uint64_t bytes) {
                     void *to = allocate(bytes, lane, context);
                     noMemory |= !to;
                     return to;
                   });
  xcc_rpc_status status = statusOf(ended.status());
  return status ? status : noMemory ? XCC_RPC_OUT_OF_MEMORY : XCC_RPC_SUCCESS;
}
