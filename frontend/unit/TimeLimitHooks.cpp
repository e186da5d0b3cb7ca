// Has Clang ask whether its time is over
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeLimitHooks.h"
#include "support/TimeLimit.h"
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
    TimeLimit::check();
  }
  void MacroExpands(const Token &, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    if (++macros % 256 == 0)
      TimeLimit::check();
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
        TimeLimit::check();
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
    TimeLimit::check();
  }
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {}
};

} // namespace

void watchTime(CompilerInstance &ci) {
  if (TimeLimit::isSet())
    ci.addDependencyCollector(std::make_shared<InPreprocessor>());
}

void watchTime(Sema &sema) {
  if (TimeLimit::isSet())
    sema.TemplateInstCallbacks.push_back(std::make_unique<InTemplates>());
}

} // namespace xcc
