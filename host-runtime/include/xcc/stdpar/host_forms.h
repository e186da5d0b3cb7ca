// Parallel algorithms on the host: how each is divided
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each form takes the function without a policy and its arguments, and returns
// what that would. A form that has nothing for the arguments cannot be called
// with them; one whose threads are not free returns false or nothing.

#ifndef XCC_STDPAR_HOST_FORMS_H
#define XCC_STDPAR_HOST_FORMS_H

#include <xcc/stdpar/loops.h>
#include <xcc/stdpar/threads.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace xcc {
namespace stdpar {
namespace host {

/// Elements that several threads may use at once: no proxies, as those of a
/// vector<bool>, which share bytes.
template <class It, bool = is_random_access<It>>
inline constexpr bool can_divide = false;
template <class It>
inline constexpr bool can_divide<It, true> =
    std::is_reference_v<reference_t<It>> ||
    std::is_same_v<std::remove_cv_t<reference_t<It>>, value_t<It>>;

/// What has one thread.
struct in_sequence {};

/// Divides `total` elements. body(begin, end, piece) for each piece.
template <class Body> bool divide(std::size_t total, const Body &body) {
  if (total < least() || thread_pool::shared().size() < 2)
    return false;
  const pieces parts(total);
  return thread_pool::shared().run(parts.number, [&](std::size_t piece) {
    body(parts.begin(piece), parts.end(piece), piece);
  });
}

/// An argument for a piece that begins so many elements after the first.
template <bool IsRange, class Arg>
decltype(auto) for_piece(const Arg &argument, std::size_t by) {
  if constexpr (IsRange)
    return advanced<std::decay_t<Arg>>(argument, by);
  else
    return (argument);
}
/// Calls call(begin, end or number, rest...), where the first Ranges of the rest
/// are iterators that go on with the first.
template <std::size_t Ranges, class Call, class It, class End, class Rest,
          std::size_t... Index>
decltype(auto) call_piece(const Call &call, It first, End end, std::size_t by,
                          const Rest &rest, std::index_sequence<Index...>) {
  return call(first, end,
              for_piece<(Index < Ranges)>(std::get<Index>(rest), by)...);
}
template <std::size_t Ranges, class Tuple, std::size_t... Index>
constexpr bool can_divide_all(std::index_sequence<Index...>) {
  return (... &&
          (Index >= Ranges || can_divide<std::tuple_element_t<Index, Tuple>>));
}
/// Whether the first of the arguments are iterators of that kind.
template <std::size_t Ranges, class... Arg>
inline constexpr bool are_ranges =
    sizeof...(Arg) >= Ranges && can_divide_all<Ranges, std::tuple<Arg...>>(
                                    std::index_sequence_for<Arg...>());

/// Algorithms that do to the whole what they do to each piece. Besides the first
/// range, `Ranges` begin after it.
template <std::size_t Ranges, bool Counted = false> struct each_piece {
  template <
      class Call, class It, class End, class... Rest,
      class = when<can_divide<It>, are_ranges<Ranges, std::decay_t<Rest>...>>>
  auto operator()(const Call &call, It first, End end,
                  const Rest &...rest) const {
    using Result = decltype(call(first, end, rest...));
    const std::tuple<const Rest &...> others(rest...);
    const std::size_t n = number(first, end);
    const auto piece = [&](std::size_t begin,
                           std::size_t last) -> decltype(auto) {
      constexpr auto index = std::index_sequence_for<Rest...>();
      if constexpr (Counted)
        return call_piece<Ranges>(call, advanced(first, begin),
                                  static_cast<End>(last - begin), begin, others,
                                  index);
      else
        return call_piece<Ranges>(call, advanced(first, begin),
                                  advanced(first, last), begin, others, index);
    };
    if constexpr (std::is_void_v<Result>) {
      return divide(n, [&](std::size_t begin, std::size_t last, std::size_t) {
        piece(begin, last);
      });
    } else {
      std::optional<Result> result;
      divide(n, [&](std::size_t begin, std::size_t last, std::size_t) {
        // What the last piece returns is after all of them.
        if (last == n)
          result.emplace(piece(begin, last));
        else
          piece(begin, last);
      });
      return result;
    }
  }

private:
  template <class It, class End> static std::size_t number(It first, End end) {
    if constexpr (Counted)
      return length_of(end);
    else
      return length(first, end);
  }
};
/// Of a number of elements, instead of an end.
template <std::size_t Ranges> using each_counted = each_piece<Ranges, true>;

/// With one range or two.
struct transform_pieces {
  template <class Call, class It, class Out, class Function>
  auto operator()(const Call &call, It first, It last, Out out,
                  Function f) const
      -> decltype(each_piece<1>()(call, first, last, out, f)) {
    return each_piece<1>()(call, first, last, out, f);
  }
  template <class Call, class It, class Other, class Out, class Function>
  auto operator()(const Call &call, It first, It last, Other other, Out out,
                  Function f) const
      -> decltype(each_piece<2>()(call, first, last, other, out, f)) {
    return each_piece<2>()(call, first, last, other, out, f);
  }
};

/// What the pieces give, joined in their order by join(one, next).
template <class Result, class Call, class It, class Join, class... Rest>
std::optional<Result> joined(const Call &call, It first, It last, Join join,
                             const Rest &...rest) {
  const std::size_t n = length(first, last);
  std::vector<std::optional<Result>> parts(pieces(n ? n : 1).number);
  if (!divide(n, [&](std::size_t begin, std::size_t end, std::size_t piece) {
        parts[piece].emplace(
            call(advanced(first, begin), advanced(first, end), rest...));
      }))
    return {};
  Result result = std::move(*parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    result = join(std::move(result), std::move(*parts[i]));
  return result;
}

struct count_pieces {
  template <class Call, class It, class Value, class = when<can_divide<It>>>
  auto operator()(const Call &call, It first, It last,
                  const Value &value) const {
    return joined<difference_t<It>>(call, first, last, std::plus<>(), value);
  }
};
/// all_of and none_of hold if they hold of all pieces, any_of if of one.
template <bool All> struct ask_pieces {
  template <class Call, class It, class Holds, class = when<can_divide<It>>>
  auto operator()(const Call &call, It first, It last, Holds holds) const {
    return joined<bool>(
        call, first, last,
        [](bool one, bool next) { return All ? one && next : one || next; },
        holds);
  }
};
/// The first that is found. Pieces after one that has it are left out.
struct find_pieces {
  template <class Call, class It, class What, class = when<can_divide<It>>>
  std::optional<It> operator()(const Call &call, It first, It last,
                               const What &what) const {
    const std::size_t n = length(first, last);
    std::atomic<std::size_t> found{n};
    if (!divide(n, [&](std::size_t begin, std::size_t end, std::size_t) {
          if (begin > found.load(std::memory_order_relaxed))
            return;
          const std::size_t at = length(
              first, call(advanced(first, begin), advanced(first, end), what));
          std::size_t least = found.load(std::memory_order_relaxed);
          while (at != end && at < least &&
                 !found.compare_exchange_weak(least, at,
                                              std::memory_order_relaxed))
            ;
        }))
      return {};
    return advanced(first, found);
  }
};
/// The first minimum, or the first maximum.
template <bool Largest> struct extreme_pieces {
  template <class Call, class It, class Less = std::less<>,
            class = when<can_divide<It>>>
  std::optional<It> operator()(const Call &call, It first, It last,
                               Less less = Less()) const {
    return joined<It>(
        call, first, last,
        [&](It one, It next) {
          const bool second = Largest ? bool(std::invoke(less, *one, *next))
                                      : bool(std::invoke(less, *next, *one));
          return second ? next : one;
        },
        less);
  }
};

struct transform_reduce_pieces {
  template <class Call, class It, class Type, class Op, class Change,
            class = when<can_divide<It>>>
  std::optional<Type> operator()(const Call &, It first, It last, Type init,
                                 Op op, Change change) const {
    auto sum = joined<Type>(
        [&](It begin, It end) {
          Op add = op;
          Change changed = change;
          Type part = std::invoke(changed, *begin);
          while (++begin != end)
            part =
                std::invoke(add, std::move(part), std::invoke(changed, *begin));
          return part;
        },
        first, last, op);
    if (sum)
      sum.emplace(std::invoke(op, std::move(init), std::move(*sum)));
    return sum;
  }
};
struct reduce_pieces {
  template <class Call, class It, class Type = value_t<It>,
            class Op = std::plus<>, class = when<can_divide<It>>>
  std::optional<Type> operator()(const Call &call, It first, It last,
                                 Type init = Type(), Op op = Op()) const {
    return transform_reduce_pieces()(call, first, last, std::move(init), op,
                                     [](auto &&element) -> decltype(auto) {
                                       return static_cast<decltype(element)>(
                                           element);
                                     });
  }
};

/// Merges two sorted ranges that are neighbours. std::inplace_merge would do, but
/// that of libstdc++ 12 warns of a deprecated function in C++17 and later.
template <class It, class Less>
void merge_neighbours(It first, It middle, It last, Less less) {
  std::vector<value_t<It>> front(std::make_move_iterator(first),
                                 std::make_move_iterator(middle));
  for (auto at = front.begin(); at != front.end(); ++first)
    if (middle != last && less(*middle, *at)) {
      *first = std::move(*middle);
      ++middle;
    } else {
      *first = std::move(*at);
      ++at;
    }
}
/// Sorts pieces, and merges them two by two.
struct sort_pieces {
  template <class Call, class It, class Less = std::less<>,
            class = when<can_divide<It>>>
  bool operator()(const Call &call, It first, It last,
                  Less less = Less()) const {
    const std::size_t n = length(first, last);
    if (n < least())
      return false;
    const pieces parts(n);
    const auto at = [&](std::size_t piece) {
      return advanced(first, piece < parts.number ? parts.begin(piece) : n);
    };
    thread_pool &pool = thread_pool::shared();
    if (pool.size() < 2 || !pool.run(parts.number, [&](std::size_t piece) {
          call(at(piece), at(piece + 1), less);
        }))
      return false;
    for (std::size_t width = 1; width < parts.number; width *= 2) {
      const auto merge = [&](std::size_t pair) {
        const std::size_t begin = pair * 2 * width;
        merge_neighbours(at(begin), at(begin + width), at(begin + 2 * width),
                         less);
      };
      const std::size_t pairs = (parts.number + 2 * width - 1) / (2 * width);
      if (!pool.run(pairs, merge))
        for (std::size_t pair = 0; pair != pairs; ++pair)
          merge(pair);
    }
    return true;
  }
};

/// The least elements come to the front, by an element that has about as many
/// before it. Then only these are sorted.
struct partial_sort_pieces {
  template <class Call, class It, class Less = std::less<>,
            class = when<can_divide<It>>>
  bool operator()(const Call &call, It first, It middle, It last,
                  Less less = Less()) const {
    const std::size_t n = length(first, last), wanted = length(first, middle);
    if (n < least() || n < 256 || !wanted)
      return false;
    std::iter_swap(first, bound(first, n, wanted, less));
    const It front = std::partition(first + 1, last, [&](const auto &element) {
      return less(element, *first);
    });
    std::iter_swap(first, front - 1);
    const std::size_t found = length(first, front);
    if (found < wanted)
      call(front, middle, last, less);
    if (found > 2 * wanted)
      call(first, middle, front, less);
    else if (!sort_pieces()(in_order(), first, front, less))
      std::sort(first, front, less);
    return true;
  }

private:
  struct in_order {
    template <class... Arg> void operator()(const Arg &...arg) const {
      std::sort(arg...);
    }
  };
  /// An element that has slightly more than `wanted` before it, by a sample.
  template <class It, class Less>
  static It bound(It first, std::size_t n, std::size_t wanted, Less &less) {
    const std::size_t size = std::min<std::size_t>(n / 16, 4096);
    std::vector<It> sample;
    sample.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
      sample.push_back(advanced(first, i * (n / size) + i * 7919 % (n / size)));
    const double expected = double(wanted) / double(n) * double(size);
    const auto rank = std::min(
        size - 1, std::size_t(expected + 2 * __builtin_sqrt(expected) + 1));
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(
        sample.begin(), at, sample.end(),
        [&](const It &one, const It &other) { return less(*one, *other); });
    return *at;
  }
};

} // namespace host
} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_HOST_FORMS_H
