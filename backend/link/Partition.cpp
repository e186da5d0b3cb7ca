// Which of a linked module's kernels are generated together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Partition.h"
#include "Reached.h"
#include "block/fibers/Reach.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/GlobalStatus.h"
#include <map>
#include <optional>

using namespace llvm;

namespace xcc {
namespace {

/// Shared memory of a block, on every GPU of LLVM's: a launch's own.
constexpr unsigned BlockAddressSpace = 3;

/// Whether nobody can tell copies of a variable or function from one.
bool isSameInCopies(const GlobalValue &value) {
  if (value.hasGlobalUnnamedAddr()) {
    const auto *variable = dyn_cast<GlobalVariable>(&value);
    return !variable || variable->isConstant();
  }
  return isa<GlobalVariable>(value) &&
         value.getAddressSpace() == BlockAddressSpace;
}

/// Whether more than calls knows a function's address, other than tables of
/// which there may be copies.
bool isAddressTaken(const Value &value) {
  return any_of(value.uses(), [&](const Use &use) {
    const User *user = use.getUser();
    if (const auto *call = dyn_cast<CallBase>(user))
      return !call->isCallee(&use);
    if (const auto *variable = dyn_cast<GlobalVariable>(user))
      return !isSameInCopies(*variable);
    if (isa<BlockAddress>(user))
      return true;
    return isa<Constant>(user) && !isa<GlobalValue>(user)
               ? isAddressTaken(*user)
               : true;
  });
}

/// Whether a caller's code depends on what it calls through pointers. On GPUs
/// its registers are its callees' too; on the CPU device whoever calls what
/// asks for its thread, waits for others or has variables of its thread hands
/// these on.
class PointerCalls {
public:
  explicit PointerCalls(const Module &module) {
    if (none_of(module, block::mayBeCalledBack))
      return;
    // Each of them, or those that need something.
    if (!module.getTargetTriple().isGPU() &&
        none_of(module.globals(), [](const GlobalVariable &variable) {
          return variable.isThreadLocal() && !variable.isDeclaration();
        }))
      reach.emplace(module);
    any = any_of(module, [&](const Function &function) {
      return isDependedOn(function);
    });
  }

  /// Whether \p function is such a callee or calls one.
  bool areOf(const Function &function) const {
    return any && (isDependedOn(function) ||
                   any_of(instructions(function), [](const Instruction &inst) {
                     const auto *call = dyn_cast<CallBase>(&inst);
                     return call && block::mayCallBack(*call);
                   }));
  }

private:
  std::optional<block::Reach> reach; ///< none: what they need does not matter
  bool any = false;

  bool isDependedOn(const Function &function) const {
    return block::mayBeCalledBack(function) &&
           (!reach || reach->all(function) != block::NeedsNothing);
  }
};

/// What is known of a module's values, by number.
class Graph {
public:
  explicit Graph(const Module &module) {
    for (const GlobalValue &value : module.global_values()) {
      numbers[&value] = values.size();
      values.push_back(&value);
    }
    named.resize(values.size());
    weights.resize(values.size(), 1);
    for (const auto &[number, value] : enumerate(values)) {
      for (const GlobalValue *other : namedBy(*value))
        named[number].push_back(numbers.lookup(other));
      if (const auto *function = dyn_cast<Function>(value))
        weights[number] += function->getInstructionCount();
    }
  }

  DenseMap<const GlobalValue *, unsigned> numbers;
  std::vector<const GlobalValue *> values;
  std::vector<SmallVector<unsigned, 4>> named;
  std::vector<uint64_t> weights; ///< instructions, and one

