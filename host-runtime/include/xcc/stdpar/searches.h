// Parallel algorithms on a device: searches with two ranges, and tests of order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_STDPAR_SEARCHES_H
#define XCC_STDPAR_SEARCHES_H

#include <xcc/stdpar/loops.h>

#include <algorithm>

namespace xcc {
namespace stdpar {

/// What place(i) gives first of `count` indices; see first_place.
template <class... Function, class Place, class... Type>
std::optional<std::size_t>
found_place(const char *name, std::size_t elements, std::size_t count,
            std::size_t none, const Place &place, const Type &...ranges) {
  std::optional<std::size_t> result;
  attempt<Function...>(
      name, elements,
      [&](const detail::algorithm_run &run) {
        result = first_place(run, count, none, place);
      },
      ranges...);
  return result;
}

/// The first minimum, and the last maximum.
struct extremes {
  std::size_t least, greatest;
};
struct minmax_element {
  template <class It, class Less = std::less<>,
            class = when<can_read<It>, can_call<Less>>>
  std::optional<std::pair<It, It>>
  operator()(const char *name, It first, It last, Less less = Less()) const {
    std::optional<std::pair<It, It>> result;
    const std::size_t n = length(first, last);
    attempt<Less>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const extremes found =
              extremes_of(run, n, cursor(first), make_callee(less));
          result.emplace(advanced(first, found.least),
                         advanced(first, found.greatest));
        },
        range(first, n));
    return result;
  }

private:
  template <class At, class Less>
  static extremes extremes_of(const detail::algorithm_run &run, std::size_t n,
                              At at, Less less) {
    const auto both = [at, less](const extremes &one, const extremes &other) {
      return extremes{
          less(at[other.least], at[one.least]) ? other.least : one.least,
          less(at[other.greatest], at[one.greatest]) ? one.greatest
                                                     : other.greatest};
    };
    if (!run.host)
      return total<extremes>(
          run, n, [](std::size_t i) { return extremes{i, i}; }, both);
    // Each thread of a CPU goes through its piece.
    const detail::division parts = run.by_thread(n);
    detail::temporary<extremes> found(run, parts.pieces);
    run.each(parts.pieces, [=, to = found.data](std::size_t number) {
      detail::captured(to, parts, at, less);
      if constexpr (!detail::on_gpu)
        to[number] = in_piece(parts.first(number), parts.end(number), at, less);
    });
    return total<extremes>(run, parts.pieces,
                           detail::read_of<extremes>{found.data}, both);
  }
  /// Rarely is an element before, or after, all that were.
  template <class At, class Less>
  static extremes in_piece(std::size_t first, std::size_t end, const At &at,
                           const Less &less) {
    extremes best{first, first};
    for (std::size_t i = first + 1; i < end; ++i) {
      if (__builtin_expect(bool(less(at[i], at[best.least])), false))
        best.least = i;
      if (__builtin_expect(!bool(less(at[i], at[best.greatest])), false))
        best.greatest = i;
    }
    return best;
  }
};

/// No element for which it holds comes after one for which it does not. A group
/// asks for its elements, and for the one behind it.
struct is_partitioned {
  template <class It, class Holds, class = when<can_read<It>, can_call<Holds>>>
  std::optional<bool> operator()(const char *name, It first, It last,
                                 Holds holds) const {
    std::optional<bool> result;
    const std::size_t n = length(first, last);
    attempt<Holds>(
        name, n,
        [&](const detail::algorithm_run &run) {
          const std::size_t groups = number_of_groups<Group>(run, n - 1);
          result = first_index(run, groups,
                               [at = cursor(first), n,
                                holds = make_callee(holds)](std::size_t group) {
                                 return is_late(at, n, group, holds);
                               }) == groups;
        },
        range(first, n));
    return result;
  }

private:
  static constexpr std::size_t Group = 64;

