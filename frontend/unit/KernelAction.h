// Clang's actions, looking for kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A consumer in front of Clang's own sees every declaration on its way to code
// generation, and the end of the translation unit with Sema still alive.

#ifndef XCC_FRONTEND_UNIT_KERNELACTION_H
#define XCC_FRONTEND_UNIT_KERNELACTION_H

#include "kernels/CallParameters.h"
#include "kernels/DeviceWalk.h"
#include "kernels/Downcasts.h"
#include "kernels/FunctionObjects.h"
#include "kernels/HostCalls.h"
#include "kernels/HostInstructions.h"
#include "kernels/KernelFinder.h"
#include "kernels/MainEnd.h"
#include "kernels/MappingCheck.h"
#include "kernels/MemberVisits.h"
#include "support/Processes.h"
#include "unit/CompileLimitHooks.h"
#include "unit/HostFormats.h"
#include "unit/Pass.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include <functional>
#include <memory>
#include <vector>

namespace xcc {

/// What the consumer below saw of a translation unit.
struct SeenUnit {
  std::vector<clang::Decl *> decls; ///< in the order they reach code generation
  std::vector<KernelCall> calls;    ///< that name kernels
  std::vector<NamedArgument> mapped; ///< in an xcc::map
};

/// The functions that the process may make kernels of.
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
    // Nothing before <xcc/xcc.h> can name a kernel, nor after the end.
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
    // Another module's functions are compiled with it.
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
        function && function->isInAnotherModuleUnit() &&
        !function->isInlined() && !function->isTemplateInstantiation())
      return;
    if (!sema->getLangOpts().SYCLIsDevice)
      tellOfMainsEnd(*sema, decl);
    seen.decls.push_back(decl);
    Prepared prepared;
    collectCalls(*sema, decl, visited, seen.calls, prepared);
    for (clang::CallExpr *call : prepared.hostCalls)
      prepareHostCall(*sema, call);
    for (clang::FunctionDecl *function : prepared.memberVisits)
      memberVisits.add(function);
    memberVisits.define(*sema);
    llvm::move(prepared.mapped, std::back_inserter(seen.mapped));
  }
};

/// Between us and code generation in SYCL device mode. That mode decides what is
/// generated: what device code reaches. But code generated in it throws nothing,
/// and on GPUs has no type information, so that typeid and dynamic_cast would
/// read null. Here code is generated as for plain C++.
class PlainCodegen : public clang::MultiplexConsumer {
public:
  PlainCodegen(clang::LangOptions &lang,
               std::unique_ptr<clang::ASTConsumer> codegen)
      : MultiplexConsumer(std::move(codegen)), lang(lang) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    // An entry or an exported function is generated at once; see
    // emitReachable. Plain C++ might see no use of it.
    if (group.isSingleDecl() &&
        group.getSingleDecl()->hasAttr<clang::SYCLExternalAttr>()) {
      clang::Decl *decl = group.getSingleDecl();
      Plain plain(lang);
      // A variable that others see is generated in any case, and another time
      // in the end; if its type is then another one, for trailing zeros, Clang
      // forgets which one it was to keep.
      auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || variable->getASTContext().GetGVALinkageForVariable(
                           variable) != clang::GVA_StrongExternal)
        decl->addAttr(clang::UsedAttr::CreateImplicit(decl->getASTContext()));
      return MultiplexConsumer::HandleTopLevelDecl(group);
    }
    return MultiplexConsumer::HandleTopLevelDecl(group);
  }
  void HandleVTable(clang::CXXRecordDecl *record) override {
    Plain plain(lang);
    MultiplexConsumer::HandleVTable(record);
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    Plain plain(lang);
    MultiplexConsumer::HandleTranslationUnit(context);
  }

private:
  clang::LangOptions &lang;

  struct Plain {
    explicit Plain(clang::LangOptions &lang) : lang(lang) {
      lang.SYCLIsDevice = false;
    }
    ~Plain() { lang.SYCLIsDevice = true; }
    clang::LangOptions &lang;
  };
};

