// -ftime-report and -ftime-trace of a host pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's command-line program sets these up around its compiler instance. A
// program that runs an instance itself has to do the same.

#ifndef XCC_FRONTEND_UNIT_PROFILING_H
#define XCC_FRONTEND_UNIT_PROFILING_H

#include "clang/Frontend/CompilerInstance.h"

namespace xcc {

/// Measures what the instance's invocation requests, from construction to
/// destruction, then prints or writes it. Use it on the thread that runs the
/// instance. Device passes run on other threads and are not included.
class Profiling {
public:
  explicit Profiling(clang::CompilerInstance &ci);
  ~Profiling();
  Profiling(const Profiling &) = delete;
  Profiling &operator=(const Profiling &) = delete;

private:
  clang::CompilerInstance &ci;
  bool report;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_PROFILING_H
