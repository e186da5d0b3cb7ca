// How long a thread may go on compiling, and how much memory that may take
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source that a program compiles may come from anybody, and most of what is
// endless in C++ is not bounded by Clang: headers that include themselves twice,
// templates that double. Clang and LLVM ask here from time to time. When the
// time is over, or the process has grown too far, it is a fatal error of LLVM's,
// which in a program is caught: what was held is lost.

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
  /// From now on, for this thread. No seconds: for ever. No bytes that the
  /// process's memory may grow by: as far as it likes.
  static void set(double seconds, uint64_t bytes);
  static bool isSet();
  static Exceeded exceeded();
  /// Does not come back when one is.
  static void check();
  /// Has the passes that work on the context's modules ask.
  static void watch(llvm::LLVMContext &context);
  static void watch(llvm::PassInstrumentationCallbacks &callbacks);
};

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_COMPILELIMIT_H
