// What objects are made of, for code that moves them between memories
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// visit_members and holds_addresses, which the compiler implements: C++ has no
// other means to list the members of a class in a template.
//
// Errors. No function here fails. Threads. A function uses only its arguments.

#ifndef XCC_VISIT_MEMBERS_H
#define XCC_VISIT_MEMBERS_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <cstddef>
#include <cstdint>

#ifndef __XCC__
/// Never defined: an object that needs it has kernels and was made by another
/// compiler, which reads these headers, as editors and checkers do, and cannot
/// make device code.
extern "C" void __xcc_compile_this_file_with_xcc();
#endif

namespace xcc {

/// What a visitor gets: a member, the object that a member refers to, or the part
/// of an object that is its base class.
enum class member_kind : std::uint8_t { data, reference, base };

namespace detail {
/// Called by functions that only xcc implements.
constexpr void needs_xcc() {
#ifndef __XCC__
  if (!__builtin_is_constant_evaluated())
    __xcc_compile_this_file_with_xcc();
#endif
}
} // namespace detail

/// Describes what visit_members passes to a visitor.
struct member {
  /// As it is written: a member's name; a capture's variable; "this" and
  /// "*this" of closures that capture them; a base's type. Empty for a union
  /// without a name. Lives as long as the program.
  const char *name;
  /// Bytes from the start of the object. A virtual base's is the one that it
  /// has in this object.
  std::size_t offset;
  /// reference: the object holds an address at `offset`, and the visitor gets
  /// what it refers to. Captures by reference are of this kind, and so is
  /// "this".
  member_kind kind;
};

/// What a visitor is given for a member of the object's own, or a capture by
/// copy: the type says of which kind it is, too.
struct data_member : member {};
/// The same for a member of reference type, or a capture by reference.
struct reference_member : member {};
/// The same for a base.
struct base_member : member {};

/// Calls visitor(member, m) for each direct base and each member of an object
/// of a class, or each capture of a closure, private ones too, in the order of
/// their declaration, bases first. `m` is the member itself, as const and
/// volatile as the object; a bit-field's is a copy. An array is shown as a
/// whole; members of a struct without a name as if they were the object's own.
/// Nothing is called for the alternatives of a union, of which only the program
/// knows which one lives, nor for static members and arrays without elements.
/// `member` is a data_member, reference_member or base_member.
/// Members of a packed class may be less aligned than their type asks for.
///
///     struct Body { double mass; private: double x, y; } body;
///     xcc::visit_members(body, [](xcc::member m, auto &value) {
///       std::printf("%s at %zu: %g\n", m.name, m.offset, value);
///     });
///
/// prints mass, x and y. The compiler writes each specialization's body; what a
/// visitor throws goes through it.
template <class Type, class Visit>
[[clang::annotate("xcc.visit_members")]] void
visit_members([[maybe_unused]] Type &object, [[maybe_unused]] Visit &&visitor)
#ifdef __XCC__
    ;
#else
{
  detail::needs_xcc();
}
#endif

namespace detail {
/// The compiler writes the values; without it, everything may hold addresses, and
/// have mutable members.
template <class Type>
struct [[clang::annotate("xcc.holds_addresses")]] addresses {
  enum : bool { held = true, has_mutable = true };
};
/// Whether an object of the type can be mapped to a device with memory of its
/// own (of a reference, what it refers to), and whether it holds, or leads to,
/// an address of the host's code. The compiler writes the values.
template <class Type>
struct [[clang::annotate("xcc.goes_to_device")]] device_type {
  enum : bool { can_map = false, holds_code = true };
};
} // namespace detail

/// Whether an object of the type, complete where this is used, holds an address
/// in itself: a pointer, a reference, a capture by reference, a pointer to a
/// member function, or what finds virtual functions, in any member or base, to
/// any depth. A constant: code of which it is the condition costs nothing.
///     static_assert(!xcc::holds_addresses<Plain>(), "its bytes are sent");
template <class Type> constexpr bool holds_addresses() {
  return detail::addresses<Type>::held;
}

} // namespace xcc

#endif // XCC_VISIT_MEMBERS_H
