// Templates and annotations that xcc's headers declare for the compiler
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeaderTemplates.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {

bool isAnnotated(const Decl *decl, llvm::StringRef text) {
  for (const auto *attr : decl->specific_attrs<AnnotateAttr>())
    if (attr->getAnnotation() == text)
      return true;
  return false;
}

/// The namespaces called `name` in those given.
static std::vector<NamespaceDecl *>
namespacesNamed(ASTContext &context, llvm::ArrayRef<DeclContext *> in,
                llvm::StringRef name) {
  std::vector<NamespaceDecl *> found;
  for (DeclContext *outer : in)
    for (NamedDecl *member : outer->lookup(&context.Idents.get(name)))
      if (auto *space = dyn_cast<NamespaceDecl>(member))
        found.push_back(space);
  return found;
}

std::vector<FunctionTemplateDecl *> templatesNamed(ASTContext &context,
                                                   llvm::StringRef name,
                                                   llvm::StringRef space) {
  std::vector<FunctionTemplateDecl *> found;
  std::vector<NamespaceDecl *> spaces =
      namespacesNamed(context, {context.getTranslationUnitDecl()}, "xcc");
  if (!space.empty())
    spaces = namespacesNamed(
        context, std::vector<DeclContext *>(spaces.begin(), spaces.end()),
        space);
  for (NamespaceDecl *each : spaces)
    for (NamedDecl *member : each->lookup(&context.Idents.get(name)))
      if (auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
        found.push_back(tmpl);
  return found;
}

Expr *nameOf(ASTContext &context, FunctionDecl *fn, SourceLocation at) {
  Expr *name = DeclRefExpr::Create(context, NestedNameSpecifierLoc(),
                                   SourceLocation(), fn,
                                   /*RefersToEnclosingVariableOrCapture=*/false,
                                   at, fn->getType(), VK_LValue);
  return ImplicitCastExpr::Create(
      context, context.getPointerType(fn->getType()), CK_FunctionToPointerDecay,
      name, nullptr, VK_PRValue, FPOptionsOverride());
}

FunctionTemplateDecl *entryTemplate(ASTContext &context, llvm::StringRef name) {
  for (FunctionTemplateDecl *tmpl : templatesNamed(context, name))
    if (isAnnotated(tmpl->getTemplatedDecl(), annotation::Entry))
      return tmpl;
  return nullptr;
}

FunctionDecl *functionEntry(Sema &sema, FunctionDecl *fn, SourceLocation at) {
  FunctionTemplateDecl *tmpl = entryTemplate(sema.Context, "function_kernel");
  if (!tmpl)
    return nullptr;
  TemplateArgument arg(fn, sema.Context.getPointerType(fn->getType()));
  return sema.InstantiateFunctionDeclaration(
      tmpl, TemplateArgumentList::CreateCopy(sema.Context, arg), at);
}

static bool isInStandardAlgorithms(const CXXRecordDecl *record) {
  const auto *space =
      dyn_cast<NamespaceDecl>(record->getEnclosingNamespaceContext());
  const auto *outer =
      space ? dyn_cast<NamespaceDecl>(space->getParent()) : nullptr;
  return outer && space->getName() == "stdpar" && outer->getName() == "xcc" &&
         outer->getParent()->isTranslationUnit();
}

bool isOfStandardAlgorithm(const CXXRecordDecl *record) {
  if (!record || !record->hasDefinition())
    return false;
  if (isInStandardAlgorithms(record))
    return true;
  record = record->getDefinition();
  return llvm::any_of(record->fields(),
                      [](const FieldDecl *field) {
                        return isOfStandardAlgorithm(
                            field->getType()->getAsCXXRecordDecl());
                      }) ||
         llvm::any_of(record->bases(), [](const CXXBaseSpecifier &base) {
           return isOfStandardAlgorithm(base.getType()->getAsCXXRecordDecl());
         });
}

ClassTemplateSpecializationDecl *question(TagDecl *decl,
                                          llvm::StringRef annotation) {
  auto *made = dyn_cast<ClassTemplateSpecializationDecl>(decl);
  return made && isAnnotated(made->getSpecializedTemplate()->getTemplatedDecl(),
                             annotation)
             ? made
             : nullptr;
}

void answer(ASTContext &context, ClassTemplateSpecializationDecl *question,
            llvm::StringRef asked, bool value) {
  for (Decl *member : question->decls())
    if (auto *answers = dyn_cast<EnumDecl>(member))
      for (EnumConstantDecl *constant : answers->enumerators())
        if (constant->getName() == asked) {
          constant->setInitVal(context,
                               llvm::APSInt(llvm::APInt(1, value), true));
          constant->setInitExpr(nullptr);
        }
}

void answer(ASTContext &context, ClassTemplateSpecializationDecl *question,
            QualType type) {
  for (Decl *member : question->decls())
    if (auto *alias = dyn_cast<TypedefNameDecl>(member))
      alias->setTypeSourceInfo(context.getTrivialTypeSourceInfo(
          type, question->getPointOfInstantiation()));
}

} // namespace xcc
