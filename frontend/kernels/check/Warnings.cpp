// Warnings that are xcc's own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Warnings.h"
#include "llvm/ADT/StringSwitch.h"

namespace xcc {

bool Warnings::take(llvm::StringRef option) {
  if (!option.consume_front("-W"))
    return false;
  bool no = option.consume_front("no-"), error = option.consume_front("error=");
  int group =
      llvm::StringSwitch<int>(option)
          .Case("offload-host-memory", int(WarningGroup::HostMemory))
          .Case("offload-host-code", int(WarningGroup::HostCode))
          .Case("offload-globals", int(WarningGroup::Globals))
          .Case("offload-lifetime", int(WarningGroup::Lifetime))
          .Case("offload-race", int(WarningGroup::Race))
          .Case("offload-mapping", int(WarningGroup::Mapping))
          .Case("offload-instrumentation", int(WarningGroup::Instrumentation))
          .Case("offload-stdpar", int(WarningGroup::StandardAlgorithms))
          .Case("offload-layout", int(WarningGroup::Layout))
          .Default(-1);
  if (group < 0)
    return false;
  Given &given = groups[group];
  if (error)
    given.error = !no;
  else if (no)
    given.severity = Severity::Ignored;
  else
    given.severity.reset();
  // As in Clang, -Werror=GROUP also switches the group on.
  if (error && !no)
    given.severity.reset();
  return true;
}

Severity Warnings::of(WarningGroup group, Severity byDefault,
                      const clang::DiagnosticsEngine &clang) const {
  return of(group, byDefault, clang.getIgnoreAllWarnings(),
            clang.getWarningsAsErrors());
}

Severity Warnings::of(WarningGroup group, Severity byDefault, bool quiet,
                      bool errors) const {
  const Given &given = groups[unsigned(group)];
  Severity severity = given.severity.value_or(byDefault);
  if (severity == Severity::Ignored)
    return severity;
  if (given.error)
    severity = *given.error ? Severity::Error : Severity::Warning;
  // As in Clang, -w does not silence errors.
  if (severity == Severity::Warning && quiet)
    return Severity::Ignored;
  return errors && !given.error ? Severity::Error : severity;
}

} // namespace xcc
