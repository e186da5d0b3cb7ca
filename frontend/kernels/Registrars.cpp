// Initialisers that no kernel asks for by name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrars.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace xcc {
namespace {

/// Everything that runs before main.
class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(bool afterMain) : afterMain(afterMain) {}
  std::vector<NamedDecl *> found;
  bool TraverseStmt(Stmt *) { return true; }
  bool TraverseDecl(Decl *decl) {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitVarDecl(VarDecl *variable) {
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
  bool VisitFunctionDecl(FunctionDecl *function) {
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

Registrars::Registrars(ASTContext &context, llvm::ArrayRef<Decl *> decls)
    : uses(context) {
  Finder finder(/*afterMain=*/false);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
  waiting = std::move(finder.found);
  for (NamedDecl *registrar : waiting)
    if (const auto *variable = dyn_cast<VarDecl>(registrar))
      uses.add(variable);
    else
      uses.add(cast<FunctionDecl>(registrar));
  uses.run();
}

const VarDecl *
Registrars::writtenBy(const NamedDecl *registrar,
                      llvm::function_ref<bool(const VarDecl *)> used) {
  llvm::SetVector<const NamedDecl *> reached;
  reached.insert(registrar);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto own = uses.facts.find(reached[i]);
    if (own == uses.facts.end())
      continue;
    for (const VarDecl *variable : own->second.writes)
      if (variable != registrar->getCanonicalDecl() && used(variable))
        return variable;
    for (const FunctionDecl *callee : own->second.callees)
      reached.insert(callee);
  }
  return nullptr;
}

Registrars::Found
Registrars::next(llvm::function_ref<bool(const VarDecl *)> used) {
  for (NamedDecl *&registrar : waiting) {
    const auto *variable = dyn_cast<VarDecl>(registrar);
    if (variable && used(variable->getCanonicalDecl()))
      continue; // its initialiser runs for its own sake
    if (const VarDecl *written = writtenBy(registrar, used)) {
      Found found = {registrar, written};
      waiting.erase(waiting.begin() + (&registrar - waiting.data()));
      return found;
    }
  }
  return {};
}

} // namespace xcc
