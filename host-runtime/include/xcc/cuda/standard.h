// libcu++: cuda::std, and atomic objects and barriers with a scope
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/standard.h>          // for <cuda/atomic>, <cuda/barrier>
//     cuda::atomic_ref<int, cuda::thread_scope_device> all(*total);
//     all.fetch_add(1, cuda::memory_order_relaxed);
//     cuda::std::array<float, 4> row;         // std::array: include <array>
//
// cuda::std is std, which kernels use as it is. A barrier is one of all threads
// of a block, which wait when they arrive.

#ifndef XCC_CUDA_STANDARD_H
#define XCC_CUDA_STANDARD_H

#include <xcc/cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda {
/// What libcu++ has before the host's standard, such as span in C++17, is
/// declared here by its header.
namespace std {
using namespace ::std;
}

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

inline void atomic_thread_fence(memory_order order,
                                thread_scope = thread_scope_system) {
  ::std::atomic_thread_fence(order);
}

namespace detail {
// The standard's orders have the numbers of the compiler's.
constexpr int number(memory_order order) { return static_cast<int>(order); }
constexpr int of_load(memory_order order) {
  return order == memory_order_acq_rel   ? number(memory_order_acquire)
         : order == memory_order_release ? number(memory_order_relaxed)
                                         : number(order);
}
#ifdef __MEMORY_SCOPE_DEVICE
#define XCC_SCOPED(name, ...) __scoped_atomic_##name(__VA_ARGS__, scope)
template <thread_scope Scope>
inline constexpr int scope_of =
    Scope == thread_scope_system   ? __MEMORY_SCOPE_SYSTEM
    : Scope == thread_scope_device ? __MEMORY_SCOPE_DEVICE
    : Scope == thread_scope_block  ? __MEMORY_SCOPE_WRKGRP
                                   : __MEMORY_SCOPE_SINGLE;
#else // an older compiler, which makes no code for devices
#define XCC_SCOPED(name, ...) __atomic_##name(__VA_ARGS__)
template <thread_scope> inline constexpr int scope_of = 0;
#endif

/// What atomic and atomic_ref do with an object.
template <class Type, thread_scope Scope> class scoped {
  static_assert(::std::is_trivially_copyable_v<Type>,
                "an atomic object is copied byte by byte");
  static constexpr int scope = scope_of<Scope>;
  template <class Change> Type update(memory_order order, Change change) const {
    Type old = load(memory_order_relaxed);
    while (!compare_exchange_weak(old, change(old), order))
      ;
    return old;
  }

protected:
  Type *at_;
  explicit constexpr scoped(Type *at) : at_(at) {}

public:
  using value_type = Type;
  static constexpr bool is_always_lock_free = sizeof(Type) <= 8;
  bool is_lock_free() const { return is_always_lock_free; }

  Type load(memory_order order = memory_order_seq_cst) const {
    Type value;
    XCC_SCOPED(load, at_, &value, number(order));
    return value;
  }
  void store(Type value, memory_order order = memory_order_seq_cst) const {
    XCC_SCOPED(store, at_, &value, number(order));
  }
  Type exchange(Type value, memory_order order = memory_order_seq_cst) const {
    Type old;
    XCC_SCOPED(exchange, at_, &value, &old, number(order));
    return old;
  }
  bool compare_exchange_strong(Type &expected, Type value, memory_order order,
                               memory_order failed) const {
    return XCC_SCOPED(compare_exchange, at_, &expected, &value, false,
                      number(order), number(failed));
  }
  bool
  compare_exchange_strong(Type &expected, Type value,
                          memory_order order = memory_order_seq_cst) const {
    return XCC_SCOPED(compare_exchange, at_, &expected, &value, false,
                      number(order), of_load(order));
  }
  bool compare_exchange_weak(Type &expected, Type value, memory_order order,
                             memory_order failed) const {
    return XCC_SCOPED(compare_exchange, at_, &expected, &value, true,
                      number(order), number(failed));
  }
  bool compare_exchange_weak(Type &expected, Type value,
                             memory_order order = memory_order_seq_cst) const {
    return XCC_SCOPED(compare_exchange, at_, &expected, &value, true,
                      number(order), of_load(order));
  }
  template <class Other>
  Type fetch_add(Other by, memory_order order = memory_order_seq_cst) const {
    return add(by, order, false);
  }
  template <class Other>
  Type fetch_sub(Other by, memory_order order = memory_order_seq_cst) const {
    return add(by, order, true);
  }
#define XCC_CUDA_CHANGE(name, made)                                            \
  Type fetch_##name(Type by, memory_order order = memory_order_seq_cst)        \
      const {                                                                  \
    return update(order, [by](Type old) { return Type(made); });               \
  }
  XCC_CUDA_CHANGE(and, old &by)
  XCC_CUDA_CHANGE(or, old | by)
  XCC_CUDA_CHANGE(xor, old ^ by)
  XCC_CUDA_CHANGE(min, by < old ? by : old)
  XCC_CUDA_CHANGE(max, old < by ? by : old)
#undef XCC_CUDA_CHANGE
  operator Type() const { return load(); }
  Type operator++() const { return Type(fetch_add(1) + 1); }
  Type operator++(int) const { return fetch_add(1); }
  Type operator--() const { return Type(fetch_sub(1) - 1); }
  Type operator--(int) const { return fetch_sub(1); }
  template <class Other> Type operator+=(Other by) const {
    return Type(fetch_add(by) + by);
  }
  template <class Other> Type operator-=(Other by) const {
    return Type(fetch_sub(by) - by);
  }
  Type operator&=(Type by) const { return Type(fetch_and(by) & by); }
  Type operator|=(Type by) const { return Type(fetch_or(by) | by); }
  Type operator^=(Type by) const { return Type(fetch_xor(by) ^ by); }

private:
  template <class Other>
  Type add(Other by, memory_order order, bool less) const {
    if constexpr (::std::is_integral_v<Type>)
      return less ? XCC_SCOPED(fetch_sub, at_, Type(by), number(order))
                  : XCC_SCOPED(fetch_add, at_, Type(by), number(order));
    else
      return update(order,
                    [&](Type old) { return Type(less ? old - by : old + by); });
  }
};
#undef XCC_SCOPED
} // namespace detail

