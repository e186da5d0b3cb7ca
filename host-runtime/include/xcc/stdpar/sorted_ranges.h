// Parallel algorithms on a device: merges and sets of sorted ranges
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each element finds its place, or whether it is in the result, by binary searches.

#ifndef XCC_STDPAR_SORTED_RANGES_H
#define XCC_STDPAR_SORTED_RANGES_H

#include <xcc/stdpar/orders.h>
#include <xcc/stdpar/searches.h>

namespace xcc {
namespace stdpar {

/// How many elements of a sorted range come before a value; with_equal: or are
/// equal to it.
template <class Cursor, class Value, class Less>
std::size_t number_before(const Cursor &at, std::size_t count,
                          const Value &value, const Less &less,
                          bool with_equal = false) {
  std::size_t low = 0, high = count;
  while (low != high) {
    const std::size_t middle = low + (high - low) / 2;
    const bool before = with_equal ? !less(value, at[middle])
                                   : static_cast<bool>(less(at[middle], value));
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Writes each of n + m elements of two sorted ranges to its place. Those of the
/// first range come before equal ones of the second.
template <class One, class Two, class To, class Less>
auto merge_step(std::size_t n, std::size_t m, One one, Two two, To to,
                Less less) {
  return [=](std::size_t i) {
    if (i < n)
      to[i + number_before(two, m, one[i], less)] = one[i];
    else
      to[i - n + number_before(one, n, two[i - n], less, true)] = two[i - n];
  };
}
struct merge {
  template <class It, class Other, class Out, class Less = std::less<>,
            class = when<can_read<It>, can_read<Other>, can_write<Out>,
                         can_call<Less>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Other other, Other other_last, Out out,
                                Less less = Less()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!n || !m)
      return {};
    if (!each<Less>(name, n + m,
                    merge_step(n, m, cursor(first), cursor(other), cursor(out),
                               make_callee(less)),
                    range(first, n), range(other, m), range(out, n + m)))
      return {};
    return advanced(out, n + m);
  }
};
/// Through temporary memory.
struct inplace_merge {
  template <class It, class Less = std::less<>,
            class = when<can_move_bytes<It>, can_call<Less>>>
  bool operator()(const char *name, It first, It middle, It last,
                  Less less = Less()) const {
    const std::size_t n = length(first, middle), m = length(middle, last);
    if (!n || !m)
      return false;
    return attempt<Less>(
        name, n + m,
        [&](const detail::algorithm_run &run) {
          detail::temporary<value_t<It>> made(run, n + m);
          parallel_for(run.how, n + m,
                       merge_step(n, m, cursor(first), cursor(middle),
                                  made.data, make_callee(less)));
          copy_back(run, n + m, cursor(first), made.data);
          run.finish();
        },
        range(first, n + m));
  }

private:
  template <class Type>
  static void copy_back(const detail::algorithm_run &run, std::size_t count,
                        Type *to, const Type *from) {
    parallel_for(run.how, count, [=](std::size_t i) { to[i] = from[i]; });
  }
};
/// The whole input is sorted in temporary memory.
struct partial_sort_copy {
  template <class It, class Out, class Less = std::less<>,
            class = when<can_read<It>, can_write<Out>, can_call<Less>,
                         std::is_trivially_copyable_v<value_t<It>>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Out out_last, Less less = Less()) const {
    const std::size_t n = length(first, last), room = length(out, out_last);
    const std::size_t number = n < room ? n : room;
    if (!number)
      return {};
    if (!attempt<Less>(
            name, n,
            [&](const detail::algorithm_run &run) {
              using Key = value_t<It>;
              detail::temporary<Key> keys(run, n), other(run, n);
              parallel_for(run.how, n,
                           [at = cursor(first), to = keys.data](std::size_t i) {
                             to[i] = at[i];
                           });
              detail::stable_sort(
                  run, n, detail::sorted<Key, detail::no_values>{keys.data, {}},
                  detail::sorted<Key, detail::no_values>{other.data, {}},
                  make_callee_of<Key>(less));
              parallel_for(run.how, number,
                           [from = keys.data, to = cursor(out)](std::size_t i) {
                             to[i] = from[i];
                           });
              run.finish();
            },
            range(first, n), range(out, number)))
      return {};
    return advanced(out, number);
  }
};

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

/// Whether a range of n elements has an element more often, up to it, than
/// another range of m has elements that are equal to it.
template <class One, class Two, class Less> struct exceeds {
  One one;
  std::size_t n;
  Two two;
  std::size_t m;
  Less less;
  bool operator()(std::size_t i) const {
    const std::size_t rank = i - number_before(one, i, one[i], less);
    const std::size_t others =
        number_before(two, m, one[i], less, /*with_equal=*/true) -
        number_before(two, m, one[i], less);
    return rank >= others;
  }
};
template <class One, class Two, class Less>
exceeds<One, Two, Less> make_exceeds(One one, std::size_t n, Two two,
                                     std::size_t m, Less less) {
  return {one, n, two, m, less};
}

/// set_difference has what exceeds, set_intersection what does not.
template <bool Exceeding> struct set_part {
  template <class It, class Other, class Out, class Less = std::less<>,
            class = when<can_read<It>, can_read<Other>, can_write<Out>,
                         can_call<Less>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Other other, Other other_last, Out out,
                                Less less = Less()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!n || !m)
      return {};
    return selected<Less>(
        name, first, n, out,
        [exceed = make_exceeds(cursor(first), n, cursor(other), m,
                               make_callee(less))](std::size_t i) {
          return exceed(i) == Exceeding;
        },
        range(other, m));
  }
};
/// set_union has all of the first range, set_symmetric_difference what exceeds;
/// both have what exceeds of the second range.
template <bool All> struct set_sum {
  template <
      class It, class Other, class Out, class Less = std::less<>,
      class = when<can_read<It>, can_read<Other>, can_write<Out>,
                   can_call<Less>, std::is_trivially_copyable_v<value_t<It>>,
                   std::is_trivially_copyable_v<value_t<Other>>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Other other, Other other_last, Out out,
                                Less less = Less()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!n || !m)
      return {};
    std::size_t number = 0;
    if (!attempt<Less>(
            name, n + m,
            [&](const detail::algorithm_run &run) {
              const auto call = make_callee(less);
              detail::temporary<value_t<It>> one(run, n);
              detail::temporary<value_t<Other>> two(run, m);
              const auto of_first =
                  make_exceeds(cursor(first), n, cursor(other), m, call);
              const std::size_t own = keep(
                  run, n,
                  [of_first](std::size_t i) { return All || of_first(i); },
                  cursor(first), one.data);
              const std::size_t others =
                  keep(run, m,
                       make_exceeds(cursor(other), m, cursor(first), n, call),
                       cursor(other), two.data);
              number = own + others;
              if (!number)
                return;
              auto results = range(out, number);
              map scope(results);
              parallel_for(run.how, number,
                           merge_step(own, others, one.data, two.data,
                                      cursor(out), call));
              run.finish();
            },
            range(first, n), range(other, m)))
      return {};
    return advanced(out, number);
  }

private:
  /// Copies what is chosen to temporary memory. Returns how many.
  template <class Chosen, class From, class Type>
  static std::size_t keep(const detail::algorithm_run &run, std::size_t n,
                          const Chosen &chosen, const From &from, Type *to) {
    return detail::wait_for<std::size_t>(run, [&](std::size_t *number) {
      detail::select_to(run, n, chosen, put_at<From, Type *>{from, to},
                        detail::put_number<std::size_t>{number});
    });
  }
};
struct includes {
  template <class It, class Other, class Less = std::less<>,
            class = when<can_read<It>, can_read<Other>, can_call<Less>>>
  std::optional<bool> operator()(const char *name, It first, It last,
                                 Other other, Other other_last,
                                 Less less = Less()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!n || !m)
      return {};
    const auto lacking = found_index<Less>(
        name, n + m, m,
        make_exceeds(cursor(other), m, cursor(first), n, make_callee(less)),
        range(first, n), range(other, m));
    if (!lacking)
      return {};
    return *lacking == m;
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_SORTED_RANGES_H
