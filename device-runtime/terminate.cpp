// std::set_terminate
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler is the image's: a kernel sets it for all threads, and for kernels
// that run later. One that the host sets is the host's alone.
//
// Linked where device code sets a handler (backend/link/DeviceLink.cpp). For
// every device, and so compiled without any header.

namespace {
using Handler = void (*)();
Handler current;
} // namespace

namespace std {
Handler set_terminate(Handler handler) noexcept;
Handler get_terminate() noexcept;

Handler set_terminate(Handler handler) noexcept {
  return __atomic_exchange_n(&current, handler, __ATOMIC_ACQ_REL);
}
Handler get_terminate() noexcept {
  return __atomic_load_n(&current, __ATOMIC_ACQUIRE);
}
} // namespace std

extern "C" void __xcc_call_terminate_handler() noexcept;
/// A handler that returns has not ended the thread, so its caller does.
extern "C" void __xcc_call_terminate_handler() noexcept {
  if (Handler handler = std::get_terminate())
    handler();
}