  /// All that some values lead to, they included. Stops where it weighs more
  /// than `limit`.
  std::vector<unsigned> reachedFrom(ArrayRef<unsigned> from, uint64_t &weight,
                                    uint64_t limit) const {
    std::vector<unsigned> found;
    DenseSet<unsigned> seen;
    auto add = [&](unsigned number) {
      if (!seen.insert(number).second)
        return;
      found.push_back(number);
      weight += weights[number];
    };
    for (unsigned number : from)
      add(number);
    for (size_t i = 0; i < found.size() && weight <= limit; ++i)
      for (unsigned next : named[found[i]])
        add(next);
    return found;
  }
};

/// Roots that are generated together, and what they reach.
struct Group {
  std::vector<unsigned> roots, reached;
};

class Divider {
public:
  Divider(Module &module, const KernelTable &kernels,
          function_ref<int(StringRef)> unitOf)
      : module(module), graph(module) {
    for (const auto &[number, kernel] : enumerate(kernels))
      kernelNumbers[kernel.symbol] = number;
    for (const auto &[number, value] : enumerate(graph.values))
      if (const auto *function = dyn_cast<Function>(value);
          function && !function->isDeclaration() &&
          !function->hasLocalLinkage()) {
        bool kernel = kernelNumbers.count(function->getName());
        units[kernel ? unitOf(function->getName()) : -2].push_back(number);
      }
  }

  Partition run() {
    // Of one unit, or with what cannot be moved.
    auto isUnit = [](const auto &each) { return each.first >= 0; };
    if (count_if(units, isUnit) < 2 || !module.getModuleInlineAsm().empty() ||
        !module.ifunc_empty())
      return {{ModulePart()}, {}};
    makeGroups();
    if (groups.size() > 1)
      joinGroups();
    if (groups.size() < 2)
      return {{ModulePart()}, {}};
    return makeParts();
  }

private:
  Module &module;
  Graph graph;
  StringMap<unsigned> kernelNumbers;
  std::map<int, std::vector<unsigned>> units; ///< their roots
  std::vector<Group> groups;

  /// The roots of `each` units after the other as a group. False where groups
  /// have too much in common.
  bool tryGroups(unsigned each, uint64_t limit) {
    groups.clear();
    uint64_t weight = 0;
    unsigned count = 0;
    for (const auto &[unit, roots] : units) {
      if (count++ % each == 0)
        groups.emplace_back();
      append_range(groups.back().roots, roots);
    }
    for (Group &group : groups) {
      group.reached = graph.reachedFrom(group.roots, weight, limit);
      if (weight > limit)
        return false;
    }
    return true;
  }

  void makeGroups() {
    std::vector<unsigned> all;
    for (const auto &[unit, roots] : units)
      append_range(all, roots);
    uint64_t once = 0;
    graph.reachedFrom(all, once, UINT64_MAX);
    // Powers of two, so that groups stay what they are while units change.
    unsigned each = 1;
    while (!tryGroups(each, 2 * once))
      each *= 2;
  }

  /// Which groups reach each value, as a range of the first and the last, and
  /// each that is not the only one to `report`.
  void forEachShared(
      function_ref<void(unsigned value, unsigned first, unsigned other)> report)
      const {
    std::vector<int> first(graph.values.size(), -1);
    for (const auto &[number, group] : enumerate(groups))
      for (unsigned value : group.reached) {
        if (first[value] < 0)
          first[value] = number;
        else
          report(value, first[value], number);
      }
  }

  bool leadsToFunctions(unsigned variable) const {
    uint64_t weight = 0;
    return any_of(
        graph.reachedFrom({variable}, weight, UINT64_MAX),
        [&](unsigned reached) { return isa<Function>(graph.values[reached]); });
  }

  /// Whether there has to be one of a value, which no other part can have.
  bool joins(const GlobalValue &value) const {
    if (value.isDeclaration())
      return false;
    // A kernel that others call.
    if (isa<Function>(value) && !value.hasLocalLinkage())
      return true;
    if (isSameInCopies(value))
      return false;
    if (isa<Function>(value))
      return isAddressTaken(value);
    const auto *variable = dyn_cast<GlobalVariable>(&value);
    return !variable || variable->isThreadLocal() ||
           leadsToFunctions(graph.numbers.lookup(&value));
  }

