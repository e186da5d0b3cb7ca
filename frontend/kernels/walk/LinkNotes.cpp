// Notes for the device link about a unit's functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkNotes.h"
#include "Names.h"
#include "kernels/find/WrittenPlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace xcc {
namespace {

/// The symbols under which code is generated for a declaration.
std::vector<std::string> symbolsOf(CodeGenerator &codegen,
                                   const ValueDecl *decl) {
  std::vector<GlobalDecl> all;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(decl))
    all = {{constructor, Ctor_Complete}, {constructor, Ctor_Base}};
  else if (const auto *destructor = dyn_cast<CXXDestructorDecl>(decl)) {
    all = {{destructor, Dtor_Complete}, {destructor, Dtor_Base}};
    if (destructor->isVirtual())
      all.push_back({destructor, Dtor_Deleting});
  } else if (const auto *function = dyn_cast<FunctionDecl>(decl))
    all = {GlobalDecl(function)};
  else if (const auto *variable = dyn_cast<VarDecl>(decl))
    all = {GlobalDecl(variable)};
  std::vector<std::string> names;
  for (GlobalDecl each : all)
    names.push_back(codegen.GetMangledName(each).str());
  return names;
}

} // namespace

void LinkNotes::addFault(const ValueDecl *code, std::string text) {
  faults.insert({code, std::move(text)});
}

void LinkNotes::addUndefined(const ValueDecl *decl, std::string why) {
  std::string &known =
      undefinedDecls[cast<ValueDecl>(decl->getCanonicalDecl())];
  if (known.empty())
    known = std::move(why);
}

void LinkNotes::addState(const FunctionDecl *function, const VarDecl *variable,
                         SourceLocation at) {
  // Note the variable too: a constant may hold its address.
  states.insert({variable->getCanonicalDecl(), {variable, at, {}, {}}});
  if (function)
    states.insert({function, {variable, at, {}, {}}});
}

void LinkNotes::addUse(const ValueDecl *by, const ValueDecl *of,
                       SourceLocation at) {
  Pair pair(cast<ValueDecl>(by->getCanonicalDecl()),
            cast<ValueDecl>(of->getCanonicalDecl()));
  if (known.insert(pair).second)
    uses.push_back({pair, at});
}

void LinkNotes::addLaunch(const FunctionDecl *entry, SourceLocation at) {
  launches.insert({entry, at});
}

void LinkNotes::addInitialised(const VarDecl *variable) {
  const VarDecl *init = variable->getInitializingDeclaration();
  if (init && init->isFileVarDecl() && init->hasInit() &&
      !init->getInit()->isValueDependent() &&
      !init->hasConstantInitialization())
    initialised.insert(init);
}

void LinkNotes::addEffects(const FunctionDecl *code, Effects effects) {
  faultyEffects.insert({code, std::move(effects)});
}

void LinkNotes::addSkipped(const NamedDecl *initialiser, Effects effects,
                           SourceLocation because) {
  skipped.push_back({initialiser, std::move(effects), because, {}, {}});
}

void LinkNotes::addGlobal(const FunctionDecl *function, const VarDecl *variable,
                          SourceLocation read, SourceLocation write) {
  globals.push_back({function, variable, read, write, {}, {}, {}, {}, {}});
}

void LinkNotes::addKnownGlobal(const VarDecl *variable) {
  namedInSymbol.push_back(variable);
}

std::vector<const ValueDecl *> LinkNotes::faultyCode() const {
  std::vector<const ValueDecl *> code;
  for (const auto &[faulty, text] : faults)
    code.push_back(faulty);
  return code;
}

void LinkNotes::emptyBodies(ASTContext &context) const {
  for (const auto &[faulty, text] : faults) {
    if (const auto *variable = dyn_cast<VarDecl>(faulty)) {
      const_cast<VarDecl *>(variable)->setInit(nullptr);
      continue;
    }
    auto *function = const_cast<FunctionDecl *>(cast<FunctionDecl>(faulty));
    SourceLocation at = function->getLocation();
    function->setBody(
        CompoundStmt::Create(context, {}, FPOptionsOverride(), at, at));
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
      constructor->setNumCtorInitializers(0);
  }
}

