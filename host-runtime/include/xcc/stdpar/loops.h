// Parallel algorithms on a device: one step for each element, and reductions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function object takes the algorithm's name and its arguments. It runs
// where its types allow that, and returns nothing where the host has to.

#ifndef XCC_STDPAR_LOOPS_H
#define XCC_STDPAR_LOOPS_H

#include <xcc/stdpar/attempt.h>

#include <functional>
#include <new>

namespace xcc {
namespace stdpar {

template <bool... Condition> using when = std::enable_if_t<(Condition && ...)>;
template <class It> std::size_t length(It first, It last) {
  const auto count = last - first;
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}
template <class Size> std::size_t length_of(Size count) {
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}
template <class It> It advanced(It it, std::size_t by) {
  return it + static_cast<difference_t<It>>(by);
}
template <class It> auto cursor(It it) { return cursor_of<It>::at(it); }
template <class It> auto range(It it, std::size_t count) {
  return cursor_of<It>::range(it, count);
}

/// body(i) for each index, with what it uses of the ranges mapped.
template <class... Function, class Body, class... Type>
bool each(const char *name, std::size_t count, const Body &body,
          const Type &...ranges) {
  return attempt<Function...>(
      name, count,
      [&](const detail::algorithm_run &run) {
        parallel_for(run.how, count, body);
      },
      ranges...);
}

struct for_each {
  template <class It, class Function,
            class = when<can_change<It>, can_call<Function>>>
  bool operator()(const char *name, It first, It last, Function f) const {
    const std::size_t n = length(first, last);
    return each<Function>(
        name, n,
        [at = cursor(first), f = make_callee(f)](std::size_t i) { f(at[i]); },
        range(first, n));
  }
};
struct for_each_n {
  template <class It, class Size, class Function,
            class = when<can_change<It>, can_call<Function>>>
  std::optional<It> operator()(const char *name, It first, Size size,
                               Function f) const {
    const std::size_t n = length_of(size);
    if (!for_each()(name, first, advanced(first, n), f))
      return {};
    return advanced(first, n);
  }
};

struct transform {
  template <class It, class Out, class Function,
            class = when<can_read<It>, can_write<Out>, can_call<Function>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Function f) const {
    const std::size_t n = length(first, last);
    if (!each<Function>(
            name, n,
            [at = cursor(first), to = cursor(out),
             f = make_callee(f)](std::size_t i) { to[i] = f(at[i]); },
            range(first, n), range(out, n)))
      return {};
    return advanced(out, n);
  }
  template <class It, class Other, class Out, class Function,
            class = when<can_read<It>, can_read<Other>, can_write<Out>,
                         can_call<Function>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Other other, Out out, Function f) const {
    const std::size_t n = length(first, last);
    if (!each<Function>(
            name, n,
            [at = cursor(first), with = cursor(other), to = cursor(out),
             f = make_callee(f)](std::size_t i) { to[i] = f(at[i], with[i]); },
            range(first, n), range(other, n), range(out, n)))
      return {};
    return advanced(out, n);
  }
};

struct copy {
  template <class It, class Out, class = when<can_read<It>, can_write<Out>>>
  std::optional<Out> operator()(const char *name, It first, It last,
                                Out out) const {
    const std::size_t n = length(first, last);
    if (!each(
            name, n,
            [at = cursor(first), to = cursor(out)](std::size_t i) {
              to[i] = at[i];
            },
            range(first, n), range(out, n)))
      return {};
    return advanced(out, n);
  }
};
struct copy_n {
  template <class It, class Size, class Out,
            class = when<can_read<It>, can_write<Out>>>
  std::optional<Out> operator()(const char *name, It first, Size size,
                                Out out) const {
    return copy()(name, first, advanced(first, length_of(size)), out);
  }
};

/// Values that are given to kernels as they are.
template <class Type>
inline constexpr bool can_pass =
    std::is_trivially_copyable_v<Type> && !std::is_array_v<Type> &&
    !std::is_function_v<Type>;

