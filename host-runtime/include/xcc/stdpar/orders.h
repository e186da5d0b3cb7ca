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

#include <vector>

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
    if (is_few_for_passes(name, n))
      return {};
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
            class Type =
                std::decay_t<std::invoke_result_t<Change &, reference_t<It>>>,
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
  using in = std::decay_t<decltype(std::declval<const From &>()[0])>;
  using out = std::decay_t<decltype(std::declval<const To &>()[0])>;
  static constexpr bool always =
      std::is_same_v<in, out> && std::is_arithmetic_v<in>;
  From from;
  To to;
  void operator()(std::size_t index, std::size_t rank, std::size_t = 0) const {
    to[rank] = from[index];
  }
};

/// Their number is known already.
struct no_more {
  void operator()(std::size_t) const {}
};
/// One more element is before the chosen ones.
template <class From, class To> struct put_first {
  From from;
  To to;
  void operator()(std::size_t) const { to[0] = from[0]; }
};

/// Which of n indices are chosen. They are counted first, because an output may
/// have room for no more, and is mapped then. Unless OnGPUs, only the CPU device
/// does this.
template <bool OnGPUs, class Chosen> class selection {
public:
  selection(const detail::algorithm_run &run, std::size_t n,
            const Chosen &chosen)
      : run(run), n(n), parts(OnGPUs ? detail::pieces_of<std::size_t>(run, n)
                                     : run.by_thread(n)),
        counts(run, parts.pieces), chosen(chosen) {
    detail::count_pieces<OnGPUs>(run, parts, chosen, counts.data);
    if (run.host) {
      std::vector<std::size_t> all(parts.pieces);
      counts.get(all.data(), all.size());
      number = detail::sum_of(all.data(), 0, all.size());
    } else {
      number = counts.get(parts.pieces - 1);
    }
  }
  std::size_t count() const { return number; }

  /// Copies those elements of `from`.
  template <class From, class Out, class Done = no_more>
  void copy(const From &from, Out out, const Done &done = {}) const {
    if (!number)
      return;
    auto results = range(out, number);
    map scope(results);
    const put_at<From, decltype(cursor(out))> put{from, cursor(out)};
    detail::put_pieces<OnGPUs>(run, parts, chosen, put, counts.data, done);
    run.finish();
  }
  /// Copies those elements of `from`, and the others to another place.
  template <class From, class Out, class Other>
  void divide(const From &from, Out out, Other other) const {
    auto results = range(out, number);
    auto rest = range(other, n - number);
    map scope(results, rest);
    detail::divide_pieces<OnGPUs>(
        run, parts, chosen,
        put_at<From, decltype(cursor(out))>{from, cursor(out)},
        put_at<From, decltype(cursor(other))>{from, cursor(other)}, counts.data,
        no_more());
    run.finish();
  }

private:
  const detail::algorithm_run &run;
  std::size_t n, number;
  detail::division parts;
  detail::temporary<std::size_t> counts;
  Chosen chosen;
};

/// Elements that a GPU can keep while it learns how many are chosen.
template <class It>
inline constexpr bool has_copies =
    std::is_trivially_copyable_v<value_t<It>> &&
    std::is_default_constructible_v<value_t<It>> &&
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<reference_t<It>>>,
                   value_t<It>>;

