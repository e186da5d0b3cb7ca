// Limits of the time and memory of a compile
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Anybody may have written the source that a program compiles, and Clang does
// not bound much of what is endless in C++: headers that include themselves
// twice, templates that double. Clang and LLVM call check() from time to time.
// When the time is over, or the process has grown too much, check() raises a
// fatal error of LLVM. A program catches it; what the compile held leaks.

#ifndef XCC_BACKEND_SUPPORT_COMPILELIMIT_H
#define XCC_BACKEND_SUPPORT_COMPILELIMIT_H

#include <cstdint>

namespace llvm {
class LLVMContext;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace xcc {

class CompileLimit {
public:
  enum Exceeded { Nothing, Time, Memory };
  /// Sets the limits of this thread from now on: the time in seconds, and the
  /// bytes by which the process's memory may grow. 0 stands for no limit.
  static void set(double seconds, uint64_t bytes);
  static bool isSet();
  static Exceeded exceeded();
  /// Does not return if a limit is exceeded.
  static void check();
  /// Makes the passes that work on the context's modules call check().
  static void watch(llvm::LLVMContext &context);
  static void watch(llvm::PassInstrumentationCallbacks &callbacks);
};

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_COMPILELIMIT_H
