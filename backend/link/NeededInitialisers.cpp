// Selects the initialisers that kernels need
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NeededInitialisers.h"
#include "LibraryImports.h"
#include "Names.h"
#include "Reached.h"
#include "Writes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace xcc {
namespace {

/// An initialiser, and what is known of it so far.
struct Initialiser {
  Function *code;
  GlobalObjects leadsTo;
  std::optional<SetVector<const Function *>> runs;
  /// It has been kept or dropped.
  bool done = false;
};

std::vector<Initialiser> all(const FunctionList &calls) {
  std::vector<Initialiser> result;
  for (Function *call : calls) {
    result.push_back({call, {}, std::nullopt, false});
    addUsed(*call, result.back().leadsTo);
  }
  return result;
}

/// The next one that writes a variable among `used`, and that variable.
std::pair<Initialiser *, const GlobalVariable *>
nextNeeded(std::vector<Initialiser> &initialisers, const GlobalObjects &used) {
  auto counts = [&](const GlobalVariable &variable) {
    return !variable.isConstant() && used.contains(&variable);
  };
  for (Initialiser &each : initialisers) {
    if (each.done || none_of(each.leadsTo, [&](const GlobalObject *object) {
          const auto *variable = dyn_cast<GlobalVariable>(object);
          return variable && counts(*variable);
        }))
      continue;
    if (!each.runs)
      each.runs = runBy(*each.code);
    if (const GlobalVariable *written = writtenBy(*each.runs, counts))
      return {&each, written};
  }
  return {nullptr, nullptr};
}

/// Why an initialiser that no code names cannot run on the device, as notes;
/// empty if it can.
std::string whyNot(const Initialiser &initialiser, const GlobalObjects &used,
                   const InitialiserContext &context) {
  if (initialiser.code->hasFnAttribute(attribute::SkippedInitialiser)) {
    SmallVector<StringRef> parts;
    initialiser.code->getFnAttribute(attribute::SkippedInitialiser)
        .getValueAsString()
        .split(parts, '\t');
    return parts.size() == 3 ? (parts[2] + ": note: because of this\n").str()
                             : "note: because of what it does\n";
  }
  for (const GlobalObject *object : initialiser.leadsTo) {
    if (used.contains(object))
      continue; // has its own message
    if (StringRef fault = faultOf(*object); !fault.empty()) {
      auto [place, what] = fault.split(": error: ");
      return (place + ": note: because of this: " + what).str();
    }
    if (isUndefined(*object) && context.isProvided &&
        !context.isProvided(object->getName()))
      return "note: because it uses '" + demangle(object->getName()) +
             "', which nothing in this link defines for a device\n" +
             (context.notesOfUndefined
                  ? context.notesOfUndefined(object->getName())
                  : "");
  }
  return "";
}

std::string warningOf(const Initialiser &initialiser,
                      const GlobalVariable &written, StringRef why) {
  std::string place = placeOf(*initialiser.code);
  return (place.empty() ? "" : place + ": ") + "warning: device code uses '" +
         demangle(importedName(written)) + "', which '" +
         titleOf(*initialiser.code) +
         "' changes before main: that does not happen on the device, where it "
         "cannot run [-Woffload-globals]\n" +
         why.str();
}

/// A shared library's variable that an initialiser of this link writes, or
/// null. An initialiser of a variable that the library has too does not count:
/// the library has run its own.
const GlobalVariable *writtenOfLibrary(Initialiser &initialiser) {
  if (none_of(initialiser.leadsTo, [](const GlobalObject *object) {
        const auto *variable = dyn_cast<GlobalVariable>(object);
        return variable && variable->hasAttribute(attribute::Import);
      }))
    return nullptr;
  const GlobalVariable *made = madeBy(*initialiser.code);
  if (made && made->hasAttribute(attribute::Import))
    return nullptr;
  if (!initialiser.runs)
    initialiser.runs = runBy(*initialiser.code);
  return writtenBy(*initialiser.runs, [&](const GlobalVariable &variable) {
    return variable.hasAttribute(attribute::Import) && !variable.isConstant() &&
           !importedName(variable).starts_with("_ZGV");
  });
}

/// The warning that such an initialiser runs only before the first kernel of
/// its own image.
std::string lateWarningOf(const Initialiser &initialiser,
                          const GlobalVariable &written) {
  std::string place = placeOf(*initialiser.code);
  std::string library = importedFrom(written).str();
  return (place.empty() ? "" : place + ": ") + "warning: what '" +
         titleOf(*initialiser.code) + "' does before main to '" +
         demangle(importedName(written)) + "' of '" + library +
         "' is done on a device before the first kernel of this link: kernels "
         "of the library that run there earlier do not see it "
         "[-Woffload-globals]\n" +
         "note: launch a kernel of this link first, or let the library itself "
         "do this\n";
}

GlobalObjects usedByKernels(const Module &module, const KernelTable &kernels) {
  GlobalObjects used;
  for (const Kernel &kernel : kernels)
    if (const Function *entry = module.getFunction(kernel.symbol))
      addUsed(*entry, used);
  return used;
}

/// Adds what a library exports.
void addShared(const Module &module, GlobalObjects &used) {
  for (const GlobalVariable &variable : module.globals())
    if (variable.hasAttribute(attribute::Shared))
      addUsed(variable, used);
}

/// The needed functions in the order of `calls`.
FunctionList inOrder(const FunctionList &calls,
                     const SmallPtrSetImpl<Function *> &needed) {
  FunctionList kept;
  copy_if(calls, std::back_inserter(kept),
          [&](Function *call) { return needed.contains(call); });
  return kept;
}

} // namespace

