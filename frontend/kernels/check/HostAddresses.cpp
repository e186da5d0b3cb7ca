// Addresses of the host's variables among a launch's arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostAddresses.h"
#include "Report.h"
#include "kernels/find/LaunchArguments.h"
#include "kernels/walk/Accesses.h"
#include "kernels/walk/TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace xcc {

/// Collects the variables that scopes name.
class ScopeFinder : public TreeVisitor {
public:
  explicit ScopeFinder(ScopedVariables::Scopes &scopes) : scopes(scopes) {}

  bool VisitCXXConstructExpr(CXXConstructExpr *expr) override {
    const CXXRecordDecl *made = expr->getConstructor()->getParent();
    if (made->getIdentifier() && inXCC(made) &&
        (made->getName() == "map" || made->getName() == "host_registration"))
      look(expr);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier())
      return true;
    if (callee->getName().starts_with("xcc_data_"))
      scopes.unknown = true; // named in arrays
    else if (callee->getName().contains_insensitive("hostregister") ||
             callee->getName() == "xcc_memory_register" ||
             callee->getName() == "xcc_host_register")
      look(call);
    return true;
  }

private:
  ScopedVariables::Scopes &scopes;

  static bool inXCC(const Decl *decl) {
    const auto *space =
        dyn_cast<NamespaceDecl>(decl->getDeclContext()->getRedeclContext());
    return space && space->getIdentifier() && space->getName() == "xcc";
  }
  void look(const Stmt *stmt) {
    if (const auto *ref = dyn_cast_or_null<DeclRefExpr>(stmt))
      scopes.variables.insert(ref->getDecl());
    if (stmt)
      for (const Stmt *child : stmt->children())
        look(child);
  }
};

bool ScopedVariables::contains(const VarDecl *variable) {
  const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
  if (!function)
    return false;
  auto [known, fresh] = functions.try_emplace(function);
  if (fresh)
    ScopeFinder(known->second).TraverseStmt(function->getBody());
  return known->second.unknown || known->second.variables.contains(variable);
}

namespace {

/// The variable whose own memory contains the lvalue. Null if the lvalue is
/// reached through a pointer or reference, or the variable is not local.
const VarDecl *holder(const Expr *lvalue) {
  while (true) {
    lvalue = lvalue->IgnoreParens();
    if (const auto *member = dyn_cast<MemberExpr>(lvalue);
        member && !member->isArrow() &&
        !member->getMemberDecl()->getType()->isReferenceType()) {
      lvalue = member->getBase();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
      const auto *decay =
          dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
      if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      lvalue = decay->getSubExpr();
    } else {
      break;
    }
  }
  const auto *ref = dyn_cast<DeclRefExpr>(lvalue);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() &&
                 !variable->getType()->isReferenceType()
             ? variable
             : nullptr;
}

/// The container whose elements the address points to: `v.data()`, `&v[0]`.
/// Null for a container with an allocator other than std::allocator, as xcc's.
const Expr *containerOf(const Expr *address) {
  const Expr *object = nullptr;
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(address)) {
    const CXXMethodDecl *method = call->getMethodDecl();
    if (method && method->getIdentifier() &&
        (method->getName() == "data" || method->getName() == "c_str"))
      object = call->getImplicitObjectArgument();
  } else if (const auto *of = dyn_cast<UnaryOperator>(address);
             of && of->getOpcode() == UO_AddrOf) {
    const auto *element =
        dyn_cast<CXXOperatorCallExpr>(of->getSubExpr()->IgnoreParens());
    if (element && element->getOperator() == OO_Subscript)
      object = element->getArg(0);
  }
  const CXXRecordDecl *type =
      object ? object->IgnoreParenImpCasts()->getType()->getAsCXXRecordDecl()
             : nullptr;
  const auto *container =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(type);
  if (!container || !container->isInStdNamespace() ||
      !container->getIdentifier())
    return nullptr;
  if (container->getName() == "array")
    return object;
  if (container->getName() != "vector" &&
      container->getName() != "basic_string")
    return nullptr;
  const TemplateArgumentList &args = container->getTemplateArgs();
  const CXXRecordDecl *allocator =
      args[args.size() - 1].getKind() == TemplateArgument::Type
          ? args[args.size() - 1].getAsType()->getAsCXXRecordDecl()
          : nullptr;
  return allocator && allocator->isInStdNamespace() &&
                 allocator->getIdentifier() &&
                 allocator->getName() == "allocator"
             ? object
             : nullptr;
}

