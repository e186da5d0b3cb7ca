//===-- cpu/cpu_device.h - The CPU as a device ------------------*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedded default: runs CPU images on the process's own cores through
// AQL queues (queue.h) and a worker pool (pool.h).
//
//===----------------------------------------------------------------------===//
#ifndef XCC_SRC_CPU_CPU_DEVICE_H
#define XCC_SRC_CPU_CPU_DEVICE_H

#include "../device.h"

namespace xcc::rt::cpu {

/// Makes the device; starts no thread. \p BadSetting is set, if null, when an
/// environment variable of the device is unusable. Null when memory ran out.
Device *createDevice(xcc_error *&BadSetting);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_CPU_DEVICE_H
