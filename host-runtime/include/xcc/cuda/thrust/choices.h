// Thrust: copies, removals and partitions of the elements that something holds for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_CHOICES_H
#define XCC_CUDA_THRUST_CHOICES_H

#include <xcc/cuda/thrust/sums.h>

namespace thrust {
namespace detail {

/// holds(element n), for a run's select.
template <class From, class Holds> struct holds_for {
  From from;
  Holds holds;
  constexpr bool operator()(std::size_t index) const {
    return bool(holds(element(from, index)));
  }
};
template <class Run, class In, class Holds>
inline auto chosen(const Run &run, const In &first, const Holds &holds) {
  return holds_for<bare<decltype(run.raw(first))>, Holds>{run.raw(first),
                                                          holds};
}
template <class Choice> struct not_chosen {
  Choice choice;
  constexpr bool operator()(std::size_t index) const { return !choice(index); }
};

/// Copies the elements whose index is chosen, to where they are not.
template <class Run, class In, class Out, class Choice>
inline std::size_t copy_chosen(const Run &run, const In &in, std::size_t count,
                               const Out &out, const Choice &choice) {
  return run.select(count, choice,
                    [from = run.raw(in), to = run.raw(out)](std::size_t index,
                                                            std::size_t rank) {
                      to[static_cast<std::ptrdiff_t>(rank)] =
                          element(from, index);
                    });
}
/// Moves them to the front.
template <class Run, class In, class Choice>
inline std::size_t keep_chosen(const Run &run, const In &in, std::size_t count,
                               const Choice &choice) {
  typename Run::template scratch<iterator_value_t<In>> kept(run, count);
  const std::size_t number = copy_chosen(run, in, count, kept.data, choice);
  put_back(run, kept.data, number, in);
  return number;
}

struct copy_if_work {
  template <class Run, class In, class Out, class Holds>
  Out operator()(const Run &run, In first, In last, Out out,
                 Holds holds) const {
    return (*this)(run, first, last, first, out, holds);
  }
  template <class Run, class In, class Stencil, class Out, class Holds>
  Out operator()(const Run &run, In first, In last, Stencil stencil, Out out,
                 Holds holds) const {
    return out + static_cast<std::ptrdiff_t>(
                     copy_chosen(run, first, length(first, last), out,
                                 chosen(run, stencil, holds)));
  }
};
struct remove_copy_if_work {
  template <class Run, class In, class Out, class Holds>
  Out operator()(const Run &run, In first, In last, Out out,
                 Holds holds) const {
    return copy_if_work()(run, first, last, out, not_fn(holds));
  }
  template <class Run, class In, class Stencil, class Out, class Holds>
  Out operator()(const Run &run, In first, In last, Stencil stencil, Out out,
                 Holds holds) const {
    return copy_if_work()(run, first, last, stencil, out, not_fn(holds));
  }
};
struct remove_copy_work {
  template <class Run, class In, class Out, class Type>
  Out operator()(const Run &run, In first, In last, Out out,
                 const Type &value) const {
    return remove_copy_if_work()(run, first, last, out, equals<Type>{value});
  }
};
struct remove_if_work {
  template <class Run, class In, class Holds>
  In operator()(const Run &run, In first, In last, Holds holds) const {
    return (*this)(run, first, last, first, holds);
  }
  template <class Run, class In, class Stencil, class Holds>
  In operator()(const Run &run, In first, In last, Stencil stencil,
                Holds holds) const {
    return first + static_cast<std::ptrdiff_t>(
                       keep_chosen(run, first, length(first, last),
                                   chosen(run, stencil, not_fn(holds))));
  }
};
struct remove_work {
  template <class Run, class In, class Type>
  In operator()(const Run &run, In first, In last, const Type &value) const {
    return remove_if_work()(run, first, last, equals<Type>{value});
  }
};
template <class Run, class Keys, class Same>
inline auto groups(const Run &run, const Keys &first, const Same &same) {
  return begins_group<bare<decltype(run.raw(first))>, Same>{run.raw(first),
                                                            same};
}
struct unique_work {
  template <class Run, class In, class Same = std::equal_to<>>
  In operator()(const Run &run, In first, In last, Same same = Same()) const {
    return first +
           static_cast<std::ptrdiff_t>(keep_chosen(
               run, first, length(first, last), groups(run, first, same)));
  }
};
struct unique_count_work {
  template <class Run, class In, class Same = std::equal_to<>>
  std::ptrdiff_t operator()(const Run &run, In first, In last,
                            Same same = Same()) const {
    return count_if_work()(run, counting_iterator<std::size_t>(0),
                           counting_iterator<std::size_t>(length(first, last)),
                           groups(run, first, same));
  }
};
struct unique_copy_work {
  template <class Run, class In, class Out, class Same = std::equal_to<>>
  Out operator()(const Run &run, In first, In last, Out out,
                 Same same = Same()) const {
    return out +
           static_cast<std::ptrdiff_t>(copy_chosen(
               run, first, length(first, last), out, groups(run, first, same)));
  }
};
struct unique_by_key_copy_work {
  template <class Run, class Keys, class In, class OutKeys, class Out,
            class Same = std::equal_to<>>
  pair<OutKeys, Out> operator()(const Run &run, Keys first, Keys last, In in,
                                OutKeys out_keys, Out out,
                                Same same = Same()) const {
    const auto from = make_zip_iterator(first, in);
    const auto number = static_cast<std::ptrdiff_t>(copy_chosen(
        run, from, length(first, last), make_zip_iterator(out_keys, out),
        groups(run, first, same)));
    return {out_keys + number, out + number};
  }
};
struct unique_by_key_work {
  template <class Run, class Keys, class In, class Same = std::equal_to<>>
  pair<Keys, In> operator()(const Run &run, Keys first, Keys last, In in,
                            Same same = Same()) const {
    const auto number = static_cast<std::ptrdiff_t>(
        keep_chosen(run, make_zip_iterator(first, in), length(first, last),
                    groups(run, first, same)));
    return {first + number, in + number};
  }
};
struct stable_partition_copy_work {
  template <class Run, class In, class Out, class Rest, class Holds>
  pair<Out, Rest> operator()(const Run &run, In first, In last, Out out,
                             Rest rest, Holds holds) const {
    return (*this)(run, first, last, first, out, rest, holds);
  }
  template <class Run, class In, class Stencil, class Out, class Rest,
            class Holds>
  pair<Out, Rest> operator()(const Run &run, In first, In last, Stencil stencil,
                             Out out, Rest rest, Holds holds) const {
    const std::size_t count = length(first, last);
    const auto choice = chosen(run, stencil, holds);
    const auto number = static_cast<std::ptrdiff_t>(
        copy_chosen(run, first, count, out, choice));
    const auto others = static_cast<std::ptrdiff_t>(copy_chosen(
        run, first, count, rest, not_chosen<bare<decltype(choice)>>{choice}));
    return {out + number, rest + others};
  }
};
struct stable_partition_work {
  template <class Run, class In, class Holds>
  In operator()(const Run &run, In first, In last, Holds holds) const {
    return (*this)(run, first, last, first, holds);
  }
  template <class Run, class In, class Stencil, class Holds>
  In operator()(const Run &run, In first, In last, Stencil stencil,
                Holds holds) const {
    const std::size_t count = length(first, last);
    typename Run::template scratch<iterator_value_t<In>> made(run, count);
    const auto choice = chosen(run, stencil, holds);
    const std::size_t number =
        copy_chosen(run, first, count, made.data, choice);
    copy_chosen(run, first, count, made.data + number,
                not_chosen<bare<decltype(choice)>>{choice});
    put_back(run, made.data, count, first);
    return first + static_cast<std::ptrdiff_t>(number);
  }
};
struct partition_work : stable_partition_work {};
struct partition_copy_work : stable_partition_copy_work {};
struct partition_point_work {
  template <class Run, class In, class Holds>
  In operator()(const Run &run, In first, In last, Holds holds) const {
    return find_if_not_work()(run, first, last, holds);
  }
};
struct is_partitioned_work {
  template <class Run, class In, class Holds>
  bool operator()(const Run &run, In first, In last, Holds holds) const {
    const In point = find_if_not_work()(run, first, last, holds);
    return count_if_work()(run, point, last, holds) == 0;
  }
};
} // namespace detail

XCC_THRUST_ALGORITHM(copy_if)
XCC_THRUST_ALGORITHM(remove)
XCC_THRUST_ALGORITHM(remove_if)
XCC_THRUST_ALGORITHM(remove_copy)
XCC_THRUST_ALGORITHM(remove_copy_if)
XCC_THRUST_ALGORITHM(unique)
XCC_THRUST_ALGORITHM(unique_count)
XCC_THRUST_ALGORITHM(unique_copy)
XCC_THRUST_ALGORITHM(unique_by_key)
XCC_THRUST_ALGORITHM(unique_by_key_copy)
XCC_THRUST_ALGORITHM(partition)
XCC_THRUST_ALGORITHM(stable_partition)
XCC_THRUST_ALGORITHM(partition_copy)
XCC_THRUST_ALGORITHM(stable_partition_copy)
XCC_THRUST_ALGORITHM(partition_point)
XCC_THRUST_ALGORITHM(is_partitioned)

} // namespace thrust

#endif // XCC_CUDA_THRUST_CHOICES_H
