// Code that runs before an image's first kernel and after its last
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Initialisers.h"
#include "Names.h"
#include "NeededInitialisers.h"
#include "exceptions/Exceptions.h"
#include "formats/kernel_row.h"
#include "support/Analyses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Evaluator.h"
#include <map>

using namespace llvm;

namespace xcc {
namespace {

/// Functions in the order in which they are called.
using Calls = FunctionList;

/// The entries of llvm.global_ctors or llvm.global_dtors.
Calls readList(const Module &module, StringRef name) {
  const GlobalVariable *list = module.getGlobalVariable(name, true);
  if (!list)
    return {};
  // Entries with the same priority keep the link's order.
  std::map<uint64_t, Calls> entries;
  if (list->hasInitializer())
    if (auto *array = dyn_cast<ConstantArray>(list->getInitializer()))
      for (Value *operand : array->operands()) {
        auto *entry = cast<ConstantStruct>(operand);
        if (auto *function =
                dyn_cast<Function>(entry->getOperand(1)->stripPointerCasts());
            function && !function->isDeclaration())
          entries[cast<ConstantInt>(entry->getOperand(0))->getZExtValue()]
              .push_back(function);
      }
  Calls calls;
  for (const auto &[priority, functions] : entries)
    append_range(calls, functions);
  return calls;
}

/// Whether a function only calls others, one after the other. Clang makes such
/// a function of a translation unit's initialisers.
bool onlyCalls(Function &function, Calls &callees) {
  if (function.size() != 1 || !function.hasLocalLinkage())
    return false;
  for (Instruction &inst : function.front()) {
    if (isa<ReturnInst>(inst) || isa<DbgInfoIntrinsic>(inst))
      continue;
    auto *call = dyn_cast<CallInst>(&inst);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !callee->hasLocalLinkage() ||
        callee->arg_size() || !callee->getReturnType()->isVoidTy())
      return false;
    callees.push_back(callee);
  }
  return true;
}

Calls flatten(const Calls &calls, unsigned depth = 4) {
  Calls flat;
  for (Function *function : calls) {
    Calls inner;
    if (depth && onlyCalls(*function, inner) && !inner.empty()) {
      inner = flatten(inner, depth - 1);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(function);
    }
  }
  return flat;
}

using Objects = GlobalObjects;

/// Whether a function, optimised or not, has no visible effect. A loop without
/// effects terminates, according to C++.
class Idle {
public:
  bool operator()(const Function &function) {
    if (function.isDeclaration() || function.isInterposable())
      return false;
    auto [at, fresh] = known.try_emplace(&function, false);
    if (!fresh)
      return at->second; // a recursive function counts as having an effect
    bool idle = all_of(instructions(function),
                       [&](const Instruction &inst) { return is(inst); });
    return known[&function] = idle;
  }

private:
  DenseMap<const Function *, bool> known;

