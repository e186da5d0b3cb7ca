// Messages, files and programs for all jobs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Jobs.h"
#include "support/Files.h"
#include "support/Processes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace xcc {
namespace {

/// Whether the line is an error or note that names its place.
bool isDiagnostic(StringRef line) {
  static const Regex form(":[0-9]+:[0-9]+: (error|note): |^In file included ");
  return form.match(line);
}

class Reported : public ErrorInfo<Reported> {
public:
  static char ID;
  void log(raw_ostream &os) const override { os << "an error was printed"; }
  std::error_code convertToErrorCode() const override {
    return inconvertibleErrorCode();
  }
};
char Reported::ID;

void printError(const DriverEnv &env, StringRef text) {
  StringRef rest = text.rtrim();
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    bool continues = line.starts_with(">>>") || line.starts_with(" ") ||
                     line.starts_with("note:") || line.empty() ||
                     isDiagnostic(line);
    env.err << (continues ? "" : "xcc: error: ") << line << '\n';
  }
}

} // namespace

Error reported() { return make_error<Reported>(); }

void report(const DriverEnv &env, Error error) {
  handleAllErrors(
      std::move(error), [](const Reported &) {},
      [&](const ErrorInfoBase &each) { printError(env, each.message()); });
}

Error warn(const DriverEnv &env, const Twine &text, const Options &options) {
  if (options.noWarnings)
    return Error::success();
  if (options.warningsAreErrors)
    return createStringError(text + " [-Werror]");
  env.err << "xcc: warning: " << text << '\n';
  return Error::success();
}

Error writeOutput(StringRef path, StringRef bytes) {
  Error error = writeFile(path, [&](raw_ostream &os) { os << bytes; });
  if (!error)
    return error;
  return createStringError(
      "cannot write " +
      (path == "-" ? "to standard output" : "'" + path.str() + "'") + ": " +
      toString(std::move(error)));
}

Error checkOutput(StringRef path) {
  if (path.empty() || path == "-")
    return Error::success();
  auto cannot = [&](const Twine &why) {
    return createStringError("cannot write '" + path + "': " + why);
  };
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    if (sys::fs::is_directory(status))
      return cannot("it is a directory");
    if (sys::fs::access(path, sys::fs::AccessMode::Write))
      return cannot("permission denied");
    return Error::success();
  }
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  if (sys::fs::status(folder, status))
    return cannot("no directory '" + folder + "'");
  if (!sys::fs::is_directory(status))
    return cannot("'" + folder + "' is not a directory");
  if (sys::fs::access(folder, sys::fs::AccessMode::Write))
    return cannot("permission denied in '" + folder + "'");
  return Error::success();
}

Error runProgram(const DriverEnv &env, const CommandStep &command,
                 bool verbose) {
  if (verbose) {
    env.err << " \"" << command.program << '"';
    for (const std::string &arg : command.args)
      env.err << " \"" << arg << '"';
    env.err << '\n';
  }
  std::vector<StringRef> argv = {command.program};
  argv.insert(argv.end(), command.args.begin(), command.args.end());
  std::string message;
  int status = executeAndWait(command.program, argv, {}, &message);
  if (status == 0)
    return Error::success();
  if (status < 0 || !message.empty())
    return createStringError("cannot run '" + command.program +
                             "': " + message);
  return createStringError("'" + sys::path::filename(command.program) +
                           "' failed with exit code " + Twine(status) +
                           " (use -v to see invocation)");
}

} // namespace xcc
