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

#include "../device.h"
#include "machine.h"

#include <atomic>
#include <mutex>

namespace xcc::rt::hsa {

class HsaQueue;

class Gpu {
public:
  Gpu(const Machine &World, size_t Number, Device &Self)
      : World(World), Facts(World.Gpus[Number]), Number(Number), Self(Self) {}

  const Machine &World;
  const GpuFacts &Facts;
  const size_t Number; ///< among the machine's GPUs
  Device &Self;

  int ordinal() const { return Self.ordinal(); }
  const char *id() const { return Self.id(); }
  ErrorSite site() const { return {nullptr, nullptr, 0, ordinal()}; }
  /// fail() for a call of the library's that failed on this device.
  [[nodiscard, gnu::cold]] xcc_status failed(const char *Call, Status S) const;

  /// Memory of the host that all GPUs see.
  xcc_status allocateHost(Pool From, size_t Bytes, void **Out) const;
  /// The block that kernels find as heap_v1: zero at first, made once.
  xcc_status heap(void *&Out);

  /// Waits until the signal's value is below \p Below. False when the device
  /// failed instead.
  bool waitBelow(SignalRef S, int64_t Below) const;

  bool dead() const { return Fault.load(std::memory_order_acquire); }
  /// Keeps the device's first fault, whose count is taken, and lets everybody
  /// go who waits for the device.
  void setFault(xcc_error *Why);
  /// Fails because of that fault.
  [[nodiscard, gnu::cold]] xcc_status unusable() const;
  /// What a synchronising call reports of the fault: first it, later that the
  /// device is unusable, and nothing new while the process exits.
  xcc_error *takeFault();

  std::atomic<HsaQueue *> Queues{nullptr}; ///< only grows
  std::atomic<bool> Stopped{false};        ///< the process exits

private:
  std::atomic<xcc_error *> Fault{nullptr}; ///< kept until the process ends
  std::atomic<bool> Reported{false};
  std::mutex HeapMutex;
  void *Heap = nullptr;
};

/// All GPUs in use, for what concerns several: faults, copies between them.
/// Filled once, under the lock of the search for devices.
std::vector<Gpu *> &allGpus();
Gpu *gpuOf(Agent A);

/// Lets the packets go that wait for a copy that failed; its queue reports it.
void releaseFailedCopies();

/// Makes memory faults come to the device that had them.
void installFaultHandler();

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_GPU_H
