// How device code ends a launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code cannot unwind and cannot end the process. What would do either
// on the host ends the launch, with an error that names the kernel: abort, a
// failed assertion, a thrown exception, a call of a pure virtual, and the
// functions that libstdc++'s headers call to throw, so that their messages
// survive. All come to __xcc_trap: the runtime's on the CPU device,
// rpc/trap.cpp's on a GPU.
//
// For every device, and so compiled without any header: the GPU triples have no
// C library.

#include "text.h"

// XCC_CPU_TRAP_... of <xcc/abi.h>, one numbering for all devices.
enum TrapKind : unsigned { Abort = 0, Assert = 1, Exception = 2, PureCall = 3 };

/// Ends the launch; text and file may be null.
extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

namespace {
[[noreturn]] void thrown(const char *what) {
  __xcc_trap(Exception, what, nullptr, 0);
}

[[noreturn, gnu::noinline]] void thrown(const char *type, const char *what) {
  Text text;
  text.put(type);
  text.put(": ");
  text.put(what);
  thrown(text.end());
}

/// std::type_info as the C++ ABI lays it out.
struct TypeInfo {
  const void *vtable;
  const char *name;
};
} // namespace

extern "C" {
[[noreturn]] void abort() noexcept { __xcc_trap(Abort, nullptr, nullptr, 0); }
[[noreturn]] void __assert_fail(const char *expression, const char *file,
                                unsigned line, const char *) noexcept {
  __xcc_trap(Assert, expression, file, line);
}
[[noreturn]] void __cxa_pure_virtual() {
  __xcc_trap(PureCall, nullptr, nullptr, 0);
}
[[noreturn]] void __cxa_throw(void *, TypeInfo *type, void (*)(void *)) {
  thrown(type->name);
}
[[noreturn]] void __cxa_rethrow() { thrown("a rethrown exception"); }
void *__cxa_begin_catch(void *exception) noexcept { return exception; }
void __cxa_end_catch() {}
[[noreturn]] void __cxa_throw_bad_array_new_length() {
  thrown("std::bad_array_new_length");
}
[[noreturn]] void __cxa_bad_cast() { thrown("std::bad_cast"); }
[[noreturn]] void __cxa_bad_typeid() { thrown("std::bad_typeid"); }
[[noreturn]] void __clang_call_terminate(void *) noexcept {
  __xcc_trap(Abort, "std::terminate", nullptr, 0);
}
}

namespace std {
[[noreturn]] void terminate() noexcept {
  __xcc_trap(Abort, "std::terminate", nullptr, 0);
}
[[noreturn]] void __glibcxx_assert_fail(const char *file, int line,
                                        const char *, const char *condition) {
  __xcc_trap(Assert, condition, file, unsigned(line));
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
  Text text;
  text.put("std::out_of_range: ");
  __builtin_va_list args;
  __builtin_va_start(args, format);
  text.format(format, args);
  __builtin_va_end(args);
  thrown(text.end());
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
