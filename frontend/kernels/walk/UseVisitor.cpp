// Which variables code reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UseVisitor.h"
#include "Names.h"
#include "SharedVariables.h"
#include "TreeVisitor.h"
#include "ValueParts.h"
#include "kernels/find/HeaderTemplates.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <functional>

using namespace clang;

namespace xcc {

static bool hasArrow(const CXXRecordDecl *record) {
  auto arrow =
      record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Arrow);
  if (!record->lookup(arrow).empty())
    return true;
  return llvm::any_of(record->bases(), [](const auto &base) {
    const CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl();
    return inner && inner->hasDefinition() && hasArrow(inner);
  });
}

/// Whether other objects are reached through a variable of the type, and may be
/// written.
static bool leads(QualType type) {
  if (type->isReferenceType() || type->isPointerType())
    return !type->getPointeeType().isConstQualified() &&
           !type->getPointeeType()->isFunctionType();
  // A class with operator-> works like a pointer.
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && hasArrow(record);
}

/// Whether the variable is a reference whose target is known at compile time.
static bool isConstantReference(const VarDecl *name) {
  return name->getType()->isReferenceType() && name->hasInit() &&
         !name->getInit()->isValueDependent() &&
         name->hasConstantInitialization();
}

/// Whether a value of the type may hold an address through which other objects
/// are written.
static bool permitsWrites(QualType type, unsigned depth = 0) {
  type = type->getBaseElementTypeUnsafe()->getCanonicalTypeInternal();
  if (type->isPointerType() || type->isReferenceType()) {
    QualType to = type->getPointeeType();
    return !to->isFunctionType() &&
           (!to.isConstQualified() || permitsWrites(to, depth + 1));
  }
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return false;
  // No type of a constant object nests deeper than this.
  if (!record->hasDefinition() || depth > 8)
    return true;
  return llvm::any_of(record->bases(),
                      [&](const CXXBaseSpecifier &base) {
                        return permitsWrites(base.getType(), depth + 1);
                      }) ||
         llvm::any_of(record->fields(), [&](const FieldDecl *field) {
           return permitsWrites(field->getType(), depth + 1);
         });
}

/// The function with the code. A lambda converts to a pointer to its static
/// invoker, which has none.
static const FunctionDecl *codeOf(const FunctionDecl *function) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  return method && method->isLambdaStaticInvoker()
             ? method->getParent()->getLambdaCallOperator()
             : function;
}

void UseVisitor::add(const FunctionDecl *function, SourceLocation at) {
  function = codeOf(function);
  const FunctionDecl *declared = function;
  function = function ? function->getDefinition() : nullptr;
  if (!function || function->isTemplated()) {
    if (declared && !function && current)
      facts[current].others.insert(declared->getCanonicalDecl());
    return;
  }
  if (device && device->contains(function)) {
    entered.insert({function, at});
    return;
  }
  if (current)
    facts[current].callees.insert(function);
  if (functions.insert(function).second)
    work.push_back(function);
}

/// Adds a function that is named but perhaps not called. Naming a kernel is no
/// call.
void UseVisitor::addNamed(const FunctionDecl *function, SourceLocation at) {
  const FunctionDecl *made = codeOf(function)->getDefinition();
  if (!made || !kernels || !kernels->contains(made))
    add(function, at);
}

void UseVisitor::add(const VarDecl *variable) {
  llvm::SaveAndRestore<const NamedDecl *> keep(current, variable);
  if (const Expr *init = variable->getInit())
    TraverseStmt(const_cast<Expr *>(init));
}

void UseVisitor::run() {
  for (size_t next = 0; next < work.size(); ++next) {
    const FunctionDecl *function = work[next];
    current = function;
    if (const auto *made = dyn_cast<CXXConstructorDecl>(function))
      for (const CXXCtorInitializer *init : made->inits())
        TraverseStmt(init->getInit());
    if (const auto *gone = dyn_cast<CXXDestructorDecl>(function)) {
      for (const FieldDecl *field : gone->getParent()->fields())
        addDestructor(field->getType(), function->getLocation());
      for (const CXXBaseSpecifier &base : gone->getParent()->bases())
        addDestructor(base.getType(), function->getLocation());
    }
    // The callers' uses of the variable are counted instead.
    if (followsReturned)
      for (const Expr *name : returnedBy(function).names)
        lookedAt.insert(name);
    TraverseStmt(function->getBody());
  }
  work.clear();
  current = nullptr;
}

