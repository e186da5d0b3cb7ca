// How device code ends a launch on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code cannot unwind and cannot end the process. What would do either
// on the host ends the launch instead, with an error that names the kernel:
// abort, a failed assertion, a thrown exception, a call of a pure virtual.
// The functions that libstdc++'s headers call to throw are here too, so that
// their messages survive.

#include <cstdarg>
#include <cstdio>
#include <typeinfo>

#include "xcc/abi.h"

extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

namespace {
[[noreturn]] void thrown(const char *what) {
  __xcc_trap(XCC_CPU_TRAP_EXCEPTION, what, nullptr, 0);
}

[[noreturn]] void thrown(const char *type, const char *what) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s", type, what);
  thrown(text);
}
} // namespace

extern "C" {
[[noreturn]] void abort() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, nullptr, nullptr, 0);
}
[[noreturn]] void __assert_fail(const char *expression, const char *file,
                                unsigned line, const char *) noexcept {
  __xcc_trap(XCC_CPU_TRAP_ASSERT, expression, file, line);
}
[[noreturn]] void __cxa_pure_virtual() {
  __xcc_trap(XCC_CPU_TRAP_PURE_CALL, nullptr, nullptr, 0);
}
[[noreturn]] void __cxa_throw(void *, std::type_info *type, void (*)(void *)) {
  thrown(type->name());
}
[[noreturn]] void __cxa_rethrow() { thrown("a rethrown exception"); }
void *__cxa_begin_catch(void *exception) noexcept { return exception; }
void __cxa_end_catch() {}
[[noreturn]] void __cxa_throw_bad_array_new_length() {
  thrown("std::bad_array_new_length");
}
[[noreturn]] void __cxa_bad_cast() { thrown("std::bad_cast"); }
[[noreturn]] void __cxa_bad_typeid() { thrown("std::bad_typeid"); }
// Handlers and cleanups in device code do not run: an exception from within a
// library goes on to the runtime, which ends the launch.
int __gxx_personality_v0(...) { return 8; } // _URC_CONTINUE_UNWIND

// What would end or split the thread that runs the kernel.
[[noreturn]] void pthread_exit(void *) {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "pthread_exit was called", nullptr, 0);
}
[[noreturn]] void thrd_exit(int) {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "thrd_exit was called", nullptr, 0);
}
int pthread_cancel(unsigned long) {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "pthread_cancel was called", nullptr, 0);
}
int fork() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "fork was called", nullptr, 0);
}
int _Fork() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "_Fork was called", nullptr, 0);
}
int vfork() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "vfork was called", nullptr, 0);
}
[[noreturn]] void __clang_call_terminate(void *) noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "std::terminate", nullptr, 0);
}
}

namespace std {
void terminate() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "std::terminate", nullptr, 0);
}
[[noreturn]] void __glibcxx_assert_fail(const char *file, int line,
                                        const char *, const char *condition) {
  __xcc_trap(XCC_CPU_TRAP_ASSERT, condition, file, line);
}
[[noreturn]] void __throw_bad_exception() { thrown("std::bad_exception"); }
[[noreturn]] void __throw_bad_alloc() { thrown("std::bad_alloc"); }
[[noreturn]] void __throw_bad_array_new_length() {
  thrown("std::bad_array_new_length");
}
[[noreturn]] void __throw_bad_cast() { thrown("std::bad_cast"); }
[[noreturn]] void __throw_bad_typeid() { thrown("std::bad_typeid"); }
[[noreturn]] void __throw_logic_error(const char *what) {
  thrown("std::logic_error", what);
}
[[noreturn]] void __throw_domain_error(const char *what) {
  thrown("std::domain_error", what);
}
[[noreturn]] void __throw_invalid_argument(const char *what) {
  thrown("std::invalid_argument", what);
}
[[noreturn]] void __throw_length_error(const char *what) {
  thrown("std::length_error", what);
}
[[noreturn]] void __throw_out_of_range(const char *what) {
  thrown("std::out_of_range", what);
}
[[noreturn]] void __throw_out_of_range_fmt(const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  // libstdc++'s formats use only %s, %zu and %%.
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  thrown("std::out_of_range", text);
}
[[noreturn]] void __throw_runtime_error(const char *what) {
  thrown("std::runtime_error", what);
}
[[noreturn]] void __throw_range_error(const char *what) {
  thrown("std::range_error", what);
}
[[noreturn]] void __throw_overflow_error(const char *what) {
  thrown("std::overflow_error", what);
}
[[noreturn]] void __throw_underflow_error(const char *what) {
  thrown("std::underflow_error", what);
}
[[noreturn]] void __throw_system_error(int) { thrown("std::system_error"); }
[[noreturn]] void __throw_bad_function_call() {
  thrown("std::bad_function_call");
}
[[noreturn]] void __throw_bad_variant_access(const char *what) {
  thrown("std::bad_variant_access", what);
}
[[noreturn]] void __throw_bad_optional_access() {
  thrown("std::bad_optional_access");
}
} // namespace std
