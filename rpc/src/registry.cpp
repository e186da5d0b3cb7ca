// Callbacks by opcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include "../fork_mark.h"

#include <pthread.h>

namespace xcc::rpc {

xcc_rpc_status Registry::add(Opcode op, Handler h) {
  if (!op || !h.function)
    return XCC_RPC_INVALID_VALUE;
  std::lock_guard guard(mutex);
  try {
    if (!handlers.emplace(op, h).second)
      return XCC_RPC_OPCODE_TAKEN;
  } catch (const std::bad_alloc &) {
    return XCC_RPC_OUT_OF_MEMORY;
  }
  version_.fetch_add(1, std::memory_order_release);
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status Registry::remove(Opcode op) {
  std::lock_guard guard(mutex);
  if (!handlers.erase(op))
    return XCC_RPC_NO_SUCH_OPCODE;
  version_.fetch_add(1, std::memory_order_release);
  return XCC_RPC_SUCCESS;
}

bool Registry::find(Opcode op, Handler &h) {
  std::lock_guard guard(mutex);
  auto found = handlers.find(op);
  if (found == handlers.end())
    return false;
  h = found->second;
  return true;
}

void Registry::clear() {
  std::lock_guard guard(mutex);
  handlers.clear();
  version_.fetch_add(1, std::memory_order_release);
}

Registry &Registry::global() {
  // Never destroyed, because servers' threads may outlive static destructors.
  static Registry &r = *new Registry;
  return r;
}

static std::mutex libraryMutex;
static uint32_t initialised, servers;

static std::atomic<uint32_t> generations{0};
static constinit ForkMark fork;

/// Marks forked children, and leaves the library's locks unlocked in them.
static void watchForks() {
  static const int watched = (fork.set(), pthread_atfork(
                                              [] {
                                                libraryMutex.lock();
                                                Registry::global().lock();
                                              },
                                              [] {
                                                Registry::global().unlock();
                                                libraryMutex.unlock();
                                              },
                                              [] {
                                                Registry::global().unlock();
                                                servers = 0;
                                                fork.clear();
                                                generation();
                                                libraryMutex.unlock();
                                              }));
  (void)watched;
}

uint32_t generation() {
  watchForks();
  if (fork.inChild()) [[unlikely]] {
    fork.renew();
    return generations.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  return generations.load(std::memory_order_relaxed);
}

xcc_rpc_status addServer() {
  std::lock_guard guard(libraryMutex);
  if (!initialised)
    return XCC_RPC_NOT_INITIALIZED;
  ++servers;
  return XCC_RPC_SUCCESS;
}

void removeServer() {
  std::lock_guard guard(libraryMutex);
  --servers;
}

} // namespace xcc::rpc

using namespace xcc::rpc;

xcc_rpc_status xcc_rpc_init(void) {
  std::lock_guard guard(libraryMutex);
  ++initialised;
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_shutdown(void) {
  std::lock_guard guard(libraryMutex);
  if (!initialised)
    return XCC_RPC_NOT_INITIALIZED;
  if (initialised == 1 && servers)
    return XCC_RPC_BUSY;
  if (--initialised == 0)
    Registry::global().clear();
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_register(uint32_t op, xcc_rpc_callback function,
                                void *user) {
  std::lock_guard guard(libraryMutex);
  if (!initialised)
    return XCC_RPC_NOT_INITIALIZED;
  // Otherwise a server without xcc's services would call the program's callback
  // for an opcode of xcc.
  return op < FirstUserOpcode ? XCC_RPC_INVALID_VALUE
                              : Registry::global().add(op, {function, user});
}

xcc_rpc_status xcc_rpc_unregister(uint32_t op) {
  std::lock_guard guard(libraryMutex);
  if (!initialised)
    return XCC_RPC_NOT_INITIALIZED;
  return Registry::global().remove(op);
}