  bool is(const Instruction &inst) {
    if (const auto *call = dyn_cast<CallBase>(&inst)) {
      const Function *callee = call->getCalledFunction();
      return isa<DbgInfoIntrinsic>(call) || inst.isLifetimeStartOrEnd() ||
             (callee && (*this)(*callee)) ||
             (callee && callee->isIntrinsic() && !inst.mayHaveSideEffects());
    }
    if (const auto *store = dyn_cast<StoreInst>(&inst))
      return !store->isVolatile() &&
             isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
    return !inst.mayHaveSideEffects() && !isa<UnreachableInst>(inst);
  }
};

/// Removes registrations of destructors that have no effect.
void dropIdleDestructors(Module &module, Idle &idle) {
  Function *registrar = module.getFunction("__cxa_atexit");
  if (!registrar || !registrar->isDeclaration())
    return;
  for (User *user : make_early_inc_range(registrar->users())) {
    auto *call = dyn_cast<CallBase>(user);
    if (!call || call->getCalledOperand() != registrar || call->arg_size() != 3)
      continue;
    auto *destructor =
        dyn_cast<Function>(call->getArgOperand(0)->stripPointerCasts());
    if (!destructor || !idle(*destructor))
      continue;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
  if (registrar->use_empty())
    registrar->eraseFromParent();
}

/// Removes thread-safe guards. Each unit has an initialiser for an inline
/// variable, and only the first that runs has an effect. All run in one thread.
void simplifyGuards(Function &initialiser) {
  for (Instruction &inst : make_early_inc_range(instructions(initialiser))) {
    if (auto *load = dyn_cast<LoadInst>(&inst);
        load && load->isAtomic() &&
        getUnderlyingObject(load->getPointerOperand())
            ->getName()
            .starts_with("_ZGV"))
      load->setAtomic(AtomicOrdering::NotAtomic);
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || call->arg_size() != 1)
      continue;
    IRBuilder<> builder(call);
    if (callee->getName() == "__cxa_guard_acquire")
      call->replaceAllUsesWith(ConstantInt::get(call->getType(), 1));
    else if (callee->getName() == "__cxa_guard_release")
      builder.CreateStore(builder.getInt8(1), call->getArgOperand(0));
    else
      continue;
    if (auto *invoke = dyn_cast<InvokeInst>(call))
      builder.CreateBr(invoke->getNormalDest());
    call->eraseFromParent();
  }
}

bool isCallOperand(const Value &value) {
  return any_of(value.users(), [](const User *user) {
    return isa<CallBase>(user) || (isa<Constant>(user) && isCallOperand(*user));
  });
}

/// Shortens guards to their first byte if no code uses the rest: the evaluator
/// cannot handle writes to a part of a variable.
void shortenGuards(Module &module) {
  Type *byte = Type::getInt8Ty(module.getContext());
  for (GlobalVariable &guard : make_early_inc_range(module.globals())) {
    if (!guard.getName().starts_with("_ZGV") || !guard.hasInitializer() ||
        guard.isInterposable() || !guard.getInitializer()->isNullValue() ||
        guard.getValueType() == byte || isCallOperand(guard))
      continue;
    auto *first =
        new GlobalVariable(module, byte, false, GlobalValue::InternalLinkage,
                           Constant::getNullValue(byte), "", &guard,
                           guard.getThreadLocalMode(), guard.getAddressSpace());
    first->setAlignment(guard.getAlign());
    if (guard.hasAttribute(attribute::Shared)) {
      first->setAttributes(guard.getAttributes());
      first->setLinkage(guard.getLinkage());
    }
    first->takeName(&guard);
    guard.replaceAllUsesWith(first);
    guard.eraseFromParent();
  }
}

/// Removes the weak linkage of variables that these calls use: they become
/// internal, or external if a GPU's libraries, which are linked later, may use
/// them.
void own(const Calls &calls, bool forLibraries) {
  Objects used;
  for (Function *call : calls)
    addUsed(*call, used);
  for (const GlobalObject *object : used)
    if (auto *variable =
            const_cast<GlobalVariable *>(dyn_cast<GlobalVariable>(object));
        variable && variable->hasInitializer() && variable->isWeakForLinker() &&
        !variable->isInterposable() &&
        !variable->hasAvailableExternallyLinkage()) {
      variable->setComdat(nullptr);
      variable->setLinkage(forLibraries ? GlobalValue::ExternalLinkage
                                        : GlobalValue::InternalLinkage);
    }
}

/// Moves parameters from memory to registers. If variables have an address
/// space of their own, the evaluator cannot handle a stored address.
void promote(const Calls &calls) {
  Objects used;
  for (Function *call : calls)
    addUsed(*call, used);
  Analyses analyses(nullptr);
  SROAPass pass(SROAOptions::PreserveCFG);
  for (const GlobalObject *object : used)
    if (auto *function = const_cast<Function *>(dyn_cast<Function>(object));
        function && !function->isDeclaration() &&
        !function->hasFnAttribute(Attribute::OptimizeNone))
      pass.run(*function, analyses.functions);
}

/// Evaluates calls from the first on, and stores the results as initial values.
/// Stops at one that it cannot evaluate, because later ones may depend on it,
/// or it on them.
void evaluate(Module &module, Calls &calls) {
  bool isGPU = module.getTargetTriple().isGPU();
  own(calls, isGPU);
  if (!calls.empty() && isGPU)
    promote(calls);
  TargetLibraryInfoImpl libraries(module.getTargetTriple());
  TargetLibraryInfo known(libraries);
  size_t done = 0;
  for (; done < calls.size() && calls[done]->arg_empty(); ++done) {
    Evaluator evaluator(module.getDataLayout(), &known);
    Constant *nothing = nullptr;
    if (!evaluator.EvaluateFunction(calls[done], nothing,
                                    SmallVector<Constant *, 0>()))
      break;
    for (auto [variable, value] : evaluator.getMutatedInitializers())
      variable->setInitializer(value);
    for (GlobalVariable *variable : evaluator.getInvariants())
      variable->setConstant(true);
  }
  calls.erase(calls.begin(), calls.begin() + done);
}

/// The name of an initialiser's variable for errors: "'ns::table' at a.cpp:3".
std::string nameOf(const Function &initialiser) {
  std::string name = "'" + titleOf(initialiser) + "'";
  std::string at = placeOf(initialiser);
  return at.empty() ? name
                    : name + " at " + StringRef(at).rsplit(':').first.str();
}

void makeInit(Module &module, const Target &target, const Calls &calls,
              KernelTable &kernels) {
  static const KernelParam at[] = {
      {"at", "unsigned int *", 8, 8, 0, XCC_PARAM_POINTER}};
  Function *entry =
      makeKernel(module, target, XCC_SYMBOL_INIT,
                 "initialisers of global variables", kernels, 1, at);
  IRBuilder<> builder(&entry->front());
  Value *number = argumentsOf(*entry, target, at, builder)[0];
  std::string makes;
  for (auto [index, call] : enumerate(calls)) {
    // The host reads this number from its memory after a failure, so it must be
    // written before the call can fail.
    builder.CreateStore(builder.getInt32(uint32_t(index) + 1), number,
                        /*isVolatile=*/true);
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
    builder.CreateCall(call)->setCallingConv(call->getCallingConv());
    makes += (index ? ";" : "") + nameOf(*call);
  }
  builder.CreateRetVoid();
  kernels.back().makes = rt::escapeField(makes);
}

void makeFini(Module &module, const Target &target, const Calls &calls,
              KernelTable &kernels) {
  Function *entry = makeKernel(module, target, XCC_SYMBOL_FINI,
                               "destructors of global variables", kernels);
  IRBuilder<> builder(&entry->front());
  builder.CreateCall(module.getOrInsertFunction(
      XCC_SYMBOL_RUN_EXITS, FunctionType::get(builder.getVoidTy(), false)));
  for (Function *call : reverse(calls))
    builder.CreateCall(call)->setCallingConv(call->getCallingConv());
  builder.CreateRetVoid();
}

/// Erases functions that only the lists named.
void eraseUnused(Calls functions) {
  while (!functions.empty()) {
    Function *function = functions.back();
    functions.pop_back();
    if (!function->hasLocalLinkage() || !function->use_empty())
      continue;
    erase(functions, function);
    SmallSetVector<Function *, 8> callees;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (Function *callee = call->getCalledFunction())
          callees.insert(callee);
    function->eraseFromParent();
    functions.insert(functions.end(), callees.begin(), callees.end());
  }
}

bool isUsed(const Module &module, StringRef name) {
  const Function *function = module.getFunction(name);
  return function && !function->use_empty();
}

} // namespace