/// Atomic operations on an object of the program's.
template <class Type, thread_scope Scope = thread_scope_system>
class atomic_ref : public detail::scoped<Type, Scope> {
public:
  explicit constexpr atomic_ref(Type &of) : detail::scoped<Type, Scope>(&of) {}
  atomic_ref(const atomic_ref &) = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  Type operator=(Type value) const {
    this->store(value);
    return value;
  }
};

/// An object that is changed by atomic operations.
template <class Type, thread_scope Scope = thread_scope_system> class atomic {
  using access = atomic_ref<Type, Scope>;
  alignas(sizeof(Type) <= 8 && (sizeof(Type) & (sizeof(Type) - 1)) == 0
              ? sizeof(Type)
              : alignof(Type)) Type value_;
  access self() const { return access(const_cast<Type &>(value_)); }

public:
  using value_type = Type;
  atomic() = default;
  constexpr atomic(Type value) : value_(value) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  Type operator=(Type value) { return self() = value; }
  operator Type() const { return self().load(); }
#define XCC_CUDA_SAME(name)                                                    \
  template <class... Arg> auto name(Arg &&...args) {                           \
    return self().name(static_cast<Arg &&>(args)...);                          \
  }
  XCC_CUDA_SAME(store)
  XCC_CUDA_SAME(exchange)
  XCC_CUDA_SAME(compare_exchange_strong)
  XCC_CUDA_SAME(compare_exchange_weak)
  XCC_CUDA_SAME(fetch_add)
  XCC_CUDA_SAME(fetch_sub)
  XCC_CUDA_SAME(fetch_and)
  XCC_CUDA_SAME(fetch_or)
  XCC_CUDA_SAME(fetch_xor)
  XCC_CUDA_SAME(fetch_min)
  XCC_CUDA_SAME(fetch_max)
#undef XCC_CUDA_SAME
  Type load(memory_order order = memory_order_seq_cst) const {
    return self().load(order);
  }
  Type operator++() { return ++self(); }
  Type operator++(int) { return self()++; }
  Type operator--() { return --self(); }
  Type operator--(int) { return self()--; }
  template <class Other> Type operator+=(Other by) { return self() += by; }
  template <class Other> Type operator-=(Other by) { return self() -= by; }
  Type operator&=(Type by) { return self() &= by; }
  Type operator|=(Type by) { return self() |= by; }
  Type operator^=(Type by) { return self() ^= by; }
};

