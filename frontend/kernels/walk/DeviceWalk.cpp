// Walks all code that kernels reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceWalk.h"
#include "ConditionalCleanups.h"
#include "Names.h"
#include "SharedVariables.h"
#include "ValueParts.h"
#include "kernels/check/Report.h"
#include "kernels/find/ConfiguredLaunches.h"
#include "kernels/host/GeneratedEntries.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Scope.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {

void DeviceWalk::addEntry(const FunctionDecl *entry, SourceLocation launch,
                          llvm::StringRef kernel) {
  if (const FunctionDecl *definition = entry->getDefinition())
    if (edges.insert({definition, {nullptr, launch, kernel}}).second)
      work.push_back(definition);
}

void DeviceWalk::addStartupInitialiser(const NamedDecl *initialiser) {
  if (edges.insert({initialiser, {nullptr, initialiser->getLocation(), {}}})
          .second)
    work.push_back(initialiser);
}

std::vector<const FunctionDecl *> DeviceWalk::reachedFunctions() const {
  std::vector<const FunctionDecl *> functions;
  for (const auto &[code, edge] : edges)
    if (const auto *function = dyn_cast<FunctionDecl>(code))
      functions.push_back(function);
  return functions;
}

void DeviceWalk::addEntry(const VarDecl *entry) {
  llvm::SaveAndRestore<const NamedDecl *> none(current, nullptr);
  reachVariable(entry, entry->getLocation());
}

void DeviceWalk::addEntry(const CXXRecordDecl *entry) {
  llvm::SaveAndRestore<const NamedDecl *> none(current, nullptr);
  reachVTable(entry, entry->getLocation());
}

void DeviceWalk::run() {
  for (; next < work.size(); ++next) {
    current = work[next];
    walkOrDiscard(current);
  }
  current = nullptr;
}

template <class Set> static void shrink(Set &set, size_t size) {
  while (set.size() > size)
    set.pop_back();
}

void DeviceWalk::walkOrDiscard(const NamedDecl *code) {
  size_t functions = work.size(), tables = vtables.size(),
         globals = variables.size(), known = constants.size(),
         made = temporaries.size(), undefinedDecls = missing.size();
  if (const auto *function = dyn_cast<FunctionDecl>(code))
    walk(function);
  else
    walk(cast<VarDecl>(code));
  if (!isOmitted())
    return;
  for (const NamedDecl *other : llvm::drop_begin(work, functions))
    edges.erase(other);
  work.resize(functions);
  shrink(vtables, tables);
  shrink(variables, globals);
  shrink(constants, known);
  shrink(temporaries, made);
  shrink(missing, undefinedDecls);
}

bool DeviceWalk::TraverseLambdaExpr(LambdaExpr *lambda) {
  for (Expr *init : lambda->capture_inits())
    if (init)
      TraverseStmt(init);
  return true;
}
bool DeviceWalk::TraverseIfStmt(IfStmt *stmt) {
  bool value;
  const Expr *cond = stmt->getCond();
  if (cond && !cond->isValueDependent() && !stmt->hasVarStorage() &&
      cond->EvaluateAsBooleanCondition(value, context)) {
    if (Stmt *taken = value ? stmt->getThen() : stmt->getElse())
      TraverseStmt(taken);
    return true;
  }
  return EvaluatedCode::TraverseIfStmt(stmt);
}

