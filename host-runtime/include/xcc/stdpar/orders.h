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
  void operator()(std::size_t index, std::size_t rank) const {
    to[rank] = from[index];
  }
};

/// Their number is known already.
struct no_more {
  void operator()(std::size_t) const {}
};

/// Which of n indices are chosen. They are counted first, because an output may
/// have room for no more, and is mapped then.
template <class Chosen> class selection {
public:
  selection(const detail::algorithm_run &run, std::size_t n,
            const Chosen &chosen)
      : run(run), n(n), parts(detail::pieces_of<std::size_t>(run, n)),
        ends(run, parts.pieces), chosen(chosen) {
    detail::count_pieces(run, parts, chosen, ends.data);
    number = ends.get(parts.pieces - 1);
  }
  std::size_t count() const { return number; }

  /// Copies those elements of `from`.
  template <class From, class Out> void copy(const From &from, Out out) const {
    if (!number)
      return;
    auto results = range(out, number);
    map scope(results);
    const put_at<From, decltype(cursor(out))> put{from, cursor(out)};
    detail::put_pieces(run, parts, chosen, put, ends.data, no_more());
    run.finish();
  }
  /// Copies those elements of `from`, and the others to another place.
  template <class From, class Out, class Other>
  void divide(const From &from, Out out, Other other) const {
    auto results = range(out, number);
    auto rest = range(other, n - number);
    map scope(results, rest);
    put_both(put_at<From, decltype(cursor(out))>{from, cursor(out)},
             put_at<From, decltype(cursor(other))>{from, cursor(other)});
    run.finish();
  }

private:
  /// As put_pieces, with a place for those that are not chosen.
  template <class Put, class PutOther>
  void put_both(const Put &put, const PutOther &other) const {
    detail::each_piece<std::size_t>(
        run, parts.pieces,
        [=, chosen = chosen, parts = parts,
         ends = ends.data](std::size_t piece) {
          detail::captured(chosen, parts, ends, put, other);
          if constexpr (detail::on_gpu)
            detail::put_tiles(parts, piece, chosen, put, other, ends);
          else
            put_piece(parts, piece, chosen, ends, put, other);
        });
  }
  template <class Put, class PutOther>
  static void put_piece(const detail::division &parts, std::size_t piece,
                        const Chosen &chosen, const std::size_t *ends,
                        const Put &put, const PutOther &other) {
    std::size_t index = parts.first(piece), end = parts.end(piece);
    std::size_t rank = piece ? ends[piece - 1] : 0;
    const std::size_t last = ends[piece], other_last = end - last;
    using detail::AtOnce;
    if constexpr (Put::always && PutOther::always)
      for (; last - rank >= AtOnce && other_last - (index - rank) >= AtOnce;
           index += AtOnce)
        for (std::size_t i = index; i != index + AtOnce; ++i) {
          put(i, rank);
          other(i, i - rank);
          rank += bool(chosen(i));
        }
    for (; index < end; ++index)
      if (chosen(index))
        put(index, rank++);
      else
        other(index, index - rank);
  }

  const detail::algorithm_run &run;
  std::size_t n, number;
  detail::division parts;
  detail::temporary<std::size_t> ends;
  Chosen chosen;
};
/// An algorithm that is that. It reads n elements at `first`, and `ranges`.
template <class... Function, class It, class Out, class Chosen, class... Type>
std::optional<Out> selected(const char *name, It first, std::size_t n, Out out,
                            const Chosen &chosen, const Type &...ranges) {
  std::size_t number = 0;
  if (!attempt<Function...>(
          name, n,
          [&](const detail::algorithm_run &run) {
            const selection<Chosen> those(run, n, chosen);
            those.copy(cursor(first), out);
            number = those.count();
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
/// The first element is copied apart: the others have one before them.
struct unique_copy {
  template <class It, class Out, class Same = std::equal_to<>,
            class = when<can_read<It>, can_write<Out>, can_call<Same>>>
  std::optional<Out> operator()(const char *name, It first, It last, Out out,
                                Same same = Same()) const {
    std::optional<Out> result;
    const std::size_t n = length(first, last);
    attempt<Same>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const auto differs = [at = cursor(first),
                                same = make_callee(same)](std::size_t i) {
            return !static_cast<bool>(same(at[i], at[i + 1]));
          };
          const selection<decltype(differs)> those(run, n - 1, differs);
          auto results = range(out, those.count() + 1);
          map scope(results);
          copy_part(run, 1, 0, 0, cursor(first), cursor(out));
          those.copy(cursor(advanced(first, 1)), advanced(out, 1));
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
    std::optional<std::pair<Out, Other>> result;
    const std::size_t n = length(first, last);
    attempt<Holds>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const auto chosen = [at = cursor(first),
                               holds = make_callee(holds)](std::size_t i) {
            return static_cast<bool>(holds(at[i]));
          };
          const selection<decltype(chosen)> those(run, n, chosen);
          those.divide(cursor(first), out, other);
          result.emplace(advanced(out, those.count()),
                         advanced(other, n - those.count()));
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
    const detail::algorithm_run run(config_here(), true);
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
