// Warnings that are xcc's own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of warnings that Clang does not know, and what the command line says
// of them, in Clang's words: -Wno-GROUP, -WGROUP, -Werror=GROUP,
// -Wno-error=GROUP. -Werror and -w hold for them too.

#ifndef XCC_FRONTEND_KERNELS_CHECK_WARNINGS_H
#define XCC_FRONTEND_KERNELS_CHECK_WARNINGS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace clang {
class DiagnosticsEngine;
}

namespace xcc {

enum class WarningGroup {
  HostMemory,      ///< offload-host-memory: addresses of the host's own memory
  HostCode,        ///< offload-host-code: addresses of the host's functions
  Globals,         ///< offload-globals: variables that differ from the host's
  Lifetime,        ///< offload-lifetime: what ends while a kernel may run
  Race,            ///< offload-race: what is used while a kernel may run
  Mapping,         ///< offload-mapping: what no launch can bring to a device
  Instrumentation, ///< offload-instrumentation: what kernels cannot have of it
  StandardAlgorithms, ///< offload-stdpar: algorithms that run on the host alone
  Layout              ///< offload-layout: classes that differ between units
};

/// Whether and how to say a thing. Ordered.
enum class Severity { Ignored, Warning, Error };

class Warnings {
public:
  /// Takes an option that names one of the groups; false for any other.
  bool take(llvm::StringRef option);

  /// What becomes of a diagnostic of the group that is `byDefault`, with the
  /// -w and -Werror of `clang`.
  Severity of(WarningGroup group, Severity byDefault,
              const clang::DiagnosticsEngine &clang) const;
  /// The same where `quiet` and `errors` are what -w and -Werror say.
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
