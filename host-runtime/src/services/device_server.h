// One device's server of calls, inside
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_services.cpp makes it and ends it, kernel_calls.cpp tells it of kernels,
// host_threads.cpp is about the threads on which it runs functions of the
// program.

#ifndef XCC_SRC_SERVICES_DEVICE_SERVER_H
#define XCC_SRC_SERVICES_DEVICE_SERVER_H

#include "host_services.h"

#include "rpc/services/services.h"

#include <mutex>

namespace xcc::rt {

struct HostServices {
  Device &on;
  /// A queue of its own, so that memory for device code never waits for a kernel.
  Queue *memory = nullptr;
  xcc_rpc_server *server = nullptr;
  xcc_services *services = nullptr;
  xcc_trap_record *trap = nullptr;
  void *local = nullptr, *heap = nullptr;
  /// What device code finds in __xcc_trap_report.
  void *trapSeen = nullptr;
  uint64_t heapSize = 0;
  uint32_t calling = 0; ///< kernels; guarded by servicesMutex
  /// The device failed. Kernels may go on all the same and use what they were
  /// given, so it stays.
  std::atomic<bool> deviceFailed{false};

  explicit HostServices(Device &d) : on(d) {}
  ~HostServices();
  bool initialised = false; ///< a count of the RPC library is ours
  bool serving = false;     ///< guarded by startMutex until it is true

  /// What a trap needs: that is all for images that never call.
  xcc_status start();
  /// Sets up what else calls need, once.
  xcc_status serve();
  xcc_status startServer();
  void endServer();
  xcc_status zeroed(uint64_t size, void *&out);
};

/// Held by those who come from a driver's thread, or go on while the process
/// ends: the services may go meanwhile.
inline constinit std::mutex servicesMutex;

/// Calls a function with a device's services, if it has any, which stay
/// meanwhile.
template <class Fn> void withServices(Device &on, Fn use) {
  std::lock_guard lock(servicesMutex);
  if (HostServices *s = on.services.load(std::memory_order_acquire))
    use(*s);
}

/// For the services: a function of the program, which the calling thread is
/// about to run.
const xcc_host_entry *findEntry(uint64_t id, void *);
/// For the services: what runs on the calling thread from now on, for device
/// code; null: nothing any more.
void noteHostCall(const xcc_host_entry *entry, void *);
/// For the services: exit, from the calling thread.
void exitProcess(int status, void *);

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_DEVICE_SERVER_H
