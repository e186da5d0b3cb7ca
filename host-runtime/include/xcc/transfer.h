// Which memory a value owns or refers to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a device with memory of its own, a launch has to name the memory that its
// arguments refer to. mapper does so for objects of any type. The compiler shows
// it the members of classes and closures (xcc/visit_members.h). For types that
// own memory, xcc::transfer names the memory that belongs to a value. Most types
// of the standard library are recognised here by their members, so that none of
// its headers is needed. None of this runs on devices that share the host's
// memory. Errors and threads: as in <xcc/host.h>.

#ifndef XCC_TRANSFER_H
#define XCC_TRANSFER_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/runtime.h>
#include <xcc/transfer_nodes.h>
#include <xcc/transfer_shared.h>
#include <xcc/visit_members.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

extern "C" std::size_t malloc_usable_size(void *) noexcept;

namespace xcc {

class mapper;

#define XCC_STATES_DIRECTIONS [[clang::annotate("xcc.states_directions")]]
template <class Type, std::uint32_t Flags, bool Temporary = false>
struct XCC_STATES_DIRECTIONS directed;

/// Names memory that belongs to a value and that the compiler cannot see: memory
/// that it owns or refers to, and the number of elements there. Specialise it
/// for a class of your own:
///
///     template <> struct xcc::transfer<Tree> {
///       static void map(xcc::mapper &m, const Tree &tree) {
///         m.range(tree.nodes, tree.count);
///       }
///     };
///
/// Members are visited without it. A specialisation for a class template takes
/// the value as `Type &`, to know whether it is const.
template <class Type> struct transfer;

namespace detail {

/// The directions that an argument of a launch or scope, or a capture, states.
template <class Arg> struct stated_by {
  static constexpr std::uint32_t flags = 0;
};
template <class Type, std::uint32_t Flags, bool Temporary>
struct stated_by<directed<Type, Flags, Temporary>> {
  static constexpr std::uint32_t flags = Flags;
};

/// For a base class that is a template of its derived class (Base<Derived>): the
/// derived class, which the compiler fills in. Otherwise the type itself.
template <class Type>
struct [[clang::annotate("xcc.complete_object")]] complete_object {
  using type = Type;
};
template <class Type> struct complete_type {
  using type = typename complete_object<Type>::type;
};
template <class Type> struct complete_type<const Type> {
  using type = const typename complete_object<Type>::type;
};
template <class Type> struct complete_type<volatile Type> {
  using type = volatile typename complete_object<Type>::type;
};
template <class Type> struct complete_type<const volatile Type> {
  using type = const volatile typename complete_object<Type>::type;
};

#define XCC_LOOKS(trait, ...)                                                  \
  template <class Type, class = void> inline constexpr bool trait = false;     \
  template <class Type>                                                        \
  inline constexpr bool trait<Type, std::void_t<__VA_ARGS__>> = true;
XCC_LOOKS(has_size, decltype(sizeof(Type)))
XCC_LOOKS(has_transfer, decltype(sizeof(transfer<Type>)))
XCC_LOOKS(has_data, decltype(std::declval<Type &>().data()),
          decltype(std::declval<Type &>().size()))
XCC_LOOKS(has_allocator, typename Type::allocator_type)
XCC_LOOKS(has_capacity, decltype(std::declval<Type &>().capacity()))
XCC_LOOKS(looks_like_string, decltype(std::declval<Type &>().c_str()))
XCC_LOOKS(looks_like_optional, decltype(std::declval<Type &>().has_value()),
          decltype(*std::declval<Type &>()))
XCC_LOOKS(looks_like_expected, decltype(std::declval<Type &>().has_value()),
          decltype(std::declval<Type &>().error()))
XCC_LOOKS(looks_like_variant, decltype(std::declval<Type &>().index()),
          decltype(std::declval<Type &>().valueless_by_exception()))
XCC_LOOKS(looks_like_unique_ptr, typename Type::deleter_type,
          decltype(std::declval<Type &>().get()))
XCC_LOOKS(looks_like_unique_array, typename Type::deleter_type,
          decltype(std::declval<Type &>()[0]))
XCC_LOOKS(has_own_new, decltype(Type::operator new[](sizeof(int))))
XCC_LOOKS(looks_like_reference, decltype(&Type::get),
          decltype(static_cast<typename Type::type &>(std::declval<Type &>())))
XCC_LOOKS(looks_like_bits, decltype(std::declval<Type &>().flip()),
          decltype(std::declval<Type &>().begin()._M_p),
          decltype(std::declval<Type &>().capacity()))
XCC_LOOKS(looks_like_valarray, decltype(std::declval<Type &>().cshift(0)),
          decltype(std::declval<Type &>().size()))
#undef XCC_LOOKS

/// For std::variant, optional and expected: the types that may be at the object's
/// begin, passed to a function as null pointers.
template <class Type> struct alternatives {
  static constexpr bool known = false;
};
template <template <class...> class Holder, class... Arg>
struct alternatives<Holder<Arg...>> {
  using Type = Holder<Arg...>;
  static constexpr bool known =
      is_named<Type>("std::") &&
      (looks_like_variant<Type> || looks_like_optional<Type> ||
       looks_like_expected<Type>) &&
      !looks_like_unique_ptr<Type>;
  template <class Take> static void each(const Take &take) {
    (take(static_cast<std::remove_cv_t<Arg> *>(nullptr)), ...);
  }
};

/// An allocator's class for elements of another type; void: not known.
template <class Allocator, class Element> struct rebound_template {
  using type = void;
};
template <template <class...> class Allocator, class Old, class... Rest,
          class Element>
struct rebound_template<Allocator<Old, Rest...>, Element> {
  using type = Allocator<Element, Rest...>;
};
template <class Allocator, class Element, class = void>
struct rebound : rebound_template<Allocator, Element> {};
template <class Allocator, class Element>
struct rebound<
    Allocator, Element,
    std::void_t<typename Allocator::template rebind<Element>::other>> {
  using type = typename Allocator::template rebind<Element>::other;
};

/// The functions by which the host allocates memory as a container with that
/// allocator does. They are known if the allocator has no state.
template <class Allocator, class Element, class = void>
struct allocator_functions {
  static constexpr const xcc_mapping_allocator_functions *known = nullptr;
};
template <class Allocator, class Element>
struct allocator_functions<
    Allocator, Element,
    std::enable_if_t<
        std::is_empty_v<Allocator> &&
        std::is_default_constructible_v<Allocator> &&
        std::is_same_v<decltype(std::declval<Allocator &>().allocate(1)),
                       Element *>>> {
  static void *allocate(std::uint64_t bytes) {
    Allocator any{};
    return any.allocate(bytes / sizeof(Element));
  }
  static void deallocate(void *memory, std::uint64_t bytes) {
    Allocator any{};
    any.deallocate(static_cast<Element *>(memory), bytes / sizeof(Element));
  }
  static constexpr xcc_mapping_allocator_functions both{&allocate, &deallocate};
  static constexpr const xcc_mapping_allocator_functions *known = &both;
};

/// For an element with a larger alignment than operator new gives: another
/// operator new allocates and frees its memory.
template <class Element> struct aligned_functions {
  static constexpr std::align_val_t alignment{alignof(Element)};
  static void *allocate(std::uint64_t bytes) {
    return ::operator new(bytes, alignment, std::nothrow);
  }
  static void deallocate(void *memory, std::uint64_t) {
    ::operator delete(memory, alignment);
  }
  static constexpr xcc_mapping_allocator_functions both{&allocate, &deallocate};
};

/// The address of an object, whatever its operators and qualifiers are.
template <class Type> const void *address_of(Type &object) {
  return (const void *)__builtin_addressof(object);
}

/// The number of elements, which new[] wrote before the first one (Itanium C++
/// ABI). AddressSanitizer rejects reads of that place.
__attribute__((noinline, no_sanitize("address"))) inline std::size_t
array_count(const volatile void *first) {
  return static_cast<const volatile std::size_t *>(first)[-1];
}

} // namespace detail

/// Names memory for a launch or scope that is being prepared. Kernels do not
/// write memory that is named through a pointer to const. Only one thread may
/// use a mapper, which does not own the memory.
class mapper {
public:
  /// \p stated are the directions that the user states (xcc_map_flags); 0: the
  /// types decide. \p casts_down: kernels cast a base of type Base<Derived> to
  /// the derived class.
  explicit mapper(xcc_mapping *mapping, std::uint32_t stated = 0,
                  bool casts_down = false)
      : mapping_(mapping), stated_(stated), casts_down_(casts_down) {}

