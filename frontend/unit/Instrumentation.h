// Sanitizers, coverage and profiles in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device's code runs in the process, beside the libraries that the
// host's instrumented code calls; a GPU has none of these. What a target's code
// cannot have is said where the unit launches its first kernel.

#ifndef XCC_FRONTEND_UNIT_INSTRUMENTATION_H
#define XCC_FRONTEND_UNIT_INSTRUMENTATION_H

#include "kernels/find/KernelFinder.h"
#include "targets/Target.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm
namespace clang {
class CompilerInvocation;
class Sema;
} // namespace clang

namespace xcc {

/// What kernels are compiled without that the host's code has.
struct Uninstrumented {
  std::string options;        ///< as written, or empty
  bool hostAlsoWrong = false; ///< not even the host's part would work
};

/// What instrumented code of a target can have.
enum class Instrumentable {
  Nothing,
  Checks, ///< those that Clang makes of one expression, which need no library
  All
};

/// Leaves in a device's invocation what its code can have of the host's. For `hostOnly`, what followed -Xarch_host,
/// nobody asked.
Uninstrumented limitInstrumentation(clang::CompilerInvocation &device,
                                    Instrumentable what,
                                    const std::vector<std::string> &hostOnly);

/// Notes in the module whether the program goes on behind a report of
/// AddressSanitizer, whose code is made when images are.
void markRecovery(llvm::Module &module,
                  const clang::CompilerInvocation &device);

/// Notes in the module how gcov's counters are to be made, when images are.
void markCoverage(llvm::Module &module,
                  const clang::CompilerInvocation &device);

/// Says what is missing; false after an error.
bool reportUninstrumented(clang::Sema &sema, const Uninstrumented &missing,
                          const Target &target, const Warnings &warnings,
                          llvm::ArrayRef<FoundKernel> kernels);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_INSTRUMENTATION_H
