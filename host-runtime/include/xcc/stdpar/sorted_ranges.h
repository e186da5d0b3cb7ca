// Parallel algorithms on a device: merges and sets of sorted ranges
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result is divided. A piece finds by a binary search which elements of both
// ranges it has, and goes through them in sequence.

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

/// How many of the first `place` merged elements come from the first range. Its
/// elements come before equal ones of the second.
template <class One, class Two, class Less>
std::size_t number_from_first(const One &one, std::size_t n, const Two &two,
                              std::size_t m, std::size_t place,
                              const Less &less) {
  std::size_t low = place > m ? place - m : 0, high = place < n ? place : n;
  while (low != high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(two[place - 1 - middle], one[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
/// Merges n and m elements of two sorted ranges: each thread finds where its
/// piece of the result begins, and merges the piece in sequence.
template <class One, class Two, class To, class Less>
void merge_pieces(const detail::algorithm_run &run, std::size_t n,
                  std::size_t m, One one, Two two, To to, Less less) {
  const detail::division parts = run.by_thread(n + m);
  run.each(parts.pieces, [=](std::size_t piece) {
    const std::size_t end = parts.end(piece);
    std::size_t place = parts.first(piece);
    std::size_t i = number_from_first(one, n, two, m, place, less);
    std::size_t j = place - i;
    for (; place != end && i != n && j != m; ++place)
      if (less(two[j], one[i]))
        to[place] = two[j++];
      else
        to[place] = one[i++];
    for (; place != end && i != n; ++place)
      to[place] = one[i++];
    for (; place != end; ++place)
      to[place] = two[j++];
  });
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
    if (!attempt<Less>(
            name, n + m,
            [&](const detail::algorithm_run &run) {
              merge_pieces(run, n, m, cursor(first), cursor(other), cursor(out),
                           make_callee(less));
            },
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
          merge_pieces(run, n, m, cursor(first), cursor(middle), made.data,
                       make_callee(less));
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

/// Where pieces of two sorted ranges begin.
struct cut {
  std::size_t one, two;
};
/// Elements that are equal are in one piece.
template <class One, class Two, class Less>
cut cut_at(const One &one, std::size_t n, const Two &two, std::size_t m,
           std::size_t place, const Less &less) {
  const std::size_t i = number_from_first(one, n, two, m, place, less);
  const std::size_t j = place - i;
  if (j != m && (i == n || less(two[j], one[i])))
    return {number_before(one, i, two[j], less),
            number_before(two, j, two[j], less)};
  return {i == n ? n : number_before(one, i, one[i], less), j};
}

/// Which elements are in the result: those of the first range alone, those of
/// both, and those of the second range alone.
template <bool First, bool Both, bool Second> struct set_choice {
  /// put(element) for each of a piece.
  template <class One, class Two, class Less, class Put>
  static void walk(const One &one, const Two &two, cut at, cut end,
                   const Less &less, const Put &put) {
    while (at.one != end.one && at.two != end.two) {
      if (less(one[at.one], two[at.two])) {
        put_if<First>(put, one, at.one++);
      } else if (less(two[at.two], one[at.one])) {
        put_if<Second>(put, two, at.two++);
      } else {
        put_if<Both>(put, one, at.one++);
        ++at.two;
      }
    }
    if constexpr (First)
      while (at.one != end.one)
        put(one[at.one++]);
    if constexpr (Second)
      while (at.two != end.two)
        put(two[at.two++]);
  }

private:
  template <bool Wanted, class Put, class Cursor>
  static void put_if(const Put &put, const Cursor &cursor, std::size_t i) {
    if constexpr (Wanted)
      put(cursor[i]);
  }
};

/// What a piece has put into temporary memory.
struct filled {
  std::size_t start, count;
  std::size_t before; ///< results of the pieces before it
};
/// Each piece puts its results into temporary memory, at its own elements'
/// place. Returns how many there are.
template <class Choice, class One, class Two, class Less, class Type>
std::size_t put_pieces(const detail::algorithm_run &run, One one, std::size_t n,
                       Two two, std::size_t m, Less less, Type *to,
                       filled *pieces) {
  const detail::division parts = run.by_thread(n + m);
  run.each(parts.pieces, [=](std::size_t piece) {
    const cut at = cut_at(one, n, two, m, parts.first(piece), less);
    Type *const start = to + at.one + at.two;
    Type *next = start;
    Choice::walk(one, two, at, cut_at(one, n, two, m, parts.end(piece), less),
                 less, [&next](const auto &element) { *next++ = element; });
    pieces[piece] = {at.one + at.two, static_cast<std::size_t>(next - start),
                     0};
  });
  return detail::wait_for<std::size_t>(run, [&](std::size_t *number) {
    detail::scan_to<std::size_t>(
        run, parts.pieces, [pieces](std::size_t i) { return pieces[i].count; },
        std::plus<std::size_t>(),
        [pieces, number, last = parts.pieces - 1](
            std::size_t i, std::size_t before, std::size_t now) {
          pieces[i].before = before;
          if (i == last)
            *number = now;
        },
        detail::start_with<std::size_t>{0});
  });
}
/// Results of pieces become neighbours.
template <class Type, class To>
void gather(const detail::algorithm_run &run, std::size_t count,
            const Type *from, const filled *pieces, To to) {
  run.each(run.by_thread(count).pieces, [=](std::size_t piece) {
    const filled results = pieces[piece];
    for (std::size_t i = 0; i != results.count; ++i)
      to[results.before + i] = from[results.start + i];
  });
}

/// A set of two sorted ranges, by which elements it has.
template <bool First, bool Both, bool Second> struct set_operation {
  template <class It, class Other>
  static constexpr bool can_keep =
      std::is_trivially_copyable_v<value_t<It>> &&
      (!Second || std::is_same_v<value_t<It>, value_t<Other>>);

  template <class It, class Other, class Out, class Less = std::less<>,
            class = when<can_read<It>, can_read<Other>, can_write<Out>,
                         can_call<Less>, can_keep<It, Other>>>
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
              detail::temporary<value_t<It>> made(run, n + m);
              detail::temporary<filled> pieces(run,
                                               run.by_thread(n + m).pieces);
              number = put_pieces<set_choice<First, Both, Second>>(
                  run, cursor(first), n, cursor(other), m, make_callee(less),
                  made.data, pieces.data);
              if (!number)
                return;
              auto results = range(out, number);
              map scope(results);
              gather(run, n + m, made.data, pieces.data, cursor(out));
              run.finish();
            },
            range(first, n), range(other, m)))
      return {};
    return advanced(out, number);
  }
};

using set_difference = set_operation<true, false, false>;
using set_intersection = set_operation<false, true, false>;
using set_symmetric_difference = set_operation<true, false, true>;
using set_union = set_operation<true, true, true>;

/// Each piece says whether an element of the second range is alone.
struct includes {
  template <class It, class Other, class Less = std::less<>,
            class = when<can_read<It>, can_read<Other>, can_call<Less>>>
  std::optional<bool> operator()(const char *name, It first, It last,
                                 Other other, Other other_last,
                                 Less less = Less()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!n || !m)
      return {};
    std::optional<bool> result;
    attempt<Less>(
        name, n + m,
        [&](const detail::algorithm_run &run) {
          const detail::division parts = run.by_thread(n + m);
          detail::temporary<bool> lacking(run, parts.pieces);
          mark(run, parts, cursor(first), n, cursor(other), m,
               make_callee(less), lacking.data);
          result = first_index(run, parts.pieces,
                               [marks = lacking.data](std::size_t i) {
                                 return marks[i];
                               }) == parts.pieces;
        },
        range(first, n), range(other, m));
    return result;
  }

private:
  template <class One, class Two, class Less>
  static void mark(const detail::algorithm_run &run,
                   const detail::division &parts, One one, std::size_t n,
                   Two two, std::size_t m, Less less, bool *lacking) {
    run.each(parts.pieces, [=](std::size_t piece) {
      bool alone = false;
      set_choice<false, false, true>::walk(
          one, two, cut_at(one, n, two, m, parts.first(piece), less),
          cut_at(one, n, two, m, parts.end(piece), less), less,
          [&alone](const auto &) { alone = true; });
      lacking[piece] = alone;
    });
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_SORTED_RANGES_H