  /// Names \p count elements, from \p first on, that a value owns or refers to,
  /// in an allocation with room for \p room elements. What they own and refer to
  /// is mapped too.
  template <class Type>
  void range(Type *first, std::size_t count, std::size_t room = 0) {
    using Bare = std::remove_cv_t<Type>;
    if (room < count)
      room = count;
    if (unsure_ && first && count)
      return unknown_count();
    if constexpr (std::is_void_v<Bare>) {
      xcc_mapping_range(mapping_, const_cast<void *>(first), count, room,
                        flags<Type>());
    } else {
      const void *begin =
          const_cast<const void *>(static_cast<const volatile void *>(first));
      if constexpr (visits<Bare>()) {
        if (xcc_mapping_objects(
                mapping_, begin, count * sizeof(Type), room * sizeof(Type),
                flags<Type>() | XCC_MAP_OBJECTS, &visit_home<Type>))
          inside([&] { elements(at_home(first), 0, count); });
      } else {
        xcc_mapping_range(mapping_, begin, count * sizeof(Type),
                          room * sizeof(Type), flags<Type>());
      }
    }
  }

  /// Names an object within a range or within the value: the active member of a
  /// union, for example.
  template <class Type> void part(Type &object) {
    using Bare = std::remove_cv_t<Type>;
    if constexpr (std::is_array_v<Bare>) {
      if constexpr (visits<std::remove_all_extents_t<Bare>>()) {
        std::size_t place = 0;
        for (auto &element : object) {
          xcc_mapping_enter(mapping_, nullptr, place++);
          part(element);
          xcc_mapping_leave(mapping_);
        }
      }
    } else if constexpr (std::is_class_v<Bare> || std::is_union_v<Bare>) {
      if constexpr (visits<Bare>())
        value<Bare>(const_cast<std::conditional_t<std::is_const_v<Type>,
                                                  const Bare, Bare> &>(object));
    } else if constexpr (visits<Bare>() && !std::is_member_pointer_v<Bare> &&
                         !std::is_null_pointer_v<Bare> &&
                         !std::is_function_v<std::remove_pointer_t<Bare>>) {
      using Pointee = std::remove_pointer_t<Bare>;
      std::uint32_t kind = unsure_ ? XCC_ADDRESS_ROOM : XCC_ADDRESS_POINTER;
      // A class need not be complete here.
      if constexpr (!std::is_class_v<Pointee> && !std::is_union_v<Pointee>)
        kind = to<Pointee>(kind);
      // Constants that hold addresses are not constant before they are loaded.
      if constexpr (std::is_const_v<Pointee> && !std::is_pointer_v<Pointee> &&
                    !std::is_void_v<Pointee>)
        if (!unsure_)
          kind |= std::is_class_v<Pointee> || std::is_union_v<Pointee> ||
                          std::is_array_v<Pointee>
                      ? XCC_ADDRESS_CONSTANT
                      : XCC_ADDRESS_CONSTANT | XCC_ADDRESS_NUMBERS;
      xcc_mapping_address(mapping_, detail::address_of(object), kind);
    }
  }

