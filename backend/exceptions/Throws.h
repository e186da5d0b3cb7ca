// Where exceptions are thrown
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_EXCEPTIONS_THROWS_H
#define XCC_BACKEND_EXCEPTIONS_THROWS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Constant;
class Module;
} // namespace llvm

namespace xcc::exceptions {

/// What is called in the place of __cxa_throw, with a fourth argument: the
/// xcc_throw_place of rpc/services/thrown.h.
inline constexpr llvm::StringLiteral ThrowName = "__xcc_throw_at";

/// Has all throws of a module call that. For code as Clang wrote it.
void markThrows(llvm::Module &module);

/// The call that made room for what is thrown, null if that is not known.
llvm::CallBase *allocationOf(const llvm::CallBase &thrown);
/// The bytes of what is thrown.
std::optional<uint64_t> thrownSize(const llvm::CallBase &thrown);
/// What the exception's what() would give, if that is a constant: null if not.
/// For code as Clang wrote it.
llvm::Constant *textOf(const llvm::CallBase &thrown);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_THROWS_H
