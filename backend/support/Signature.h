// Functions that get another type
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_SIGNATURE_H
#define XCC_BACKEND_SUPPORT_SIGNATURE_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Argument;
class Function;
class FunctionType;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace xcc {

/// Replaces `old` by a function of type `type`, with as many parameters, which
/// gets its name, attributes, body and users. In a definition,
/// `argument(builder, from, to)` replaces the uses of the old argument `from`;
/// the builder is at the entry. `result(builder, value)` converts what a return
/// statement returns; null: nothing. Erases `old`. Calls are left to the caller,
/// and so are attributes that do not fit the new types.
llvm::Function *changeType(
    llvm::Function &old, llvm::FunctionType *type,
    llvm::function_ref<void(llvm::IRBuilderBase &, llvm::Argument &,
                            llvm::Argument &)>
        argument,
    llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, llvm::Value *)>
        result = nullptr);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_SIGNATURE_H
