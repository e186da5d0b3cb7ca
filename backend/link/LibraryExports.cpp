// What a shared library exports to device code that links it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryExports.h"
#include "Initialisers.h"
#include "LibraryImports.h"
#include "Names.h"
#include "Reached.h"
#include "ThreadVariables.h"
#include "block/Intrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc {
namespace {

std::string hexOf(uint64_t number) {
  return utohexstr(number, /*LowerCase=*/true, /*Width=*/16);
}

/// Whether it is memory that all threads of a device share and kernels may
/// write.
bool isVariable(const GlobalVariable &global) {
  return global.hasInitializer() && !global.isConstant() &&
         !global.isThreadLocal() && !block::isBlockShared(global) &&
         !global.hasAppendingLinkage() &&
         !global.hasAvailableExternallyLinkage() &&
         !global.getName().starts_with("llvm.") &&
         !global.getName().starts_with("__xcc_") && faultOf(global).empty();
}

StringRef nameOf(const GlobalVariable &variable) {
  return variable.getAttribute(attribute::Shared).getValueAsString();
}

std::string symbolOf(const GlobalVariable &variable) {
  return "__xcc_shared_" + hexOf(xxh3_64bits(nameOf(variable)));
}

/// The named variables. Makes their names distinct, in the order of the link.
SmallVector<GlobalVariable *> namedIn(Module &module) {
  SmallVector<GlobalVariable *> named;
  StringSet<> taken;
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.hasAttribute(attribute::Shared))
      continue;
    std::string name = nameOf(variable).str();
    for (unsigned i = 2; !taken.insert(name).second; ++i)
      name = (nameOf(variable) + "#" + Twine(i)).str();
    variable.addAttribute(attribute::Shared, name);
    named.push_back(&variable);
  }
  return named;
}

void forget(GlobalVariable &variable) {
  variable.setAttributes(variable.getAttributes().removeAttribute(
      variable.getContext(), attribute::Shared));
}

std::string lineOf(const GlobalObject &object, StringRef hash) {
  return "f\t" + hash.str() + "\t" + nameOfTaken(object) + "\n";
}

/// Marks the functions and constants that others may take, and adds their
/// lines.
void describeTaken(Module &module, StringRef library, std::string &text) {
  StringSet<> lines;
  auto add = [&](GlobalObject &object, uint64_t number) -> std::string {
    std::string hash = hexOf(number);
    std::string line = lineOf(object, hash);
    if (lines.insert(line).second)
      text += line;
    return (library + "\t" + hash).str();
  };
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(attribute::Taken,
                         add(function, StructuralHash(function, true)));
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer() && variable.isConstant() &&
        !variable.hasPrivateLinkage() &&
        !variable.getName().starts_with("llvm."))
      variable.addAttribute(attribute::Taken,
                            add(variable, StructuralHash(variable)));
}

/// Makes hidden values, which only the library may name, internal.
void hide(Module &module) {
  for (GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && value.hasHiddenVisibility()) {
      if (auto *object = dyn_cast<GlobalObject>(&value))
        object->setComdat(nullptr);
      value.setVisibility(GlobalValue::DefaultVisibility);
      value.setLinkage(GlobalValue::InternalLinkage);
    }
}

} // namespace

void nameShared(Module &unit) {
  for (GlobalVariable &global : unit.globals()) {
    if (!isVariable(global))
      continue;
    std::string name = global.getName().str();
    if (global.hasLocalLinkage())
      name += "@" + sys::path::filename(unit.getSourceFileName()).str();
    else if (global.hasHiddenVisibility())
      name += "@";
    global.addAttribute(attribute::Shared, name);
  }
}