void addUsed(const Value &from, GlobalObjects &used) {
  SmallVector<const Value *> work = {&from};
  SmallPtrSet<const Value *, 32> seen;
  while (!work.empty()) {
    const Value *next = work.pop_back_val();
    if (const auto *object = dyn_cast<GlobalObject>(next)) {
      if (!used.insert(object))
        continue;
      if (const auto *function = dyn_cast<Function>(object)) {
        for (const Instruction &inst : instructions(function))
          for (const Value *operand : inst.operands())
            if (isa<Constant>(operand))
              work.push_back(operand);
        continue;
      }
    }
    if (const auto *constant = dyn_cast<Constant>(next);
        constant && seen.insert(next).second)
      for (const Value *operand : constant->operands())
        work.push_back(operand);
  }
}

FunctionList addNeeded(const FunctionList &calls, GlobalObjects &used) {
  std::vector<Initialiser> initialisers = all(calls);
  SmallPtrSet<Function *, 16> needed;
  while (Initialiser *next = nextNeeded(initialisers, used).first) {
    next->done = true;
    needed.insert(next->code);
    used.insert_range(next->leadsTo);
  }
  return inOrder(calls, needed);
}

FunctionList neededBy(const Module &module, const KernelTable &kernels,
                      const FunctionList &calls,
                      const InitialiserContext &context) {
  GlobalObjects used = usedByKernels(module, kernels);
  std::vector<Initialiser> initialisers = all(calls);
  SmallPtrSet<Function *, 16> needed;
  auto take = [&](bool tells) {
    for (;;) {
      auto [next, written] = nextNeeded(initialisers, used);
      if (!next)
        return;
      next->done = true;
      // If it initialises a used variable, an error in it is an error of the
      // kernel.
      const GlobalVariable *made = madeBy(*next->code);
      std::string why =
          made && used.contains(made) ? "" : whyNot(*next, used, context);
      if (why.empty()) {
        needed.insert(next->code);
        used.insert_range(next->leadsTo);
      } else if (tells && context.warnings) {
        context.warnings->push_back(warningOf(*next, *written, why));
      }
    }
  };
  take(/*tells=*/true);
  // Writes to a library's variables may be used there.
  if (!kernels.empty())
    for (Initialiser &each : initialisers) {
      const GlobalVariable *written = writtenOfLibrary(each);
      if (!written || (each.done && !needed.contains(each.code)))
        continue;
      std::string why = each.done ? "" : whyNot(each, used, context);
      if (context.warnings)
        context.warnings->push_back(why.empty()
                                        ? lateWarningOf(each, *written)
                                        : warningOf(each, *written, why));
      each.done = true;
      if (why.empty() && needed.insert(each.code).second)
        used.insert_range(each.leadsTo);
    }
  take(/*tells=*/true);
  // It is not known yet whether a kernel uses these.
  addShared(module, used);
  take(/*tells=*/false);
  return inOrder(calls, needed);
}

FunctionList concerning(const Module &module, const KernelTable &kernels,
                        const FunctionList &calls) {
  GlobalObjects used = usedByKernels(module, kernels);
  addShared(module, used);
  FunctionList kept;
  copy_if(calls, std::back_inserter(kept), [&](Function *call) {
    GlobalObjects own;
    addUsed(*call, own);
    return any_of(own, [&](const GlobalObject *object) {
      const auto *variable = dyn_cast<GlobalVariable>(object);
      return variable && !variable->isConstant() && used.contains(object);
    });
  });
  return kept;
}

std::string titleOf(const Function &initialiser) {
  if (initialiser.hasFnAttribute(attribute::SkippedInitialiser))
    return initialiser.getFnAttribute(attribute::SkippedInitialiser)
        .getValueAsString()
        .split('\t')
        .first.str();
  const GlobalVariable *made = madeBy(initialiser);
  return demangle(made ? made->getName() : initialiser.getName());
}

std::string placeOf(const Function &initialiser) {
  if (initialiser.hasFnAttribute(attribute::SkippedInitialiser))
    return initialiser.getFnAttribute(attribute::SkippedInitialiser)
        .getValueAsString()
        .split('\t')
        .second.split('\t')
        .first.str();
  const GlobalVariable *made = madeBy(initialiser);
  const MDNode *place = made ? made->getMetadata(metadata::Place) : nullptr;
  if (!place || place->getNumOperands() < 2)
    return "";
  const auto *file = dyn_cast_or_null<MDString>(place->getOperand(0).get());
  const auto *line = dyn_cast_or_null<MDString>(place->getOperand(1).get());
  return file && line ? (file->getString() + ":" + line->getString()).str()
                      : "";
}

} // namespace xcc