const GlobalVariable *madeBy(const Function &initialiser) {
  if (!initialiser.getName().starts_with("__cxx_global_var_init") &&
      !initialiser.getName().starts_with("__cxx_global_array"))
    return nullptr;
  const GlobalVariable *made = nullptr;
  auto consider = [&](const Value *address) {
    if (const auto *variable =
            dyn_cast<GlobalVariable>(getUnderlyingObject(address));
        variable && !variable->isConstant() &&
        !variable->getName().starts_with("_ZGV"))
      made = variable;
  };
  for (const Instruction &inst : instructions(initialiser)) {
    if (const auto *store = dyn_cast<StoreInst>(&inst))
      consider(store->getPointerOperand());
    const auto *call = dyn_cast<CallBase>(&inst);
    if (!call || call->isInlineAsm() || call->arg_empty())
      continue;
    const Function *callee = call->getCalledFunction();
    bool registers = callee && callee->getName() == "__cxa_atexit";
    const Value *first = call->getArgOperand(registers ? 1 : 0);
    if (first->getType()->isPointerTy())
      consider(first);
  }
  return made;
}

FunctionList takeList(Module &module, StringRef name) {
  Calls calls = readList(module, name);
  if (GlobalVariable *list = module.getGlobalVariable(name, true))
    list->eraseFromParent();
  return calls;
}

