// Device code calls host functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostCalls.h"
#include "FunctionAttribute.h"
#include "KernelFinder.h"
#include "Names.h"
#include "Report.h"
#include "link/Records.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace xcc {
namespace {

/// [[xcc::host]], which is XCC_HOST.
struct HostAttr : FunctionAttribute {
  HostAttr() {
    static constexpr Spelling spellings[] = {
        {ParsedAttr::AS_CXX11, "xcc::host"}};
    Spellings = spellings;
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    return annotate(sema, decl, attr, annotation::Host);
  }
};

ParsedAttrInfoRegistry::Add<HostAttr>
    registration("xcc-host", "a function that runs on the host");

std::optional<unsigned> functionParam(const FunctionDecl *callee) {
  for (unsigned i = 0, n = callee->getNumParams(); i < n; ++i) {
    const ParmVarDecl *param = callee->getParamDecl(i);
    if (param->hasAttrs() && isAnnotated(param, annotation::HostFunction))
      return i;
  }
  return std::nullopt;
}

FunctionDecl *instantiate(Sema &sema, llvm::StringRef name, FunctionDecl *fn,
                          llvm::ArrayRef<TemplateArgument> types,
                          SourceLocation at) {
  ASTContext &context = sema.getASTContext();
  TemplateArgument args[] = {
      TemplateArgument(fn, context.getPointerType(fn->getType())),
      TemplateArgument::CreatePackCopy(context, types)};
  for (FunctionTemplateDecl *tmpl : templatesNamed(context, name))
    return sema.InstantiateFunctionDeclaration(
        tmpl, TemplateArgumentList::CreateCopy(context, args), at);
  return nullptr;
}

Expr *nameOf(ASTContext &context, FunctionDecl *fn, SourceLocation at) {
  Expr *name =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(),
                          fn, false, at, fn->getType(), VK_LValue);
  return ImplicitCastExpr::Create(
      context, context.getPointerType(fn->getType()), CK_FunctionToPointerDecay,
      name, nullptr, VK_PRValue, FPOptionsOverride());
}

/// What becomes of an argument of a variadic function, as promoted_t says.
QualType promoted(ASTContext &context, QualType type) {
  type = context.getAdjustedParameterType(type.getNonReferenceType())
             .getUnqualifiedType();
  if (type->isSpecificBuiltinType(BuiltinType::Float))
    return context.DoubleTy;
  if (type->isIntegralType(context) &&
      context.getTypeSize(type) < context.getTypeSize(context.IntTy))
    return context.IntTy;
  return type;
}

/// The parameters' types as the function's type has them, which is how both
/// sides of a call name them: a ParmVarDecl may be `char *__restrict`.
llvm::SmallVector<TemplateArgument, 8> paramTypes(ASTContext &context,
                                                  const FunctionDecl *fn) {
  llvm::SmallVector<TemplateArgument, 8> types;
  for (QualType type :
       fn->getType()->castAs<FunctionProtoType>()->param_types())
    types.push_back(
        TemplateArgument(context.getCanonicalType(type).getUnqualifiedType()));
  return types;
}

/// The types a call's message is made of: the function's parameters, then what
/// a variadic call adds.
llvm::SmallVector<TemplateArgument, 8> messageTypes(ASTContext &context,
                                                    const FunctionDecl *fn,
                                                    const CallExpr *call,
                                                    unsigned firstArg) {
  auto types = paramTypes(context, fn);
  if (fn->isVariadic())
    for (unsigned i = firstArg + fn->getNumParams(); i < call->getNumArgs();
         ++i)
      types.push_back(
          TemplateArgument(promoted(context, call->getArg(i)->getType())));
  return types;
}

void prepareMarked(Sema &sema, CallExpr *call, FunctionDecl *fn, bool device) {
  ASTContext &context = sema.getASTContext();
  SourceLocation at = call->getExprLoc();
  const auto *method = dyn_cast<CXXMethodDecl>(fn);
  if (method && method->isInstance()) {
    if (!device) {
      report(sema, DiagnosticsEngine::Error, at,
             "a member function that needs an object cannot be marked as one "
             "that runs on the host");
      report(sema, DiagnosticsEngine::Note, fn->getLocation(),
             "%0 is declared here; make it static, or call it in a lambda "
             "that xcc::host_call runs")
          << fn;
    }
    return;
  }
  auto types = messageTypes(context, fn, call, 0);
  if (!instantiate(sema, "host_entry", fn, types, at) || !device)
    return;
  FunctionDecl *stub = instantiate(sema, "host_function", fn, types, at);
  if (!stub)
    return;
  sema.MarkFunctionReferenced(at, stub);
  call->setCallee(nameOf(context, stub, at));
}

