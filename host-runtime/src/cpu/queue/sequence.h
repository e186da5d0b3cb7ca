// A recorded sequence, ready for a queue's processor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One packet stands for all steps. Its processor runs them one after the other,
// short ones itself, without a packet, a completion or a look at the queue in
// between; longer ones it opens for all as any dispatch.

#ifndef XCC_SRC_CPU_QUEUE_SEQUENCE_H
#define XCC_SRC_CPU_QUEUE_SEQUENCE_H

#include "cpu/workers/dispatch.h"
#include "devices/sequence.h"

namespace xcc::rt::cpu {

/// What the processor needs of a step.
struct SequenceStep {
  /// False where it is none for the processor.
  bool set(const Step &s);

  CpuKernel *function = nullptr;
  xcc_cpu_group group{}; ///< without kernarg and the workers' fields
  uint64_t blocks = 0;
  uint32_t privateSize = 0;
  const char *file = nullptr;
  uint32_t line = 0;
  bool joins = false; ///< may be run in a series (Worker::run)
  /// Each replay has a copy: kernels may change theirs.
  std::vector<char> kernarg;
  /// The ticks of a block of this step, which may differ from other launches of the
  /// kernel; 0 while unknown.
  std::atomic<uint32_t> ticksPerBlock{0};
  /// What all blocks should take, ticks; 0 while unknown.
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
  size_t mostKernarg = 0; ///< bytes of the largest step's
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_SEQUENCE_H
