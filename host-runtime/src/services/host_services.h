// What device code may ask of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between a device and the services of rpc/services: one server for each device
// with an image that calls the host, started when the first such image is
// loaded. Programs that never call pay nothing.

#ifndef XCC_SRC_SERVICES_HOST_SERVICES_H
#define XCC_SRC_SERVICES_HOST_SERVICES_H

#include "devices/device.h"

#include <memory>

namespace xcc::rt {

class ThrownException;

/// Gives a freshly loaded image what it needs to call the host, if it does:
/// fills in its variables __xcc_rpc and __xcc_trap_report.
xcc_status connectImage(Device &on, Image &code);

/// Around a kernel that may call (Kernel::callsHost), for devices that cannot
/// wake the server. An end without a beginning does nothing. Cheap, and from
/// any thread, the drivers' own too.
void beginCalls(Device &on);
void endCalls(Device &on);
/// The device failed: nothing that runs there will be heard to end.
void abandonCalls(Device &on);
/// How many kernels have begun and not ended.
uint32_t callingKernels(Device &on);

/// Why a thread of the device trapped.
struct Trap {
  char text[2048]; ///< a sentence without a full stop, and where
  std::shared_ptr<const ThrownException> thrown; ///< null: no exception
};
/// False when no thread left word. Once the device has failed.
bool takeTrap(Device &on, Trap &trap);

/// The heap of device code that is in the device's own memory; end == base:
/// there is none.
void deviceHeap(Device &on, uint64_t &base, uint64_t &end);
/// The size of a block that the host gave device code beside it; 0: it is none.
uint64_t heapBlockSize(Device &on, uint64_t at);
/// Frees such a block; false: it is none.
bool freeHeapBlock(Device &on, uint64_t at);

/// Ends a device's server: after its last kernel, before it shuts down.
void stopServices(Device &on);

/// An error on a thread that serves a call of device code: nothing there may
/// wait for a device.
xcc_status mayWait(const char *function);

/// Called when the process exits: by such a thread, perhaps.
void exitBegins();

/// Whether device code is ending the process: its thread waits for that, so
/// no thread may wait for it.
bool exitingFromDevice();

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_HOST_SERVICES_H
