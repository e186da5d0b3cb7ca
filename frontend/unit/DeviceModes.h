// Consumers that switch Clang's SYCL device mode on and off in a device pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_DEVICEMODES_H
#define XCC_FRONTEND_UNIT_DEVICEMODES_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include <memory>
#include <vector>

namespace xcc {

/// A consumer in front of code generation. In SYCL device mode, Clang generates
/// only what device code reaches. But code that is generated in that mode
/// throws nothing, and on GPUs has no type information, so that typeid and
/// dynamic_cast would read null. So this consumer switches the mode off while
/// code is generated.
class PlainCodegen : public clang::MultiplexConsumer {
public:
  PlainCodegen(clang::LangOptions &lang,
               std::unique_ptr<clang::ASTConsumer> codegen)
      : MultiplexConsumer(std::move(codegen)), lang(lang) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    // Entries and exported functions are generated at once (emitReachable).
    // Plain C++ might see no use of them.
    if (group.isSingleDecl() &&
        group.getSingleDecl()->hasAttr<clang::SYCLExternalAttr>()) {
      clang::Decl *decl = group.getSingleDecl();
      Plain plain(lang);
      // Clang generates a strong variable anyway, and once more at the end. If
      // its IR type has changed then (trailing zeros), the attribute would keep
      // the wrong one.
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

/// The outermost consumer of a device pass for the host's own machine. Sema has
/// no diagnostics to defer there. But in SYCL device mode it looks through the
/// type of each variable, which takes longer than all else of a pass over C
/// code. So the mode is on only while consumers work, and at the end.
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

  /// Restores the mode, because consumers make Sema instantiate templates,
  /// which calls them again.
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

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEVICEMODES_H
