// The last launches of a queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver reports that something failed, but not which launch. So each queue
// remembers its last launches in a small ring, to which any thread writes
// without a lock. A failure names the kernel if only one can have been running.

#ifndef XCC_SRC_CUDA_QUEUE_LAUNCHES_H
#define XCC_SRC_CUDA_QUEUE_LAUNCHES_H

#include "common/faults.h"

#include <atomic>

namespace xcc::rt::cuda {

/// One launch, copied out of a ring.
struct PastLaunch : Suspect {
  uint64_t order; ///< counts up over all queues of a device
  bool cooperative;
};

class LaunchRing {
public:
  static constexpr uint64_t Size = 16;

  void add(const LaunchRequest &r, uint64_t order) {
    uint64_t index = added.fetch_add(1, std::memory_order_relaxed);
    Entry &e = entries[index % Size];
    // A reader that sees any of the following stores also sees that the entry
    // is being written.
    e.stamp.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    e.order.store(order, std::memory_order_relaxed);
    e.info.store(r.function->info, std::memory_order_relaxed);
    e.file.store(r.file, std::memory_order_relaxed);
    e.line.store(r.line, std::memory_order_relaxed);
    e.cooperative.store(r.cooperative, std::memory_order_relaxed);
    for (int i = 0; i != 3; ++i) {
      e.grid[i].store(r.grid[i], std::memory_order_relaxed);
      e.block[i].store(r.block[i], std::memory_order_relaxed);
    }
    e.stamp.store(index + 1, std::memory_order_release);
  }

  /// The number of launches so far: a mark for ended().
  uint64_t mark() const { return added.load(std::memory_order_acquire); }
  /// Call this when all launches before the mark have ended.
  void ended(uint64_t mark) {
    uint64_t old = ended_.load(std::memory_order_relaxed);
    while (old < mark && !ended_.compare_exchange_weak(old, mark))
      ;
  }

  /// How many launches have certainly ended.
  uint64_t endedSoFar() const { return ended_.load(std::memory_order_relaxed); }

  /// May a launch before the mark be running?
  bool mayRun(uint64_t mark) const {
    return ended_.load(std::memory_order_relaxed) < mark;
  }

  /// Calls \p visit for each launch in the ring that may be running. Returns
  /// how many may be running, including those that have left the ring.
  template <class Fn> uint64_t visitRunning(Fn visit) const {
    uint64_t last = mark(), first = ended_.load(std::memory_order_acquire);
    for (uint64_t i = first + Size < last ? last - Size : first; i != last;
         ++i) {
      const Entry &e = entries[i % Size];
      if (e.stamp.load(std::memory_order_acquire) != i + 1)
        continue;
      PastLaunch p;
      p.order = e.order.load(std::memory_order_relaxed);
      p.info = e.info.load(std::memory_order_relaxed);
      p.file = e.file.load(std::memory_order_relaxed);
      p.line = e.line.load(std::memory_order_relaxed);
      p.cooperative = e.cooperative.load(std::memory_order_relaxed);
      for (int d = 0; d != 3; ++d) {
        p.grid[d] = e.grid[d].load(std::memory_order_relaxed);
        p.block[d] = e.block[d].load(std::memory_order_relaxed);
      }
      std::atomic_thread_fence(std::memory_order_acquire);
      if (e.stamp.load(std::memory_order_relaxed) == i + 1)
        visit(p);
    }
    return last - first;
  }

private:
  struct alignas(64) Entry {
    std::atomic<uint64_t> stamp{0}; ///< index + 1 when complete
    std::atomic<uint64_t> order;
    std::atomic<const xcc_kernel_info *> info;
    std::atomic<const char *> file;
    std::atomic<uint32_t> line;
    std::atomic<bool> cooperative;
    std::atomic<uint32_t> grid[3], block[3];
  };
  std::atomic<uint64_t> added{0};
  std::atomic<uint64_t> ended_{0};
  Entry entries[Size];
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_QUEUE_LAUNCHES_H
