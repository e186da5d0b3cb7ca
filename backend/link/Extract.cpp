// Makes a module of one part of a module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Names.h"
#include "Partition.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace xcc {
namespace {

/// A value's name in its unit. The linker adds numbers to names that are taken,
/// and these depend on all units.
StringRef nameOf(const GlobalValue &value) {
  StringRef name = value.getName();
  if (!value.hasLocalLinkage())
    return name;
  auto [stem, number] = name.rsplit('.');
  return !stem.empty() && !number.empty() &&
                 number.find_first_not_of("0123456789") == StringRef::npos
             ? stem
             : name;
}

/// The name of a shared value, equal in all parts, with characters that every
/// assembler accepts.
std::string sharedName(const GlobalValue &value) {
  std::string name = value.getName().str();
  for (char &c : name)
    if (!isAlnum(c) && c != '_')
      c = '$';
  return name + "$shared";
}

/// Metadata may name values that are not in this part: replace them by poison.
class Elsewhere : public ValueMaterializer {
public:
  Value *materialize(Value *value) override {
    return isa<GlobalValue>(value) ? PoisonValue::get(value->getType())
                                   : nullptr;
  }
};

class Extractor {
public:
  Extractor(const Module &from, const Partition &partition, unsigned number)
      : from(from), part(partition.parts[number]), partition(partition),
        number(number),
        module(std::make_unique<Module>("part", from.getContext())) {
    module->setDataLayout(from.getDataLayout());
    module->setTargetTriple(from.getTargetTriple());
    if (const NamedMDNode *flags = from.getModuleFlagsMetadata())
      for (unsigned i = 0; i != flags->getNumOperands(); ++i)
        module->getOrInsertModuleFlagsMetadata()->addOperand(
            flags->getOperand(i));
  }

  std::unique_ptr<Module> run() {
    // Declare values with fixed names first, so that they get these names.
    for (bool local : {false, true})
      for (const GlobalValue *value : part.values)
        if ((value->hasLocalLinkage() && !isShared(*value)) == local)
          declare(*value);
    for (const GlobalValue *value : part.values)
      if (!value->isDeclaration())
        define(*value);
    copyMetadata();
    return std::move(module);
  }

private:
  const Module &from;
  const ModulePart &part;
  const Partition &partition;
  const unsigned number;
  std::unique_ptr<Module> module;
  ValueToValueMapTy map;
  Elsewhere elsewhere;
  SmallPtrSet<const DICompileUnit *, 4> unitsSeen;
  SmallPtrSet<const MDNode *, 32> scopesSeen;

  bool isShared(const GlobalValue &value) const {
    return partition.shared.contains(&value);
  }
  bool isElsewhere(const GlobalValue &value) const {
    auto at = partition.shared.find(&value);
    return at != partition.shared.end() && at->second != number;
  }

  Constant *mapped(const Constant &constant) {
    return MapValue(&constant, map, RF_None, nullptr, &elsewhere);
  }

  void declare(const GlobalValue &value) {
    GlobalValue *made;
    std::string name = nameOf(value).str();
    if (isShared(value) && value.hasLocalLinkage())
      name = sharedName(value);
    if (const auto *function = dyn_cast<Function>(&value)) {
      auto *copy =
          Function::Create(function->getFunctionType(), function->getLinkage(),
                           function->getAddressSpace(), name, module.get());
      copy->copyAttributesFrom(function);
      copy->setPersonalityFn(nullptr);
      made = copy;
    } else if (const auto *variable = dyn_cast<GlobalVariable>(&value)) {
      auto *copy = new GlobalVariable(
          *module, variable->getValueType(), variable->isConstant(),
          variable->getLinkage(), nullptr, name, nullptr,
          variable->getThreadLocalMode(), variable->getAddressSpace());
      copy->copyAttributesFrom(variable);
      made = copy;
    } else {
      const auto &alias = cast<GlobalAlias>(value);
      made = GlobalAlias::create(alias.getValueType(), alias.getAddressSpace(),
                                 alias.getLinkage(), name, module.get());
      cast<GlobalAlias>(made)->copyAttributesFrom(&alias);
    }
    if (isShared(value) && value.hasLocalLinkage()) {
      made->setLinkage(GlobalValue::ExternalLinkage);
      made->setVisibility(GlobalValue::HiddenVisibility);
    }
    map[&value] = made;
  }