  /// Names the object that a reference at \p location refers to.
  template <class Type> void referred(const void *location, Type &object) {
    if constexpr (!std::is_function_v<Type>) {
      if (unsure_)
        return unknown_count();
      if constexpr (is_part<Type>())
        if (casts_down_)
          return referred(location, complete(object));
      xcc_mapping_address(
          mapping_, location,
          to<Type>(std::is_scalar_v<Type>
                       ? XCC_ADDRESS_REFERENCE | XCC_ADDRESS_SCALAR
                       : XCC_ADDRESS_REFERENCE));
      if constexpr (detail::has_size<Type>) {
        if constexpr (std::is_array_v<Type>)
          range(&object[0], std::extent_v<Type>);
        else
          whole(object);
      }
    }
  }

  /// Names an object that the program maps itself, and what belongs to it.
  template <class Type> void object(Type &object) {
    const std::uint32_t before = std::exchange(named_, XCC_MAP_NAMED);
    if constexpr (std::is_array_v<Type>)
      range(&object[0], std::extent_v<Type>);
    else
      whole(object);
    named_ = before;
  }

  /// Enters the member or variable \p name, or the element \p index, for
  /// messages. The string must live as long as the program.
  void enter(const char *name) { xcc_mapping_enter(mapping_, name, 0); }
  void enter(std::size_t index) { xcc_mapping_enter(mapping_, nullptr, index); }
  void leave() { xcc_mapping_leave(mapping_); }

