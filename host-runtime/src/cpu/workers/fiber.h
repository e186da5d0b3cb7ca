// Threads of a block that can wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose barriers cannot be compiled into loops runs each thread of a
// block as a fiber: a stack of its own and a switch that saves six registers.
// All fibers of a block run on one worker, one at a time, in thread order, each
// until it waits or ends.
//
// A block barrier opens when every thread that has not ended waits at one. A
// warp barrier opens when every lane of the warp that has not ended waits at
// some barrier, for the lanes that are at the least position in the order of
// the source (xcc_cpu_thread::position): the others may be where the paths meet
// again, and wait there for those still on their way. When nothing can run, all
// threads wait; a warp with lanes at a warp barrier would have been let go, so
// all wait at block barriers, and those open: there is no way to hang.

#ifndef XCC_SRC_CPU_WORKERS_FIBER_H
#define XCC_SRC_CPU_WORKERS_FIBER_H

#include "sanitizer.h"
#include "thread_locals.h"
#include "xcc/abi.h"

#include <cstdint>

namespace xcc::rt::cpu {

class Worker;

class FiberGroup {
public:
  /// Null when memory ran out. Lives as long as its worker.
  static FiberGroup *make();

  /// Prepares for blocks of \p threads threads. False when memory ran out.
  bool enter(Worker &w, unsigned threads);
  /// Runs blocks [first, last), fiber by fiber. On the worker's own stack.
  void run(xcc_cpu_thread_fn entry, uint64_t first, uint64_t last);
  /// The barrier service. On a fiber's stack.
  uint32_t barrier(uint32_t scope);
  /// The service of that name. On a fiber's stack.
  void yield(uint32_t tries);
  /// The thread_local variables of the thread that runs. On a fiber's stack.
  ThreadLocals &threadLocals();
  /// The block was left by a trap or fault, and the worker's own stack has
  /// just been restored. Comes before anything else, then abandon().
  void cameHome();
  /// No fiber of the block that was left will continue.
  void abandon();

  bool inGuard(uintptr_t address) const;
  /// Bytes that each thread has.
  size_t stackSize() const { return stackSize_; }

private:
  static constexpr unsigned MaxThreads = XCC_CPU_MAX_BLOCK;
  static constexpr unsigned MaxWarps = MaxThreads / XCC_CPU_WARP_SIZE;

  /// What every switch touches, kept small.
  struct Fiber {
    void *stackPointer; ///< while it does not run
    xcc_cpu_thread thread;
  };
  struct Stack {
    char *low; ///< the lowest usable byte; below are a guard and the positions
    sanitizer::Stack marks;
    ThreadLocals *locals; ///< null until there are some
  };
  struct Warp {
    uint32_t live;    ///< lanes that have not ended
    uint32_t atBlock; ///< lanes waiting at a block barrier
    uint32_t atWarp;  ///< lanes waiting at a warp barrier
    uint32_t ready;   ///< lanes that can run
    /// The lanes let go last. One word is enough: no lane is let go again
    /// before all of these have run.
    uint32_t released;
    uint32_t phase; ///< how many barriers have opened
  };

  FiberGroup() = default;
  bool addStack();
  void resetFiber(unsigned index);
  void placeThreads();
  void startBlock(uint64_t block);
  void endBlock();
  void freshStack(unsigned index);
  uint64_t *positionStart(unsigned index) const;
  uint32_t firstGroup(unsigned warpIndex) const;
  void releaseIfComplete(unsigned warpIndex);
  unsigned nextReady(unsigned after) const;
  void switchAway();
  void arrive(unsigned index);
  [[noreturn]] static void fiberMain(void *self);

  Worker *owner = nullptr;
  xcc_cpu_thread_fn entry = nullptr;
  Fiber *fibers = nullptr; ///< MaxThreads of them
  Stack *stacks = nullptr; ///< of the same fibers
  unsigned made = 0;       ///< have a stack
  unsigned count = 0;      ///< threads of a block
  unsigned running = 0;    ///< the fiber that runs
  unsigned liveCount = 0;  ///< threads that have not ended
  unsigned blockCount = 0; ///< threads waiting at a block barrier
  uint32_t blockPhase = 0; ///< how many block barriers have opened
  uint32_t placedDim[3] = {};
  Warp warps[MaxWarps] = {};
  void *homePointer = nullptr; ///< the worker's own stack while fibers run
  sanitizer::Stack homeMarks;
  /// Under ThreadSanitizer: two places for each warp, then for the block, by which
  /// barriers order threads. They are used alternately.
  char *barrierMarks = nullptr;
  void *markOf(unsigned warp, uint32_t phase) const {
    return barrierMarks + 2 * warp + (phase & 1);
  }
  bool fromHome = false; ///< the last switch was the worker's
  size_t stackSize_ = 0;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_FIBER_H
