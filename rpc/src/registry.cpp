// Callbacks by opcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"

#include "../fork_mark.h"

#include <pthread.h>

namespace xcc::rpc {

xcc_rpc_status Registry::add(Opcode Op, Handler H) {
  if (!Op || !H.Function)
    return XCC_RPC_INVALID_VALUE;
  std::lock_guard Guard(Mutex);
  try {
    if (!Handlers.emplace(Op, H).second)
      return XCC_RPC_OPCODE_TAKEN;
  } catch (const std::bad_alloc &) {
    return XCC_RPC_OUT_OF_MEMORY;
  }
  Version.fetch_add(1, std::memory_order_release);
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status Registry::remove(Opcode Op) {
  std::lock_guard Guard(Mutex);
  if (!Handlers.erase(Op))
    return XCC_RPC_NO_SUCH_OPCODE;
  Version.fetch_add(1, std::memory_order_release);
  return XCC_RPC_SUCCESS;
}

bool Registry::find(Opcode Op, Handler &H) {
  std::lock_guard Guard(Mutex);
  auto Found = Handlers.find(Op);
  if (Found == Handlers.end())
    return false;
  H = Found->second;
  return true;
}

void Registry::clear() {
  std::lock_guard Guard(Mutex);
  Handlers.clear();
  Version.fetch_add(1, std::memory_order_release);
}

Registry &Registry::global() {
  // Never destroyed: servers' threads may outlive static destructors.
  static Registry &R = *new Registry;
  return R;
}

static std::mutex LibraryMutex;
static uint32_t Initialised, Servers;

static std::atomic<uint32_t> Generation{0};
static constinit ForkMark Fork;

/// Has forked children know that they are; and leaves them the locks of what is
/// theirs too, open.
static void watchForks() {
  static const int Watched = (Fork.set(), pthread_atfork(
                                              [] {
                                                LibraryMutex.lock();
                                                Registry::global().lock();
                                              },
                                              [] {
                                                Registry::global().unlock();
                                                LibraryMutex.unlock();
                                              },
                                              [] {
                                                Registry::global().unlock();
                                                Servers = 0;
                                                Fork.clear();
                                                generation();
                                                LibraryMutex.unlock();
                                              }));
  (void)Watched;
}

uint32_t generation() {
  watchForks();
  if (Fork.inChild()) [[unlikely]] {
    Fork.renew();
    return Generation.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  return Generation.load(std::memory_order_relaxed);
}

xcc_rpc_status addServer() {
  std::lock_guard Guard(LibraryMutex);
  if (!Initialised)
    return XCC_RPC_NOT_INITIALIZED;
  ++Servers;
  return XCC_RPC_SUCCESS;
}

void removeServer() {
  std::lock_guard Guard(LibraryMutex);
  --Servers;
}

} // namespace xcc::rpc

using namespace xcc::rpc;

xcc_rpc_status xcc_rpc_init(void) {
  std::lock_guard Guard(LibraryMutex);
  ++Initialised;
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_shutdown(void) {
  std::lock_guard Guard(LibraryMutex);
  if (!Initialised)
    return XCC_RPC_NOT_INITIALIZED;
  if (Initialised == 1 && Servers)
    return XCC_RPC_BUSY;
  if (--Initialised == 0)
    Registry::global().clear();
  return XCC_RPC_SUCCESS;
}

xcc_rpc_status xcc_rpc_register(uint32_t Op, xcc_rpc_callback Function,
                                void *User) {
  std::lock_guard Guard(LibraryMutex);
  if (!Initialised)
    return XCC_RPC_NOT_INITIALIZED;
  return Registry::global().add(Op, {Function, User});
}

xcc_rpc_status xcc_rpc_unregister(uint32_t Op) {
  std::lock_guard Guard(LibraryMutex);
  if (!Initialised)
    return XCC_RPC_NOT_INITIALIZED;
  return Registry::global().remove(Op);
}
