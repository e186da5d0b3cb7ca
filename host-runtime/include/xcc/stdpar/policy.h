// xcc::par, an execution policy that says where
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     std::sort(xcc::par.on(stream), v.begin(), v.end());
//     std::sort(xcc::par.on(xcc::device::get(1)), v.begin(), v.end());
//
// It is std::execution::par otherwise. The call waits, whatever it is on.

#ifndef XCC_STDPAR_POLICY_H
#define XCC_STDPAR_POLICY_H

#include <pstl/execution_defs.h>

#include <xcc/xcc.h>

#include <optional>
#include <type_traits>

namespace xcc {

/// The type of xcc::par.
class parallel_policy {
public:
  constexpr parallel_policy() = default;
  /// After the stream's work, on its device.
  parallel_policy on(stream &where) const {
    parallel_policy policy;
    policy.stream_ = &where;
    detail::check(xcc_stream_device(where.handle(), &policy.ordinal_));
    return policy;
  }
  /// On a device that need not be the calling thread's.
  parallel_policy on(const device &where) const {
    parallel_policy policy;
    policy.ordinal_ = where.ordinal();
    return policy;
  }

  stream *on_stream() const { return stream_; }
  /// -1 for the calling thread's.
  int on_device() const { return ordinal_; }

private:
  stream *stream_ = nullptr;
  int ordinal_ = -1;
};
inline constexpr parallel_policy par{};

namespace stdpar {

/// The stream of the algorithm that this thread runs; null: its device's default
/// stream.
inline stream *&stream_here() {
  static thread_local stream *here = nullptr;
  return here;
}

/// While it lives, algorithms of this thread run where a policy says.
class place {
public:
  template <class Policy> explicit place(const Policy &) {}
  explicit place(const parallel_policy &policy) : before(stream_here()) {
    stream_here() = policy.on_stream();
    if (policy.on_device() < 0)
      return;
    device_before.emplace(device::current());
    device::get(policy.on_device()).set_current();
  }
  ~place() {
    stream_here() = before;
    if (device_before)
      device_before->set_current();
  }
  place(const place &) = delete;
  place &operator=(const place &) = delete;

private:
  stream *before = nullptr;
  std::optional<device> device_before;
};

} // namespace stdpar
} // namespace xcc

template <>
struct __pstl::execution::is_execution_policy<xcc::parallel_policy>
    : std::true_type {};

#endif // XCC_STDPAR_POLICY_H
