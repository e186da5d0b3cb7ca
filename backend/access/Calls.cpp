// The flow of addresses through calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flow.h"
#include "Names.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace xcc::access {

/// Whether a value of this type from an unseen function may be an address.
static bool mayHoldAddress(const Type *type) {
  return !type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy();
}

constexpr Access Contents{.pointer = false, .copy = true};

Places Flow::fresh(const Value &of) {
  Places places;
  places.add(objects.of(of, Kind::Own));
  return places;
}

Places Flow::allOf(const CallBase &call) {
  Places all;
  for (const Use &arg : call.args())
    all.merge(of(arg));
  return all;
}

void Flow::visitCall(CallBase &call) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
      intrinsic && visitIntrinsic(*intrinsic))
    return;
  if (call.isInlineAsm()) {
    Places all = allOf(call);
    objects.escape(all);
    all.add(Number);
    if (mayHoldAddress(call.getType()))
      all.add(Unknown);
    set(call, all);
    return;
  }
  if (Function *callee = call.getCalledFunction()) {
    if (visitKnown(call, *callee))
      return;
    if (callee->isDeclaration())
      return visitExternal(call, callee);
    return enter(call, *callee);
  }
  for (Place place : of(call.getCalledOperand())) {
    const Object &object = objects[place.object];
    if (object.kind != Kind::Function || place.offset != 0)
      return objects.fail("calls a function of unknown address");
    auto *callee = const_cast<Function *>(cast<Function>(object.value));
    if (visitKnown(call, *callee))
      continue;
    if (callee->isDeclaration())
      visitExternal(call, callee);
    else
      enter(call, *callee);
  }
}

/// Handles intrinsics with known effects. False if \p call is to be treated
/// like any other unseen function.
bool Flow::visitIntrinsic(IntrinsicInst &call) {
  if (auto *transfer = dyn_cast<AnyMemTransferInst>(&call)) {
    Places to = of(transfer->getRawDest()), from = of(transfer->getRawSource());
    const auto *length = dyn_cast<ConstantInt>(transfer->getLength());
    if (length && length->isZero())
      return true;
    objects.markRead(from);
    objects.markWritten(to);
    if (length) {
      objects.markOffset(from, length->getZExtValue());
      objects.markOffset(to, length->getZExtValue());
    }
    objects.copy(to, from, length ? length->getZExtValue() : 0);
    return true;
  }
  if (auto *fill = dyn_cast<AnyMemSetInst>(&call)) {
    Places to = of(fill->getRawDest()), value = of(fill->getValue());
    objects.markWritten(to);
    if (const auto *length = dyn_cast<ConstantInt>(fill->getLength()))
      objects.markOffset(to, length->getZExtValue());
    for (Place place : to)
      objects.store({place.object, Any}, {.pointer = false}, value);
    return true;
  }
  switch (call.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fake_use:
  case Intrinsic::invariant_end:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::pseudoprobe:
  case Intrinsic::prefetch:
  case Intrinsic::sideeffect:
  case Intrinsic::stackrestore:
  case Intrinsic::vaend:
  case Intrinsic::var_annotation:
    return true;
  case Intrinsic::invariant_start:
  case Intrinsic::stacksave:
    return true;
  case Intrinsic::annotation:
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ssa_copy:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::threadlocal_address:
    set(call, of(call.getArgOperand(0)));
    return true;
  case Intrinsic::ptrmask: {
    Places places;
    for (Place place : of(call.getArgOperand(0))) {
      if (objects[place.object].kind != Kind::Special)
        place.offset = Any;
      places.add(place);
    }
    set(call, places);
    return true;
  }
  // The object of the variable arguments also stands for the va_list.
  case Intrinsic::vastart: {
    Places list = of(call.getArgOperand(0));
    Places area = fresh(*call.getFunction());
    Places there;
    for (Place place : area)
      there.add({place.object, Any});
    for (Place place : list)
      objects.store({place.object, Any}, {.pointer = true}, there);
    return true;
  }
  case Intrinsic::vacopy:
    objects.copy(of(call.getArgOperand(0)), of(call.getArgOperand(1)), 0);
    return true;
  default:
    break;
  }
  if (!target || !target->describesLaunch(call))
    return false;
  Places places;
  places.add(Services);
  set(call, places);
  return true;
}

