// Thrust: where an algorithm runs, and the steps that all are made of
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run has each, reduce, scan, select and sort. Those of a device are
// <xcc/algorithm.h>'s, in a stream, and wait for it. The others are loops: on the
// host, and in a kernel in its thread.

#ifndef XCC_CUDA_THRUST_EXECUTION_H
#define XCC_CUDA_THRUST_EXECUTION_H

#include <xcc/algorithm.h>
#include <xcc/cuda/thrust/iterators.h>

#include <algorithm>
#include <memory>

namespace thrust {
using system_error = xcc::error;
namespace system {
using system_error = xcc::error;
}

namespace detail {

//===-- Function objects --------------------------------------------------===//

/// A program's own, whose call operator need not be const.
template <class Function> struct callable {
  mutable Function function;
  template <class... Argument>
  constexpr decltype(auto) operator()(Argument &&...arguments) const {
    return function(std::forward<Argument>(arguments)...);
  }
};
struct some_call {
  void operator()();
};
template <class Type> struct with_some_call : Type, some_call {};
/// Has it a call operator, perhaps a template? Then there are two here.
template <class Type, class = void> inline constexpr bool has_call = true;
template <class Type>
inline constexpr bool
    has_call<Type, std::void_t<decltype(&with_some_call<Type>::operator())>> =
        false;
template <class Type> inline constexpr bool is_callable = false;
template <class Function>
inline constexpr bool is_callable<callable<Function>> = true;
/// Those that algorithms know stay what they are.
template <class Type> constexpr bool is_own_function() {
  if constexpr (std::is_class_v<Type> && !std::is_final_v<Type> &&
                !is_iterator<Type> && !is_callable<Type>)
    return has_call<Type>;
  else
    return false;
}
template <template <class> class Known, class Type>
inline constexpr bool is_known = false;
template <template <class> class Known, class Argument>
inline constexpr bool is_known<Known, Known<Argument>> = true;
template <class Type>
inline constexpr bool is_standard_function =
    is_known<std::plus, Type> || is_known<std::multiplies, Type> ||
    is_known<std::less, Type> || is_known<std::greater, Type> ||
    is_known<std::bit_and, Type> || is_known<std::bit_or, Type> ||
    is_known<std::bit_xor, Type>;
template <class Type> constexpr auto function_of(const Type &of) {
  if constexpr (is_standard_function<Type> || is_callable<Type>)
    return of;
  else
    return callable<Type>{of};
}
/// An argument of an algorithm.
template <class Type> constexpr decltype(auto) prepared(Type &&of) {
  if constexpr (is_own_function<bare<Type>>())
    return function_of(of);
  else
    return std::forward<Type>(of);
}

/// A policy that is an algorithm's first argument.
template <memory Where> struct policy {
  xcc::stream *stream = nullptr;
  bool waits = true;
  constexpr policy on(xcc::stream *which) const { return {which, waits}; }
  /// With an allocator, which is not used.
  template <class Allocator> constexpr policy operator()(Allocator &&) const {
    return *this;
  }
};
class host_run {
public:
  /// What an iterator is for it.
  template <class Iterator> static constexpr Iterator raw(const Iterator &of) {
    return of;
  }
  template <class Body> void each(std::size_t count, const Body &body) const {
    for (std::size_t index = 0; index < count; ++index)
      body(index);
  }
  /// What op makes of init and all get(n).
  template <class Type, class Get, class Op>
  Type reduce(std::size_t count, const Get &get, const Op &op,
              Type init) const {
    for (std::size_t index = 0; index < count; ++index)
      init = op(init, get(index));
    return init;
  }
  /// put(n, before, now); without a start, `before` of the first is itself.
  template <class Type, class Get, class Op, class Put,
            class Start = xcc::detail::no_start>
  void scan(std::size_t count, const Get &get, const Op &op, const Put &put,
            [[maybe_unused]] const Start &start = {}) const {
    if (!count)
      return;
    Type now = get(0);
    if constexpr (!std::is_same_v<Start, xcc::detail::no_start>) {
      const Type first = start.value;
      now = op(first, now);
      put(0, first, now);
    } else {
      put(0, now, now);
    }
    for (std::size_t index = 1; index < count; ++index) {
      const Type before = now;
      now = op(before, get(index));
      put(index, before, now);
    }
  }
  /// put(n, rank) of those that hold; returns how many they are.
  template <class Holds, class Put>
  std::size_t select(std::size_t count, const Holds &holds,
                     const Put &put) const {
    std::size_t rank = 0;
    for (std::size_t index = 0; index < count; ++index)
      if (holds(index))
        put(index, rank++);
    return rank;
  }
  template <class Type> struct scratch {
    scratch(const host_run &, std::size_t count)
        : all(new Type[count ? count : 1]()), data(all.get()) {}
    std::unique_ptr<Type[]> all;
    Type *data;
  };
  template <class Key, class Less>
  void sort(Key *keys, std::size_t count, const Less &less) const {
    const scratch<Key> other(*this, count);
    merge_sort<Key, xcc::detail::no_values>({keys, nullptr},
                                            {other.data, nullptr}, count, less);
  }
  template <class Key, class Value, class Less>
  void sort(Key *keys, Value *values, std::size_t count,
            const Less &less) const {
    const scratch<Key> other(*this, count);
    const scratch<Value> with(*this, count);
    merge_sort<Key, Value>({keys, values}, {other.data, with.data}, count,
                           less);
  }

private:
  /// Runs of 16 that double, between two arrays.
  template <class Key, class Value, class Less>
  static void merge_sort(xcc::detail::sorted<Key, Value> data,
                         xcc::detail::sorted<Key, Value> other,
                         std::size_t count, const Less &less) {
    constexpr std::size_t run = 16;
    for (std::size_t first = 0; first < count; first += run)
      xcc::detail::insertion_sort(
          data, first, count - first < run ? count : first + run, less);
    bool here = true;
    for (std::size_t width = run; width < count; width *= 2, here = !here)
      xcc::detail::merge_part(here ? data : other, here ? other : data, count,
                              width, 0, count, less);
    if (!here)
      for (std::size_t index = 0; index < count; ++index)
        data.take(index, other, index);
  }
};

class device_run {
public:
  explicit device_run(xcc::stream *stream, bool waits = true)
      : run_(started(stream), waits) {}

