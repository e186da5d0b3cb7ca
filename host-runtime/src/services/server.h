// One device's server of calls, inside
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_services.cpp makes it and ends it, kernel_calls.cpp tells it of kernels,
// host_threads.cpp is about the threads on which it runs functions of the
// program.

#ifndef XCC_SRC_SERVER_H
#define XCC_SRC_SERVER_H

#include "host_services.h"

#include "rpc/services/services.h"

#include <mutex>

namespace xcc::rt {

struct HostServices {
  Device &On;
  /// Of its own, so that memory for device code never waits for a kernel.
  Queue *Memory = nullptr;
  xcc_rpc_server *Server = nullptr;
  xcc_services *Services = nullptr;
  xcc_trap_record *Trap = nullptr;
  void *Local = nullptr, *Heap = nullptr;
  /// What device code finds in __xcc_trap_report.
  void *TrapSeen = nullptr;
  uint64_t HeapSize = 0;
  uint32_t Calling = 0; ///< kernels; guarded by ServicesMutex
  /// The device failed. Kernels may go on all the same and use what they were
  /// given, so it stays.
  std::atomic<bool> Lost{false};

  explicit HostServices(Device &D) : On(D) {}
  ~HostServices();
  bool Initialised = false; ///< a count of the RPC library is ours
  bool Serving = false;     ///< guarded by StartMutex until it is true

  /// What a trap needs: that is all for images that never call.
  xcc_status start();
  /// What calls need besides; once.
  xcc_status serve();
  xcc_status startServer();
  void endServer();
  xcc_status zeroed(uint64_t Size, void *&Out);
};

/// Held by those who come from a driver's thread, or go on while the process
/// ends: the services may go meanwhile.
inline constinit std::mutex ServicesMutex;

/// Calls a function with a device's services, if it has any, which stay
/// meanwhile.
template <class Fn> void withServices(Device &On, Fn Use) {
  std::lock_guard Lock(ServicesMutex);
  if (HostServices *S = On.Services.load(std::memory_order_acquire))
    Use(*S);
}

/// For the services: a function of the program, which the calling thread is
/// about to run.
const xcc_host_entry *findEntry(uint64_t Id, void *);
/// For the services: exit, from the calling thread.
void exitProcess(int Status, void *);

} // namespace xcc::rt
#endif // XCC_SRC_SERVER_H
