// Which memory a value owns or refers to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a device with memory of its own, a launch has to say what its arguments
// refer to. mapper does so for objects of any type: the compiler shows it what
// classes and closures are made of (xcc/map.h), and for types that own memory,
// xcc::transfer says what else belongs to a value. Most of the standard
// library's are known here, by what they look like, so that no header of theirs
// is needed. None of this runs on devices that share the host's memory.

#ifndef XCC_TRANSFER_H
#define XCC_TRANSFER_H

#include <xcc/map.h>
#include <xcc/runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

extern "C" std::size_t malloc_usable_size(void *) noexcept;

namespace xcc {

class mapper;

#define XCC_STATES_WAYS [[clang::annotate("xcc.states_ways")]]
template <class T, std::uint32_t Flags, bool Temporary = false>
struct XCC_STATES_WAYS directed;

/// What belongs to a value of a class that the compiler cannot see: memory that
/// it owns or refers to, and how many elements are there. For a class of one's
/// own:
///
///     template <> struct xcc::transfer<Tree> {
///       static void map(xcc::mapper &m, const Tree &tree) {
///         m.range(tree.nodes, tree.count);
///       }
///     };
///
/// Members are visited without being asked for. A class template that is
/// specialised for an own one takes the value as `T &`, to know whether it is
/// const.
template <class T> struct transfer;

namespace detail {

/// What a launch's or scope's argument, or a capture, states of the ways that
/// its bytes go.
template <class A> struct stated_by {
  static constexpr std::uint32_t flags = 0;
};
template <class T, std::uint32_t Flags, bool Temporary>
struct stated_by<directed<T, Flags, Temporary>> {
  static constexpr std::uint32_t flags = Flags;
};

/// Does a type's name begin so?
template <class T> constexpr bool is_named(const char *wanted) {
  const char *name = __PRETTY_FUNCTION__;
  while (*name && *name != '[')
    ++name;
  for (const char *t = "[T = "; *t && *t == *name; ++t)
    ++name;
  while (*wanted && *wanted == *name)
    ++wanted, ++name;
  return !*wanted;
}

#define XCC_LOOKS(trait, ...)                                                  \
  template <class T, class = void> inline constexpr bool trait = false;        \
  template <class T>                                                           \
  inline constexpr bool trait<T, std::void_t<__VA_ARGS__>> = true;
XCC_LOOKS(has_size, decltype(sizeof(T)))
XCC_LOOKS(has_transfer, decltype(sizeof(transfer<T>)))
XCC_LOOKS(has_data, decltype(std::declval<T &>().data()),
          decltype(std::declval<T &>().size()))
XCC_LOOKS(has_capacity, decltype(std::declval<T &>().capacity()))
XCC_LOOKS(looks_like_string, decltype(std::declval<T &>().c_str()))
XCC_LOOKS(looks_like_optional, decltype(std::declval<T &>().has_value()),
          decltype(*std::declval<T &>()))
XCC_LOOKS(looks_like_expected, decltype(std::declval<T &>().has_value()),
          decltype(std::declval<T &>().error()))
XCC_LOOKS(looks_like_variant, decltype(std::declval<T &>().index()),
          decltype(std::declval<T &>().valueless_by_exception()))
XCC_LOOKS(looks_like_unique_ptr, typename T::deleter_type,
          decltype(std::declval<T &>().get()))
XCC_LOOKS(looks_like_unique_array, typename T::deleter_type,
          decltype(std::declval<T &>()[0]))
XCC_LOOKS(has_own_new, decltype(T::operator new[](sizeof(int))))
XCC_LOOKS(looks_like_reference, decltype(&T::get),
          decltype(static_cast<typename T::type &>(std::declval<T &>())))
XCC_LOOKS(looks_like_bits, decltype(std::declval<T &>().flip()),
          decltype(std::declval<T &>().begin()._M_p),
          decltype(std::declval<T &>().capacity()))
XCC_LOOKS(
    looks_like_list, decltype(std::declval<T &>().begin()),
    decltype(std::declval<T &>().size()),
    std::enable_if_t<std::is_pointer_v<decltype(std::declval<T &>().begin())>>)
XCC_LOOKS(looks_like_valarray, decltype(std::declval<T &>().cshift(0)),
          decltype(std::declval<T &>().size()))
#undef XCC_LOOKS

/// Of std::variant, optional and expected: what may live at the object's begin,
/// given to a function as null pointers.
template <class T> struct alternatives {
  static constexpr bool known = false;
};
template <template <class...> class V, class... A>
struct alternatives<V<A...>> {
  using T = V<A...>;
  static constexpr bool known =
      is_named<T>("std::") &&
      (looks_like_variant<T> || looks_like_optional<T> ||
       looks_like_expected<T>) &&
      !looks_like_unique_ptr<T>;
  template <class F> static void each(const F &take) {
    (take(static_cast<std::remove_cv_t<A> *>(nullptr)), ...);
  }
};

/// The address of an object, whatever its operators and qualifiers are.
template <class T> const void *address_of(T &object) {
  return (const void *)__builtin_addressof(object);
}

/// The number of elements that new[] wrote before the first (Itanium C++ ABI),
/// where AddressSanitizer lets nobody look.
__attribute__((noinline, no_sanitize("address"))) inline std::size_t
array_count(const volatile void *first) {
  return static_cast<const volatile std::size_t *>(first)[-1];
}

} // namespace detail

/// Names memory for a launch or scope that is being prepared. What it is given
/// through const is not written by kernels.
class mapper {
public:
  /// \p stated are the ways that the user asks for (xcc_map_flags); 0: what the
  /// types say.
  explicit mapper(xcc_mapping *mapping, std::uint32_t stated = 0)
      : mapping_(mapping), stated_(stated) {}

