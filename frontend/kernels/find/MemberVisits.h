// xcc::visit_members and xcc::holds_addresses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are declared in <xcc/visit_members.h> and implemented here.
// visit_members is a function template without a body. Each specialization that
// is used gets a body that Sema builds, as if the author of the class had
// written it: it may use private members. Its instantiation may use other
// specializations, which get bodies too.

#ifndef XCC_FRONTEND_KERNELS_FIND_MEMBERVISITS_H
#define XCC_FRONTEND_KERNELS_FIND_MEMBERVISITS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class ASTContext;
class Sema;
} // namespace clang

namespace xcc {

/// Whether `function` is a specialization of xcc::visit_members.
bool isMemberVisit(const clang::FunctionDecl *function);

/// Whether an object of the type, which is complete, holds addresses; see
/// xcc::holds_addresses.
bool holdsAddresses(const clang::ASTContext &context, clang::QualType type);

/// If `decl` is a specialization of xcc::holds_addresses that was just
/// completed, writes the answer into it.
void answerHoldsAddresses(clang::Sema &sema, clang::TagDecl *decl);

/// Gives specializations of xcc::visit_members their bodies.
class MemberVisits {
public:
  /// Notes a specialization that code refers to.
  void add(clang::FunctionDecl *function) { pending.push_back(function); }

  /// Defines the noted specializations and hands them to code generation. One
  /// whose class is not complete yet waits for finish(). Does nothing if it is
  /// running already, further up the stack.
  void define(clang::Sema &sema);

  /// Defines all specializations that the translation unit uses, and those that
  /// their bodies use.
  void finish(clang::Sema &sema);

private:
  std::vector<clang::FunctionDecl *> pending;
  bool busy = false, atEnd = false;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_MEMBERVISITS_H
