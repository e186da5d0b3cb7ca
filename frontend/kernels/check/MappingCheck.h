// Checks whether a launch can map the types that its kernel refers to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch maps what its arguments refer to: the header visits the objects (see
// <xcc/transfer.h>) while the program runs. The types that it cannot map are
// known when the launch is compiled. They are reported then, with the path to
// them.

#ifndef XCC_FRONTEND_KERNELS_CHECK_MAPPINGCHECK_H
#define XCC_FRONTEND_KERNELS_CHECK_MAPPINGCHECK_H

#include "Warnings.h"
#include "kernels/find/WrittenNames.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace clang {
class Sema;
}

namespace xcc {

class MappingCheck {
public:
  MappingCheck(clang::Sema &sema, const Warnings &warnings);

  /// Checks a parameter, a capture or a member of a function object, which
  /// `what` names and which is declared at `declared`. A type that several
  /// paths reach is reported once for each launch.
  void check(const std::string &what, clang::QualType type,
             clang::SourceLocation declared, clang::SourceLocation launch);

  /// Checks the captures of a closure, once.
  void captures(const clang::CXXRecordDecl *closure,
                clang::SourceLocation launch);

  /// Whether an argument of the type can be mapped. Reports nothing.
  bool canMap(clang::QualType type, clang::SourceLocation at);

  /// Whether there is an xcc::transfer for the type.
  bool hasTransfer(clang::QualType type, clang::SourceLocation at);

private:
  struct Problem;
  struct Step {
    std::string name;
    clang::SourceLocation declared;
  };

  clang::Sema &sema;
  clang::ASTContext &context;
  const Warnings &warnings;
  clang::PrintingPolicy policy;
  llvm::DenseSet<const clang::CXXRecordDecl *> closures;
  llvm::DenseSet<const clang::Type *> fine; ///< types behind an address that
                                            ///< can be mapped
  llvm::DenseSet<const clang::Type *> bad;  ///< types that have been reported
  // State of the current check:
  llvm::SmallVector<Step, 8> path;
  llvm::SmallVector<const clang::CXXRecordDecl *, 8> within;
  clang::SourceLocation launch;
  bool quiet = false; ///< return the answer, report nothing

  bool walk(clang::QualType type, bool behind);
  bool walkClass(clang::QualType type, const clang::CXXRecordDecl *record,
                 bool behind);
  bool walkMembers(const clang::CXXRecordDecl *record, bool behind);
  bool leadsBack(clang::QualType type, const clang::CXXRecordDecl *to,
                 llvm::SmallPtrSetImpl<const clang::CXXRecordDecl *> &seen);
  bool reject(clang::QualType type, const Problem &problem);
  std::string insteadOfDynamic(const clang::CXXRecordDecl *record) const;
};

/// If `decl` is a specialization of xcc::detail::device_type that was just
/// completed, writes into it whether the type can go to devices.
void answerGoesToDevice(clang::Sema &sema, clang::TagDecl *decl);

/// Checks each argument of an xcc::map once.
void checkMapped(clang::Sema &sema, llvm::ArrayRef<NamedArgument> arguments,
                 const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_MAPPINGCHECK_H
