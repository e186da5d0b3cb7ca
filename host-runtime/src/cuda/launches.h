// The last launches of a queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver says that something failed, not what. So each queue remembers its
// last launches in a small ring that any thread writes without a lock: a
// failure names the kernel when only one can have been running.

#ifndef XCC_SRC_CUDA_LAUNCHES_H
#define XCC_SRC_CUDA_LAUNCHES_H

#include "../device.h"

#include <atomic>

namespace xcc::rt::cuda {

/// One launch, copied out of a ring.
struct PastLaunch {
  uint64_t Order; ///< counts up over all queues of a device
  const xcc_kernel_info *Info;
  const char *File;
  uint32_t Line;
  uint32_t Grid[3], Block[3];
};

class LaunchRing {
public:
  static constexpr uint64_t Size = 16;

  void add(const LaunchRequest &R, uint64_t Order) {
    uint64_t Index = Added.fetch_add(1, std::memory_order_relaxed);
    Entry &E = Entries[Index % Size];
    // A reader that sees any of the following stores also sees that the entry
    // is being written.
    E.Stamp.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    E.Order.store(Order, std::memory_order_relaxed);
    E.Info.store(R.Function->Info, std::memory_order_relaxed);
    E.File.store(R.File, std::memory_order_relaxed);
    E.Line.store(R.Line, std::memory_order_relaxed);
    for (int I = 0; I != 3; ++I) {
      E.Grid[I].store(R.Grid[I], std::memory_order_relaxed);
      E.Block[I].store(R.Block[I], std::memory_order_relaxed);
    }
    E.Stamp.store(Index + 1, std::memory_order_release);
  }

  /// How many were added so far: a mark for ended().
  uint64_t mark() const { return Added.load(std::memory_order_acquire); }
  /// Launches before the mark have ended.
  void ended(uint64_t Mark) {
    uint64_t Old = Ended.load(std::memory_order_relaxed);
    while (Old < Mark && !Ended.compare_exchange_weak(Old, Mark))
      ;
  }

  /// Calls \p Visit for each launch that may be running, as far as the ring
  /// reaches back; returns how many may be running in all.
  template <class Fn> uint64_t visitRunning(Fn Visit) const {
    uint64_t Last = mark(), First = Ended.load(std::memory_order_acquire);
    for (uint64_t I = First + Size < Last ? Last - Size : First; I != Last;
         ++I) {
      const Entry &E = Entries[I % Size];
      if (E.Stamp.load(std::memory_order_acquire) != I + 1)
        continue;
      PastLaunch P;
      P.Order = E.Order.load(std::memory_order_relaxed);
      P.Info = E.Info.load(std::memory_order_relaxed);
      P.File = E.File.load(std::memory_order_relaxed);
      P.Line = E.Line.load(std::memory_order_relaxed);
      for (int D = 0; D != 3; ++D) {
        P.Grid[D] = E.Grid[D].load(std::memory_order_relaxed);
        P.Block[D] = E.Block[D].load(std::memory_order_relaxed);
      }
      std::atomic_thread_fence(std::memory_order_acquire);
      if (E.Stamp.load(std::memory_order_relaxed) == I + 1)
        Visit(P);
    }
    return Last - First;
  }

private:
  struct alignas(64) Entry {
    std::atomic<uint64_t> Stamp{0}; ///< index + 1 when whole
    std::atomic<uint64_t> Order;
    std::atomic<const xcc_kernel_info *> Info;
    std::atomic<const char *> File;
    std::atomic<uint32_t> Line;
    std::atomic<uint32_t> Grid[3], Block[3];
  };
  std::atomic<uint64_t> Added{0};
  std::atomic<uint64_t> Ended{0};
  Entry Entries[Size];
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_LAUNCHES_H