  /// Returns the launch or scope in the C interface.
  xcc_mapping *handle() const { return mapping_; }

private:
  template <class> friend struct detail::node_containers;
  template <class> friend struct detail::shared_owners;

  /// The same for what is visited with its container.
  template <class Type>
  static void visit_nothing(xcc_mapping *, void *, std::uint64_t) {}
  /// Visits elements of the host that kernels have written, if the kernels
  /// allocate memory. The runtime calls it (xcc_mapping_objects).
  template <class Type>
  static void visit_home(xcc_mapping *mapping, void *first,
                         std::uint64_t bytes) {
    mapper home(mapping);
    home.home_ = home.inside_ = true;
    // In messages, only one of several objects has a number.
    if (bytes == sizeof(Type))
      home.part(*static_cast<Type *>(first));
    else
      home.elements(static_cast<Type *>(first), 0, bytes / sizeof(Type));
  }
  /// Returns the host's address of the elements, if \p first may be the device's.
  template <class Type> Type *at_home(Type *first) const {
    return home_
               ? static_cast<Type *>(xcc_mapping_home(
                     mapping_, const_cast<const void *>(
                                   static_cast<const volatile void *>(first))))
               : first;
  }
  /// Calls \p visit for objects that are in mapped memory, not among the
  /// arguments.
  template <class Visit> void inside(const Visit &visit) {
    const bool before = std::exchange(inside_, true);
    visit();
    inside_ = before;
  }
  /// Says that the object owns the next range. An argument does not: the memory
  /// stays the host's, whatever happens to the device's copy of the argument.
  template <class Element> void next_is_owned(std::uint32_t how = 0) {
    if constexpr (alignof(Element) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      how |= XCC_MAP_FOREIGN;
      xcc_mapping_allocator(mapping_,
                            &detail::aligned_functions<Element>::both);
    }
    owned_ = inside_ ? XCC_MAP_OWNED | how : 0;
  }
  /// The same for what a container allocates.
  template <class Bare, class Element> void next_is_containers() {
    if constexpr (is_newed<Bare>()) {
      next_is_owned<Element>();
    } else if constexpr (detail::has_allocator<Bare>) {
      using Own = typename detail::rebound<typename Bare::allocator_type,
                                           std::remove_cv_t<Element>>::type;
      next_is_owned<Element>(XCC_MAP_FOREIGN);
      xcc_mapping_allocator(
          mapping_,
          detail::allocator_functions<Own, std::remove_cv_t<Element>>::known);
    }
  }
  /// Does a container take its memory from operator new?
  template <class Bare> static constexpr bool is_newed() {
    if constexpr (detail::has_allocator<Bare>)
      return detail::is_named<typename Bare::allocator_type>("std::allocator<");
    else
      return false;
  }
  /// Can a value of the type hold or refer to something to map?
  template <class Bare> static constexpr bool visits() {
    if constexpr (std::is_arithmetic_v<Bare> || std::is_enum_v<Bare>)
      return false;
    else if constexpr (detail::has_transfer<Bare>)
      return true;
    else
      return holds_addresses<Bare>();
  }

  /// Is an object of the type known to be part of one of a derived class?
  template <class Type> static constexpr bool is_part() {
    if constexpr (std::is_class_v<Type> && detail::has_size<Type>)
      return !std::is_same_v<typename detail::complete_type<Type>::type, Type>;
    else
      return false;
  }
  /// Bases may be private.
  template <class Type>
  static typename detail::complete_type<Type>::type &complete(Type &object) {
    return (typename detail::complete_type<Type>::type &)object;
  }

  /// Can a member of the type hold or refer to something to map?
  template <class Shown> static constexpr bool is_visited() {
    if constexpr (detail::has_size<Shown>)
      return visits<std::remove_cv_t<std::remove_all_extents_t<Shown>>>();
    else
      return false;
  }

  template <class Type> std::uint32_t flags() {
    std::uint32_t directions = stated_;
    if (!directions)
      directions = is_fixed<Type>() ? XCC_MAP_IN | XCC_MAP_CONST
                                    : XCC_MAP_IN | XCC_MAP_OUT;
    if (is_fixed<Type>())
      directions &= ~std::uint32_t(XCC_MAP_OUT);
    // Kernels find the rest by the addresses.
    if constexpr (visits<std::remove_cv_t<Type>>())
      directions |= XCC_MAP_IN;
    if (!directions)
      directions = XCC_MAP_KEEP;
    return directions | std::exchange(named_, 0) | std::exchange(owned_, 0);
  }