std::vector<LinkNotes::Use> LinkNotes::usesThatMatter() const {
  llvm::DenseMap<const ValueDecl *, std::vector<const ValueDecl *>> users;
  for (const Use &use : uses)
    users[use.pair.second].push_back(use.pair.first);
  llvm::DenseSet<const ValueDecl *> matter;
  std::vector<const ValueDecl *> work;
  auto add = [&](const ValueDecl *decl) {
    if (matter.insert(decl).second)
      work.push_back(decl);
  };
  for (const auto &[decl, why] : undefinedDecls)
    add(decl);
  llvm::DenseSet<const ValueDecl *> faulty;
  for (const auto &[code, text] : faults) {
    add(cast<ValueDecl>(code->getCanonicalDecl()));
    faulty.insert(cast<ValueDecl>(code->getCanonicalDecl()));
  }
  while (!work.empty()) {
    const ValueDecl *decl = work.back();
    work.pop_back();
    for (const ValueDecl *user : users.lookup(decl))
      add(user);
  }
  std::vector<Use> result;
  for (const Use &use : uses)
    if (matter.contains(use.pair.second) &&
        isa<FunctionDecl, VarDecl>(use.pair.first) &&
        !faulty.contains(use.pair.first))
      result.push_back(use);
  return result;
}

void LinkNotes::resolve(CodeGenerator &codegen, ASTContext &context) {
  auto at = [&](SourceLocation location) {
    Place place;
    WrittenPlace where = writtenPlace(context, location);
    place.file = std::move(where.file);
    place.line = where.line;
    place.column = where.column;
    return place;
  };
  auto touched = [&](const Effects &effects) {
    Touched result;
    for (const VarDecl *variable : effects.written)
      llvm::append_range(result.written, symbolsOf(codegen, variable));
    for (const FunctionDecl *function : effects.called)
      llvm::append_range(result.called, symbolsOf(codegen, function));
    return result;
  };
  for (const auto &[code, text] : faults)
    faultySymbols.push_back(
        {symbolsOf(codegen, code), text, touched(faultyEffects.lookup(code))});
  for (Global &each : globals) {
    each.symbols = symbolsOf(codegen, each.function);
    each.name = symbolsOf(codegen, each.variable).front();
    Place read = at(each.read), write = at(each.write);
    auto line = [](const Place &place) {
      return llvm::utostr(place.line) + ":" + llvm::utostr(place.column);
    };
    each.file = read.file.empty() ? write.file : read.file;
    if (!read.file.empty())
      each.readAt = line(read);
    if (write.file == each.file)
      each.writeAt = line(write);
  }
  for (auto &[decl, state] : states) {
    Place place = at(state.at);
    state.symbols = symbolsOf(codegen, decl);
    state.text = place.file + ":" + llvm::utostr(place.line) + ":" +
                 llvm::utostr(place.column) + "\t" +
                 state.variable->getQualifiedNameAsString();
  }
  for (const VarDecl *variable : namedInSymbol)
    knownGlobals.push_back(symbolsOf(codegen, variable).front());
  if (hasGlobals())
    for (const auto &[entry, location] : launches)
      llvm::append_range(entries, symbolsOf(codegen, entry));
  for (SkippedInitialiser &each : skipped) {
    each.touched = touched(each.effects);
    Place of = at(each.initialiser->getLocation()), why = at(each.because);
    auto text = [](const Place &place) {
      return place.file + ":" + llvm::utostr(place.line) + ":" +
             llvm::utostr(place.column);
    };
    each.text = each.initialiser->getQualifiedNameAsString() + "\t" + text(of) +
                "\t" + text(why);
  }
  llvm::DenseMap<const ValueDecl *, std::vector<std::string>> names;
  auto symbols = [&](const ValueDecl *decl) {
    auto [found, fresh] = names.try_emplace(decl);
    if (fresh)
      found->second = symbolsOf(codegen, decl);
    return found->second;
  };
  for (const Use &use : usesThatMatter()) {
    Place place = at(use.at);
    place.by = symbols(use.pair.first);
    place.of = symbols(use.pair.second);
    place.why = undefinedDecls.lookup(use.pair.second);
    places.push_back(std::move(place));
  }
  for (const VarDecl *variable : initialised) {
    Place place = at(variable->getLocation());
    place.by = symbolsOf(codegen, variable);
    initialisedPlaces.push_back(std::move(place));
  }
  if (!places.empty())
    for (const auto &[entry, location] : launches) {
      Place place = at(location);
      place.by = symbolsOf(codegen, entry);
      launchPlaces.push_back(std::move(place));
    }
}

