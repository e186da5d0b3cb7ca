// Host code that uses elements of device memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostElements.h"
#include "Report.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/walk/TreeVisitor.h"
#include "kernels/walk/UseVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// The xcc::buffer or device_span that the pointer was converted from, or null.
const Expr *ownerOf(const Expr *pointer) {
  const auto *call =
      dyn_cast<CXXMemberCallExpr>(pointer->IgnoreParenImpCasts());
  const auto *conversion =
      call ? dyn_cast_or_null<CXXConversionDecl>(call->getMethodDecl())
           : nullptr;
  if (!conversion)
    return nullptr;
  const CXXRecordDecl *type = conversion->getParent();
  const auto *space =
      dyn_cast<NamespaceDecl>(type->getDeclContext()->getRedeclContext());
  return space && space->getIdentifier() && space->getName() == "xcc" &&
                 type->getIdentifier() &&
                 (type->getName() == "buffer" ||
                  type->getName() == "device_span")
             ? call->getImplicitObjectArgument()
             : nullptr;
}

class ElementFinder : public TreeVisitor {
public:
  explicit ElementFinder(const Functions &device) : device(device) {}

  /// The expression that uses an element, and the buffer.
  llvm::SmallVector<std::pair<const Expr *, const Expr *>, 4> found;

  bool TraverseDecl(Decl *decl) override {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    if (const auto *function = dyn_cast<FunctionDecl>(decl);
        function && device.contains(function->getDefinition()))
      return true;
    return TreeVisitor::TraverseDecl(decl);
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) override {
    const CXXMethodDecl *call = lambda->getCallOperator();
    if (lambda->isGenericLambda() || device.contains(call->getDefinition()))
      return true;
    return TraverseStmt(lambda->getBody());
  }
  // Skip operands that are not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }

  bool VisitUnaryOperator(UnaryOperator *unary) override {
    if (unary->getOpcode() == UO_AddrOf) {
      const Expr *of = unary->getSubExpr()->IgnoreParens();
      while (const auto *member = dyn_cast<MemberExpr>(of)) {
        if (member->isArrow())
          break;
        of = member->getBase()->IgnoreParens();
      }
      addressed.insert(of);
    } else if (unary->getOpcode() == UO_Deref) {
      note(unary, unary->getSubExpr());
    }
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) override {
    note(element, element->getBase());
    return true;
  }

private:
  const Functions &device;
  llvm::SmallPtrSet<const Expr *, 4> addressed;

  void note(const Expr *element, const Expr *pointer) {
    if (const Expr *owner = ownerOf(pointer);
        owner && !addressed.contains(element))
      found.push_back({element, owner});
  }
};

} // namespace

void checkHostElements(Sema &sema, llvm::ArrayRef<Decl *> decls,
                       llvm::ArrayRef<FoundKernel> kernels,
                       const Warnings &warnings) {
  Severity severity = warnings.of(WarningGroup::HostMemory, Severity::Warning,
                                  sema.getDiagnostics());
  if (severity == Severity::Ignored)
    return;
  UseVisitor device(sema.Context);
  for (const FoundKernel &kernel : kernels)
    if (kernel.function)
      device.add(kernel.function);
    else
      for (const FunctionDecl *call :
           callOperators(objectOf(kernel.entry)->getAsCXXRecordDecl()))
        device.add(call);
  device.run();
  ElementFinder finder(device.functions);
  for (Decl *decl : decls)
    if (!sema.getSourceManager().isInSystemHeader(decl->getLocation()))
      finder.TraverseDecl(decl);
  for (auto [element, owner] : finder.found) {
    const auto *name = dyn_cast<DeclRefExpr>(owner->IgnoreParenImpCasts());
    report(sema, levelOf(severity), element->getExprLoc(),
           "host code uses an element of %0, which is in a device's memory: a "
           "GPU's is not the host's; copy it with to_vector() or copy_to() "
           "[-Woffload-host-memory]")
        << (name ? "'" + name->getDecl()->getNameAsString() + "'"
                 : std::string("a buffer"));
  }
}

} // namespace xcc