  /// Are kernels not to write objects that they know as Type?
  template <class Type> static constexpr bool is_fixed() {
    using Bare = std::remove_cv_t<std::remove_all_extents_t<Type>>;
    if constexpr (!std::is_const_v<Type>)
      return false;
    else if constexpr (!std::is_class_v<Bare> && !std::is_union_v<Bare>)
      return true;
    else if constexpr (detail::has_size<Bare>)
      return !detail::addresses<Bare>::has_mutable;
    else
      return false;
  }
  template <class Type>
  void elements(Type *first, std::size_t from, std::size_t to) {
    for (std::size_t place = from; place < to; ++place) {
      xcc_mapping_enter(mapping_, nullptr, place);
      part(first[place]);
      xcc_mapping_leave(mapping_);
    }
  }

  /// The kind of an address that points to a Type whose range is named.
  template <class Type> static constexpr std::uint32_t to(std::uint32_t kind) {
    return is_fixed<Type>() ? kind | XCC_ADDRESS_CONST : kind;
  }

  /// Names the words of an object that hold the address \p wanted, or any address
  /// if it is null.
  void words(const void *object, std::size_t size, const void *wanted,
             std::uint32_t kind) {
    auto *at = static_cast<const char *>(object);
    for (std::size_t place = 0; place + sizeof(void *) <= size;
         place += sizeof(void *)) {
      const void *stored;
      __builtin_memcpy(&stored, at + place, sizeof(stored));
      if (!wanted || stored == wanted)
        xcc_mapping_address(mapping_, at + place, kind);
    }
  }

  /// Names the places for addresses in memory where the host has no object yet
  /// and a kernel may construct one. Other bytes of the type are numbers, or
  /// padding that may have any value.
  template <class Type> void room(Type &object) {
    if constexpr (!std::is_const_v<Type>)
      room_of<std::remove_volatile_t<Type>>(const_cast<char *>(
          static_cast<const char *>(detail::address_of(object))));
  }

  template <class Bare> void room_of(char *at) {
    const std::uint32_t kind =
        XCC_ADDRESS_ROOM | (unsure_ ? 0u : std::uint32_t(XCC_ADDRESS_NONE));
    if constexpr (std::is_void_v<Bare>) {
      // Of an expected.
    } else if constexpr (std::is_array_v<Bare>) {
      using Element = std::remove_extent_t<Bare>;
      if constexpr (visits<std::remove_cv_t<std::remove_all_extents_t<Bare>>>())
        for (std::size_t place = 0; place < std::extent_v<Bare>; ++place)
          room_of<std::remove_cv_t<Element>>(at + place * sizeof(Element));
    } else if constexpr (!visits<Bare>()) {
      // Nothing.
    } else if constexpr (std::is_union_v<Bare>) {
      words(at, sizeof(Bare), nullptr, kind);
    } else if constexpr (!std::is_class_v<Bare>) {
      xcc_mapping_address(mapping_, at, kind);
    } else if constexpr (detail::alternatives<Bare>::known) {
      detail::alternatives<Bare>::each([&](auto *type) {
        room_of<std::remove_pointer_t<decltype(type)>>(at);
      });
    } else {
      visit_members(
          *reinterpret_cast<Bare *>(at), [&](auto member, auto &&shown) {
            using Shown =
                std::remove_cv_t<std::remove_reference_t<decltype(shown)>>;
            if constexpr (std::is_same_v<decltype(member), reference_member>)
              xcc_mapping_address(mapping_, at + member.offset, kind);
            else if constexpr (std::is_reference_v<decltype(shown)> &&
                               is_visited<Shown>())
              room_of<Shown>(at + member.offset);
          });
    }
  }

  void unknown_count() {
    xcc_mapping_refuse(
        mapping_, "may not be an element: nothing says how many there are; "
                  "keep them in a std::vector, or specialise "
                  "xcc::transfer for the class that knows");
  }

  template <class Bare, class Type> void members(Type &object) {
    visit_members(object, [&](auto member, auto &&shown) {
      using Shown = std::remove_reference_t<decltype(shown)>;
      if constexpr (std::is_same_v<decltype(member), reference_member>)
        reference_named(member.name,
                        static_cast<const char *>(static_cast<const void *>(
                            __builtin_addressof(object))) +
                            member.offset,
                        shown);
      else if constexpr (std::is_reference_v<decltype(shown)> &&
                         is_visited<Shown>())
        part_named(std::is_same_v<decltype(member), base_member> ? ""
                                                                 : member.name,
                   shown);
    });
  }