  /// Elements that a value owns or refers to: \p count of them, in an
  /// allocation with room for \p room. What they own and refer to belongs to it
  /// as well.
  template <class T>
  void range(T *first, std::size_t count, std::size_t room = 0) {
    using U = std::remove_cv_t<T>;
    if (room < count)
      room = count;
    if (unsure_ && first && count)
      return unknown_count();
    if constexpr (std::is_void_v<U>) {
      xcc_mapping_range(mapping_, const_cast<void *>(first), count, room,
                        flags<T>());
    } else {
      const bool more = xcc_mapping_range(
          mapping_,
          const_cast<const void *>(static_cast<const volatile void *>(first)),
          count * sizeof(T), room * sizeof(T),
          flags<T>() | (visits<U>() ? XCC_MAP_OBJECTS : 0));
      if constexpr (visits<U>()) {
        if (more)
          elements(first, 0, count);
      }
    }
  }

  /// An object within a range, or within the value that is asked about: that
  /// which lives in a union, say.
  template <class T> void part(T &object) {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_array_v<U>) {
      if constexpr (visits<std::remove_all_extents_t<U>>()) {
        std::size_t i = 0;
        for (auto &element : object) {
          xcc_mapping_enter(mapping_, nullptr, i++);
          part(element);
          xcc_mapping_leave(mapping_);
        }
      }
    } else if constexpr (std::is_class_v<U> || std::is_union_v<U>) {
      if constexpr (visits<U>())
        value<U>(
            const_cast<std::conditional_t<std::is_const_v<T>, const U, U> &>(
                object));
    } else if constexpr (visits<U>() && !std::is_member_pointer_v<U> &&
                         !std::is_null_pointer_v<U> &&
                         !std::is_function_v<std::remove_pointer_t<U>>) {
      using Pointee = std::remove_pointer_t<U>;
      std::uint32_t kind = unsure_ ? XCC_ADDRESS_ROOM : XCC_ADDRESS_POINTER;
      // A class need not be complete here.
      if constexpr (!std::is_class_v<Pointee> && !std::is_union_v<Pointee>)
        kind = to<Pointee>(kind);
      xcc_mapping_address(mapping_, detail::address_of(object), kind);
    }
  }

  /// An object that a reference at \p location refers to.
  template <class T> void referred(const void *location, T &object) {
    if constexpr (!std::is_function_v<T>) {
      if (unsure_)
        return unknown_count();
      xcc_mapping_address(mapping_, location, to<T>(XCC_ADDRESS_REFERENCE));
      if constexpr (detail::has_size<T>) {
        if constexpr (std::is_array_v<T>)
          range(&object[0], std::extent_v<T>);
        else
          whole(object);
      }
    }
  }

  /// An object that the program names, and what belongs to it.
  template <class T> void object(T &object) {
    const std::uint32_t before = std::exchange(named_, XCC_MAP_NAMED);
    if constexpr (std::is_array_v<T>)
      range(&object[0], std::extent_v<T>);
    else
      whole(object);
    named_ = before;
  }

