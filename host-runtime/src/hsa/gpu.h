// State of an AMD GPU that queues, images and copies share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Gpu has an agent and its pools, queues, the heap of device code, and the
// first fault. A kernel that faults stops the GPU's queues permanently. So the
// first fault is kept, and every later call reports it.

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
  /// Fails because a call of the library failed on this device.
  [[nodiscard, gnu::cold]] xcc_status failed(const char *call, Status s) const;

  /// Allocates host memory that all GPUs can access.
  xcc_status allocateHost(Pool from, size_t bytes, void **out) const;
  /// The heap state that kernels get as heap_v1: zeroed, and made once.
  xcc_status heap(void *&out);

  /// Waits until the signal's value is below \p below. Returns false if the
  /// device failed meanwhile. \p of is the queue whose packet completes the
  /// signal; null if none does.
  bool waitBelow(SignalRef s, int64_t below, const HsaQueue *of) const;

  bool hasFailed() const { return firstFault.load(std::memory_order_acquire); }
  /// Keeps the device's first fault, takes over the reference, and ends all
  /// waits for the device.
  void setFault(xcc_error *why);
  /// Fails because of that fault.
  [[nodiscard, gnu::cold]] xcc_status unusable() const;
  /// The error that a synchronising call reports: first the fault, later that
  /// the device is unusable. Null while the process exits.
  xcc_error *takeFault();

  QueueList<HsaQueue> queues;
  KernargStore kernargs{*this};     ///< for graphs
  std::atomic<bool> stopped{false}; ///< the process exits

private:
  std::atomic<xcc_error *> firstFault{nullptr}; ///< never released
  std::atomic<bool> reported{false};
  std::mutex heapMutex;
  void *heap_ = nullptr;
};

/// All GPUs in use, for faults and for copies between GPUs. Filled once, under
/// the lock of the search for devices.
std::vector<Gpu *> &allGpus();
Gpu *gpuOf(Agent a);
/// Returns null for devices of other kinds.
Gpu *gpuOf(const Device &device);

/// Releases the packets that wait for a failed copy; its queue reports the
/// failure.
void releaseFailedCopies();

/// Sends memory faults to the device on which they happened.
void installFaultHandler();

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_GPU_H