  // One instance for each type, not for each closure with such a capture: units
  // with many launches compile faster.
  template <class Type>
  __attribute__((noinline)) void
  reference_named(const char *name, const void *location, Type &object) {
    enter(name);
    referred(location, object);
    leave();
  }
  template <class Type>
  __attribute__((noinline)) void part_named(const char *name, Type &object) {
    enter(name);
    part(object);
    leave();
  }

  template <class Bare, class Type> void value(Type &object) {
    if constexpr (detail::has_transfer<Bare>) {
      if (unsure_)
        return unknown_count();
      if (home_ &&
          xcc_mapping_away(mapping_, detail::address_of(object), sizeof(Bare)))
        return xcc_mapping_refuse(
            mapping_, "holds memory that a kernel allocated; only memory of "
                      "the standard library's containers is copied back");
      xcc_mapping_depends(mapping_, nullptr, 0); // on what the trait asks
      transfer<Bare>::map(*this, object);
      // The trait knows what lives in the object's unions.
      const bool before = std::exchange(knows_unions_, true);
      members<Bare>(object);
      knows_unions_ = before;
    } else if constexpr (detail::stated_by<Bare>::flags != 0) {
      const auto before =
          std::exchange(stated_, detail::stated_by<Bare>::flags);
      referred(detail::address_of(object), object.object);
      stated_ = before;
    } else if constexpr (std::is_union_v<Bare>) {
      if (!knows_unions_)
        xcc_mapping_refuse(
            mapping_,
            "is a union that may hold an address; specialise xcc::transfer for "
            "the class that knows which member is active");
      else
        room(object);
    } else if constexpr (detail::is_named<Bare>("std::")) {
      standard<Bare>(object);
    } else {
      members<Bare>(object);
    }
  }

  /// Of the standard library.
  template <class Bare, class Type> void standard(Type &object) {
    xcc_mapping_depends(mapping_, detail::address_of(object), sizeof(Bare));
    if constexpr (detail::is_named<Bare>("std::pmr::polymorphic_allocator<")) {
      // Of no use to a kernel.
    } else if constexpr (detail::looks_like_bits<Bare>) {
      constexpr std::size_t bits = sizeof(unsigned long) * 8;
      auto *first = object.begin()._M_p;
      next_is_containers<Bare, unsigned long>();
      range(
          const_cast<std::conditional_t<std::is_const_v<Type>,
                                        const unsigned long, unsigned long> *>(
              first),
          (object.size() + bits - 1) / bits,
          (object.capacity() + bits - 1) / bits);
      if (home_)
        rebase(object, first);
      members<Bare>(object);
    } else if constexpr (detail::is_named<Bare>("std::ranges::")) {
      view<Bare>(object);
    } else if constexpr (detail::is_named<Bare>("std::shared_ptr<") ||
                         detail::is_named<Bare>("std::weak_ptr<")) {
      detail::shared_owners<mapper>{*this}.owner(object);
    } else if constexpr (detail::is_named<Bare>("std::_Hashtable<")) {
      detail::node_containers<mapper>{*this}.hash_table(object);
    } else if constexpr (detail::looks_like_linked_list<Bare>) {
      detail::node_containers<mapper>{*this}.linked_list(object);
    } else if constexpr (detail::looks_like_forward_list<Bare>) {
      detail::node_containers<mapper>{*this}.forward_list(object);
    } else if constexpr (detail::looks_like_tree<Bare>) {
      detail::node_containers<mapper>{*this}.tree(object);
    } else if constexpr (detail::looks_like_deque<Bare>) {
      detail::node_containers<mapper>{*this}.deque(object);
    } else if constexpr (detail::has_data<Bare>) {
      contiguous<Bare>(object);
    } else if constexpr (detail::looks_like_expected<Bare>) {
      if (unsure_)
        ;
      else if (!object.has_value())
        part(object.error());
      else if constexpr (!std::is_void_v<decltype(*object)>)
        part(*object);
      room(object);
    } else if constexpr (detail::looks_like_optional<Bare>) {
      if (!unsure_ && object.has_value())
        part(*object);
      else
        room(object);
    } else if constexpr (detail::looks_like_variant<Bare>) {
      if (!unsure_ && !object.valueless_by_exception())
        visit([this](auto &alternative) { part(alternative); }, object);
      room(object);
    } else if constexpr (detail::looks_like_unique_array<Bare>) {
      if constexpr (detail::is_named<typename Bare::deleter_type>(
                        "std::default_delete<"))
        array(object.get());
      else if (object)
        unknown_count();
      members<Bare>(object);
    } else if constexpr (detail::looks_like_unique_ptr<Bare>) {
      if (object) {
        using Element = std::remove_reference_t<decltype(*object)>;
        if constexpr (detail::is_named<typename Bare::deleter_type>(
                          "std::default_delete<") &&
                      detail::has_size<Element>)
          next_is_owned<Element>();
        whole(*object);
        owned_ = 0;
      }
      members<Bare>(object);
    } else if constexpr (detail::looks_like_reference<Bare>) {
      whole(object.get());
      members<Bare>(object);
    } else if constexpr (detail::looks_like_valarray<Bare>) {
      if (object.size()) {
        next_is_owned<typename Bare::value_type>();
        range(__builtin_addressof(const_cast<Bare &>(object)[0]),
              object.size());
      }
      if (object.size())
        members<Bare>(object);
      else
        room(object);
    } else if constexpr (detail::is_named<Bare>("std::initializer_list<")) {
      range(object.begin(), object.size());
      members<Bare>(object);
    } else {
      members<Bare>(object);
    }
  }

