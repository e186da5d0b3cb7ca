// How values differ between threads that run side by side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector runs neighbouring threads, its lanes. A value is uniform if all lanes
// that compute it have the same, affine if it grows by a constant from lane to
// lane, else varying. Uniform and affine values are computed once, for lane 0.

#ifndef XCC_BACKEND_BLOCK_SIMD_SHAPES_H
#define XCC_BACKEND_BLOCK_SIMD_SHAPES_H

#include "LoopGraph.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class ScalarEvolution;
}

namespace xcc::block::simd {

/// How many threads run side by side.
struct Width {
  unsigned lanes = 0;
  unsigned vectors = 1; ///< of the widest values, for these lanes
};

struct Shape {
  enum Kind : uint8_t { Unknown, Strided, Varying } kind = Unknown;
  int64_t stride = 0; ///< from lane to lane; of pointers in bytes
  /// If not null, lane n has the value that lane n ^ swap would have by the
  /// stride. Swap is the low bits of this value, which is known before the
  /// thread loop.
  const llvm::Value *swap = nullptr;

  static Shape uniform() { return {Strided, 0}; }
  static Shape varying() { return {Varying, 0}; }
  bool isUniform() const { return kind == Strided && stride == 0; }
  bool isVarying() const { return kind == Varying; }
  bool operator==(const Shape &o) const {
    return kind == o.kind && stride == o.stride && swap == o.swap;
  }
};

/// Computes the shapes of values in a thread loop, and the branches and loops
/// that lanes leave by different edges.
class Shapes {
public:
  /// \p lanes is a power of two and at least the number of a vector's threads.
  Shapes(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::ScalarEvolution &se,
         unsigned lanes)
      : threads(threads), loops(loops), se(se), lanes(lanes) {}

  /// Null, or why the loop cannot be vectorised.
  const char *analyse();

  Shape of(const llvm::Value *v) const {
    auto *i = llvm::dyn_cast<llvm::Instruction>(v);
    if (!i || !threads.contains(i))
      return Shape::uniform();
    return shapes.lookup(v);
  }
  LoopGraph &graphOf(const llvm::Loop &l) const { return *graphs.at(&l); }
  bool isDivergent(const llvm::Loop &l) const { return divergent.contains(&l); }

  /// Whether both operands of \p compare have a lane's number in the low bits,
  /// that of the lane or by a swap of another, and a multiple of the lanes in
  /// the others.
  bool comparesLanes(const llvm::ICmpInst &compare) const {
    return laneComparisons.contains(&compare);
  }

  /// What the shapes assume and only a check at run time can show: sums with
  /// the thread index that are extended to more bits do not wrap.
  llvm::SmallVector<const llvm::SCEVPredicate *> assumptions() const;

private:
  const char *seed();
  bool propagate();
  bool spread();
  bool split(LoopGraph &graph, unsigned n);
  Shape compute(llvm::Instruction &i) const;
  Shape ofPhi(llvm::PHINode &phi) const;
  Shape ofArithmetic(llvm::Instruction &i) const;
  bool startsVectors(const llvm::Value *v) const;
  bool endsInLane(const llvm::Value *v) const;
  bool endInLanes(const llvm::ICmpInst &compare) const;
  Shape ofXor(llvm::Instruction &i) const;
  Shape ofCompare(llvm::ICmpInst &compare) const;
  Shape ofAnd(llvm::Instruction &i) const;
  Shape ofAddress(llvm::GetElementPtrInst &gep) const;
  Shape ofExtension(llvm::CastInst &cast) const;
  const llvm::SCEVAddRecExpr *
  extendedSum(const llvm::CastInst &extension) const;

  llvm::Loop &threads;
  llvm::LoopInfo &loops;
  llvm::ScalarEvolution &se;
  unsigned lanes;
  llvm::DenseMap<const llvm::Value *, Shape> shapes;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<LoopGraph>> graphs;
  llvm::SmallVector<llvm::BasicBlock *> order;
  llvm::SmallPtrSet<const llvm::Loop *, 4> divergent;
  /// Blocks that lanes reach by different edges.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> joins;
  llvm::SmallPtrSet<const llvm::ICmpInst *, 4> laneComparisons;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_SHAPES_H
