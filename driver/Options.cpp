// What the command line asks of xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace xcc {
namespace {

Error unknownArch(StringRef name) {
  std::vector<std::string> known;
  for (const Target *target : allTargets())
    append_range(known, target->archs());
  known.push_back(EveryPortable.str());
  StringRef some = "host, sm_90, gfx90a, gfx11-generic; all that "
                   "--print-offload-archs prints";
  if (name.empty())
    return createStringError("--offload-arch= needs an arch, such as " + some);
  // Near enough to be a slip of the hand.
  unsigned best = std::max<size_t>(2, name.size() / 3);
  std::string hint = ("known are " + some).str();
  for (const std::string &candidate : known) {
    unsigned distance = name.edit_distance(candidate, true, best);
    if (distance <= best) {
      best = distance;
      hint = "did you mean '" + candidate +
             "'? --print-offload-archs prints all there are";
    }
  }
  return createStringError("unknown offload arch '" + name + "'; " + hint);
}

/// The level that device code is generated at for an -O option.
unsigned levelOf(StringRef option) {
  if (option == "-O0")
    return 0;
  return option == "-O" || option == "-O1" || option == "-Og" ? 1 : 3;
}

Error addArchs(Options &options, StringRef list) {
  SmallVector<StringRef> names;
  list.split(names, ',');
  for (StringRef name : names) {
    if (name == EveryPortable) {
      for (const Target *target : allTargets())
        if (Error error = addArchs(options, portableArch(*target)))
          return error;
      continue;
    }
    std::string canonical;
    const Target *target = findTarget(name, canonical);
    if (!target) {
      return unknownArch(name);
    }
    auto same = [&](const DeviceArch &have) { return have.arch == canonical; };
    if (none_of(options.archs, same))
      options.archs.push_back({target, canonical});
  }
  return Error::success();
}

/// Takes an option that some target declares. Several may.
Expected<bool> takeTargetOption(Options &options, StringRef arg) {
  bool known = false;
  for (const Target *target : allTargets())
    for (const TargetOption &option : target->options())
      if (option.matches(arg)) {
        if (Error error = target->checkOption(arg))
          return std::move(error);
        known = true;
      }
  if (known)
    options.targetOptions.push_back(arg.str());
  return known;
}

/// Whether an option of the -g family asks for debug information.
bool wantsDebugInfo(StringRef arg) {
  return arg == "-g" || arg == "-ggdb" || arg == "-gline-tables-only" ||
         arg == "-gline-directives-only" || arg == "-g1" || arg == "-g2" ||
         arg == "-g3" || arg.starts_with("-gdwarf");
}

/// Takes an option of ours. Clang does not see it.
Expected<bool> takeOwnOption(Options &options, StringRef arg) {
  StringRef value = arg;
  if (arg.starts_with("--"))
    value = value.drop_front(1);
  if (value.consume_front("-offload-arch=")) {
    if (Error error = addArchs(options, value))
      return std::move(error);
  } else if (value == "-offload-arch") {
    return createStringError("'" + arg +
                             "' takes its value joined: --offload-arch=LIST");
  } else if (arg == "-foffload-host-only" || arg == "--offload-host-only") {
    options.hostOnly = true;
  } else if (arg == "-foffload-device-only" || arg == "--offload-device-only") {
    options.deviceOnly = true;
  } else if (value.consume_front("-emit-kernel-info=")) {
    if (value.empty())
      return createStringError("-emit-kernel-info= needs a file name");
    options.kernelInfoFile = value.str();
  } else if (value == "-emit-kernel-info") {
    return createStringError(
        "'" + arg + "' takes its value joined: -emit-kernel-info=FILE.json");
  } else if (value.consume_front("-cuid=")) {
    options.cuid = value.str();
  } else if (value == "-foffload-resource-usage") {
    options.resourceUsage = true;
  } else if (value.consume_front("-foffload-lto=")) {
    auto how = StringSwitch<std::optional<OffloadLTO>>(value)
                   .Case("full", OffloadLTO::Full)
                   .Case("thin", OffloadLTO::Thin)
                   .Case("none", OffloadLTO::None)
                   .Default(std::nullopt);
    if (!how)
      return createStringError("'" + arg +
                               "': -foffload-lto= takes thin, full or none");
    options.lto = *how;
  } else if (value == "-foffload-cache" || value == "-fno-offload-cache") {
    options.cache = value == "-foffload-cache";
  } else if (value == "-foffload-host-calls") {
    options.hostCalls = true;
  } else if (value == "-foffload-export") {
    options.exports = options.exportsAll = true;
  } else if (value == "-fno-offload-export") {
    options.exports = options.exportsAll = false;
  } else if (value.consume_front("-foffload-jit-roots=")) {
    if (value != "kernels" && value != "all")
      return createStringError("'" + arg +
                               "': -foffload-jit-roots= takes kernels or all");
    options.jitRoots = value == "all";
  } else if (value == "-foffload-stdpar" || value == "-fno-offload-stdpar") {
    options.standardAlgorithms = value == "-foffload-stdpar";
  } else if (value == "-foffload-main") {
    options.program = true;
  } else if (value == "-fno-offload-main") {
    options.program = options.imageOnly = false;
  } else if (value == "-foffload-image-only") {
    options.program = options.imageOnly = true;
  } else if (value == "-device-link") {
    options.deviceLink = true;
  } else if (value == "-foffload-report-mapping") {
    options.reportMapping = true;
  } else if (value == "-help") {
    options.help = true;
  } else if (value == "-help-clang") {
    options.helpOfClang = true;
  } else if (value == "-print-offload-archs") {
    options.printArchs = true;
  } else if (value == "-shared-libxcc") {
    options.sharedRuntime = true;
  } else if (value == "-static-libxcc") {
    options.sharedRuntime = false;
  } else if (arg == "-save-temps" || arg == "--save-temps" ||
             arg.starts_with("-save-temps=") ||
             arg.starts_with("--save-temps=")) {
    options.saveTemps = true;
    options.saveTempsBesideOutput = arg.ends_with("=obj");
  } else {
    return false;
  }
  return true;
}

/// Remembers what an option of Clang's says to us too.
void noteClangOption(Options &options, StringRef arg) {
  StringRef value = arg;
  if (arg == "-###")
    options.dryRun = true;
  else if (arg == "-v")
    options.verbose = true;
  else if (arg == "--version")
    options.version = true;
  else if (value.consume_front("--autocomplete="))
    options.complete = value.str();
  else if (value.consume_front("-Rpass="))
    options.remarks = value.str();
  else if (value.consume_front("-Rpass-missed="))
    options.missedRemarks = value.str();
  else if (value.consume_front("-Rpass-analysis="))
    options.analysisRemarks = value.str();
  else if (arg == "-ffast-math" || arg == "-fno-fast-math") {
    options.given.fastMath = arg == "-ffast-math";
    options.given.fpContract |= options.given.fastMath;
  } else if (value.consume_front("-ffp-model=")) {
    // Of the models this one alone has all of -ffast-math, and each undoes it.
    options.given.fastMath = value == "aggressive";
    options.given.fpContract = true;
  } else if (arg.starts_with("-ffp-contract="))
    options.given.fpContract = true;
  else if (value.consume_front("-fveclib="))
    options.given.vectorLibrary = value.str();
  else if (arg == "-fmath-errno" || arg == "-fno-math-errno")
    options.given.mathErrno = arg == "-fmath-errno";
  else if (arg.starts_with("-fopenmp") && !arg.starts_with("-fopenmp-"))
    options.openMP = true;
  else if (arg == "-fno-openmp")
    options.openMP = false;
  else if (arg == "-w")
    options.noWarnings = true;
  else if (arg == "-Werror" || arg == "-Wno-error")
    options.warningsAreErrors = arg == "-Werror";
  else if (arg == "-g0")
    options.debugInfo = false;
  else if (wantsDebugInfo(arg))
    options.debugInfo = true;
  else if (arg.starts_with("-O")) {
    options.given.optLevel = true;
    options.given.fastMath |= arg == "-Ofast";
    options.optLevel = levelOf(arg);
  }
}

/// An option as it is written, and what follows `-fplugin-arg-xcc-` with its
/// `-f` again: Clang's own tools, which read compile_commands.json, let no
/// other option pass that they do not know.
StringRef spelled(StringRef arg, std::string &storage) {
  StringRef rest = arg;
  if (!rest.consume_front("-fplugin-arg-xcc-"))
    return arg;
  storage = ("-f" + rest).str();
  return storage;
}

} // namespace