struct fill {
  template <class It, class Type, class = when<can_write<It>, can_pass<Type>>>
  bool operator()(const char *name, It first, It last,
                  const Type &value) const {
    const std::size_t n = length(first, last);
    return each(
        name, n, [at = cursor(first), value](std::size_t i) { at[i] = value; },
        range(first, n));
  }
};
struct fill_n {
  template <class It, class Size, class Type,
            class = when<can_write<It>, can_pass<Type>>>
  std::optional<It> operator()(const char *name, It first, Size size,
                               const Type &value) const {
    const It last = advanced(first, length_of(size));
    if (!fill()(name, first, last, value))
      return {};
    return last;
  }
};

struct replace_if {
  template <class It, class Holds, class Type,
            class = when<can_write<It>, can_call<Holds>, can_pass<Type>>>
  bool operator()(const char *name, It first, It last, Holds holds,
                  const Type &value) const {
    const std::size_t n = length(first, last);
    return each<Holds>(
        name, n,
        [at = cursor(first), holds = make_callee(holds), value](std::size_t i) {
          if (holds(at[i]))
            at[i] = value;
        },
        range(first, n));
  }
};
struct replace {
  template <class It, class Type, class = when<can_write<It>, can_pass<Type>>>
  bool operator()(const char *name, It first, It last, const Type &old,
                  const Type &value) const {
    return replace_if()(
        name, first, last,
        [old](const auto &element) { return element == old; }, value);
  }
};
struct reverse {
  template <class It, class = when<can_write<It>>>
  bool operator()(const char *name, It first, It last) const {
    const std::size_t n = length(first, last);
    return attempt(
        name, n,
        [&](const detail::algorithm_run &run) {
          if (n > 1)
            parallel_for(run.how, n / 2,
                         [at = cursor(first), n](std::size_t i) {
                           using std::swap;
                           swap(at[i], at[n - 1 - i]);
                         });
        },
        range(first, n));
  }
};
struct swap_ranges {
  template <class It, class Other,
            class = when<can_write<It>, can_write<Other>>>
  std::optional<Other> operator()(const char *name, It first, It last,
                                  Other other) const {
    const std::size_t n = length(first, last);
    if (!each(
            name, n,
            [at = cursor(first), with = cursor(other)](std::size_t i) {
              using std::swap;
              swap(at[i], with[i]);
            },
            range(first, n), range(other, n)))
      return {};
    return advanced(other, n);
  }
};

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Keeps a sum.
template <class Type> struct put_total {
  Type *to;
  void operator()(const Type *sum) const {
    if (sum)
      *to = *sum;
  }
};
/// What op makes of get(0) ... get(count - 1), of which there is one.
template <class Type, class Get, class Op>
Type total(const detail::algorithm_run &run, std::size_t count, const Get &get,
           const Op &op) {
  const detail::division parts = detail::pieces_of<Type>(run, count);
  detail::temporary<Type> sums(run, parts.pieces);
  detail::reduce_pieces<Type>(run, parts, get, op, sums.data);
  if (parts.pieces == 1)
    return sums.get();
  detail::temporary<Type> out(run, 1);
  detail::reduce_sums<Type>(run, parts.pieces, sums.data, op,
                            put_total<Type>{out.data});
  return out.get();
}

