// Exception objects on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the C++ ABI's library that run before a throw
// (../throws.cpp), and the call of a deleted virtual function. The CPU device
// has them from the host.

extern "C" [[noreturn]] void __cxa_pure_virtual();

namespace {
/// The place where an exception object is built before it is "thrown". Nothing
/// reads its contents, so threads may share it.
alignas(64) char exceptionSpace[4096];
} // namespace

extern "C" {
void *__cxa_allocate_exception(decltype(sizeof 0)) noexcept {
  return exceptionSpace;
}
void __cxa_free_exception(void *) noexcept {}
[[noreturn]] void __cxa_deleted_virtual() { __cxa_pure_virtual(); }
}

namespace std {
bool uncaught_exception() noexcept;
int uncaught_exceptions() noexcept;
/// Always none: a throw ends the launch before other code can run.
bool uncaught_exception() noexcept { return false; }
int uncaught_exceptions() noexcept { return 0; }
} // namespace std