  /// A range of one object.
  template <class Type> void whole(Type &object) {
    if (unsure_)
      return unknown_count();
    if constexpr (!detail::has_size<Type>)
      xcc_mapping_refuse(mapping_,
                         "leads to an object whose class is not defined where "
                         "the kernel is launched");
    else
      whole_of_size(object);
  }
  template <class Type> void whole_of_size(Type &object) {
    if constexpr (is_part<Type>())
      if (casts_down_)
        return whole(complete(object));
    // Arrays have an end.
    constexpr std::uint32_t single =
        detail::is_named<std::remove_cv_t<Type>>("std::array<")
            ? 0
            : XCC_MAP_SINGLE;
    if constexpr (visits<std::remove_cv_t<Type>>()) {
      if (xcc_mapping_objects(mapping_, detail::address_of(object),
                              sizeof(Type), sizeof(Type),
                              flags<Type>() | single, &visit_home<Type>))
        inside([&] { part(*at_home(__builtin_addressof(object))); });
    } else {
      xcc_mapping_range(mapping_, detail::address_of(object), sizeof(Type),
                        sizeof(Type), flags<Type>() | single);
    }
  }

  /// A view holds other views, functions and numbers. Its data() may belong to
  /// another object.
  template <class Bare, class Type> void view(Type &object) {
    if constexpr (detail::is_named<Bare>("std::ranges::ref_view<")) {
      auto &of = object.base();
      if constexpr (std::is_array_v<std::remove_reference_t<decltype(of)>>)
        range(&of[0], std::extent_v<std::remove_reference_t<decltype(of)>>);
      else
        whole(of);
    } else if constexpr (detail::is_named<Bare>("std::ranges::subrange<") &&
                         detail::has_data<const Bare>) {
      range(object.data(), std::size_t(object.size()));
    }
    members<Bare>(object);
  }

