// Collects what a report of a crash needs in one folder
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that crashed can do very little. So it starts xcc again with its
// own command and an option for the report (onCrash). The preprocessor may
// crash too: each source is preprocessed inside LLVM's CrashRecoveryContext.

#include "CrashReport.h"
#include "Identity.h"
#include "Jobs.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

constexpr StringRef CrashedOption = "--report-crash=crashed";
constexpr unsigned MostSecondsForDevices = 60;

/// The command that makes the report, prepared before a crash.
std::vector<std::string> &reporter() {
  static std::vector<std::string> command;
  return command;
}
char **reporterArguments;

constexpr int CrashSignals[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                                SIGABRT, SIGTRAP, SIGSYS};

/// Starts the reporter, in the process that crashed.
void startReporter() {
  // The new process must not inherit the blocked signals of the crash.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child;
  if (!posix_spawn(&child, "/proc/self/exe", nullptr, &attributes,
                   reporterArguments, environ))
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      ;
}

/// Does what LLVM's handler does, and starts the report. Passes run in
/// parallel, and one fault often crashes several. Only the first thread
/// reports; LLVM's own handler would let the second one end the process.
void onCrash(int signal) {
  static std::atomic<pid_t> first = 0;
  pid_t noThread = 0, self = gettid();
  if (!first.compare_exchange_strong(noThread, self) && noThread != self)
    while (true)
      pause();
  if (noThread != self) {
    sys::RunSignalHandlers();
    sys::RunInterruptHandlers();
    if (reporterArguments)
      startReporter();
  }
  ::signal(signal, SIG_DFL);
  raise(signal);
}

