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
#include <utility>

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

/// Where an algorithm is called; no file: not known.
struct call_site {
  const char *file = nullptr;
  unsigned line = 0;
};
/// The call that this thread is about to make, and the one that it is in.
struct call_sites {
  call_site next, here;
};
inline call_sites &sites() {
  static thread_local call_sites of_thread;
  return of_thread;
}
/// What xcc makes the last argument of a call: it is evaluated after the others,
/// in which there may be other calls.
template <class Type>
Type &&called(Type &&argument, const char *file = __builtin_FILE(),
              unsigned line = __builtin_LINE()) {
  sites().next = {file, line};
  return static_cast<Type &&>(argument);
}
/// While it lives, the thread is in the call that it was about to make.
class site_here {
public:
  site_here() : before(sites().here) {
    sites().here = std::exchange(sites().next, {});
  }
  ~site_here() { sites().here = before; }
  site_here(const site_here &) = delete;
  site_here &operator=(const site_here &) = delete;

private:
  call_site before;
};
/// Where launches of the algorithm go, and what messages say of them.
inline loop_config config_here() {
  const call_site at = sites().here;
  return at.file ? loop_config(stream_here(), {0, 0, 0}, at.file, at.line)
                 : loop_config(stream_here());
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