bool UseVisitor::TraverseLambdaExpr(LambdaExpr *lambda) {
  // A use of such a capture in the body counts as a use of the variable.
  auto isAlias = [](const Expr *init) {
    const auto *ref = dyn_cast<DeclRefExpr>(init->IgnoreParens());
    const auto *name = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    return name && isConstantReference(name);
  };
  for (Expr *init : lambda->capture_inits())
    if (init && !isAlias(init))
      TraverseStmt(init);
  // The host does not run a body that kernels call.
  const FunctionDecl *body = lambda->getCallOperator()->getDefinition();
  if (!device || !device->contains(body))
    add(body);
  return true;
}
bool UseVisitor::VisitCallExpr(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (callee)
    add(callee, call->getExprLoc());
  if (keepsAddresses)
    lookedAt.insert(call->getCallee()->IgnoreParenImpCasts());
  if (const VarDecl *variable =
          callee && followsReturned ? returnedBy(callee).variable : nullptr)
    noteUse(variable,
            lookedAt.contains(call) || readThrough.contains(call) ||
                !permitsWrites(callee->getReturnType()),
            call->getExprLoc());
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (current && (!callee || (method && method->isVirtual())))
    facts[current].unknownCalls = true;
  return true;
}
bool UseVisitor::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) {
  return TraverseStmt(expr->getExpr());
}

/// What device code calls on the host is host code: only the arguments are
/// evaluated in the kernel.
bool UseVisitor::TraverseCallExpr(CallExpr *call) {
  const FunctionDecl *callee = device ? nullptr : call->getDirectCallee();
  const bool named = callee && callee->getIdentifier() &&
                     callee->getName() == "host_call" &&
                     callee->getQualifiedNameAsString() == "xcc::host_call";
  if (!named && !(callee && isAnnotated(callee, annotation::Host)))
    return EvaluatedCode::TraverseCallExpr(call);
  for (unsigned i = named; i < call->getNumArgs(); ++i)
    TraverseStmt(call->getArg(i));
  return true;
}