  /// What a kernel gets.
  template <class Iterator> static constexpr auto raw(const Iterator &of) {
    static_assert(memory_of<Iterator> != memory::host ||
                      std::is_pointer_v<Iterator>,
                  "an iterator of host memory in an algorithm that runs on the "
                  "device: copy the elements to a thrust::device_vector");
    return detail::raw(of);
  }
  template <class Body> void each(std::size_t count, const Body &body) const {
    if (count)
      xcc::parallel_for(run_.how, count, body);
    run_.finish();
  }
  template <class Type, class Get, class Op>
  Type reduce(std::size_t count, const Get &get, const Op &op,
              const Type &init) const {
    return xcc::detail::wait_for<Type>(run_, [&](Type *out) {
      xcc::detail::reduce_to<Type>(run_, count, get, op,
                                   [out, op, init](const Type *sum) {
                                     *out = sum ? Type(op(init, *sum)) : init;
                                   });
    });
  }
  template <class Type, class Get, class Op, class Put,
            class Start = xcc::detail::no_start>
  void scan(std::size_t count, const Get &get, const Op &op, const Put &put,
            const Start &start = {}) const {
    xcc::detail::scan_to<Type>(run_, count, get, op, put, start);
    run_.finish();
  }
  template <class Holds, class Put>
  std::size_t select(std::size_t count, const Holds &holds,
                     const Put &put) const {
    return xcc::detail::wait_for<std::size_t>(run_, [&](std::size_t *out) {
      xcc::detail::select_indices(run_, count, holds, selected<Put>{put},
                                  xcc::detail::put_number<std::size_t>{out});
    });
  }
  template <class Type> struct scratch : xcc::detail::temporary<Type> {
    scratch(const device_run &run, std::size_t count)
        : xcc::detail::temporary<Type>(run.run_, count ? count : 1) {}
  };
  template <class Key, class Less>
  void sort(Key *keys, std::size_t count, const Less &less) const {
    if (count)
      xcc::detail::sort(run_, xcc::device_span<Key>(keys, count), less);
  }
  template <class Key, class Value, class Less>
  void sort(Key *keys, Value *values, std::size_t count,
            const Less &less) const {
    if (count)
      xcc::detail::sort_by_key(run_, xcc::device_span<Key>(keys, count), values,
                               less);
  }
  const xcc::detail::algorithm_run &run() const { return run_; }

private:
  template <class Put> struct selected {
    static constexpr bool always = false;
    Put put;
    void operator()(std::size_t index, std::size_t rank) const {
      put(index, rank);
    }
  };
  /// After the work of other streams, as CUDA's default stream has it.
  static xcc::loop_config started(xcc::stream *stream) {
    xcc::cuda::detail::streams::get().order(stream);
    return stream ? xcc::loop_config(*stream) : xcc::loop_config();
  }
  xcc::detail::algorithm_run run_;
};

/// Calls work(run, arguments...): by the policy, if that is the first argument;
/// else on the device, unless iterators are of the host's memory.
template <class Work, class First, class... Rest>
inline decltype(auto) dispatch(const Work &work, First &&first,
                               Rest &&...rest) {
  using given = bare<First>;
  if constexpr (std::is_same_v<given, policy<memory::device>>) {
    return work(device_run(first.stream, first.waits),
                prepared(std::forward<Rest>(rest))...);
  } else if constexpr (std::is_same_v<given, policy<memory::host>>) {
    return work(host_run(), prepared(std::forward<Rest>(rest))...);
  } else if constexpr (memory_of_all<given, bare<Rest>...>() == memory::host) {
    return work(host_run(), std::forward<First>(first),
                prepared(std::forward<Rest>(rest))...);
  } else {
    return work(device_run(nullptr), std::forward<First>(first),
                prepared(std::forward<Rest>(rest))...);
  }
}
template <class Iterator>
constexpr std::size_t length(const Iterator &first, const Iterator &last) {
  return static_cast<std::size_t>(std::distance(first, last));
}
} // namespace detail

inline constexpr detail::policy<detail::memory::device> device{};
inline constexpr detail::policy<detail::memory::host> host{}, seq{};
namespace cuda {
inline constexpr detail::policy<detail::memory::device> par{},
    par_nosync{nullptr, false};
}
namespace cuda_cub {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
} // namespace cuda_cub
namespace hip {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
} // namespace hip
namespace system {
namespace cuda = thrust::cuda;
}

/// The algorithm of that name, from name_of's call operators.
#define XCC_THRUST_ALGORITHM(name)                                             \
  template <class First, class... Rest>                                        \
  inline decltype(auto) name(First &&first, Rest &&...rest) {                  \
    return detail::dispatch(detail::name##_work(), std::forward<First>(first), \
                            std::forward<Rest>(rest)...);                      \
  }

} // namespace thrust

#endif // XCC_CUDA_THRUST_EXECUTION_H