  /// A member or variable, for messages; the string lives on.
  void enter(const char *name) { xcc_mapping_enter(mapping_, name, 0); }
  void enter(std::size_t index) { xcc_mapping_enter(mapping_, nullptr, index); }
  void leave() { xcc_mapping_leave(mapping_); }

  xcc_mapping *handle() const { return mapping_; }

private:
  /// Is there anything to say about a value of the type?
  template <class U> static constexpr bool visits() {
    if constexpr (std::is_arithmetic_v<U> || std::is_enum_v<U>)
      return false;
    else if constexpr (detail::has_transfer<U>)
      return true;
    else
      return holds_addresses<U>();
  }

  /// Is there anything to say about a member of the type?
  template <class S> static constexpr bool is_visited() {
    if constexpr (detail::has_size<S>)
      return visits<std::remove_cv_t<std::remove_all_extents_t<S>>>();
    else
      return false;
  }

  template <class T> std::uint32_t flags() {
    std::uint32_t f = stated_;
    if (!f)
      f = is_fixed<T>() ? XCC_MAP_IN | XCC_MAP_CONST : XCC_MAP_IN | XCC_MAP_OUT;
    if (is_fixed<T>())
      f &= ~std::uint32_t(XCC_MAP_OUT);
    // Kernels find the rest by the addresses.
    if constexpr (visits<std::remove_cv_t<T>>())
      f |= XCC_MAP_IN;
    if (!f)
      f = XCC_MAP_KEEP;
    return f | std::exchange(named_, 0);
  }

