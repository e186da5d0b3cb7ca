// Checks whether a value's bytes mean the same on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host makes arguments and captures with their own constructors; they
// travel to the device as bytes. If a class is copied bit by bit anyway, the
// user answers for the addresses in it. A class with a copy constructor or
// destructor of its own may point into itself, or own what it points to: if it
// contains an address anywhere, xcc rejects it. If it contains none, copying
// the bytes does all that its constructors would.

#ifndef XCC_FRONTEND_KERNELS_CHECK_COPYCHECK_H
#define XCC_FRONTEND_KERNELS_CHECK_COPYCHECK_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace clang {
class Sema;
}

namespace xcc {

class CopyCheck {
public:
  explicit CopyCheck(clang::Sema &sema);

  /// Checks a parameter, capture or object, which `what` names and which is
  /// declared at `declared`. Returns false after reporting an error.
  bool check(const std::string &what, clang::QualType type,
             clang::SourceLocation declared, clang::SourceLocation launch);

  /// Checks the captures of a closure, or the members and bases of a function
  /// object, once.
  bool object(const clang::CXXRecordDecl *record, clang::SourceLocation launch);

  /// Checks a parameter of which each thread has its own copy.
  bool parameter(const std::string &what, clang::QualType type,
                 clang::SourceLocation declared, clang::SourceLocation launch);

  /// Whether an object of the type can be made from a const one: as a
  /// parameter, or (`direct`) as a variable.
  bool isCopied(clang::QualType type, clang::SourceLocation at, bool direct);

  /// Whether an object was rejected already: it gets no further message.
  bool isRejected(const clang::CXXRecordDecl *record) const {
    return rejected.contains(record->getCanonicalDecl());
  }

private:
  struct Step {
    std::string name;
    clang::SourceLocation declared;
  };

  clang::Sema &sema;
  clang::ASTContext &context;
  clang::PrintingPolicy policy;
  llvm::DenseSet<const clang::CXXRecordDecl *> seen, rejected;
  // State of the current check:
  llvm::SmallVector<Step, 8> path;
  clang::SourceLocation launch;
  bool quiet = false;

  bool walk(clang::QualType type);
  bool walkParts(const clang::CXXRecordDecl *record);
  bool address(clang::QualType type, const clang::CXXRecordDecl *copied);
  bool hidden(const clang::CXXRecordDecl *record);
  uint64_t bytesIn(clang::QualType type) const;
  struct Problem;
  bool reject(clang::QualType type, const Problem &problem,
              const clang::CXXRecordDecl *copied = nullptr);
  bool rejectDynamic(clang::QualType type, const clang::CXXRecordDecl *record);
  template <class See>
  bool parts(const clang::CXXRecordDecl *record, const See &see);
  std::string text(clang::QualType type) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_COPYCHECK_H