  /// One group of those that have something in common of which there has to be
  /// one, and of those whose code depends on what is called through pointers.
  void joinGroups() {
    EquivalenceClasses<unsigned> classes;
    for (unsigned i = 0; i != groups.size(); ++i)
      classes.insert(i);
    DenseMap<unsigned, bool> known;
    forEachShared([&](unsigned value, unsigned first, unsigned other) {
      auto [at, fresh] = known.try_emplace(value, false);
      if (fresh)
        at->second = joins(*graph.values[value]);
      if (at->second)
        classes.unionSets(first, other);
    });
    PointerCalls calls(module);
    int other = -1;
    for (const auto &[number, group] : enumerate(groups)) {
      if (none_of(group.reached, [&](unsigned value) {
            const auto *function = dyn_cast<Function>(graph.values[value]);
            return function && calls.areOf(*function);
          }))
        continue;
      if (other >= 0)
        classes.unionSets(other, number);
      other = number;
    }
    std::vector<Group> joined;
    DenseMap<unsigned, unsigned> places; // of a class's leader
    for (auto [number, group] : enumerate(groups)) {
      auto [at, fresh] =
          places.try_emplace(classes.getLeaderValue(number), joined.size());
      if (fresh) {
        joined.push_back(std::move(group));
        continue;
      }
      Group &into = joined[at->second];
      append_range(into.roots, group.roots);
      SetVector<unsigned> all(into.reached.begin(), into.reached.end());
      all.insert_range(group.reached);
      into.reached.assign(all.begin(), all.end());
    }
    groups = std::move(joined);
  }

  /// A variable that nobody writes is a constant for parts that see only some
  /// of its users.
  void markConstant(GlobalVariable &variable) const {
    GlobalStatus status;
    if (!variable.hasLocalLinkage() || variable.isConstant() ||
        variable.isExternallyInitialized() || !variable.hasInitializer() ||
        GlobalStatus::analyzeGlobal(&variable, status))
      return;
    if (status.StoredType == GlobalStatus::NotStored && !status.IsCompared)
      variable.setConstant(true);
  }

  Partition makeParts() {
    Partition partition;
    auto share = [&](unsigned number) {
      const GlobalValue *value = graph.values[number];
      if (const auto *variable = dyn_cast<GlobalVariable>(value);
          variable && !variable->isDeclaration() && !isSameInCopies(*variable))
        partition.shared.insert(variable);
    };
    forEachShared([&](unsigned value, unsigned, unsigned) { share(value); });
    // What the runtime fills in is no part's own.
    for (const auto &[number, value] : enumerate(graph.values))
      if (!value->hasLocalLinkage())
        share(number);
    for (const GlobalValue *value : partition.shared)
      markConstant(const_cast<GlobalVariable &>(cast<GlobalVariable>(*value)));

    std::vector<unsigned> sharedNumbers;
    for (const auto &[number, value] : enumerate(graph.values))
      if (partition.shared.contains(value))
        sharedNumbers.push_back(number);
    if (!sharedNumbers.empty()) {
      uint64_t weight = 0;
      groups.push_back(
          {{}, graph.reachedFrom(sharedNumbers, weight, UINT64_MAX)});
    }
    for (Group &group : groups) {
      ModulePart &part = partition.parts.emplace_back();
      llvm::sort(group.reached);
      for (unsigned number : group.reached)
        part.values.push_back(graph.values[number]);
      for (unsigned root : group.roots)
        if (auto at = kernelNumbers.find(graph.values[root]->getName());
            at != kernelNumbers.end())
          part.kernels.push_back(at->second);
      llvm::sort(part.kernels);
    }
    return partition;
  }
};

} // namespace

Partition divide(Module &module, const KernelTable &kernels,
                 function_ref<int(StringRef)> unitOf) {
  return Divider(module, kernels, unitOf).run();
}

} // namespace xcc
