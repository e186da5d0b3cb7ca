// xcc's command-line options
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"
#include "NvccOptions.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

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
  // Close enough to be a typing error.
  unsigned best = std::max<size_t>(2, name.size() / 3);
  std::string hint = ("known are " + some).str();
  for (const std::string &candidate : known) {
    unsigned distance = name.edit_distance(candidate, true, best);
    if (distance <= best) {
      best = distance;
      hint =
          "did you mean '" + candidate + "'? --print-offload-archs prints all";
    }
  }
  return createStringError("unknown offload arch '" + name + "'; " + hint);
}

/// The optimisation level of device code for an -O option.
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

/// Takes an option that one or more targets declare.
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
    options.codegen.targetOptions.push_back(arg.str());
  return known;
}

/// Whether an option of the -g family asks for debug information.
bool requestsDebugInfo(StringRef arg) {
  return arg == "-g" || arg == "-ggdb" || arg == "-gline-tables-only" ||
         arg == "-gline-directives-only" || arg == "-g1" || arg == "-g2" ||
         arg == "-g3" || arg.starts_with("-gdwarf");
}

template <typename T, typename U = bool> Error set(T &field, U value = true) {
  field = std::move(value);
  return Error::success();
}

Error joined(StringRef arg, StringRef form) {
  return createStringError("'" + arg + "' takes its value joined: " + form);
}

Error exportAll(Options &options, bool all) {
  options.unit.exports = options.unit.exportsAll = all;
  return Error::success();
}

Error setJitRoots(Options &options, StringRef arg, StringRef value) {
  if (value != "kernels" && value != "all")
    return createStringError("'" + arg +
                             "': -foffload-jit-roots= takes kernels or all");
  return set(options.unit.jitRoots, value == "all");
}

Error setKernelInfo(Options &options, StringRef value) {
  if (value.empty())
    return createStringError("-emit-kernel-info= needs a file name");
  return set(options.kernelInfoFile, value.str());
}

Error saveTemps(Options &options, StringRef where) {
  options.saveTempsBesideOutput = where == "obj";
  return set(options.saveTemps);
}

Error setLTO(Options &options, StringRef arg, StringRef value) {
  auto how = StringSwitch<std::optional<OffloadLTO>>(value)
                 .Case("full", OffloadLTO::Full)
                 .Case("thin", OffloadLTO::Thin)
                 .Case("none", OffloadLTO::None)
                 .Default(std::nullopt);
  if (!how)
    return createStringError("'" + arg +
                             "': -foffload-lto= takes thin, full or none");
  return set(options.codegen.lto, *how);
}

Error makeNoProgram(Options &options) {
  options.unit.program = options.imageOnly = false;
  return Error::success();
}

Error makeImageOnly(Options &options) {
  options.unit.program = options.imageOnly = true;
  return Error::success();
}

/// A row of Options.def as the parser uses it.
struct OwnOption {
  StringRef name; ///< with one dash; ends with '=' if it takes a joined value
  Error (*take)(Options &options, StringRef arg, StringRef value);
};

constexpr StringRef withOneDash(StringRef name) {
  return name.starts_with("--") ? name.drop_front(1) : name;
}

const OwnOption OwnOptions[] = {
#define XCC_OPTION(group, name, meta, help, details, action)                   \
  {withOneDash(name),                                                          \
   []([[maybe_unused]] Options &options, [[maybe_unused]] StringRef arg,       \
      [[maybe_unused]] StringRef value) -> Error { return action; }},
#include "Options.def"
};

/// Takes one of xcc's own options, which Clang does not see.
Expected<bool> takeOwnOption(Options &options, StringRef arg) {
  for (const OwnOption &option : OwnOptions) {
    StringRef value = withOneDash(arg);
    if (!value.consume_front(option.name) ||
        (!option.name.ends_with("=") && !value.empty()))
      continue;
    if (Error error = option.take(options, arg, value))
      return std::move(error);
    return true;
  }
  return false;
}

/// Notes a Clang option that affects xcc too.
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
    options.codegen.remarks = value.str();
  else if (value.consume_front("-Rpass-missed="))
    options.codegen.missedRemarks = value.str();
  else if (value.consume_front("-Rpass-analysis="))
    options.codegen.analysisRemarks = value.str();
  else if (arg == "-ffast-math" || arg == "-fno-fast-math") {
    options.unit.given.fastMath = arg == "-ffast-math";
    options.unit.given.fpContract |= options.unit.given.fastMath;
  } else if (value.consume_front("-ffp-model=")) {
    // Only this model enables all of -ffast-math; each of the others disables
    // it.
    options.unit.given.fastMath = value == "aggressive";
    options.unit.given.fpContract = true;
  } else if (arg.starts_with("-ffp-contract="))
    options.unit.given.fpContract = true;
  else if (value.consume_front("-fveclib="))
    options.unit.given.vectorLibrary = value.str();
  else if (arg == "-fmath-errno" || arg == "-fno-math-errno")
    options.unit.given.mathErrno = arg == "-fmath-errno";
  else if (arg.starts_with("-fopenmp") && !arg.starts_with("-fopenmp-"))
    options.openMP = true;
  else if (arg == "-fno-openmp")
    options.openMP = false;
  else if (arg == "-w")
    options.noWarnings = true;
  else if (arg == "-Werror" || arg == "-Wno-error")
    options.warningsAreErrors = arg == "-Werror";
  else if (arg == "-g0")
    options.codegen.debugInfo = false;
  else if (requestsDebugInfo(arg))
    options.codegen.debugInfo = true;
  else if (arg.starts_with("-O")) {
    options.unit.given.optLevel = true;
    options.unit.given.fastMath |= arg == "-Ofast";
    options.codegen.optLevel = levelOf(arg);
  }
}

