// Initialisers that device code needs without naming them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Example: device code uses the entries of a table, and the entries are added
// by constructors of other objects or by functions that run before main. Device
// code does not name these, but without them the table is empty.

#ifndef XCC_FRONTEND_KERNELS_WALK_STARTUPINITIALISERS_H
#define XCC_FRONTEND_KERNELS_WALK_STARTUPINITIALISERS_H

#include "UseVisitor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace xcc {

/// Everything that runs before or after main, in the order of the source:
/// variables whose initialiser or destructor is code, and functions marked
/// constructor or destructor.
std::vector<clang::NamedDecl *> aroundMain(llvm::ArrayRef<clang::Decl *> decls);

/// The effects of code on objects that other code sees.
struct Effects {
  /// Variables that the code writes, or through which it may write others.
  llvm::SetVector<const clang::VarDecl *> written;
  /// Functions that the code calls and another unit defines.
  llvm::SetVector<const clang::FunctionDecl *> called;
  /// It calls functions that are known only at run time.
  bool unknownCalls = false;
};

class StartupInitialisers {
public:
  /// Finds the initialisers of a translation unit.
  StartupInitialisers(clang::ASTContext &context,
                      llvm::ArrayRef<clang::Decl *> decls);

  /// An initialiser is here a variable with code for its value, or a function
  /// that runs before main. `written` is a variable that it writes.
  struct Found {
    clang::NamedDecl *initialiser = nullptr;
    const clang::VarDecl *written = nullptr;
  };
  /// The next initialiser that writes a variable for which `used` holds, in the
  /// order of the source. Each is returned once; null at the end.
  Found next(llvm::function_ref<bool(const clang::VarDecl *)> used);

  /// The next initialiser that may write variables which other units use; null
  /// at the end.
  clang::NamedDecl *nextForOtherUnits();
  /// The effects of a function or of a variable's initialiser on variables that
  /// others see, including the functions that it calls.
  Effects effectsOf(const clang::NamedDecl *code);

private:
  clang::ASTContext &context;
  UseVisitor uses;
  std::vector<clang::NamedDecl *> waiting;

  /// The code and everything that it calls and this unit defines.
  llvm::SetVector<const clang::NamedDecl *>
  calledBy(const clang::NamedDecl *code) const;
  const clang::VarDecl *
  writtenBy(const clang::NamedDecl *initialiser,
            llvm::function_ref<bool(const clang::VarDecl *)> used);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_STARTUPINITIALISERS_H
