// Source that a program compiles at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunTimeSource.h"
#include "kernels/check/Report.h"
#include "kernels/find/Symbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// The name of the file that messages give for an expression.
std::string placeOf(StringRef expression) {
  return ("kernel name '" + expression + "'").str();
}

/// The text as a string literal for #line.
std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    // #line ends with its line.
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "\"";
}

class Namer {
public:
  Namer(Sema &sema, RunTimeSource &source)
      : sema(sema), context(sema.Context), sources(context.getSourceManager()),
        mangler(ItaniumMangleContext::create(context, sema.getDiagnostics())),
        source(source) {}

  /// Collects definitions of the text that the host can name.
  void collect(Decl *decl) {
    if (auto *scope = dyn_cast<DeclContext>(decl);
        scope && (isa<NamespaceDecl>(decl) || isa<LinkageSpecDecl>(decl) ||
                  isa<ExportDecl>(decl))) {
      for (Decl *inner : scope->decls())
        collect(inner);
      return;
    }
    if (auto *function = dyn_cast<FunctionDecl>(decl)) {
      if (isKernel(function))
        functions.push_back(function);
    } else if (auto *variable = dyn_cast<VarDecl>(decl)) {
      if (isShown(variable))
        if (FunctionDecl *place = symbolPlace(
                sema, variable, variable->getType(), variable->getLocation()))
          functions.push_back(place);
    }
  }

  std::vector<FunctionDecl *> functions;

  void name(const FoundKernel &kernel) {
    if (!kernel.function)
      return;
    if (const VarDecl *variable = symbolOf(kernel.function)) {
      QualType type = variable->getType();
      source.variables.push_back(
          {variable->getQualifiedNameAsString(),
           type.getAsString(context.getPrintingPolicy()), kernel.info.symbol,
           typeOf(type),
           uint64_t(context.getTypeSizeInChars(type).getQuantity())});
      return;
    }
    NamedKernel named;
    named.symbol = kernel.info.symbol;
    for (const ParmVarDecl *param : kernel.function->parameters())
      named.types.push_back(typeOf(param->getType()));
    for (const KernelCall &call : kernel.calls) {
      StringRef file =
          sources.getPresumedLoc(call.call->getExprLoc()).getFilename();
      for (const std::string &expression : source.expressions)
        if (file == placeOf(expression))
          named.expressions.push_back(expression);
    }
    source.kernels.push_back(std::move(named));
  }

private:
  Sema &sema;
  ASTContext &context;
  SourceManager &sources;
  std::unique_ptr<ItaniumMangleContext> mangler;
  RunTimeSource &source;

  NamedType typeOf(QualType type) const {
    NamedType named;
    if (type->isReferenceType()) {
      named.kind = type->isLValueReferenceType() ? 'l' : 'r';
      type = context.getPointerType(type->getPointeeType());
    }
    llvm::raw_string_ostream os(named.mangled);
    mangler->mangleCanonicalTypeName(
        context.getCanonicalType(type).getUnqualifiedType(), os);
    StringRef whole = named.mangled;
    if (whole.consume_front("_ZTS"))
      named.mangled = whole.str();
    return named;
  }

  bool isInText(const Decl *decl) const {
    return sources.isInMainFile(sources.getExpansionLoc(decl->getLocation()));
  }

  /// Whether a launch can pass an argument for the parameter by its type alone.
  bool canBePassed(QualType type) const {
    if (type->isLValueReferenceType())
      return !type->getPointeeType()->isFunctionType();
    if (type->isReferenceType() || type->isFunctionPointerType())
      return false;
    return type->isScalarType() || type.isTriviallyCopyableType(context);
  }

  bool isKernel(const FunctionDecl *function) const {
    return function->isThisDeclarationADefinition() && isInText(function) &&
           !isa<CXXMethodDecl>(function) && !function->isTemplated() &&
           !function->isTemplateInstantiation() && !function->isVariadic() &&
           !function->isInlined() && !function->isDeleted() &&
           !function->isMain() && !function->isInvalidDecl() &&
           function->isExternallyVisible() &&
           function->getReturnType()->isVoidType() &&
           llvm::all_of(function->parameters(), [&](const ParmVarDecl *param) {
             return canBePassed(param->getType());
           });
  }

  bool isShown(const VarDecl *variable) const {
    return variable->isThisDeclarationADefinition() == VarDecl::Definition &&
           isInText(variable) && variable->hasGlobalStorage() &&
           variable->isFileVarDecl() && variable->isExternallyVisible() &&
           !variable->isTemplated() && !variable->isInvalidDecl() &&
           !variable->isStaticDataMember() &&
           variable->getTLSKind() == VarDecl::TLS_None &&
           !variable->getType()->isReferenceType();
  }
};

} // namespace

std::string wholeText(StringRef name, StringRef text,
                      llvm::ArrayRef<std::string> expressions) {
  std::string whole = "#line 1 " + quoted(name) + "\n";
  // The text is no longer at a file's beginning.
  text.consume_front("\xEF\xBB\xBF");
  whole += text;
  for (const auto &[number, expression] : llvm::enumerate(expressions))
    whole += "\n#line 1 " + quoted(placeOf(expression)) +
             "\n[[maybe_unused]] static void __xcc_named_" +
             std::to_string(number) + "() { (void)xcc::kernel_info_for(" +
             expression + "); }";
  return whole + "\n";
}

std::vector<FoundKernel> findSourceKernels(Sema &sema, const SeenUnit &seen,
                                           const Warnings &warnings,
                                           StringRef unique,
                                           RunTimeSource &source) {
  Namer namer(sema, source);
  if (!sema.getDiagnostics().hasErrorOccurred())
    for (Decl *decl : seen.decls)
      namer.collect(decl);
  std::vector<FoundKernel> found =
      findKernels(sema, seen.calls, seen.pointers, /*roots=*/{},
                  LaunchDiagnostics::Errors, warnings, unique, namer.functions);
  for (const FoundKernel &kernel : found)
    namer.name(kernel);
  return found;
}

} // namespace xcc