FunctionList reduceInitialisers(Module &module, const FunctionList &listed,
                                function_ref<FunctionList(FunctionList)> keep) {
  Idle idle;
  dropIdleDestructors(module, idle);
  Calls calls = keep(flatten(listed));
  for (Function *call : calls) {
    // Remove the code for exceptions from calls that cannot throw.
    exceptions::dropInvokes(
        *call, [](const InvokeInst &invoke) { return invoke.doesNotThrow(); });
    simplifyGuards(*call);
  }
  shortenGuards(module);
  erase_if(calls, [&](Function *call) { return idle(*call); });
  evaluate(module, calls);
  return calls;
}

Function *makeKernel(Module &module, const Target &target, StringRef symbol,
                     StringRef name, KernelTable &kernels, unsigned maxThreads,
                     ArrayRef<KernelParam> params) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *> types;
  if (target.kernelArguments() == KernelArguments::Segment)
    types.push_back(PointerType::getUnqual(context));
  else
    for (const KernelParam &param : params)
      types.push_back(param.kind == XCC_PARAM_POINTER
                          ? (Type *)PointerType::getUnqual(context)
                          : IntegerType::get(context, param.size * 8));
  auto *type = FunctionType::get(Type::getVoidTy(context), types,
                                 /*isVarArg=*/false);
  Function *entry =
      Function::Create(type, GlobalValue::ExternalLinkage, symbol, module);
  BasicBlock::Create(context, "", entry);
  Kernel kernel;
  kernel.symbol = kernel.irName = symbol;
  kernel.name = name;
  kernel.maxThreads = maxThreads;
  kernel.params.assign(params.begin(), params.end());
  if (!params.empty()) {
    kernel.kernargAlignment = 8;
    kernel.kernargSize =
        alignTo(params.back().offset + params.back().size, Align(8));
  }
  target.markEntry(module, kernel);
  kernels.push_back(std::move(kernel));
  return entry;
}

SmallVector<Value *, 4> argumentsOf(Function &entry, const Target &target,
                                    ArrayRef<KernelParam> params,
                                    IRBuilderBase &builder) {
  SmallVector<Value *, 4> arguments;
  if (target.kernelArguments() == KernelArguments::Values) {
    for (Argument &argument : entry.args())
      arguments.push_back(&argument);
    return arguments;
  }
  for (const KernelParam &param : params)
    arguments.push_back(builder.CreateLoad(
        param.kind == XCC_PARAM_POINTER
            ? (Type *)builder.getPtrTy()
            : builder.getIntNTy(unsigned(param.size) * 8),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry.getArg(0),
                                           param.offset)));
  return arguments;
}

void visitNeeds(
    Module &module, ArrayRef<GlobalVariable *> variables,
    function_ref<void(GlobalVariable &, const GlobalObjects &)> visit) {
  Calls calls = flatten(readList(module, "llvm.global_ctors"));
  for (GlobalVariable *variable : variables) {
    Objects used;
    addUsed(*variable, used);
    addNeeded(calls, used);
    visit(*variable, used);
  }
}

void initialiseFirst(Module &module, const Target &target, Function &call,
                     KernelTable &kernels) {
  if (!module.getFunction(XCC_SYMBOL_INIT))
    makeInit(module, target, {}, kernels);
  Function *entry = module.getFunction(XCC_SYMBOL_INIT);
  CallInst::Create(&call, "", entry->front().getFirstInsertionPt());
}

void makeInitialisers(Module &module, const Target &target,
                      KernelTable &kernels, const InitialiserContext &context) {
  Calls listed = takeList(module, "llvm.global_ctors");
  Calls last = takeList(module, "llvm.global_dtors");
  Calls flat = flatten(listed);
  Calls calls = reduceInitialisers(module, listed, [&](Calls all) {
    return neededBy(module, kernels, all, context);
  });
  last = concerning(module, kernels, last);
  if (!calls.empty())
    makeInit(module, target, calls, kernels);
  listed.insert(listed.end(), flat.begin(), flat.end());
  eraseUnused(listed);
  if (isUsed(module, "__cxa_atexit") || isUsed(module, "atexit") ||
      !last.empty())
    makeFini(module, target, last, kernels);
}

} // namespace xcc
