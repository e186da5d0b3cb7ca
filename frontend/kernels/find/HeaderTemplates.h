// Templates and annotations that xcc's headers declare for the compiler
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_HEADERTEMPLATES_H
#define XCC_FRONTEND_KERNELS_FIND_HEADERTEMPLATES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class Sema;
}

namespace xcc {

/// Whether `decl` carries [[clang::annotate(text)]].
bool isAnnotated(const clang::Decl *decl, llvm::StringRef text);

/// The members of class `Kind` and of that name in namespaces `in`.
template <class Kind = clang::NamespaceDecl>
std::vector<Kind *> membersNamed(llvm::ArrayRef<clang::DeclContext *> in,
                                 llvm::StringRef name) {
  std::vector<Kind *> found;
  for (clang::DeclContext *outer : in)
    for (clang::NamedDecl *member :
         outer->lookup(&outer->getParentASTContext().Idents.get(name)))
      if (auto *kind = llvm::dyn_cast<Kind>(member))
        found.push_back(kind);
  return found;
}

/// The first member of class `Kind` and of that name in namespace `detail` of
/// `outer`; null if there is none.
template <class Kind>
Kind *detailMember(llvm::ArrayRef<clang::DeclContext *> outer,
                   llvm::StringRef name) {
  auto inner = membersNamed(outer, "detail");
  std::vector<clang::DeclContext *> spaces(inner.begin(), inner.end());
  auto found = membersNamed<Kind>(spaces, name);
  return found.empty() ? nullptr : found.front();
}

/// The declarations of namespace xcc, which headers may declare several times.
std::vector<clang::DeclContext *> xccNamespace(clang::ASTContext &context);

/// The function templates xcc::name, or xcc::space::name.
std::vector<clang::FunctionTemplateDecl *>
templatesNamed(clang::ASTContext &context, llvm::StringRef name,
               llvm::StringRef space = {});

/// The class tmpl<type>; null if it is not complete.
clang::QualType completeSpecialization(clang::Sema &sema,
                                       clang::ClassTemplateDecl *tmpl,
                                       clang::QualType type,
                                       clang::SourceLocation at);

/// An expression that is a function's address.
clang::Expr *nameOf(clang::ASTContext &context, clang::FunctionDecl *fn,
                    clang::SourceLocation at);

/// The template of that name whose specializations are entries; null if the
/// headers have none.
clang::FunctionTemplateDecl *entryTemplate(clang::ASTContext &context,
                                           llvm::StringRef name);

/// The entry of a kernel that is a function; null if the headers have no
/// template for it.
clang::FunctionDecl *functionEntry(clang::Sema &sema, clang::FunctionDecl *fn,
                                   clang::SourceLocation at);

/// Whether the class, or a member or base of it, belongs to xcc::stdpar, which
/// implements the standard's algorithms.
bool isOfStandardAlgorithm(const clang::CXXRecordDecl *record);

/// `decl` as a specialization of the class template that carries the
/// annotation, by which headers ask the compiler; else null.
clang::ClassTemplateSpecializationDecl *question(clang::TagDecl *decl,
                                                 llvm::StringRef annotation);

/// Sets the enumerator `asked` of such a class.
void answer(clang::ASTContext &context,
            clang::ClassTemplateSpecializationDecl *question,
            llvm::StringRef asked, bool value);
/// Sets the only alias of such a class.
void answer(clang::ASTContext &context,
            clang::ClassTemplateSpecializationDecl *question,
            clang::QualType type);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_HEADERTEMPLATES_H
