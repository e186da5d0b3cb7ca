// Where copies and fills go
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy takes a buffer, a container, a span or an array where it takes an
// address, and then knows how many objects are there. The traits by which these
// are told apart, so that what is wrong is said at the call.

#ifndef XCC_RANGE_H
#define XCC_RANGE_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// A function that is called by mistake, and what to write instead.
#if defined(__clang__) && __clang_major__ >= 19
#define XCC_REFUSED(text)                                                      \
  _Pragma("clang diagnostic push")                                             \
      _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"")               \
          _Pragma("clang diagnostic ignored \"-Wpre-c++26-compat\"") =         \
              delete (text)_Pragma("clang diagnostic pop")
#else
#define XCC_REFUSED(text) = delete
#endif

/// Refuses a number of objects that was negative before it became a size_t,
/// where it is written, if the compiler knows it.
#ifdef __clang__
#define XCC_CHECKED_COUNT(count)                                               \
  __attribute__((diagnose_if((count) > SIZE_MAX / 2,                           \
                             "the number of objects is negative", "error")))
#else
#define XCC_CHECKED_COUNT(count)
#endif

namespace xcc {
namespace detail {

/// What an array, or what has data() and size(), is of; void for all else.
template <class Range, class = void> struct range_element {
  using type = void;
};
template <class Range>
struct range_element<Range,
                     std::void_t<decltype(std::declval<Range &>().size()),
                                 decltype(*std::declval<Range &>().data())>> {
  using type = std::remove_pointer_t<decltype(std::declval<Range &>().data())>;
};
template <class Type, std::size_t Count>
struct range_element<Type[Count], void> {
  using type = std::remove_all_extents_t<Type>;
};
template <class Range>
using element_t = typename range_element<std::remove_reference_t<Range>>::type;
/// The same of an address too: what is there.
template <class Place>
using object_at = std::conditional_t<
    std::is_pointer_v<std::decay_t<Place>> && std::is_void_v<element_t<Place>>,
    std::remove_pointer_t<std::decay_t<Place>>, element_t<Place>>;

/// Has so many of a type, whether or not they may be written.
template <class Range, class Type>
inline constexpr bool is_range =
    !std::is_void_v<element_t<Range>> &&
    std::is_same_v<std::remove_cv_t<element_t<Range>>, std::remove_cv_t<Type>>;
template <class Range>
inline constexpr bool has_elements = !std::is_void_v<element_t<Range>>;

/// The first object there, and how many there are: for an address, any number.
template <class Place> inline auto *first_at(Place &&place) noexcept {
  using bare = std::remove_reference_t<Place>;
  if constexpr (std::is_array_v<bare>)
    return reinterpret_cast<element_t<bare> *>(place);
  else if constexpr (has_elements<bare>)
    return place.data();
  else
    return place;
}
template <class Place>
inline std::size_t count_at(const Place &place) noexcept {
  if constexpr (std::is_array_v<Place>)
    return sizeof(Place) / sizeof(element_t<Place>);
  else if constexpr (has_elements<Place>)
    return static_cast<std::size_t>(place.size());
  else
    return SIZE_MAX;
}

/// Does a temporary of it, when it goes, leave or keep what a copy in a stream
/// uses? A span does, and xcc's buffers wait; a container does not.
template <class Range>
inline constexpr bool outlives_copies = std::is_trivially_destructible_v<Range>;
template <class Place>
inline constexpr bool stays =
    std::is_lvalue_reference_v<Place> ||
    outlives_copies<std::remove_cv_t<std::remove_reference_t<Place>>>;

template <class To, class From, bool Ok = true>
inline constexpr bool is_copy =
    !std::is_void_v<object_at<To>> && !std::is_void_v<object_at<From>> &&
    (has_elements<To> || has_elements<From>) && Ok;
template <class To, class From>
inline constexpr bool same_objects =
    std::is_same_v<std::remove_cv_t<object_at<To>>,
                   std::remove_cv_t<object_at<From>>>;
/// Of what a copy may be wrong in, the first.
template <class To, class From>
inline constexpr int copy_fault = !is_copy<To, From>               ? -1
                                  : !same_objects<To, From>        ? 1
                                  : std::is_const_v<object_at<To>> ? 2
                                  : !stays<To> || !stays<From>     ? 3
                                                                   : 0;
template <class To, class From, int Fault>
using if_copy = std::enable_if_t<copy_fault<To, From> == Fault, std::nullptr_t>;

} // namespace detail
} // namespace xcc

#endif // XCC_RANGE_H
