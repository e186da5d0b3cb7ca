// The element that a sort would bring to a place, on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. A sorted sample gives two bounds, between which the
// element lies with few others: Floyd and Rivest, "Expected Time Bounds for
// Selection" (1975). Elements below them go to the front, elements above them to
// the back, and those between are what is left to do.

#ifndef XCC_ALGORITHM_NTH_ELEMENT_H
#define XCC_ALGORITHM_NTH_ELEMENT_H

#include <xcc/algorithm/radix_sort.h>

#include <cmath>

namespace xcc {
namespace detail {

/// Elements from all parts of a range, in order.
template <class Type> struct sorted_sample {
  std::size_t size;
  temporary<Type> elements;

  template <class Less>
  sorted_sample(const algorithm_run &run, const Type *data, std::size_t count,
                const Less &less)
      : size(count / 64 < 16384 ? count / 64 : 16384), elements(run, size) {
    const std::size_t step = count / size;
    parallel_for(run.how, size, [=, to = elements.data](std::size_t index) {
      // A regular sample could meet a regular range.
      const std::size_t shift = index * 2654435761u % step;
      to[index] = data[index * step + shift];
    });
    sort_whole(run, size, elements.data, less);
  }
};

/// An element, if there is one.
template <class Type> struct bound {
  bool is;
  Type value;
};

/// Divides elements: those below `low` to the front, those above `high` to the
/// back. Returns how many are in front, and how many in the middle.
template <class Type, class Less>
inline std::pair<std::size_t, std::size_t>
divide_by(const algorithm_run &run, Type *data, Type *other, std::size_t count,
          const bound<Type> &low, const bound<Type> &high, const Less &less) {
  temporary<std::size_t> number(run, 1);
  select_once<Type>(
      run, count, read_of<Type>{data},
      [low, less](std::size_t, const Type &element) {
        return low.is && bool(less(element, low.value));
      },
      put_front<Type>{data},
      [other](std::size_t, std::size_t rank, const Type &element) {
        other[rank] = element;
      },
      put_number<std::size_t>{number.data});
  const std::size_t front = number.get();
  if (front == count)
    return {front, 0};
  select_once<Type>(
      run, count - front, read_of<Type>{other},
      [high, less](std::size_t, const Type &element) {
        return !high.is || !bool(less(high.value, element));
      },
      put_front<Type>{other},
      [data, count](std::size_t, std::size_t rank, const Type &element) {
        data[count - 1 - rank] = element;
      },
      put_number<std::size_t>{number.data});
  const std::size_t middle = number.get();
  parallel_for(run.how, middle ? middle : 1, [=](std::size_t index) {
    if (index < middle)
      data[front + index] = other[index];
  });
  return {front, middle};
}

/// As std::nth_element, on a GPU. `other` has as many elements, for the time of
/// this call. Waits.
template <class Type, class Less>
inline void nth_element_tiles(const algorithm_run &run, std::size_t count,
                              std::size_t nth, Type *data, Type *other,
                              const Less &less) {
  constexpr std::size_t Few = 16384; // a sort takes less
  while (count > Few) {
    const sorted_sample<Type> sample(run, data, count, less);
    const std::size_t at = std::size_t(double(nth) / double(count) *
                                       double(sample.size)),
                      margin = std::size_t(std::sqrt(sample.size) * 1.5);
    const bool has_low = at >= margin, has_high = at + margin < sample.size;
    const bound<Type> low{has_low,
                          sample.elements.get(has_low ? at - margin : 0)},
        high{has_high,
             sample.elements.get(has_high ? at + margin : sample.size - 1)};
    const auto [front, middle] =
        divide_by(run, data, other, count, low, high, less);
    if (nth < front) {
      count = front;
    } else if (nth >= front + middle) {
      data += front + middle;
      nth -= front + middle;
      count -= front + middle;
    } else {
      data += front;
      nth -= front;
      if (has_low && has_high && !less(low.value, high.value))
        return; // all in the middle are equal
      const bool is_less = middle < count / 2;
      count = middle;
      if (!is_less)
        break;
    }
  }
  stable_sort(run, count, sorted<Type, no_values>{data, nullptr},
              sorted<Type, no_values>{other, nullptr}, less);
}

/// Of numbers, in the order in which a radix sort brings them.
template <class Type, class Less>
inline void nth_element(const algorithm_run &run, std::size_t count,
                        std::size_t nth, Type *data, const Less &less) {
  temporary<Type> other(run, count);
  if constexpr (sorts_digits<Type, Less>)
    nth_element_tiles(run, count, nth, data, other.data,
                      less_digits<Type, is_descending<Type, Less>>());
  else
    nth_element_tiles(run, count, nth, data, other.data, less);
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_NTH_ELEMENT_H