/// Generates code that represents writes of variables and calls of functions.
static void touch(llvm::IRBuilder<> &builder, llvm::Module &module,
                  llvm::ArrayRef<std::string> written,
                  llvm::ArrayRef<std::string> called) {
  for (const std::string &name : written) {
    llvm::GlobalVariable *variable =
        module.getGlobalVariable(name, /*AllowInternal=*/true);
    if (!variable && !module.getNamedValue(name))
      variable = new llvm::GlobalVariable(
          module, builder.getInt8Ty(), /*isConstant=*/false,
          llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
          llvm::GlobalValue::NotThreadLocal,
          module.getDataLayout().getDefaultGlobalsAddressSpace());
    if (variable && !variable->isConstant())
      builder.CreateStore(builder.getInt8(0), variable, /*isVolatile=*/true);
  }
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), false);
  for (const std::string &name : called)
    if (!module.getNamedValue(name) || module.getFunction(name))
      builder.CreateCall(type,
                         module.getOrInsertFunction(name, type).getCallee());
}

void LinkNotes::writeGlobals(llvm::Module &module) const {
  if (!hasGlobals())
    return;
  llvm::LLVMContext &context = module.getContext();
  llvm::NamedMDNode *list = module.getOrInsertNamedMetadata(metadata::Globals);
  auto text = [&](llvm::StringRef string) -> llvm::Metadata * {
    return llvm::MDString::get(context, string);
  };
  auto definition =
      [&](llvm::ArrayRef<std::string> symbols) -> llvm::Metadata * {
    for (const std::string &symbol : symbols)
      if (llvm::Function *function = module.getFunction(symbol);
          function && !function->isDeclaration() &&
          !function->hasFnAttribute(attribute::Fault))
        return llvm::ConstantAsMetadata::get(function);
    return nullptr;
  };
  llvm::Metadata *unit = text(module.getSourceFileName());
  for (const Global &each : globals)
    list->addOperand(llvm::MDNode::get(
        context, {unit, definition(each.symbols), text(each.name),
                  text(each.file), text(each.readAt), text(each.writeAt)}));
  for (const std::string &entry : entries)
    list->addOperand(llvm::MDNode::get(context, {unit, definition(entry)}));
  for (const std::string &name : knownGlobals)
    list->addOperand(llvm::MDNode::get(context, {text(name)}));
}