  /// Are kernels not to write objects that they know as T?
  template <class T> static constexpr bool is_fixed() {
    using U = std::remove_cv_t<std::remove_all_extents_t<T>>;
    if constexpr (!std::is_const_v<T>)
      return false;
    else if constexpr (!std::is_class_v<U> && !std::is_union_v<U>)
      return true;
    else if constexpr (detail::has_size<U>)
      return !detail::addresses<U>::has_mutable;
    else
      return false;
  }
  template <class T> void elements(T *first, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      xcc_mapping_enter(mapping_, nullptr, i);
      part(first[i]);
      xcc_mapping_leave(mapping_);
    }
  }

  /// The kind of an address of a T, of which a range is named.
  template <class T> static constexpr std::uint32_t to(std::uint32_t kind) {
    return is_fixed<T>() ? kind | XCC_ADDRESS_CONST : kind;
  }

  /// Words of an object that are the address \p wanted (null: that are any).
  void words(const void *object, std::size_t size, const void *wanted,
             std::uint32_t kind) {
    auto *at = static_cast<const char *>(object);
    for (std::size_t i = 0; i + sizeof(void *) <= size; i += sizeof(void *)) {
      const void *word;
      __builtin_memcpy(&word, at + i, sizeof(word));
      if (!wanted || word == wanted)
        xcc_mapping_address(mapping_, at + i, kind);
    }
  }

  /// Where a kernel may make an object that holds addresses, in one that the
  /// host did not make. Only places where the type has them are named: beside
  /// them lie numbers, and padding that may hold any bytes.
  template <class T> void room(T &object) {
    if constexpr (!std::is_const_v<T>)
      room_of<std::remove_volatile_t<T>>(const_cast<char *>(
          static_cast<const char *>(detail::address_of(object))));
  }

  template <class U> void room_of(char *at) {
    const std::uint32_t kind =
        XCC_ADDRESS_ROOM | (unsure_ ? 0u : std::uint32_t(XCC_ADDRESS_NONE));
    if constexpr (std::is_void_v<U>) {
      // Of an expected.
    } else if constexpr (std::is_array_v<U>) {
      using E = std::remove_extent_t<U>;
      if constexpr (visits<std::remove_cv_t<std::remove_all_extents_t<U>>>())
        for (std::size_t i = 0; i < std::extent_v<U>; ++i)
          room_of<std::remove_cv_t<E>>(at + i * sizeof(E));
    } else if constexpr (!visits<U>()) {
      // Nothing.
    } else if constexpr (std::is_union_v<U>) {
      words(at, sizeof(U), nullptr, kind);
    } else if constexpr (!std::is_class_v<U>) {
      xcc_mapping_address(mapping_, at, kind);
    } else if constexpr (detail::alternatives<U>::known) {
      detail::alternatives<U>::each([&](auto *type) {
        room_of<std::remove_pointer_t<decltype(type)>>(at);
      });
    } else {
      visit_members(*reinterpret_cast<U *>(at), [&](auto m, auto &&shown) {
        using S = std::remove_cv_t<std::remove_reference_t<decltype(shown)>>;
        if constexpr (std::is_same_v<decltype(m), reference_member>)
          xcc_mapping_address(mapping_, at + m.offset, kind);
        else if constexpr (std::is_reference_v<decltype(shown)> &&
                           is_visited<S>())
          room_of<S>(at + m.offset);
      });
    }
  }

  void unknown_count() {
    xcc_mapping_refuse(
        mapping_, "may not be an element: nothing says how many there are; "
                  "keep them in a std::vector, or specialise "
                  "xcc::transfer for the class that knows");
  }

  template <class U, class T> void members(T &object) {
    visit_members(object, [&](auto m, auto &&shown) {
      using S = std::remove_reference_t<decltype(shown)>;
      if constexpr (std::is_same_v<decltype(m), reference_member>)
        reference_named(m.name,
                        static_cast<const char *>(static_cast<const void *>(
                            __builtin_addressof(object))) +
                            m.offset,
                        shown);
      else if constexpr (std::is_reference_v<decltype(shown)> &&
                         is_visited<S>())
        part_named(std::is_same_v<decltype(m), base_member> ? "" : m.name,
                   shown);
    });
  }

  // Once for each type, not for each closure that has such a capture: units with
  // many launches are compiled faster.
  template <class T>
  __attribute__((noinline)) void
  reference_named(const char *name, const void *location, T &object) {
    enter(name);
    referred(location, object);
    leave();
  }
  template <class T>
  __attribute__((noinline)) void part_named(const char *name, T &object) {
    enter(name);
    part(object);
    leave();
  }

  template <class U, class T> void value(T &object) {
    if constexpr (detail::has_transfer<U>) {
      if (unsure_)
        return unknown_count();
      xcc_mapping_depends(mapping_, nullptr, 0); // on what the trait asks
      transfer<U>::map(*this, object);
      // The trait knows what lives in the object's unions.
      const bool before = std::exchange(knows_unions_, true);
      members<U>(object);
      knows_unions_ = before;
    } else if constexpr (detail::stated_by<U>::flags != 0) {
      const auto before = std::exchange(stated_, detail::stated_by<U>::flags);
      referred(detail::address_of(object), object.object);
      stated_ = before;
    } else if constexpr (std::is_union_v<U>) {
      if (!knows_unions_)
        xcc_mapping_refuse(mapping_,
                           "is a union that may hold an address; specialise "
                           "xcc::transfer for the class that knows what lives "
                           "in it");
      else
        room(object);
    } else if constexpr (detail::is_named<U>("std::")) {
      standard<U>(object);
    } else {
      members<U>(object);
    }
  }

  /// Of the standard library.
  template <class U, class T> void standard(T &object) {
    xcc_mapping_depends(mapping_, detail::address_of(object), sizeof(U));
    if constexpr (detail::is_named<U>("std::pmr::polymorphic_allocator<")) {
      // Of no use to a kernel.
    } else if constexpr (detail::looks_like_bits<U>) {
      constexpr std::size_t word = sizeof(unsigned long) * 8;
      auto *first = object.begin()._M_p;
      range(
          const_cast<std::conditional_t<std::is_const_v<T>, const unsigned long,
                                        unsigned long> *>(first),
          (object.size() + word - 1) / word,
          (object.capacity() + word - 1) / word);
      members<U>(object);
    } else if constexpr (detail::has_data<U>) {
      contiguous<U>(object);
    } else if constexpr (detail::looks_like_expected<U>) {
      if (unsure_)
        ;
      else if (!object.has_value())
        part(object.error());
      else if constexpr (!std::is_void_v<decltype(*object)>)
        part(*object);
      room(object);
    } else if constexpr (detail::looks_like_optional<U>) {
      if (!unsure_ && object.has_value())
        part(*object);
      else
        room(object);
    } else if constexpr (detail::looks_like_variant<U>) {
      if (!unsure_ && !object.valueless_by_exception())
        visit([this](auto &alternative) { part(alternative); }, object);
      room(object);
    } else if constexpr (detail::looks_like_unique_array<U>) {
      if constexpr (detail::is_named<typename U::deleter_type>(
                        "std::default_delete<"))
        array(object.get());
      else if (object)
        unknown_count();
      members<U>(object);
    } else if constexpr (detail::looks_like_unique_ptr<U>) {
      if (object)
        whole(*object);
      members<U>(object);
    } else if constexpr (detail::looks_like_reference<U>) {
      whole(object.get());
      members<U>(object);
    } else if constexpr (detail::looks_like_valarray<U>) {
      if (object.size())
        range(__builtin_addressof(const_cast<U &>(object)[0]), object.size());
      if (object.size())
        members<U>(object);
      else
        room(object);
    } else if constexpr (detail::looks_like_list<U>) {
      range(object.begin(), object.size());
      members<U>(object);
    } else {
      members<U>(object);
    }
  }

  /// A range of one object.
  template <class T> void whole(T &object) {
    if (unsure_)
      return unknown_count();
    // Arrays have an end.
    constexpr std::uint32_t single =
        detail::is_named<std::remove_cv_t<T>>("std::array<") ? 0
                                                             : XCC_MAP_SINGLE;
    const bool more =
        xcc_mapping_range(mapping_, detail::address_of(object), sizeof(T),
                          sizeof(T), flags<T>() | single);
    if constexpr (visits<std::remove_cv_t<T>>()) {
      if (more)
        part(object);
    }
  }

  /// Anything with data() and size().
  template <class U, class T> void contiguous(T &object) {
    auto *first = object.data();
    const auto *self = static_cast<const char *>(
        static_cast<const void *>(__builtin_addressof(object)));
    const auto *at = reinterpret_cast<const char *>(first);
    if (at >= self && at < self + sizeof(U)) {
      // In the object: an array, a short string.
      if constexpr (!detail::has_capacity<U>)
        members<U>(object);
      else
        words(self, sizeof(U), at, XCC_ADDRESS_POINTER);
      return;
    }
    if constexpr (detail::looks_like_string<U>)
      range(first, object.size() + 1, object.capacity() + 1);
    else if constexpr (detail::has_capacity<U>)
      range(first, object.size(), object.capacity());
    else
      range(first, object.size());
    // Of elements, the address is that of the first, whatever ends there.
    constexpr std::uint32_t any =
        to<std::remove_pointer_t<decltype(first)>>(XCC_ADDRESS_POINTER);
    const std::uint32_t kind =
        any | (object.size() ? XCC_ADDRESS_REFERENCE : XCC_ADDRESS_POINTER);
    if constexpr (detail::has_capacity<U> && !detail::looks_like_string<U> &&
                  sizeof(U) == 3 * sizeof(void *)) {
      xcc_mapping_address(mapping_, self, kind);
      for (std::size_t i : {1, 2})
        xcc_mapping_address(mapping_, self + i * sizeof(void *),
                            any | (object.size() ? XCC_ADDRESS_END : 0));
    } else if constexpr (detail::has_capacity<U> &&
                         !detail::looks_like_string<U>)
      members<U>(object);
    else if (first)
      words(self, sizeof(U), at, kind);
    else
      members<U>(object); // a kernel may let it refer to something
  }

  /// What new[] gave.
  template <class T> void array(T *first) {
    if (!first)
      return;
    if constexpr (detail::has_own_new<std::remove_cv_t<T>>) {
      unknown_count();
    } else if constexpr (std::is_trivially_destructible_v<T>) {
      auto *memory =
          const_cast<void *>(static_cast<const volatile void *>(first));
      // The heap may have given some bytes more than it was asked for.
      const std::size_t bytes = malloc_usable_size(memory),
                        count = bytes / sizeof(T),
                        sure = (bytes - (bytes < Slack ? bytes : Slack)) /
                               sizeof(T);
      if constexpr (visits<std::remove_cv_t<T>>()) {
        if (!xcc_mapping_range(mapping_, memory, count * sizeof(T), bytes,
                               flags<T>() | XCC_MAP_OBJECTS))
          return;
        elements(first, 0, sure);
        const bool before = std::exchange(unsure_, true);
        elements(first, sure, count);
        unsure_ = before;
      } else {
        range(first, count);
      }
    } else {
      const std::size_t count = detail::array_count(first);
      range(first, count);
    }
  }

  xcc_mapping *mapping_;
  std::uint32_t stated_;
  std::uint32_t named_ = 0; ///< of the next range
  bool knows_unions_ = false;
  /// Of an object that may be none.
  bool unsure_ = false;
  /// glibc's malloc leaves nothing behind a block that is smaller than one.
  static constexpr std::size_t Slack = 32;
};

} // namespace xcc
#endif // XCC_TRANSFER_H
