// Initialisers that no kernel asks for by name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of which device code uses the entries may be filled by others:
// objects whose constructors add themselves, functions that run before main.
// Nothing in device code names those, but the table is not what it should be
// without them.

#ifndef XCC_FRONTEND_KERNELS_REGISTRARS_H
#define XCC_FRONTEND_KERNELS_REGISTRARS_H

#include "UseVisitor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// All that runs before main or after it, in the order of the source: variables
/// with code for an initialiser or a destructor, and functions marked
/// constructor or destructor.
std::vector<clang::NamedDecl *> aroundMain(llvm::ArrayRef<clang::Decl *> decls);

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

private:
  UseVisitor uses;
  std::vector<clang::NamedDecl *> waiting;

  const clang::VarDecl *
  writtenBy(const clang::NamedDecl *registrar,
            llvm::function_ref<bool(const clang::VarDecl *)> used);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_REGISTRARS_H
