// Finds a translation unit's kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFinder.h"
#include "FunctionObjects.h"
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

  std::vector<FoundKernel> run(llvm::ArrayRef<KernelCall> calls,
                               llvm::ArrayRef<KernelPointer> pointers,
                               llvm::ArrayRef<FunctionDecl *> roots,
                               llvm::ArrayRef<FunctionDecl *> functions) {
    for (const KernelCall &found : calls)
      addCall(found);
    for (FunctionDecl *function : functions)
      addFunctionKernel(function, function->getLocation());
    for (const KernelPointer &pointer : pointers)
      addPointer(pointer);
    addObjectKernels();
    for (FunctionDecl *function : roots)
      if (canBeKernel(function))
        addRoot(function);
    return finish();
  }

private:
  Sema &sema;
  ASTContext &context;
  LaunchCheck check;
  llvm::StringRef unique;
  llvm::MapVector<FunctionDecl *, FoundKernel> kernels; // by entry
  llvm::DenseMap<const CXXRecordDecl *, std::vector<KernelCall>> objectCalls;

  void addCall(const KernelCall &found) {
    Expr *arg = found.call->getArg(found.param);
    QualType type = arg->getType();
    if (type->isFunctionPointerType() || type->isFunctionType()) {
      // A parameter that is itself marked holds a kernel already.
      if (forwardedKernel(arg)) {
        check.forwarded(found.call, found.param);
        return;
      }
      if (FunctionDecl *fn =
              check.function(found.call, found.param, found.function))
        if (FoundKernel *kernel =
                addFunctionKernel(fn, found.call->getExprLoc()))
          kernel->calls.push_back(found);
    } else if (const CXXRecordDecl *object = type->getAsCXXRecordDecl()) {
      objectCalls[object->getCanonicalDecl()].push_back(found);
      check.object(found.call, found.param, object);
    } else {
      check.notAKernel(found.call, found.param);
    }
  }

  FoundKernel *addFunctionKernel(FunctionDecl *fn, SourceLocation at) {
    FunctionDecl *entry = functionEntry(sema, fn, at);
    if (!entry)
      return nullptr;
    FoundKernel &kernel = kernels[entry];
    if (!kernel.entry) {
      kernel.entry = entry;
      kernel.function = fn;
      kernel.launch = at;
    }
    return &kernel;
  }

  void addPointer(const KernelPointer &pointer) {
    // Skip names in a template's pattern.
    if (pointer.function->isDependentContext() ||
        !check.pointedTo(pointer.function, pointer.at))
      return;
    if (FoundKernel *kernel = addFunctionKernel(pointer.function, pointer.at))
      kernel->pointedTo = true;
  }

  /// Whether a function can be a kernel. The program does not mark it as one,
  /// so a function that cannot is no error.
  bool canBeKernel(const FunctionDecl *fn) const {
    const auto *method = dyn_cast<CXXMethodDecl>(fn);
    if ((method && !method->isStatic()) || fn->isVariadic() || fn->isMain() ||
        !fn->getReturnType()->isVoidType() || !fn->isExternallyVisible())
      return false;
    return llvm::all_of(fn->parameters(), [&](const ParmVarDecl *param) {
      QualType type = param->getType();
      if (type->isReferenceType())
        return true;
      if (type->isFunctionPointerType() || type->isMemberPointerType() ||
          !sema.isCompleteType(param->getLocation(), type))
        return false;
      const CXXRecordDecl *record = type->getAsCXXRecordDecl();
      return !record || record->canPassInRegisters();
    });
  }

  void addRoot(FunctionDecl *fn) {
    FunctionDecl *entry = functionEntry(sema, fn, fn->getLocation());
    if (!entry || kernels.contains(entry))
      return;
    FoundKernel &kernel = kernels[entry];
    kernel.entry = entry;
    kernel.function = fn;
    kernel.launch = fn->getLocation();
    kernel.info.root = true;
  }

  void addObjectKernels() {
    FunctionTemplateDecl *tmpl = entryTemplate(context, "object_kernel");
    if (!tmpl)
      return;
    for (FunctionDecl *entry : tmpl->specializations()) {
      QualType object = objectOf(entry);
      if (object->isDependentType() || !entry->isUsed(false))
        continue;
      std::vector<KernelCall> calls = callsOf(object->getAsCXXRecordDecl());
      SourceLocation launch = calls.empty() ? entry->getPointOfInstantiation()
                                            : calls.front().call->getExprLoc();
      if (!check.objectKernel(entry, launch))
        continue;
      FoundKernel &kernel = kernels[entry];
      kernel.entry = entry;
      kernel.launch = launch;
      kernel.calls = std::move(calls);
      kernel.info.optional =
          isOfStandardAlgorithm(object->getAsCXXRecordDecl());
    }
  }

  /// Where the user launches an object. If a header of xcc wraps it in another,
  /// as parallel_for does: the calls that name the inner one.
  std::vector<KernelCall> callsOf(const CXXRecordDecl *object) const {
    std::vector<KernelCall> calls =
        objectCalls.lookup(object->getCanonicalDecl());
    if (!calls.empty() && !context.getSourceManager().isInSystemHeader(
                              calls.front().call->getExprLoc()))
      return calls;
    if (!object->hasDefinition())
      return calls;
    for (const FieldDecl *field : object->fields())
      if (const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl())
        if (auto outer = objectCalls.find(inner->getCanonicalDecl());
            outer != objectCalls.end())
          return outer->second;
    return calls;
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

std::vector<FoundKernel>
findKernels(Sema &sema, llvm::ArrayRef<KernelCall> calls,
            llvm::ArrayRef<KernelPointer> pointers,
            llvm::ArrayRef<FunctionDecl *> roots, LaunchDiagnostics diagnostics,
            const Warnings &warnings, llvm::StringRef unique,
            llvm::ArrayRef<FunctionDecl *> functions) {
  return Finder(sema, diagnostics, warnings, unique)
      .run(calls, pointers, roots, functions);
}

} // namespace xcc
