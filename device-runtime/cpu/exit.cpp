// exit() on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exit runs handlers and destructors, which may wait for kernels. So a thread
// of the host calls it while this one waits, as on any device.

#include "../rpc/call.h"

using namespace xcc::device;

extern "C" [[noreturn]] void exit(int status) noexcept {
  call(ServiceExit, Message(uint64_t(int64_t(status)), ExitNormal));
  __xcc_trap(0, "exit", nullptr, 0);
}