void prepareHostCallOf(Sema &sema, CallExpr *call, unsigned param,
                       bool device) {
  ASTContext &context = sema.getASTContext();
  Expr *arg = call->getArg(param);
  if (!arg->getType()->isFunctionPointerType())
    return; // An object's entry is named by the header.
  FunctionDecl *fn = constantFunction(context, arg);
  if (fn && isAnnotated(fn, annotation::HostEntry))
    return; // A template's pattern, seen before.
  const auto *ref = dyn_cast<DeclRefExpr>(arg->IgnoreParenImpCasts());
  if (ref && isa<ParmVarDecl>(ref->getDecl()) &&
      isAnnotated(ref->getDecl(), annotation::HostFunction))
    return;
  if (!fn) {
    if (!device) {
      report(sema, DiagnosticsEngine::Error, arg->getExprLoc(),
             "a function that the host is to run must be known at compile "
             "time, and this pointer is only known at run time")
          << arg->getSourceRange();
      report(sema, DiagnosticsEngine::Note, arg->getExprLoc(),
             "pass the function's name, or a lambda that calls through the "
             "pointer");
    }
    return;
  }
  FunctionDecl *entry = instantiate(sema, "host_entry", fn,
                                    messageTypes(context, fn, call, param + 1),
                                    arg->getExprLoc());
  if (!entry || !device)
    return;
  sema.MarkFunctionReferenced(arg->getExprLoc(), entry);
  Expr *name = nameOf(context, entry, arg->getExprLoc());
  call->setArg(param, ImplicitCastExpr::Create(
                          context, arg->getType(), CK_BitCast, name, nullptr,
                          VK_PRValue, FPOptionsOverride()));
}

} // namespace

bool isHostCall(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee &&
         ((callee->hasAttrs() && isAnnotated(callee, annotation::Host)) ||
          functionParam(callee));
}

void prepareHostCall(Sema &sema, CallExpr *call) {
  FunctionDecl *callee = call->getDirectCallee();
  bool device = sema.getLangOpts().SYCLIsDevice;
  if (auto param = functionParam(callee)) {
    if (*param < call->getNumArgs())
      prepareHostCallOf(sema, call, *param, device);
  } else {
    prepareMarked(sema, call, callee, device);
  }
}

namespace {

/// Whether an object of the type holds pointers, which mean nothing to the
/// other side; refers to them by name.
std::string pointerIn(QualType type) {
  type = type.getCanonicalType();
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return pointerIn(array->getElementType());
  if (type->isAnyPointerType() || type->isReferenceType() ||
      type->isMemberPointerType())
    return "a pointer";
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return "";
  for (const CXXBaseSpecifier &base : record->bases())
    if (std::string found = pointerIn(base.getType()); !found.empty())
      return found;
  for (const FieldDecl *field : record->fields())
    if (!pointerIn(field->getType()).empty())
      return "the pointer '" + field->getNameAsString() + "'";
  return "";
}

/// Why a value of the type cannot be copied to the host, after "... "; empty
/// when it can. Where the host shares the device's memory, addresses mean the
/// same to both.
std::string whyNotCopied(ASTContext &context, QualType type, bool shared) {
  QualType to = type->isPointerType() || type->isReferenceType()
                    ? type->getPointeeType()
                    : QualType();
  if (to.isNull()) {
    if (!type.isTriviallyCopyableType(context))
      return "is not trivially copyable";
    if (std::string found = shared ? "" : pointerIn(type); !found.empty())
      return "holds " + found;
  } else if (to->isFunctionType()) {
    return "is a callback, which the host cannot call";
  } else if (!shared && !to->isVoidType() && !to->isIncompleteType()) {
    if (!to.isTriviallyCopyableType(context))
      return "points to what is not trivially copyable";
    if (std::string found = pointerIn(to); !found.empty())
      return "points to " + found +
             ", and what that points to would not be copied";
  }
  return "";
}

std::string whyNotMoved(ASTContext &context, const FunctionDecl *function,
                        bool shared) {
  QualType result = function->getReturnType();
  if (result->isReferenceType() ||
      (!shared && result->isPointerType() &&
       !result->getPointeeType()->isVoidType() &&
       !result->getPointeeType()->isIncompleteType()))
    return "it returns an address of host memory";
  if (!result->isVoidType() && !result.isTriviallyCopyableType(context))
    return "its result is not trivially copyable";
  for (const ParmVarDecl *param : function->parameters())
    if (std::string why = whyNotCopied(context, param->getType(), shared);
        !why.empty())
      return (param->getName().empty()
                  ? "a parameter "
                  : "parameter '" + param->getNameAsString() + "' ") +
             why;
  return "";
}

} // namespace

