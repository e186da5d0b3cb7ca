// Finds code that a device cannot run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_DEVICECHECKER_H
#define XCC_FRONTEND_KERNELS_WALK_DEVICECHECKER_H

#include "DeviceWalk.h"
#include "ImplicitExports.h"
#include "LinkNotes.h"
#include "kernels/check/Report.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// Reports code that this device, or no device, can run. Reports errors of
/// kernels and of functions marked XCC_EXPORT at once. Records errors of code
/// that is exported without a mark for the link.
class DeviceChecker : public DeviceWalk {
public:
  /// With `linked`, other units may define what this unit does not define.
  DeviceChecker(clang::Sema &sema, const Target &target, bool generates,
                bool linked, LinkNotes &notes)
      : DeviceWalk(sema, target), generates(generates), linked(linked),
        notes(notes) {}

  /// Walks optional kernels, after all others and exported functions.
  void walkOptional(llvm::ArrayRef<FoundKernel> kernels);

  /// Walks code that is exported without a mark, after kernels and marked
  /// functions. Removes variables that no device can have.
  void walk(ImplicitExports &implicit);

  /// The place of the first construct in the code of an initialiser that the
  /// device cannot run; invalid if it can. Nothing is reported from now on.
  clang::SourceLocation problemOf(const clang::NamedDecl *initialiser);

  /// Functions to call on the host, and the place of a call.
  llvm::MapVector<clang::FunctionDecl *, clang::SourceLocation> generated;

private:
  const bool generates; ///< -foffload-host-calls
  const bool linked;
  LinkNotes &notes;
  llvm::DenseSet<unsigned> runtimeCalls;
  bool probes = false;
  clang::SourceLocation problem;
  bool walksImplicit = false, optional = false, firstFault = false;
  /// Faults so far of `current`, and of the variable whose value is visited.
  std::string fault, variableFault;

  //===--------------------------------------------------------------------===//
  // Code that may not be needed
  //===--------------------------------------------------------------------===//

  /// Runs `walk`, and records errors as faults of the code instead of reporting
  /// them.
  void asFaults(llvm::function_ref<void()> walk);

  void take(clang::DiagnosticsEngine::Level level, std::string text);
  bool isOmitted() override;

  void held(const clang::VarDecl *variable) override;

  void names(const clang::ValueDecl *named, clang::SourceLocation at) override;

  /// Whether a device has its own copy of the program's variable, which the
  /// host or a kernel may change.
  bool isState(const clang::VarDecl *variable) const;

  /// Records uses of a static variable outside its function. It is initialised
  /// where its function runs. If that is the host (for example, a lambda in it
  /// is the kernel), the device's copy is never initialised.
  void noteStaticUse(const clang::VarDecl *variable, clang::SourceLocation at);

public:
  /// Reports static variables that no device code initialises.
  void reportStatics();

private:
  /// Variables that have been reported.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> reported;
  /// Static variables that code outside their functions uses, and the first
  /// use.
  llvm::MapVector<const clang::VarDecl *, Edge> statics;

  /// Whether the function belongs to the device runtime.
  static bool isRuntime(const clang::FunctionDecl *function);

  void rejected(Rejection rejection, clang::SourceLocation at) override;

  void rejectLaunch(clang::SourceLocation at);

  /// Reports each place in the user's own code once.
  void rejectRuntime(clang::SourceLocation at);

  void undefined(const clang::FunctionDecl *function,
                 clang::SourceLocation at) override;

  void shared(const clang::VarDecl *variable) override;

  void localShared(const clang::VarDecl *variable) override;

  void partlyShared(const clang::VarDecl *variable) override;

  void call(clang::CallExpr *expr) override;

  void assembly(clang::GCCAsmStmt *stmt) override;

  void coroutine(clang::SourceLocation at) override;

  /// Reports thread_local and register variables. Notes variables that are not
  /// defined here.
  void variable(const clang::VarDecl *reference,
                clang::SourceLocation at) override;

  template <unsigned N>
  clang::DiagnosticBuilder report(clang::DiagnosticsEngine::Level level,
                                  clang::SourceLocation at,
                                  const char (&text)[N]) {
    if (probes && level == clang::DiagnosticsEngine::Error &&
        problem.isInvalid())
      problem = at;
    if (probes)
      level = clang::DiagnosticsEngine::Ignored;
    return xcc::report(sema, level, at, text);
  }

  template <unsigned N>
  void error(clang::SourceLocation at, const char (&text)[N]) {
    report(clang::DiagnosticsEngine::Error, at, text);
    chain();
  }

  /// Adds notes for the calls from `current` up to the launch. Skips xcc's own
  /// functions in between.
  void chain();

  static bool isGlue(const clang::NamedDecl *code);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_DEVICECHECKER_H
