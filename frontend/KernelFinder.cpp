//===-- KernelFinder.cpp - Finds a translation unit's kernels
//--------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelFinder.h"
#include "HostCalls.h"
#include "KernelLayout.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

using namespace clang;

namespace xcc {

bool isAnnotated(const Decl *decl, llvm::StringRef text) {
  for (const auto *attr : decl->specific_attrs<AnnotateAttr>())
    if (attr->getAnnotation() == text)
      return true;
  return false;
}

namespace {

/// Visits code that exists after instantiation: never a template's pattern,
/// whose instantiations arrive as declarations of their own.
class CallVisitor : public RecursiveASTVisitor<CallVisitor> {
public:
  using Base = RecursiveASTVisitor<CallVisitor>;
  CallVisitor(ASTContext &context, std::vector<KernelCall> &calls,
              std::vector<CallExpr *> &hostCalls)
      : context(context), calls(calls), hostCalls(hostCalls) {}

  bool TraverseDecl(Decl *decl) {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    return Base::TraverseDecl(decl);
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    if (!lambda->isGenericLambda())
      return Base::TraverseLambdaExpr(lambda);
    for (Expr *init : lambda->capture_inits())
      if (init && !TraverseStmt(init))
        return false;
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (FunctionDecl *callee = call->getDirectCallee())
      if (auto param = kernelParam(callee);
          param && *param < call->getNumArgs()) {
        calls.push_back({call, *param});
        simplify(call, *param);
      }
    if (isHostCall(call))
      hostCalls.push_back(call);
    return true;
  }

  static std::optional<unsigned> kernelParam(const FunctionDecl *callee) {
    for (unsigned i = 0, n = callee->getNumParams(); i < n; ++i) {
      const ParmVarDecl *param = callee->getParamDecl(i);
      if (param->hasAttrs() && isAnnotated(param, "xcc.kernel"))
        return i;
    }
    return std::nullopt;
  }

private:
  ASTContext &context;
  std::vector<KernelCall> &calls;
  std::vector<CallExpr *> &hostCalls;

  /// Host lowering recognises a function's name in the argument, and constants
  /// that Clang itself folds; the rest of what is constant is made a name here.
  void simplify(CallExpr *call, unsigned param) {
    Expr *arg = call->getArg(param);
    if (!arg->getType()->isFunctionPointerType() ||
        isa<DeclRefExpr>(arg->IgnoreParenImpCasts()))
      return;
    FunctionDecl *fn = constantFunction(context, arg);
    if (!fn)
      return;
    Expr *name = DeclRefExpr::Create(
        context, NestedNameSpecifierLoc(), SourceLocation(), fn,
        /*RefersToEnclosingVariableOrCapture=*/false, arg->getExprLoc(),
        fn->getType(), VK_LValue);
    name =
        ImplicitCastExpr::Create(context, context.getPointerType(fn->getType()),
                                 CK_FunctionToPointerDecay, name, nullptr,
                                 VK_PRValue, FPOptionsOverride());
    if (!context.hasSameType(name->getType(), arg->getType()))
      name = ImplicitCastExpr::Create(context, arg->getType(), CK_BitCast, name,
                                      nullptr, VK_PRValue, FPOptionsOverride());
    call->setArg(param, name);
  }
};

/// Clang numbers closure types by where they are in its own order, which is
/// not the same in a host pass and a device pass. A symbol must be: so it says
/// where the lambda is written, and through which macro.
UnsignedOrNone lambdaNumber(ASTContext &context, const NamedDecl *decl) {
  const auto *record = dyn_cast<CXXRecordDecl>(decl);
  if (!record || !record->isLambda())
    return std::nullopt;
  const SourceManager &sources = context.getSourceManager();
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](SourceLocation loc) {
    for (unsigned word : {sources.getLineNumber(sources.getFileID(loc),
                                                sources.getFileOffset(loc)),
                          sources.getColumnNumber(sources.getFileID(loc),
                                                  sources.getFileOffset(loc))})
      hash = (hash ^ word) * 0x100000001b3;
  };
  add(sources.getExpansionLoc(record->getLocation()));
  add(sources.getSpellingLoc(record->getLocation()));
  return unsigned((hash ^ hash >> 32) & 0xffffff) + 2;
}

} // namespace

std::vector<FunctionTemplateDecl *> templatesNamed(ASTContext &context,
                                                   llvm::StringRef name) {
  std::vector<FunctionTemplateDecl *> found;
  for (NamedDecl *space :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get("xcc")))
    if (auto *ns = dyn_cast<NamespaceDecl>(space))
      for (NamedDecl *member : ns->lookup(&context.Idents.get(name)))
        if (auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
          found.push_back(tmpl);
  return found;
}

std::string stableSymbol(ASTContext &context, const FunctionDecl *function,
                         llvm::StringRef unique) {
  std::unique_ptr<MangleContext> mangler(ItaniumMangleContext::create(
      context, context.getDiagnostics(), lambdaNumber));
  std::string symbol;
  llvm::raw_string_ostream os(symbol);
  mangler->mangleName(GlobalDecl(function), os);
  if (!function->isExternallyVisible())
    os << "__" << unique;
  return symbol;
}

