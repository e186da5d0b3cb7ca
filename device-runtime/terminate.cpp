// std::set_terminate
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler belongs to the image: a kernel sets it for all threads and for
// later kernels. The host's handler is separate.
//
// Linked into images whose device code sets a handler
// (backend/link/DeviceLink.cpp). Serves every device, so it is compiled without
// any header.

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
/// Returns if the handler returns; the caller then ends the launch.
extern "C" void __xcc_call_terminate_handler() noexcept {
  if (Handler handler = std::get_terminate())
    handler();
}
