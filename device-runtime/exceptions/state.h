// A thread's exceptions, and what an exception object has in front of it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled without any header: the GPU triples have no C++ library.

#ifndef XCC_DEVICE_RUNTIME_EXCEPTIONS_STATE_H
#define XCC_DEVICE_RUNTIME_EXCEPTIONS_STATE_H

#include "../../rpc/services/thrown.h"

using size_t = decltype(sizeof 0);

// NOLINTBEGIN(readability-identifier-naming)
namespace std {
/// As the C++ ABI lays it out.
class type_info {
public:
  virtual ~type_info();
  const char *text;
};
} // namespace std
// NOLINTEND(readability-identifier-naming)

namespace xcc::exceptions {

/// What a landing pad knows of an exception. Of its size Clang is sure: in
/// `catch (T *&p)` p is what lies behind it.
struct Token {
  char bytes[32];
};

/// Lies in front of an exception object. One that std::rethrow_exception throws
/// has an object elsewhere: it may be thrown several times at once.
struct alignas(16) Header {
  const std::type_info *type;
  void (*destroy)(void *);
  void *object;
  void *adjusted;      ///< what the handler that matched gets
  Header *next;        ///< of those that are handled, the one before
  Header *primary;     ///< whose object this is; null: its own
  int handlers;        ///< that it is in; negative once it is thrown again
  unsigned references; ///< by std::exception_ptr, and by being thrown
  const xcc_throw_place *place; ///< null: not known
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

/// Of a function with handlers, or of a thread where callees ask for it. Laid out
/// in backend/exceptions/Conventions.cpp too.
struct State {
  Token *
      pending; ///< left by a call through a pointer, where the host shares code
  Header *caught;    ///< that is handled, the latest
  unsigned uncaught; ///< that landing pads have taken and no handler has begun
};

/// Calls the handler of std::set_terminate, and ends the launch.
[[noreturn, gnu::cold]] void terminate(const char *why) noexcept;

/// Gives one reference up, and the object with the last.
void release(Header *header) noexcept;

} // namespace xcc::exceptions

extern "C" {
/// Both are the compiler's, see backend/exceptions/Throwers.h.
xcc::exceptions::State *__xcc_exceptions() noexcept;
[[noreturn]] void __xcc_unwind(xcc::exceptions::Token *pending);

[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
void __xcc_call_terminate_handler() noexcept;
void *malloc(size_t size) noexcept;
void free(void *memory) noexcept;
}

#endif // XCC_DEVICE_RUNTIME_EXCEPTIONS_STATE_H