bool DeviceWalk::VisitCallExpr(CallExpr *expr) {
  call(expr);
  return true;
}
bool DeviceWalk::VisitDeclRefExpr(DeclRefExpr *ref) {
  if (ref->isNonOdrUse() == NOUR_Unevaluated)
    return true;
  if (ref->isNonOdrUse() == NOUR_Constant) {
    if (const auto *name = dyn_cast<VarDecl>(ref->getDecl()))
      reachConstant(name, ref->getExprLoc());
    return true;
  }
  if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
    reach(function, ref->getExprLoc());
  else if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
    reachVariable(variable, ref->getExprLoc());
  return true;
}
bool DeviceWalk::VisitMemberExpr(MemberExpr *member) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(member->getMemberDecl()))
    reach(method, member->getExprLoc());
  else if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
    reachVariable(variable, member->getExprLoc());
  return true;
}
bool DeviceWalk::VisitCXXConstructExpr(CXXConstructExpr *expr) {
  const CXXConstructorDecl *constructor = expr->getConstructor();
  reach(constructor, expr->getExprLoc());
  // An object of the class has the vtable, which names each virtual function.
  reachVTable(constructor->getParent(), expr->getExprLoc());
  return true;
}
bool DeviceWalk::VisitCXXNewExpr(CXXNewExpr *expr) {
  reach(expr->getOperatorNew(), expr->getExprLoc());
  return true;
}
bool DeviceWalk::VisitAbstractConditionalOperator(
    AbstractConditionalOperator *expr) {
  keepBranches(sema, expr);
  return true;
}
bool DeviceWalk::VisitBinaryOperator(BinaryOperator *expr) {
  if (expr->isLogicalOp())
    keepBranches(sema, expr);
  return true;
}
bool DeviceWalk::VisitCXXDeleteExpr(CXXDeleteExpr *expr) {
  reach(expr->getOperatorDelete(), expr->getExprLoc());
  QualType type = expr->getDestroyedType();
  if (!type.isNull())
    reachDestructor(type, expr->getExprLoc());
  return true;
}
bool DeviceWalk::VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *expr) {
  reach(expr->getTemporary()->getDestructor(), expr->getExprLoc());
  return true;
}
bool DeviceWalk::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) {
  return TraverseStmt(expr->getExpr());
}
bool DeviceWalk::VisitCXXDefaultInitExpr(CXXDefaultInitExpr *expr) {
  return TraverseStmt(expr->getExpr());
}
bool DeviceWalk::VisitVarDecl(VarDecl *variable) {
  if (isBlockShared(variable) && !variable->hasGlobalStorage() &&
      !isa<ParmVarDecl>(variable)) {
    localShared(variable);
    return true;
  }
  if (!isBlockShared(variable) && hasBlockSharedPart(variable->getType()))
    partlyShared(variable);
  if (variable->hasGlobalStorage())
    reachVariable(variable, variable->getLocation());
  else
    reachDestructor(variable->getType(), variable->getLocation());
  return true;
}
bool DeviceWalk::VisitGCCAsmStmt(GCCAsmStmt *stmt) {
  assembly(stmt);
  return true;
}
bool DeviceWalk::VisitCoroutineBodyStmt(CoroutineBodyStmt *stmt) {
  coroutine(stmt->getBeginLoc());
  return true;
}

void DeviceWalk::walk(const FunctionDecl *function) {
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *init : constructor->inits())
      if (Expr *value = init->getInit())
        TraverseStmt(value);
  if (const auto *destructor = dyn_cast<CXXDestructorDecl>(function)) {
    const CXXRecordDecl *record = destructor->getParent();
    for (const FieldDecl *field : record->fields())
      reachDestructor(field->getType(), function->getLocation());
    for (const CXXBaseSpecifier &base : record->bases())
      reachDestructor(base.getType(), function->getLocation());
  }
  if (Stmt *body = function->getBody())
    TraverseStmt(body);
}

void DeviceWalk::walk(const VarDecl *variable) {
  if (Expr *init = const_cast<Expr *>(variable->getInit()))
    TraverseStmt(init);
  reachDestructor(variable->getType(), variable->getLocation());
}

void DeviceWalk::reachDestructor(QualType type, SourceLocation at) {
  const auto *record = context.getBaseElementType(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor() ||
      type->isReferenceType())
    return;
  if (const CXXDestructorDecl *destructor = record->getDestructor())
    reach(destructor, at);
}

