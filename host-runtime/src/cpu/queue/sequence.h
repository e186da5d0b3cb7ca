// A recorded sequence, ready for a queue's processor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One packet stands for all steps. Its processor runs them one after the other.
// It runs short steps itself, without a packet or a completion in between. It
// opens longer ones for all threads, as any dispatch.

#ifndef XCC_SRC_CPU_QUEUE_SEQUENCE_H
#define XCC_SRC_CPU_QUEUE_SEQUENCE_H

#include "cpu/workers/dispatch.h"
#include "devices/sequence.h"

namespace xcc::rt::cpu {

/// The data that the processor needs for a step.
struct SequenceStep {
  /// Fills in the step. Returns false if the processor cannot run it.
  bool set(const Step &s);

  CpuKernel *function = nullptr;
  xcc_cpu_group group{}; ///< without kernarg and the workers' fields
  uint64_t blocks = 0;
  uint32_t privateSize = 0;
  const char *file = nullptr;
  uint32_t line = 0;
  bool joins = false; ///< may run in a series (Worker::run)
  /// Copied for each replay, because kernels may change their arguments.
  std::vector<char> kernarg;
  /// The estimated ticks of a block of this step; 0 while unknown. Other
  /// launches of the kernel may differ.
  std::atomic<uint32_t> ticksPerBlock{0};
  /// The ticks that all blocks should take; 0 while unknown.
  uint64_t expected() const {
    return ticksPerBlock.load(std::memory_order_relaxed) * blocks;
  }

private:
  void set(CpuKernel &of, size_t blocks, size_t kernargSize);
  bool setTransfer(const Step &s); ///< copy.cpp
};

class CpuSequence final : public Prepared {
public:
  explicit CpuSequence(const Sequence &s);
  void change(const Sequence &s, size_t first, size_t count);

  std::vector<SequenceStep> steps;
  bool whole = true;      ///< false: the steps are enqueued one by one
  size_t mostKernarg = 0; ///< bytes of the largest kernarg of a step
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_SEQUENCE_H
