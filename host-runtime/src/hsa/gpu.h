// What queues, images and copies share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GPU: its agent and pools, its queues, the heap of device code, and
// whether it still works. A kernel that faults leaves a GPU's queues stopped
// for good, so the first fault is kept and every later call reports it.

#ifndef XCC_SRC_HSA_GPU_H
#define XCC_SRC_HSA_GPU_H

#include "common/queues.h"
#include "hsa/driver/machine.h"
#include "kernargs.h"

#include <atomic>
#include <mutex>

namespace xcc::rt::hsa {

class HsaQueue;

class Gpu {
public:
  Gpu(const Machine &world, size_t number, Device &self)
      : world(world), facts(world.gpus[number]), number(number), self(self) {}

  const Machine &world;
  const GpuFacts &facts;
  const size_t number; ///< among the machine's GPUs
  Device &self;

  int ordinal() const { return self.ordinal(); }
  const char *id() const { return self.id(); }
  ErrorSite site() const { return {nullptr, nullptr, 0, ordinal()}; }
  /// fail() for a call of the library's that failed on this device.
  [[nodiscard, gnu::cold]] xcc_status failed(const char *call, Status s) const;

  /// Memory of the host that all GPUs see.
  xcc_status allocateHost(Pool from, size_t bytes, void **out) const;
  /// The block that kernels find as heap_v1: zero at first, made once.
  xcc_status heap(void *&out);

  /// Waits until the signal's value is below \p below. False when the device
  /// failed instead. \p of: the queue whose packet completes it; null for none.
  bool waitBelow(SignalRef s, int64_t below, const HsaQueue *of) const;

  bool hasFailed() const { return firstFault.load(std::memory_order_acquire); }
  /// Keeps the device's first fault, of which it takes the reference, and ends all
  /// waits for the device.
  void setFault(xcc_error *why);
  /// Fails because of that fault.
  [[nodiscard, gnu::cold]] xcc_status unusable() const;
  /// What a synchronising call reports of the fault: first it, later that the
  /// device is unusable, and nothing new while the process exits.
  xcc_error *takeFault();

  QueueList<HsaQueue> queues;
  KernargStore kernargs{*this};     ///< of graphs
  std::atomic<bool> stopped{false}; ///< the process exits

private:
  std::atomic<xcc_error *> firstFault{nullptr}; ///< until the process ends
  std::atomic<bool> reported{false};
  std::mutex heapMutex;
  void *heap_ = nullptr;
};

/// All GPUs in use, for what concerns several: faults, copies between them.
/// Filled once, under the lock of the search for devices.
std::vector<Gpu *> &allGpus();
Gpu *gpuOf(Agent a);
/// Null for devices of other kinds.
Gpu *gpuOf(const Device &device);

/// Lets the packets go that wait for a copy that failed; its queue reports it.
void releaseFailedCopies();

/// Makes memory faults come to the device that had them.
void installFaultHandler();

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_GPU_H