class Check {
public:
  Check(Sema &sema, ScopedVariables &scoped, Severity severity,
        SourceLocation launch)
      : sema(sema), scoped(scoped), severity(severity), launch(launch) {}

  /// Warns of each pointer in the value that is written as an address.
  void look(const Expr *value) {
    value = plain(value);
    if (const auto *list = dyn_cast<InitListExpr>(value)) {
      for (const Expr *init : list->inits())
        if (init)
          look(init);
      return;
    }
    if (const auto *list = dyn_cast<CXXParenListInitExpr>(value)) {
      for (const Expr *init : list->getInitExprs())
        look(init);
      return;
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(value)) {
      look(choice->getTrueExpr());
      look(choice->getFalseExpr());
      return;
    }
    if (const auto *sum = dyn_cast<BinaryOperator>(value);
        sum && sum->isAdditiveOp())
      value = plain(sum->getLHS());
    const Expr *at = nullptr;
    if (const auto *address = dyn_cast<UnaryOperator>(value);
        address && address->getOpcode() == UO_AddrOf)
      at = address->getSubExpr();
    else if (value->getType()->isArrayType())
      at = value; // it has decayed
    const Expr *container = containerOf(value);
    if (container)
      at = container;
    const VarDecl *variable = at ? holder(at->IgnoreImpCasts()) : nullptr;
    if (!variable)
      return;
    if (scoped.contains(variable))
      return;
    report(sema, levelOf(severity), value->getExprLoc(),
           "the address of %select{|the elements of }0%1 is passed as a plain "
           "pointer, which is an address of host memory to a GPU "
           "[-Woffload-host-memory]")
        << (container != nullptr) << variable;
    report(sema, DiagnosticsEngine::Note, launch,
           "launched here; a reference or a std::span is mapped, and so is "
           "what a lambda captures by reference");
  }

private:
  Sema &sema;
  ScopedVariables &scoped;
  Severity severity;
  SourceLocation launch;
};

/// Whether a value of the type is a pointer to data, or has such a member.
bool takesPointers(QualType type) {
  if (type->isPointerType())
    return !type->isFunctionPointerType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->isAggregate();
}

} // namespace

void checkHostAddresses(Sema &sema, const CallExpr *call, unsigned param,
                        const FunctionDecl *kernel, ScopedVariables &scoped,
                        const Warnings &warnings) {
  // Clang applies -Werror only to its own warnings: `warnings` does it for
  // these.
  Severity severity = warnings.of(WarningGroup::HostMemory, Severity::Warning,
                                  sema.getDiagnostics());
  if (severity == Severity::Ignored)
    return;
  const Expr *launched = plain(call->getArg(param));
  Check check(sema, scoped, severity, launched->getExprLoc());
  if (const auto *lambda = dyn_cast<LambdaExpr>(launched)) {
    auto capture = lambda->capture_begin();
    for (const Expr *init : lambda->capture_inits()) {
      if (init && lambda->isInitCapture(capture) &&
          takesPointers(init->getType()))
        check.look(init);
      ++capture;
    }
  }
  if (!isLaunch(call))
    return;
  for (unsigned i = param + 1; i < call->getNumArgs(); ++i) {
    const Expr *arg = call->getArg(i);
    unsigned number = i - param - 1;
    QualType type = kernel && number < kernel->getNumParams()
                        ? kernel->getParamDecl(number)->getType()
                        : sema.Context.getAdjustedParameterType(arg->getType());
    if (takesPointers(type))
      check.look(arg);
  }
}

} // namespace xcc
