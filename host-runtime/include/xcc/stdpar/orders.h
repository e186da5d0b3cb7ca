// Parallel algorithms on a device: scans, selections and sorts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These use the primitives of <xcc/algorithm.h>, which keep intermediate
// results in memory of the device. So elements are copied byte by byte.

#ifndef XCC_STDPAR_ORDERS_H
#define XCC_STDPAR_ORDERS_H

#include <xcc/stdpar/copies.h>

namespace xcc {
namespace stdpar {

template <bool Inclusive> struct transform_scan {
  /// With a start, which may be detail::no_start.
  template <class It, class Out, class Type, class Op, class Change,
            class Start>
  static std::optional<Out> scan(const char *name, It first, It last, Out out,
                                 Op op, Change change, Start start,
                                 const Type *) {
    const std::size_t n = length(first, last);
    if (!attempt<Op, Change>(
            name, n,
            [&](const detail::algorithm_run &run) {
              detail::scan_to<Type>(
                  run, n,
                  [at = cursor(first), change = make_callee(change)](
                      std::size_t i) -> Type { return change(at[i]); },
                  make_callee(op),
                  [to = cursor(out)](std::size_t i, const Type &before,
                                     const Type &now) {
                    to[i] = Inclusive ? now : before;
                  },
                  start);
            },
            range(first, n), range(out, n)))
      return {};
    return advanced(out, n);
  }
};
/// Leaves an element as it is.
struct itself {
  template <class Type> constexpr Type &&operator()(Type &&value) const {
    return static_cast<Type &&>(value);
  }
};

struct exclusive_scan {
  template <
      class It, class Out, class Type, class Op = std::plus<>,
      class = when<can_read<It>, can_write<Out>, can_pass<Type>, can_call<Op>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Type init, Op op = Op()) const {
    return transform_scan<false>::scan(name, first, last, out, op, itself(),
                                       detail::start_with<Type>{init}, &init);
  }
};
struct transform_exclusive_scan {
  template <class It, class Out, class Type, class Op, class Change,
            class = when<can_read<It>, can_write<Out>, can_pass<Type>,
                         can_call<Op>, can_call<Change>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Type init, Op op, Change change) const {
    return transform_scan<false>::scan(name, first, last, out, op, change,
                                       detail::start_with<Type>{init}, &init);
  }
};
struct inclusive_scan {
  template <class It, class Out, class Op = std::plus<>,
            class = when<can_read<It>, can_write<Out>, can_pass<value_t<It>>,
                         can_call<Op>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Op op = Op()) const {
    return transform_scan<true>::scan(
        name, first, last, out, op, itself(), detail::no_start(),
        static_cast<const value_t<It> *>(nullptr));
  }
  template <
      class It, class Out, class Op, class Type,
      class = when<can_read<It>, can_write<Out>, can_pass<Type>, can_call<Op>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Op op, Type init) const {
    return transform_scan<true>::scan(name, first, last, out, op, itself(),
                                      detail::start_with<Type>{init}, &init);
  }
};
struct transform_inclusive_scan {
  /// Without a start, of what the first change gives.
  template <class It, class Out, class Op, class Change,
            class Type = std::decay_t<std::invoke_result_t<
                Change &, typename std::iterator_traits<It>::reference>>,
            class = when<can_read<It>, can_write<Out>, can_pass<Type>,
                         can_call<Op>, can_call<Change>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Op op, Change change) const {
    return transform_scan<true>::scan(name, first, last, out, op, change,
                                      detail::no_start(),
                                      static_cast<const Type *>(nullptr));
  }
  template <class It, class Out, class Op, class Change, class Type,
            class = when<can_read<It>, can_write<Out>, can_pass<Type>,
                         can_call<Op>, can_call<Change>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Op op, Change change, Type init) const {
    return transform_scan<true>::scan(name, first, last, out, op, change,
                                      detail::start_with<Type>{init}, &init);
  }
};

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

/// Writes elements that are chosen next to each other.
template <class From, class To> struct put_at {
  static constexpr bool always = false;
  From from;
  To to;
  void operator()(std::size_t index, std::size_t rank) const {
    to[rank] = from[index];
  }
};

/// Copies the elements of `from` at those of n indices that are chosen. The
/// output may have room for no more, so they are counted before it is mapped.
template <class Chosen, class From, class Out>
std::size_t select_into(const detail::algorithm_run &run, std::size_t n,
                        const Chosen &chosen, const From &from, Out out) {
  const std::size_t number = total<std::size_t>(
      run, n,
      [chosen](std::size_t i) { return static_cast<std::size_t>(chosen(i)); },
      std::plus<std::size_t>());
  if (number) {
    auto results = range(out, number);
    map scope(results);
    detail::temporary<std::size_t> copied(run, 1);
    detail::select_to(run, n, chosen,
                      put_at<From, decltype(cursor(out))>{from, cursor(out)},
                      detail::put_number<std::size_t>{copied.data});
    run.finish();
  }
  return number;
}
/// An algorithm that is that. It reads n elements at `first`, and `ranges`.
template <class... Function, class It, class Out, class Chosen, class... Type>
std::optional<Out> selected(const char *name, It first, std::size_t n, Out out,
                            const Chosen &chosen,
                            const stretch<Type> &...ranges) {
  std::size_t number = 0;
  if (!attempt<Function...>(
          name, n,
          [&](const detail::algorithm_run &run) {
            number = select_into(run, n, chosen, cursor(first), out);
          },
          range(first, n), ranges...))
    return {};
  return advanced(out, number);
}