  void define(const GlobalValue &value) {
    if (const auto *function = dyn_cast<Function>(&value)) {
      define(*function);
    } else if (const auto *variable = dyn_cast<GlobalVariable>(&value)) {
      define(*variable);
    } else {
      const auto &alias = cast<GlobalAlias>(value);
      cast<GlobalAlias>(map[&alias])->setAliasee(mapped(*alias.getAliasee()));
    }
  }

  void define(const GlobalVariable &variable) {
    auto &copy = *cast<GlobalVariable>(map[&variable]);
    bool elsewhereDefined = isElsewhere(variable);
    if (elsewhereDefined) {
      copy.addAttribute(attribute::InOtherPart);
      copy.setLinkage(GlobalValue::ExternalLinkage);
      // The optimiser may use the value of a constant.
      if (!variable.isConstant())
        return;
      copy.setLinkage(GlobalValue::AvailableExternallyLinkage);
    }
    copy.setInitializer(mapped(*variable.getInitializer()));
    if (elsewhereDefined)
      return;
    SmallVector<std::pair<unsigned, MDNode *>, 1> metadata;
    variable.getAllMetadata(metadata);
    for (const auto &[kind, node] : metadata)
      copy.addMetadata(kind, *cast<MDNode>(MapMetadata(node, map, RF_None,
                                                       nullptr, &elsewhere)));
  }

  void define(const Function &function) {
    auto &copy = *cast<Function>(map[&function]);
    if (isElsewhere(function)) {
      copy.addFnAttr(attribute::InOtherPart);
      // Whatever it calls, it calls nothing in this part.
      copy.addFnAttr(Attribute::NoCallback);
      return;
    }
    for (const auto &[old, fresh] : zip(function.args(), copy.args())) {
      fresh.setName(old.getName());
      map[&old] = &fresh;
    }
    SmallVector<ReturnInst *, 8> returns;
    CloneFunctionInto(&copy, &function, map,
                      CloneFunctionChangeType::ClonedModule, returns, "",
                      nullptr, nullptr, &elsewhere);
    if (function.hasPersonalityFn())
      copy.setPersonalityFn(mapped(*function.getPersonalityFn()));
    if (const DISubprogram *scope = copy.getSubprogram())
      addUnit(scope);
    for (const Instruction &inst : instructions(copy)) {
      addUnits(inst.getDebugLoc().get());
      for (const DbgRecord &record : inst.getDbgRecordRange())
        addUnits(record.getDebugLoc().get());
    }
  }

  /// Notes the compile units of a location, several if code was inlined.
  void addUnits(const DILocation *place) {
    for (; place; place = place->getInlinedAt())
      if (const DILocalScope *scope = place->getScope();
          scopesSeen.insert(scope).second)
        addUnit(scope->getSubprogram());
  }

  void addUnit(const DISubprogram *scope) {
    if (DICompileUnit *unit = scope ? scope->getUnit() : nullptr)
      if (unitsSeen.insert(unit).second)
        module->getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(unit);
  }

  /// Copies the module's metadata, and that of values in this part.
  void copyMetadata() {
    for (const NamedMDNode &list : from.named_metadata()) {
      StringRef name = list.getName();
      if (name == "llvm.dbg.cu" || name == "llvm.module.flags" ||
          name == "llvm.ident")
        continue;
      NamedMDNode *copy = nullptr;
      for (const MDNode *node : list.operands()) {
        bool isHere = all_of(node->operands(), [&](const MDOperand &operand) {
          const auto *value = dyn_cast_or_null<ValueAsMetadata>(operand.get());
          return !value || !isa<GlobalValue>(value->getValue()) ||
                 map.count(value->getValue());
        });
        if (!isHere)
          continue;
        if (!copy)
          copy = module->getOrInsertNamedMetadata(name);
        copy->addOperand(MapMetadata(node, map, RF_None, nullptr, &elsewhere));
      }
    }
  }
};

} // namespace

std::unique_ptr<Module> extract(const Module &module,
                                const Partition &partition, unsigned number) {
  return Extractor(module, partition, number).run();
}

} // namespace xcc