struct transform_reduce {
  template <class It, class Type, class Op, class Change,
            class = when<can_read<It>, can_pass<Type>, can_call<Op>,
                         can_call<Change>>>
  std::optional<Type> operator()(const char *name, It first, It last, Type init,
                                 Op op, Change change) const {
    std::optional<Type> result;
    const std::size_t n = length(first, last);
    attempt<Op, Change>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result.emplace(static_cast<Type>(
              op(init, total<Type>(
                           run, n,
                           [at = cursor(first), change = make_callee(change)](
                               std::size_t i) -> Type { return change(at[i]); },
                           make_callee(op)))));
        },
        range(first, n));
    return result;
  }
  template <class It, class Other, class Type, class Op, class Change,
            class = when<can_read<It>, can_read<Other>, can_pass<Type>,
                         can_call<Op>, can_call<Change>>>
  std::optional<Type> operator()(const char *name, It first, It last,
                                 Other other, Type init, Op op,
                                 Change change) const {
    std::optional<Type> result;
    const std::size_t n = length(first, last);
    attempt<Op, Change>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result.emplace(static_cast<Type>(std::invoke(
              op, init,
              total<Type>(
                  run, n,
                  [at = cursor(first), with = cursor(other),
                   change = make_callee(change)](std::size_t i) -> Type {
                    return change(at[i], with[i]);
                  },
                  make_callee(op)))));
        },
        range(first, n), range(other, n));
    return result;
  }
  template <class It, class Other, class Type,
            class = when<can_read<It>, can_read<Other>, can_pass<Type>>>
  std::optional<Type> operator()(const char *name, It first, It last,
                                 Other other, Type init) const {
    return (*this)(name, first, last, other, init, std::plus<>(),
                   std::multiplies<>());
  }
};
struct reduce {
  template <class It, class Type, class Op,
            class = when<can_read<It>, can_pass<Type>, can_call<Op>>>
  std::optional<Type> operator()(const char *name, It first, It last, Type init,
                                 Op op) const {
    return transform_reduce()(
        name, first, last, init, op,
        [](const auto &element) -> const auto & { return element; });
  }
  template <class It, class Type, class = when<can_read<It>, can_pass<Type>>>
  std::optional<Type> operator()(const char *name, It first, It last,
                                 Type init) const {
    return (*this)(name, first, last, init, std::plus<>());
  }
  template <class It, class = when<can_read<It>, can_pass<value_t<It>>>>
  std::optional<value_t<It>> operator()(const char *name, It first,
                                        It last) const {
    return (*this)(name, first, last, value_t<It>(), std::plus<>());
  }
};

struct count_if {
  template <class It, class Holds, class = when<can_read<It>, can_call<Holds>>>
  std::optional<std::size_t> operator()(const char *name, It first, It last,
                                        Holds holds) const {
    std::optional<std::size_t> result;
    const std::size_t n = length(first, last);
    attempt<Holds>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result = total<std::size_t>(
              run, n,
              [at = cursor(first), holds = make_callee(holds)](std::size_t i) {
                return static_cast<std::size_t>(
                    static_cast<bool>(holds(at[i])));
              },
              std::plus<std::size_t>());
        },
        range(first, n));
    return result;
  }
};
/// Compares elements with a value that a kernel has.
template <class Type> struct equals {
  Type value;
  template <class Element> bool operator()(const Element &element) const {
    return element == value;
  }
};
struct count {
  template <class It, class Type, class = when<can_read<It>, can_pass<Type>>>
  std::optional<std::size_t> operator()(const char *name, It first, It last,
                                        const Type &value) const {
    return count_if()(name, first, last, equals<Type>{value});
  }
};

/// The first element that none is before, or the last.
/// A number and its place: the best one so far is not read again.
template <class Type> struct placed {
  Type value;
  std::size_t at;
};
template <bool Largest> struct extreme_element {
  template <class It, class Less, class = when<can_read<It>, can_call<Less>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Less less) const {
    std::optional<It> result;
    const std::size_t n = length(first, last);
    attempt<Less>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result = advanced(first, best<value_t<It>>(run, n, cursor(first),
                                                     make_callee(less)));
        },
        range(first, n));
    return result;
  }