//===-- Barriers and copies of a block ------------------------------------===//

/// All threads of a block, which wait at arrive already: wait has nothing left to
/// do. A barrier of fewer threads stops the kernel.
template <thread_scope Scope, class Completion = void> class barrier {
  static_assert(Scope == thread_scope_block,
                "a barrier is one of the threads of a block: for a grid use "
                "cooperative_groups::this_grid().sync()");
  static_assert(::std::is_void_v<Completion>,
                "a barrier calls no function: call it after arrive_and_wait");
  ::std::ptrdiff_t expected_;

public:
  struct arrival_token {};
  barrier() = default;
  constexpr explicit barrier(::std::ptrdiff_t expected) : expected_(expected) {}
  friend void init(barrier *made, ::std::ptrdiff_t expected) {
    made->expected_ = expected;
  }
  [[clang::convergent]] arrival_token arrive(::std::ptrdiff_t = 1) {
    const auto size = xcc::cuda::detail::block_dim();
    if (expected_ != ::std::ptrdiff_t(size.x) * size.y * size.z)
      __assert_fail("a cuda::barrier expects all threads of the block",
                    __FILE__, __LINE__, "arrive");
    xcc::sync_block();
    return {};
  }
  static constexpr ::std::ptrdiff_t(max)() { return 1024; }
  static void wait(arrival_token &&) {}
  static void wait_parity(bool) {}
  static bool try_wait(arrival_token &&) { return true; }
  static bool try_wait_parity(bool) { return true; }
  template <class Time>
  static bool try_wait_for(arrival_token &&, const Time &) {
    return true;
  }
  [[clang::convergent]] void arrive_and_wait() { (void)arrive(); }
};

/// A number of bytes, and what their addresses are multiples of.
template <::std::size_t Alignment> struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  constexpr explicit aligned_size_t(::std::size_t bytes) : value(bytes) {}
  constexpr operator ::std::size_t() const { return value; }
};

/// Copies at once: each thread of the group its part.
template <class Group, class Type, class Size, class Barrier>
inline void memcpy_async(const Group &group, Type *to, const Type *from,
                         Size bytes, Barrier &) {
  auto *const target = reinterpret_cast<char *>(to);
  const auto *const source = reinterpret_cast<const char *>(from);
  for (::std::size_t at = group.thread_rank(); at < ::std::size_t(bytes);
       at += group.size())
    target[at] = source[at];
}
template <class Type, class Size, class Barrier>
inline void memcpy_async(Type *to, const Type *from, Size bytes, Barrier &) {
  __builtin_memcpy(static_cast<void *>(to), from, ::std::size_t(bytes));
}

//===-- Functions ---------------------------------------------------------===//

template <class One, class Other>
constexpr ::std::common_type_t<One, Other> ceil_div(One value, Other by) {
  using both = ::std::common_type_t<One, Other>;
  return both(both(value) / both(by) + (both(value) % both(by) != 0));
}
template <class Type> constexpr Type round_up(Type value, Type to) {
  return Type(ceil_div(value, to) * to);
}
template <class Type = void> struct maximum {
  template <class One, class Other>
  constexpr auto operator()(const One &one, const Other &other) const {
    return one < other ? other : one;
  }
};
template <class Type = void> struct minimum {
  template <class One, class Other>
  constexpr auto operator()(const One &one, const Other &other) const {
    return other < one ? other : one;
  }
};
/// A function with the type of its result, which xcc knows without.
template <class Result, class Function>
constexpr Function proclaim_return_type(Function function) {
  return function;
}

} // namespace cuda

#endif // XCC_CUDA_STANDARD_H
