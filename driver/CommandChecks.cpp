// Checks of a command before it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandChecks.h"
#include "Jobs.h"
#include "targets/Target.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

/// An argument `-offload-arch=` of the parent process, such as a compiler
/// cache, that did not reach xcc; else empty.
std::string lostArchs(const Options &options) {
  if (options.archsGiven)
    return "";
  auto command = MemoryBuffer::getFileAsStream(
      "/proc/" + std::to_string(getppid()) + "/cmdline");
  if (!command)
    return "";
  SmallVector<StringRef> words;
  (*command)->getBuffer().split(words, '\0');
  for (StringRef word : words)
    if (word.starts_with("-offload-arch="))
      return word.str();
  return "";
}

/// The name of the compiler cache that started this program, or empty.
std::string cacheAbove() {
  SmallString<128> program;
  if (sys::fs::real_path("/proc/" + std::to_string(getppid()) + "/exe",
                         program))
    return "";
  StringRef name = sys::path::filename(program);
  return name == "ccache" || name == "sccache" ? name.str() : "";
}

/// Compiler caches store an object and the printed messages, but no other file.
/// This warning is stored too.
Error checkCache(const DriverEnv &env, const Options &options) {
  if (options.kernelInfoFile.empty())
    return Error::success();
  std::string cache = cacheAbove();
  if (cache.empty())
    return Error::success();
  return warn(env,
              "-emit-kernel-info= under " + cache + ": it will not write '" +
                  options.kernelInfoFile +
                  "' when it has the object already; compile this without it",
              options);
}

/// Tools that take one-letter options, such as -o, read -offload-arch=LIST as
/// the output 'ffload-arch=LIST'. They pass on what they read, or drop it.
Error checkSpelling(const DriverEnv &env, const Options &options) {
  if (std::string lost = lostArchs(options); !lost.empty())
    if (Error error =
            warn(env,
                 "'" + lost +
                     "' did not reach xcc: what runs it read it as -o and the "
                     "name of a file; write --offload-arch=",
                 options))
      return error;
  for (StringRef arg : options.clangArgs) {
    arg.consume_front("-o");
    if (arg.starts_with("ffload-arch="))
      if (Error error =
              warn(env,
                   "'" + arg +
                       "' is read as the name of a file; for tools that read "
                       "-offload-arch= as -o, write --offload-arch=",
                   options))
        return error;
  }
  return Error::success();
}

/// Kernels can use only one library of vector functions.
Error checkVectorLibrary(const DriverEnv &env, const Options &options) {
  const StringRef library = options.unit.given.vectorLibrary;
  if (library.empty() || library == "libmvec" || library == "none")
    return Error::success();
  return warn(env,
              "'-fveclib=" + library +
                  "' is for the host's code; kernels of the CPU device know "
                  "libmvec alone",
              options);
}

/// The last -fsanitize= that no later option cancels.
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

/// Checks options that a program whose main runs on a device cannot be compiled
/// with: Clang's options that change the host's code, of which such a program
/// has only the loader. An option that would make results wrong or unchecked is
/// an error. One that only reports about a run is a warning.
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

} // namespace

Error checkCommand(const DriverEnv &env, const Options &options) {
  for (auto check :
       {checkSpelling, checkCache, checkVectorLibrary, checkProgramOptions})
    if (Error error = check(env, options))
      return error;
  return Error::success();
}

} // namespace xcc