private:
  template <class Type, class Cursor, class Less>
  static std::size_t best(const detail::algorithm_run &run, std::size_t n,
                          Cursor at, Less less) {
    if constexpr (std::is_arithmetic_v<Type>) {
      const auto better = [less](const placed<Type> &one,
                                 const placed<Type> &other) {
        const bool second = Largest ? less(one.value, other.value)
                                    : less(other.value, one.value);
        return second ? other : one;
      };
      return total<placed<Type>>(
                 run, n, [at](std::size_t i) { return placed<Type>{at[i], i}; },
                 better)
          .at;
    } else
      return total<std::size_t>(
          run, n, [](std::size_t i) { return i; },
          [at, less](std::size_t one, std::size_t other) {
            const bool second =
                Largest ? less(at[one], at[other]) : less(at[other], at[one]);
            return second ? other : one;
          });
  }

public:
  template <class It, class = when<can_read<It>>>
  std::optional<It> operator()(const char *name, It first, It last) const {
    return (*this)(name, first, last, std::less<>());
  }
};

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

struct smaller {
  std::size_t operator()(std::size_t one, std::size_t other) const {
    return one < other ? one : other;
  }
};
/// What place(i) gives first that is not `none`, where later indices give greater
/// numbers; or `none`. Parts that grow are looked at in turn, so that an early one
/// is found early. The device finds it: the host may have other elements.
template <class Place>
std::size_t first_place(const detail::algorithm_run &run, std::size_t count,
                        std::size_t none, const Place &place) {
  std::size_t begin = 0, part = std::size_t(1) << 16;
  while (begin != count) {
    if (part > count - begin)
      part = count - begin;
    const std::size_t found = total<std::size_t>(
        run, part, [place, begin](std::size_t i) { return place(begin + i); },
        smaller());
    if (found != none)
      return found;
    begin += part;
    part *= 4;
  }
  return none;
}
/// The first index for which holds(i); count if there is none.
template <class Holds>
std::size_t first_index(const detail::algorithm_run &run, std::size_t count,
                        const Holds &holds) {
  return first_place(run, count, count, [holds, count](std::size_t i) {
    return holds(i) ? i : count;
  });
}
/// How many neighbouring indices a thread of the CPU device asks at once, because
/// vectors can, and of a GPU.
template <std::size_t OnHost>
inline constexpr std::size_t group_size = detail::on_gpu ? 1 : OnHost;
template <std::size_t OnHost>
std::size_t number_of_groups(const detail::algorithm_run &run,
                             std::size_t count) {
  return run.host ? count / OnHost + (count % OnHost != 0) : count;
}

/// Searches for an element that does, or does not, hold.
template <bool Wanted> struct find_where {
  template <class It, class Holds, class = when<can_read<It>, can_call<Holds>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Holds holds) const {
    std::optional<It> result;
    const std::size_t n = length(first, last);
    attempt<Holds>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result = advanced(
              first, first_index(run, n,
                                 [at = cursor(first),
                                  holds = make_callee(holds)](std::size_t i) {
                                   return static_cast<bool>(holds(at[i])) ==
                                          Wanted;
                                 }));
        },
        range(first, n));
    return result;
  }
};
struct find {
  template <class It, class Type, class = when<can_read<It>, can_pass<Type>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               const Type &value) const {
    return find_where<true>()(name, first, last, equals<Type>{value});
  }
};
/// all_of, any_of and none_of: the result if such an element is found, or not.
template <bool Wanted, bool Found> struct asks {
  template <class It, class Holds, class = when<can_read<It>, can_call<Holds>>>
  std::optional<bool> operator()(const char *name, It first, It last,
                                 Holds holds) const {
    const auto found = find_where<Wanted>()(name, first, last, holds);
    if (!found)
      return {};
    return (*found != last) == Found;
  }
};