/// The elements that are chosen, in one pass on a GPU. Keeps is as select_once has
/// it. If the output is not known to have room for all, they go through temporary
/// memory.
template <class It> class kept_selection {
  using Type = value_t<It>;

public:
  kept_selection(const detail::algorithm_run &run, It first, std::size_t n)
      : run(run), first(first), n(n) {}

  /// Returns how many.
  template <class Keeps, class Out>
  std::size_t copy(const Keeps &keeps, Out out) const {
    if (Type *const to = held_address(out)) {
      auto results = range(out, n);
      map scope(results);
      return select(keeps, to, detail::leave_out());
    }
    detail::temporary<Type> copy(run, n);
    const std::size_t number = select(keeps, copy.data, detail::leave_out());
    write(copy.data, number, out);
    return number;
  }
  /// The others go to another place.
  template <class Keeps, class Out, class Other>
  std::size_t divide(const Keeps &keeps, Out out, Other other) const {
    detail::temporary<Type> copy(run, n), rest(run, n);
    const std::size_t number =
        select(keeps, copy.data,
               [to = rest.data](std::size_t, std::size_t rank,
                                const Type &element) { to[rank] = element; });
    write(copy.data, number, out);
    write(rest.data, n - number, other);
    return number;
  }

private:
  const detail::algorithm_run &run;
  It first;
  std::size_t n;

  template <class Keeps, class Rest>
  std::size_t select(const Keeps &keeps, Type *to, const Rest &rest) const {
    detail::temporary<std::size_t> number(run, 1);
    detail::select_once<Type>(
        run, n, [at = cursor(first)](std::size_t i) -> Type { return at[i]; },
        keeps,
        [to](std::size_t, std::size_t rank, const Type &element) {
          to[rank] = element;
        },
        rest, detail::put_number<std::size_t>{number.data});
    return number.get();
  }
  template <class Out>
  static constexpr bool is_same_memory =
      cursor_of<Out>::contiguous && std::is_same_v<value_t<Out>, Type>;
  /// Of an output that a scope holds, with room for all.
  template <class Out> Type *held_address(Out out) const {
    if constexpr (is_same_memory<Out>) {
      Type *const to = cursor(out);
      void *begin;
      const std::uint64_t bytes = xcc_held_range(to, &begin);
      if (bytes && static_cast<std::uint64_t>(
                       reinterpret_cast<unsigned char *>(to + n) -
                       static_cast<unsigned char *>(begin)) <= bytes)
        return to;
    }
    return nullptr;
  }
  template <class Out>
  void write(const Type *from, std::size_t number, Out out) const {
    if (!number)
      return;
    if constexpr (is_same_memory<Out>) {
      Type *const to = cursor(out);
      void *begin;
      if (!xcc_held_range(to, &begin) &&
          !xcc_held_range(to + number - 1, &begin)) {
        detail::check(xcc_memory_copy_async(to, from, number * sizeof(Type),
                                            run.how.on.handle()));
        return detail::check(xcc_stream_synchronize(run.how.on.handle()));
      }
    }
    auto results = range(out, number);
    map scope(results);
    copy_part(run, number, 0, 0, from, cursor(out));
    run.finish();
  }
};

/// What a condition says of an element, of which there is a copy at hand. It gets
/// the copy where it would get the element's address.
template <class It, class Holds> struct asked_of {
  cursor_t<It> at;
  callee<Holds> holds;
  bool wanted;
  bool operator()(std::size_t i, value_t<It> &element) const {
    if constexpr (std::is_lvalue_reference_v<reference_t<It>>)
      return static_cast<bool>(holds(static_cast<reference_t<It>>(element))) ==
             wanted;
    else
      return static_cast<bool>(holds(at[i])) == wanted;
  }
};
/// Whether an element is the first of its group.
template <class It, class Same> struct differs_before {
  cursor_t<It> at;
  callee<Same> same;
  bool operator()(std::size_t i, value_t<It> &element,
                  value_t<It> *before) const {
    if constexpr (std::is_lvalue_reference_v<reference_t<It>>)
      return !before ||
             !static_cast<bool>(same(static_cast<reference_t<It>>(*before),
                                     static_cast<reference_t<It>>(element)));
    else
      return !i || !static_cast<bool>(same(at[i - 1], at[i]));
  }
};