/// Handles functions whose effects are known by name. False for others.
bool Flow::visitKnown(CallBase &call, const Function &callee) {
  StringRef name = callee.getName();
  enum What { Nothing, Allocates, Frees, Calls, Runtime };
  What what =
      StringSwitch<What>(name)
          .Cases({"malloc", "calloc", "aligned_alloc", "memalign",
                  "__xcc_allocate", "_Znwm", "_Znam", "_ZnwmSt11align_val_t",
                  "_ZnamSt11align_val_t"},
                 Allocates)
          .Cases({"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t",
                  "_ZnwmSt11align_val_tRKSt9nothrow_t",
                  "_ZnamSt11align_val_tRKSt9nothrow_t"},
                 Allocates)
          .Cases({"__xcc_dynamic_shared", "__xcc_exchange", "__xcc_position",
                  "__errno_location", "__xcc_foreign_thread_local"},
                 Allocates)
          .Case("__xcc_thread_local", Nothing) // each call returns the same
                                               // memory
          .Cases({"free", "__xcc_free", "_ZdlPv", "_ZdaPv", "_ZdlPvm",
                  "_ZdaPvm", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
                  "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t"},
                 Frees)
          .Case("__xcc_host_call", Calls)
          .Cases({"printf", "vprintf", "fprintf", "vfprintf", "dprintf",
                  "vdprintf", "puts", "fputs", "fputc", "putc", "putchar",
                  "fwrite", "fflush", "perror"},
                 Runtime)
          .StartsWith(GeneratedPrefix, Nothing)
          .StartsWith("__xcc_", Runtime)
          .Default(Nothing);
  // A program may define a function of that name, such as operator new.
  if (!callee.isDeclaration() && !name.starts_with("__xcc_") &&
      callee.hasFnAttribute(attribute::Program) ==
          entry.hasFnAttribute(attribute::Program))
    what = Nothing;
  // Standard library functions that end the launch with a text.
  if (call.doesNotReturn() && name.starts_with("_ZSt") &&
      name.contains("__throw_"))
    what = Runtime;
  switch (what) {
  case Nothing:
    return false;
  case Allocates:
    // Block-shared memory is one object for all callers.
    set(call, fresh(name.starts_with("__") ? static_cast<const Value &>(callee)
                                           : call));
    return true;
  case Frees:
    return true;
  case Calls:
    objects.fail("calls a function of the host");
    return true;
  case Runtime: {
    Places all = allOf(call);
    for (const Use &arg : call.args())
      if (arg->getType()->isPtrOrPtrVectorTy())
        objects.escape(of(arg));
    all.add(Number);
    if (mayHoldAddress(call.getType()))
      all.add(Unknown);
    set(call, all);
    return true;
  }
  }
  llvm_unreachable("all cases return");
}

/// Handles a function of which only the attributes are known.
void Flow::visitExternal(CallBase &call, const Function *callee) {
  Places all = allOf(call), result = all;
  auto done = [&] {
    if (call.getType()->isVoidTy())
      return;
    if (mayHoldAddress(call.getType()))
      result.add(Unknown);
    else
      result = objects.withUnknownOffsets(result);
    result.add(Number);
    set(call, result);
  };
  MemoryEffects effects = call.getMemoryEffects();
  if (effects.doesNotAccessMemory()) {
    // Mathematical functions, and queries of the thread.
    return done();
  }
  MemoryEffects other = effects.getWithoutLoc(IRMemLocation::ArgMem)
                            .getWithoutLoc(IRMemLocation::InaccessibleMem)
                            .getWithoutLoc(IRMemLocation::ErrnoMem);
  bool wide = !other.doesNotAccessMemory();
  LibFunc function;
  // Names with this prefix belong to the compiler and the C library.
  bool known = callee->isIntrinsic() || callee->getName().starts_with("__") ||
               library.getLibFunc(*callee, function);
  if (wide && !known && !call.doesNotReturn())
    return objects.fail("calls '" + callee->getName().str() +
                        "', which is not seen");
  bool remembers =
      isModSet(effects.getModRef(IRMemLocation::InaccessibleMem)) || wide;
  ModRefInfo through = effects.getModRef(IRMemLocation::ArgMem);
  Places inside;
  SmallVector<Places> writable;
  for (const Use &arg : call.args()) {
    unsigned number = call.getArgOperandNo(&arg);
    Places places = of(arg);
    if (places.empty())
      continue;
    bool pointer = arg->getType()->isPtrOrPtrVectorTy();
    // Known functions take addresses as pointers only.
    if (known && !pointer && !callee->isIntrinsic())
      continue;
    bool kept = !pointer || !call.doesNotCapture(number);
    if (wide || (remembers && kept)) {
      for (Place place : places)
        if (objects[place.object].kind == Kind::Function &&
            !call.doesNotReturn())
          return objects.fail("gives a function to '" +
                              callee->getName().str() + "'");
      objects.escape(places);
      continue;
    }
    if (!pointer || !isModOrRefSet(through) || call.doesNotAccessMemory(number))
      continue;
    Places reached;
    for (Place place : places)
      if (objects[place.object].kind != Kind::Special)
        reached.add({place.object, Any});
      else if (place.object == Services || place.object == Unknown)
        reached.add(place);
    if (isRefSet(through) && !call.onlyWritesMemory(number)) {
      objects.markRead(reached);
      for (Place place : reached)
        objects.load(place, Contents, inside);
    }
    if (isModSet(through) && !call.onlyReadsMemory(number)) {
      objects.markWritten(reached);
      writable.push_back(reached);
    }
  }
  // The function may write, in pieces, all that it reads or gets.
  result.merge(inside);
  for (const Places &targets : writable)
    for (Place place : targets) {
      Places stored = objects.withUnknownOffsets(result);
      stored.add(Number);
      objects.store(place, Contents, stored);
    }
  done();
}

/// Handles a function with a body.
void Flow::enter(CallBase &call, Function &callee) {
  if (functions.insert(&callee))
    objects.change();
  for (const Use &use : call.args()) {
    unsigned number = call.getArgOperandNo(&use);
    Places places = of(use);
    // The callee gets a copy.
    if (call.isByValArgument(number)) {
      Places copy = fresh(number < callee.arg_size()
                              ? static_cast<Value &>(*callee.getArg(number))
                              : call);
      objects.markRead(places);
      objects.copy(copy, places,
                   layout.getTypeAllocSize(call.getParamByValType(number)));
      places = copy;
    }
    if (number < callee.arg_size()) {
      set(*callee.getArg(number), places);
      continue;
    }
    // The object of the variable arguments; see vastart.
    Places area;
    for (Place place : fresh(callee))
      area.add({place.object, Any});
    for (Place place : area)
      objects.store(place, Contents, places);
    if (call.isByValArgument(number))
      objects.copy(area, places, 0);
  }
  auto result = results.find(&callee);
  if (result != results.end())
    set(call, result->second);
}

} // namespace xcc::access
