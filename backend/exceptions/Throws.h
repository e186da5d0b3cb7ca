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

/// The function that replaces __cxa_throw. Its fourth argument is the
/// xcc_throw_place of rpc/services/thrown.h.
inline constexpr llvm::StringLiteral ThrowName = "__xcc_throw_at";

/// Makes all throws of a module call that function. Needs code as Clang wrote
/// it.
void markThrows(llvm::Module &module);

/// The call that allocated the thrown object; null if unknown.
llvm::CallBase *allocationOf(const llvm::CallBase &thrown);
/// The size of the thrown object in bytes, if known.
std::optional<uint64_t> thrownSize(const llvm::CallBase &thrown);
/// The constant that the exception's what() would return; null if it is not
/// constant. Needs code as Clang wrote it.
llvm::Constant *textOf(const llvm::CallBase &thrown);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_THROWS_H
