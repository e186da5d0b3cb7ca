// Finds a translation unit's kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFinder.h"
#include "KernelLayout.h"
#include "LaunchArguments.h"
#include "StableSymbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace xcc {
namespace {

class Finder {
public:
  Finder(Sema &sema, LaunchDiagnostics diagnostics, const Warnings &warnings,
         llvm::StringRef unique)
      : sema(sema), context(sema.getASTContext()),
        check(sema, diagnostics, warnings), unique(unique) {}

  std::vector<FoundKernel> run(llvm::ArrayRef<KernelCall> calls) {
    for (const KernelCall &found : calls)
      addCall(found);
    addObjectKernels();
    return finish();
  }

private:
  Sema &sema;
  ASTContext &context;
  LaunchCheck check;
  llvm::StringRef unique;
  llvm::MapVector<FunctionDecl *, FoundKernel> kernels; // by entry
  llvm::DenseMap<const CXXRecordDecl *, SourceLocation> objectLaunch;

  void addCall(const KernelCall &found) {
    Expr *arg = found.call->getArg(found.param);
    QualType type = arg->getType();
    if (type->isFunctionPointerType() || type->isFunctionType()) {
      // A parameter that is itself marked already holds a kernel.
      if (forwardedKernel(arg)) {
        check.forwarded(found.call, found.param);
        return;
      }
      if (FunctionDecl *fn =
              check.function(found.call, found.param, found.function))
        addFunctionKernel(fn, found.call);
    } else if (const CXXRecordDecl *object = type->getAsCXXRecordDecl()) {
      objectLaunch.try_emplace(object->getCanonicalDecl(),
                               found.call->getExprLoc());
      check.object(found.call, found.param, object);
    } else {
      check.notAKernel(found.call, found.param);
    }
  }

  void addFunctionKernel(FunctionDecl *fn, CallExpr *call) {
    FunctionDecl *entry = functionEntry(sema, fn, call->getExprLoc());
    if (!entry)
      return;
    FoundKernel &kernel = kernels[entry];
    if (kernel.entry)
      return;
    kernel.entry = entry;
    kernel.function = fn;
    kernel.launch = call->getExprLoc();
  }

  void addObjectKernels() {
    FunctionTemplateDecl *tmpl = entryTemplate(context, "object_kernel");
    if (!tmpl)
      return;
    for (FunctionDecl *entry : tmpl->specializations()) {
      const TemplateArgumentList *args = entry->getTemplateSpecializationArgs();
      QualType object = args->get(0).getAsType();
      if (object->isDependentType() || !entry->isUsed(false))
        continue;
      SourceLocation launch = launchOf(object->getAsCXXRecordDecl());
      if (launch.isInvalid())
        launch = entry->getPointOfInstantiation();
      if (!check.object(object, args->get(1).pack_elements(), launch))
        continue;
      FoundKernel &kernel = kernels[entry];
      kernel.entry = entry;
      kernel.launch = launch;
    }
  }

  /// Where the user launches an object: for one that a header of ours wraps in
  /// another, as parallel_for does, the call that names the inner one.
  SourceLocation launchOf(const CXXRecordDecl *object) const {
    SourceLocation at = objectLaunch.lookup(object->getCanonicalDecl());
    if (at.isValid() && !context.getSourceManager().isInSystemHeader(at))
      return at;
    if (!object->hasDefinition())
      return at;
    for (const FieldDecl *field : object->fields())
      if (const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl())
        if (SourceLocation outer =
                objectLaunch.lookup(inner->getCanonicalDecl());
            outer.isValid())
          return outer;
    return at;
  }

  std::vector<FoundKernel> finish() {
    std::vector<FoundKernel> list;
    for (auto &[entry, kernel] : kernels) {
      describeKernel(sema, kernel);
      list.push_back(std::move(kernel));
    }
    for (FoundKernel &kernel : list) {
      kernel.info.symbol = stableSymbol(context, kernel.entry, unique);
      kernel.info.external = kernel.entry->isExternallyVisible();
    }
    llvm::sort(list, [](const FoundKernel &a, const FoundKernel &b) {
      return std::tie(a.info.file, a.info.line, a.info.column, a.info.name,
                      a.info.symbol) < std::tie(b.info.file, b.info.line,
                                                b.info.column, b.info.name,
                                                b.info.symbol);
    });
    llvm::StringMap<SourceLocation> launches;
    for (FoundKernel &kernel : list) {
      auto [first, fresh] =
          launches.insert({kernel.info.symbol, kernel.launch});
      if (!fresh)
        check.sameSymbol(kernel.launch, first->second);
    }
    makeNamesDiffer(list);
    return list;
  }
};

} // namespace

FunctionDecl *byValueForm(Sema &sema, const FoundKernel &kernel) {
  ASTContext &context = sema.getASTContext();
  llvm::SmallVector<TemplateArgument, 8> params;
  llvm::SmallVector<TemplateArgument, 2> args;
  if (kernel.function) {
    args.push_back(TemplateArgument(
        kernel.function, context.getPointerType(kernel.function->getType())));
    for (const ParmVarDecl *param : kernel.function->parameters())
      params.push_back(TemplateArgument(param->getType()));
  } else {
    const TemplateArgumentList *given =
        kernel.entry->getTemplateSpecializationArgs();
    args.push_back(given->get(0));
    llvm::append_range(params, given->get(1).pack_elements());
  }
  args.push_back(TemplateArgument::CreatePackCopy(context, params));
  for (FunctionTemplateDecl *tmpl : templatesNamed(
           context, kernel.function ? "function_values" : "object_values"))
    return sema.InstantiateFunctionDeclaration(
        tmpl, TemplateArgumentList::CreateCopy(context, args), kernel.launch);
  return nullptr;
}

std::vector<FoundKernel> findKernels(Sema &sema,
                                     llvm::ArrayRef<KernelCall> calls,
                                     LaunchDiagnostics diagnostics,
                                     const Warnings &warnings,
                                     llvm::StringRef unique) {
  return Finder(sema, diagnostics, warnings, unique).run(calls);
}

} // namespace xcc
