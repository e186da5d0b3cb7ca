// Merges the diagnostics of several passes, each printed once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DiagnosticLog.h"
#include "Hints.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/Sarif.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/SARIFDiagnostic.h"
#include "clang/Frontend/SARIFDiagnosticPrinter.h"
#include "clang/Frontend/SerializedDiagnosticPrinter.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>
#include <set>

using namespace clang;

namespace xcc {
namespace {

using Level = DiagnosticsEngine::Level;

class LoggingConsumer : public DiagnosticConsumer {
public:
  LoggingConsumer(DiagnosticLog &log, DiagnosticOptions &options)
      : log(log), stream(text), documentStream(document), options(options),
        printer(stream, options),
        serialized(!options.DiagnosticSerializationFile.empty()) {
    stream.enable_colors(options.ShowColors);
  }
  void BeginSourceFile(const LangOptions &lang,
                       const Preprocessor *pp) override {
    printer.BeginSourceFile(lang, pp);
    if (!log.sarif || !pp)
      return;
    sarif = std::make_unique<SARIFDiagnosticPrinter>(documentStream, options);
    sarif->setSarifWriter(
        std::make_unique<SarifDocumentWriter>(pp->getSourceManager()));
    sarif->BeginSourceFile(lang, pp);
  }
  void EndSourceFile() override {
    printer.EndSourceFile();
    if (!sarif)
      return;
    sarif->EndSourceFile();
    sarif.reset();
    log.documents.push_back(std::move(document));
    document.clear();
  }

  void HandleDiagnostic(Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    handle(level, info);
    if (level < Level::Error)
      return;
    std::string hint = hintFor(info);
    if (hint.empty() || !hints.insert(hint).second)
      return;
    DiagnosticStorage storage;
    handle(Level::Note, Diagnostic(info.getDiags(), info.getLocation(),
                                   diag::note_declared_at, storage, hint));
  }

private:
  void handle(Level level, const Diagnostic &info) {
    printer.HandleDiagnostic(level, info);
    DiagnosticLog::Reported said = describe(level, info);
    log.said.push_back(said);
    bool inDocument = sarif && info.getLocation().isValid();
    if (inDocument)
      sarif->HandleDiagnostic(level, info);
    // A note belongs to the diagnostic before it.
    if (level == Level::Note && !log.entries.empty()) {
      log.entries.back().text += text;
      log.entries.back().parts.push_back(std::move(said));
    } else {
      log.entries.push_back(
          {level, text, inDocument, serialized, {std::move(said)}});
    }
    text.clear();
  }

  DiagnosticLog::Reported describe(Level level, const Diagnostic &info) {
    DiagnosticLog::Reported said{level, {}, 0, 0, {}};
    SmallString<256> message;
    info.FormatDiagnostic(message);
    said.message = message.str();
    if (!DiagnosticIDs::IsCustomDiag(info.getID()))
      said.id = info.getID();
    if (info.getLocation().isValid() && info.hasSourceManager()) {
      const SourceManager &sources = info.getSourceManager();
      PresumedLoc place =
          sources.getPresumedLoc(sources.getExpansionLoc(info.getLocation()));
      if (place.isValid()) {
        said.file = place.getFilename();
        said.line = place.getLine();
        said.column = place.getColumn();
      }
    }
    return said;
  }

