// Warnings for XCC_EXPORT where it has no effect
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExportMarks.h"
#include "Names.h"
#include "Report.h"
#include "kernels/walk/DeviceWalk.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// What XCC_EXPORT is on, and why it has no effect there; empty if it has one.
struct Fault {
  StringRef what, why;
};

constexpr Fault OwnName = {"", "no other translation unit can name it"};

Fault faultOf(const Decl *decl) {
  if (isa<EnumDecl>(decl))
    return {"an enumeration", "it has no code"};
  if (isa<TypedefNameDecl>(decl))
    return {"a name of a type", "it has no code; mark the type itself"};
  if (isa<FieldDecl>(decl))
    return {"a member of each object", "it has no code"};
  if (const auto *space = dyn_cast<NamespaceDecl>(decl))
    return space->isAnonymousNamespace()
               ? Fault{"an unnamed namespace", OwnName.why}
               : Fault{};
  const auto *named = dyn_cast<NamedDecl>(decl);
  if (!named || named->isExternallyVisible())
    return {};
  if (isa<FunctionDecl>(decl))
    return {"a function of this translation unit alone", OwnName.why};
  if (isa<CXXRecordDecl>(decl))
    return {"a class of this translation unit alone", OwnName.why};
  // Internal constants are excepted: each unit has its own, with equal values.
  if (const auto *variable = dyn_cast<VarDecl>(decl);
      variable && !variable->getType().isConstant(decl->getASTContext()))
    return {"a variable of this translation unit alone", OwnName.why};
  return {};
}

void check(Sema &sema, const Decl *decl) {
  if (decl->isImplicit() || decl->isInStdNamespace() ||
      sema.getSourceManager().isInSystemHeader(decl->getLocation()))
    return;
  for (const AnnotateAttr *mark : decl->specific_attrs<AnnotateAttr>())
    if (mark->getAnnotation() == annotation::Export && !mark->isInherited())
      if (Fault fault = faultOf(decl); !fault.what.empty())
        report(sema, DiagnosticsEngine::Warning,
               sema.getSourceManager().getExpansionLoc(mark->getLocation()),
               "XCC_EXPORT has no effect on %0: %1")
            << fault.what << fault.why;
  if (const auto *scope = dyn_cast<DeclContext>(decl);
      scope &&
      isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(decl))
    for (const Decl *member : scope->decls())
      check(sema, member);
}

} // namespace

void checkExportMarks(Sema &sema, llvm::ArrayRef<Decl *> decls) {
  for (const Decl *decl : decls)
    check(sema, decl);
}

} // namespace xcc
