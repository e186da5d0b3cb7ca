// CUDA's words in a file
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Keywords.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace xcc {
namespace {

class Keywords : public DependencyCollector {
public:
  void attachToPreprocessor(Preprocessor &pp) override {
    if (pp.getLangOpts().CPlusPlus)
      pp.getIdentifierTable().get("__noinline__", tok::kw___noinline__);
  }
  void attachToASTReader(ASTReader &) override {}
};

} // namespace

void addKeywords(CompilerInstance &ci) {
  ci.addDependencyCollector(std::make_shared<Keywords>());
}

bool hasWords(Preprocessor &pp) { return pp.isMacroDefined("XCC_CUDA_H"); }

} // namespace xcc
