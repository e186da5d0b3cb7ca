// The clocks of <chrono> on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These read the host's clocks by clock_gettime.

#include <chrono>
#include <ctime>

namespace {
template <class Clock> typename Clock::time_point read(clockid_t id) {
  timespec now = {};
  (void)clock_gettime(id, &now);
  return typename Clock::time_point(std::chrono::seconds(now.tv_sec) +
                                    std::chrono::nanoseconds(now.tv_nsec));
}
} // namespace

namespace std::chrono::inline _V2 {
system_clock::time_point system_clock::now() noexcept {
  return read<system_clock>(CLOCK_REALTIME);
}
steady_clock::time_point steady_clock::now() noexcept {
  return read<steady_clock>(CLOCK_MONOTONIC);
}
} // namespace std::chrono::inline _V2
