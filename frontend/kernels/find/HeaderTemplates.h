// What xcc's headers declare for the compiler
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_HEADERTEMPLATES_H
#define XCC_FRONTEND_KERNELS_FIND_HEADERTEMPLATES_H

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class Sema;
}

namespace xcc {

/// Whether `decl` carries [[clang::annotate(text)]].
bool isAnnotated(const clang::Decl *decl, llvm::StringRef text);

/// The function templates xcc::name, or xcc::space::name.
std::vector<clang::FunctionTemplateDecl *>
templatesNamed(clang::ASTContext &context, llvm::StringRef name,
               llvm::StringRef space = {});

/// An expression that is a function's address.
clang::Expr *nameOf(clang::ASTContext &context, clang::FunctionDecl *fn,
                    clang::SourceLocation at);

/// The template whose specializations are entries, of those of a name; null
/// where the headers have none.
clang::FunctionTemplateDecl *entryTemplate(clang::ASTContext &context,
                                           llvm::StringRef name);

/// The entry of a kernel that is a function; null where the header has none.
clang::FunctionDecl *functionEntry(clang::Sema &sema, clang::FunctionDecl *fn,
                                   clang::SourceLocation at);

/// Whether the class, or what it has as a member or base, is made by an algorithm
/// of the standard (xcc::stdpar).
bool isOfStandardAlgorithm(const clang::CXXRecordDecl *record);

/// The specialization that `decl` is, if it is one of the class template that
/// asks the compiler that; else null.
clang::ClassTemplateSpecializationDecl *question(clang::TagDecl *decl,
                                                 llvm::StringRef annotation);

/// Gives an enumerator of a class that asks the compiler something its value.
void answer(clang::ASTContext &context,
            clang::ClassTemplateSpecializationDecl *question,
            llvm::StringRef asked, bool value);
/// Gives the type that a class asks for, its only alias, its value.
void answer(clang::ASTContext &context,
            clang::ClassTemplateSpecializationDecl *question,
            clang::QualType type);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_HEADERTEMPLATES_H
