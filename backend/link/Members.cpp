// Chooses the device modules that take part in a link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Members.h"
#include "LibraryImports.h"
#include "ThreadVariables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace xcc {
namespace {

struct Symbols {
  std::vector<std::string> strong, weak, undefined;
  /// A shared library's exported variables, which are not in the module.
  std::vector<std::string> shared;
  bool initialises = false; ///< has code that runs before main
};

Symbols symbolsOf(const Module &module) {
  Symbols symbols;
  symbols.initialises =
      module.getGlobalVariable("llvm.global_ctors", /*AllowInternal=*/true);
  for (const GlobalValue &value : module.global_values()) {
    if (value.hasLocalLinkage() || value.getName().starts_with("llvm."))
      continue;
    std::string name = value.getName().str();
    if (value.isDeclarationForLinker()) {
      if (!value.hasExternalWeakLinkage())
        symbols.undefined.push_back(std::move(name));
    } else if (value.isStrongDefinitionForLinker()) {
      symbols.strong.push_back(std::move(name));
    } else {
      symbols.weak.push_back(std::move(name));
    }
  }
  return symbols;
}

Expected<Symbols> symbolsOf(const DeviceModule &input) {
  if (input.module)
    return symbolsOf(*input.module);
  LLVMContext context;
  auto module = getLazyBitcodeModule(input.bitcode->getMemBufferRef(), context);
  if (!module)
    return createStringError("cannot read the device code of '" + input.origin +
                             "': " + toString(module.takeError()) +
                             "; is the file damaged? Compile it again");
  return symbolsOf(**module);
}

class Chooser {
public:
  Chooser(std::vector<DeviceModule *> &inputs,
          const std::function<bool(StringRef)> &inHostLink)
      : inputs(inputs), inHostLink(inHostLink) {}

  Expected<NonPrevailing> run() {
    std::vector<DeviceModule *> waiting;
    for (DeviceModule *input : inputs) {
      if (!input->module && !input->bitcode)
        continue;
      auto read = symbolsOf(*input);
      if (!read)
        return read.takeError();
      Symbols &own = symbols[input] = std::move(*read);
      for (SharedVariable &variable : sharedVariables(input->exports))
        if (variable.binding != "local") {
          libraries.insert(variable.name);
          // A thread_local variable is named by itself and by its record.
          if (StringRef plain = nameOfVariable(variable.name);
              plain != variable.name)
            own.shared.push_back(plain.str());
          own.shared.push_back(std::move(variable.name));
        }
      if (input->fromArchive && input->kernels.empty() &&
          !(own.initialises && inHostLink && inHostLink(input->origin)))
        waiting.push_back(input);
      else
        take(*input, own);
    }
    // A member may need others, before or after it in the archive. A member
    // with variables that a shared library has too is taken last, only if it is
    // still needed: there must be only one of each variable.
    auto takeNeeded = [&](bool also) {
      bool any = false;
      for (DeviceModule *&member : waiting)
        if (member && (also || !isInLibrary(*member)) &&
            isNeeded(symbols[member])) {
          take(*member, symbols[member]);
          member = nullptr;
          any = true;
        }
      return any;
    };
    while (takeNeeded(/*also=*/false) || takeNeeded(/*also=*/true))
      ;
    if (!errors.empty())
      return createStringError(errors);
    erase_if(inputs,
             [&](DeviceModule *input) { return is_contained(waiting, input); });
    return std::move(nonPrevailing);
  }

private:
  std::vector<DeviceModule *> &inputs;
  const std::function<bool(StringRef)> &inHostLink;
  DenseMap<const DeviceModule *, Symbols> symbols;
  StringMap<const DeviceModule *> strong; ///< first module that defines it
  StringSet<> defined, weak, undefined;
  StringSet<> libraries; ///< variables that shared libraries export
  NonPrevailing nonPrevailing;
  std::string errors;

