// Thrust: sorts, and searches, merges and sets of what is sorted
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_ORDERS_H
#define XCC_CUDA_THRUST_ORDERS_H

#include <xcc/cuda/thrust/choices.h>

namespace thrust {
namespace detail {

/// Calls with(address) of elements: theirs, or of a copy that is put back.
template <class Run, class In, class With>
inline void in_memory(const Run &run, const In &first, std::size_t count,
                      const With &with) {
  using Type = iterator_value_t<In>;
  if constexpr (std::is_pointer_v<bare<decltype(run.raw(first))>>) {
    with(run.raw(first));
  } else {
    typename Run::template scratch<Type> made(run, count);
    run.each(count, [from = run.raw(first), to = made.data](std::size_t index) {
      to[index] = element(from, index);
    });
    with(made.data);
    put_back(run, made.data, count, first);
  }
}
struct sort_work {
  template <class Run, class In, class Less = std::less<iterator_value_t<In>>>
  void operator()(const Run &run, In first, In last, Less less = Less()) const {
    const std::size_t count = length(first, last);
    in_memory(run, first, count,
              [&](auto *keys) { run.sort(keys, count, less); });
  }
};
struct stable_sort_work : sort_work {};
struct sort_by_key_work {
  template <class Run, class Keys, class In,
            class Less = std::less<iterator_value_t<Keys>>>
  void operator()(const Run &run, Keys first, Keys last, In in,
                  Less less = Less()) const {
    const std::size_t count = length(first, last);
    in_memory(run, first, count, [&](auto *keys) {
      in_memory(run, in, count,
                [&](auto *values) { run.sort(keys, values, count, less); });
    });
  }
};
struct stable_sort_by_key_work : sort_by_key_work {};

/// In the order of numbers that a hash makes of the indices and of what the
/// engine gives first.
struct shuffle_work {
  template <class Run, class In, class Engine>
  void operator()(const Run &run, In first, In last, Engine &&engine) const {
    const std::size_t count = length(first, last);
    std::uint64_t seed = engine();
    seed = seed << 32 ^ std::uint64_t(engine());
    typename Run::template scratch<std::uint64_t> keys(run, count);
    run.each(count, [to = keys.data, seed](std::size_t index) {
      to[index] = mixed(seed + (index + 1) * 0x9e3779b97f4a7c15u);
    });
    in_memory(run, first, count, [&](auto *values) {
      run.sort(keys.data, values, count, std::less<std::uint64_t>());
    });
  }

private:
  /// The finaliser of splitmix64.
  static constexpr std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
  }
};
struct shuffle_copy_work {
  template <class Run, class In, class Out, class Engine>
  void operator()(const Run &run, In first, In last, Out out,
                  Engine &&engine) const {
    copy_work()(run, first, last, out);
    shuffle_work()(run, out, out + (last - first), engine);
  }
};

//===-- Searches ----------------------------------------------------------===//

/// The first index whose element is not less than a value, or greater.
template <class From, class Type, class Less>
constexpr std::size_t lower_index(const From &from, std::size_t count,
                                  const Type &value, const Less &less) {
  std::size_t low = 0, high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(element(from, middle), value))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
template <class From, class Type, class Less>
constexpr std::size_t upper_index(const From &from, std::size_t count,
                                  const Type &value, const Less &less) {
  std::size_t low = 0, high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(value, element(from, middle)))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
/// find(elements, count, value) of one value, or of a range of values.
template <class Find> struct search_work {
  template <class Run, class In, class Values, class Out,
            class Less = std::less<>,
            class = std::enable_if_t<is_iterator<Values> && is_iterator<Out>>>
  Out operator()(const Run &run, In first, In last, Values from, Values to,
                 Out out, Less less = Less()) const {
    return make_each(run, out, length(from, to),
                     [in = run.raw(first), values = run.raw(from), less,
                      count = length(first, last)](std::size_t index) {
                       return Find()(in, count, element(values, index), less);
                     });
  }
  template <class Run, class In, class Type>
  auto operator()(const Run &run, In first, In last, const Type &value) const {
    return (*this)(run, first, last, value, std::less<>());
  }
  template <class Run, class In, class Type, class Less>
  auto operator()(const Run &run, In first, In last, const Type &value,
                  Less less) const {
    const std::size_t found = run.template reduce<std::size_t>(
        1,
        [in = run.raw(first), value, less,
         count = length(first, last)](std::size_t) -> std::size_t {
          return static_cast<std::size_t>(Find()(in, count, value, less));
        },
        std::plus<std::size_t>(), std::size_t(0));
    if constexpr (Find::is_place)
      return first + static_cast<std::ptrdiff_t>(found);
    else
      return found != 0;
  }
};
struct find_lower {
  static constexpr bool is_place = true;
  template <class From, class Type, class Less>
  constexpr std::ptrdiff_t operator()(const From &from, std::size_t count,
                                      const Type &value,
                                      const Less &less) const {
    return static_cast<std::ptrdiff_t>(lower_index(from, count, value, less));
  }
};
struct find_upper {
  static constexpr bool is_place = true;
  template <class From, class Type, class Less>
  constexpr std::ptrdiff_t operator()(const From &from, std::size_t count,
                                      const Type &value,
                                      const Less &less) const {
    return static_cast<std::ptrdiff_t>(upper_index(from, count, value, less));
  }
};
struct find_whether {
  static constexpr bool is_place = false;
  template <class From, class Type, class Less>
  constexpr bool operator()(const From &from, std::size_t count,
                            const Type &value, const Less &less) const {
    const std::size_t at = lower_index(from, count, value, less);
    return at < count && !less(value, element(from, at));
  }
};
struct lower_bound_work : search_work<find_lower> {};
struct upper_bound_work : search_work<find_upper> {};
struct binary_search_work : search_work<find_whether> {};
struct equal_range_work {
  template <class Run, class In, class Type, class Less = std::less<>>
  pair<In, In> operator()(const Run &run, In first, In last, const Type &value,
                          Less less = Less()) const {
    return {lower_bound_work()(run, first, last, value, less),
            upper_bound_work()(run, first, last, value, less)};
  }
};

//===-- Merges and sets ---------------------------------------------------===//

struct merge_work {
  template <class Run, class One, class Other, class Out,
            class Less = std::less<>>
  Out operator()(const Run &run, One first, One last, Other other,
                 Other other_last, Out out, Less less = Less()) const {
    const std::size_t ones = length(first, last),
                      others = length(other, other_last);
    run.each(ones + others, [one = run.raw(first), two = run.raw(other),
                             to = run.raw(out), ones, others,
                             less](std::size_t index) {
      if (index < ones) {
        const auto &value = element(one, index);
        to[static_cast<std::ptrdiff_t>(
            index + lower_index(two, others, value, less))] = value;
      } else {
        const auto &value = element(two, index - ones);
        to[static_cast<std::ptrdiff_t>(
            index - ones + upper_index(one, ones, value, less))] = value;
      }
    });
    return out + static_cast<std::ptrdiff_t>(ones + others);
  }
};
struct merge_by_key_work {
  template <class Run, class One, class Other, class In, class Second,
            class OutKeys, class Out, class Less = std::less<>>
  pair<OutKeys, Out> operator()(const Run &run, One first, One last,
                                Other other, Other other_last, In in,
                                Second second, OutKeys out_keys, Out out,
                                Less less = Less()) const {
    const auto by_key = [less](const auto &one, const auto &two) {
      return less(thrust::get<0>(one), thrust::get<0>(two));
    };
    merge_work()(run, make_zip_iterator(first, in),
                 make_zip_iterator(last, in + (last - first)),
                 make_zip_iterator(other, second),
                 make_zip_iterator(other_last, second + (other_last - other)),
                 make_zip_iterator(out_keys, out), by_key);
    const auto all = (last - first) + (other_last - other);
    return {out_keys + all, out + all};
  }
};
/// Is an element of one range, of those equal to it, among the first so many that
/// the other range has?
template <class From, class Other, class Less> struct in_other {
  From from;
  std::size_t count;
  Other other;
  std::size_t others;
  Less less;
  bool wanted;
  constexpr bool operator()(std::size_t index) const {
    const auto &value = element(from, index);
    const std::size_t rank = index - lower_index(from, count, value, less);
    const std::size_t there = upper_index(other, others, value, less) -
                              lower_index(other, others, value, less);
    return (rank < there) == wanted;
  }
};
template <class Run, class One, class Other, class Out, class Less>
inline std::size_t copy_in_other(const Run &run, One first, One last,
                                 Other other, Other other_last, Out out,
                                 Less less, bool wanted) {
  const std::size_t count = length(first, last);
  return copy_chosen(
      run, first, count, out,
      in_other<bare<decltype(run.raw(first))>, bare<decltype(run.raw(other))>,
               Less>{run.raw(first), count, run.raw(other),
                     length(other, other_last), less, wanted});
}
/// The elements that the other range has too, or those that it has not.
template <bool InBoth> struct set_selection_work {
  template <class Run, class One, class Other, class Out,
            class Less = std::less<>>
  Out operator()(const Run &run, One first, One last, Other other,
                 Other other_last, Out out, Less less = Less()) const {
    return out + static_cast<std::ptrdiff_t>(copy_in_other(
                     run, first, last, other, other_last, out, less, InBoth));
  }
};
using set_intersection_work = set_selection_work<true>;
using set_difference_work = set_selection_work<false>;
struct set_union_work {
  template <class Run, class One, class Other, class Out,
            class Less = std::less<>>
  Out operator()(const Run &run, One first, One last, Other other,
                 Other other_last, Out out, Less less = Less()) const {
    using Type = iterator_value_t<Other>;
    typename Run::template scratch<Type> rest(run, length(other, other_last));
    const std::size_t left = copy_in_other(run, other, other_last, first, last,
                                           rest.data, less, false);
    return merge_work()(run, first, last, rest.data, rest.data + left, out,
                        less);
  }
};
struct set_symmetric_difference_work {
  template <class Run, class One, class Other, class Out,
            class Less = std::less<>>
  Out operator()(const Run &run, One first, One last, Other other,
                 Other other_last, Out out, Less less = Less()) const {
    typename Run::template scratch<iterator_value_t<One>> mine(
        run, length(first, last));
    typename Run::template scratch<iterator_value_t<Other>> rest(
        run, length(other, other_last));
    const std::size_t ones = copy_in_other(run, first, last, other, other_last,
                                           mine.data, less, false);
    const std::size_t others = copy_in_other(run, other, other_last, first,
                                             last, rest.data, less, false);
    return merge_work()(run, mine.data, mine.data + ones, rest.data,
                        rest.data + others, out, less);
  }
};
} // namespace detail

XCC_THRUST_ALGORITHM(sort)
XCC_THRUST_ALGORITHM(stable_sort)
XCC_THRUST_ALGORITHM(sort_by_key)
XCC_THRUST_ALGORITHM(stable_sort_by_key)
XCC_THRUST_ALGORITHM(shuffle)
XCC_THRUST_ALGORITHM(shuffle_copy)
XCC_THRUST_ALGORITHM(lower_bound)
XCC_THRUST_ALGORITHM(upper_bound)
XCC_THRUST_ALGORITHM(binary_search)
XCC_THRUST_ALGORITHM(equal_range)
XCC_THRUST_ALGORITHM(merge)
XCC_THRUST_ALGORITHM(merge_by_key)
XCC_THRUST_ALGORITHM(set_intersection)
XCC_THRUST_ALGORITHM(set_difference)
XCC_THRUST_ALGORITHM(set_union)
XCC_THRUST_ALGORITHM(set_symmetric_difference)

} // namespace thrust

#endif // XCC_CUDA_THRUST_ORDERS_H
