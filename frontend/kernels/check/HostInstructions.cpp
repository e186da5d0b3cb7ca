// The host's instructions (x86 intrinsics) in code for other machines
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostInstructions.h"
#include "kernels/find/HeaderTemplates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// Prefixes of Clang's builtins, and of the device runtime's functions.
constexpr StringRef BuiltinPrefix = "__builtin_ia32_",
                    DevicePrefix = "__xcc_ia32_";

bool hasDeviceFunction(StringRef instruction) {
  static const llvm::StringSet<> names = {
#define INSTRUCTION(name) #name,
#include "HostInstructions.def"
#undef INSTRUCTION
  };
  return names.contains(instruction);
}
/// The name of a host builtin in HostInstructions.def. The device runtime
/// answers queries of the host's CPU as if they were instructions.
StringRef instructionOf(StringRef builtin) {
  if (builtin.consume_front(BuiltinPrefix))
    return builtin;
  if (builtin == "_mm_getcsr")
    return "stmxcsr";
  if (builtin == "_mm_setcsr")
    return "ldmxcsr";
  if (builtin.consume_front("_mm_") || builtin.consume_front("__builtin_cpu_"))
    return builtin;
  builtin.consume_front("__");
  return builtin;
}

bool isHosts(ASTContext &context, const FunctionDecl *function) {
  unsigned builtin = function->getBuiltinID();
  return builtin && (context.BuiltinInfo.isAuxBuiltinID(builtin) ||
                     function->getName().starts_with("__builtin_cpu_"));
}

/// The device runtime's function that implements a builtin; declared if needed.
FunctionDecl *deviceFunction(ASTContext &context, const FunctionDecl *builtin,
                             StringRef instruction) {
  TranslationUnitDecl *unit = context.getTranslationUnitDecl();
  IdentifierInfo &name = context.Idents.get((DevicePrefix + instruction).str());
  for (NamedDecl *known : unit->lookup(&name))
    if (auto *function = dyn_cast<FunctionDecl>(known))
      return function;
  SourceLocation at;
  auto *language = LinkageSpecDecl::Create(
      context, unit, at, at, LinkageSpecLanguageIDs::C, /*HasBraces=*/false);
  language->setImplicit();
  QualType type = builtin->getType();
  auto *function =
      FunctionDecl::Create(context, language, at, at, DeclarationName(&name),
                           type, /*TInfo=*/nullptr, SC_Extern);
  function->setImplicit();
  llvm::SmallVector<ParmVarDecl *> params;
  for (QualType param : type->castAs<FunctionProtoType>()->param_types())
    params.push_back(ParmVarDecl::Create(context, function, at, at, nullptr,
                                         param, nullptr, SC_None, nullptr));
  function->setParams(params);
  language->addDecl(function);
  unit->addDecl(language);
  return function;
}

} // namespace

void permitHostInstructions(TargetInfo &machine) {
  TargetOptions &options = machine.getTargetOpts();
  // These three together have all features of Intel's and AMD's processors.
  for (StringRef cpu : {"diamondrapids", "bdver4", "znver5"}) {
    llvm::SmallVector<StringRef> features;
    llvm::X86::getFeaturesForCPU(cpu, features);
    for (StringRef feature : features)
      if (options.FeatureMap.try_emplace(feature, true).second)
        options.FeaturesAsWritten.push_back(("+" + feature).str());
  }
}

bool translateHostInstruction(Sema &sema, CallExpr *call) {
  ASTContext &context = sema.getASTContext();
  FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !isHosts(context, callee))
    return true;
  StringRef instruction = instructionOf(callee->getName());
  if (!hasDeviceFunction(instruction))
    return false;
  FunctionDecl *function = deviceFunction(context, callee, instruction);
  call->setCallee(nameOf(context, function, call->getCallee()->getExprLoc()));
  return true;
}

} // namespace xcc
