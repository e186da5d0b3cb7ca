// Definitions that a unit exports to other units' device code without a mark
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImplicitExports.h"
#include "Names.h"
#include "StartupInitialisers.h"
#include "kernels/find/HeaderTemplates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace xcc {
namespace {

class Finder {
public:
  Finder(Sema &sema, bool program)
      : context(sema.getASTContext()), program(program) {}

  void look(Decl *decl) {
    if (decl->isTemplated() || decl->isInvalidDecl())
      return;
    if (auto *function = dyn_cast<FunctionDecl>(decl))
      add(function);
    else if (auto *variable = dyn_cast<VarDecl>(decl))
      add(variable);
    else if (auto *friends = dyn_cast<FriendDecl>(decl))
      addInClass(friends->getFriendDecl());
    else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(decl) ||
             (isa<CXXRecordDecl>(decl) && decl->isInNamedModule()))
      for (Decl *inner : cast<DeclContext>(decl)->decls())
        look(inner);
  }

  /// Adds code that runs although no other unit names it.
  void addRunning(NamedDecl *decl) {
    auto *variable = dyn_cast<VarDecl>(decl);
    if (decl->isInvalidDecl() ||
        !seen.insert(variable ? variable->getCanonicalDecl() : decl).second)
      return;
    if (variable)
      found.variables.push_back(variable);
    else
      found.functions.push_back(cast<FunctionDecl>(decl));
  }

  ImplicitExports take() { return std::move(found); }

private:
  ASTContext &context;
  const bool program;
  ImplicitExports found;
  llvm::SmallPtrSet<const Decl *, 32> seen;

  /// A friend function that a class of a named module defines is not inline
  /// ([class.mfct]), so only the module's unit has it.
  void addInClass(NamedDecl *befriended) {
    auto *function = dyn_cast_or_null<FunctionDecl>(befriended);
    if (function && !function->isTemplated() && !function->isInvalidDecl())
      add(function);
  }

  void add(FunctionDecl *function) {
    if (!function->isThisDeclarationADefinition() || function->isDeleted() ||
        function->isConsteval() || (function->isMain() && !program) ||
        function->isMultiVersion() || function->hasDefiningAttr() ||
        !isStrong(context.GetGVALinkageForFunction(function)) ||
        (function->hasAttrs() && isAnnotated(function, annotation::Host)) ||
        !seen.insert(function).second)
      return;
    found.functions.push_back(function);
    if (auto *method = dyn_cast<CXXMethodDecl>(function);
        method && method->isVirtual())
      addClass(method);
  }

  void add(VarDecl *variable) {
    if (!variable->isFileVarDecl() ||
        variable->isThisDeclarationADefinition(context) ==
            VarDecl::DeclarationOnly ||
        !isStrong(context.GetGVALinkageForVariable(variable)) ||
        !seen.insert(variable->getCanonicalDecl()).second)
      return;
    // C may declare the variable again, with a value or a size.
    if (VarDecl *definition = variable->getDefinition(context))
      variable = definition;
    else if (VarDecl *last = variable->getActingDefinition())
      variable = last;
    found.variables.push_back(variable);
  }

  /// Adds the class if its virtual table is emitted with this function.
  void addClass(CXXMethodDecl *method) {
    CXXRecordDecl *record = method->getParent();
    bool ours =
        record->getTemplateSpecializationKind() ==
            TSK_ExplicitInstantiationDefinition ||
        context.getCurrentKeyFunction(record) == method->getCanonicalDecl();
    if (ours && seen.insert(record).second)
      found.classes.push_back(record);
  }

  /// Whether this object must define it, because no other object has to.
  static bool isStrong(GVALinkage linkage) {
    return linkage == GVA_StrongExternal || linkage == GVA_StrongODR;
  }
};

} // namespace

ImplicitExports findImplicitExports(Sema &sema, llvm::ArrayRef<Decl *> decls,
                                    bool program) {
  Finder finder(sema, program);
  for (Decl *decl : decls)
    finder.look(decl);
  if (program)
    for (NamedDecl *decl : aroundMain(decls))
      finder.addRunning(decl);
  return finder.take();
}

} // namespace xcc