void DeviceWalk::reachVTable(const CXXRecordDecl *record, SourceLocation at) {
  if (record->isDynamicClass() && vtables.insert(record))
    for (const CXXMethodDecl *method : record->methods())
      if (method->isVirtual() && !method->isPureVirtual())
        reach(method, at);
}

void DeviceWalk::reachValue(const APValue &value, QualType type,
                            SourceLocation at) {
  switch (value.getKind()) {
  case APValue::LValue: {
    APValue::LValueBase base = value.getLValueBase();
    if (const auto *decl = base.dyn_cast<const ValueDecl *>()) {
      if (const auto *function = dyn_cast<FunctionDecl>(decl))
        reach(function, at);
      else if (const auto *variable = dyn_cast<VarDecl>(decl))
        reachVariable(variable, at);
    } else if (const auto *temporary =
                   dyn_cast_or_null<MaterializeTemporaryExpr>(
                       base.dyn_cast<const Expr *>())) {
      if (const APValue *held = temporary->getOrCreateValue(false);
          held && temporaries.insert(temporary))
        reachValue(*held, temporary->getType(), at);
    }
    return;
  }
  case APValue::MemberPointer:
    if (const auto *method =
            dyn_cast_or_null<CXXMethodDecl>(value.getMemberPointerDecl()))
      reach(method, at);
    return;
  case APValue::Struct:
    if (const auto *record = type->getAsCXXRecordDecl();
        record && record->hasDefinition())
      reachVTable(record->getDefinition(), at);
    break;
  default:
    break;
  }
  eachPart(context, value, type, [&](const APValue &part, QualType partType) {
    reachValue(part, partType, at);
  });
}

static Rejection rejectionOf(const FunctionDecl *function) {
  if (function->hasAttrs() &&
      (isAnnotated(function, annotation::Launch) ||
       isAnnotated(function, ConfiguredLaunchAnnotation)))
    return Rejection::Launch;
  if (function->hasAttrs() && isAnnotated(function, annotation::Host))
    return Rejection::HostFunction;
  if (function->hasAttrs() && isAnnotated(function, annotation::HostEntry))
    return Rejection::HostEntry;
  if (!function->isExternC() || !function->getIdentifier())
    return Rejection::None;
  llvm::StringRef name = function->getName();
  if (name == "setjmp" || name == "_setjmp" || name == "longjmp" ||
      name == "siglongjmp" || name == "__sigsetjmp")
    return Rejection::Jump;
  if (name.starts_with("xcc_"))
    return Rejection::HostRuntime;
  return Rejection::None;
}

void DeviceWalk::reach(const FunctionDecl *function, SourceLocation at) {
  if (!function)
    return;
  if (Rejection rejection = rejectionOf(function);
      rejection != Rejection::None) {
    rejected(rejection, at);
    return;
  }
  if ((function->isImplicit() && !function->hasBody()) ||
      function->getBuiltinID() || function->isConsteval())
    return;
  if (function->isDeleted() || function->isPureVirtual() ||
      (function->isTrivial() && !function->hasBody()))
    return;
  // A closure converts to a pointer to its static invoker.
  if (const auto *method = dyn_cast<CXXMethodDecl>(function))
    if (method->isLambdaStaticInvoker())
      function = method->getParent()->getLambdaCallOperator();
  ownInstantiation(function, at);
  const FunctionDecl *definition = function->getDefinition();
  names(definition ? definition : function, at);
  if (!definition) {
    reachUndefined(function, at);
    return;
  }
  if (definition->isDefaulted() && !definition->hasBody())
    return;
  if (edges.insert({definition, {current, at, {}}}).second)
    work.push_back(definition);
}

