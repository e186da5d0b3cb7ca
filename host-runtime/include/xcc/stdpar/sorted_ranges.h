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

#include <algorithm>

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
template <class Cursor>
using element_t = std::decay_t<decltype(std::declval<const Cursor &>()[0])>;
/// Numbers, of which one is chosen without a branch.
template <class Type>
inline constexpr bool is_chosen =
    std::is_arithmetic_v<Type> && sizeof(Type) <= sizeof(std::size_t);

template <class One, class Two>
inline constexpr bool are_chosen =
    is_chosen<element_t<One>> && std::is_same_v<element_t<One>, element_t<Two>>;
template <class Type> Type choose(bool second, Type one, Type other) {
  std::size_t bits[2] = {};
  __builtin_memcpy(&bits[0], &one, sizeof(Type));
  __builtin_memcpy(&bits[1], &other, sizeof(Type));
  const std::size_t chosen = detail::choose(second, bits[0], bits[1]);
  __builtin_memcpy(&one, &chosen, sizeof(Type));
  return one;
}

/// Two sorted ranges on their way into one, from `place` to `end`.
template <class One, class Two, class To> struct merge_front {
  One one;
  Two two;
  To to;
  std::size_t i, j, place, end;

  /// How many steps are sure to find both ranges with elements.
  std::size_t sure(std::size_t one_end, std::size_t two_end) const {
    const std::size_t left = end - place, first = one_end - i,
                      second = two_end - j;
    const std::size_t least = first < second ? first : second;
    return left < least ? left : least;
  }
  template <class Less> void step(const Less &less) {
    const element_t<One> first = one[i], other = two[j];
    const bool second = less(other, first);
    to[place++] = choose(second, first, other);
    i += !second;
    j += second;
  }
  template <class Less>
  void finish(std::size_t one_end, std::size_t two_end, const Less &less) {
    for (; place != end && i != one_end && j != two_end; ++place)
      if (less(two[j], one[i]))
        to[place] = two[j++];
      else
        to[place] = one[i++];
    for (; place != end && i != one_end; ++place)
      to[place] = one[i++];
    for (; place != end; ++place)
      to[place] = two[j++];
  }
};

/// Two sorted ranges that become one.
template <class One, class Two, class To> struct merged {
  One one;
  std::size_t n;
  Two two;
  std::size_t m;
  To to;

  using Key = element_t<To>;
  /// Does a block of a GPU merge a tile in its shared memory? A thread that goes
  /// through a piece has other lines of the memory than its neighbours.
  static constexpr bool in_tiles =
      std::is_pointer_v<One> && std::is_pointer_v<Two> &&
      std::is_pointer_v<To> && std::is_same_v<element_t<One>, Key> &&
      std::is_same_v<element_t<Two>, Key> &&
      std::is_trivially_copyable_v<Key> && detail::merges_tiles<Key>;

  /// In one thread. Each step waits for the one before it, so a CPU takes four
  /// parts at once.
  template <class Less>
  void piece(std::size_t begin, std::size_t end, [[maybe_unused]] bool host,
             const Less &less) const {
    using Front = merge_front<One, Two, To>;
    const auto front = [&](std::size_t place, std::size_t stop) {
      const std::size_t i = number_from_first(one, n, two, m, place, less);
      return Front{one, two, to, i, place - i, place, stop};
    };
    if constexpr (are_chosen<One, Two> && std::is_same_v<element_t<One>, Key>)
      if (host && end - begin >= 256) {
        const std::size_t part = (end - begin) / 4;
        Front a = front(begin, begin + part), b = front(a.end, a.end + part),
              c = front(b.end, b.end + part), d = front(c.end, end);
        detail::step_together(
            less, [&](const Front &of) { return of.sure(n, m); }, a, b, c, d);
        a.finish(n, m, less);
        b.finish(n, m, less);
        c.finish(n, m, less);
        return d.finish(n, m, less);
      }
    front(begin, end).finish(n, m, less);
  }
  /// In a block of a GPU.
  template <class Less>
  void tile(std::size_t begin, std::size_t end, const Less &less) const {
    const detail::sorted<Key, detail::no_values> out{to, nullptr};
    detail::tile_merge<Key, detail::no_values, Less>(out, out, less)
        .merge(one, n, two, m, begin, unsigned(end - begin));
  }
};
/// Merges n and m elements: each thread, or block of a GPU, finds where its piece
/// of the result begins.
template <class One, class Two, class To, class Less>
void merge_pieces(const detail::algorithm_run &run, std::size_t n,
                  std::size_t m, One one, Two two, To to, Less less) {
  using Both = merged<One, Two, To>;
  const Both both{one, n, two, m, to};
  if constexpr (Both::in_tiles) {
    using detail::division;
    const division parts =
        run.host ? run.by_thread(n + m)
                 : division(n + m, detail::merge_tile<element_t<To>>);
    run.each_block(parts.pieces, [=](std::size_t number) {
      detail::captured(both, parts, less);
      if constexpr (detail::on_gpu)
        both.tile(parts.first(number), parts.end(number), less);
      else
        both.piece(parts.first(number), parts.end(number), true, less);
    });
  } else {
    const detail::division parts = run.by_thread(n + m);
    run.each(parts.pieces, [=, host = run.host](std::size_t piece) {
      both.piece(parts.first(piece), parts.end(piece), host, less);
    });
  }
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
          using Type = value_t<It>;
          detail::temporary<Type> made(run, n + m);
          const auto order = make_callee(less);
          if (run.host && n + m <= Few) {
            in_one_thread(run,
                          merged<Type *, Type *, Type *>{
                              cursor(first), n, cursor(middle), m, made.data},
                          order);
          } else {
            merge_pieces(run, n, m, cursor(first), cursor(middle), made.data,
                         order);
            copy_back(run, n + m, cursor(first), made.data);
          }
          run.finish();
        },
        range(first, n + m));
  }

