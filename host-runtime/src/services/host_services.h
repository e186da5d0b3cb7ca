// Services of the host for device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This connects a device with the services of rpc/services. Each device with an
// image that calls the host has a server, which is started when the first such
// image is loaded. Programs that never call pay nothing.

#ifndef XCC_SRC_SERVICES_HOST_SERVICES_H
#define XCC_SRC_SERVICES_HOST_SERVICES_H

#include "devices/device.h"

#include <memory>

namespace xcc::rt {

class ThrownException;

/// Lets a freshly loaded image call the host, if it does: writes its variables
/// __xcc_rpc and __xcc_trap_report.
xcc_status connectImage(Device &on, Image &code);

/// Called before and after a kernel that may call (Kernel::callsHost), for
/// devices that cannot wake the server. An end without a start does nothing.
/// Both are cheap; any thread may call them, even a driver's.
void beginCalls(Device &on);
void endCalls(Device &on);
/// Called when the device failed: the end of its kernels will not be reported.
void abandonCalls(Device &on);
/// How many kernels that may call have begun and not ended.
uint32_t callingKernels(Device &on);

/// Why a thread of the device trapped.
struct Trap {
  char text[2048]; ///< a sentence without a full stop, with the place
  std::shared_ptr<const ThrownException> thrown; ///< null: no exception
};
/// Takes the report of a trap. Returns false if no thread left one. Call it
/// once the device has failed.
bool takeTrap(Device &on, Trap &trap);

/// The range of the heap that is in the device's own memory. end == base if
/// there is none.
void deviceHeap(Device &on, uint64_t &base, uint64_t &end);
/// The size of a block that the host allocated for device code beside the heap;
/// 0 if it is not such a block.
uint64_t heapBlockSize(Device &on, uint64_t at);
/// Frees such a block. Returns false if it is not one.
bool freeHeapBlock(Device &on, uint64_t at);

/// Ends a device's server, after its last kernel and before it shuts down.
void stopServices(Device &on);

/// Fails on a thread that serves a call of device code, because it must not
/// wait for a device.
xcc_status mayWait(const char *function);

/// Called when the process exits, maybe on such a thread.
void exitBegins();

/// Is device code ending the process? A thread of the device then waits for the
/// end, so no thread may wait for the device.
bool exitingFromDevice();

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_HOST_SERVICES_H