/// Where something first holds of neighbours.
struct neighbours {
  template <class It, class Holds, class = when<can_read<It>, can_call<Holds>>>
  std::optional<std::size_t> operator()(const char *name, It first, It last,
                                        Holds holds) const {
    std::optional<std::size_t> result;
    const std::size_t n = length(first, last);
    attempt<Holds>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result = first_index(
              run, n - 1,
              [at = cursor(first), holds = make_callee(holds)](std::size_t i) {
                return static_cast<bool>(holds(at[i], at[i + 1]));
              });
        },
        range(first, n));
    return result;
  }
};
struct adjacent_find {
  template <class It, class Same, class = when<can_read<It>, can_call<Same>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Same same) const {
    const auto at = neighbours()(name, first, last, same);
    if (!at)
      return {};
    return *at + 1 == length(first, last) ? last : advanced(first, *at);
  }
  template <class It, class = when<can_read<It>>>
  std::optional<It> operator()(const char *name, It first, It last) const {
    return (*this)(name, first, last, std::equal_to<>());
  }
};
template <class Less> struct swapped {
  callee<Less> less;
  template <class One, class Other>
  bool operator()(One &&one, Other &&other) const {
    return less(other, one);
  }
};
struct is_sorted_until {
  template <class It, class Less, class = when<can_read<It>, can_call<Less>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Less less) const {
    if constexpr (is_code_address<Less>)
      return {};
    else {
      const auto at = neighbours()(name, first, last, swapped<Less>{{less}});
      if (!at)
        return {};
      return advanced(first, *at + 1);
    }
  }
  template <class It, class = when<can_read<It>>>
  std::optional<It> operator()(const char *name, It first, It last) const {
    return (*this)(name, first, last, std::less<>());
  }
};
struct is_sorted {
  template <class It, class... Less>
  auto operator()(const char *name, It first, It last, Less... less) const
      -> decltype(is_sorted_until()(name, first, last, less...),
                  std::optional<bool>()) {
    const auto end = is_sorted_until()(name, first, last, less...);
    if (!end)
      return {};
    return *end == last;
  }
};

/// Where two ranges differ first.
struct mismatch {
  /// Of the first n elements of each.
  template <class It, class Other, class Same>
  static std::optional<std::pair<It, Other>>
  search(const char *name, It first, std::size_t n, Other other, Same same) {
    std::optional<std::pair<It, Other>> result;
    attempt<Same>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const std::size_t at =
              first_index(run, n,
                          [one = cursor(first), two = cursor(other),
                           same = make_callee(same)](std::size_t i) {
                            return !same(one[i], two[i]);
                          });
          result.emplace(advanced(first, at), advanced(other, at));
        },
        range(first, n), range(other, n));
    return result;
  }
  template <class It, class Other, class Same = std::equal_to<>,
            class = when<can_read<It>, can_read<Other>, can_call<Same>,
                         !std::is_convertible_v<Same, Other>>>
  std::optional<std::pair<It, Other>> operator()(const char *name, It first,
                                                 It last, Other other,
                                                 Same same = Same()) const {
    return search(name, first, length(first, last), other, same);
  }
  template <class It, class Other, class Same = std::equal_to<>,
            class = when<can_read<It>, can_read<Other>, can_call<Same>>>
  std::optional<std::pair<It, Other>>
  operator()(const char *name, It first, It last, Other other, Other other_last,
             Same same = Same()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    return search(name, first, n < m ? n : m, other, same);
  }
};
struct equal {
  template <class It, class Other, class... Rest>
  auto operator()(const char *name, It first, It last, Other other,
                  Rest... rest) const
      -> decltype(mismatch()(name, first, last, other, rest...),
                  std::optional<bool>()) {
    if (!has_length(length(first, last), other, rest...))
      return false;
    const auto at = mismatch()(name, first, last, other, rest...);
    if (!at)
      return {};
    return at->first == last;
  }

private:
  /// Whether the second range, where its end is given, is as long.
  template <class Other, class... Same>
  static bool has_length(std::size_t n, Other other, Other last, Same...) {
    return n == length(other, last);
  }
  template <class... Any> static bool has_length(std::size_t, Any...) {
    return true;
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_LOOPS_H
