// Internals of a device's server of host calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_services.cpp makes and ends the server, kernel_calls.cpp reports kernels
// to it, and host_threads.cpp handles the threads on which it runs functions of
// the program.

#ifndef XCC_SRC_SERVICES_DEVICE_SERVER_H
#define XCC_SRC_SERVICES_DEVICE_SERVER_H

#include "host_services.h"

#include "rpc/services/services.h"

#include <mutex>

namespace xcc::rt {

struct HostServices {
  Device &on;
  /// A queue for memory operations, so that these never wait for a kernel.
  Queue *memory = nullptr;
  xcc_rpc_server *server = nullptr;
  xcc_services *services = nullptr;
  xcc_trap_record *trap = nullptr;
  void *local = nullptr, *heap = nullptr;
  /// The value of __xcc_trap_report in device code.
  void *trapSeen = nullptr;
  uint64_t heapSize = 0;
  uint32_t calling = 0; ///< kernels that may call; guarded by servicesMutex
  /// The device failed. Its kernels may still run and use the memory they were
  /// given, so it is never freed.
  std::atomic<bool> deviceFailed{false};

  explicit HostServices(Device &d) : on(d) {}
  ~HostServices();
  bool initialised = false; ///< holds a reference to the RPC library
  bool serving = false;     ///< guarded by startMutex until it is true

  /// Sets up what traps need. Images that never call need no more.
  xcc_status start();
  /// Sets up the rest for calls, once.
  xcc_status serve();
  xcc_status startServer();
  void endServer();
  xcc_status zeroed(uint64_t size, void *&out);
};

/// Held by driver threads and by threads that run while the process ends,
/// because the services may be destroyed meanwhile.
inline constinit std::mutex servicesMutex;

/// Calls a function with a device's services, if there are any. They stay valid
/// during the call.
template <class Fn> void withServices(Device &on, Fn use) {
  std::lock_guard lock(servicesMutex);
  if (HostServices *s = on.services.load(std::memory_order_acquire))
    use(*s);
}

/// Callback of the services: finds the program's function that the calling
/// thread is about to run.
const xcc_host_entry *findEntry(uint64_t id, void *);
/// Callback of the services: records which function now runs on the calling
/// thread for device code; null if none does any more.
void noteHostCall(const xcc_host_entry *entry, void *);
/// Callback of the services: calls exit on the calling thread.
void exitProcess(int status, void *);

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_DEVICE_SERVER_H