Expected<Options> parseOptions(ArrayRef<const char *> args) {
  Options options;
  bool raw = false; // after "--" everything is a file
  // The arguments of these belong to them, whatever they look like.
  const StringRef takesValue[] = {
      "-Xclang",     "-Xlinker",     "-Xpreprocessor",
      "-Xassembler", "-mllvm",       "-o",
      "-include",    "-I",           "-isystem",
      "-D",          "-U",           "-MF",
      "-MT",         "-MQ",          "-x",
      "-L",          "-l",           "-iquote",
      "-Xarch_host", "-Xarch_device"};
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (i == 0 || raw) {
      options.clangArgs.push_back(arg.str());
      continue;
    }
    if (is_contained(takesValue, arg) && i + 1 < args.size()) {
      if (arg == "-Xarch_host")
        options.xarchHost.push_back(args[i + 1]);
      options.clangArgs.push_back(arg.str());
      options.clangArgs.push_back(args[++i]);
      continue;
    }
    std::string storage;
    const StringRef ours = spelled(arg, storage);
    Expected<bool> taken = takeTargetOption(options, ours);
    if (!taken)
      return taken.takeError();
    if (*taken || options.warnings.take(ours))
      continue;
    Expected<bool> own = takeOwnOption(options, ours);
    if (!own)
      return own.takeError();
    if (*own)
      continue;
    if (ours != arg)
      return createStringError("unknown argument: '" + arg + "'");
    raw = arg == "--";
    noteClangOption(options, arg);
    options.clangArgs.push_back(arg.str());
  }
  // The help that xcc --help leaves to clang.
  if (options.helpOfClang)
    options.clangArgs.push_back("--help");
  if (options.hostOnly && options.deviceOnly)
    return createStringError(
        "-foffload-host-only and -foffload-device-only exclude each other");
  for (auto [given, other] :
       {std::pair(options.program, "-foffload-main"),
        std::pair(options.hostOnly, "-foffload-host-only"),
        std::pair(options.deviceOnly, "-foffload-device-only")})
    if (options.deviceLink && given)
      return createStringError(Twine("--device-link and ") + other +
                               " exclude each other");
  if (options.program && options.hostOnly)
    return createStringError(
        "-foffload-main and -foffload-host-only exclude each other");
  // What a callable calls may be defined in a file that no kernel is in.
  options.hostCalls |= options.standardAlgorithms;
  // All of a file may be reached from a main that is another file's.
  if (options.program)
    options.exports = options.exportsAll = true;
  if (options.program)
    for (const DeviceArch &arch : options.archs)
      if (isPortable(arch.arch))
        return createStringError("a program whose main runs on the device is "
                                 "made for archs: -foffload-main and "
                                 "--offload-arch=" +
                                 arch.arch + " exclude each other");
  if (options.program && options.openMP)
    for (const DeviceArch &arch : options.archs)
      if (!arch.target->runsHostPrograms())
        return createStringError("OpenMP is for the host and the CPU device: a "
                                 "program whose main runs on " +
                                 arch.arch + " cannot use -fopenmp");
  options.archsGiven = !options.archs.empty();
  if (options.archs.empty())
    if (Error error = addArchs(options, "host"))
      return std::move(error);
  return options;
}

} // namespace xcc
