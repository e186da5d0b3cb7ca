// Checks whether a call of a kernel is valid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks each call that names a kernel. Reports what cannot be launched at the
// call, with a note that says what to write instead.

#ifndef XCC_FRONTEND_KERNELS_CHECK_LAUNCHCHECK_H
#define XCC_FRONTEND_KERNELS_CHECK_LAUNCHCHECK_H

#include "CopyCheck.h"
#include "HostAddresses.h"
#include "MappingCheck.h"
#include "Warnings.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Which errors of launches to report. Only the host pass reports, so that each
/// is reported once.
enum class LaunchDiagnostics {
  None,
  Errors,
  ErrorsAndMapping ///< also what cannot be mapped, for GPUs
};

class LaunchCheck {
public:
  /// With LaunchDiagnostics::None the results are the same.
  LaunchCheck(clang::Sema &sema, LaunchDiagnostics diagnostics,
              const Warnings &warnings)
      : sema(sema), warnings(warnings), copies(sema), mapping(sema, warnings),
        diagnose(diagnostics != LaunchDiagnostics::None),
        separate(diagnostics == LaunchDiagnostics::ErrorsAndMapping) {}

  /// The function that argument `param` of the call names at compile time. Null
  /// after reporting why the argument names no function that can be a kernel.
  /// `known` is that function, if the argument has been replaced before.
  clang::FunctionDecl *function(clang::CallExpr *call, unsigned param,
                                clang::FunctionDecl *known);

  /// Checks a kernel whose address is taken at `at`, for a launch by pointer.
  /// Returns false if the function cannot be a kernel.
  bool pointedTo(clang::FunctionDecl *fn, clang::SourceLocation at);

  /// Checks a closure or function object.
  void object(clang::CallExpr *call, unsigned param,
              const clang::CXXRecordDecl *record);

  /// Checks the kernel of an entry, object_kernel<object, params...>. Returns
  /// false if the size of the object or of a parameter is unknown.
  bool objectKernel(const clang::FunctionDecl *entry, clang::SourceLocation at);

  /// Checks the arguments of a function that forwards a kernel which it was
  /// given.
  void forwarded(clang::CallExpr *call, unsigned param);

  /// Reports two kernels with one symbol.
  void sameSymbol(clang::SourceLocation at, clang::SourceLocation first);

  /// Reports an argument that is neither function nor object.
  void notAKernel(clang::CallExpr *call, unsigned param);

private:
  clang::Sema &sema;
  const Warnings &warnings;
  CopyCheck copies;
  MappingCheck mapping;
  ScopedVariables scoped;
  bool diagnose, separate; ///< separate: a device has its own memory
  llvm::DenseSet<const clang::CXXRecordDecl *> mappedObjects;
  /// Classes with a wrong launch: their kernels need no further check.
  llvm::DenseSet<const clang::CXXRecordDecl *> rejected;

  bool canBeKernel(const clang::FunctionDecl *fn, clang::SourceLocation at,
                   clang::SourceRange range);
  clang::CallExpr *checkArguments(clang::CallExpr *call, unsigned param,
                                  clang::Expr *callee);
  void checkMapping(const clang::CallExpr *call, unsigned param,
                    const clang::CXXRecordDecl *object,
                    clang::SourceLocation at);
  void checkParameters(const clang::FunctionDecl *kernel,
                       clang::SourceLocation at);
  void checkReturn(clang::CallExpr *call, const clang::FunctionDecl *fn,
                   const std::string &name);
  bool isComplete(clang::QualType type, clang::SourceLocation at,
                  const llvm::Twine &what, clang::SourceLocation declared);
  void checkObjectLaunch(clang::CallExpr *call, unsigned param,
                         const clang::CXXRecordDecl *record);
  void checkObject(clang::CallExpr *call, unsigned param,
                   const clang::CXXRecordDecl *record);
  void checkNamedTypes(clang::Expr *object,
                       llvm::ArrayRef<clang::TemplateArgument> types,
                       llvm::StringRef as);
  void checkThreadsCall(const clang::FunctionDecl *entry,
                        clang::SourceLocation at);
  void checkThreadsCopy(clang::QualType object, clang::SourceLocation at);
  bool checkCall(clang::Expr *object, llvm::ArrayRef<clang::Expr *> args);
  clang::CallExpr *quietCall(clang::Expr *callee,
                             llvm::ArrayRef<clang::Expr *> args);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_LAUNCHCHECK_H