  /// Anything with data() and size().
  template <class Bare, class Type> void contiguous(Type &object) {
    const auto *self = static_cast<const char *>(
        static_cast<const void *>(__builtin_addressof(object)));
    // A short string holds its characters itself.
    if constexpr (detail::looks_like_string<Bare>)
      if (home_)
        xcc_mapping_within(mapping_, const_cast<char *>(self), self,
                           sizeof(Bare));
    auto *first = object.data();
    const auto *at = reinterpret_cast<const char *>(first);
    if (at >= self && at < self + sizeof(Bare)) {
      // In the object: an array, a short string.
      if constexpr (!detail::has_capacity<Bare>)
        members<Bare>(object);
      else
        words(self, sizeof(Bare), at, XCC_ADDRESS_POINTER);
      return;
    }
    next_is_containers<Bare, std::remove_pointer_t<decltype(first)>>();
    if constexpr (detail::looks_like_string<Bare>)
      range(first, object.size() + 1, object.capacity() + 1);
    else if constexpr (detail::has_capacity<Bare>)
      range(first, object.size(), object.capacity());
    else
      range(first, object.size());
    if constexpr (detail::has_capacity<Bare>)
      if (home_)
        return rebase(object, first);
    // The address is that of the first element, even if another array ends there.
    constexpr std::uint32_t any =
        to<std::remove_pointer_t<decltype(first)>>(XCC_ADDRESS_POINTER);
    const std::uint32_t kind =
        any | (object.size() ? XCC_ADDRESS_REFERENCE : XCC_ADDRESS_POINTER);
    if constexpr (detail::has_capacity<Bare> &&
                  !detail::looks_like_string<Bare> &&
                  sizeof(Bare) == 3 * sizeof(void *)) {
      xcc_mapping_address(mapping_, self, kind);
      for (std::size_t place : {1, 2})
        xcc_mapping_address(mapping_, self + place * sizeof(void *),
                            any | (object.size() ? XCC_ADDRESS_END : 0));
    } else if constexpr (detail::has_capacity<Bare> &&
                         !detail::looks_like_string<Bare>)
      members<Bare>(object);
    else if (first)
      words(self, sizeof(Bare), at, kind);
    else
      members<Bare>(object); // a kernel may let it refer to something
  }

  /// Translates addresses in an owner that point into the memory that it owns, or
  /// to its end, to the host's.
  template <class Type, class Element>
  void rebase(Type &object, Element *first) {
    const auto from = reinterpret_cast<std::uintptr_t>(first),
               to = reinterpret_cast<std::uintptr_t>(at_home(first)),
               room = std::uintptr_t(object.capacity() + 1) * sizeof(Element);
    auto *self =
        static_cast<char *>(const_cast<void *>(detail::address_of(object)));
    for (std::size_t place = 0; to && from != to && place != sizeof(Type);
         place += sizeof(from)) {
      std::uintptr_t value;
      __builtin_memcpy(&value, self + place, sizeof(value));
      value = value - from <= room ? value - from + to : value;
      __builtin_memcpy(self + place, &value, sizeof(value));
    }
  }

  /// Names an array that new[] allocated.
  template <class Type> void array(Type *first) {
    if (!first)
      return;
    if constexpr (detail::has_own_new<std::remove_cv_t<Type>>) {
      unknown_count();
    } else if constexpr (std::is_trivially_destructible_v<Type>) {
      auto *memory =
          const_cast<void *>(static_cast<const volatile void *>(first));
      Type *here = at_home(first);
      if (!here)
        return xcc_mapping_refuse(
            mapping_, "owns an array that a kernel allocated, and nothing says "
                      "how long that is; use a std::vector");
      // malloc may have allocated more bytes than the program asked for.
      const std::size_t bytes = malloc_usable_size(const_cast<void *>(
                            static_cast<const volatile void *>(here))),
                        count = bytes / sizeof(Type),
                        sure = (bytes - (bytes < Slack ? bytes : Slack)) /
                               sizeof(Type);
      next_is_owned<Type>(XCC_MAP_ARRAY);
      if constexpr (visits<std::remove_cv_t<Type>>()) {
        if (!xcc_mapping_range(mapping_, memory, count * sizeof(Type), bytes,
                               flags<Type>() | XCC_MAP_OBJECTS))
          return;
        inside([&] {
          elements(at_home(first), 0, sure);
          const bool before = std::exchange(unsure_, true);
          elements(at_home(first), sure, count);
          unsure_ = before;
        });
      } else {
        xcc_mapping_range(mapping_, memory, count * sizeof(Type), bytes,
                          flags<Type>());
      }
    } else {
      const std::size_t count = detail::array_count(first);
      range(first, count);
    }
  }

  xcc_mapping *mapping_;
  std::uint32_t stated_;
  std::uint32_t named_ = 0; ///< of the next range
  std::uint32_t owned_ = 0; ///< of the next range
  bool casts_down_;
  /// Called by the runtime: addresses may be the device's.
  bool home_ = false;
  bool inside_ = false; ///< of a range
  bool knows_unions_ = false;
  /// There may be no object at the place that is visited.
  bool unsure_ = false;
  /// glibc's malloc may return up to so many bytes more than it was asked for: it
  /// does not split off a rest that is smaller than its smallest block.
  static constexpr std::size_t Slack = 32;
};

} // namespace xcc
#endif // XCC_TRANSFER_H
