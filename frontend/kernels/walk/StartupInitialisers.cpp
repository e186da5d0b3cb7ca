// Initialisers that device code needs without naming them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StartupInitialisers.h"
#include "TreeVisitor.h"
#include "kernels/host/GeneratedEntries.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace xcc {
namespace {

/// Finds what runs before main, and with `afterMain` what runs after it.
class Finder : public DeclarationVisitor {
public:
  explicit Finder(bool afterMain) : afterMain(afterMain) {}
  std::vector<NamedDecl *> found;
  bool VisitVarDecl(VarDecl *variable) override {
    if (afterMain && variable->isFileVarDecl() &&
        variable->isThisDeclarationADefinition() == VarDecl::Definition &&
        !variable->getType()->isDependentType() &&
        variable->needsDestruction(variable->getASTContext()) ==
            QualType::DK_cxx_destructor)
      found.push_back(variable);
    else if (variable->isFileVarDecl() && variable->hasInit() &&
             variable->getTLSKind() == VarDecl::TLS_None &&
             variable->isThisDeclarationADefinition() == VarDecl::Definition &&
             !variable->getInit()->isValueDependent() &&
             !variable->hasConstantInitialization())
      found.push_back(variable);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->isThisDeclarationADefinition() &&
        (function->hasAttr<ConstructorAttr>() ||
         (afterMain && function->hasAttr<DestructorAttr>())))
      found.push_back(function);
    return true;
  }

private:
  const bool afterMain;
};

} // namespace

std::vector<NamedDecl *> aroundMain(llvm::ArrayRef<Decl *> decls) {
  Finder finder(/*afterMain=*/true);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
  return std::move(finder.found);
}

StartupInitialisers::StartupInitialisers(ASTContext &context,
                                         llvm::ArrayRef<Decl *> decls)
    : context(context), uses(context) {
  Finder finder(/*afterMain=*/false);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
  waiting = std::move(finder.found);
  for (NamedDecl *initialiser : waiting)
    if (const auto *variable = dyn_cast<VarDecl>(initialiser))
      uses.add(variable);
    else
      uses.add(cast<FunctionDecl>(initialiser));
  uses.run();
}

llvm::SetVector<const NamedDecl *>
StartupInitialisers::calledBy(const NamedDecl *code) const {
  llvm::SetVector<const NamedDecl *> reached;
  reached.insert(code);
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto own = uses.facts.find(reached[i]); own != uses.facts.end())
      for (const FunctionDecl *callee : own->second.callees)
        reached.insert(callee);
  return reached;
}

const VarDecl *
StartupInitialisers::writtenBy(const NamedDecl *initialiser,
                               llvm::function_ref<bool(const VarDecl *)> used) {
  for (const NamedDecl *code : calledBy(initialiser)) {
    auto own = uses.facts.find(code);
    if (own == uses.facts.end())
      continue;
    for (const auto *list : {&own->second.writes, &own->second.leads})
      for (const VarDecl *variable : *list)
        if (variable != initialiser->getCanonicalDecl() && used(variable))
          return variable;
  }
  return nullptr;
}

/// Whether another object defines the function, which may write variables that
/// others see. The standard library's functions do not.
static bool isElsewhere(const FunctionDecl *function) {
  if (function->isImplicit() || function->isDefaulted() ||
      function->isDeleted() || function->isPureVirtual() ||
      function->isTrivial() || function->getBuiltinID() ||
      !function->isExternallyVisible() ||
      (function->getIdentifier() && function->getName().starts_with("__xcc_")))
    return false;
  const SourceManager &sources = function->getASTContext().getSourceManager();
  return !sources.isInSystemHeader(function->getLocation()) ||
         !standardLibraryDefines(function);
}

/// Whether code of other units sees the same variable.
static bool isSeenByOthers(const VarDecl *variable) {
  if (!variable->isStaticLocal())
    return variable->isExternallyVisible();
  const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
  return function && function->isExternallyVisible();
}

Effects StartupInitialisers::effectsOf(const NamedDecl *code) {
  if (const auto *function = dyn_cast<FunctionDecl>(code)) {
    uses.add(function);
    uses.run();
    code = function->getDefinition();
  }
  Effects effects;
  for (const NamedDecl *inner : calledBy(code)) {
    auto found = uses.facts.find(inner);
    if (found == uses.facts.end())
      continue;
    const UseVisitor::Facts &own = found->second;
    for (const auto *list : {&own.writes, &own.leads})
      for (const VarDecl *variable : *list)
        if (variable != code->getCanonicalDecl())
          effects.written.insert(variable);
    for (const FunctionDecl *other : own.others)
      if (isElsewhere(other))
        effects.called.insert(other);
    effects.unknownCalls |= own.unknownCalls;
  }
  return effects;
}

/// Whether the host's object contains the variable even if no code uses it. In
/// SYCL device mode, DeclMustBeEmitted would answer for the device.
static bool isInHostsObject(ASTContext &context, const VarDecl *variable) {
  auto &lang = const_cast<LangOptions &>(context.getLangOpts());
  unsigned mode = lang.SYCLIsDevice;
  lang.SYCLIsDevice = false;
  bool emitted = context.DeclMustBeEmitted(variable);
  lang.SYCLIsDevice = mode;
  return emitted;
}

NamedDecl *StartupInitialisers::nextForOtherUnits() {
  while (!waiting.empty()) {
    NamedDecl *initialiser = waiting.front();
    waiting.erase(waiting.begin());
    const auto *variable = dyn_cast<VarDecl>(initialiser);
    if (variable && !isInHostsObject(context, variable))
      continue;
    Effects effects = effectsOf(initialiser);
    if (effects.unknownCalls || !effects.called.empty() ||
        llvm::any_of(effects.written, isSeenByOthers))
      return initialiser;
  }
  return nullptr;
}

StartupInitialisers::Found
StartupInitialisers::next(llvm::function_ref<bool(const VarDecl *)> used) {
  for (NamedDecl *&initialiser : waiting) {
    const auto *variable = dyn_cast<VarDecl>(initialiser);
    if (variable && used(variable->getCanonicalDecl()))
      continue; // its initialiser runs anyway
    if (const VarDecl *written = writtenBy(initialiser, used)) {
      Found found = {initialiser, written};
      waiting.erase(waiting.begin() + (&initialiser - waiting.data()));
      return found;
    }
  }
  return {};
}

} // namespace xcc