template <bool Wanted> struct copy_where {
  template <class It, class Out, class Holds,
            class = when<can_read<It>, can_write<Out>, can_call<Holds>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Holds holds) const {
    std::size_t number = 0;
    const std::size_t n = length(first, last);
    if (!attempt<Holds>(
            name, n,
            [&](const detail::algorithm_run &run) {
              constexpr bool keeps = has_copies<It> && !is_code_address<Holds>;
              if constexpr (keeps)
                if (!run.host) {
                  number = kept_selection<It>(run, first, n)
                               .copy(asked_of<It, Holds>{cursor(first),
                                                         {holds},
                                                         Wanted},
                                     out);
                  return;
                }
              const auto chosen = [at = cursor(first),
                                   holds = make_callee(holds)](std::size_t i) {
                return static_cast<bool>(holds(at[i])) == Wanted;
              };
              const selection<!keeps, decltype(chosen)> those(run, n, chosen);
              those.copy(cursor(first), out);
              number = those.count();
            },
            range(first, n)))
      return {};
    return advanced(out, number);
  }
};
/// On the CPU device the first element is copied apart: the others have one before
/// them.
struct unique_copy {
  template <class It, class Out, class Same = std::equal_to<>,
            class = when<can_read<It>, can_write<Out>, can_call<Same>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Same same = Same()) const {
    std::optional<Out> result;
    const std::size_t n = length(first, last);
    if (n < 2 || is_few_for_passes(name, n))
      return {};
    attempt<Same>(
        name, n,
        [&](const detail::algorithm_run &run) {
          constexpr bool keeps = has_copies<It> && !is_code_address<Same>;
          if constexpr (keeps)
            if (!run.host) {
              const differs_before<It, Same> differs{cursor(first), {same}};
              result = advanced(
                  out, kept_selection<It>(run, first, n).copy(differs, out));
              return;
            }
          const auto differs = [at = cursor(first),
                                same = make_callee(same)](std::size_t i) {
            return !static_cast<bool>(same(at[i], at[i + 1]));
          };
          const selection<!keeps, decltype(differs)> those(run, n - 1, differs);
          auto results = range(out, those.count() + 1);
          map scope(results);
          if (those.count())
            those.copy(cursor(advanced(first, 1)), advanced(out, 1),
                       put_first<cursor_t<It>, cursor_t<Out>>{cursor(first),
                                                              cursor(out)});
          else
            copy_part(run, 1, 0, 0, cursor(first), cursor(out));
          run.finish();
          result = advanced(out, those.count() + 1);
        },
        range(first, n));
    return result;
  }
};
struct partition_copy {
  template <class It, class Out, class Other, class Holds,
            class = when<can_read<It>, can_write<Out>, can_write<Other>,
                         can_call<Holds>>>
  std::optional<std::pair<Out, Other>> operator()(const char *name, It first,
                                                  It last, Out out, Other other,
                                                  Holds holds) const {
    std::size_t number = 0;
    const std::size_t n = length(first, last);
    if (is_few_for_passes(name, n))
      return {};
    if (!attempt<Holds>(
            name, n,
            [&](const detail::algorithm_run &run) {
              constexpr bool keeps = has_copies<It> && !is_code_address<Holds>;
              if constexpr (keeps)
                if (!run.host) {
                  number =
                      kept_selection<It>(run, first, n)
                          .divide(
                              asked_of<It, Holds>{cursor(first), {holds}, true},
                              out, other);
                  return;
                }
              const auto chosen = [at = cursor(first),
                                   holds = make_callee(holds)](std::size_t i) {
                return static_cast<bool>(holds(at[i]));
              };
              const selection<!keeps, decltype(chosen)> those(run, n, chosen);
              those.divide(cursor(first), out, other);
              number = those.count();
            },
            range(first, n)))
      return {};
    return std::pair<Out, Other>(advanced(out, number),
                                 advanced(other, n - number));
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
          detail::sort_whole(run, n, cursor(first),
                             make_callee_of<value_t<It>>(less));
          run.finish();
        },
        range(first, n));
  }
};
/// Does a CPU with few cores, on which a sort of all elements takes longer than the
/// host's form?
inline bool has_few_cores(const char *name) {
  const detail::algorithm_run run(config_here(), true);
  if (!run.host || run.units > 4)
    return false;
  log(name, "the host", "a CPU with few cores need not sort all elements");
  return true;
}
/// A sorted range is partly sorted too.
struct partial_sort {
  template <class It, class Less = std::less<>,
            class = when<can_move_bytes<It>, can_call<Less>>>
  bool operator()(const char *name, It first, It middle, It last,
                  Less less = Less()) const {
    if (length(first, middle) * 16 <= length(first, last) &&
        has_few_cores(name))
      return false;
    return sort()(name, first, last, less);
  }
};
struct nth_element {
  template <class It, class Less = std::less<>,
            class = when<can_move_bytes<It>, can_call<Less>>>
  bool operator()(const char *name, It first, It nth, It last,
                  Less less = Less()) const {
    if (nth == last || has_few_cores(name))
      return false;
    using Type = value_t<It>;
    const std::size_t n = length(first, last);
    return attempt<Less>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const auto order = make_callee_of<Type>(less);
          if (run.host)
            detail::sort_whole(run, n, cursor(first), order);
          else if constexpr (!is_code_address<Less>)
            detail::nth_element(run, n, length(first, nth), cursor(first),
                                order);
          run.finish();
        },
        range(first, n));
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_ORDERS_H
