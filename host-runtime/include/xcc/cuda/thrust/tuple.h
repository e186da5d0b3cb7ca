// Thrust: tuples and pairs that are copied byte by byte
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard library's have assignments of their own, so that device memory
// could not hold them. A tuple of references, which an iterator over several
// ranges gives, assigns to what they refer to.

#ifndef XCC_CUDA_THRUST_TUPLE_H
#define XCC_CUDA_THRUST_TUPLE_H

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust {
template <class... Type> class tuple;
template <class First, class Second> struct pair;

namespace detail {
template <std::size_t Index, class Type> struct leaf {
  Type value{};
};
template <std::size_t Index, class Type> struct leaf<Index, Type &> {
  Type &value;
  constexpr leaf(Type &of) : value(of) {}
  constexpr leaf(const leaf &) = default;
  constexpr leaf &operator=(const leaf &from) {
    value = from.value;
    return *this;
  }
};
template <class Indices, class... Type> struct leaves;
template <std::size_t... Index, class... Type>
struct leaves<std::index_sequence<Index...>, Type...> : leaf<Index, Type>... {
  constexpr leaves() = default;
  struct each {};
  template <class... From>
  constexpr leaves(each, From &&...from)
      : leaf<Index, Type>{static_cast<Type>(std::forward<From>(from))}... {}
};
template <std::size_t Index, class Type>
constexpr Type &value_in(leaf<Index, Type> &of) {
  return of.value;
}
template <std::size_t Index, class Type>
constexpr const Type &value_in(const leaf<Index, Type> &of) {
  return of.value;
}
template <std::size_t Index, class Type>
constexpr Type &value_in(const leaf<Index, Type &> &of) {
  return of.value;
}

template <class Type> inline constexpr bool is_tuple = false;
template <class... Type> inline constexpr bool is_tuple<tuple<Type...>> = true;
template <class Type>
using bare = std::remove_cv_t<std::remove_reference_t<Type>>;
} // namespace detail

template <class... Type>
class tuple : public detail::leaves<std::index_sequence_for<Type...>, Type...> {
  using base = detail::leaves<std::index_sequence_for<Type...>, Type...>;
  template <class... From, std::size_t... Index>
  constexpr tuple(const tuple<From...> &from, std::index_sequence<Index...>)
      : base(typename base::each(), detail::value_in<Index>(from)...) {}
  template <class From, std::size_t... Index>
  constexpr void assign(From &&from, std::index_sequence<Index...>) {
    ((detail::value_in<Index>(*this) = detail::value_in<Index>(from)), ...);
  }

public:
  constexpr tuple() = default;
  constexpr tuple(const tuple &) = default;
  constexpr tuple &operator=(const tuple &) = default;
  template <
      class... From,
      class = std::enable_if_t<
          sizeof...(From) == sizeof...(Type) && sizeof...(From) != 0 &&
          !(sizeof...(From) == 1 &&
            (detail::is_tuple<detail::bare<From>> || ...))>,
      class = std::enable_if_t<(std::is_convertible_v<From, Type> && ...)>>
  constexpr tuple(From &&...from)
      : base(typename base::each(), std::forward<From>(from)...) {}
  template <class... From,
            class = std::enable_if_t<sizeof...(From) == sizeof...(Type)>>
  constexpr tuple(const tuple<From...> &from)
      : tuple(from, std::index_sequence_for<Type...>()) {}
  template <class... From>
  constexpr tuple &operator=(const tuple<From...> &from) {
    static_assert(sizeof...(From) == sizeof...(Type));
    assign(from, std::index_sequence_for<Type...>());
    return *this;
  }
  /// A pair is a tuple of two: tie(a, b) = f().
  template <class One, class Other, std::size_t Size = sizeof...(Type),
            class = std::enable_if_t<Size == 2>>
  constexpr tuple(const pair<One, Other> &from)
      : base(typename base::each(), from.first, from.second) {}
  template <class One, class Other>
  constexpr tuple &operator=(const pair<One, Other> &from) {
    static_assert(sizeof...(Type) == 2);
    detail::value_in<0>(*this) = from.first;
    detail::value_in<1>(*this) = from.second;
    return *this;
  }
  /// As older versions had it.
  template <std::size_t Index> constexpr decltype(auto) get() {
    return detail::value_in<Index>(*this);
  }
  template <std::size_t Index> constexpr decltype(auto) get() const {
    return detail::value_in<Index>(*this);
  }
  constexpr void swap(tuple &other) {
    tuple before = *this;
    *this = other;
    other = before;
  }
};
template <class... Type> tuple(Type...) -> tuple<Type...>;

template <class First, class Second> struct pair {
  using first_type = First;
  using second_type = Second;
  First first{};
  Second second{};
  constexpr pair() = default;
  constexpr pair(const First &one, const Second &other)
      : first(one), second(other) {}
  template <class One, class Other>
  constexpr pair(const pair<One, Other> &from)
      : first(from.first), second(from.second) {}
  template <class One, class Other>
  constexpr pair(const std::pair<One, Other> &from)
      : first(from.first), second(from.second) {}
  constexpr operator std::pair<First, Second>() const {
    return {first, second};
  }
  constexpr void swap(pair &other) {
    pair before = *this;
    *this = other;
    other = before;
  }
};
template <class One, class Other> pair(One, Other) -> pair<One, Other>;
template <class One, class Other>
constexpr void swap(pair<One, Other> &one, pair<One, Other> &other) {
  one.swap(other);
}
template <class One, class Other>
constexpr pair<std::decay_t<One>, std::decay_t<Other>>
make_pair(One &&one, Other &&other) {
  return {std::forward<One>(one), std::forward<Other>(other)};
}
template <class One, class Other>
constexpr bool operator==(const pair<One, Other> &left,
                          const pair<One, Other> &right) {
  return left.first == right.first && left.second == right.second;
}
template <class One, class Other>
constexpr bool operator!=(const pair<One, Other> &left,
                          const pair<One, Other> &right) {
  return !(left == right);
}
template <class One, class Other>
constexpr bool operator<(const pair<One, Other> &left,
                         const pair<One, Other> &right) {
  return left.first < right.first ||
         (!(right.first < left.first) && left.second < right.second);
}
template <class One, class Other>
constexpr bool operator>(const pair<One, Other> &left,
                         const pair<One, Other> &right) {
  return right < left;
}
template <class One, class Other>
constexpr bool operator<=(const pair<One, Other> &left,
                          const pair<One, Other> &right) {
  return !(right < left);
}
template <class One, class Other>
constexpr bool operator>=(const pair<One, Other> &left,
                          const pair<One, Other> &right) {
  return !(left < right);
}

template <class... Type>
constexpr tuple<std::decay_t<Type>...> make_tuple(Type &&...values) {
  return {std::forward<Type>(values)...};
}
template <class... Type> constexpr tuple<Type &...> tie(Type &...values) {
  return {values...};
}

template <std::size_t Index, class... Type>
constexpr decltype(auto) get(tuple<Type...> &of) {
  return detail::value_in<Index>(of);
}
template <std::size_t Index, class... Type>
constexpr decltype(auto) get(const tuple<Type...> &of) {
  return detail::value_in<Index>(of);
}
/// Of a temporary, an element of it is a copy.
template <std::size_t Index, class... Type>
constexpr std::tuple_element_t<Index, std::tuple<Type...>>
get(tuple<Type...> &&of) {
  return detail::value_in<Index>(of);
}
template <std::size_t Index, class One, class Other>
constexpr auto &get(pair<One, Other> &of) {
  if constexpr (Index == 0)
    return of.first;
  else
    return of.second;
}
template <std::size_t Index, class One, class Other>
constexpr const auto &get(const pair<One, Other> &of) {
  if constexpr (Index == 0)
    return of.first;
  else
    return of.second;
}
/// Of a temporary, an element of it is a copy, as structured bindings take.
template <std::size_t Index, class One, class Other>
constexpr std::tuple_element_t<Index, std::pair<One, Other>>
get(pair<One, Other> &&of) {
  if constexpr (Index == 0)
    return of.first;
  else
    return of.second;
}

template <class Of> using tuple_size = std::tuple_size<Of>;
template <std::size_t Index, class Of>
using tuple_element = std::tuple_element<Index, Of>;
template <std::size_t Index, class Of>
using tuple_element_t = std::tuple_element_t<Index, Of>;

namespace detail {
template <class Left, class Right, std::size_t... Index>
constexpr bool equal_tuples(const Left &left, const Right &right,
                            std::index_sequence<Index...>) {
  return ((value_in<Index>(left) == value_in<Index>(right)) && ...);
}
template <std::size_t Index, std::size_t Size, class Left, class Right>
constexpr bool less_tuples(const Left &left, const Right &right) {
  if constexpr (Index == Size)
    return false;
  else
    return value_in<Index>(left) < value_in<Index>(right) ||
           (!(value_in<Index>(right) < value_in<Index>(left)) &&
            less_tuples<Index + 1, Size>(left, right));
}
} // namespace detail
template <class... Left, class... Right>
constexpr bool operator==(const tuple<Left...> &left,
                          const tuple<Right...> &right) {
  return detail::equal_tuples(left, right, std::index_sequence_for<Left...>());
}
template <class... Left, class... Right>
constexpr bool operator!=(const tuple<Left...> &left,
                          const tuple<Right...> &right) {
  return !(left == right);
}
template <class... Left, class... Right>
constexpr bool operator<(const tuple<Left...> &left,
                         const tuple<Right...> &right) {
  return detail::less_tuples<0, sizeof...(Left)>(left, right);
}
template <class... Left, class... Right>
constexpr bool operator>(const tuple<Left...> &left,
                         const tuple<Right...> &right) {
  return right < left;
}
template <class... Left, class... Right>
constexpr bool operator<=(const tuple<Left...> &left,
                          const tuple<Right...> &right) {
  return !(right < left);
}
template <class... Left, class... Right>
constexpr bool operator>=(const tuple<Left...> &left,
                          const tuple<Right...> &right) {
  return !(left < right);
}
template <class... Type>
constexpr void swap(tuple<Type...> &one, tuple<Type...> &other) {
  one.swap(other);
}

/// Takes the place of a value that tie() leaves out.
struct ignored {
  template <class From> constexpr const ignored &operator=(From &&) const {
    return *this;
  }
};
inline constexpr ignored ignore;

} // namespace thrust

template <class... Type>
struct std::tuple_size<thrust::tuple<Type...>>
    : std::integral_constant<std::size_t, sizeof...(Type)> {};
template <std::size_t Index, class... Type>
struct std::tuple_element<Index, thrust::tuple<Type...>>
    : std::tuple_element<Index, std::tuple<Type...>> {};
template <class One, class Other>
struct std::tuple_size<thrust::pair<One, Other>>
    : std::integral_constant<std::size_t, 2> {};
template <std::size_t Index, class One, class Other>
struct std::tuple_element<Index, thrust::pair<One, Other>>
    : std::tuple_element<Index, std::pair<One, Other>> {};

#endif // XCC_CUDA_THRUST_TUPLE_H
