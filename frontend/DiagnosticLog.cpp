//===-- DiagnosticLog.cpp - Diagnostics of several passes, each said once
//--===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DiagnosticLog.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace xcc {
namespace {

using Level = DiagnosticsEngine::Level;

class LoggingConsumer : public DiagnosticConsumer {
public:
  LoggingConsumer(DiagnosticLog &log, DiagnosticOptions &options)
      : log(log), stream(text), printer(stream, options) {
    stream.enable_colors(options.ShowColors);
  }
  void BeginSourceFile(const LangOptions &lang,
                       const Preprocessor *pp) override {
    printer.BeginSourceFile(lang, pp);
  }
  void EndSourceFile() override { printer.EndSourceFile(); }

  void HandleDiagnostic(Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    printer.HandleDiagnostic(level, info);
    // A note belongs to the diagnostic before it.
    if (level == Level::Note && !log.entries.empty())
      log.entries.back().text += text;
    else
      log.entries.push_back({level, text});
    text.clear();
  }

private:
  DiagnosticLog &log;
  std::string text;
  llvm::raw_string_ostream stream;
  TextDiagnosticPrinter printer;
};

} // namespace

bool DiagnosticLog::hasErrors() const {
  for (const Entry &entry : entries)
    if (entry.level >= Level::Error)
      return true;
  return false;
}

void DiagnosticLog::merge(const DiagnosticLog &other) {
  llvm::StringSet<> seen;
  for (const Entry &entry : entries)
    seen.insert(entry.text);
  for (const Entry &entry : other.entries)
    if (seen.insert(entry.text).second)
      entries.push_back(entry);
}

void DiagnosticLog::error(const llvm::Twine &text) {
  entries.push_back({Level::Error, ("xcc: error: " + text + "\n").str()});
}

void DiagnosticLog::print(llvm::raw_ostream &os, bool withSummary) const {
  unsigned warnings = 0, errors = 0;
  for (const Entry &entry : entries) {
    os << entry.text;
    warnings += entry.level == Level::Warning;
    errors += entry.level >= Level::Error;
  }
  if (!withSummary || !(warnings || errors))
    return;
  if (warnings)
    os << warnings << " warning" << (warnings == 1 ? "" : "s");
  if (warnings && errors)
    os << " and ";
  if (errors)
    os << errors << " error" << (errors == 1 ? "" : "s");
  os << " generated.\n";
}

std::unique_ptr<DiagnosticConsumer>
makeLoggingConsumer(DiagnosticLog &log, DiagnosticOptions &options) {
  return std::make_unique<LoggingConsumer>(log, options);
}

} // namespace xcc
