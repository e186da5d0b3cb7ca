// What the iterators of an algorithm become on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contiguous iterator becomes an address, and its range is mapped by a scope
// while the algorithm runs. Any other random access iterator is copied into the
// kernel as it is; a device with memory of its own refuses addresses in it that
// are not mapped, and then the algorithm runs on the host.

#ifndef XCC_STDPAR_RANGES_H
#define XCC_STDPAR_RANGES_H

#include <xcc/xcc.h>

#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

#if __cplusplus >= 202002L
#include <ranges>
/// Found for the iterators of views, whatever class they are in.
namespace std::ranges {
template <class It> void xcc_is_of_view(const It &);
}
#endif

namespace xcc {
namespace stdpar {

/// Elements that lie next to each other; none if count is 0.
template <class Type> struct stretch {
  Type *first;
  std::size_t count;
};

/// A range from its end to its front, and one whose elements are moved from.
/// std::reverse_iterator cannot be copied byte by byte.
template <class Cursor> struct backward {
  Cursor end;
  constexpr decltype(auto) operator[](std::size_t index) const {
    return end[-1 - static_cast<std::ptrdiff_t>(index)];
  }
};
template <class Cursor> struct moving {
  Cursor first;
  constexpr decltype(auto) operator[](std::size_t index) const {
    using Element = decltype(first[static_cast<std::ptrdiff_t>(index)]);
    // What the range makes when it is asked is a value already.
    using Moved =
        std::conditional_t<std::is_reference_v<Element>,
                           std::remove_reference_t<Element> &&, Element>;
    return static_cast<Moved>(first[static_cast<std::ptrdiff_t>(index)]);
  }
};

template <class It> struct cursor_as_it_is {
  static constexpr bool contiguous = false;
  static It at(It it) { return it; }
  static stretch<const char> range(It, std::size_t) { return {nullptr, 0}; }
};
/// An iterator of a view over another range, which holds the other one's iterator
/// and the address of the view.
template <class It> struct view_stretch {
  It first;
  std::size_t count;
};
template <class It> struct cursor_of_view {
  static constexpr bool contiguous = false;
  static It at(It it) { return it; }
  static view_stretch<It> range(It it, std::size_t count) {
    return {it, count};
  }
};
template <class It, class = void> inline constexpr bool is_of_view = false;
template <class It>
inline constexpr bool
    is_of_view<It, std::void_t<decltype(xcc_is_of_view(std::declval<It>())),
                               decltype(std::declval<It>().base())>> = true;
template <class It>
struct cursor_of : std::conditional_t<is_of_view<It>, cursor_of_view<It>,
                                      cursor_as_it_is<It>> {};
template <class Type> struct cursor_of<Type *> {
  static constexpr bool contiguous = true;
  static Type *at(Type *it) { return it; }
  static stretch<Type> range(Type *it, std::size_t count) {
    return {it, count};
  }
};
template <class Type, class Container>
struct cursor_of<__gnu_cxx::__normal_iterator<Type *, Container>>
    : cursor_of<Type *> {
  using it = __gnu_cxx::__normal_iterator<Type *, Container>;
  static Type *at(it i) { return i.base(); }
  static stretch<Type> range(it i, std::size_t count) {
    return {i.base(), count};
  }
};
template <class It> struct cursor_of<std::reverse_iterator<It>> {
  static constexpr bool contiguous = false;
  using inner = cursor_of<It>;
  static auto at(const std::reverse_iterator<It> &it) {
    return backward<decltype(inner::at(it.base()))>{inner::at(it.base())};
  }
  static auto range(const std::reverse_iterator<It> &it, std::size_t count) {
    return inner::range(it.base() - static_cast<std::ptrdiff_t>(count), count);
  }
};
template <class It> struct cursor_of<std::move_iterator<It>> {
  static constexpr bool contiguous = false;
  using inner = cursor_of<It>;
  static auto at(const std::move_iterator<It> &it) {
    return moving<decltype(inner::at(it.base()))>{inner::at(it.base())};
  }
  static auto range(const std::move_iterator<It> &it, std::size_t count) {
    return inner::range(it.base(), count);
  }
};

/// Elements of a deque, in blocks of the same size. The first `before` elements of
/// the first block come before them.
template <class Type> struct block_cursor {
  using block = std::remove_cv_t<Type> *;
  static constexpr std::size_t size = std::__deque_buf_size(sizeof(Type));
  const block *blocks;
  std::size_t before;
  /// Before the first block, too: `end[-1]`.
  constexpr Type &operator[](std::ptrdiff_t index) const {
    constexpr auto each = static_cast<std::ptrdiff_t>(size);
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(before) + index;
    const std::ptrdiff_t block = at >= 0 ? at / each : ~(~at / each);
    return blocks[block][at - block * each];
  }
};
template <class Type> struct block_stretch {
  block_cursor<Type> first;
  std::size_t count;
};
template <class Type> struct cursor_of_deque {
  static constexpr bool contiguous = false;
  using it = std::_Deque_iterator<std::remove_const_t<Type>, Type &, Type *>;
  static block_cursor<Type> at(const it &i) {
    return {i._M_node, static_cast<std::size_t>(i._M_cur - i._M_first)};
  }
  static block_stretch<Type> range(const it &i, std::size_t count) {
    return {at(i), count};
  }
};
/// Of elements that a copy of bytes copies: a block is copied whole.
template <class Type>
struct cursor_of<std::_Deque_iterator<Type, Type &, Type *>>
    : std::conditional_t<
          std::is_trivially_copyable_v<Type>, cursor_of_deque<Type>,
          cursor_as_it_is<std::_Deque_iterator<Type, Type &, Type *>>> {};
template <class Type>
struct cursor_of<std::_Deque_iterator<Type, const Type &, const Type *>>
    : std::conditional_t<
          std::is_trivially_copyable_v<Type>, cursor_of_deque<const Type>,
          cursor_as_it_is<
              std::_Deque_iterator<Type, const Type &, const Type *>>> {};

/// Bits of a vector<bool>, in words, for reading.
template <class It> struct cursor_of_bits {
  static constexpr bool contiguous = false;
  static It at(It it) { return it; }
  static stretch<std::_Bit_type> range(const It &it, std::size_t count) {
    constexpr std::size_t each = std::_S_word_bit;
    return {it._M_p, count ? (it._M_offset + count - 1) / each + 1 : 0};
  }
};
template <>
struct cursor_of<std::_Bit_iterator> : cursor_of_bits<std::_Bit_iterator> {};
template <>
struct cursor_of<std::_Bit_const_iterator>
    : cursor_of_bits<std::_Bit_const_iterator> {};

/// Whether an iterator goes over elements that lie next to each other.
template <class It> inline constexpr bool has_elements = false;
template <class Type>
inline constexpr bool has_elements<Type *> =
    !std::is_function_v<Type> && !std::is_void_v<Type>;
template <class Type, class Container>
inline constexpr bool
    has_elements<__gnu_cxx::__normal_iterator<Type *, Container>> = true;
template <class It>
inline constexpr bool has_elements<std::reverse_iterator<It>> =
    has_elements<It>;
template <class It>
inline constexpr bool has_elements<std::move_iterator<It>> = has_elements<It>;
template <class It>
inline constexpr bool has_elements<const It> = has_elements<It>;

/// Whether an iterator goes over the blocks of a deque.
template <class It> inline constexpr bool has_blocks = false;
template <class Type, class Reference, class Pointer>
inline constexpr bool
    has_blocks<std::_Deque_iterator<Type, Reference, Pointer>> =
        std::is_trivially_copyable_v<Type>;
template <class It>
inline constexpr bool has_blocks<std::reverse_iterator<It>> = has_blocks<It>;
template <class It>
inline constexpr bool has_blocks<std::move_iterator<It>> = has_blocks<It>;
template <class It> inline constexpr bool has_blocks<const It> = has_blocks<It>;

template <class It>
using cursor_t = decltype(cursor_of<It>::at(std::declval<It>()));
/// What the types of an iterator are.
template <class It, class = void>
struct traits_of : std::iterator_traits<It> {};
#if __cplusplus >= 202002L
/// One of C++20 need not be one of C++17. The distances of views::iota of
/// std::size_t are wider than any integer type, so std::iterator_traits takes its
/// iterator for one that is only written through.
template <class It>
struct traits_of<It, std::enable_if_t<std::random_access_iterator<It>>> {
  using value_type = std::iter_value_t<It>;
  using reference = std::iter_reference_t<It>;
  using difference_type = std::iter_difference_t<It>;
  using iterator_category = std::random_access_iterator_tag;
};
#endif
template <class It> using value_t = typename traits_of<It>::value_type;
template <class It> using reference_t = typename traits_of<It>::reference;
template <class It>
using difference_t = typename traits_of<It>::difference_type;

template <class It, class = void>
inline constexpr bool is_random_access = false;
template <class It>
inline constexpr bool is_random_access<
    It, std::void_t<typename traits_of<It>::iterator_category>> =
    std::is_base_of_v<std::random_access_iterator_tag,
                      typename traits_of<It>::iterator_category>;

/// Whether the compiler can bring an object of the type to any device. What lies
/// at an address is asked for as a reference.
template <class Type>
inline constexpr bool goes_to_device = detail::device_type<Type>::can_map &&
                                       !detail::device_type<Type>::holds_code;

template <class It, bool = is_random_access<It>>
inline constexpr bool can_read = false;
template <class It>
inline constexpr bool can_read<It, true> =
    std::is_trivially_copyable_v<cursor_t<It>> &&
    goes_to_device<cursor_t<It>> && goes_to_device<value_t<It> &> &&
    !std::is_volatile_v<std::remove_reference_t<reference_t<It>>>;
/// Elements that are written by different threads are objects of their own:
/// those of a vector<bool> share bytes. They own nothing: assigning to one would
/// free memory of the host.
template <class It, bool = can_read<It>>
inline constexpr bool can_write = false;
template <class It>
inline constexpr bool can_write<It, true> =
    std::is_lvalue_reference_v<
        decltype(std::declval<const cursor_t<It> &>()[0])> &&
    std::is_trivially_destructible_v<value_t<It>>;
/// Elements that a callable may change: what owns memory of the host would free
/// it, and own memory of the device.
template <class It, bool = can_read<It>>
inline constexpr bool can_change = false;
template <class It>
inline constexpr bool can_change<It, true> =
    std::is_trivially_destructible_v<value_t<It>> ||
    std::is_const_v<std::remove_reference_t<reference_t<It>>>;
/// Elements that go through temporary memory.
template <class It, bool = cursor_of<It>::contiguous>
inline constexpr bool can_move_bytes = false;
template <class It>
inline constexpr bool can_move_bytes<It, true> =
    std::is_trivially_copyable_v<value_t<It>> && can_write<It>;

/// What a callable is in a kernel: it may be called through const, whatever it
/// is.
template <class Function> struct callee {
  mutable Function function;
  template <class... Arg> decltype(auto) operator()(Arg &&...arg) const {
    return std::invoke(function, std::forward<Arg>(arg)...);
  }
};
/// A pointer to a function goes to the CPU device as a number: the front end
/// refuses it as what it is, because it cannot know that no GPU will get it.
template <class Function> struct code_callee {
  alignas(Function) unsigned char bits[sizeof(Function)];
  template <class... Arg> decltype(auto) operator()(Arg &&...arg) const {
    Function function;
    __builtin_memcpy(&function, bits, sizeof(Function));
    return std::invoke(function, std::forward<Arg>(arg)...);
  }
};
/// The address of code is the host's, which only the CPU device can call.
template <class Function>
inline constexpr bool is_code_address =
    std::is_pointer_v<Function> || std::is_member_function_pointer_v<Function>;
template <class Function> auto make_callee(const Function &function) {
  if constexpr (is_code_address<Function>) {
    code_callee<Function> out;
    __builtin_memcpy(out.bits, &function, sizeof(Function));
    return out;
  } else
    return callee<Function>{function};
}
/// Of numbers, function objects without data stay what they are: a sort looks at
/// them. Of other elements they may call what no device can run.
template <class Type, class Function>
auto make_callee_of(const Function &function) {
  if constexpr (std::is_arithmetic_v<Type> && std::is_empty_v<Function>)
    return function;
  else
    return make_callee(function);
}
/// A function or member function that the compiler knows. An algorithm's argument
/// becomes it where that is a constant address; see known().
template <auto Function> struct known_function {
  template <class... Arg>
  constexpr decltype(auto) operator()(Arg &&...arg) const {
    return std::invoke(Function, std::forward<Arg>(arg)...);
  }
};
/// What the compiler calls in place of such an argument.
template <auto Function> constexpr known_function<Function> known() {
  return {};
}
template <class Function>
inline constexpr bool can_call =
    std::is_trivially_copyable_v<Function> &&
    (is_code_address<Function> || goes_to_device<Function>);
} // namespace stdpar

template <class Type> struct transfer<stdpar::stretch<Type>> {
  static void map(mapper &m, const stdpar::stretch<Type> &range) {
    if (range.count)
      m.range(range.first, range.count);
  }
};
template <class It> struct transfer<stdpar::view_stretch<It>> {
  static void map(mapper &m, const stdpar::view_stretch<It> &range) {
    if (!range.count)
      return;
    // Of another kind of view, the other range may be longer.
    It it = range.first;
    unsigned others = 0;
    visit_members(it, [&](auto, auto &&shown) {
      using Member = std::decay_t<decltype(shown)>;
      others += !std::is_pointer_v<Member> && stdpar::is_random_access<Member>;
    });
    if (others != 1)
      return;
    visit_members(it, [&](auto, auto &&shown) {
      using Member = std::decay_t<decltype(shown)>;
      if constexpr (std::is_pointer_v<Member>) {
        if constexpr (stdpar::goes_to_device<std::remove_pointer_t<Member> &>)
          m.range(shown, 1);
      } else if constexpr (stdpar::is_random_access<Member>) {
        const auto inner = stdpar::cursor_of<Member>::range(shown, range.count);
        transfer<std::decay_t<decltype(inner)>>::map(m, inner);
      }
    });
  }
};
template <class Type> struct transfer<stdpar::block_stretch<Type>> {
  static void map(mapper &m, const stdpar::block_stretch<Type> &range) {
    constexpr std::size_t size = stdpar::block_cursor<Type>::size;
    if (!range.count)
      return;
    const std::size_t blocks =
        (range.first.before + range.count - 1) / size + 1;
    m.range(range.first.blocks, blocks);
    for (std::size_t i = 0; i < blocks; ++i)
      m.range(static_cast<Type *>(range.first.blocks[i]), size);
  }
};

} // namespace xcc

#endif // XCC_STDPAR_RANGES_H
