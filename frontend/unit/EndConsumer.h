// Collects a translation unit's kernels before code generation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A consumer in front of Clang's own sees every declaration before code
// generation, and the end of the translation unit while Sema is alive.

#ifndef XCC_FRONTEND_UNIT_ENDCONSUMER_H
#define XCC_FRONTEND_UNIT_ENDCONSUMER_H

#include "kernels/check/Downcasts.h"
#include "kernels/check/MappingCheck.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/find/MemberVisits.h"
#include "kernels/host/HostCalls.h"
#include "kernels/host/MainEnd.h"
#include "kernels/walk/DeviceWalk.h"
#include "unit/Compilation.h"
#include "unit/CompileLimitHooks.h"
#include "unit/HostFormats.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include <functional>
#include <vector>

namespace xcc {

/// What EndConsumer found in a translation unit.
struct SeenUnit {
  std::vector<clang::Decl *> decls;  ///< in the order in which they reach code
                                     ///< generation
  std::vector<KernelCall> calls;     ///< that name kernels
  std::vector<NamedArgument> mapped; ///< arguments of an xcc::map
  std::vector<KernelPointer> pointers; ///< kernels whose addresses are taken
};

/// The functions of which the process may make kernels at run time.
inline std::vector<clang::FunctionDecl *>
jitRootsOf(const SeenUnit &seen, const TranslationUnit &unit) {
  return unit.jitRoots ? exportedFunctions(seen.decls)
                       : std::vector<clang::FunctionDecl *>();
}

/// Collects declarations and calls on their way to code generation and, once
/// the last template is instantiated, hands them to `atEnd`.
class EndConsumer : public clang::SemaConsumer {
public:
  using Callback = std::function<void(clang::Sema &, const SeenUnit &)>;
  EndConsumer(Callback atEnd, std::function<bool()> enabled)
      : atEnd(std::move(atEnd)), enabled(std::move(enabled)) {}

  void InitializeSema(clang::Sema &s) override {
    sema = &s;
    watchLimits(s);
  }
  void ForgetSema() override { sema = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    // Code before <xcc/xcc.h> and after the end cannot name a kernel.
    if (!sema || ended || !enabled())
      return true;
    for (clang::Decl *decl : group)
      see(decl);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *decl) override {
    if (sema && !ended && enabled())
      see(decl);
  }
  void HandleTagDeclDefinition(clang::TagDecl *decl) override {
    if (sema && sema->getLangOpts().SYCLIsDevice &&
        sema->getASTContext().getTargetInfo().getTriple().isGPU())
      keepHostAlignment(sema->getASTContext(), decl);
    if (sema && !ended && enabled()) {
      answerHoldsAddresses(*sema, decl);
      answerGoesToDevice(*sema, decl);
      answerCallsDiffer(*sema, decl);
      answerParamOf(*sema, decl);
      answerCompleteObject(*sema, decl);
    }
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    if (sema && enabled())
      memberVisits.finish(*sema);
    ended = true;
    if (sema)
      atEnd(*sema, seen);
  }

private:
  Callback atEnd;
  std::function<bool()> enabled;
  clang::Sema *sema = nullptr;
  SeenUnit seen;
  llvm::SmallPtrSet<const void *, 16> visited;
  MemberVisits memberVisits;
  bool ended = false;

  void see(clang::Decl *decl) {
    // Another module's functions are compiled with that module.
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
        function && function->isInAnotherModuleUnit() &&
        !function->isInlined() && !function->isTemplateInstantiation())
      return;
    if (!sema->getLangOpts().SYCLIsDevice)
      reportMainEnd(*sema, decl);
    seen.decls.push_back(decl);
    Prepared prepared;
    collectCalls(*sema, decl, visited, seen.calls, prepared);
    for (clang::CallExpr *call : prepared.hostCalls)
      prepareHostCall(*sema, call);
    for (clang::FunctionDecl *function : prepared.memberVisits)
      memberVisits.add(function);
    memberVisits.define(*sema);
    llvm::move(prepared.mapped, std::back_inserter(seen.mapped));
    llvm::move(prepared.pointers, std::back_inserter(seen.pointers));
  }
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_ENDCONSUMER_H
