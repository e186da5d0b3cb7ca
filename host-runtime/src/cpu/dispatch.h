// One kernel dispatch while it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue has one Dispatch, filled anew for each packet. Its blocks are cut
// into grains; each participant owns a contiguous share of the grains and takes
// from its front, then from the back of others' shares. A share is one word,
//
//     | generation 32 | next 16 | end 16 |
//
// and whoever wants grains exchanges it. The generation makes a late exchange
// fail once the dispatch it was meant for is over, so no participant has to
// announce itself before it takes work. After a successful exchange the
// dispatch cannot end until the taker has reported its grains as done.

#ifndef XCC_SRC_CPU_DISPATCH_H
#define XCC_SRC_CPU_DISPATCH_H

#include "../device.h"

#include <atomic>
#include <memory>

namespace xcc::rt::cpu {

/// A kernel of a CPU image.
struct CpuKernel : Kernel {
  const xcc_cpu_kernel *Object = nullptr;
  /// A running estimate of one block's time, ticks; 0 while unknown.
  std::atomic<uint32_t> TicksPerBlock{0};
  /// The name for the trace; null unless a trace is made.
  const char *TraceName = nullptr;
};

/// A run of grains, empty when First == Last.
struct GrainRange {
  uint32_t First = 0, Last = 0;
  bool empty() const { return First == Last; }
  uint32_t size() const { return Last - First; }
};

class Dispatch {
public:
  static constexpr uint64_t MaxGrains = 0xffff;

  //===--- Written before the shares are opened, then constant ---===//
  xcc_cpu_group Group; ///< without the pointers that each worker has its own
  const xcc_cpu_kernel *Code = nullptr;
  CpuKernel *Function = nullptr;
  const char *File = nullptr;
  uint32_t Line = 0;
  uint32_t PrivateSize = 0;
  uint64_t Blocks = 0;
  uint64_t BlocksPerGrain = 1;
  uint64_t Flow = 0; ///< the trace's
  uint64_t Launcher = 0; ///< the thread's number

  //===--- Shared while it runs ---===//
  alignas(64) std::atomic<uint32_t> Remaining{0}; ///< grains not yet done
  std::atomic<bool> Failed{false}; ///< blocks not begun are skipped

  /// Makes room for that many shares. False when memory ran out.
  bool setShares(unsigned Count);

  uint32_t grains() const { return Grains; }
  /// Cuts [Done, Blocks) into grains.
  void cut(uint64_t Done);
  /// Lets participants take grains; everything else must be written before.
  void open(uint32_t Generation);
  /// Takes grains for the participant that owns \p Own; empty when none is
  /// left or the generation is over.
  GrainRange take(unsigned Own, uint32_t Generation);

  uint64_t firstBlock(const GrainRange &R) const {
    return Base + R.First * BlocksPerGrain;
  }
  uint64_t lastBlock(const GrainRange &R) const {
    uint64_t Last = Base + R.Last * BlocksPerGrain;
    return Last < Blocks ? Last : Blocks;
  }

private:
  struct alignas(64) Share {
    std::atomic<uint64_t> Word{0};
  };
  std::unique_ptr<Share[]> Shares;
  unsigned ShareCount = 0;
  uint32_t Grains = 0;
  uint64_t Base = 0;

  GrainRange takeFrom(Share &S, uint32_t Generation, bool Front);
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_DISPATCH_H
