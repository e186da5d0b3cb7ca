// The text of a call's arguments in the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WrittenNames.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace xcc {
namespace {

/// The x in xcc::in(x) and the like; else `arg` itself.
const Expr *stated(const Expr *arg) {
  const auto *call = dyn_cast<CallExpr>(arg->IgnoreImplicit());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && call->getNumArgs() == 1 &&
                 isAnnotated(callee, annotation::StatesDirections)
             ? call->getArg(0)
             : arg;
}

/// An expression as it is written, on one line.
std::string textOf(const ASTContext &context, const Expr *arg) {
  const SourceManager &sources = context.getSourceManager();
  CharSourceRange range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(arg->getSourceRange()), sources,
      context.getLangOpts());
  std::string written =
      Lexer::getSourceText(range, sources, context.getLangOpts()).str();
  if (written.empty()) {
    llvm::raw_string_ostream out(written);
    arg->IgnoreImplicit()->printPretty(out, nullptr,
                                       context.getPrintingPolicy());
  }
  std::string text;
  for (char c : written)
    if (!isWhitespace(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  return text;
}

template <class Call>
void write(const ASTContext &context, Call *call, const FunctionDecl *callee,
           std::vector<NamedArgument> &named) {
  unsigned last = call->getNumArgs() - 1;
  if (!call->getNumArgs() || !callee || callee->getNumParams() != last + 1 ||
      !isa<CXXDefaultArgExpr>(call->getArg(last)) ||
      !isAnnotated(callee->getParamDecl(last), annotation::WrittenNames))
    return;
  std::string names;
  for (const Expr *arg : call->arguments()) {
    if (isa<CXXDefaultArgExpr>(arg))
      break;
    const Expr *object = stated(arg);
    named.push_back({textOf(context, object), object});
    names += named.back().name;
    names += '\0';
  }
  SourceLocation at = call->getExprLoc();
  QualType type =
      context.getStringLiteralArrayType(context.CharTy, unsigned(names.size()));
  Expr *text = StringLiteral::Create(
      context, names, StringLiteralKind::Ordinary, /*Pascal=*/false, type, at);
  text = ImplicitCastExpr::Create(context, context.getArrayDecayedType(type),
                                  CK_ArrayToPointerDecay, text, nullptr,
                                  VK_PRValue, FPOptionsOverride());
  text = ImplicitCastExpr::Create(
      context, callee->getParamDecl(last)->getType().getUnqualifiedType(),
      CK_BitCast, text, nullptr, VK_PRValue, FPOptionsOverride());
  call->setArg(last, text);
}

} // namespace

void writeNames(const ASTContext &context, CallExpr *call,
                std::vector<NamedArgument> &named) {
  write(context, call, call->getDirectCallee(), named);
}

void writeNames(const ASTContext &context, CXXConstructExpr *call,
                std::vector<NamedArgument> &named) {
  write(context, call, call->getConstructor(), named);
}

} // namespace xcc