template <bool Wanted> struct copy_where {
  template <class It, class Out, class Holds,
            class = when<can_read<It>, can_write<Out>, can_call<Holds>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Holds holds) const {
    return selected<Holds>(
        name, first, length(first, last), out,
        [at = cursor(first), holds = make_callee(holds)](std::size_t i) {
          return static_cast<bool>(holds(at[i])) == Wanted;
        });
  }
};
struct unique_copy {
  template <class It, class Out, class Same = std::equal_to<>,
            class = when<can_read<It>, can_write<Out>, can_call<Same>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Same same = Same()) const {
    return selected<Same>(
        name, first, length(first, last), out,
        [at = cursor(first), same = make_callee(same)](std::size_t i) {
          return !i || !static_cast<bool>(same(at[i - 1], at[i]));
        });
  }
};
struct partition_copy {
  template <class It, class Out, class Other, class Holds,
            class = when<can_read<It>, can_write<Out>, can_write<Other>,
                         can_call<Holds>>>
  std::optional<std::pair<Out, Other>> operator()(const char *name, It first,
                                                  It last, Out out, Other other,
                                                  Holds holds) const {
    std::optional<std::pair<Out, Other>> result;
    const std::size_t n = length(first, last);
    attempt<Holds>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const auto chosen = [at = cursor(first),
                               holds = make_callee(holds)](std::size_t i) {
            return static_cast<bool>(holds(at[i]));
          };
          const std::size_t number =
              select_into(run, n, chosen, cursor(first), out);
          const std::size_t others = select_into(
              run, n, [chosen](std::size_t i) { return !chosen(i); },
              cursor(first), other);
          result.emplace(advanced(out, number), advanced(other, others));
        },
        range(first, n));
    return result;
  }
};
struct remove_copy {
  template <class It, class Out, class Type,
            class = when<can_read<It>, can_write<Out>, can_pass<Type>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                const Type &value) const {
    return copy_where<false>()(name, first, last, out, equals<Type>{value});
  }
};

/// What moves elements of one range to its front, and returns how many.
template <class Work, class It, class Function>
std::optional<It> keeping(const char *name, It first, It last, Function f,
                          const Work &work) {
  std::optional<It> result;
  const std::size_t n = length(first, last);
  attempt<Function>(
      name, n,
      [&](const detail::algorithm_run &run) {
        result = advanced(
            first, detail::wait_for<std::size_t>(run, [&](std::size_t *number) {
              work(run, cursor(first), n, number, make_callee(f));
            }));
      },
      range(first, n));
  return result;
}
struct remove_if {
  template <class It, class Holds,
            class = when<can_move_bytes<It>, can_call<Holds>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Holds holds) const {
    return keeping(name, first, last, holds,
                   [](auto &&...arg) { detail::remove_if(arg...); });
  }
};
struct remove {
  template <class It, class Type,
            class = when<can_move_bytes<It>, can_pass<Type>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               const Type &value) const {
    return remove_if()(name, first, last, equals<Type>{value});
  }
};
struct unique {
  template <class It, class Same = std::equal_to<>,
            class = when<can_move_bytes<It>, can_call<Same>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Same same = Same()) const {
    return keeping(name, first, last, same,
                   [](auto &&...arg) { detail::unique(arg...); });
  }
};
/// Keeps the order, as stable_partition does.
struct partition {
  template <class It, class Holds,
            class = when<can_move_bytes<It>, can_call<Holds>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Holds holds) const {
    return keeping(name, first, last, holds,
                   [](auto &&...arg) { detail::partition(arg...); });
  }
};

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// Stable.
struct sort {
  template <class It, class Less = std::less<>,
            class = when<can_move_bytes<It>, can_call<Less>>>
  bool operator()(const char *name, It first, It last,
                  Less less = Less()) const {
    const std::size_t n = length(first, last);
    return attempt<Less>(
        name, n,
        [&](const detail::algorithm_run &run) {
          using Key = value_t<It>;
          detail::temporary<Key> keys(run, n);
          detail::stable_sort(
              run, n,
              detail::sorted<Key, detail::no_values>{cursor(first), nullptr},
              detail::sorted<Key, detail::no_values>{keys.data, nullptr},
              make_callee_of<Key>(less));
          run.finish();
        },
        range(first, n));
  }
};
/// A sorted range is partly sorted too. A CPU with few cores does less in
/// sequence, where the part is small (a piece of `Share`) or one element (0).
template <std::size_t Share> struct sort_part {
  template <class It, class Less = std::less<>,
            class = when<can_move_bytes<It>, can_call<Less>>>
  bool operator()(const char *name, It first, It middle, It last,
                  Less less = Less()) const {
    const detail::algorithm_run run(loop_config(stream_here()), true);
    if (run.host && run.units <= 4 &&
        length(first, middle) * Share <= length(first, last)) {
      log(name, "the host", "a CPU with few cores need not sort all elements");
      return false;
    }
    return sort()(name, first, last, less);
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_ORDERS_H