// Expressions that only read a variable.
bool UseVisitor::VisitCastExpr(CastExpr *cast) {
  const Expr *from = cast->getSubExpr();
  bool constant = cast->getType().isConstQualified() && cast->isLValue();
  if (const auto *pointer = cast->getType()->getAs<PointerType>();
      pointer && !keepsAddresses)
    constant |= pointer->getPointeeType().isConstQualified();
  if (cast->getCastKind() == CK_LValueToRValue ||
      cast->getCastKind() == CK_ToVoid || constant)
    look(from, !permitsWrites(cast->getType()));
  return true;
}
bool UseVisitor::VisitCXXMemberCallExpr(CXXMemberCallExpr *call) {
  if (const CXXMethodDecl *method = call->getMethodDecl();
      method &&
      (keepsAddresses ? !permitsWrites(call->getType()) : method->isConst()))
    look(call->getImplicitObjectArgument(), !permitsWrites(call->getType()));
  return true;
}
bool UseVisitor::VisitUnaryOperator(UnaryOperator *op) {
  if (keepsAddresses && op->isIncrementDecrementOp())
    look(op->getSubExpr(), /*value=*/true);
  return true;
}
bool UseVisitor::VisitBinaryOperator(BinaryOperator *op) {
  if (keepsAddresses && op->isAssignmentOp())
    look(op->getLHS(), /*value=*/true);
  return true;
}
bool UseVisitor::VisitDeclRefExpr(DeclRefExpr *ref) {
  // A constant reference is another name for a variable.
  if (ref->isNonOdrUse() == NOUR_Constant)
    if (const auto *name = dyn_cast<VarDecl>(ref->getDecl()))
      noteHeld(name, ref, ref->getExprLoc());
  if (ref->isNonOdrUse() != NOUR_None)
    return true;
  if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl())) {
    addNamed(function, ref->getExprLoc());
    if (keepsAddresses && !lookedAt.contains(ref))
      named.insert(function);
  } else if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
    note(variable, ref, ref->getExprLoc());
  else if (const auto *binding = dyn_cast<BindingDecl>(ref->getDecl()))
    noteBinding(binding, ref);
  return true;
}
bool UseVisitor::VisitMemberExpr(MemberExpr *member) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(member->getMemberDecl()))
    addNamed(method, member->getExprLoc());
  else if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
    note(variable, member, member->getExprLoc());
  return true;
}
bool UseVisitor::VisitCXXConstructExpr(CXXConstructExpr *expr) {
  add(expr->getConstructor(), expr->getExprLoc());
  if (followsUnnamed)
    for (const CXXMethodDecl *method :
         expr->getConstructor()->getParent()->methods())
      if (method->isVirtual())
        add(method, expr->getExprLoc());
  return true;
}
bool UseVisitor::VisitCXXNewExpr(CXXNewExpr *expr) {
  if (followsUnnamed)
    add(expr->getOperatorNew(), expr->getExprLoc());
  return true;
}
bool UseVisitor::VisitCXXDeleteExpr(CXXDeleteExpr *expr) {
  if (followsUnnamed)
    add(expr->getOperatorDelete(), expr->getExprLoc());
  addDestructor(expr->getDestroyedType(), expr->getExprLoc());
  return true;
}
bool UseVisitor::VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *expr) {
  addDestructor(expr->getType(), expr->getExprLoc());
  return true;
}
bool UseVisitor::VisitVarDecl(VarDecl *variable) {
  // Uses of the reference count as uses of the variable.
  if (isConstantReference(variable))
    look(variable->getInit(), /*value=*/false);
  if (!isa<ParmVarDecl>(variable) && !variable->hasGlobalStorage())
    addDestructor(variable->getType(), variable->getLocation());
  return true;
}

void UseVisitor::addDestructor(QualType type, SourceLocation at) {
  if (!followsUnnamed || type.isNull() || type->isReferenceType())
    return;
  const auto *record = context.getBaseElementType(type)->getAsCXXRecordDecl();
  if (record && record->hasDefinition() && !record->hasTrivialDestructor())
    add(record->getDestructor(), at);
}

/// The variable through which an expression is reached, over members, elements
/// and addresses.
static const Expr *root(const Expr *expr) {
  while (true) {
    expr = expr->IgnoreParens();
    const auto *unary = dyn_cast<UnaryOperator>(expr);
    const auto *sum = dyn_cast<BinaryOperator>(expr);
    if (const auto *member = dyn_cast<MemberExpr>(expr);
        member && isa<FieldDecl>(member->getMemberDecl()))
      expr = member->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else if (const auto *cast = dyn_cast<CastExpr>(expr))
      expr = cast->getSubExpr();
    else if (unary && (unary->getOpcode() == UO_AddrOf ||
                       unary->getOpcode() == UO_Deref))
      expr = unary->getSubExpr();
    else if (sum && sum->isAdditiveOp() && sum->getType()->isPointerType())
      expr = sum->getLHS()->getType()->isPointerType() ? sum->getLHS()
                                                       : sum->getRHS();
    else
      return expr;
  }
}

namespace {
/// Collects the values that a function returns. Skips lambdas and classes in
/// it, which have returns of their own.
class ReturnFinder : public TreeVisitor {
public:
  std::vector<const Expr *> found;
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool TraverseDecl(Decl *decl) override {
    return isa_and_nonnull<TagDecl>(decl) || TreeVisitor::TraverseDecl(decl);
  }
  bool VisitReturnStmt(ReturnStmt *stmt) override {
    if (const Expr *value = stmt->getRetValue())
      found.push_back(value);
    return true;
  }
};
} // namespace

