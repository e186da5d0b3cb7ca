// Variables that an image imports from shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryImports.h"
#include "Initialisers.h"
#include "Names.h"
#include "ThreadVariables.h"
#include "formats/library_row.h"
#include "xcc/abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace xcc {
namespace {

std::string fieldsOf(const SharedVariable &variable) {
  return variable.symbol + "\t" + utostr(variable.size) + "\t" +
         variable.binding + "\t" + variable.name;
}

SharedVariable importOf(const GlobalVariable &declared) {
  SmallVector<StringRef> fields;
  declared.getAttribute(attribute::Import)
      .getValueAsString()
      .split(fields, '\t');
  SharedVariable variable;
  if (fields.size() != 5)
    return variable;
  fields[2].getAsInteger(10, variable.size);
  variable.library = fields[0];
  variable.symbol = fields[1];
  variable.binding = fields[3];
  variable.name = fields[4];
  return variable;
}

/// Whether a constant contains the address of one of `imports`.
class ImportUses {
public:
  explicit ImportUses(const SetVector<GlobalVariable *> &imports)
      : imports(imports) {}

  bool operator()(const Constant *constant) {
    if (const auto *variable = dyn_cast<GlobalVariable>(constant))
      return imports.contains(const_cast<GlobalVariable *>(variable));
    if (isa<GlobalValue>(constant) || !constant->getNumOperands())
      return false;
    auto [at, fresh] = known.try_emplace(constant, false);
    if (!fresh)
      return at->second;
    bool leads = any_of(constant->operands(), [&](const Use &operand) {
      const auto *inner = dyn_cast<Constant>(operand.get());
      return inner && (*this)(inner);
    });
    return known[constant] = leads;
  }

private:
  const SetVector<GlobalVariable *> &imports;
  DenseMap<const Constant *, bool> known;
};

/// Moves imported addresses out of initial values, and generates a function
/// that writes them.
class InitialValues {
public:
  InitialValues(Module &module, const SetVector<GlobalVariable *> &imports)
      : module(module), leads(imports) {}

  /// Returns the function, or null if there are no such values.
  Function *write() {
    for (GlobalVariable &variable : module.globals())
      if (variable.hasInitializer() && leads(variable.getInitializer()))
        write(variable);
    if (function)
      ReturnInst::Create(module.getContext(), &function->front());
    return function;
  }

private:
  Module &module;
  ImportUses leads;
  Function *function = nullptr;

  void write(GlobalVariable &variable) {
    if (!function) {
      LLVMContext &context = module.getContext();
      function = Function::Create(
          FunctionType::get(Type::getVoidTy(context), false),
          GlobalValue::InternalLinkage, "__xcc_relocate", module);
      BasicBlock::Create(context, "", function);
    }
    variable.setInitializer(without(variable, variable.getInitializer(), 0));
    variable.setConstant(false);
  }

