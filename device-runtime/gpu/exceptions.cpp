// Exception objects on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the C++ ABI's library, which the CPU device has from the host: what comes
// before a throw (../throws.cpp), and a call of a deleted virtual function.

extern "C" [[noreturn]] void __cxa_pure_virtual();

namespace {
/// Where an exception object is built before it is "thrown". Its contents are
/// never read, so threads may share it.
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
/// What is thrown ends the launch before anyone could ask.
bool uncaught_exception() noexcept { return false; }
int uncaught_exceptions() noexcept { return 0; }
} // namespace std
