// Hooks in Clang that check the limits of time and memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileLimitHooks.h"
#include "support/CompileLimit.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

namespace xcc {
namespace {

class InFiles : public PPCallbacks {
public:
  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind,
                   FileID) override {
    CompileLimit::check();
  }
  void MacroExpands(const Token &, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    if (++macros % 256 == 0)
      CompileLimit::check();
  }

private:
  unsigned macros = 0;
};

class InPreprocessor : public DependencyCollector {
public:
  void attachToPreprocessor(Preprocessor &pp) override {
    pp.addPPCallbacks(std::make_unique<InFiles>());
    pp.setTokenWatcher([tokens = 0u](const Token &) mutable {
      if (++tokens % 256 == 0)
        CompileLimit::check();
    });
  }
  void attachToASTReader(ASTReader &) override {}
};

class InTemplates : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &) override {
    CompileLimit::check();
  }
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {}
};

} // namespace

void watchLimits(CompilerInstance &ci) {
  if (CompileLimit::isSet())
    ci.addDependencyCollector(std::make_shared<InPreprocessor>());
}

void watchLimits(Sema &sema) {
  if (CompileLimit::isSet())
    sema.TemplateInstCallbacks.push_back(std::make_unique<InTemplates>());
}

} // namespace xcc
