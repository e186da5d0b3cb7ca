// A precompiled header in memory for sources that a program compiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Preamble.h"
#include "HostFormats.h"
#include "Invocations.h"
#include "KernelAction.h"
#include "RunTimeSource.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTWriter.h"

using namespace clang;

namespace xcc {
namespace {

/// Writes the header in the mode in which the text will be parsed, not the one
/// that consumers run in.
class Writer : public PCHGenerator {
public:
  Writer(CompilerInstance &ci, std::shared_ptr<PCHBuffer> buffer)
      : PCHGenerator(ci.getPreprocessor(), ci.getModuleCache(),
                     /*OutputFile=*/"", /*isysroot=*/"", std::move(buffer),
                     ci.getCodeGenOpts(), /*Extensions=*/{}),
        lang(ci.getLangOpts()), parsedFor(lang.SYCLIsDevice) {}
  void HandleTranslationUnit(ASTContext &context) override {
    lang.SYCLIsDevice = parsedFor;
    PCHGenerator::HandleTranslationUnit(context);
  }

private:
  LangOptions &lang;
  bool parsedFor;
};

/// Also sees the files that __has_include finds, which Clang does not store.
class Dependencies : public DependencyCollector {
public:
  std::string lines;

private:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(StringRef file, bool, bool isSystem, bool, bool) override {
    if (!file.starts_with("<"))
      lines += ((isSystem ? "S" : "U") + file + "\n").str();
    return false;
  }
};

class PreambleAction : public ASTFrontendAction {
public:
  std::shared_ptr<PCHBuffer> buffer = std::make_shared<PCHBuffer>();
  std::string names = "\n", faulty = "\n";
  uint64_t texts = 0;
  bool plain = false; ///< nothing in the headers needs preparation by a pass

protected:
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

  bool BeginInvocation(CompilerInstance &ci) override {
    if (ci.getTarget().getTriple().isGPU())
      keepHostFormats(ci);
    return ASTFrontendAction::BeginInvocation(ci);
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci,
                                                 StringRef) override {
    std::vector<std::unique_ptr<ASTConsumer>> ours, all;
    ours.push_back(std::make_unique<EndConsumer>(
        [this](Sema &sema, const SeenUnit &seen) { look(sema, seen); },
        [] { return true; }));
    if (!ci.getLangOpts().SYCLIsDevice) {
      all = std::move(ours);
    } else if (ci.getTarget().getTriple().isGPU()) {
      permitHostInstructions(ci.getTarget());
      all = std::move(ours);
    } else {
      all.push_back(std::make_unique<ModeForConsumers>(ci.getLangOpts(),
                                                       std::move(ours)));
    }
    all.push_back(std::make_unique<Writer>(ci, buffer));
    return std::make_unique<MultiplexConsumer>(std::move(all));
  }

private:
  /// Checks whether the headers suit. A precompiled header keeps neither what a
  /// pass rewrites or collects, nor Sema's deferred messages.
  void look(Sema &sema, const SeenUnit &seen) {
    llvm::SmallPtrSet<const void *, 16> visited;
    std::vector<KernelCall> calls;
    Prepared prepared;
    for (Decl *decl : seen.decls)
      collectCalls(sema, decl, visited, calls, prepared);
    plain = seen.calls.empty() && calls.empty() && prepared.hostCalls.empty() &&
            prepared.memberVisits.empty() &&
            exportedFunctions(seen.decls).empty() &&
            exportedVariables(seen.decls).empty();
    std::unique_ptr<MangleContext> mangler(sema.Context.createMangleContext());
    for (const auto &deferred : sema.DeviceDeferredDiags) {
      const FunctionDecl *function = deferred.first;
      if (function->isDependentContext())
        continue; // instances belong to the text
      if (isa<CXXConstructorDecl, CXXDestructorDecl>(function)) {
        plain = false;
        continue;
      }
      std::string name = function->getNameAsString();
      if (mangler->shouldMangleDeclName(function)) {
        name.clear();
        llvm::raw_string_ostream os(name);
        mangler->mangleName(GlobalDecl(function), os);
      }
      faulty += name + "\n";
    }
    const SourceManager &sources = sema.getSourceManager();
    const FileEntry *first = sources.getFileEntryForID(sources.getMainFileID());
    texts = textsOf(sources, [&](FileEntryRef file) { return file != first; });
    for (const auto &identifier : sema.getPreprocessor().getIdentifierTable()) {
      names += identifier.getKey();
      names += '\n';
    }
  }
};

} // namespace

bool hasNoneOf(llvm::StringRef faulty, const llvm::Module &module) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  faulty.split(names, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return llvm::none_of(
      names, [&](llvm::StringRef name) { return module.getFunction(name); });
}

bool makePreamble(const TranslationUnit &unit, const Target &target,
                  const CompilerInvocation &host, llvm::StringRef file,
                  Preamble &out) {
  return makePreamble(unit, &target, deviceInvocation(host, unit, target), file,
                      nullptr, out);
}

bool makePreamble(const TranslationUnit &unit, const Target *target,
                  std::shared_ptr<CompilerInvocation> invocation,
                  llvm::StringRef file,
                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                  Preamble &out) {
  FrontendOptions &frontend = invocation->getFrontendOpts();
  InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs.clear();
  frontend.Inputs.emplace_back(file, kind);
  frontend.ProgramAction = frontend::GeneratePCH;
  invocation->getCodeGenOpts().MainFileName = file.str();

  // Instantiate what the headers need once, not in each text.
  invocation->getLangOpts().PCHInstantiateTemplates = true;

  DiagnosticLog log;
  CompilerInstance ci(invocation, moduleFormats());
  std::unique_ptr<DiagnosticConsumer> consumer =
      makeLoggingConsumer(log, invocation->getDiagnosticOpts());
  if (target)
    prepareForDevice(ci, unit, *target, *consumer, std::move(files));
  else
    prepareForHost(ci, unit, *consumer, std::move(files));
  auto dependencies = std::make_shared<Dependencies>();
  ci.addDependencyCollector(dependencies);
  PreambleAction action;
  if (!ci.ExecuteAction(action) || !log.said.empty() || !action.plain ||
      !action.buffer->IsComplete)
    return false;
  out.parsed.assign(action.buffer->Data.begin(), action.buffer->Data.end());
  out.names = std::move(action.names);
  out.faulty = std::move(action.faulty);
  out.texts = action.texts;
  out.dependencies = std::move(dependencies->lines);
  return true;
}

} // namespace xcc
