// Divides a linked module into parts that are generated separately
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Partition.h"
#include "Copies.h"
#include "Reached.h"
#include "block/fibers/FunctionNeeds.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/GlobalStatus.h"
#include <map>
#include <optional>
#include <set>

using namespace llvm;

namespace xcc {
namespace {

/// Whether a caller's code depends on the functions that it calls through
/// pointers. On GPUs, it reserves registers for its callees. On the CPU device,
/// it passes its thread on if a callee uses its thread, waits for other threads
/// or has thread_local variables.
class PointerCalls {
public:
  explicit PointerCalls(const Module &module) {
    if (none_of(module, block::mayBeCalledBack))
      return;
    // Without thread_locals on the CPU device, only callees that need something
    // count; otherwise each one does.
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
  std::optional<block::FunctionNeeds> reach; ///< empty if every callee counts
  bool any = false;

  bool isDependedOn(const Function &function) const {
    return block::mayBeCalledBack(function) &&
           (!reach || reach->all(function) != block::NeedsNothing);
  }
};

/// The module's values by number, and which values each one names.
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
  std::vector<uint64_t> weights; ///< number of instructions plus one

  /// The values that `from` reach, including themselves. Values that are
  /// elsewhere go to `called` and are not followed. Stops when the weight
  /// exceeds `limit`.
  std::vector<unsigned> reachedFrom(
      ArrayRef<unsigned> from, uint64_t &weight, uint64_t limit,
      function_ref<bool(unsigned)> isElsewhere = [](unsigned) { return false; },
      std::vector<unsigned> *called = nullptr) const {
    std::vector<unsigned> found;
    DenseSet<unsigned> seen;
    auto add = [&](unsigned number) {
      if (!seen.insert(number).second)
        return;
      if (isElsewhere(number)) {
        called->push_back(number);
        return;
      }
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

  /// Marks all values that reach a marked one.
  void spread(std::vector<bool> &marked) const {
    std::vector<SmallVector<unsigned, 4>> users(values.size());
    std::vector<unsigned> work;
    for (unsigned number = 0; number != values.size(); ++number) {
      for (unsigned other : named[number])
        users[other].push_back(number);
      if (marked[number])
        work.push_back(number);
    }
    while (!work.empty()) {
      unsigned number = work.back();
      work.pop_back();
      for (unsigned user : users[number])
        if (!marked[user]) {
          marked[user] = true;
          work.push_back(user);
        }
    }
  }
};

/// Roots that are generated together, what they reach, and functions of other
/// groups that they call.
struct Group {
  std::vector<unsigned> roots, reached, called;
};

class Divider {
public:
  Divider(Module &module, const KernelTable &kernels,
          const PartitionRequest &request)
      : module(module), graph(module) {
    for (const auto &[number, kernel] : enumerate(kernels))
      kernelNumbers[kernel.symbol] = number;
    if (request.apart)
      findCallable(request.unitOf);
    for (const auto &[number, value] : enumerate(graph.values))
      if (const auto *function = dyn_cast<Function>(value);
          function && !function->isDeclaration() &&
          !function->hasLocalLinkage()) {
        bool kernel = kernelNumbers.count(function->getName());
        units[kernel ? request.unitOf(function->getName()) : -2].push_back(
            number);
      }
    if (!request.apart)
      divideUnits();
  }

  Partition run() {
    // There is only one unit, or code that cannot be moved.
    auto isUnit = [](const auto &each) { return each.first >= 0; };
    if (count_if(units, isUnit) < 2 || !module.getModuleInlineAsm().empty() ||
        !module.ifunc_empty())
      return whole();
    makeGroups();
    if (groups.size() > 1)
      joinGroups();
    if (groups.size() < 2)
      return whole();
    return makeParts();
  }

private:
  static Partition whole() {
    Partition partition;
    partition.parts.emplace_back();
    return partition;
  }

  Module &module;
  Graph graph;
  StringMap<unsigned> kernelNumbers;
  std::map<int, std::vector<unsigned>> units; ///< roots of each unit
  DenseMap<unsigned, int> callable; ///< functions that other units may call:
                                    ///< their unit
  DenseMap<unsigned, int> unitsOf;  ///< functions that only one unit defines:
                                    ///< their unit
  std::vector<Group> groups;

  /// Divides a unit with very many kernels into several, each of adjacent
  /// kernels, so that all cores have work.
  void divideUnits() {
    constexpr size_t limit = 96, partSize = 64;
    std::map<int, std::vector<unsigned>> divided;
    int next = 0;
    for (auto &[unit, roots] : units) {
      if (unit < 0) {
        divided[unit] = std::move(roots);
        continue;
      }
      size_t each = roots.size() > limit ? partSize : roots.size();
      for (size_t i = 0; i < roots.size(); i += each)
        append_range(divided[next++],
                     ArrayRef(roots).slice(i).take_front(each));
    }
    units = std::move(divided);
  }

  /// Finds functions that need only their arguments from callers: the block
  /// pass does not change them and their calls.
  void findCallable(function_ref<int(StringRef)> unitOf) {
    block::FunctionNeeds reach(module);
    bool threadLocals = any_of(module.globals(), [](const auto &variable) {
      return variable.isThreadLocal() && !variable.isDeclaration();
    });
    std::vector<bool> needs(graph.values.size());
    for (const auto &[number, value] : enumerate(graph.values)) {
      if (const auto *variable = dyn_cast<GlobalVariable>(value))
        needs[number] = variable->isThreadLocal();
      if (const auto *function = dyn_cast<Function>(value))
        needs[number] =
            reach.all(*function) != block::NeedsNothing ||
            (threadLocals &&
             any_of(instructions(*function), [](const Instruction &inst) {
               const auto *call = dyn_cast<CallBase>(&inst);
               return call && block::mayCallBack(*call);
             }));
    }
    graph.spread(needs);
    for (const auto &[number, value] : enumerate(graph.values)) {
      const auto *function = dyn_cast<Function>(value);
      if (!function || function->isDeclaration())
        continue;
      int unit = unitOf(function->getName());
      if (unit < 0)
        continue;
      unitsOf[number] = unit;
      if (needs[number] || !function->hasLocalLinkage() ||
          function->hasFnAttribute(Attribute::AlwaysInline))
        continue;
      callable[number] = unit;
      units[unit].push_back(number);
    }
  }

  /// Makes a group of every `each` consecutive units. Returns false if the
  /// groups have too much in common.
  bool tryGroups(unsigned each, uint64_t limit) {
    groups.clear();
    uint64_t weight = 0;
    unsigned count = 0;
    DenseMap<int, unsigned> groupOf;
    for (const auto &[unit, roots] : units) {
      if (count++ % each == 0)
        groups.emplace_back();
      append_range(groups.back().roots, roots);
      groupOf[unit] = groups.size() - 1;
    }
    for (const auto &[number, group] : enumerate(groups)) {
      auto isElsewhere = [&, own = number](unsigned value) {
        auto at = callable.find(value);
        return at != callable.end() && groupOf.lookup(at->second) != own;
      };
      group.reached = graph.reachedFrom(group.roots, weight, limit, isElsewhere,
                                        &group.called);
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
    // Powers of two keep groups stable when units change.
    unsigned each = 1;
    while (!tryGroups(each, 2 * once))
      each *= 2;
  }

  /// Calls `report` for each value that several groups reach, with the first
  /// group and each other one.
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

  /// Whether a value must exist once, and another part cannot define it.
  bool joins(const GlobalValue &value) const {
    if (value.isDeclaration())
      return false;
    // a kernel that other code calls
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

  /// Joins groups that share such a value, and those whose code depends on
  /// calls through pointers.
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
    DenseMap<unsigned, unsigned> places; // by the class's leader
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
      append_range(into.called, group.called);
    }
    groups = std::move(joined);
    for (Group &group : groups) {
      DenseSet<unsigned> own(group.reached.begin(), group.reached.end()), seen;
      erase_if(group.called, [&](unsigned value) {
        return own.contains(value) || !seen.insert(value).second;
      });
    }
  }

  /// Marks a variable that is never written as constant, because a part sees
  /// only some of its uses.
  void markConstant(GlobalVariable &variable) const {
    GlobalStatus status;
    if (!variable.hasLocalLinkage() || variable.isConstant() ||
        variable.isExternallyInitialized() || !variable.hasInitializer() ||
        GlobalStatus::analyzeGlobal(&variable, status))
      return;
    if (status.StoredType == GlobalStatus::NotStored && !status.IsCompared)
      variable.setConstant(true);
  }

  /// Variables that several parts, or the runtime, use.
  std::vector<unsigned> sharedVariables() const {
    std::set<unsigned> shared;
    auto share = [&](unsigned number) {
      const auto *variable = dyn_cast<GlobalVariable>(graph.values[number]);
      if (variable && !variable->isDeclaration() && !isSameInCopies(*variable))
        shared.insert(number);
    };
    forEachShared([&](unsigned value, unsigned, unsigned) { share(value); });
    // The runtime's variables must be shared.
    for (const auto &[number, value] : enumerate(graph.values))
      if (!value->hasLocalLinkage())
        share(number);
    return {shared.begin(), shared.end()};
  }

  /// Records functions of units that parts of other units have too.
  void noteCopied(Partition &partition) const {
    std::map<unsigned, unsigned> homes; // group of each unit's functions
    for (const auto &[number, group] : enumerate(groups))
      for (unsigned root : group.roots)
        if (auto at = unitsOf.find(root); at != unitsOf.end())
          homes[at->second] = number;
    std::set<unsigned> copied;
    for (const auto &[number, group] : enumerate(groups))
      for (unsigned value : group.reached)
        if (auto at = unitsOf.find(value); at != unitsOf.end()) {
          auto home = homes.find(at->second);
          if (home == homes.end() || home->second != number)
            copied.insert(value);
        }
    for (unsigned value : copied)
      partition.copied.push_back(cast<Function>(graph.values[value]));
  }

  Partition makeParts() {
    Partition partition;
    std::vector<unsigned> shared = sharedVariables();
    if (!shared.empty()) {
      uint64_t weight = 0;
      Group &last = groups.emplace_back();
      last.reached = graph.reachedFrom(
          shared, weight, UINT64_MAX,
          [&](unsigned value) { return callable.contains(value); },
          &last.called);
    }
    for (unsigned number : shared) {
      const auto *variable = cast<GlobalVariable>(graph.values[number]);
      partition.shared[variable] = groups.size() - 1;
      markConstant(const_cast<GlobalVariable &>(*variable));
    }
    DenseSet<unsigned> calledElsewhere;
    for (const Group &group : groups)
      calledElsewhere.insert_range(group.called);
    noteCopied(partition);
    for (const auto &[number, group] : enumerate(groups)) {
      for (unsigned value : group.reached)
        if (calledElsewhere.contains(value))
          partition.shared[graph.values[value]] = number;
      ModulePart &part = partition.parts.emplace_back();
      append_range(group.reached, group.called);
      llvm::sort(group.reached);
      for (unsigned value : group.reached)
        part.values.push_back(graph.values[value]);
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
                 const PartitionRequest &request) {
  // Replace internal aliases, so that calls name the function itself.
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (alias.hasLocalLinkage()) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
  return Divider(module, kernels, request).run();
}

} // namespace xcc
