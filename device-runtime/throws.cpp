// Ending a launch from device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code cannot unwind and cannot end the process. What would do either on
// the host ends the launch with an error that names the kernel: abort, a failed
// assertion, a thrown exception, a call of a pure virtual function, and the
// functions that libstdc++'s headers call to throw, whose messages are kept.
// All of them call __xcc_trap, which the runtime defines for the CPU device and
// rpc/trap.cpp for GPUs.
//
// Serves every device, so it is compiled without any header: the GPU triples
// have no C library.

#include "../rpc/services/thrown.h"
#include "text.h"

// XCC_CPU_TRAP_... of <xcc/abi.h>; all devices use the same numbers.
enum TrapKind : unsigned {
  Abort = 0,
  Assert = 1,
  Exception = 2,
  PureCall = 3,
  Thrown = 4
};

/// Ends the launch. \p text and \p file may be null.
extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

/// Ends the launch because an exception leaves the kernel. All but \p type may
/// be null.
extern "C" [[noreturn, gnu::noinline, gnu::cold]] void
__xcc_throw(const void *object, const char *type, const xcc_throw_place *place,
            const char *what) noexcept {
  const xcc_thrown thrown = {type, what, place, object, 0, {}, {}};
  __xcc_trap(Thrown, reinterpret_cast<const char *>(&thrown), nullptr, 0);
}

namespace {
/// Throws an exception of the library. \p type is the name as in
/// std::type_info::name().
[[noreturn]] void thrown(const char *type, const char *what) {
  __xcc_throw(nullptr, type, nullptr, what);
}

/// The layout of std::type_info in the C++ ABI.
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
  thrown(type->name, nullptr);
}
[[noreturn]] void __cxa_rethrow() {
  __xcc_trap(Exception, "a rethrown exception", nullptr, 0);
}
void *__cxa_begin_catch(void *exception) noexcept { return exception; }
void __cxa_end_catch() {}
[[noreturn]] void __cxa_throw_bad_array_new_length() {
  thrown("St20bad_array_new_length", "std::bad_array_new_length");
}
[[noreturn]] void __cxa_bad_cast() { thrown("St8bad_cast", "std::bad_cast"); }
[[noreturn]] void __cxa_bad_typeid() {
  thrown("St10bad_typeid", "std::bad_typeid");
}
/// Defined in terminate.cpp, or empty if the image sets no handler.
void __xcc_call_terminate_handler() noexcept;
}

namespace std {
[[noreturn]] void terminate() noexcept {
  __xcc_call_terminate_handler();
  __xcc_trap(Abort, "std::terminate", nullptr, 0);
}
} // namespace std

extern "C" [[noreturn]] void __clang_call_terminate(void *) noexcept {
  std::terminate();
}

namespace std {
[[noreturn]] void __glibcxx_assert_fail(const char *file, int line,
                                        const char *, const char *condition) {
  __xcc_trap(Assert, condition, file, unsigned(line));
}
[[noreturn]] void __throw_bad_exception() {
  thrown("St13bad_exception", "std::bad_exception");
}
[[noreturn]] void __throw_bad_alloc() {
  thrown("St9bad_alloc", "std::bad_alloc");
}
[[noreturn]] void __throw_bad_array_new_length() {
  thrown("St20bad_array_new_length", "std::bad_array_new_length");
}
[[noreturn]] void __throw_bad_cast() { thrown("St8bad_cast", "std::bad_cast"); }
[[noreturn]] void __throw_bad_typeid() {
  thrown("St10bad_typeid", "std::bad_typeid");
}
[[noreturn]] void __throw_logic_error(const char *what) {
  thrown("St11logic_error", what);
}
[[noreturn]] void __throw_domain_error(const char *what) {
  thrown("St12domain_error", what);
}
[[noreturn]] void __throw_invalid_argument(const char *what) {
  thrown("St16invalid_argument", what);
}
[[noreturn]] void __throw_length_error(const char *what) {
  thrown("St12length_error", what);
}
[[noreturn]] void __throw_out_of_range(const char *what) {
  thrown("St12out_of_range", what);
}
[[noreturn]] void __throw_out_of_range_fmt(const char *format, ...) {
  Text text;
  __builtin_va_list args;
  __builtin_va_start(args, format);
  text.format(format, args);
  __builtin_va_end(args);
  thrown("St12out_of_range", text.end());
}
[[noreturn]] void __throw_runtime_error(const char *what) {
  thrown("St13runtime_error", what);
}
[[noreturn]] void __throw_range_error(const char *what) {
  thrown("St11range_error", what);
}
[[noreturn]] void __throw_overflow_error(const char *what) {
  thrown("St14overflow_error", what);
}
[[noreturn]] void __throw_underflow_error(const char *what) {
  thrown("St15underflow_error", what);
}
[[noreturn]] void __throw_system_error(int) {
  thrown("St12system_error", "std::system_error");
}
[[noreturn]] void __throw_bad_function_call() {
  thrown("St17bad_function_call", "bad_function_call");
}
[[noreturn]] void __throw_bad_variant_access(const char *what) {
  thrown("St18bad_variant_access", what);
}
[[noreturn]] void __throw_bad_optional_access() {
  thrown("St19bad_optional_access", "bad optional access");
}
} // namespace std
