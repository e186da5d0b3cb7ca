// Type information and dynamic_cast on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the C++ ABI's library for typeid and dynamic_cast (Itanium C++
// ABI, 2.9.5 "RTTI layout", 2.9.7 "dynamic_cast"): the vtables that tell kinds
// of type information apart, the type information of fundamental types, and the
// search through an object's bases.
//
// Compiled without any header of a library, because GPU triples have no C++
// library.

#include "../type_names.h"

using size_t = decltype(sizeof 0);
using ptrdiff_t = decltype((char *)0 - (char *)0);

// See ../throws.cpp.
constexpr unsigned Abort = 0;
extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

namespace std {
class type_info {
public:
  virtual ~type_info();
  // These objects are never destroyed. A deleting destructor with the global
  // operator delete would bring the heap into each kernel that calls a virtual
  // function, because any function in a vtable may be called.
  void operator delete(void *) noexcept {}
  const char *text;
};
type_info::~type_info() = default;
} // namespace std

namespace __cxxabiv1 {

#define XCC_TYPE_INFO(name, ...)                                               \
  class name : public std::type_info {                                         \
  public:                                                                      \
    ~name() override;                                                          \
    __VA_ARGS__                                                                \
  };                                                                           \
  name::~name() = default

// With this class Clang emits type information of fundamental types, and of
// pointers to them.
XCC_TYPE_INFO(__fundamental_type_info);
XCC_TYPE_INFO(__array_type_info);
XCC_TYPE_INFO(__function_type_info);
XCC_TYPE_INFO(__enum_type_info);
XCC_TYPE_INFO(__pointer_type_info);
XCC_TYPE_INFO(__pointer_to_member_type_info);
XCC_TYPE_INFO(__class_type_info);

/// A class with one base: public, not virtual, at offset 0.
XCC_TYPE_INFO(__si_class_type_info, const std::type_info *base;);

struct __base_class_type_info {
  const std::type_info *type;
  long offset_flags;
  bool isVirtual() const { return offset_flags & 1; }
  bool isPublic() const { return offset_flags & 2; }
  /// The offset of the base in the object; for a virtual base, the place of
  /// that offset in the vtable.
  ptrdiff_t offset() const { return offset_flags >> 8; }
};

/// Any other class with bases.
XCC_TYPE_INFO(__vmi_class_type_info, unsigned flags; unsigned base_count;
              __base_class_type_info bases[1];);

} // namespace __cxxabiv1

// The vtables above, by their symbols. An object points two words further, at
// the first function.
extern "C" {
extern const void *const
    si_class[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const void *const
    vmi_class[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
}

namespace {
using namespace __cxxabiv1;
using std::type_info;

const char *vtableOf(const void *object) {
  return *static_cast<const char *const *>(object);
}

using xcc::hasSameName;

/// Counts the subobjects of a type: none, one, or several.
struct Found {
  const char *first = nullptr;
  bool several = false;
  bool isPublic = false; ///< for one: a path of public bases leads to it
  void add(const char *object, bool byPublic) {
    several |= first && first != object;
    first = object;
    isPublic |= byPublic;
  }
  const char *only() const { return isPublic && !several ? first : nullptr; }
};

/// The search through all paths from the complete object to its bases. A path
/// is stored as the base that it takes in each class with several. Recursion
/// would need more stack than a GPU's thread may have.
struct Search {
  const char *source;
  const type_info *sourceType, *wanted;
  Found all;             ///< objects of the wanted type
  Found around;          ///< those of which `source` is a base
  bool isPublic = false; ///< `source` is a public base of the complete object

  static constexpr unsigned Limit = 32;
  unsigned short taken[Limit], count[Limit];
  unsigned levels = 0;

  void run(const type_info *type, const char *object) {
    do
      walk(type, object);
    while (next());
  }

private:
  bool next() {
    while (levels)
      if (++taken[levels - 1] != count[levels - 1])
        return true;
      else
        --levels;
    return false;
  }

  void walk(const type_info *type, const char *object) {
    bool byPublic = true, publicInside = false;
    const char *inside = nullptr; // the wanted object around this one
    for (unsigned level = 0;;) {
      if (hasSameName(type, wanted)) {
        all.add(object, byPublic);
        inside = object;
        publicInside = true;
      } else if (object == source && hasSameName(type, sourceType)) {
        isPublic |= byPublic;
        if (inside)
          around.add(inside, publicInside);
        return;
      }
      const char *kind = vtableOf(type);
      if (kind == reinterpret_cast<const char *>(si_class + 2)) {
        type = static_cast<const __si_class_type_info *>(type)->base;
        continue;
      }
      if (kind != reinterpret_cast<const char *>(vmi_class + 2))
        return;
      const auto *info = static_cast<const __vmi_class_type_info *>(type);
      if (level == levels) {
        if (levels == Limit)
          __xcc_trap(Abort,
                     "dynamic_cast: more than 32 classes with several "
                     "bases derive from each other",
                     nullptr, 0);
        taken[levels] = 0;
        count[levels++] = info->base_count;
      }
      const __base_class_type_info &base = info->bases[taken[level++]];
      ptrdiff_t offset = base.offset();
      if (base.isVirtual())
        offset =
            *reinterpret_cast<const ptrdiff_t *>(vtableOf(object) + offset);
      type = base.type;
      object += offset;
      byPublic &= base.isPublic();
      publicInside &= base.isPublic();
    }
  }
};
} // namespace

/// C++ [expr.dynamic.cast]/9. The hint is the offset of the source in the
/// wanted type, if the compiler knows it; -2 means that it is no public base.
extern "C" const void *__dynamic_cast(const void *source,
                                      const type_info *sourceType,
                                      const type_info *wanted, ptrdiff_t hint) {
  const char *vtable = vtableOf(source);
  const char *object = static_cast<const char *>(source);
  const char *complete =
      object + reinterpret_cast<const ptrdiff_t *>(vtable)[-2];
  const auto *type = reinterpret_cast<const type_info *const *>(vtable)[-1];
  // The common case: the object has the wanted type.
  if (hint >= 0 && complete + hint == object && hasSameName(type, wanted))
    return complete;
  Search search;
  search.source = object;
  search.sourceType = sourceType;
  search.wanted = wanted;
  search.run(type, complete);
  if (const char *result = search.around.only())
    return result;
  return search.isPublic ? search.all.only() : nullptr;
}
