// Exceptions from host code in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked if a handler can catch them (backend/exceptions/HostCalls.h).

#include "../exceptions/state.h"
#include "xcc/abi.h"

using xcc::exceptions::Header;
using xcc::exceptions::Token;

extern "C" {
extern xcc_cpu_image __xcc_image;
void *__cxa_allocate_exception(size_t size) noexcept;
Token *__xcc_call_host(void (*call)(void *), void *argument) noexcept;
void __xcc_throw_through_host(Token *pending);
}

namespace {
void drop(void *object) noexcept { __xcc_image.services->drop_caught(object); }
} // namespace

/// Calls a host function. Returns the exception that left it, or null.
extern "C" Token *__xcc_call_host(void (*call)(void *),
                                  void *argument) noexcept {
  xcc_cpu_caught caught;
  if (!__xcc_image.services->catch_call(call, argument, &caught)) [[likely]]
    return nullptr;
  if (!caught.type) // thrown by device code that the host's code called
    return static_cast<Token *>(caught.object);
  Header *header = Header::ofObject(__cxa_allocate_exception(0));
  *header = {static_cast<const std::type_info *>(caught.type),
             drop,
             caught.object,
             caught.object,
             nullptr,
             nullptr,
             0,
             1,
             nullptr,
             {}};
  return &header->token;
}

/// Throws a pending exception through host frames. Returns if that is not
/// possible.
extern "C" void __xcc_throw_through_host(Token *pending) {
  __xcc_image.services->catch_call(nullptr, pending, nullptr);
}
