// Whether a call may wait for kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Waits.h"
#include "kernels/find/AlgorithmCalls.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/walk/BorrowedLocals.h"
#include "kernels/walk/TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace xcc {
namespace {

class Finder : public TreeVisitor {
public:
  explicit Finder(Waits &waits) : waits(waits) {}
  bool found = false;
  bool VisitCallExpr(CallExpr *call) override {
    found = found || waits.in(call);
    return !found;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    found = found || waits.in(made->getConstructor());
    return !found;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    found = found || (variable->hasLocalStorage() &&
                      !variable->getType()->isReferenceType() &&
                      waits.inDestructorOf(variable->getType()));
    return !found;
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return !found; }

private:
  Waits &waits;
};

StringRef named(const FunctionDecl *function) {
  return function->getIdentifier() ? function->getName() : StringRef();
}

/// Whether an object of the class waits for other threads, which may wait for a
/// device.
bool blocks(const CXXRecordDecl *record) {
  static constexpr StringRef names[] = {"thread",
                                        "jthread",
                                        "future",
                                        "shared_future",
                                        "condition_variable",
                                        "condition_variable_any",
                                        "barrier",
                                        "latch",
                                        "counting_semaphore"};
  return record->isInStdNamespace() && record->getIdentifier() &&
         llvm::is_contained(names, record->getName());
}

} // namespace

bool Waits::isLibrary(const Decl *decl) const {
  return context.getSourceManager().isInSystemHeader(decl->getLocation());
}

bool Waits::in(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee)
    return !isa<CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens());
  if (callee->getBuiltinID())
    return false;
  if (const auto *method = dyn_cast<CXXMethodDecl>(callee);
      method && method->isVirtual() && !method->hasAttr<FinalAttr>())
    return true;
  if (in(callee))
    return true;
  // The standard library calls functions and closures that it is given.
  if (isLibrary(callee) && !callee->isInStdNamespace())
    return false;
  return isLibrary(callee) &&
         llvm::any_of(call->arguments(), [&](const Expr *arg) {
           QualType type = arg->getType();
           return type->isFunctionPointerType() || isUsers(type);
         });
}

bool Waits::in(const FunctionDecl *function) {
  if (launchedBy(function))
    return false;
  if (inXCC(function)) {
    const auto *made = dyn_cast<CXXConstructorDecl>(function);
    return !function->isConstexpr() &&
           !(made && made->getParent()->hasTrivialDestructor());
  }
  if (named(function).starts_with("xcc_") || isAlgorithm(function))
    return true;
  if (isLibrary(function)) {
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    return method &&
           (isUsers(context.getCanonicalTagType(method->getParent())) ||
            blocks(method->getParent()));
  }
  const FunctionDecl *made = function->getDefinition();
  if (!made || !made->hasBody())
    return !function->isDefaulted() && !function->isImplicit();
  auto [known, fresh] = functions.insert({made, false});
  if (!fresh)
    return known->second; // a recursive call adds nothing
  Finder finder(*this);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(made))
    for (const CXXCtorInitializer *init : constructor->inits())
      finder.TraverseStmt(init->getInit());
  finder.TraverseStmt(made->getBody());
  return functions[made] = finder.found;
}

bool Waits::inDestructorOf(QualType type) {
  while (const ArrayType *array = context.getAsArrayType(type))
    type = array->getElementType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
    return false;
  if (inXCC(record))
    return true;
  auto [known, fresh] = destructors.insert({record, false});
  if (!fresh)
    return known->second;
  bool found = false;
  if (isLibrary(record)) {
    found = isUsers(type) || blocks(record);
  } else {
    if (const CXXDestructorDecl *own = record->getDestructor();
        own && own->isUserProvided())
      found = in(own);
    for (const FieldDecl *field : record->fields())
      found = found || inDestructorOf(field->getType());
    for (const CXXBaseSpecifier &base : record->bases())
      found = found || inDestructorOf(base.getType());
  }
  return destructors[record] = found;
}

/// Whether the class is the user's or xcc's, or a template of one: its members
/// may do anything. Closures may be called.
bool Waits::isUsers(QualType type, unsigned depth) const {
  type = type.getNonReferenceType();
  if (const auto *pointer = type->getAs<PointerType>())
    type = pointer->getPointeeType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || depth > 8)
    return false;
  if (inXCC(record) || record->isLambda())
    return true;
  if (!isLibrary(record))
    return !record->hasDefinition() ||
           !(record->isTrivial() || record->isAggregate());
  const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
  if (!made)
    return false;
  return usersAmong(made->getTemplateArgs().asArray(), depth);
}
bool Waits::usersAmong(llvm::ArrayRef<TemplateArgument> args,
                       unsigned depth) const {
  return llvm::any_of(args, [&](const TemplateArgument &arg) {
    if (arg.getKind() == TemplateArgument::Pack)
      return usersAmong(arg.pack_elements(), depth);
    return arg.getKind() == TemplateArgument::Type &&
           isUsers(arg.getAsType(), depth + 1);
  });
}

} // namespace xcc
