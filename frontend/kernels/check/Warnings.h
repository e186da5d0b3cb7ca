// xcc's own groups of warnings
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of warnings that Clang does not know. The command line controls them
// as it does Clang's: -Wno-GROUP, -WGROUP, -Werror=GROUP, -Wno-error=GROUP.
// -Werror and -w apply to them too.

#ifndef XCC_FRONTEND_KERNELS_CHECK_WARNINGS_H
#define XCC_FRONTEND_KERNELS_CHECK_WARNINGS_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace xcc {

enum class WarningGroup {
  HostMemory,      ///< offload-host-memory: addresses of the host's own memory
  HostCode,        ///< offload-host-code: addresses of the host's functions
  Globals,         ///< offload-globals: variables that differ from the host's
  Lifetime,        ///< offload-lifetime: locals that end while a kernel may run
  Race,            ///< offload-race: locals used while a kernel may run
  Mapping,         ///< offload-mapping: types that no launch can map
  Instrumentation, ///< offload-instrumentation: options without effect on
                   ///< kernels
  StandardAlgorithms, ///< offload-stdpar: algorithms that run on the host only
  Layout              ///< offload-layout: classes that differ between units
};

/// How to report a diagnostic; ordered.
enum class Severity { Ignored, Warning, Error };

/// Clang's level for a severity that is not Ignored.
inline clang::DiagnosticsEngine::Level levelOf(Severity severity) {
  return severity == Severity::Error ? clang::DiagnosticsEngine::Error
                                     : clang::DiagnosticsEngine::Warning;
}

class Warnings {
public:
  /// Takes an option that names one of the groups; false for any other.
  bool take(llvm::StringRef option);

  /// The severity of a diagnostic of the group whose default is `byDefault`,
  /// with the -w and -Werror of `clang`.
  Severity of(WarningGroup group, Severity byDefault,
              const clang::DiagnosticsEngine &clang) const;
  /// The same, with the values of -w (`quiet`) and -Werror (`errors`) given.
  Severity of(WarningGroup group, Severity byDefault, bool quiet,
              bool errors) const;

private:
  struct Given {
    std::optional<Severity> severity;
    std::optional<bool> error;
  };
  std::array<Given, 9> groups;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_WARNINGS_H