bool DeviceWalk::lacksInstantiation(TemplateSpecializationKind kind,
                                    const Decl *decl) const {
  // The CPU device links the host's libraries, which have the instantiation.
  return kind == TSK_ExplicitInstantiationDeclaration &&
         sema.getLangOpts().SYCLIsDevice &&
         !(target.sharesHostMemory() && inSystemHeader(decl));
}
namespace {
/// A scope for builtins that instantiated code uses first (memcpy of a copied
/// array): at the end of the translation unit, Sema's own scope is gone.
class LateScope {
public:
  explicit LateScope(Sema &sema)
      : scope(nullptr, Scope::DeclScope, sema.getDiagnostics()),
        restored(sema.TUScope, sema.TUScope ? sema.TUScope : &scope) {
    scope.setEntity(sema.getASTContext().getTranslationUnitDecl());
  }

private:
  Scope scope;
  llvm::SaveAndRestore<Scope *> restored;
};
} // namespace

void DeviceWalk::ownInstantiation(const FunctionDecl *function,
                                  SourceLocation at) {
  if (!lacksInstantiation(function->getTemplateSpecializationKind(), function))
    return;
  auto *own = const_cast<FunctionDecl *>(function);
  own->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
  // Implicit code may use its other members.
  if (auto *record =
          dyn_cast<ClassTemplateSpecializationDecl>(own->getParent());
      record &&
      record->getSpecializationKind() == TSK_ExplicitInstantiationDeclaration) {
    record->setSpecializationKind(TSK_ImplicitInstantiation);
    for (CXXMethodDecl *method : record->methods())
      if (method->getTemplateSpecializationKind() ==
              TSK_ExplicitInstantiationDeclaration &&
          method->getDefinition())
        method->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
  }
  const FunctionDecl *pattern = own->getTemplateInstantiationPattern();
  if (!own->getDefinition() && pattern && pattern->isDefined()) {
    const LateScope scope(sema);
    sema.InstantiateFunctionDefinition(at, own, /*Recursive=*/true);
    sema.PerformPendingInstantiations();
  }
}
void DeviceWalk::ownInstantiation(const VarDecl *variable, SourceLocation at) {
  if (!lacksInstantiation(variable->getTemplateSpecializationKind(), variable))
    return;
  for (VarDecl *decl : variable->redecls())
    decl->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
  const VarDecl *pattern = variable->getTemplateInstantiationPattern();
  if (!variable->getDefinition(context) && pattern &&
      pattern->getDefinition(context)) {
    sema.InstantiateVariableDefinition(at, const_cast<VarDecl *>(variable),
                                       /*Recursive=*/true);
    sema.PerformPendingInstantiations();
  }
}

void DeviceWalk::reachVariable(const VarDecl *reference, SourceLocation at) {
  if (!reference->hasGlobalStorage())
    return;
  names(reference, at);
  bool fresh = variables.insert(reference->getCanonicalDecl());
  if (!fresh && !eachUse)
    return;
  if (isBlockShared(reference)) {
    shared(reference);
    return;
  }
  if (hasBlockSharedPart(reference->getType()))
    partlyShared(reference);
  if (!sema.getLangOpts().SYCLIsDevice)
    return;
  ownInstantiation(reference, at);
  variable(reference, at);
  if (!fresh)
    return;
  const VarDecl *init = reference->getInitializingDeclaration();
  if (init && init->hasInit() && !init->getInit()->isValueDependent() &&
      init->hasConstantInitialization())
    if (const APValue *value = init->evaluateValue()) {
      llvm::SaveAndRestore inside(holder, reference);
      reachValue(*value, init->getType(), at);
      held(reference);
    }
  // Its initialiser runs on the device. That of a local variable is part of its
  // function.
  const VarDecl *made = reference->getDefinition(context);
  if (made && !made->isLocalVarDecl() && runsCode(made) &&
      edges.insert({made, {current, at, {}}}).second)
    work.push_back(made);
}

