// Has Clang ask whether its time or memory is used up
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_COMPILELIMITHOOKS_H
#define XCC_FRONTEND_UNIT_COMPILELIMITHOOKS_H

namespace clang {
class CompilerInstance;
class Sema;
} // namespace clang

namespace xcc {

/// Watches an instance before it begins, at tokens, macros and files. Does nothing if
/// this thread has no limit.
void watchLimits(clang::CompilerInstance &ci);
/// Watches at each template that is instantiated.
void watchLimits(clang::Sema &sema);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_COMPILELIMITHOOKS_H