/// Around all of a device pass for the host's own machine. Sema has nothing to
/// put off there, and in SYCL device mode it looks through the type of each
/// variable, which takes longer than all else of a pass over C code: it is in
/// that mode only for what consumers do, and at the end.
class ModeForConsumers : public clang::MultiplexConsumer {
public:
  ModeForConsumers(clang::LangOptions &lang,
                   std::vector<std::unique_ptr<clang::ASTConsumer>> consumers)
      : MultiplexConsumer(std::move(consumers)), lang(lang) {
    lang.SYCLIsDevice = false;
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    Device mode(lang);
    return MultiplexConsumer::HandleTopLevelDecl(group);
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *decl) override {
    Device mode(lang);
    MultiplexConsumer::HandleInlineFunctionDefinition(decl);
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override {
    Device mode(lang);
    MultiplexConsumer::HandleInterestingDecl(group);
  }
  void
  HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override {
    Device mode(lang);
    MultiplexConsumer::HandleCXXStaticMemberVarInstantiation(variable);
  }
  void HandleTagDeclDefinition(clang::TagDecl *decl) override {
    Device mode(lang);
    MultiplexConsumer::HandleTagDeclDefinition(decl);
  }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *decl) override {
    Device mode(lang);
    MultiplexConsumer::HandleTagDeclRequiredDefinition(decl);
  }
  void CompleteTentativeDefinition(clang::VarDecl *variable) override {
    Device mode(lang);
    MultiplexConsumer::CompleteTentativeDefinition(variable);
  }
  void CompleteExternalDeclaration(clang::DeclaratorDecl *decl) override {
    Device mode(lang);
    MultiplexConsumer::CompleteExternalDeclaration(decl);
  }
  void HandleVTable(clang::CXXRecordDecl *record) override {
    Device mode(lang);
    MultiplexConsumer::HandleVTable(record);
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    lang.SYCLIsDevice = true;
    MultiplexConsumer::HandleTranslationUnit(context);
  }

private:
  clang::LangOptions &lang;

  /// Consumers have Sema instantiate templates, which calls them again.
  struct Device {
    explicit Device(clang::LangOptions &lang)
        : lang(lang), before(lang.SYCLIsDevice) {
      lang.SYCLIsDevice = true;
    }
    ~Device() { lang.SYCLIsDevice = before; }
    clang::LangOptions &lang;
    bool before;
  };
};

/// A frontend action of Clang's with an EndConsumer before its own consumer.
template <class Base> class WithKernels : public Base {
public:
  template <class... A>
  explicit WithKernels(EndConsumer::Callback atEnd,
                       std::function<bool()> enabled, A &&...args)
      : Base(std::forward<A>(args)...), atEnd(std::move(atEnd)),
        enabled(std::move(enabled)) {}

  /// The output goes through what this makes of Clang's own stream.
  using Output = std::unique_ptr<llvm::raw_pwrite_stream>;
  std::function<Output(Output)> wrap;

protected:
  bool BeginInvocation(clang::CompilerInstance &ci) override {
    if (ci.getLangOpts().SYCLIsDevice && ci.getTarget().getTriple().isGPU())
      keepHostFormats(ci);
    return Base::BeginInvocation(ci);
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &ci,
                    llvm::StringRef file) override {
    std::unique_ptr<clang::ASTConsumer> own;
    {
      // Clang's output, which a signal would leave between its creation and
      // the note that it is to be removed.
      UnknownFiles output;
      if (wrap) {
        Output real = ci.createDefaultOutputFile(/*Binary=*/true, file, "o");
        if (!real)
          return nullptr;
        ci.setOutputStream(wrap(std::move(real)));
      }
      own = Base::CreateASTConsumer(ci, file);
    }
    if (!own)
      return nullptr;
    if (ci.getLangOpts().SYCLIsDevice) {
      if (ci.getTarget().getTriple().isGPU())
        permitHostInstructions(ci.getTarget());
      own = std::make_unique<PlainCodegen>(ci.getLangOpts(), std::move(own));
    }
    std::vector<std::unique_ptr<clang::ASTConsumer>> list;
    list.push_back(std::make_unique<EndConsumer>(atEnd, enabled));
    list.push_back(std::move(own));
    if (ci.getLangOpts().SYCLIsDevice && !ci.getTarget().getTriple().isGPU())
      return std::make_unique<ModeForConsumers>(ci.getLangOpts(),
                                                std::move(list));
    return std::make_unique<clang::MultiplexConsumer>(std::move(list));
  }

private:
  EndConsumer::Callback atEnd;
  std::function<bool()> enabled;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_KERNELACTION_H
