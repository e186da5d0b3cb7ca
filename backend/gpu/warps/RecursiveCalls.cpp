// Finds calls that may recurse
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function leads to recursion if it reaches a cycle of the call graph. The
// algorithm repeatedly removes functions that call only removed functions. What
// remains may recurse.

#include "RecursiveCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

static bool isThroughPointer(const CallBase &call) {
  return call.isIndirectCall() && !call.isInlineAsm();
}

template <class FunctionOrCall>
RecursiveCalls::Shape RecursiveCalls::shapeOf(const FunctionOrCall &of,
                                              const DataLayout &layout) const {
  FunctionType *type = of.getFunctionType();
  auto sizeOf = [&](Type *part) {
    return part->isSized() ? layout.getTypeStoreSize(part).getFixedValue() : 0;
  };
  Shape shape = {sizeOf(type->getReturnType())};
  for (unsigned i = 0; i != type->getNumParams(); ++i) {
    Type *copied = of.getParamByValType(i);
    shape.push_back(sizeOf(copied ? copied : type->getParamType(i)));
  }
  return shape;
}

RecursiveCalls::RecursiveCalls(const Module &module) {
  addNodes(module);
  addEdges(module);
  removeFinite();
}

std::optional<unsigned> RecursiveCalls::nodeOf(const CallBase &call) const {
  if (isThroughPointer(call)) {
    auto found = shapes.find(shapeOf(call, call.getDataLayout()));
    return found == shapes.end() ? std::nullopt : std::optional(found->second);
  }
  auto found = functions.find(call.getCalledFunction());
  return found == functions.end() ? std::nullopt : std::optional(found->second);
}

void RecursiveCalls::addNodes(const Module &module) {
  for (const Function &function : module)
    if (!function.isDeclaration()) {
      functions[&function] = nodes.size();
      nodes.emplace_back();
    }
  for (const auto &entry : functions)
    if (entry.first->hasAddressTaken()) {
      auto [shape, fresh] = shapes.try_emplace(
          shapeOf(*entry.first, module.getDataLayout()), nodes.size());
      if (fresh)
        nodes.emplace_back();
      addEdge(shape->second, entry.second);
    }
}

void RecursiveCalls::addEdge(unsigned from, unsigned to) {
  if (is_contained(nodes[from].calls, to))
    return;
  nodes[from].calls.push_back(to);
  nodes[to].calledBy.push_back(from);
}

void RecursiveCalls::addEdges(const Module &module) {
  for (const auto &entry : functions)
    for (const Instruction &inst : instructions(*entry.first))
      if (const auto *call = dyn_cast<CallBase>(&inst))
        if (std::optional<unsigned> to = nodeOf(*call))
          addEdge(entry.second, *to);
}

void RecursiveCalls::removeFinite() {
  std::vector<size_t> left;
  SmallVector<unsigned> work;
  for (unsigned i = 0; i != nodes.size(); ++i) {
    left.push_back(nodes[i].calls.size());
    if (!left.back())
      work.push_back(i);
  }
  while (!work.empty()) {
    Node &node = nodes[work.pop_back_val()];
    node.recurses = false;
    for (unsigned caller : node.calledBy)
      if (--left[caller] == 0)
        work.push_back(caller);
  }
}

bool RecursiveCalls::operator()(const CallBase &call) const {
  std::optional<unsigned> to = nodeOf(call);
  return to && nodes[*to].recurses;
}

} // namespace xcc::gpu