/// The argument as a shell reads it.
std::string quoted(StringRef arg) {
  if (!arg.empty() && arg.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789-_=+./,:%@") == StringRef::npos)
    return arg.str();
  std::string text = "'";
  for (char c : arg)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string commandLine(ArrayRef<const char *> args) {
  std::string line;
  for (StringRef arg : args)
    line += (line.empty() ? "" : " ") + quoted(arg);
  return line;
}

/// The command without options for outputs and for where compilation stops.
std::vector<std::string> withoutOutputs(ArrayRef<std::string> args) {
  const std::vector<const char *> words = pointersTo(args);
  std::vector<std::string> rest;
  for (size_t i = 0, next; i < args.size(); i = next) {
    StringRef arg = args[i];
    next = i + 1 + valuesBehind(words, i);
    const bool writes =
        i &&
        (is_contained({"-c", "-S", "-E", "-emit-llvm", "-###", "-fsyntax-only",
                       "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-MV", "-MF",
                       "-MT", "-MQ", "-MJ", "--serialize-diagnostics"},
                      arg) ||
         arg.starts_with("-o"));
    if (!writes)
      append_range(rest, args.slice(i, next - i));
  }
  return rest;
}

class Report {
public:
  Report(const DriverEnv &env, ArrayRef<const char *> args)
      : env(env), args(args) {}

  Error makeFolder() {
    SmallString<128> place;
    for (StringRef arg : args)
      if (arg.consume_front("-fcrash-diagnostics-dir="))
        place = arg;
    if (place.empty())
      sys::path::system_temp_directory(/*ErasedOnReboot=*/true, place);
    else if (auto error = sys::fs::create_directories(place))
      return cannot(place, error);
    sys::path::append(place, "xcc-report");
    // A relative path would be taken for a name in the system's temporary
    // folder.
    if (auto error = sys::fs::make_absolute(place))
      return cannot(place, error);
    if (auto error = sys::fs::createUniqueDirectory(place, folder))
      return cannot(place, error);
    return Error::success();
  }

  /// Writes the sources. Returns a text about each, and about other inputs.
  std::string addSources() {
    Expected<Options> options = parseOptions(args);
    if (!options)
      return "The command was not understood: " +
             toString(options.takeError()) + "\n";
    options->clangArgs = withoutOutputs(options->clangArgs);
    options->deviceLink = false;
    std::vector<std::string> inputs = linkInputs(*options);
    const std::string before[] = {"-E", "-w", "-Xclang",
                                  "-disable-pragma-debug-crash"};
    options->clangArgs.insert(options->clangArgs.begin() + 1,
                              std::begin(before), std::end(before));
    Planner planner(env, *options);
    std::string text;
    if (Expected<Plan> plan = planner.plan()) {
      removeTemporaries(*plan);
      for (size_t i = 0; i != plan->compiles.size(); ++i)
        text += addSource(plan->compiles[i], i);
    } else {
      report(env, plan.takeError());
    }
    for (const std::string &file : inputs)
      text += "'" + file + "' was linked; it is not here.\n";
    return text.empty() ? "The command compiles nothing.\n" : text;
  }

  void add(StringRef name, StringRef text) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    if (Error error = writeOutput(path, text))
      report(env, std::move(error));
  }

  std::string versions() const {
    std::string text = versionLine(env.installation) + "\n" +
                       clang::getClangFullVersion() + "\n";
    utsname system;
    if (!uname(&system))
      text += std::string(system.sysname) + " " + system.release + " " +
              system.version + " " + system.machine + "\n";
    if (auto release = MemoryBuffer::getFileAsStream("/etc/os-release")) {
      SmallVector<StringRef> lines;
      (*release)->getBuffer().split(lines, '\n');
      for (StringRef line : lines)
        if (line.consume_front("PRETTY_NAME="))
          text += line.trim('"').str() + "\n";
    }
    return text;
  }

  /// Adds the output of xcc-info.
  void addDevices() {
    SmallString<128> tool(sys::path::parent_path(env.installation.executable));
    sys::path::append(tool, "xcc-info");
    SmallString<128> out(folder);
    sys::path::append(out, "devices.txt");
    std::string why;
    int status =
        sys::ExecuteAndWait(tool, {tool}, std::nullopt,
                            {StringRef(""), StringRef(out), StringRef(out)},
                            MostSecondsForDevices, 0, &why);
    if (status < 0)
      add("devices.txt", "xcc-info did not run to its end: " + why + "\n");
  }

  /// Environment variables that change the command's effect.
  std::string environment() const {
    std::string text;
    for (char **entry = environ; entry && *entry; ++entry) {
      StringRef variable(*entry), name = variable.split('=').first;
      if (name.starts_with("XCC_") || name.ends_with("_PATH") ||
          is_contained({"CPATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH",
                        "TMPDIR", "LANG"},
                       name))
        text += quoted(variable) + "\n";
    }
    return text;
  }

  StringRef where() const { return folder; }

private:
  const DriverEnv &env;
  ArrayRef<const char *> args;
  SmallString<128> folder;

  static Error cannot(StringRef place, std::error_code error) {
    return createStringError("cannot make a folder for a report in '" + place +
                             "': " + error.message());
  }

  /// The objects and libraries that the command names.
  std::vector<std::string> linkInputs(const Options &options) {
    std::vector<std::string> files;
    for (StringRef arg : ArrayRef(options.clangArgs).drop_front())
      if (!arg.starts_with("-") &&
          is_contained({".o", ".a", ".so", ".bc"}, sys::path::extension(arg)))
        files.push_back(arg.str());
    return files;
  }

  /// Writes one source. Returns what was written, in words.
  std::string addSource(const CompileStep &step, size_t index) {
    std::string text, why = "it crashes the preprocessor too";
    bool good = false;
    CrashRecoveryContext::Enable();
    CrashRecoveryContext context;
    if (step.input == "-") {
      why = "standard input is read once";
    } else {
      context.RunSafelyOnThread(
          [&] {
            raw_string_ostream os(text);
            DiagnosticLog log;
            good = preprocessAll(step.unit, os, log);
            if (!good) {
              why.clear();
              raw_string_ostream errors(why);
              log.print(errors, /*withSummary=*/false);
            }
          },
          /*RequestedStackSize=*/64u << 20);
    }
    CrashRecoveryContext::Disable();
    StringRef language = "c++";
    for (size_t i = 0; i + 1 < step.unit.cc1Args.size(); ++i)
      if (step.unit.cc1Args[i] == "-x")
        language = step.unit.cc1Args[i + 1];
    std::string stem = sys::path::stem(step.input).str();
    std::string name = (index ? std::to_string(index) + "-" : "") +
                       (step.input == "-" ? "stdin" : stem);
    if (good) {
      name += language.starts_with("c++") ? ".ii" : ".i";
      add(name, text);
      return name + " is '" + step.input +
             "' of every pass, after the preprocessor; xcc compiles it with "
             "the command's options.\n";
    }
    std::string note = "'" + step.input + "' cannot be preprocessed: " + why;
    auto source = MemoryBuffer::getFile(step.input, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (step.input == "-" || !source)
      return note + "\n";
    name += sys::path::extension(step.input);
    add(name, (*source)->getBuffer());
    return note + "\n" + name + " is the file itself, without its headers.\n";
  }
};

} // namespace

ReportCrash takeReportCrash(SmallVectorImpl<const char *> &args) {
  ReportCrash when = ReportCrash::OnCrash;
  bool files = false;
  for (size_t i = 1; i < args.size();) {
    StringRef arg = args[i];
    files |= arg == "--";
    std::optional<ReportCrash> said;
    if (arg == CrashedOption)
      said = ReportCrash::Crashed;
    else if (arg == "--report-crash" || arg == "-gen-reproducer" ||
             arg == "-gen-reproducer=always")
      said = ReportCrash::Always;
    else if (arg == "-gen-reproducer=error")
      said = ReportCrash::OnError;
    else if (arg == "-gen-reproducer=crash")
      said = ReportCrash::OnCrash;
    else if (arg == "-gen-reproducer=off" || arg == "-fno-crash-diagnostics")
      said = ReportCrash::Never;
    if (!said || files) {
      ++i;
      continue;
    }
    when = when == ReportCrash::Crashed ? when : *said;
    args.erase(args.begin() + i);
  }
  return when;
}

void reportCrashes(ArrayRef<const char *> args, bool withFolder) {
  for (int signal : CrashSignals) {
    struct sigaction action = {};
    action.sa_handler = onCrash;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
  if (!withFolder)
    return;
  std::vector<std::string> &command = reporter();
  command = {args.front(), CrashedOption.str()};
  append_range(command, args.drop_front());
  static std::vector<char *> pointers;
  for (std::string &arg : command)
    pointers.push_back(arg.data());
  pointers.push_back(nullptr);
  reporterArguments = pointers.data();
}

/// Makes the folder, and prints where it is.
static Error writeReport(const DriverEnv &env, ArrayRef<const char *> args,
                         StringRef said) {
  // Make the sources unreadable for other users.
  const mode_t before = umask(S_IRWXG | S_IRWXO);
  scope_exit restore([&] { umask(before); });
  Report report(env, args);
  if (Error error = report.makeFolder())
    return error;
  SmallString<128> here;
  sys::fs::current_path(here);
  report.add("command.txt", "cd " + quoted(here) + "\n" + report.environment() +
                                commandLine(args) + "\n");
  report.add("versions.txt", report.versions());
  report.add("sources.txt", report.addSources());
  if (!said.empty())
    report.add("output.txt", said);
  report.addDevices();
  env.err << "xcc: note: the files for a report of this are in '"
          << report.where()
          << "': the sources of every pass, the command, versions and devices\n"
             "xcc: note: take out what others must not see, and attach the "
             "folder to an issue of the xcc project\n";
  return Error::success();
}

Expected<int> runAndReport(DriverEnv &env, ArrayRef<const char *> args,
                           ReportCrash when) {
  if (Error error = env.findInstallation(args.front()))
    return std::move(error);
  if (when == ReportCrash::Crashed) {
    if (Error error = writeReport(env, args, ""))
      report(env, std::move(error));
    // Do not print what Clang prints at exit.
    _exit(0);
  }
  SmallString<128> said;
  if (auto error = sys::fs::createTemporaryFile("xcc-output", "txt", said))
    return createStringError("cannot make a temporary file: " +
                             error.message());
  scope_exit remove([&] { sys::fs::remove(said); });
  SmallVector<StringRef> command = {env.installation.executable,
                                    "-fno-crash-diagnostics"};
  append_range(command, args.drop_front());
  std::string why;
  int status = sys::ExecuteAndWait(
      env.installation.executable, command, std::nullopt,
      {std::nullopt, std::nullopt, StringRef(said)}, 0, 0, &why);
  std::string text = why;
  if (auto output = MemoryBuffer::getFile(said))
    text = (*output)->getBuffer().str() + text;
  env.err << text;
  if (when == ReportCrash::Always || status)
    if (Error error = writeReport(
            env, args, text + "\nstatus " + std::to_string(status) + "\n"))
      report(env, std::move(error));
  return status < 0 ? 1 : status;
}

} // namespace xcc
