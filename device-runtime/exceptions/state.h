// A thread's exceptions, and the header of an exception object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled without any header, because GPU triples have no C++ library.

#ifndef XCC_DEVICE_RUNTIME_EXCEPTIONS_STATE_H
#define XCC_DEVICE_RUNTIME_EXCEPTIONS_STATE_H

#include "../../rpc/services/thrown.h"

using size_t = decltype(sizeof 0);

// NOLINTBEGIN(readability-identifier-naming)
namespace std {
/// The layout of the C++ ABI.
class type_info {
public:
  virtual ~type_info();
  const char *text;
};
} // namespace std
// NOLINTEND(readability-identifier-naming)

namespace xcc::exceptions {

/// The exception as landing pads see it. Clang relies on its size: in `catch (T
/// *&p)`, p is what follows it.
struct Token {
  char bytes[32];
};

/// The header before an exception object. std::rethrow_exception makes a header
/// without an object of its own, because an object may be thrown several times
/// at once.
struct alignas(16) Header {
  const std::type_info *type;
  void (*destroy)(void *);
  void *object;
  void *adjusted;      ///< the object as the matching handler gets it
  Header *next;        ///< the exception that was handled before this one
  Header *primary;     ///< the object's own header; null: this one
  int handlers;        ///< that handle it; negative while it is rethrown
  unsigned references; ///< by std::exception_ptr, and while it is thrown
  const xcc_throw_place *place; ///< null if not known
  alignas(16) Token token;

  static Header *of(void *token) {
    return reinterpret_cast<Header *>(static_cast<char *>(token) -
                                      __builtin_offsetof(Header, token));
  }
  static Header *ofObject(void *object) {
    return static_cast<Header *>(object) - 1;
  }
  Header *owner() { return primary ? primary : this; }
};
static_assert(sizeof(Header) % 16 == 0);
static_assert(__builtin_offsetof(Header, token) + sizeof(Token) ==
              sizeof(Header));

/// The exceptions of a function with handlers, or of a thread whose callees
/// need it. backend/exceptions/Conventions.cpp has the same layout.
struct State {
  Token *pending; ///< from a call through a pointer, where the host shares code
  Header *caught; ///< the latest that is being handled
  unsigned uncaught; ///< taken by landing pads, but not yet by a handler
};

/// Calls the handler of std::set_terminate, then ends the launch.
[[noreturn, gnu::cold]] void terminate(const char *why) noexcept;

/// Drops a reference; the last one destroys the object.
void release(Header *header) noexcept;

} // namespace xcc::exceptions

extern "C" {
/// The compiler makes both, see backend/exceptions/Throwers.h.
xcc::exceptions::State *__xcc_exceptions() noexcept;
[[noreturn]] void __xcc_unwind(xcc::exceptions::Token *pending);

[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
void __xcc_call_terminate_handler() noexcept;
void *malloc(size_t size) noexcept;
void free(void *memory) noexcept;
}

#endif // XCC_DEVICE_RUNTIME_EXCEPTIONS_STATE_H
