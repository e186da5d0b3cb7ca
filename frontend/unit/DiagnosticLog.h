// Merges the diagnostics of several passes, each printed once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of a translation unit produces the same warnings. Each pass
// renders its diagnostics into its own log. Logs are merged by comparing the
// text.

#ifndef XCC_FRONTEND_UNIT_DIAGNOSTICLOG_H
#define XCC_FRONTEND_UNIT_DIAGNOSTICLOG_H

#include "clang/Basic/Diagnostic.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class DiagnosticOptions;
class LangOptions;
} // namespace clang

namespace xcc {

class DiagnosticLog {
public:
  /// A diagnostic or note as data, for programs that display it themselves.
  struct Reported {
    clang::DiagnosticsEngine::Level level;
    std::string file; ///< empty if it has no place
    unsigned line = 0, column = 0;
    std::string message;
    unsigned id = 0; ///< Clang's number; 0 for xcc's own
  };
  /// A diagnostic with its notes, as Clang prints it.
  struct Entry {
    clang::DiagnosticsEngine::Level level;
    std::string text;
    bool inDocument = false; ///< printed in the SARIF document
    bool serialized = false; ///< written to the file of --serialize-diagnostics
    std::vector<Reported> parts = {};
  };
  std::vector<Entry> entries;
  /// All diagnostics and notes.
  std::vector<Reported> said;
  /// -fdiagnostics-format=sarif: diagnostics with a place are in a document for
  /// each pass. The documents are printed as one.
  bool sarif = false;
  std::vector<std::string> documents;

  bool hasErrors() const;
  /// Appends the entries that this log does not contain.
  void merge(const DiagnosticLog &other);
  /// Prints all entries, then Clang's "2 warnings and 1 error generated." if
  /// requested.
  void print(llvm::raw_ostream &os, bool withSummary) const;
  /// Adds missing entries to the file of --serialize-diagnostics, into which
  /// Clang has written those of the host pass.
  void serialize(llvm::StringRef file);
  /// Adds "xcc: error: text".
  void error(const llvm::Twine &text);
  /// Adds "file:line:column: error: text".
  void error(const std::string &file, unsigned line, unsigned column,
             const llvm::Twine &text);

private:
  void printDocuments(llvm::raw_ostream &os) const;
};

/// Makes a consumer that renders into `log` with Clang's own printers. Options
/// and log must outlive it. For one thread. Removes SARIF from the options,
/// because Clang would expect a printer of its own class.
std::unique_ptr<clang::DiagnosticConsumer>
makeLoggingConsumer(DiagnosticLog &log, clang::DiagnosticOptions &options);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DIAGNOSTICLOG_H