  bool isNeeded(const Symbols &member) const {
    auto needed = [&](const std::string &name) {
      return undefined.contains(name) && !defined.contains(name);
    };
    // An inline variable exists once: in the library.
    auto used = [&](const std::string &name) {
      return needed(name) || weak.contains(name);
    };
    return any_of(member.strong, needed) || any_of(member.weak, needed) ||
           any_of(member.shared, used);
  }

  /// Whether a shared library exports a variable that the member defines.
  bool isInLibrary(const DeviceModule &member) {
    return member.exports.empty() &&
           any_of(symbols[&member].strong, [&](const std::string &name) {
             return libraries.contains(name);
           });
  }

  void take(const DeviceModule &input, const Symbols &own) {
    for (const std::string &name : own.strong) {
      auto [first, fresh] = strong.try_emplace(name, &input);
      if (fresh)
        continue;
      if (input.fromArchive || first->second->fromArchive)
        nonPrevailing[&input].insert(name);
      else
        errors += "'" + demangle(name) + "' is defined twice: in '" +
                  first->second->origin + "' and in '" + input.origin + "'\n";
    }
    for (const auto *list : {&own.strong, &own.weak, &own.shared})
      for (const std::string &name : *list)
        defined.insert(name);
    if (!input.fromArchive)
      weak.insert_range(own.weak);
    for (const std::string &name : own.undefined)
      undefined.insert(name);
  }
};

} // namespace

Expected<NonPrevailing>
chooseMembers(std::vector<DeviceModule *> &inputs,
              const std::function<bool(StringRef)> &inHostLink) {
  return Chooser(inputs, inHostLink).run();
}

Expected<bool>
dropUnusedKernels(ArrayRef<DeviceModule *> inputs,
                  const std::function<bool(StringRef)> &inHostLink) {
  auto isMember = [](const DeviceModule *input) {
    return input->fromArchive && !input->kernels.empty();
  };
  if (!inHostLink || none_of(inputs, isMember))
    return false;
  StringSet<> defined;
  std::vector<std::pair<DeviceModule *, std::vector<std::string>>> members;
  for (DeviceModule *input : inputs) {
    if (!input->module && !input->bitcode)
      continue;
    auto read = symbolsOf(*input);
    if (!read)
      return read.takeError();
    for (const auto *list : {&read->strong, &read->weak})
      defined.insert_range(*list);
    for (SharedVariable &variable : sharedVariables(input->exports))
      defined.insert(variable.name);
    if (isMember(input))
      members.emplace_back(input, std::move(read->undefined));
  }
  bool any = false;
  for (auto &[member, undefined] : members)
    if (any_of(undefined,
               [&](StringRef name) { return !defined.contains(name); }) &&
        !inHostLink(member->origin)) {
      member->kernels.clear();
      any = true;
    }
  return any;
}

void dropDefinitions(Module &module, const StringSet<> &symbols) {
  for (const auto &symbol : symbols) {
    GlobalValue *value = module.getNamedValue(symbol.getKey());
    if (!value || value->hasLocalLinkage())
      continue;
    if (auto *function = dyn_cast<Function>(value)) {
      function->deleteBody();
      function->setComdat(nullptr);
    } else if (auto *variable = dyn_cast<GlobalVariable>(value)) {
      variable->setInitializer(nullptr);
      variable->setLinkage(GlobalValue::ExternalLinkage);
      variable->setComdat(nullptr);
    } else if (auto *alias = dyn_cast<GlobalAlias>(value)) {
      // The replacement is declared as a function or variable of another
      // module.
      auto *type = dyn_cast<FunctionType>(alias->getValueType());
      GlobalValue *declared =
          type ? (GlobalValue *)Function::Create(
                     type, GlobalValue::ExternalLinkage, "", &module)
               : new GlobalVariable(module, alias->getValueType(), false,
                                    GlobalValue::ExternalLinkage, nullptr);
      alias->replaceAllUsesWith(declared);
      declared->takeName(alias);
      alias->eraseFromParent();
    }
  }
}

} // namespace xcc