  template <class At, class Holds>
  static bool is_late(const At &at, std::size_t n, std::size_t group,
                      const Holds &holds) {
    constexpr std::size_t each = group_size<Group>;
    const std::size_t begin = group * each;
    const std::size_t pairs = std::min(each, n - 1 - begin);
    bool before = static_cast<bool>(holds(at[begin])), late = false;
    for (std::size_t i = 1; i <= pairs; ++i) {
      const bool now = static_cast<bool>(holds(at[begin + i]));
      late |= !before & now;
      before = now;
    }
    return late;
  }
};

/// Where elements differ first, and which of the two is less.
struct lexicographical_compare {
  template <class It, class Other, class Less = std::less<>,
            class = when<can_read<It>, can_read<Other>, can_call<Less>>>
  std::optional<bool> operator()(const char *name, It first, It last,
                                 Other other, Other other_last,
                                 Less less = Less()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    const std::size_t common = n < m ? n : m, none = 2 * common;
    const auto at = found_place<Less>(
        name, common, common, none,
        [one = cursor(first), two = cursor(other), none,
         less = make_callee(less)](std::size_t i) {
          return less(one[i], two[i])   ? 2 * i
                 : less(two[i], one[i]) ? 2 * i + 1
                                        : none;
        },
        range(first, common), range(other, common));
    if (!at)
      return {};
    return *at == none ? n < m : *at % 2 == 0;
  }
};

/// A group of elements is compared with each that is looked for.
struct find_first_of {
  template <class It, class Other, class Same = std::equal_to<>,
            class = when<can_read<It>, can_read<Other>, can_call<Same>>>
  std::optional<It> operator()(const char *name, It first, It last, Other other,
                               Other other_last, Same same = Same()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!m)
      return {};
    std::optional<It> result;
    attempt<Same>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result = advanced(
              first,
              first_place(run, number_of_groups<Group>(run, n), n,
                          [at = cursor(first), n, with = cursor(other), m,
                           same = make_callee(same)](std::size_t group) {
                            return place_in(group, at, n, with, m, same);
                          }));
        },
        range(first, n), range(other, m));
    return result;
  }

private:
  static constexpr std::size_t Group = 16;

  template <class At, class With, class Same>
  static std::size_t place_in(std::size_t group, const At &at, std::size_t n,
                              const With &with, std::size_t m,
                              const Same &same) {
    constexpr std::size_t each = group_size<Group>;
    const std::size_t begin = group * each;
    if (begin + each <= n) {
      bool any = false;
      for (std::size_t j = 0; j != m && !any; ++j)
        for (std::size_t i = begin; i != begin + each; ++i)
          any |= static_cast<bool>(same(at[i], with[j]));
      if (!any)
        return n;
    }
    for (std::size_t i = begin; i != std::min(begin + each, n); ++i)
      for (std::size_t j = 0; j != m; ++j)
        if (same(at[i], with[j]))
          return i;
    return n;
  }
};

/// The first or the last place of a sequence. An empty one, and one that is too
/// long, are for the host. Places are looked at in groups: where no element of a
/// group is equal to the sequence's first, nothing else is compared.
template <bool First> struct find_sequence {
  template <class It, class Other, class Same = std::equal_to<>,
            class = when<can_read<It>, can_read<Other>, can_call<Same>>>
  std::optional<It> operator()(const char *name, It first, It last, Other other,
                               Other other_last, Same same = Same()) const {
    const std::size_t n = length(first, last), m = length(other, other_last);
    if (!m || m > n)
      return {};
    const std::size_t places = n - m + 1;
    const auto found = found_place<Same>(
        name, n, (places + Group - 1) / Group, places,
        [at = cursor(first), m, places, with = cursor(other),
         same = make_callee(same)](std::size_t group) {
          const std::size_t begin = group * Group;
          if (begin + Group <= places) {
            bool any = false;
            for (std::size_t i = begin; i != begin + Group; ++i)
              any |= bool(same(at[First ? i : places - 1 - i], with[0]));
            if (!any)
              return places;
          }
          return place_in(group, places, m, at, with, same);
        },
        range(first, n), range(other, m));
    if (!found)
      return {};
    if (*found == places)
      return last;
    return advanced(first, First ? *found : places - 1 - *found);
  }

private:
  static constexpr std::size_t Group = 16;

  /// The place in a group, counted from where places begin; `places` if there is
  /// none.
  template <class At, class With, class Same>
  static std::size_t place_in(std::size_t group, std::size_t places,
                              std::size_t m, const At &at, const With &with,
                              const Same &same) {
    const std::size_t begin = group * Group;
    const std::size_t end = places - begin < Group ? places : begin + Group;
    for (std::size_t i = begin; i != end; ++i) {
      const std::size_t place = First ? i : places - 1 - i;
      std::size_t equal = 0;
      while (equal != m && same(at[place + equal], with[equal]))
        ++equal;
      if (equal == m)
        return i;
    }
    return places;
  }
};