/// Reaches a constant whose value code uses without the variable: a reference,
/// or a constant that holds an address.
void DeviceWalk::reachConstant(const VarDecl *name, SourceLocation at) {
  QualType type = context.getBaseElementType(name->getType());
  const VarDecl *init = name->getInitializingDeclaration();
  if (!sema.getLangOpts().SYCLIsDevice || type->isArithmeticType() ||
      type->isEnumeralType() || !init || !init->hasInit() ||
      init->getInit()->isValueDependent() || !init->hasConstantInitialization())
    return;
  const bool fresh = constants.insert(name->getCanonicalDecl());
  if (!fresh && !eachUse)
    return;
  if (const APValue *value = init->evaluateValue())
    reachValue(*value, init->getType(), at);
}

void DeviceWalk::reachUndefined(const FunctionDecl *function,
                                SourceLocation at) {
  llvm::StringRef name =
      function->getIdentifier() ? function->getName() : llvm::StringRef();
  if (!name.starts_with("__xcc_") &&
      !isAnnotated(function, annotation::Export) &&
      missing.insert(function->getCanonicalDecl()))
    undefined(function, at);
}

bool DeviceWalk::runsCode(const VarDecl *definition) const {
  const VarDecl *init = definition->getInitializingDeclaration();
  return (init && init->hasInit() && !init->getInit()->isValueDependent() &&
          !init->hasConstantInitialization()) ||
         definition->needsDestruction(context) == QualType::DK_cxx_destructor;
}

bool DeviceWalk::inSystemHeader(const Decl *decl) const {
  return context.getSourceManager().isInSystemHeader(decl->getLocation());
}

bool DeviceWalk::inStandardLibrary(const FunctionDecl *function) const {
  return inSystemHeader(function) && standardLibraryDefines(function);
}

std::optional<std::string>
DeviceWalk::whyNotHostCall(const FunctionDecl *function) const {
  // The CPU device calls the C library directly. Which functions a GPU's
  // library has, the link knows.
  if (inStandardLibrary(function) &&
      (target.sharesHostMemory() || !function->isExternC()))
    return std::nullopt;
  return whyNotGenerated(context, function, target.sharesHostMemory());
}

namespace {

class ExportFinder : public DeclarationVisitor {
public:
  std::vector<FunctionDecl *> found;
  std::vector<VarDecl *> variables;
  explicit ExportFinder(ASTContext &context) : context(context) {}
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->isThisDeclarationADefinition() && !function->isDeleted() &&
        !function->isConsteval() && isExported(function) &&
        (!function->isDefaulted() || function->hasBody()))
      found.push_back(function);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->isFileVarDecl() && isExported(variable) &&
        variable->isThisDeclarationADefinition(context) !=
            VarDecl::DeclarationOnly)
      variables.push_back(variable);
    return true;
  }

private:
  ASTContext &context;

  /// Whether the declaration, its class, or the enclosing block of a namespace
  /// is marked.
  static bool isExported(const Decl *decl) {
    if (isAnnotated(decl, annotation::Export))
      return true;
    for (const DeclContext *scope = decl->getDeclContext(); scope;
         scope = scope->getParent())
      if (const auto *record = dyn_cast<CXXRecordDecl>(scope);
          record && isAnnotated(record, annotation::Export))
        return true;
    for (const DeclContext *scope = decl->getLexicalDeclContext(); scope;
         scope = scope->getLexicalParent())
      if (const auto *space = dyn_cast<NamespaceDecl>(scope);
          space && isAnnotated(space, annotation::Export))
        return true;
    return false;
  }
};

} // namespace

static ExportFinder exportsAmong(llvm::ArrayRef<Decl *> decls) {
  ExportFinder exports(decls.front()->getASTContext());
  for (Decl *decl : decls)
    exports.TraverseDecl(decl);
  return exports;
}

std::vector<FunctionDecl *> exportedFunctions(llvm::ArrayRef<Decl *> decls) {
  if (decls.empty())
    return {};
  return exportsAmong(decls).found;
}

std::vector<VarDecl *> exportedVariables(llvm::ArrayRef<Decl *> decls) {
  if (decls.empty())
    return {};
  return exportsAmong(decls).variables;
}

} // namespace xcc
