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

std::vector<DeclContext *> xccNamespace(ASTContext &context) {
  auto found = membersNamed({context.getTranslationUnitDecl()}, "xcc");
  return {found.begin(), found.end()};
}

std::vector<FunctionTemplateDecl *> templatesNamed(ASTContext &context,
                                                   llvm::StringRef name,
                                                   llvm::StringRef space) {
  std::vector<DeclContext *> spaces = xccNamespace(context);
  if (!space.empty()) {
    auto inner = membersNamed(spaces, space);
    spaces.assign(inner.begin(), inner.end());
  }
  return membersNamed<FunctionTemplateDecl>(spaces, name);
}

QualType completeSpecialization(Sema &sema, ClassTemplateDecl *tmpl,
                                QualType type, SourceLocation at) {
  TemplateArgumentListInfo args(at, at);
  args.addArgument(TemplateArgumentLoc(
      TemplateArgument(type), sema.Context.getTrivialTypeSourceInfo(type, at)));
  QualType made = sema.CheckTemplateIdType(
      ElaboratedTypeKeyword::None, TemplateName(tmpl), at, args,
      /*Scope=*/nullptr, /*ForNestedNameSpecifier=*/false);
  return !made.isNull() && sema.isCompleteType(at, made) ? made : QualType();
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
