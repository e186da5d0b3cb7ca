// What every job needs: messages, files, programs
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

/// Whether a line says itself that it is an error or a note, and where.
static bool isDiagnostic(StringRef line) {
  static const Regex form(":[0-9]+:[0-9]+: (error|note): |^In file included ");
  return form.match(line);
}

void printError(const Twine &text) {
  std::string all = text.str();
  StringRef rest = StringRef(all).rtrim();
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    bool continues = line.starts_with(">>>") || line.starts_with(" ") ||
                     line.starts_with("note:") || line.empty() ||
                     isDiagnostic(line);
    errs() << (continues ? "" : "xcc: error: ") << line << '\n';
  }
}

bool warn(const Twine &text, const Options &options) {
  if (options.noWarnings)
    return true;
  if (options.warningsAreErrors) {
    printError(text + " [-Werror]");
    return false;
  }
  errs() << "xcc: warning: " << text << '\n';
  return true;
}

bool writeOutput(StringRef path, StringRef bytes) {
  Error error = writeFile(path, [&](raw_ostream &os) { os << bytes; });
  if (!error)
    return true;
  printError("cannot write " +
             (path == "-" ? "to standard output" : "'" + path.str() + "'") +
             ": " + toString(std::move(error)));
  return false;
}

bool checkOutput(StringRef path) {
  if (path.empty() || path == "-")
    return true;
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    if (sys::fs::is_directory(status)) {
      printError("cannot write '" + path + "': it is a directory");
      return false;
    }
    if (sys::fs::access(path, sys::fs::AccessMode::Write)) {
      printError("cannot write '" + path + "': permission denied");
      return false;
    }
    return true;
  }
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  if (auto error = sys::fs::status(folder, status)) {
    printError("cannot write '" + path + "': no directory '" + folder + "'");
    return false;
  }
  if (!sys::fs::is_directory(status)) {
    printError("cannot write '" + path + "': '" + folder +
               "' is not a directory");
    return false;
  }
  if (sys::fs::access(folder, sys::fs::AccessMode::Write)) {
    printError("cannot write '" + path + "': permission denied in '" + folder +
               "'");
    return false;
  }
  return true;
}

bool runProgram(const CommandStep &command, bool verbose) {
  if (verbose) {
    errs() << " \"" << command.program << '"';
    for (const std::string &arg : command.args)
      errs() << " \"" << arg << '"';
    errs() << '\n';
  }
  std::vector<StringRef> argv = {command.program};
  argv.insert(argv.end(), command.args.begin(), command.args.end());
  std::string message;
  int status = executeAndWait(command.program, argv, {}, &message);
  if (status == 0)
    return true;
  if (status < 0 || !message.empty())
    printError("cannot run '" + command.program + "': " + message);
  else
    printError("'" + sys::path::filename(command.program) +
               "' failed with exit code " + Twine(status) +
               " (use -v to see invocation)");
  return false;
}

} // namespace xcc
