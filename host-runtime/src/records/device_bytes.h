// Copying between device memory and host memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_RECORDS_DEVICE_BYTES_H
#define XCC_SRC_RECORDS_DEVICE_BYTES_H

#include "devices/device.h"

namespace xcc::rt::records {

/// Copies to ordinary host memory, in the queue's order, and waits.
inline xcc_status readMemory(Device &on, Queue &queue, void *at, size_t size,
                             void *to) {
  Place there{
      .at = at, .owner = on.kind().host ? nullptr : &on, .allocation = at};
  XCC_TRY(queue.copy({.at = to}, there, size));
  queue.drain();
  return XCC_SUCCESS;
}

/// Copies from host memory to the device, in the queue's order, and waits.
inline xcc_status writeMemory(Device &on, Queue &queue, void *at, size_t size,
                              const void *from) {
  Place there{
      .at = at, .owner = on.kind().host ? nullptr : &on, .allocation = at};
  XCC_TRY(queue.copy(there, {.at = const_cast<void *>(from)}, size));
  queue.drain();
  return XCC_SUCCESS;
}

} // namespace xcc::rt::records
#endif // XCC_SRC_RECORDS_DEVICE_BYTES_H
