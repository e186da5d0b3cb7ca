// Matching exceptions with handlers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements C++ [except.handle]/3 on the C++ ABI's type information.

#include "../text.h"
#include "../type_names.h"
#include "state.h"

using namespace xcc::exceptions;
using std::type_info;

// The vtables of type information, by their symbols. An object points two words
// further, at the first function.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
extern const void *const
    si_class[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const void *const
    vmi_class[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
extern const void *const
    plain_class[] __asm__("_ZTVN10__cxxabiv117__class_type_infoE");
extern const void *const
    pointer[] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE");
extern const void *const member_pointer[] __asm__(
    "_ZTVN10__cxxabiv129__pointer_to_member_type_infoE");
extern const void *const
    function_type[] __asm__("_ZTVN10__cxxabiv120__function_type_infoE");
extern const type_info standard_exception __asm__("_ZTISt9exception");
}
// NOLINTEND(readability-identifier-naming)

namespace {
struct SingleBase : type_info {
  const type_info *base;
};
struct Base {
  const type_info *type;
  long offsetAndFlags; ///< 1: virtual, 2: public; the offset from bit 8 on
};
struct SeveralBases : type_info {
  unsigned flags, count;
  Base bases[1];
};
struct Pointer : type_info {
  unsigned flags; ///< 1: const, 2: volatile, 4: restrict, 0x40: noexcept
  const type_info *pointee;
};
struct MemberPointer : Pointer {
  const type_info *owner;
};

bool isKind(const type_info *type, const void *const *vtable) {
  return *reinterpret_cast<const void *const *>(type) == vtable + 2;
}

using xcc::hasSameName;

bool isNamed(const type_info *type, const char *name) {
  const char *text = type->text;
  while (*text && *text == *name)
    ++text, ++name;
  return *text == *name;
}

/// libstdc++.so throws a std::ios_base::failure with type information of its
/// own class, which has the layout of a class with one base.
bool hasOneBase(const type_info *type) {
  return isKind(type, si_class) || isNamed(type, "St13__ios_failure");
}
bool isClass(const type_info *type) {
  return hasOneBase(type) || isKind(type, vmi_class) ||
         isKind(type, plain_class);
}

/// Finds the one public base of a type in an object, which may be null.
class Upcast {
public:
  Upcast(const type_info *wanted) : wanted(wanted) {}

  bool run(const type_info *type, char *&object) {
    add(type, object, true);
    while (size) {
      Place place = open[--size];
      if (hasSameName(place.type, wanted))
        found(place);
      else
        addBases(place);
    }
    if (!any || several || !byPublic)
      return false;
    object = result;
    return true;
  }

private:
  struct Place {
    const type_info *type;
    char *object;
    bool isPublic;
  };
  static constexpr unsigned Limit = 32;
  const type_info *wanted;
  Place open[Limit];
  unsigned size = 0;
  char *result = nullptr;
  bool any = false, several = false, byPublic = false;

  void add(const type_info *type, char *object, bool isPublic) {
    if (size == Limit)
      __xcc_trap(0, "catch: a class with more than 32 bases", nullptr, 0);
    open[size++] = {type, object, isPublic};
  }
  void found(const Place &place) {
    several |= any && result != place.object;
    any = true;
    result = place.object;
    byPublic |= place.isPublic;
  }
  void addBases(const Place &place) {
    if (hasOneBase(place.type)) {
      add(static_cast<const SingleBase *>(place.type)->base, place.object,
          place.isPublic);
      return;
    }
    if (!isKind(place.type, vmi_class))
      return;
    const auto *info = static_cast<const SeveralBases *>(place.type);
    for (unsigned i = 0; i != info->count; ++i) {
      const Base &base = info->bases[i];
      long offset = base.offsetAndFlags >> 8;
      char *object = place.object;
      if (object && base.offsetAndFlags & 1) // its place is in the vtable
        offset = *reinterpret_cast<const long *>(
            *reinterpret_cast<const char *const *>(object) + offset);
      if (object)
        object += offset;
      add(base.type, object, place.isPublic && base.offsetAndFlags & 2);
    }
  }
};

/// Matches pointer types that differ in qualifiers of the pointees, at any
/// depth.
class PointerMatch {
public:
  static bool run(const type_info *handler, const type_info *thrown,
                  char *&object) {
    bool constSoFar = true;
    for (unsigned depth = 0;; ++depth) {
      if (hasSameName(handler, thrown))
        return true;
      if (depth && isNamed(handler, "v"))
        return depth == 1 && !isKind(thrown, function_type);
      const bool members = isKind(handler, member_pointer);
      if (!(members ? isKind(thrown, member_pointer)
                    : isKind(handler, pointer) && isKind(thrown, pointer)))
        return depth == 1 && isClass(handler) && isClass(thrown) &&
               Upcast(handler).run(thrown, object);
      const auto *to = static_cast<const Pointer *>(handler);
      const auto *from = static_cast<const Pointer *>(thrown);
      if (!constSoFar)
        return false;
      constexpr unsigned qualifiers = 7, noExcept = 0x60;
      // A pointer to a noexcept function converts to one without, not vice
      // versa.
      if ((from->flags & ~to->flags & qualifiers) != 0 ||
          (to->flags & ~from->flags & noExcept) != 0)
        return false;
      if (members &&
          !hasSameName(static_cast<const MemberPointer *>(handler)->owner,
                       static_cast<const MemberPointer *>(thrown)->owner))
        return false;
      constSoFar = to->flags & 1;
      handler = to->pointee;
      thrown = from->pointee;
    }
  }
};

/// The C++ ABI's null pointers to members: to data, and to a function.
const long NullData = -1, NullFunction[2] = {};

bool matches(Header *header, const type_info *handler) {
  const type_info *thrown = header->type;
  auto *object = static_cast<char *>(header->object);
  const bool isPointer = isKind(thrown, pointer);
  if (isPointer)
    object = *reinterpret_cast<char **>(object);
  bool found = !handler;
  if (!found && isNamed(thrown, "Dn") && !hasSameName(handler, thrown)) {
    found = isKind(handler, pointer) || isKind(handler, member_pointer);
    object = nullptr;
    if (isKind(handler, member_pointer)) {
      const auto *to = static_cast<const Pointer *>(handler);
      const void *null = isKind(to->pointee, function_type)
                             ? static_cast<const void *>(NullFunction)
                             : &NullData;
      object = const_cast<char *>(static_cast<const char *>(null));
    }
  } else if (!found && isClass(thrown)) {
    found = isClass(handler) && Upcast(handler).run(thrown, object);
  } else if (!found) {
    found = PointerMatch::run(handler, thrown, object);
  }
  if (found)
    header->adjusted = object;
  return found;
}

/// A row of the table that backend/exceptions/Lowering.cpp makes. A filter is a
/// row of its own, followed by the types that it lets pass.
struct Clause {
  const type_info *type;
  int selector, types; ///< types is -1 for a handler
};
} // namespace

/// The selector of the first clause that catches the exception, or 0.
extern "C" int __xcc_select(void *token, const Clause *clauses,
                            unsigned count) noexcept {
  Header *header = Header::of(token);
  for (unsigned i = 0; i < count; ++i) {
    const Clause &clause = clauses[i];
    if (clause.types < 0) {
      if (matches(header, clause.type))
        return clause.selector;
      continue;
    }
    bool passes = false;
    for (int k = 0; k != clause.types; ++k)
      passes |= matches(header, clauses[++i].type);
    if (!passes)
      return clause.selector;
  }
  return 0;
}

/// Declared to call a virtual function through an object's vtable.
// NOLINTBEGIN(readability-identifier-naming)
namespace std {
class exception {
public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
} // namespace std
// NOLINTEND(readability-identifier-naming)

/// Reports an exception that is not caught. \p type is its type's name.
extern "C" [[noreturn]] void __xcc_throw(const void *object, const char *type,
                                         const xcc_throw_place *place,
                                         const char *what) noexcept;

/// Ends the launch because of an uncaught exception.
extern "C" [[noreturn, gnu::noinline, gnu::cold]] void
__xcc_uncaught(void *token) noexcept {
  Header *header = Header::of(token);
  const char *what = nullptr;
  if (matches(header, &standard_exception))
    what = static_cast<std::exception *>(header->adjusted)->what();
  // An object with a destructor is of no use on the host.
  const Header *owner = header->owner();
  __xcc_throw(owner->destroy ? nullptr : header->object, header->type->text,
              header->place, what);
}