std::string whyNotGenerated(ASTContext &context, const FunctionDecl *function,
                            bool shared) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method && method->isInstance())
    return "it is called on an object";
  if (function->isVariadic())
    return "it is variadic, and not called by its name";
  return whyNotMoved(context, function, shared);
}

bool standardLibraryDefines(const FunctionDecl *function) {
  // This program has them too: libstdc++ brings libm, libc and libgcc_s.
  static llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary("libstdc++.so.6");
  ASTNameGenerator names(function->getASTContext());
  return library.isValid() &&
         library.getAddressOfSymbol(names.getName(function).c_str());
}

namespace {

/// The report of -foffload-host-calls.
void reportGenerated(Sema &sema, FunctionDecl *function, bool shared) {
  if (shared) { // nothing but values is copied
    report(sema, DiagnosticsEngine::Remark, function->getLocation(),
           "device code calls %0 on the host")
        << function;
    return;
  }
  std::string copied;
  for (const ParmVarDecl *param : function->parameters()) {
    QualType type = param->getType();
    bool refers = type->isPointerType() || type->isReferenceType();
    QualType to = refers ? type->getPointeeType() : QualType();
    copied += copied.empty() ? "" : ", ";
    copied += param->getName().empty() ? "'" + type.getAsString() + "'"
                                       : "'" + param->getNameAsString() + "'";
    copied += !refers                                       ? " by value"
              : !to->isVoidType() && to->isIncompleteType() ? " as it is"
              : to.isConstQualified()                       ? " in"
                                                            : " in and out";
  }
  if (function->isVariadic())
    copied += ", and what a call adds";
  report(sema, DiagnosticsEngine::Remark, function->getLocation(),
         "device code calls %0 on the host%1")
      << function << (copied.empty() ? "" : ": copies " + copied);
}

} // namespace

FunctionDecl *generateVariadicCall(Sema &sema, CallExpr *call, bool shared) {
  ASTContext &context = sema.getASTContext();
  FunctionDecl *fn = call->getDirectCallee();
  SourceLocation at = call->getExprLoc();
  if (!whyNotMoved(context, fn, shared).empty())
    return nullptr;
  auto types = messageTypes(context, fn, call, 0);
  for (const TemplateArgument &type :
       llvm::ArrayRef(types).drop_front(fn->getNumParams()))
    if (!whyNotCopied(context, type.getAsType(), shared).empty())
      return nullptr;
  FunctionDecl *entry =
      instantiate(sema, "generated_host_entry", fn, types, at);
  if (!entry || !sema.getLangOpts().SYCLIsDevice)
    return entry;
  FunctionDecl *stub =
      instantiate(sema, "generated_host_function", fn, types, at);
  if (!stub)
    return nullptr;
  sema.InstantiateFunctionDefinition(at, stub, /*Recursive=*/true,
                                     /*DefinitionRequired=*/true);
  call->setCallee(nameOf(context, stub, at));
  return stub;
}

FunctionDecl *generateHostCall(Sema &sema, FunctionDecl *function,
                               SourceLocation at, bool shared) {
  if (function->isVariadic()) { // each call has an entry already
    reportGenerated(sema, function, shared);
    return nullptr;
  }
  auto types = paramTypes(sema.getASTContext(), function);
  FunctionDecl *entry =
      instantiate(sema, "generated_host_entry", function, types, at);
  if (!entry)
    return nullptr;
  if (sema.getLangOpts().SYCLIsDevice)
    return instantiate(sema, "generated_host_function", function, types, at);
  reportGenerated(sema, function, shared);
  return nullptr;
}