  DiagnosticLog &log;
  llvm::StringSet<> hints; ///< printed already
  std::string text, document;
  llvm::raw_string_ostream stream, documentStream;
  DiagnosticOptions &options;
  TextDiagnosticPrinter printer;
  bool serialized; ///< Clang's own consumer writes it to the file
  std::unique_ptr<SARIFDiagnosticPrinter> sarif;
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
  documents.insert(documents.end(), other.documents.begin(),
                   other.documents.end());
}

/// Prints one document with the runs of all passes, without repeated results.
void DiagnosticLog::printDocuments(llvm::raw_ostream &os) const {
  using json = nlohmann::ordered_json;
  json whole;
  std::set<std::string> seen;
  for (const std::string &text : documents) {
    json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object() || !document["runs"].is_array())
      continue;
    json runs = json::array();
    for (json &run : document["runs"]) {
      json results = json::array();
      for (json &result : run["results"])
        if (seen.insert(result["message"].dump() + result["locations"].dump())
                .second)
          results.push_back(result);
      if (results.empty() && !whole.is_null())
        continue;
      run["results"] = results;
      runs.push_back(run);
    }
    if (whole.is_null()) {
      whole = document;
      whole["runs"] = runs;
    } else {
      for (json &run : runs)
        whole["runs"].push_back(run);
    }
  }
  if (!whole.is_null())
    os << "\n"
       << whole.dump(2, ' ', false, json::error_handler_t::replace) << "\n\n";
}

void DiagnosticLog::serialize(llvm::StringRef file) {
  if (file.empty() || llvm::all_of(entries, [](const Entry &entry) {
        return entry.serialized;
      }))
    return;
  if (llvm::sys::fs::exists(file) && !llvm::sys::fs::is_regular_file(file))
    return; // such a file cannot be read again
  DiagnosticOptions options;
  // The writer removes an existing file when it starts, and merges with one
  // that exists when it ends.
  auto before = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  std::unique_ptr<DiagnosticConsumer> writer =
      serialized_diags::create(file, options, /*MergeChildRecords=*/true);
  if (before) {
    std::error_code failed;
    llvm::raw_fd_ostream copy(file, failed);
    copy << (*before)->getBuffer();
    copy.close();
    copy.clear_error(); // the writer reports it
  }
  DiagnosticsEngine diags(DiagnosticIDs::create(), options, writer.get(),
                          /*ShouldOwnClient=*/false);
  FileManager files{FileSystemOptions()};
  SourceManager sources(diags, files);
  writer->BeginSourceFile(LangOptions(), nullptr);
  for (Entry &entry : entries) {
    if (std::exchange(entry.serialized, true))
      continue;
    for (const Reported &part : entry.parts) {
      SourceLocation at;
      if (auto source = files.getOptionalFileRef(part.file);
          source && !part.file.empty())
        at = sources.translateLineCol(
            sources.getOrCreateFileID(*source, SrcMgr::C_User), part.line,
            part.column);
      std::string text = part.message;
      if (at.isInvalid() && !part.file.empty())
        text = part.file + ":" + std::to_string(part.line) + ":" +
               std::to_string(part.column) + ": " + text;
      unsigned id =
          part.id ? part.id
                  : diags.getDiagnosticIDs()->getCustomDiagID(
                        static_cast<DiagnosticIDs::Level>(part.level), "%0");
      diags.Report(StoredDiagnostic(part.level, id, text,
                                    FullSourceLoc(at, sources), {}, {}));
    }
  }
  writer->EndSourceFile();
  writer->finish();
}

void DiagnosticLog::error(const llvm::Twine &text) {
  said.push_back({Level::Error, {}, 0, 0, text.str()});
  entries.push_back({Level::Error,
                     ("xcc: error: " + text + "\n").str(),
                     /*inDocument=*/false,
                     /*serialized=*/false,
                     {said.back()}});
}

void DiagnosticLog::error(const std::string &file, unsigned line,
                          unsigned column, const llvm::Twine &text) {
  said.push_back({Level::Error, file, line, column, text.str()});
  entries.push_back({Level::Error,
                     (file + ":" + llvm::Twine(line) + ":" +
                      llvm::Twine(column) + ": error: " + text + "\n")
                         .str(),
                     /*inDocument=*/false,
                     /*serialized=*/false,
                     {said.back()}});
}

void DiagnosticLog::print(llvm::raw_ostream &os, bool withSummary) const {
  unsigned warnings = 0, errors = 0;
  for (const Entry &entry : entries) {
    if (!entry.inDocument)
      os << entry.text;
    warnings += entry.level == Level::Warning;
    errors += entry.level >= Level::Error;
  }
  printDocuments(os);
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
  if (options.getFormat() == DiagnosticOptions::SARIF) {
    log.sarif = true;
    options.setFormat(DiagnosticOptions::Clang);
  }
  return std::make_unique<LoggingConsumer>(log, options);
}

} // namespace xcc