const UseVisitor::Returned &
UseVisitor::returnedBy(const FunctionDecl *function) {
  auto [known, fresh] = returned.try_emplace(function->getCanonicalDecl());
  const FunctionDecl *made = function->getDefinition();
  QualType type = function->getReturnType();
  if (!fresh || !made || made->isTemplated() ||
      !(type->isReferenceType() || type->isPointerType()))
    return known->second;
  ReturnFinder returns;
  returns.TraverseStmt(made->getBody());
  Returned result;
  for (const Expr *value : returns.found) {
    const auto *ref = dyn_cast<DeclRefExpr>(root(value));
    const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    if (!variable || !variable->hasGlobalStorage() ||
        (result.variable && result.variable != variable))
      return known->second;
    result.variable = variable;
    result.names.push_back(ref);
  }
  return known->second = std::move(result);
}

/// Marks the variable of which the expression names the whole or a part as read
/// only. With `value`, nothing can be written through the value that is read.
void UseVisitor::look(const Expr *expr, bool value) {
  if (value)
    readThrough.insert(root(expr));
  while (true) {
    expr = expr->IgnoreParens();
    if (const auto *member = dyn_cast<MemberExpr>(expr);
        member && !member->isArrow() && isa<FieldDecl>(member->getMemberDecl()))
      expr = member->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else if (const auto *cast = dyn_cast<CastExpr>(expr);
             cast && cast->getCastKind() != CK_LValueToRValue)
      expr = cast->getSubExpr();
    else if (const auto *unary = dyn_cast<UnaryOperator>(expr);
             unary && unary->getOpcode() == UO_AddrOf)
      expr = unary->getSubExpr();
    else
      break;
  }
  lookedAt.insert(expr);
}

/// Reports the addresses in a variable's constant value.
static void
collectHeld(const ASTContext &context, const APValue &value, QualType type,
            llvm::function_ref<void(APValue::LValueBase, bool)> found) {
  if (value.isLValue()) {
    const QualType to = type->getPointeeType();
    found(value.getLValueBase(), !to.isNull() && to.isConstQualified());
  }
  eachPart(context, value, type, [&](const APValue &part, QualType partType) {
    collectHeld(context, part, partType, found);
  });
}

const UseVisitor::Held &UseVisitor::heldBy(const VarDecl *variable) {
  variable = variable->getCanonicalDecl();
  auto [known, fresh] = held.try_emplace(variable);
  const VarDecl *init = variable->getInitializingDeclaration();
  if (!fresh || !init || !init->hasInit() ||
      init->getInit()->isValueDependent() || !init->hasConstantInitialization())
    return known->second;
  Held made;
  llvm::SmallPtrSet<const Expr *, 4> temporaries;
  std::function<void(APValue::LValueBase, bool)> found =
      [&](APValue::LValueBase base, bool constant) {
        if (const auto *decl = base.dyn_cast<const ValueDecl *>()) {
          if (const auto *function = dyn_cast<FunctionDecl>(decl))
            made.functions.insert(function);
          else if (const auto *target = dyn_cast<VarDecl>(decl))
            (constant ? made.constants : made.variables)
                .insert(target->getCanonicalDecl());
          return;
        }
        const auto *temporary = dyn_cast_or_null<MaterializeTemporaryExpr>(
            base.dyn_cast<const Expr *>());
        const APValue *value =
            temporary ? temporary->getOrCreateValue(false) : nullptr;
        if (value && temporaries.insert(temporary).second)
          collectHeld(context, *value, temporary->getType(), found);
      };
  if (const APValue *value = init->evaluateValue())
    collectHeld(context, *value, init->getType(), found);
  return held[variable] = std::move(made);
}

/// Notes uses of the variables to which `name` leads: a reference, or a
/// constant that holds addresses.
void UseVisitor::noteHeld(const VarDecl *name, const Expr *ref,
                          SourceLocation at) {
  QualType type = context.getBaseElementType(name->getType());
  if (type->isArithmeticType() || type->isEnumeralType() ||
      context.getSourceManager().isInSystemHeader(name->getLocation()))
    return;
  bool through = readThrough.contains(ref);
  llvm::SmallSetVector<const VarDecl *, 4> names;
  names.insert(name);
  for (size_t i = 0; i < names.size(); ++i) {
    const Held &values = heldBy(names[i]);
    const bool read = through || (names[i]->getType()->isReferenceType() &&
                                  i == 0 && lookedAt.contains(ref));
    for (const VarDecl *target : values.constants)
      noteUse(target, /*read=*/true, at);
    for (const VarDecl *target : values.variables)
      noteUse(target, read, at);
    if (followsUnnamed)
      for (const FunctionDecl *target : values.functions)
        addNamed(target, at);
    names.insert_range(values.constants);
    names.insert_range(values.variables);
  }
}

