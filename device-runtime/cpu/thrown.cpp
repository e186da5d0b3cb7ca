// Throwing an exception where no handler can catch it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's C++ library makes the object; its type information tells whether
// the exception has a text. Where a handler can catch, ../exceptions/throw.cpp
// has the same function.

#include "../../rpc/services/thrown.h"

// NOLINTBEGIN(readability-identifier-naming)
namespace std {
/// As in libstdc++. libc++ has the same functions at the same places in the
/// vtable, without the last parameter.
class type_info {
public:
  virtual ~type_info();
  virtual bool __is_pointer_p() const;
  virtual bool __is_function_p() const;
  virtual bool __do_catch(const type_info *thrown, void **object,
                          unsigned outer) const;
  const char *text;
};
class exception {
public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
} // namespace std
/// Its class is derived from std::type_info, so it is declared as bytes: the
/// compiler must not assume that this is the whole object.
extern "C" const char standard_exception[] __asm__("_ZTISt9exception");
// NOLINTEND(readability-identifier-naming)

extern "C" {
[[noreturn]] void __xcc_throw(const void *object, const char *type,
                              const xcc_throw_place *place,
                              const char *what) noexcept;

[[noreturn, gnu::noinline, gnu::cold]] void
__xcc_throw_at(void *object, const std::type_info *type,
               void (*destroy)(void *), const xcc_throw_place *place) noexcept {
  const char *what = nullptr;
  const auto *wanted =
      reinterpret_cast<const std::type_info *>(standard_exception);
  if (void *base = object; wanted->__do_catch(type, &base, 1))
    what = static_cast<std::exception *>(base)->what();
  // An object with a destructor is of no use on the host.
  __xcc_throw(destroy ? nullptr : object, type->text, place, what);
}
}
