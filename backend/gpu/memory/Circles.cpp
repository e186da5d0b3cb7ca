// Variables whose initial values form a cycle
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some assembly languages require that a variable is declared before another's
// initial value names it. Then `N a{&b}, b{&a};`, or a variable that holds its
// own address, has no valid order. A depth-first walk from each variable along
// its initial value finds the references that close a cycle: those to a
// variable whose walk has not ended. In the order in which the walks end, every
// variable follows those that it names. This order is deterministic, whereas
// NVPTX's own depends on addresses in the compiler's memory.

#include "gpu/stages/AfterPipeline.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

using Variables = SmallSetVector<GlobalVariable *, 8>;

/// The variables that an initial value names, in their order.
Variables namedBy(const GlobalVariable &variable) {
  Variables named;
  SmallVector<Constant *> work;
  SmallPtrSet<Constant *, 16> seen;
  if (variable.hasInitializer())
    work.push_back(const_cast<Constant *>(variable.getInitializer()));
  while (!work.empty()) {
    Constant *constant = work.pop_back_val();
    if (auto *other = dyn_cast<GlobalVariable>(constant)) {
      named.insert(other);
      continue;
    }
    if (isa<GlobalValue>(constant))
      continue;
    for (Use &operand : reverse(constant->operands()))
      if (auto *part = dyn_cast<Constant>(operand);
          part && seen.insert(part).second)
        work.push_back(part);
  }
  return named;
}

/// A variable on the path of the walk, and the index of its next reference.
struct Step {
  GlobalVariable *variable;
  Variables named;
  unsigned next = 0;
};

} // namespace

std::vector<Ahead> breakCycles(Module &module) {
  enum State { New, Open, Done };
  DenseMap<GlobalVariable *, State> states;
  DenseMap<GlobalVariable *, Variables> closing; // variable -> those it names
                                                 // that close a cycle
  SmallVector<GlobalVariable *> ended;
  SmallVector<GlobalVariable *> all(make_pointer_range(module.globals()));
  for (GlobalVariable *first : all) {
    if (states.lookup(first) != New)
      continue;
    // Without recursion, because a list may link thousands of variables.
    SmallVector<Step> path;
    auto enter = [&](GlobalVariable *variable) {
      states[variable] = Open;
      path.push_back({variable, namedBy(*variable)});
    };
    enter(first);
    while (!path.empty()) {
      Step &at = path.back();
      if (at.next == at.named.size()) {
        states[at.variable] = Done;
        ended.push_back(at.variable);
        path.pop_back();
        continue;
      }
      GlobalVariable *named = at.named[at.next++];
      if (State state = states.lookup(named); state == Open)
        closing[at.variable].insert(named);
      else if (state == New)
        enter(named);
    }
  }

  std::vector<Ahead> list;
  DenseMap<GlobalVariable *, GlobalVariable *> declared;
  for (GlobalVariable *variable : all) {
    auto found = closing.find(variable);
    if (found == closing.end())
      continue;
    ValueToValueMapTy second;
    for (GlobalVariable *named : found->second) {
      GlobalVariable *&ahead = declared[named];
      if (!ahead) {
        std::string name;
        for (char c : named->getName())
          if (isAlnum(c) || c == '_')
            name += c;
          else
            name += "_$_";
        named->setName(name);
        named->setLinkage(GlobalValue::ExternalLinkage);
        ahead = new GlobalVariable(
            module, named->getValueType(), named->isConstant(),
            GlobalValue::ExternalLinkage, nullptr, named->getName() + "$ahead",
            nullptr, GlobalValue::NotThreadLocal, named->getAddressSpace());
        ahead->setAlignment(named->getAlign());
        list.push_back({named->getName().str(), ahead->getName().str()});
      }
      second[named] = ahead;
    }
    variable->setInitializer(MapValue(variable->getInitializer(), second));
  }
  // Forward declarations were added last, and stay before all others.
  for (GlobalVariable *variable : ended) {
    variable->removeFromParent();
    module.insertGlobalVariable(variable);
  }
  return list;
}

} // namespace xcc::gpu