namespace {

class Finder {
public:
  Finder(Sema &sema, LaunchDiagnostics diagnostics, llvm::StringRef unique)
      : sema(sema), context(sema.getASTContext()), check(sema, diagnostics),
        unique(unique) {}

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

  FunctionTemplateDecl *entryTemplate(llvm::StringRef name) {
    for (FunctionTemplateDecl *tmpl : templatesNamed(context, name))
      if (isAnnotated(tmpl->getTemplatedDecl(), "xcc.entry"))
        return tmpl;
    return nullptr;
  }

  void addCall(const KernelCall &found) {
    Expr *arg = found.call->getArg(found.param);
    QualType type = arg->getType();
    if (type->isFunctionPointerType() || type->isFunctionType()) {
      if (forwardsParameter(arg))
        return;
      if (FunctionDecl *fn = check.function(found.call, found.param))
        addFunctionKernel(fn, found.call);
    } else if (const CXXRecordDecl *object = type->getAsCXXRecordDecl()) {
      objectLaunch.try_emplace(object, found.call->getExprLoc());
      check.object(found.call, found.param, object);
    } else {
      check.notAKernel(found.call, found.param);
    }
  }

  /// A parameter that is itself marked XCC_KERNEL already holds a kernel.
  static bool forwardsParameter(const Expr *arg) {
    const auto *ref = dyn_cast<DeclRefExpr>(arg->IgnoreParenImpCasts());
    return ref && isa<ParmVarDecl>(ref->getDecl()) &&
           isAnnotated(ref->getDecl(), "xcc.kernel");
  }

  void addFunctionKernel(FunctionDecl *fn, CallExpr *call) {
    FunctionTemplateDecl *tmpl = entryTemplate("function_kernel");
    if (!tmpl)
      return;
    QualType pointer = context.getPointerType(fn->getType());
    TemplateArgument arg(fn, pointer);
    auto *list = TemplateArgumentList::CreateCopy(context, arg);
    FunctionDecl *entry =
        sema.InstantiateFunctionDeclaration(tmpl, list, call->getExprLoc());
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
    FunctionTemplateDecl *tmpl = entryTemplate("object_kernel");
    if (!tmpl)
      return;
    for (FunctionDecl *entry : tmpl->specializations()) {
      const TemplateArgumentList *args = entry->getTemplateSpecializationArgs();
      QualType object = args->get(0).getAsType();
      if (object->isDependentType() || !entry->isUsed(false))
        continue;
      FoundKernel &kernel = kernels[entry];
      kernel.entry = entry;
      kernel.launch = launchOf(object->getAsCXXRecordDecl());
      if (kernel.launch.isInvalid())
        kernel.launch = entry->getPointOfInstantiation();
    }
  }

  /// Where the user launches an object: for one that a header of ours wraps in
  /// another, as parallel_for does, the call that names the inner one.
  SourceLocation launchOf(const CXXRecordDecl *object) const {
    SourceLocation at = objectLaunch.lookup(object);
    if (at.isValid() && !context.getSourceManager().isInSystemHeader(at))
      return at;
    for (const FieldDecl *field : object->fields())
      if (const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl())
        if (SourceLocation outer = objectLaunch.lookup(inner); outer.isValid())
          return outer;
    return at;
  }

  std::vector<FoundKernel> finish() {
    std::vector<FoundKernel> list;
    for (auto &[entry, kernel] : kernels) {
      describeKernel(sema, kernel);
      list.push_back(std::move(kernel));
    }
    llvm::sort(list, [](const FoundKernel &a, const FoundKernel &b) {
      return std::tie(a.info.file, a.info.line, a.info.column, a.info.name) <
             std::tie(b.info.file, b.info.line, b.info.column, b.info.name);
    });
    for (FoundKernel &kernel : list) {
      kernel.info.symbol = stableSymbol(context, kernel.entry, unique);
      kernel.info.external = kernel.entry->isExternallyVisible();
    }
    return list;
  }
};

} // namespace

bool usesLaunch(Sema &sema) {
  if (!sema.getLangOpts().CPlusPlus)
    return false;
  for (llvm::StringRef name : {"launch", "kernel_info_for"})
    for (FunctionTemplateDecl *tmpl :
         templatesNamed(sema.getASTContext(), name))
      if (tmpl->spec_begin() != tmpl->spec_end())
        return true;
  return false;
}

FunctionDecl *constantFunction(ASTContext &context, const Expr *arg) {
  Expr::EvalResult result;
  if (arg->isValueDependent() || !arg->EvaluateAsRValue(result, context) ||
      !result.Val.isLValue())
    return nullptr;
  const auto *decl = result.Val.getLValueBase().dyn_cast<const ValueDecl *>();
  return decl ? const_cast<FunctionDecl *>(dyn_cast<FunctionDecl>(decl))
              : nullptr;
}

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

void collectCalls(ASTContext &context, Decl *decl,
                  std::vector<KernelCall> &kernels,
                  std::vector<CallExpr *> &hostCalls) {
  CallVisitor(context, kernels, hostCalls).TraverseDecl(decl);
}

std::vector<FoundKernel> findKernels(Sema &sema,
                                     llvm::ArrayRef<KernelCall> calls,
                                     LaunchDiagnostics diagnostics,
                                     llvm::StringRef unique) {
  return Finder(sema, diagnostics, unique).run(calls);
}

} // namespace xcc
