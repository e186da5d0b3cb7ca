// Thrust: algorithms that take elements one by one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_ELEMENTS_H
#define XCC_CUDA_THRUST_ELEMENTS_H

#include <xcc/cuda/thrust/execution.h>

#include <vector>

namespace thrust {
namespace detail {

struct for_each_n_work {
  template <class Run, class In, class Size, class Op>
  In operator()(const Run &run, In first, Size count, Op op) const {
    run.each(static_cast<std::size_t>(count),
             [from = run.raw(first), op](std::size_t index) mutable {
               op(from[static_cast<std::ptrdiff_t>(index)]);
             });
    return first + static_cast<std::ptrdiff_t>(count);
  }
};
/// On the host, of any iterators, and with a function object that keeps things.
struct for_each_work {
  template <class In, class Op>
  In operator()(const host_run &, In first, In last, Op op) const {
    for (; first != last; ++first)
      op(*first);
    return first;
  }
  template <class In, class Op>
  In operator()(const device_run &run, In first, In last, Op op) const {
    return for_each_n_work()(run, first, length(first, last), op);
  }
};

/// to[n] = make(n), for count elements.
template <class Run, class Out, class Make>
inline Out make_each(const Run &run, Out out, std::size_t count,
                     const Make &make) {
  run.each(count, [to = run.raw(out), make](std::size_t index) {
    to[static_cast<std::ptrdiff_t>(index)] = make(index);
  });
  return out + static_cast<std::ptrdiff_t>(count);
}
template <class Iterator>
constexpr decltype(auto) element(const Iterator &from, std::size_t index) {
  return from[static_cast<std::ptrdiff_t>(index)];
}

struct transform_work {
  template <class Run, class In, class Out, class Op>
  Out operator()(const Run &run, In first, In last, Out out, Op op) const {
    return make_each(run, out, length(first, last),
                     [from = run.raw(first), op](std::size_t index) {
                       return op(element(from, index));
                     });
  }
  template <class Run, class In, class Other, class Out, class Op>
  Out operator()(const Run &run, In first, In last, Other other, Out out,
                 Op op) const {
    return make_each(
        run, out, length(first, last),
        [from = run.raw(first), with = run.raw(other), op](std::size_t index) {
          return op(element(from, index), element(with, index));
        });
  }
};
struct transform_if_work {
  template <class Run, class In, class Out, class Op, class Holds>
  Out operator()(const Run &run, In first, In last, Out out, Op op,
                 Holds holds) const {
    return (*this)(run, first, last, first, out, op, holds);
  }
  template <class Run, class In, class Stencil, class Out, class Op,
            class Holds>
  Out operator()(const Run &run, In first, In last, Stencil stencil, Out out,
                 Op op, Holds holds) const {
    const std::size_t count = length(first, last);
    run.each(count, [from = run.raw(first), with = run.raw(stencil),
                     to = run.raw(out), op, holds](std::size_t index) {
      if (holds(element(with, index)))
        to[static_cast<std::ptrdiff_t>(index)] = op(element(from, index));
    });
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct fill_n_work {
  template <class Run, class Out, class Size, class Type>
  Out operator()(const Run &run, Out out, Size count, const Type &value) const {
    return make_each(run, out, static_cast<std::size_t>(count),
                     [value](std::size_t) { return value; });
  }
};
struct fill_work {
  template <class Run, class Out, class Type>
  void operator()(const Run &run, Out first, Out last,
                  const Type &value) const {
    fill_n_work()(run, first, length(first, last),
                  static_cast<iterator_value_t<Out>>(value));
  }
};
struct sequence_work {
  template <class Run, class Out>
  void operator()(const Run &run, Out first, Out last) const {
    (*this)(run, first, last, iterator_value_t<Out>(0));
  }
  template <class Run, class Out, class Type>
  void operator()(const Run &run, Out first, Out last, Type begin) const {
    (*this)(run, first, last, begin, Type(1));
  }
  template <class Run, class Out, class Type>
  void operator()(const Run &run, Out first, Out last, Type begin,
                  Type step) const {
    make_each(run, first, length(first, last), [begin, step](std::size_t at) {
      return static_cast<iterator_value_t<Out>>(begin +
                                                step * static_cast<Type>(at));
    });
  }
};
struct tabulate_work {
  template <class Run, class Out, class Op>
  void operator()(const Run &run, Out first, Out last, Op op) const {
    make_each(run, first, length(first, last), [op](std::size_t at) {
      return op(static_cast<std::ptrdiff_t>(at));
    });
  }
};
struct generate_n_work {
  template <class Out, class Size, class Make>
  Out operator()(const host_run &, Out out, Size count, Make &&make) const {
    for (; count > 0; --count, ++out)
      *out = make();
    return out;
  }
  template <class Out, class Size, class Make>
  Out operator()(const device_run &run, Out out, Size count, Make make) const {
    run.each(static_cast<std::size_t>(count),
             [to = run.raw(out), make](std::size_t index) mutable {
               to[static_cast<std::ptrdiff_t>(index)] = make();
             });
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct generate_work {
  template <class Run, class Out, class Make>
  void operator()(const Run &run, Out first, Out last, Make &&make) const {
    generate_n_work()(run, first, length(first, last), make);
  }
};
struct replace_if_work {
  template <class Run, class In, class Holds, class Type>
  void operator()(const Run &run, In first, In last, Holds holds,
                  const Type &value) const {
    run.each(length(first, last),
             [from = run.raw(first), holds, value](std::size_t index) {
               if (holds(element(from, index)))
                 from[static_cast<std::ptrdiff_t>(index)] = value;
             });
  }
};
template <class Type> struct equals {
  Type value;
  template <class Other> constexpr bool operator()(const Other &other) const {
    return other == value;
  }
};
struct replace_work {
  template <class Run, class In, class Type>
  void operator()(const Run &run, In first, In last, const Type &before,
                  const Type &value) const {
    replace_if_work()(run, first, last, equals<Type>{before}, value);
  }
};
struct gather_work {
  template <class Run, class Map, class In, class Out>
  Out operator()(const Run &run, Map first, Map last, In in, Out out) const {
    return make_each(
        run, out, length(first, last),
        [map = run.raw(first), from = run.raw(in)](std::size_t index) {
          return iterator_value_t<In>(
              element(from, static_cast<std::size_t>(element(map, index))));
        });
  }
};
struct gather_if_work {
  template <class Run, class Map, class Stencil, class In, class Out,
            class Holds = identity<>>
  Out operator()(const Run &run, Map first, Map last, Stencil stencil, In in,
                 Out out, Holds holds = Holds()) const {
    const std::size_t count = length(first, last);
    run.each(count, [map = run.raw(first), with = run.raw(stencil),
                     from = run.raw(in), to = run.raw(out),
                     holds](std::size_t index) {
      if (holds(element(with, index)))
        to[static_cast<std::ptrdiff_t>(index)] =
            element(from, static_cast<std::size_t>(element(map, index)));
    });
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct scatter_work {
  template <class Run, class In, class Map, class Out>
  void operator()(const Run &run, In first, In last, Map map, Out out) const {
    run.each(length(first, last), [from = run.raw(first), at = run.raw(map),
                                   to = run.raw(out)](std::size_t index) {
      to[static_cast<std::ptrdiff_t>(element(at, index))] =
          element(from, index);
    });
  }
};
struct scatter_if_work {
  template <class Run, class In, class Map, class Stencil, class Out,
            class Holds = identity<>>
  void operator()(const Run &run, In first, In last, Map map, Stencil stencil,
                  Out out, Holds holds = Holds()) const {
    run.each(length(first, last),
             [from = run.raw(first), at = run.raw(map), with = run.raw(stencil),
              to = run.raw(out), holds](std::size_t index) {
               if (holds(element(with, index)))
                 to[static_cast<std::ptrdiff_t>(element(at, index))] =
                     element(from, index);
             });
  }
};
struct reverse_work {
  template <class Run, class In>
  void operator()(const Run &run, In first, In last) const {
    const std::size_t count = length(first, last);
    run.each(count / 2, [from = run.raw(first), count](std::size_t index) {
      const iterator_value_t<In> one = element(from, index);
      from[static_cast<std::ptrdiff_t>(index)] =
          element(from, count - 1 - index);
      from[static_cast<std::ptrdiff_t>(count - 1 - index)] = one;
    });
  }
};
struct reverse_copy_work {
  template <class Run, class In, class Out>
  Out operator()(const Run &run, In first, In last, Out out) const {
    const std::size_t count = length(first, last);
    return make_each(run, out, count,
                     [from = run.raw(first), count](std::size_t index) {
                       return element(from, count - 1 - index);
                     });
  }
};
struct swap_ranges_work {
  template <class Run, class One, class Other>
  Other operator()(const Run &run, One first, One last, Other other) const {
    const std::size_t count = length(first, last);
    run.each(count,
             [one = run.raw(first), two = run.raw(other)](std::size_t index) {
               const iterator_value_t<One> before = element(one, index);
               one[static_cast<std::ptrdiff_t>(index)] = element(two, index);
               two[static_cast<std::ptrdiff_t>(index)] = before;
             });
    return other + static_cast<std::ptrdiff_t>(count);
  }
};
/// Elements of a run's memory go to where the program wants them.
template <class Run, class Type, class Out>
inline void put_back(const Run &run, const Type *from, std::size_t count,
                     const Out &out) {
  make_each(run, out, count, [from](std::size_t index) { return from[index]; });
}
struct adjacent_difference_work {
  template <class Run, class In, class Out, class Op = std::minus<>>
  Out operator()(const Run &run, In first, In last, Out out,
                 Op op = Op()) const {
    using Type = iterator_value_t<In>;
    const std::size_t count = length(first, last);
    typename Run::template scratch<Type> made(run, count);
    run.each(count, [from = run.raw(first), to = made.data,
                     op](std::size_t index) {
      to[index] = index
                      ? Type(op(element(from, index), element(from, index - 1)))
                      : Type(element(from, index));
    });
    put_back(run, made.data, count, out);
    return out + static_cast<std::ptrdiff_t>(count);
  }
};

//===-- Copies between host and device ------------------------------------===//

/// Are the elements one behind the other? Of a vector they are.
template <class Iterator, class Type = iterator_value_t<Iterator>>
inline constexpr bool is_address =
    std::is_same_v<Iterator, typename std::vector<Type>::iterator> ||
    std::is_same_v<Iterator, typename std::vector<Type>::const_iterator>;
template <class Iterator>
inline constexpr bool is_address<Iterator, void> = false;
template <class Iterator>
inline constexpr bool is_address<Iterator, bool> = false;
template <class Type, class Value>
inline constexpr bool is_address<Type *, Value> = true;
template <class Type> inline constexpr bool is_address<Type *, bool> = true;
template <class Iterator> inline auto address(const Iterator &at) {
  if constexpr (std::is_pointer_v<Iterator>)
    return at;
  else
    return &*at;
}
template <class In, class Out>
inline Out copy_to_device(In first, In last, Out out) {
  using Type = iterator_value_t<Out>;
  const std::size_t count = length(first, last);
  if (!count)
    return out;
  if constexpr (memory_of<Out> == memory::device &&
                std::is_pointer_v<raw_of<Out>>) {
    if constexpr (is_address<In> &&
                  std::is_same_v<iterator_value_t<In>, Type>) {
      xcc::detail::check(
          xcc_memory_copy(raw(out), address(first), count * sizeof(Type)));
    } else {
      const std::unique_ptr<Type[]> made(new Type[count]);
      std::copy(first, last, made.get());
      xcc::detail::check(
          xcc_memory_copy(raw(out), made.get(), count * sizeof(Type)));
    }
  } else {
    using Value = iterator_value_t<In>;
    const device_run run(nullptr);
    const std::unique_ptr<Value[]> made(new Value[count]);
    std::copy(first, last, made.get());
    device_run::scratch<Value> there(run, count);
    xcc::detail::check(
        xcc_memory_copy(there.data, made.get(), count * sizeof(Value)));
    put_back(run, there.data, count, out);
  }
  return out + static_cast<std::ptrdiff_t>(count);
}
template <class In, class Out>
inline Out copy_to_host(In first, In last, Out out) {
  using Type = iterator_value_t<In>;
  const std::size_t count = length(first, last);
  if (!count)
    return out;
  const auto read = [&](Type *to) {
    if constexpr (std::is_pointer_v<raw_of<In>>) {
      xcc::detail::check(xcc_memory_copy(to, raw(first), count * sizeof(Type)));
    } else {
      const device_run run(nullptr);
      device_run::scratch<Type> made(run, count);
      make_each(run, made.data, count,
                [from = raw(first)](std::size_t index) -> Type {
                  return element(from, index);
                });
      xcc::detail::check(xcc_memory_copy(to, made.data, count * sizeof(Type)));
    }
  };
  if constexpr (is_address<Out>) {
    if constexpr (std::is_same_v<iterator_value_t<Out>, Type>) {
      read(address(out));
      return out + static_cast<std::ptrdiff_t>(count);
    }
  }
  const std::unique_ptr<Type[]> made(new Type[count]);
  read(made.get());
  return std::copy(made.get(), made.get() + count, out);
}
struct copy_work {
  template <class In, class Out>
  Out operator()(const host_run &, In first, In last, Out out) const {
    return std::copy(first, last, out);
  }
  template <class In, class Out>
  Out operator()(const device_run &run, In first, In last, Out out) const {
    return make_each(
        run, out, length(first, last),
        [from = run.raw(first)](std::size_t index) -> iterator_value_t<In> {
          return element(from, index);
        });
  }
};
struct uninitialized_fill_work : fill_work {};
} // namespace detail

XCC_THRUST_ALGORITHM(for_each)
XCC_THRUST_ALGORITHM(for_each_n)
XCC_THRUST_ALGORITHM(transform)
XCC_THRUST_ALGORITHM(transform_if)
XCC_THRUST_ALGORITHM(fill)
XCC_THRUST_ALGORITHM(fill_n)
XCC_THRUST_ALGORITHM(sequence)
XCC_THRUST_ALGORITHM(tabulate)
XCC_THRUST_ALGORITHM(generate)
XCC_THRUST_ALGORITHM(generate_n)
XCC_THRUST_ALGORITHM(replace)
XCC_THRUST_ALGORITHM(replace_if)
XCC_THRUST_ALGORITHM(gather)
XCC_THRUST_ALGORITHM(gather_if)
XCC_THRUST_ALGORITHM(scatter)
XCC_THRUST_ALGORITHM(scatter_if)
XCC_THRUST_ALGORITHM(reverse)
XCC_THRUST_ALGORITHM(reverse_copy)
XCC_THRUST_ALGORITHM(swap_ranges)
XCC_THRUST_ALGORITHM(adjacent_difference)
XCC_THRUST_ALGORITHM(uninitialized_fill)

/// Between host and device too, which the iterators say.
template <class In, class Out> inline Out copy(In first, In last, Out out) {
  using detail::memory;
  constexpr memory from = detail::memory_of<In>, to = detail::memory_of<Out>;
  if constexpr (from == memory::host && to == memory::device)
    return detail::copy_to_device(first, last, out);
  else if constexpr (from == memory::device && to == memory::host)
    return detail::copy_to_host(first, last, out);
  else
    return detail::dispatch(detail::copy_work(), first, last, out);
}
template <detail::memory Where, class In, class Out>
inline Out copy(const detail::policy<Where> &how, In first, In last, Out out) {
  using detail::memory;
  if constexpr (detail::memory_of<In> != detail::memory_of<Out> &&
                detail::both(detail::memory_of<In>, detail::memory_of<Out>) ==
                    memory::device &&
                (detail::memory_of<In> == memory::host ||
                 detail::memory_of<Out> == memory::host) &&
                !(std::is_pointer_v<In> || std::is_pointer_v<Out>))
    return thrust::copy(first, last, out);
  else
    return detail::dispatch(detail::copy_work(), how, first, last, out);
}
template <class In, class Size, class Out,
          class = std::enable_if_t<std::is_integral_v<Size>>>
inline Out copy_n(In first, Size count, Out out) {
  return thrust::copy(first, first + static_cast<std::ptrdiff_t>(count), out);
}
template <detail::memory Where, class In, class Size, class Out>
inline Out copy_n(const detail::policy<Where> &how, In first, Size count,
                  Out out) {
  return thrust::copy(how, first, first + static_cast<std::ptrdiff_t>(count),
                      out);
}
template <class... Arg>
inline decltype(auto) uninitialized_copy(Arg &&...args) {
  return thrust::copy(std::forward<Arg>(args)...);
}

} // namespace thrust

#endif // XCC_CUDA_THRUST_ELEMENTS_H