void LinkNotes::write(llvm::Module &module) const {
  llvm::LLVMContext &context = module.getContext();
  for (const auto &[symbols, text, touched] : faultySymbols)
    for (const std::string &symbol : symbols) {
      if (auto *variable = module.getGlobalVariable(symbol, true);
          variable && variable->hasInitializer())
        variable->addAttribute(attribute::Fault, text);
      llvm::Function *function = module.getFunction(symbol);
      if (!function || function->isDeclaration())
        continue;
      // Keep it a definition: the link merges and finds it as one.
      auto linkage = function->getLinkage();
      llvm::Comdat *group = function->getComdat();
      function->deleteBody();
      function->setLinkage(linkage);
      function->setComdat(group);
      function->setAttributes({});
      function->addFnAttr(attribute::Fault, text);
      llvm::IRBuilder<> builder(
          llvm::BasicBlock::Create(context, "", function));
      touch(builder, module, touched.written, touched.called);
      builder.CreateUnreachable();
    }
  for (const auto &[decl, state] : states)
    for (const std::string &symbol : state.symbols)
      if (llvm::Function *function = module.getFunction(symbol);
          function && !function->isDeclaration())
        function->addFnAttr(attribute::State, state.text);
      else if (llvm::GlobalVariable *variable =
                   module.getGlobalVariable(symbol, /*AllowInternal=*/true))
        variable->addAttribute(attribute::State, state.text);
  for (const SkippedInitialiser &each : skipped) {
    auto *stub = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
        llvm::GlobalValue::InternalLinkage, "__xcc_undone", module);
    stub->addFnAttr(attribute::SkippedInitialiser, each.text);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", stub));
    touch(builder, module, each.touched.written, each.touched.called);
    builder.CreateRetVoid();
    llvm::appendToGlobalCtors(module, stub, 65535);
  }
  writeGlobals(module);
  if (!layouts.empty())
    module.getOrInsertNamedMetadata(metadata::Layouts)
        ->addOperand(llvm::MDNode::get(
            context, {llvm::MDString::get(context, module.getSourceFileName()),
                      llvm::MDString::get(context, layouts)}));
  // One node holds all uses of a function in a file, because they are many.
  struct Uses {
    std::string lines;
    std::vector<llvm::Metadata *> used;
  };
  auto lineOf = [](const Place &place) {
    std::string text = llvm::utostr(place.line) + ":";
    return text + llvm::utostr(place.column) + " ";
  };
  llvm::MapVector<std::pair<llvm::GlobalObject *, llvm::StringRef>, Uses> all;
  for (const Place &place : places)
    for (const std::string &by : place.by) {
      // The user may be a variable; the link finds its initialiser.
      auto *user =
          llvm::dyn_cast_or_null<llvm::GlobalObject>(module.getNamedValue(by));
      if (!user || user->isDeclaration())
        continue;
      for (const std::string &of : place.of)
        if (llvm::GlobalValue *used = module.getNamedValue(of)) {
          Uses &uses = all[{user, place.file}];
          uses.lines += lineOf(place);
          uses.used.push_back(llvm::ConstantAsMetadata::get(used));
          if (!place.why.empty())
            if (auto *object = llvm::dyn_cast<llvm::Function>(used))
              object->addFnAttr(attribute::NoHostCall, place.why);
        }
    }
  auto node = [&](llvm::StringRef file, llvm::StringRef lines,
                  llvm::ArrayRef<llvm::Metadata *> used) {
    llvm::SmallVector<llvm::Metadata *> operands = {
        llvm::MDString::get(context, file),
        llvm::MDString::get(context, lines.rtrim())};
    operands.append(used.begin(), used.end());
    return llvm::MDNode::get(context, operands);
  };
  for (const auto &[key, uses] : all)
    key.first->addMetadata(metadata::Use,
                           *node(key.second, uses.lines, uses.used));
  for (const Place &place : initialisedPlaces)
    for (const std::string &symbol : place.by)
      if (llvm::GlobalVariable *variable =
              module.getGlobalVariable(symbol, /*AllowInternal=*/true);
          variable && variable->hasInitializer() && !place.file.empty())
        variable->addMetadata(metadata::Place,
                              *node(place.file, lineOf(place), {}));
  for (const Place &place : launchPlaces)
    for (const std::string &by : place.by)
      if (llvm::Function *function = module.getFunction(by);
          function && !function->isDeclaration())
        function->addMetadata(metadata::Launch,
                              *node(place.file, lineOf(place), {}));
}

} // namespace xcc
