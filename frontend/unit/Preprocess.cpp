// The output of -E and -M for every pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dependencies.h"
#include "Invocations.h"
#include "cuda/RewrittenFiles.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace xcc {
namespace {

/// Preprocesses with one pass: its text to `out`, or none if `out` is null.
bool preprocess(std::shared_ptr<CompilerInvocation> invocation,
                const TranslationUnit &unit, llvm::raw_ostream *out,
                DiagnosticLog &log,
                std::shared_ptr<DependencyCollector> headers,
                std::function<void()> atHeader) {
  CompilerInstance ci(invocation, moduleFormats());
  ci.createVirtualFileSystem(sourceFiles(unit.cuda));
  ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  auto consumer = makeLoggingConsumer(log, invocation->getDiagnosticOpts());
  ci.createDiagnostics(consumer.get(), /*ShouldOwnClient=*/false);
  invocation->getFrontendOpts().OutputFile.clear();
  invocation->getFrontendOpts().ProgramAction =
      frontend::PrintPreprocessedInput;
  if (headers)
    ci.addDependencyCollector(headers);

  ci.addDependencyCollector(
      std::make_shared<HeaderTrigger>(std::move(atHeader)));

  class Action : public PreprocessorFrontendAction {
  public:
    explicit Action(llvm::raw_ostream *out) : out(out) {}
    void ExecuteAction() override {
      CompilerInstance &ci = getCompilerInstance();
      llvm::raw_null_ostream none;
      DoPrintPreprocessedInput(ci.getPreprocessor(), out ? out : &none,
                               ci.getPreprocessorOutputOpts());
    }
    bool hasPCHSupport() const override { return true; }

  private:
    llvm::raw_ostream *out;
  };
  Action action(out);
  return ci.ExecuteAction(action) && !log.hasErrors();
}

} // namespace

bool preprocessAll(const TranslationUnit &unit, llvm::raw_ostream &out,
                   DiagnosticLog &log) {
  std::shared_ptr<CompilerInvocation> host = hostInvocation(unit, log);
  if (!host)
    return false;
  // -M needs only the names of the headers.
  bool wantsText =
      host->getFrontendOpts().ProgramAction != frontend::RunPreprocessorOnly;
  const DependencyOutputOptions asked = host->getDependencyOutputOpts();
  std::shared_ptr<DependencyFile> dependencies;
  if (!asked.OutputFile.empty() && !asked.Targets.empty())
    dependencies = std::make_shared<DependencyFile>(asked);
  host->getDependencyOutputOpts().OutputFile.clear();

  std::string text;
  llvm::raw_string_ostream os(text);
  bool includesHeader = false;
  if (!preprocess(host, unit, wantsText ? &os : nullptr, log, dependencies,
                  [&] { includesHeader = true; }))
    return false;
  // If the file needs no device pass, the output is the same as Clang's.
  bool devices = (includesHeader || unit.exportsAll) && unit.devicePass &&
                 !unit.targets.empty();
  if (unit.hostPass) {
    if (devices && wantsText)
      out << PassMarker << "host>\"\n";
    out << text;
  }
  std::vector<std::string> more;
  if (devices)
    for (const Target *target : unit.targets) {
      if (wantsText)
        out << PassMarker << target->triple() << ">\"\n";
      DiagnosticLog deviceLog;
      deviceLog.sarif = log.sarif;
      auto headers =
          std::make_shared<DeviceHeaders>(asked.IncludeSystemHeaders);
      auto invocation = deviceInvocation(*host, unit, *target);
      bool ok = replacePCH(*invocation, deviceLog) &&
                preprocess(invocation, unit, wantsText ? &out : nullptr,
                           deviceLog, headers, nullptr);
      log.merge(deviceLog);
      log.serialize(host->getDiagnosticOpts().DiagnosticSerializationFile);
      if (!ok)
        return false;
      more.insert(more.end(), headers->getDependencies().begin(),
                  headers->getDependencies().end());
    }
  if (devices) {
    // Compiler caches read names of files from line markers, so they notice
    // changes of the other files on which a device pass depends.
    if (wantsText)
      for (const std::string &file : unit.extraDependencies)
        out << "# 1 \"" << clang::Lexer::Stringify(file) << "\"\n";
    more.insert(more.end(), unit.extraDependencies.begin(),
                unit.extraDependencies.end());
  }
  return !dependencies || dependencies->write(more, log);
}

} // namespace xcc
