// Fibers: threads of a block that can wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose barriers cannot be compiled into loops runs each thread of a
// block as a fiber, which has a stack of its own. A switch saves six registers.
// All fibers of a block run on one worker, one at a time, in thread order; each
// runs until it waits or ends.
//
// A block barrier opens when every thread that has not ended waits at a block
// barrier. A warp barrier opens when every lane of the warp that has not ended
// waits at some barrier. It opens for the lanes at the least position in the
// order of the source (xcc_cpu_thread::position): the other lanes may already
// be at the reconvergence point, and wait there for these. There is no
// deadlock: when no thread can run, no lane waits at a warp barrier, because
// that would have opened. So all threads wait at block barriers, and these
// open.

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
  /// Returns null when memory ran out. Lives as long as its worker.
  static FiberGroup *make();

  /// Prepares for blocks of \p threads threads. Returns false when memory ran
  /// out.
  bool enter(Worker &w, unsigned threads);
  /// Runs blocks [first, last), fiber by fiber. Call it on the worker's own
  /// stack.
  void run(xcc_cpu_thread_fn entry, uint64_t first, uint64_t last);
  /// xcc_cpu_services::barrier. Runs on a fiber's stack.
  uint32_t barrier(uint32_t scope);
  /// xcc_cpu_services::yield. Runs on a fiber's stack.
  void yield(uint32_t tries);
  /// The thread_local variables of the running thread. Runs on a fiber's stack.
  ThreadLocals &threadLocals();
  /// Call this first after a trap or a fault has left the block and restored
  /// the worker's own stack; then abandon().
  void cameHome();
  /// Resets the fibers of the block that was left; none of them continues.
  void abandon();

  bool inGuard(uintptr_t address) const;
  /// Bytes of each new fiber's stack, whole pages.
  static size_t chosenStackSize();
  /// Bytes of stack for each thread.
  size_t stackSize() const { return stackSize_; }

private:
  static constexpr unsigned MaxThreads = XCC_CPU_MAX_BLOCK;
  static constexpr unsigned MaxWarps = MaxThreads / XCC_CPU_WARP_SIZE;

  /// The data that every switch touches, kept small.
  struct Fiber {
    void *stackPointer; ///< while it does not run
    xcc_cpu_thread thread;
  };
  struct Stack {
    char *low; ///< the lowest usable byte; below are a guard and the positions
    sanitizer::Stack marks;
    ThreadLocals *locals; ///< null while there are none
  };
  struct Warp {
    uint32_t live;    ///< lanes that have not ended
    uint32_t atBlock; ///< lanes waiting at a block barrier
    uint32_t atWarp;  ///< lanes waiting at a warp barrier
    uint32_t ready;   ///< lanes that can run
    /// The lanes released last. One word is enough: no lane is released again
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
  unsigned made = 0;       ///< fibers that have a stack
  unsigned count = 0;      ///< threads of a block
  unsigned running = 0;    ///< the fiber that runs
  unsigned liveCount = 0;  ///< threads that have not ended
  unsigned blockCount = 0; ///< threads waiting at a block barrier
  uint32_t blockPhase = 0; ///< how many block barriers have opened
  uint32_t placedDim[3] = {};
  Warp warps[MaxWarps] = {};
  void *homePointer = nullptr; ///< the worker's own stack while fibers run
  sanitizer::Stack homeMarks;
  /// Under ThreadSanitizer: addresses by which barriers order threads. Each
  /// warp has two, which alternate; the block has the last two.
  char *barrierMarks = nullptr;
  void *markOf(unsigned warp, uint32_t phase) const {
    return barrierMarks + 2 * warp + (phase & 1);
  }
  bool fromHome = false; ///< the last switch came from the worker's stack
  size_t stackSize_ = 0;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_FIBER_H
