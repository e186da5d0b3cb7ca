// What a program whose main runs on a device cannot be compiled with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramOptions.h"
#include "Jobs.h"
#include "targets/Target.h"

using namespace llvm;

namespace xcc {
namespace {

/// The last -fsanitize= that nothing takes back.
StringRef sanitizer(const Options &options) {
  StringRef found;
  for (StringRef arg : options.clangArgs)
    if (arg.starts_with("-fsanitize="))
      found = arg;
    else if (arg == "-fno-sanitize=all" ||
             (!found.empty() && arg.starts_with("-fno-sanitize=") &&
              arg.split('=').second == found.split('=').second))
      found = "";
  return found;
}

bool isProfile(StringRef arg) {
  return is_contained({"--coverage", "-ftest-coverage", "-fprofile-arcs",
                       "-fcoverage-mapping", "-fprofile-generate",
                       "-fprofile-instr-generate", "-fcs-profile-generate"},
                      arg) ||
         arg.starts_with("-fprofile-generate=") ||
         arg.starts_with("-fprofile-instr-generate=");
}

bool isInstrumentation(StringRef arg) {
  return is_contained({"-pg", "-finstrument-functions",
                       "-finstrument-functions-after-inlining",
                       "-finstrument-function-entry-bare"},
                      arg);
}

} // namespace

Error checkProgramOptions(const DriverEnv &env, const Options &options) {
  if (!options.unit.program)
    return Error::success();
  if (StringRef found = sanitizer(options); !found.empty())
    return createStringError(
        "code of a program whose main runs on the device cannot be "
        "sanitized: -foffload-main and " +
        found + " exclude each other");
  auto gpu = find_if(options.archs, [](const DeviceArch &arch) {
    return !arch.target->runsHostPrograms();
  });
  for (StringRef arg : options.clangArgs)
    if (isProfile(arg)) {
      if (Error error =
              warn(env,
                   "'" + arg +
                       "' does nothing: a program whose main runs on the "
                       "device is compiled without",
                   options))
        return error;
    } else if (isInstrumentation(arg) && gpu != options.archs.end()) {
      if (Error error =
              warn(env, "'" + arg + "' does nothing in code for " + gpu->arch,
                   options))
        return error;
    }
  return Error::success();
}

} // namespace xcc