void SharedVariables::expose(Module &module) {
  std::lock_guard lock(mutex);
  SmallVector<GlobalVariable *> wanted;
  for (GlobalVariable *variable : namedIn(module)) {
    if (reasons.contains(nameOf(*variable)))
      forget(*variable);
    else
      wanted.push_back(variable);
  }
  visitNeeds(module, wanted, [&](GlobalVariable &variable, const auto &needs) {
    std::vector<std::string> lacking;
    for (const GlobalObject *object : needs) {
      if (StringRef fault = faultOf(*object); !fault.empty()) {
        reasons[nameOf(variable)] = fault.rtrim().str();
        forget(variable);
        return;
      }
      if (object->isDeclaration())
        lacking.push_back(object->getName().str());
    }
    lacks[nameOf(variable)] = std::move(lacking);
    if (variable.hasLocalLinkage())
      return;
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalValue::ExternalLinkage);
  });
}

bool SharedVariables::giveUp(ArrayRef<std::string> lacking, StringRef reason) {
  std::lock_guard lock(mutex);
  bool any = false;
  for (const auto &[name, own] : lacks) {
    if (reasons.contains(name))
      continue;
    if (lacking.empty()) {
      reasons[name] = reason.rtrim().str();
      any = true;
      continue;
    }
    auto missing = find_if(
        own, [&](StringRef symbol) { return is_contained(lacking, symbol); });
    if (missing == own.end())
      continue;
    reasons[name] = "nothing in the library's link defines '" +
                    demangle(*missing) + "' for a device";
    any = true;
  }
  return any;
}

std::string SharedVariables::whyNot(StringRef name) const {
  std::lock_guard lock(mutex);
  return reasons.lookup(name);
}

bool isShared(const GlobalValue &value) {
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->hasAttribute(attribute::Shared);
}

std::vector<GlobalVariable *> sharedIn(Module &module) {
  std::vector<GlobalVariable *> list;
  for (GlobalVariable &variable : module.globals())
    if (isShared(variable))
      list.push_back(&variable);
  return list;
}

void shareNothing(Module &module) {
  for (GlobalVariable *variable : sharedIn(module))
    forget(*variable);
}

void nameExports(Module &module) {
  for (GlobalVariable *variable : sharedIn(module)) {
    variable->setName(symbolOf(*variable));
    variable->setLinkage(GlobalValue::ExternalLinkage);
    variable->setVisibility(GlobalValue::ProtectedVisibility);
  }
}

std::string makeExports(Module &module, StringRef library,
                        const KernelTable &kernels,
                        const SharedVariables &shared) {
  for (StringRef name : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used",
                         "llvm.compiler.used"})
    if (GlobalVariable *list = module.getGlobalVariable(name, true))
      list->eraseFromParent();
  for (const Kernel &kernel : kernels)
    if (Function *entry = module.getFunction(kernel.symbol);
        entry && entry->use_empty())
      entry->eraseFromParent();

  std::string text;
  for (GlobalVariable *variable : namedIn(module)) {
    std::string why = shared.whyNot(nameOf(*variable));
    if (!why.empty()) {
      variable->setInitializer(
          Constant::getNullValue(variable->getValueType()));
      variable->addAttribute(
          attribute::Fault,
          ("kernels of other programs cannot use the variable '" +
           demangle(nameOfVariable(variable->getName())) + "' of '" + library +
           "', whose value no device can make: " + why + "\n")
              .str());
      continue;
    }
    StringRef binding =
        variable->hasLocalLinkage() || variable->hasHiddenVisibility() ? "local"
        : variable->isWeakForLinker()                                  ? "weak"
                                      : "strong";
    SharedVariable row = {
        library.str(), symbolOf(*variable),
        module.getDataLayout().getTypeAllocSize(variable->getValueType()),
        binding.str(), variable->getName().str()};
    text += row.line();
    // The guard of a static variable has the same form everywhere.
    replaceByImport(*variable, row);
  }
  hide(module);
  dropUnreached(module, [](const GlobalValue &value) {
    return !value.isDeclaration() && !value.hasLocalLinkage();
  });
  describeTaken(module, library, text);
  if (text.empty())
    return "";
  return ("l\t" + library + "\t" + hexOf(xxh3_64bits(text)) + "\n").str() +
         text;
}

} // namespace xcc