/// Notes the part of a variable that a structured binding names, unless a
/// lambda captured the binding.
void UseVisitor::noteBinding(const BindingDecl *binding,
                             const DeclRefExpr *ref) {
  Expr *part = binding->getBinding();
  if (!part || part->isTypeDependent() ||
      ref->refersToEnclosingVariableOrCapture())
    return;
  if (lookedAt.contains(ref))
    look(part, readThrough.contains(ref));
  llvm::SaveAndRestore<SourceLocation> keep(boundAt, ref->getExprLoc());
  TraverseStmt(part);
}

/// What an initialiser that runs may leave in its variable: addresses of
/// variables, and functions that can be called through it.
const UseVisitor::Held &UseVisitor::leftIn(const VarDecl *variable) {
  variable = variable->getCanonicalDecl();
  auto [known, fresh] = left.try_emplace(variable);
  const VarDecl *init = variable->getInitializingDeclaration();
  if (!fresh || !init || !init->hasInit() ||
      init->getInit()->isValueDependent() ||
      init->hasConstantInitialization() || !permitsWrites(init->getType()))
    return known->second;
  UseVisitor initialiser(context);
  initialiser.keepsAddresses = true;
  initialiser.add(init);
  initialiser.run();
  Held made;
  for (const auto &[target, use] : initialiser.uses)
    if (target != variable && use.write.isValid())
      made.constants.insert(target);
  made.functions = initialiser.named;
  for (const FunctionDecl *function : initialiser.functions) {
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    if (!method)
      continue;
    if (method->getParent()->isLambda())
      made.functions.insert(method);
    if (isa<CXXConstructorDecl>(method))
      for (const CXXMethodDecl *other : method->getParent()->methods())
        if (other->isVirtual())
          made.functions.insert(other);
  }
  return left[variable] = std::move(made);
}

/// For a kernel: notes what it reaches through such a variable.
void UseVisitor::noteStillInUse(const VarDecl *variable, SourceLocation at) {
  if (!variable->hasGlobalStorage() || !followsUnnamed || device ||
      context.getSourceManager().isInSystemHeader(variable->getLocation()))
    return;
  const Held &values = leftIn(variable);
  for (const VarDecl *target : values.constants)
    noteUse(target, /*read=*/true, at);
  for (const FunctionDecl *target : values.functions)
    addNamed(target, at);
}

void UseVisitor::note(const VarDecl *variable, const Expr *ref,
                      SourceLocation at) {
  noteHeld(variable, ref, at);
  noteStillInUse(variable, at);
  if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
      variable->getTLSKind() != VarDecl::TLS_None)
    return;
  if (current && leads(variable->getType()))
    facts[current].leads.insert(variable->getCanonicalDecl());
  noteUse(variable, lookedAt.contains(ref), at);
}

void UseVisitor::noteUse(const VarDecl *variable, bool read,
                         SourceLocation at) {
  if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
      variable->getTLSKind() != VarDecl::TLS_None ||
      variable->getType().isConstant(context) ||
      variable->getType()->isReferenceType() ||
      context.getSourceManager().isInSystemHeader(variable->getLocation()) ||
      isBlockShared(variable))
    return;
  variable = variable->getCanonicalDecl();
  if (boundAt.isValid())
    at = boundAt;
  Use &use = uses[variable];
  SourceLocation &place = read ? use.read : use.write;
  if (place.isInvalid())
    place = at;
  if (!current)
    return;
  Facts &own = facts[current];
  (read ? own.reads : own.writes).insert(variable);
  if (!keepsEach)
    return;
  Use &mine = each[{current, variable}];
  SourceLocation &first = read ? mine.read : mine.write;
  if (first.isInvalid())
    first = at;
}

} // namespace xcc
