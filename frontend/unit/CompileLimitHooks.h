// Hooks in Clang that check the limits of time and memory
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

/// Adds checks at tokens, macros and files. Must be called before the instance
/// starts. Does nothing if this thread has no limit.
void watchLimits(clang::CompilerInstance &ci);
/// Adds a check at each template instantiation.
void watchLimits(clang::Sema &sema);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_COMPILELIMITHOOKS_H