  /// Returns the value with zeros instead of imported addresses, and adds code
  /// that writes the addresses.
  Constant *without(GlobalVariable &variable, Constant *value,
                    uint64_t offset) {
    if (!leads(value))
      return value;
    Type *type = value->getType();
    if (!isa<ConstantAggregate>(value)) {
      IRBuilder<> builder(&function->front());
      Value *place = &variable;
      if (offset)
        place = builder.CreatePtrAdd(place, builder.getInt64(offset));
      builder.CreateStore(value, place);
      return Constant::getNullValue(type);
    }
    const DataLayout &layout = module.getDataLayout();
    SmallVector<Constant *> parts;
    for (unsigned i = 0; i < value->getNumOperands(); ++i) {
      auto *part = cast<Constant>(value->getOperand(i));
      uint64_t at;
      if (auto *structure = dyn_cast<StructType>(type))
        at = layout.getStructLayout(structure)->getElementOffset(i);
      else
        at = i * layout.getTypeAllocSize(part->getType());
      parts.push_back(without(variable, part, offset + at));
    }
    if (auto *structure = dyn_cast<StructType>(type))
      return ConstantStruct::get(structure, parts);
    if (auto *array = dyn_cast<ArrayType>(type))
      return ConstantArray::get(array, parts);
    return ConstantVector::get(parts);
  }
};

/// Replaces a use of an import by a load of its address from the array.
void readAddress(Use &use, GlobalVariable &import, Constant *slot) {
  auto *user = cast<Instruction>(use.getUser());
  Instruction *before = user;
  if (auto *phi = dyn_cast<PHINode>(user))
    before = phi->getIncomingBlock(use)->getTerminator();
  LLVMContext &context = import.getContext();
  auto *load = new LoadInst(import.getType(), slot, "", false, Align(8),
                            before->getIterator());
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  load->setMetadata(LLVMContext::MD_nonnull, MDNode::get(context, {}));
  load->setDebugLoc(before->getDebugLoc());
  // A phi has the same value for all edges from one block.
  if (auto *phi = dyn_cast<PHINode>(user))
    phi->setIncomingValueForBlock(phi->getIncomingBlock(use), load);
  else
    use.set(load);
}

void readAddresses(Module &module, const SetVector<GlobalVariable *> &imports) {
  auto *type = ArrayType::get(imports.front()->getType(), imports.size());
  auto *slots = new GlobalVariable(
      module, type, false, GlobalValue::ExternalLinkage,
      Constant::getNullValue(type), XCC_SYMBOL_IMPORTS, nullptr,
      GlobalValue::NotThreadLocal, imports.front()->getAddressSpace(),
      /*isExternallyInitialized=*/true);
  slots->setVisibility(GlobalValue::ProtectedVisibility);
  slots->setAlignment(Align(8));
  SmallVector<Constant *> addresses(imports.begin(), imports.end());
  convertUsersOfConstantsToInstructions(addresses);
  auto *word = Type::getInt64Ty(module.getContext());
  for (auto [i, import] : enumerate(imports)) {
    Constant *slot = ConstantExpr::getInBoundsGetElementPtr(
        type, slots,
        ArrayRef<Constant *>{ConstantInt::get(word, 0),
                             ConstantInt::get(word, i)});
    while (!import->use_empty()) {
      Use &use = *import->use_begin();
      readAddress(use, *import, slot);
    }
  }
}

/// What a module imports from one library.
struct Taken {
  StringRef fingerprint;
  std::vector<GlobalVariable *> variables;
  std::string code; ///< lines for functions and constants
};

Error collect(Module &module, ArrayRef<DeviceModule *> inputs,
              MapVector<StringRef, Taken> &libraries) {
  // The host would use only one variable, the program's.
  std::string errors;
  for (const DeviceModule *input : inputs)
    for (const SharedVariable &shared : sharedVariables(input->exports)) {
      const GlobalValue *own = shared.binding == "strong"
                                   ? module.getNamedValue(shared.name)
                                   : nullptr;
      if (own && !own->isDeclaration())
        errors += "'" + demangle(nameOfVariable(shared.name)) +
                  "' is a variable of this program and of '" + shared.library +
                  "', whose device code does not use the program's: link what "
                  "defines it with one of them alone\n";
    }
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.hasAttribute(attribute::Import) || variable.use_empty())
      continue;
    // This refers to the module's memory, as fingerprints refer to the inputs'.
    StringRef library = variable.getAttribute(attribute::Import)
                            .getValueAsString()
                            .split('\t')
                            .first;
    libraries[library].variables.push_back(&variable);
  }
  if (!errors.empty())
    return createStringError(errors);
  for (GlobalObject &object : module.global_objects()) {
    if (object.isDeclaration())
      continue;
    auto *function = dyn_cast<Function>(&object);
    Attribute said =
        function ? function->getFnAttribute(attribute::Taken)
                 : cast<GlobalVariable>(object).getAttribute(attribute::Taken);
    auto [library, hash] = said.getValueAsString().split('\t');
    if (library.empty())
      continue;
    std::string name = nameOfTaken(object);
    libraries[library].code +=
        ("f\t" + hash + "\t" + name + "\t" + demangle(name) + "\n").str();
  }
  return Error::success();
}

} // namespace

