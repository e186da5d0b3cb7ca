// Symbols that are the same in every pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StableSymbols.h"
#include "kernels/walk/TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <memory>

using namespace clang;

namespace xcc {
namespace {

/// Hashes the place of a token to a number that is the same in every pass.
///
/// The hash combines line and column, the macros, and the #includes that lead
/// to the token, up to the file that holds `outer`. Lines are physical ones,
/// without #line. It leaves out includes from options or precompiled headers,
/// whose lines differ between passes. In preprocessed text, where each pass has
/// lines of its own, it uses the places that line markers give.
class PlaceHash {
public:
  PlaceHash(const SourceManager &sources, SourceLocation outer)
      : sources(sources), last(sources.getFileID(sources.getFileLoc(outer))),
        preprocessed(sources.getBufferData(sources.getMainFileID())
                         .starts_with("# 1 \"")) {
    if (preprocessed && outer.isValid())
      lastIncluded = sources.getPresumedLoc(outer).getIncludeLoc();
  }

  uint64_t of(SourceLocation at) {
    if (at.isInvalid())
      return 0;
    if (at.isMacroID()) {
      if (auto found = known.find(at.getRawEncoding()); found != known.end())
        return found->second;
      // Each use of a macro has its own expansion. For a token of a macro's
      // argument, the expansion is the parameter's place in the macro's body.
      uint64_t hash =
          combine(of(sources.getImmediateSpellingLoc(at)),
                  of(sources.getImmediateExpansionRange(at).getBegin()));
      known[at.getRawEncoding()] = hash;
      return hash;
    }
    // A token made by ## is in a scratch buffer, whose lines differ between
    // passes.
    if (sources.isWrittenInScratchSpace(at))
      return 1;
    if (preprocessed) {
      PresumedLoc place = sources.getPresumedLoc(at);
      if (place.isInvalid())
        return 0;
      uint64_t hash = combine(place.getLine(), place.getColumn());
      SourceLocation included = place.getIncludeLoc();
      return included.isInvalid() || included == lastIncluded
                 ? hash
                 : combine(hash, of(included));
    }
    auto [file, offset] = sources.getDecomposedLoc(at);
    uint64_t hash = combine(sources.getLineNumber(file, offset),
                            sources.getColumnNumber(file, offset));
    SourceLocation included = sources.getIncludeLoc(file);
    // A precompiled header counts as included at the main file's start.
    if (file == last || included.isInvalid() ||
        sources.isWrittenInBuiltinFile(included) ||
        (sources.isLoadedFileID(file) &&
         sources.isLocalSourceLocation(included)))
      return hash;
    return combine(hash, of(included));
  }

private:
  const SourceManager &sources;
  FileID last;
  bool preprocessed;
  SourceLocation lastIncluded;
  llvm::DenseMap<unsigned, uint64_t> known;

  static uint64_t combine(uint64_t a, uint64_t b) {
    uint64_t hash = 0xcbf29ce484222325;
    for (uint64_t word : {a, b})
      for (int i = 0; i < 8; ++i, word >>= 8)
        hash = (hash ^ (word & 0xff)) * 0x100000001b3;
    return hash;
  }
};

/// Collects the classes in an entry's template arguments that have no stable
/// linker name: unnamed ones, and those of functions. If they are internal,
/// Clang numbers them in the order in which it meets them.
class LocalTypes : public TreeVisitor {
public:
  explicit LocalTypes(ASTContext &context) : context(context) {}
  std::string places; ///< a number in hexadecimal for each

  void addArgs(llvm::ArrayRef<TemplateArgument> args) {
    for (const TemplateArgument &arg : args)
      if (arg.getKind() == TemplateArgument::Type)
        TraverseType(context.getCanonicalType(arg.getAsType()));
      else if (arg.getKind() == TemplateArgument::Declaration)
        add(arg.getAsDecl());
      else if (arg.getKind() == TemplateArgument::Pack)
        addArgs(arg.pack_elements());
  }
  bool VisitTagType(TagType *type) override {
    add(type->getDecl());
    return true;
  }

private:
  ASTContext &context;
  llvm::SmallPtrSet<const Decl *, 8> seen;

  void add(const NamedDecl *decl) {
    if (!seen.insert(decl->getCanonicalDecl()).second)
      return;
    if (const auto *function = dyn_cast<FunctionDecl>(decl)) {
      if (const auto *args = function->getTemplateSpecializationArgs())
        addArgs(args->asArray());
    } else if (const auto *tag = dyn_cast<TagDecl>(decl)) {
      if (const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(tag))
        addArgs(made->getTemplateArgs().asArray());
      const auto *record = dyn_cast<CXXRecordDecl>(tag);
      if ((tag->getParentFunctionOrMethod() || !tag->getIdentifier()) &&
          !(record && record->isLambda()))
        places += "_" + llvm::utohexstr(
                            PlaceHash(context.getSourceManager(), {})
                                .of(tag->getCanonicalDecl()->getLocation()),
                            /*LowerCase=*/true);
    }
    if (const auto *around = dyn_cast<NamedDecl>(decl->getDeclContext());
        around && !isa<NamespaceDecl>(around))
      add(around);
  }
};

/// Clang numbers closure types in an order that differs between the host pass
/// and device passes. Stable symbols use the lambda's place instead.
UnsignedOrNone lambdaNumber(ASTContext &context, const NamedDecl *decl) {
  const auto *record = dyn_cast<CXXRecordDecl>(decl);
  if (!record || !record->isLambda())
    return std::nullopt;
  // Within a function of a header, count only the place inside that header, so
  // that all files which include it agree.
  SourceLocation outer;
  if (const Decl *around = record->getLambdaContextDecl())
    outer = around->getLocation();
  else if (const auto *function = dyn_cast_or_null<FunctionDecl>(
               record->getParentFunctionOrMethod()))
    outer = function->getLocation();
  uint64_t hash =
      PlaceHash(context.getSourceManager(), outer).of(record->getLocation());
  // A pack expansion makes several closures of one lambda. Their order in the
  // function is the same in each pass and in each file.
  const DeclContext *within = record->getDeclContext();
  for (const Decl *other : within->isFunctionOrMethod()
                               ? within->decls()
                               : DeclContext::decl_range({}, {})) {
    if (other == record)
      break;
    const auto *before = dyn_cast<CXXRecordDecl>(other);
    if (before && before->isLambda() &&
        before->getLocation() == record->getLocation())
      hash = (hash + 1) * 0x9e3779b97f4a7c15u;
  }
  return unsigned((hash ^ hash >> 32) & 0x7fffffff) + 2;
}

} // namespace

std::string stableSymbol(ASTContext &context, const FunctionDecl *function,
                         llvm::StringRef unique) {
  std::unique_ptr<MangleContext> mangler(ItaniumMangleContext::create(
      context, context.getDiagnostics(), lambdaNumber));
  std::string symbol;
  llvm::raw_string_ostream os(symbol);
  mangler->mangleName(GlobalDecl(function), os);
  if (!function->isExternallyVisible()) {
    LocalTypes types(context);
    if (const auto *args = function->getTemplateSpecializationArgs())
      types.addArgs(args->asArray());
    os << "__" << unique << types.places;
  }
  return symbol;
}

} // namespace xcc
