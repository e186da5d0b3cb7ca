// Entries on the host for calls from device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostEntries.h"
#include "Names.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/find/StableSymbols.h"
#include "link/Records.h"
#include "xcc/abi.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace xcc {

FunctionDecl *instantiateForHost(Sema &sema, llvm::StringRef name,
                                 FunctionDecl *fn,
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

/// The promoted type of a variadic argument, as in promoted_t.
static QualType promoted(ASTContext &context, QualType type) {
  type = context.getAdjustedParameterType(type.getNonReferenceType())
             .getUnqualifiedType();
  if (type->isSpecificBuiltinType(BuiltinType::Float))
    return context.DoubleTy;
  if (type->isIntegralType(context) &&
      context.getTypeSize(type) < context.getTypeSize(context.IntTy))
    return context.IntTy;
  return type;
}

llvm::SmallVector<TemplateArgument, 8> paramTypes(ASTContext &context,
                                                  const FunctionDecl *fn) {
  llvm::SmallVector<TemplateArgument, 8> types;
  for (QualType type :
       fn->getType()->castAs<FunctionProtoType>()->param_types())
    types.push_back(
        TemplateArgument(context.getCanonicalType(type).getUnqualifiedType()));
  return types;
}

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
        entry.isInternalToUnit = !decl->isExternallyVisible();
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
      if (entry.isInternalToUnit)
        module.getOrInsertNamedMetadata(OwnHostEntries);
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
  // An xcc_host_table, which the runtime lists while the module is loaded.
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
