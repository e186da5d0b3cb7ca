// Can this be brought to a device with memory of its own?
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch maps what its arguments refer to: the header visits the objects (see
// <xcc/transfer.h>) while the program runs. Types that it can make nothing of
// are known when the launch is compiled, and named then, with the path to them.

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
  /// `what` names, and is declared at `declared`. A thing that is reached in
  /// several paths is reported once for a launch.
  void check(const std::string &what, clang::QualType type,
             clang::SourceLocation declared, clang::SourceLocation launch);

  /// Checks the captures of a closure, once.
  void captures(const clang::CXXRecordDecl *closure,
                clang::SourceLocation launch);

  /// Whether what a kernel is given of the type can be mapped. Reports nothing.
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
  llvm::DenseSet<const clang::Type *> fine; ///< behind an address
  llvm::DenseSet<const clang::Type *> bad;  ///< of which the reason was said
  // Of what is being checked:
  llvm::SmallVector<Step, 8> path;
  llvm::SmallVector<const clang::CXXRecordDecl *, 8> within;
  clang::SourceLocation launch;
  bool quiet = false; ///< only the answer is wanted

  bool walk(clang::QualType type, bool behind);
  bool walkClass(clang::QualType type, const clang::CXXRecordDecl *record,
                 bool behind);
  bool walkMembers(const clang::CXXRecordDecl *record, bool behind);
  bool leadsBack(clang::QualType type, const clang::CXXRecordDecl *to,
                 llvm::SmallPtrSetImpl<const clang::CXXRecordDecl *> &seen);
  bool refuse(clang::QualType type, const Problem &problem);
  std::string insteadOfDynamic(const clang::CXXRecordDecl *record) const;
};

/// If `decl` asks whether a type can go to devices (xcc::detail::device_type),
/// just completed, writes the answer into it.
void answerGoesToDevice(clang::Sema &sema, clang::TagDecl *decl);

/// Checks what an xcc::map is given: each argument once.
void checkMapped(clang::Sema &sema, llvm::ArrayRef<NamedArgument> arguments,
                 const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_MAPPINGCHECK_H