private:
  /// Not worth two launches on the CPU device.
  static constexpr std::size_t Few = 16384;

  template <class Both, class Less>
  static void in_one_thread(const detail::algorithm_run &run, Both both,
                            Less less) {
    run.each(1, [=](std::size_t) {
      detail::captured(both, less);
      if constexpr (!detail::on_gpu) {
        const std::size_t count = both.n + both.m;
        both.piece(0, count, true, less);
        for (std::size_t i = 0; i != count; ++i)
          both.one[i] = both.to[i];
      }
    });
  }
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
  static constexpr bool keeps(bool before, bool after) {
    return (First & before) | (Second & after) | (Both & !(before | after));
  }
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

/// A part of two sorted ranges on its way into a set.
template <class Choice, class One, class Two, class Type> struct set_front {
  One one;
  Two two;
  cut at, end;
  Type *start, *next;

  /// How many steps are sure to find both ranges with elements.
  std::size_t sure() const {
    return std::min(end.one - at.one, end.two - at.two);
  }
  /// As one step of Choice::walk, without a branch.
  template <class Less> void step(const Less &less) {
    const Type first = one[at.one], other = two[at.two];
    const bool before = less(first, other), after = less(other, first);
    *next = choose(after, first, other);
    next += Choice::keeps(before, after);
    at.one += !after;
    at.two += !before;
  }
  template <class Less> void finish(const Less &less) {
    Choice::walk(one, two, at, end, less,
                 [&](const auto &element) { *next++ = element; });
  }
};

/// What a part has put into temporary memory.
struct filled {
  std::size_t start, count;
  std::size_t before; ///< results of the parts before it
};
/// Into how many parts a thread divides its piece. A step waits for the one
/// before it, so a CPU takes four parts at once.
template <class One, class Two>
std::size_t parts_at_once(const detail::algorithm_run &run) {
  return are_chosen<One, Two> && run.host ? 4 : 1;
}
/// Each part puts its results into temporary memory, at the place that its
/// elements have among all.
template <class Choice, class One, class Two, class Less, class Type>
void put_parts(const detail::algorithm_run &run, One one, std::size_t n,
               Two two, std::size_t m, Less less, Type *to, filled *results) {
  const detail::division pieces = run.by_thread(n + m);
  const std::size_t each = parts_at_once<One, Two>(run);
  run.each(pieces.pieces, [=](std::size_t piece) {
    const std::size_t first = pieces.first(piece),
                      length = pieces.end(piece) - first;
    const auto part = [&](std::size_t number) {
      const auto at = [&](std::size_t part) {
        return cut_at(one, n, two, m, first + length * part / each, less);
      };
      const cut begin = at(number);
      Type *const start = to + begin.one + begin.two;
      return set_front<Choice, One, Two, Type>{
          one, two, begin, at(number + 1), start, start};
    };
    const auto finish = [&](std::size_t number, auto front) {
      front.finish(less);
      results[piece * each + number] = {
          static_cast<std::size_t>(front.start - to),
          static_cast<std::size_t>(front.next - front.start), 0};
    };
    if constexpr (are_chosen<One, Two>)
      if (each == 4) {
        auto a = part(0), b = part(1), c = part(2), d = part(3);
        detail::step_together(
            less, [](const auto &of) { return of.sure(); }, a, b, c, d);
        finish(0, a);
        finish(1, b);
        finish(2, c);
        return finish(3, d);
      }
    finish(0, part(0));
  });
}
/// How many results there are, and how many come before each part's. A template:
/// a program without such an operation has no kernels for it.
template <class Filled>
std::size_t number_results(const detail::algorithm_run &run, Filled *parts,
                           std::size_t count) {
  return detail::wait_for<std::size_t>(run, [&](std::size_t *number) {
    detail::scan_to<std::size_t>(
        run, count, [parts](std::size_t i) { return parts[i].count; },
        std::plus<std::size_t>(),
        [parts, number, last = count - 1](std::size_t i, std::size_t before,
                                          std::size_t now) {
          parts[i].before = before;
          if (i == last)
            *number = now;
        },
        detail::start_with<std::size_t>{0});
  });
}
/// Results of parts become neighbours.
template <class Type, class To>
void gather(const detail::algorithm_run &run, std::size_t count,
            const Type *from, const filled *parts, To to) {
  run.each(count, [=](std::size_t part) {
    const filled results = parts[part];
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
    if (is_few_for_passes(name, n + m))
      return {};
    std::size_t number = 0;
    if (!attempt<Less>(
            name, n + m,
            [&](const detail::algorithm_run &run) {
              detail::temporary<value_t<It>> made(run, n + m);
              const std::size_t count =
                  run.by_thread(n + m).pieces *
                  parts_at_once<cursor_t<It>, cursor_t<Other>>(run);
              detail::temporary<filled> parts(run, count);
              put_parts<set_choice<First, Both, Second>>(
                  run, cursor(first), n, cursor(other), m, make_callee(less),
                  made.data, parts.data);
              number = number_results(run, parts.data, count);
              if (!number)
                return;
              auto results = range(out, number);
              map scope(results);
              gather(run, count, made.data, parts.data, cursor(out));
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
