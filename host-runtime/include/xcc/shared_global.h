// Global objects that the host and devices share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     xcc::shared_global<int> errors;        // one, for all
//     void kernel(const float *x) {
//       if (x[xcc::global_id()] < 0) *errors = 1;
//     }
//
// The object is in memory of the host that devices can access
// (xcc_memory_alloc_host), allocated when the host constructs the variable. Each
// device has the variable too. Its initialiser, which runs there before the first
// kernel, asks the host for the address. Both sides identify a variable by its
// place in the source and its type.
//
// Errors. The constructor throws xcc::error if there is no memory.
//
// Threads. Several threads of the host, and kernels, may use the object; accesses
// that race have to be atomic.

#ifndef XCC_SHARED_GLOBAL_H
#define XCC_SHARED_GLOBAL_H

#include <xcc/host.h>
#include <xcc/host_call.h>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace xcc {
namespace detail {

/// Where a variable is written.
struct defined_at {
  const char *file; ///< without its folders, which depend on the unit
  unsigned line, column;
#if defined(__clang__) && __has_builtin(__builtin_FILE_NAME)
  constexpr defined_at(const char *file = __builtin_FILE_NAME(),
                       unsigned line = __builtin_LINE(),
                       unsigned column = __builtin_COLUMN())
      : file(file), line(line), column(column) {}
#else
  defined_at(); // another compiler, or an older Clang, reads the header alone
#endif

  constexpr std::uint64_t key(const char *type) const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char *text : {file, type}) {
      for (; *text; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
      hash = (hash ^ 0xff) * 0x100000001b3u;
    }
    return ((hash ^ line) * 0x100000001b3u ^ column) * 0x100000001b3u;
  }
};

#ifndef __XCC_DEVICE_PASS__
/// A variable of the host. It stays in the list, since kernels may use it until
/// the process ends.
struct shared_record {
  std::uint64_t key;
  void *memory;
  shared_record *next;
};
inline shared_record *shared_records = nullptr; ///< atomic
#endif

struct shared_global_error : std::exception {
  explicit shared_global_error(const char *text) : text(text) {}
  const char *what() const noexcept override { return text; }
  const char *text;
};

/// Runs on the host.
inline void *find_shared(std::uint64_t key) {
#ifndef __XCC_DEVICE_PASS__
  for (shared_record *known =
           __atomic_load_n(&shared_records, __ATOMIC_ACQUIRE);
       known; known = known->next)
    if (known->key == key)
      return known->memory;
#endif
  (void)key;
  throw shared_global_error(
      "an xcc::shared_global was used before the host constructed it: make it "
      "a variable of static storage, which is constructed before the first "
      "launch");
}

} // namespace detail

/// A variable of static storage that holds one Type, which the host and all
/// devices share. A GPU accesses it through its link to the host's memory, so use
/// it seldom and for little data. The host sees a kernel's writes after it has
/// waited for the launch. Updates of both sides at the same time have to be
/// atomic for the system (see docs/language.md on GPUs). It can be accessed by
/// the CPU device and by devices of the kind that is current when the host
/// constructs the variable. Define it outside of functions, as `found` here, an
/// xcc::shared_global<int> that begins as -1:
///     xcc::parallel_for(n, [=](std::size_t i) { if (x[i] < 0) *found = 1; });
///     xcc::synchronize();
///     std::printf("%d\n", *found);
template <class Type> class shared_global {
  static_assert(!std::is_polymorphic_v<Type>,
                "virtual functions have other addresses on a device");
  static_assert(std::is_trivially_destructible_v<Type>,
                "the object lives until the process ends");

public:
  explicit shared_global(detail::defined_at where = {}) { make(where); }
  template <class Value,
            class = std::enable_if_t<
                std::is_constructible_v<Type, Value &&> &&
                !std::is_same_v<std::decay_t<Value>, detail::defined_at>>>
  explicit shared_global(Value &&initial, detail::defined_at where = {}) {
    make(where, std::forward<Value>(initial));
  }
  shared_global(const shared_global &) = delete;
  shared_global &operator=(const shared_global &) = delete;

  /// Returns the object's address on the side that calls it.
  Type *get() const noexcept { return object_; }
  Type &operator*() const noexcept { return *object_; }
  Type *operator->() const noexcept { return object_; }

private:
  Type *object_;

  static const char *type() { return __PRETTY_FUNCTION__; }
  /// Asks the host for the object's address. The host has to know of the call.
  static void *ask(std::uint64_t key) {
    return host_call(detail::find_shared, key);
  }

  template <class... Value>
  void make(detail::defined_at where, Value &&...initial) {
    std::uint64_t key = where.key(type());
#ifdef __XCC_DEVICE_PASS__
    object_ = static_cast<Type *>(ask(key));
#else
    static_cast<void>(&shared_global::ask);
    void *memory = nullptr;
    detail::check(xcc_memory_alloc_host(sizeof(Type), &memory));
    object_ = ::new (memory) Type(std::forward<Value>(initial)...);
    auto *record = new detail::shared_record{
        key, memory,
        __atomic_load_n(&detail::shared_records, __ATOMIC_ACQUIRE)};
    for (const auto *other = record->next; other; other = other->next)
      if (other->key == key)
        throw detail::shared_global_error(
            "two objects of xcc::shared_global<T> with one T are written in "
            "one "
            "place, such as a macro's use or a header's static variable: give "
            "each a line of its own, or make it inline");
    while (!__atomic_compare_exchange_n(&detail::shared_records, &record->next,
                                        record, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
      ;
#endif
  }
};

} // namespace xcc

#endif // XCC_SHARED_GLOBAL_H
