// Initialisers that no kernel asks for by name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of which device code uses the entries may be filled by others:
// objects whose constructors add themselves, functions that run before main.
// Nothing in device code names those, but the table is not what it should be
// without them.

#ifndef XCC_FRONTEND_KERNELS_WALK_REGISTRARS_H
#define XCC_FRONTEND_KERNELS_WALK_REGISTRARS_H

#include "UseVisitor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace xcc {

/// All that runs before main or after it, in the order of the source: variables
/// with code for an initialiser or a destructor, and functions marked
/// constructor or destructor.
std::vector<clang::NamedDecl *> aroundMain(llvm::ArrayRef<clang::Decl *> decls);

/// What code may do to objects that other code sees.
struct Effects {
  /// Variables that it writes, or through which it may write others.
  llvm::SetVector<const clang::VarDecl *> written;
  /// What it calls and another unit defines.
  llvm::SetVector<const clang::FunctionDecl *> called;
  /// Calls of what is known when the program runs.
  bool unknownCalls = false;
};

class Registrars {
public:
  /// Those of a translation unit.
  Registrars(clang::ASTContext &context, llvm::ArrayRef<clang::Decl *> decls);

  /// A variable whose initialiser, or a function that runs before main, and
  /// what it writes of others.
  struct Found {
    clang::NamedDecl *registrar = nullptr;
    const clang::VarDecl *written = nullptr;
  };
  /// The next one that writes a variable for which `used` holds, in the order
  /// of the source. Each is given once; null when there is none.
  Found next(llvm::function_ref<bool(const clang::VarDecl *)> used);

  /// The next one that may write what other units' code uses; null when there
  /// is none.
  clang::NamedDecl *nextForOthers();
  /// What a function or variable's initialiser does to what others see, by
  /// itself or by what it calls.
  Effects effectsOf(const clang::NamedDecl *code);

private:
  clang::ASTContext &context;
  UseVisitor uses;
  std::vector<clang::NamedDecl *> waiting;

  /// The code and what it calls, as far as it is here.
  llvm::SetVector<const clang::NamedDecl *>
  calledBy(const clang::NamedDecl *code) const;
  const clang::VarDecl *
  writtenBy(const clang::NamedDecl *registrar,
            llvm::function_ref<bool(const clang::VarDecl *)> used);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_REGISTRARS_H
