// Finds calls that may recurse
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_RECURSIVECALLS_H
#define XCC_BACKEND_GPU_WARPS_RECURSIVECALLS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <map>
#include <optional>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::gpu {

/// Finds the calls that lead to a function which calls itself: directly,
/// through others, or through pointers. A call through a pointer may lead to
/// each function whose address is taken and whose result and parameters have
/// the same sizes. The object is a snapshot of the module.
class RecursiveCalls {
public:
  explicit RecursiveCalls(const llvm::Module &module);

  bool operator()(const llvm::CallBase &call) const;

private:
  /// The sizes of the result and the parameters.
  using Shape = std::vector<uint64_t>;
  /// A function, or all functions that calls through pointers of one shape may
  /// call.
  struct Node {
    llvm::SmallVector<unsigned, 4> calls; ///< other nodes, each once
    llvm::SmallVector<unsigned, 4> calledBy;
    bool recurses = true;
  };

  std::vector<Node> nodes;
  llvm::DenseMap<const llvm::Function *, unsigned> functions;
  std::map<Shape, unsigned> shapes;

  template <class FunctionOrCall>
  Shape shapeOf(const FunctionOrCall &of, const llvm::DataLayout &layout) const;
  /// The node that a call leads to; none if the module does not define it.
  std::optional<unsigned> nodeOf(const llvm::CallBase &call) const;
  void addNodes(const llvm::Module &module);
  void addEdges(const llvm::Module &module);
  void addEdge(unsigned from, unsigned to);
  void removeFinite();
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_RECURSIVECALLS_H
