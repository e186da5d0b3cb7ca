// No contraction in Clang's headers of x86 intrinsics in a device pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IntrinsicsHeaders.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace xcc {
namespace {

class Rounding : public PPCallbacks {
public:
  Rounding(CompilerInstance &ci, Preprocessor &pp)
      : ci(ci), sources(pp.getSourceManager()),
        folder(ci.getHeaderSearchOpts().ResourceDir) {
    llvm::sys::path::append(folder, "include");
  }

  void FileChanged(SourceLocation at, FileChangeReason reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (!ci.hasSema())
      return;
    Sema &sema = ci.getSema();
    if (reason == EnterFile) {
      if (depth || isOurs(at)) {
        if (!depth++) {
          features = sema.CurFPFeatures;
          overrides = sema.FpPragmaStack.CurrentValue;
          sema.ActOnPragmaFPContract(at, LangOptions::FPM_Off);
        }
      }
    } else if (reason == ExitFile && depth && !--depth) {
      sema.CurFPFeatures = features;
      sema.FpPragmaStack.CurrentValue = overrides;
    }
  }

  /// The parser reads a header's first token before it leaves the function in
  /// front of it, and then restores that function's rounding. Every function of
  /// these headers expands a macro for its attributes before its body, so
  /// contraction is switched off again here.
  void MacroExpands(const Token &name, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    if (depth && ci.hasSema() &&
        ci.getSema().CurFPFeatures.getFPContractMode() != LangOptions::FPM_Off)
      ci.getSema().ActOnPragmaFPContract(name.getLocation(),
                                         LangOptions::FPM_Off);
  }

private:
  CompilerInstance &ci;
  const SourceManager &sources;
  llvm::SmallString<128> folder;
  unsigned depth = 0; ///< files, from the first of these headers on
  FPOptions features;
  FPOptionsOverride overrides;

  bool isOurs(SourceLocation at) const {
    llvm::StringRef name = sources.getFilename(at);
    return name.ends_with("intrin.h") &&
           llvm::sys::path::parent_path(name) == folder;
  }
};

} // namespace

void IntrinsicsHeaders::attachToPreprocessor(Preprocessor &pp) {
  pp.addPPCallbacks(std::make_unique<Rounding>(ci, pp));
}

} // namespace xcc