/// The option as written, or with `-fplugin-arg-xcc-` replaced by `-f`. Clang's
/// own tools, which read compile_commands.json, reject other options that they
/// do not know.
StringRef spelled(StringRef arg, std::string &storage) {
  StringRef rest = arg;
  if (!rest.consume_front("-fplugin-arg-xcc-"))
    return arg;
  storage = ("-f" + rest).str();
  return storage;
}

/// Clang's errors that the host compilers of nvcc only warn about.
constexpr const char *onlyWarnings[] = {
    "-Wno-error=register", "-Wno-error=c++11-narrowing",
    "-Wno-error=reserved-user-defined-literal"};

/// Makes Clang compile CUDA files as C++ (-foffload-cuda).
void takeCudaForCxx(std::vector<std::string> &args) {
  const std::vector<const char *> given = pointersTo(args);
  std::vector<std::string> changed;
  // named: by -x; raw: after "--"; open: after a file for which -x was added.
  bool named = false, raw = false, open = false;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    StringRef language = arg;
    const bool input = i && (raw || !arg.starts_with("-") || arg == "-");
    const unsigned values = i && !raw ? valuesBehind(given, i) : 0;
    if (i && !raw && language.consume_front("-x") &&
        (values == 1 || !language.empty())) {
      if (values)
        language = args[++i];
      named = language != "none";
      open = false;
      if (language == "cuda") {
        changed.insert(changed.end(), {"-include", "xcc/cuda.h"});
        language = "c++";
      }
      changed.insert(changed.end(), {"-x", language.str()});
    } else if (values) {
      changed.insert(changed.end(), args.begin() + i,
                     args.begin() + i + values + 1);
      i += values;
    } else if (input && !raw && !named && arg.ends_with(".cu") != open) {
      open = !open;
      changed.insert(changed.end(), {"-x", open ? "c++" : "none", args[i]});
    } else {
      raw |= arg == "--";
      changed.push_back(args[i]);
    }
  }
  // In front, so that given options win.
  changed.insert(changed.begin() + !changed.empty(), std::begin(onlyWarnings),
                 std::end(onlyWarnings));
  args = std::move(changed);
}

} // namespace

unsigned valuesBehind(ArrayRef<const char *> args, unsigned index) {
  StringRef arg = args[index];
  if (!arg.starts_with("-") || arg == "-" || arg == "--")
    return 0;
  // No Clang option has more values.
  args = args.slice(index).take_front(8);
  opt::InputArgList words(args.begin(), args.end());
  unsigned next = 0;
  auto parsed = clang::getDriverOptTable().ParseOneArg(
      words, next, opt::Visibility(clang::options::ClangOption));
  // Null if a value is missing, which Clang reports.
  return parsed ? next - 1 : 0;
}

std::vector<const char *> pointersTo(ArrayRef<std::string> args) {
  std::vector<const char *> result;
  for (const std::string &arg : args)
    result.push_back(arg.c_str());
  return result;
}

Expected<Options> parseOptions(ArrayRef<const char *> given) {
  Options options;
  std::vector<std::string> translated;
  std::vector<const char *> words;
  ArrayRef<const char *> args = given;
  if (requestsCuda(given)) {
    Expected<std::vector<std::string>> made = translateNvccOptions(given);
    if (!made)
      return made.takeError();
    translated = std::move(*made);
    words = pointersTo(translated);
    args = words;
  }
  bool raw = false; // after "--" every argument is a file
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (i == 0 || raw) {
      options.clangArgs.push_back(arg.str());
      continue;
    }
    if (unsigned values = valuesBehind(args, i)) {
      if (arg == "-Xarch_host")
        options.unit.xarchHost.push_back(args[i + 1]);
      for (const char *word : args.slice(i, values + 1))
        options.clangArgs.push_back(word);
      i += values;
      continue;
    }
    std::string storage;
    const StringRef ours = spelled(arg, storage);
    Expected<bool> taken = takeTargetOption(options, ours);
    if (!taken)
      return taken.takeError();
    if (*taken || options.unit.warnings.take(ours))
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
  if (options.unit.cuda)
    takeCudaForCxx(options.clangArgs);
  // clang prints its own help.
  if (options.helpOfClang)
    options.clangArgs.push_back("--help");
  if (options.hostOnly && options.deviceOnly)
    return createStringError(
        "-foffload-host-only and -foffload-device-only exclude each other");
  for (auto [given, other] :
       {std::pair(options.unit.program, "-foffload-main"),
        std::pair(options.hostOnly, "-foffload-host-only"),
        std::pair(options.deviceOnly, "-foffload-device-only")})
    if (options.deviceLink && given)
      return createStringError(Twine("--device-link and ") + other +
                               " exclude each other");
  if (options.unit.program && options.hostOnly)
    return createStringError(
        "-foffload-main and -foffload-host-only exclude each other");
  // An algorithm's callable may call functions of a file without kernels.
  options.unit.hostCalls |= options.standardAlgorithms;
  // A main in another file may call any function of a file.
  if (options.unit.program)
    options.unit.exports = options.unit.exportsAll = true;
  if (options.unit.program)
    for (const DeviceArch &arch : options.archs)
      if (isPortable(arch.arch))
        return createStringError("a program whose main runs on the device is "
                                 "made for archs: -foffload-main and "
                                 "--offload-arch=" +
                                 arch.arch + " exclude each other");
  if (options.unit.program && options.openMP)
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