std::vector<HostEntry> hostEntries(Sema &sema, llvm::StringRef unique) {
  ASTContext &context = sema.getASTContext();
  std::vector<HostEntry> entries;
  for (llvm::StringRef name :
       {"host_entry", "host_object_entry", "generated_host_entry"})
    for (FunctionTemplateDecl *tmpl : templatesNamed(context, name)) {
      llvm::SmallVector<FunctionDecl *> found(tmpl->specializations());
      for (FunctionDecl *decl : found) {
        if (decl->isDependentContext())
          continue;
        HostEntry entry;
        entry.decl = decl;
        std::string symbol = stableSymbol(context, decl, unique);
        entry.id = llvm::xxh3_64bits(symbol);
        const TemplateArgument &what =
            decl->getTemplateSpecializationArgs()->get(0);
        llvm::raw_string_ostream os(entry.name);
        if (what.getKind() == TemplateArgument::Declaration)
          what.getAsDecl()->printQualifiedName(os);
        else
          what.getAsType().print(os, context.getPrintingPolicy());
        entries.push_back(std::move(entry));
      }
    }
  llvm::sort(entries, [](const HostEntry &a, const HostEntry &b) {
    return a.id < b.id;
  });
  if (sema.getLangOpts().SYCLIsDevice)
    return entries;
  for (HostEntry &entry : entries) {
    sema.InstantiateFunctionDefinition(entry.decl->getLocation(), entry.decl,
                                       /*Recursive=*/true,
                                       /*DefinitionRequired=*/true,
                                       /*AtEndOfTU=*/true);
  }
  sema.PerformPendingInstantiations();
  return entries;
}

void numberHostEntries(llvm::Module &module,
                       llvm::ArrayRef<HostEntry> entries) {
  auto *i64 = llvm::Type::getInt64Ty(module.getContext());
  for (const HostEntry &entry : entries)
    if (llvm::Function *function = module.getFunction(entry.irName)) {
      function->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
          llvm::ConstantInt::get(i64, entry.id), function->getType()));
      function->eraseFromParent();
    }
}

void registerHostEntries(llvm::Module &module,
                         llvm::ArrayRef<HostEntry> entries) {
  using namespace llvm;
  LLVMContext &context = module.getContext();
  auto *ptr = llvm::PointerType::getUnqual(context);
  auto *i64 = llvm::Type::getInt64Ty(context);
  SmallVector<Constant *> rows;
  for (const HostEntry &entry : entries) {
    Function *function = module.getFunction(entry.irName);
    if (!function || function->isDeclaration())
      continue;
    Constant *text = ConstantDataArray::getString(context, entry.name);
    auto *name =
        new GlobalVariable(module, text->getType(), true,
                           GlobalValue::PrivateLinkage, text, ".xcc.str");
    name->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    rows.push_back(ConstantStruct::getAnon(
        context, {ConstantInt::get(i64, entry.id), function, name}));
  }
  if (rows.empty())
    return;
  auto *rowType = rows.front()->getType();
  auto *tableType = llvm::ArrayType::get(rowType, rows.size());
  auto *rowsTable = new GlobalVariable(
      module, tableType, true, GlobalValue::PrivateLinkage,
      ConstantArray::get(tableType, rows), ".xcc.host_entries");
  // An xcc_host_table, which is in the runtime's list while the module is
  // loaded.
  Constant *fields[] = {ConstantPointerNull::get(ptr), rowsTable,
                        ConstantInt::get(i64, rows.size())};
  Constant *value = ConstantStruct::getAnon(context, fields);
  auto *table = new GlobalVariable(module, value->getType(), false,
                                   GlobalValue::InternalLinkage, value,
                                   XCC_SYMBOL_HOST_TABLE);
  appendToGlobalCtors(module,
                      callWith(module, "__xcc_register_host_table",
                               "xcc_host_table_register", table),
                      101);
  appendToGlobalDtors(module,
                      callWith(module, "__xcc_unregister_host_table",
                               "xcc_host_table_unregister", table),
                      101);
}

} // namespace xcc