/// m elements have one whose index is m - 1 after a multiple of m. So only those
/// are looked at, and where one is equal, its neighbours.
struct search_n {
  template <class It, class Size, class Type, class Same = std::equal_to<>,
            class = when<can_read<It>, can_pass<Type>, can_call<Same>>>
  std::optional<It> operator()(const char *name, It first, It last, Size size,
                               const Type &value, Same same = Same()) const {
    const std::size_t n = length(first, last), m = length_of(size);
    if (!m || m > n)
      return {};
    const auto at = found_place<Same>(
        name, n, n / m, n,
        [at = cursor(first), n, m, value,
         same = make_callee(same)](std::size_t i) {
          return same(at[i * m + m - 1], value)
                     ? begin_of(at, n, m, i, value, same)
                     : n;
        },
        range(first, n));
    if (!at)
      return {};
    return advanced(first, *at);
  }

private:
  /// Where m equal elements begin that have the last one of the i-th m elements,
  /// which is equal; n if there are fewer.
  template <class At, class Type, class Same>
  static std::size_t begin_of(const At &at, std::size_t n, std::size_t m,
                              std::size_t i, const Type &value,
                              const Same &same) {
    std::size_t begin = i * m + m - 1, end = begin + 1;
    const std::size_t least = i * m;
    while (begin != least && same(at[begin - 1], value))
      --begin;
    while (end != n && end - begin != m && same(at[end], value))
      ++end;
    return end - begin == m ? begin : n;
  }
};

/// A group of elements is compared with the two that each has below it.
struct is_heap_until {
  template <class It, class Less = std::less<>,
            class = when<can_read<It>, can_call<Less>>>
  std::optional<It> operator()(const char *name, It first, It last,
                               Less less = Less()) const {
    std::optional<It> result;
    const std::size_t n = length(first, last);
    attempt<Less>(
        name, n,
        [&](const detail::algorithm_run &run) {
          result = advanced(
              first, first_place(run, number_of_groups<Group>(run, n / 2), n,
                                 [at = cursor(first), n,
                                  less = make_callee(less)](std::size_t group) {
                                   return place_in(group, at, n, less);
                                 }));
        },
        range(first, n));
    return result;
  }

private:
  static constexpr std::size_t Group = 16;

  template <class At, class Less>
  static std::size_t place_in(std::size_t group, const At &at, std::size_t n,
                              const Less &less) {
    constexpr std::size_t each = group_size<Group>;
    const std::size_t begin = group * each, end = begin + each;
    if (2 * end < n) {
      bool any = false;
      for (std::size_t i = begin; i != end; ++i)
        any |= static_cast<bool>(less(at[i], at[2 * i + 1])) |
               static_cast<bool>(less(at[i], at[2 * i + 2]));
      if (!any)
        return n;
    }
    for (std::size_t i = 2 * begin + 1; i < std::min(2 * end + 1, n); ++i)
      if (less(at[(i - 1) / 2], at[i]))
        return i;
    return n;
  }
};
struct is_heap {
  template <class It, class... Less>
  auto operator()(const char *name, It first, It last, Less... less) const
      -> decltype(is_heap_until()(name, first, last, less...),
                  std::optional<bool>()) {
    const auto end = is_heap_until()(name, first, last, less...);
    if (!end)
      return {};
    return *end == last;
  }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_SEARCHES_H
