// Diagnostics of several passes, each said once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of a translation unit meets the same warnings. Each pass renders
// its diagnostics into a log of its own; logs are joined by text.

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
  /// A diagnostic or a note, for who shows them otherwise.
  struct Said {
    clang::DiagnosticsEngine::Level level;
    std::string file; ///< empty: of no place
    unsigned line = 0, column = 0;
    std::string message;
    unsigned id = 0; ///< Clang's, if it is one of its own
  };
  /// A diagnostic with its notes, as Clang prints it.
  struct Entry {
    clang::DiagnosticsEngine::Level level;
    std::string text;
    bool inDocument = false; ///< printed there
    bool serialized = false; ///< in the file of --serialize-diagnostics
    std::vector<Said> parts = {};
  };
  std::vector<Entry> entries;
  /// All of them, notes too.
  std::vector<Said> said;
  /// -fdiagnostics-format=sarif: what has a place in a source stands in a
  /// document for each pass, which are printed as one.
  bool sarif = false;
  std::vector<std::string> documents;

  bool hasErrors() const;
  /// Appends what is not already here.
  void merge(const DiagnosticLog &other);
  /// Prints all, then Clang's "2 warnings and 1 error generated." if asked.
  void print(llvm::raw_ostream &os, bool withSummary) const;
  /// Adds to the file of --serialize-diagnostics, where Clang has written what
  /// the host pass said, what it lacks.
  void serialize(llvm::StringRef file);
  /// Adds "xcc: error: text".
  void error(const llvm::Twine &text);
  /// Adds "file:line:column: error: text".
  void error(const std::string &file, unsigned line, unsigned column,
             const llvm::Twine &text);

private:
  void printDocuments(llvm::raw_ostream &os) const;
};

/// A consumer that renders into `log` with Clang's own printers. The options
/// and the log must outlive it. Used by one thread. It takes SARIF out of the
/// options: Clang would look for a printer of its own class.
std::unique_ptr<clang::DiagnosticConsumer>
makeLoggingConsumer(DiagnosticLog &log, clang::DiagnosticOptions &options);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DIAGNOSTICLOG_H