std::string nameOfTaken(const GlobalObject &object) {
  StringRef name = object.getName();
  if (object.hasLocalLinkage())
    name = name.rtrim("0123456789").rtrim('.');
  return name.str();
}

StringRef importedFrom(const GlobalVariable &variable) {
  return variable.getAttribute(attribute::Import)
      .getValueAsString()
      .split('\t')
      .first;
}

StringRef importedName(const GlobalVariable &variable) {
  if (!variable.hasAttribute(attribute::Import))
    return variable.getName();
  return variable.getAttribute(attribute::Import)
      .getValueAsString()
      .rsplit('\t')
      .second;
}

std::string SharedVariable::line() const {
  return "v\t" + fieldsOf(*this) + "\n";
}

std::vector<SharedVariable> sharedVariables(StringRef exports) {
  std::vector<SharedVariable> list;
  std::string_view text = exports;
  rt::LibraryRow row;
  std::string library;
  while (rt::nextLibraryRow(text, row)) {
    if (row.kind == 'l')
      library = row.fields[0];
    if (row.kind == 'v')
      list.push_back({library, std::string(row.fields[0]),
                      rt::sizeIn(row.fields[1]), std::string(row.fields[2]),
                      std::string(row.fields[3])});
  }
  return list;
}

void replaceByImport(GlobalVariable &variable, const SharedVariable &by) {
  Module &module = *variable.getParent();
  std::string name = "__xcc_import." + by.library + "." + by.symbol;
  GlobalVariable *import = module.getGlobalVariable(name);
  if (!import) {
    import = new GlobalVariable(module, variable.getValueType(), false,
                                GlobalValue::ExternalLinkage, nullptr, name,
                                nullptr, GlobalValue::NotThreadLocal,
                                variable.getAddressSpace());
    import->setAlignment(variable.getAlign());
    import->addAttribute(attribute::Import, by.library + "\t" + fieldsOf(by));
  }
  // An alias of the variable is replaced too.
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (alias.getAliaseeObject() == &variable) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
  variable.replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(
      import, variable.getType()));
  variable.eraseFromParent();
}

void useLibraries(Module &module, ArrayRef<DeviceModule *> inputs) {
  for (const DeviceModule *input : inputs)
    for (const SharedVariable &shared : sharedVariables(input->exports)) {
      if (shared.binding == "local")
        continue;
      GlobalVariable *own = module.getGlobalVariable(shared.name);
      if (own && !own->isThreadLocal() && !own->isConstant() &&
          (own->isDeclaration() || own->isWeakForLinker()))
        replaceByImport(*own, shared);
    }
}

Expected<std::string> lowerImports(Module &module, const Target &target,
                                   ArrayRef<DeviceModule *> inputs,
                                   KernelTable &kernels) {
  MapVector<StringRef, Taken> libraries;
  for (const DeviceModule *input : inputs)
    if (!input->exports.empty()) {
      rt::LibraryExports said(input->exports);
      libraries[said.library].fingerprint = said.fingerprint;
    }
  if (Error error = collect(module, inputs, libraries))
    return std::move(error);
  std::string text;
  SetVector<GlobalVariable *> imports;
  for (const auto &[name, taken] : libraries) {
    if (taken.variables.empty() && taken.code.empty())
      continue;
    text += ("l\t" + name + "\t" + taken.fingerprint + "\n").str();
    for (GlobalVariable *import : taken.variables) {
      SharedVariable shared = importOf(*import);
      text += "v\t" + shared.symbol + "\t" + utostr(shared.size) + "\t" +
              demangle(nameOfVariable(shared.name)) + "\n";
      imports.insert(import);
    }
    text += taken.code;
  }
  if (imports.empty())
    return text;
  if (Function *first = InitialValues(module, imports).write())
    initialiseFirst(module, target, *first, kernels);
  readAddresses(module, imports);
  for (GlobalVariable *import : imports)
    import->eraseFromParent();
  return text;
}

} // namespace xcc
