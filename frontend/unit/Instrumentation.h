// Sanitizers, coverage and profiles in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device's code runs in the process, beside the libraries that the
// host's instrumented code calls. A GPU has none of these. If a target's code
// cannot have an instrumentation, a diagnostic at the unit's first launch says
// so.

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

/// Instrumentation that the host's code has and kernels lack.
struct Uninstrumented {
  std::string options;       ///< options as written; or empty
  bool hostAffected = false; ///< the host's part would not work either
};

/// Instrumentation that a target's code can have.
enum class Instrumentable {
  Nothing,
  Checks, ///< checks that Clang generates and that need no host library
  All
};

/// Removes from a device's invocation the instrumentation that the target
/// cannot have. \p hostOnly has the arguments of -Xarch_host, which are meant
/// for the host and not reported. \returns what the kernels lack.
Uninstrumented limitInstrumentation(clang::CompilerInvocation &device,
                                    Instrumentable what,
                                    const std::vector<std::string> &hostOnly);

/// Records in the module whether the program continues after a report of
/// AddressSanitizer. Its code is generated at the device link.
void markRecovery(llvm::Module &module,
                  const clang::CompilerInvocation &device);

/// Records in the module how to generate gcov's counters at the device link.
void markCoverage(llvm::Module &module,
                  const clang::CompilerInvocation &device);

/// Reports the missing instrumentation. Returns false after an error.
bool reportUninstrumented(clang::Sema &sema, const Uninstrumented &missing,
                          const Target &target, const Warnings &warnings,
                          llvm::ArrayRef<FoundKernel> kernels);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_INSTRUMENTATION_H
