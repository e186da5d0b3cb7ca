// Number formats and alignments of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostFormats.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/APFloat.h"

namespace xcc {
namespace {

/// Gives access to protected members, which only targets can set.
struct Formats : clang::TargetInfo {
  static constexpr auto Quad = &Formats::Float128Format;
  static constexpr auto Suitable = &Formats::SuitableAlign;
  static constexpr auto New = &Formats::NewAlign;
  static constexpr auto Attribute = &Formats::DefaultAlignForAttributeAligned;
  static constexpr auto Atomic = &Formats::MaxAtomicPromoteWidth;
};

} // namespace

void keepHostFormats(clang::CompilerInstance &ci) {
  clang::TargetInfo &machine = ci.getTarget();
  const clang::TargetInfo *host = ci.getAuxTarget();
  machine.*Formats::Quad = &llvm::APFloat::IEEEquad();
  if (!host)
    return;
  machine.*Formats::Suitable = host->*Formats::Suitable;
  machine.*Formats::New = host->*Formats::New;
  machine.*Formats::Attribute = host->*Formats::Attribute;
  machine.*Formats::Atomic = host->*Formats::Atomic;
  auto [destructive, constructive] = host->hardwareInterferenceSizes();
  auto define = [&](llvm::StringRef macro, unsigned value) {
    clang::PreprocessorOptions &options = ci.getPreprocessorOpts();
    auto isIt = [&](const auto &given) {
      return llvm::StringRef(given.first).split('=').first == macro;
    };
    if (llvm::any_of(options.Macros, isIt))
      return; // defined by the user, for the host too
    options.addMacroUndef(macro);
    options.addMacroDef((macro + "=" + llvm::Twine(value)).str());
  };
  define("__GCC_DESTRUCTIVE_SIZE", destructive);
  define("__GCC_CONSTRUCTIVE_SIZE", constructive);
}

void keepHostAlignment(clang::ASTContext &context, clang::TagDecl *tag) {
  const clang::TargetInfo *host = context.getAuxTargetInfo();
  auto *record = llvm::dyn_cast<clang::RecordDecl>(tag);
  if (!host || !record || record->getIdentifier())
    return;
  for (clang::FieldDecl *field : record->fields())
    if (field->getIdentifier() &&
        field->getName() == "__clang_max_align_nonce2")
      field->addAttr(clang::AlignedAttr::CreateImplicit(
          context, /*IsAlignmentExpr=*/true,
          clang::IntegerLiteral::Create(
              context,
              llvm::APInt(32,
                          host->getLongDoubleAlign() / host->getCharWidth()),
              context.UnsignedIntTy, field->getLocation()),
          field->getSourceRange()));
}

} // namespace xcc
