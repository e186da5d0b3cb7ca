// One kernel dispatch while it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue has one Dispatch, filled anew for each packet. Its blocks are cut
// into grains. Each participant owns a contiguous share of the grains and takes
// from its front, few at a time. A participant whose share is empty steals the
// back half of another's share. It makes these grains its own share, from which
// others can steal. So no thread keeps grains that it has not begun while
// others have none, even if blocks differ much. A share is one word,
//
//     | generation 32 | next 16 | end 16 |
//
// which a thread exchanges to take grains. The generation makes a late exchange
// fail once the dispatch is over. So a participant need not announce itself
// before it takes work. After a successful exchange the dispatch cannot end
// until the participant has reported its grains as done.

#ifndef XCC_SRC_CPU_WORKERS_DISPATCH_H
#define XCC_SRC_CPU_WORKERS_DISPATCH_H

#include "devices/device.h"

#include <atomic>
#include <memory>

namespace xcc::rt::cpu {

/// A kernel of a CPU image.
struct CpuKernel : Kernel {
  using Kernel::Kernel;
  const xcc_cpu_kernel *object = nullptr;
  const xcc_cpu_image *image = nullptr;
  /// A running estimate of one block's time, ticks; 0 while unknown.
  std::atomic<uint32_t> ticksPerBlock{0};

  /// The form of it that runs a launch with these arguments and sizes.
  const xcc_cpu_kernel *formFor(const xcc_cpu_group &launch) const {
    constexpr uint32_t both =
        XCC_CPU_KERNEL_WARPS | XCC_CPU_KERNEL_TESTED_WARPS;
    if (!(object->flags & both) || launch.block_dim[0] % XCC_CPU_WARP_SIZE != 0)
      return object;
    uint64_t fits = 1;
    if (object->flags & XCC_CPU_KERNEL_TESTED_WARPS)
      reinterpret_cast<xcc_cpu_test_fn>(object[2].entry)(&launch, &fits);
    return fits ? object + 1 : object;
  }
};

/// A run of grains, empty when first == last.
struct GrainRange {
  uint32_t first = 0, last = 0;
  bool empty() const { return first == last; }
  uint32_t size() const { return last - first; }
};

class Dispatch {
public:
  static constexpr uint64_t MaxGrains = 0xffff;

  //===--- Written before the shares are opened, then constant ---===//
  xcc_cpu_group group; ///< without the pointers that each worker adds
  const xcc_cpu_kernel *code = nullptr;
  CpuKernel *function = nullptr;
  /// The estimate for a recorded step; null: use the kernel's estimate.
  std::atomic<uint32_t> *stepTicks = nullptr;
  const char *file = nullptr;
  uint32_t line = 0;
  uint32_t privateSize = 0;
  uint64_t blocks = 0;
  uint64_t blocksPerGrain = 1;
  /// All blocks take the same time, and run fastest side by side.
  bool alike = false;
  uint64_t ticksPerGrain = 0; ///< expected; 0: unknown
  /// How many grains a thread takes at a time at least, and at most at first.
  std::atomic<uint32_t> leastGrains = 1, firstGrains = 1;
  uint64_t flow = 0;     ///< the trace's
  uint64_t launcher = 0; ///< the thread's number
  /// Addresses of the queue that order threads for ThreadSanitizer.
  void *begun = nullptr, *done = nullptr;

  //===--- Shared while it runs ---===//
  alignas(64) std::atomic<uint32_t> remaining{0}; ///< grains not yet done
  std::atomic<bool> failed{false}; ///< skip blocks that have not begun

  /// Allocates \p count shares. Returns false when memory ran out.
  bool setShares(unsigned count);

  uint32_t grains() const { return grains_; }
  /// Cuts [done, blocks) into grains.
  void cut(uint64_t done);
  /// Lets participants take grains; everything else must be written before.
  void open(uint32_t generation);
  /// Takes up to \p most grains for the participant whose share is \p own.
  /// Returns an empty range when none is left or the generation is over. When
  /// it steals from another share, sets \p most to the least and returns no
  /// more. \p refilled: it stole more, which are now in the own share, where
  /// others find them.
  GrainRange take(unsigned own, uint32_t generation, uint32_t &most,
                  bool &refilled);
  /// Puts back the end of the range last taken, where others find it. Returns
  /// false if the own share has changed since.
  bool recycle(unsigned own, uint32_t generation, const GrainRange &r);

  uint64_t firstBlock(const GrainRange &r) const {
    return base + r.first * blocksPerGrain;
  }
  uint64_t lastBlock(const GrainRange &r) const {
    uint64_t last = base + r.last * blocksPerGrain;
    return last < blocks ? last : blocks;
  }

private:
  struct alignas(64) Share {
    std::atomic<uint64_t> word{0};
  };
  std::unique_ptr<Share[]> shares;
  unsigned shareCount = 0;
  uint32_t grains_ = 0;
  uint64_t base = 0;

  GrainRange takeFront(Share &s, uint32_t generation, uint32_t most);
  static GrainRange stealBack(Share &s, uint32_t generation);
  static bool refill(Share &s, uint32_t generation, const GrainRange &r);
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_DISPATCH_H
