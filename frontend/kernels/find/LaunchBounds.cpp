// [[xcc::launch_bounds(threads, blocks)]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A promise about a kernel's launches: at most `threads` in a block and, as a
// wish, at least `blocks` on a compute unit at once. Back ends derive from it
// how many registers a thread may use. The attribute is stored as an
// annotation, so that templates instantiate its arguments, and so that it
// equals XCC_LAUNCH_BOUNDS, which other compilers accept too.

#include "LaunchBounds.h"
#include "FunctionAttribute.h"
#include "KernelFinder.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace xcc {
namespace {

struct LaunchBoundsAttr : FunctionAttribute {
  LaunchBoundsAttr() {
    NumArgs = 1;
    OptArgs = 1;
    // Clang also matches attributes by their unscoped name when it parses their
    // arguments.
    static constexpr Spelling spellings[] = {
        {ParsedAttr::AS_CXX11, "xcc::launch_bounds"},
        {ParsedAttr::AS_CXX11, "launch_bounds"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    if (!attr.hasScope()) {
      sema.Diag(attr.getLoc(), diag::warn_unknown_attribute_ignored)
          << attr.getAttrName() << attr.getRange();
      return AttributeNotApplied;
    }
    llvm::SmallVector<Expr *, 2> args;
    for (unsigned i = 0; i < attr.getNumArgs(); ++i) {
      if (!attr.isArgExpr(i)) {
        sema.Diag(attr.getLoc(), diag::err_attribute_argument_type)
            << attr << AANT_ArgumentIntegerConstant;
        return AttributeNotApplied;
      }
      args.push_back(attr.getArgAsExpr(i));
    }
    return annotate(sema, decl, attr, annotation::LaunchBounds, args);
  }
};

ParsedAttrInfoRegistry::Add<LaunchBoundsAttr>
    registration("xcc-launch-bounds", "launch bounds of a kernel");

} // namespace

void readLaunchBounds(Sema &sema, const FunctionDecl *function,
                      Kernel &kernel) {
  if (!function)
    return;
  const AnnotateAttr *found = nullptr;
  for (const FunctionDecl *decl : function->redecls())
    for (const auto *attr : decl->specific_attrs<AnnotateAttr>())
      if (attr->getAnnotation() == annotation::LaunchBounds)
        found = attr;
  if (!found)
    return;
  ASTContext &context = sema.getASTContext();
  DiagnosticsEngine &diags = sema.getDiagnostics();
  uint32_t values[2] = {};
  unsigned index = 0;
  for (const Expr *arg : found->args()) {
    Expr::EvalResult result;
    uint64_t least = index ? 0 : 1, most = index ? 64 : 1024;
    if (index == 2)
      break;
    if (arg->isValueDependent() || !arg->EvaluateAsInt(result, context)) {
      diags.Report(
          arg->getExprLoc(),
          diags.getCustomDiagID(DiagnosticsEngine::Error,
                                "a launch bound must be an integer constant"));
      return;
    }
    llvm::APSInt value = result.Val.getInt();
    if (value.isNegative() || value.getActiveBits() > 32 ||
        value.getZExtValue() < least || value.getZExtValue() > most) {
      diags.Report(arg->getExprLoc(),
                   diags.getCustomDiagID(
                       DiagnosticsEngine::Error,
                       "a launch bound of %0 %select{threads in a block|blocks "
                       "on a compute unit}1 is out of range: %2 to %3"))
          << llvm::toString(value, 10) << index << unsigned(least)
          << unsigned(most);
      return;
    }
    values[index++] = value.getZExtValue();
  }
  kernel.maxThreads = values[0];
  kernel.minBlocks = values[1];
}

} // namespace xcc
