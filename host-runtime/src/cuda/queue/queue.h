// A queue on an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue is a non-blocking stream of the driver; an event is an event of the
// driver.

#ifndef XCC_SRC_CUDA_QUEUE_QUEUE_H
#define XCC_SRC_CUDA_QUEUE_QUEUE_H

#include "cuda/gpu.h"
#include "devices/sequence.h"
#include "launches.h"
#include "times.h"

namespace xcc::rt::cuda {

class CudaQueue final : public Queue {
public:
  CudaQueue(CudaDevice &device, Stream s) : on(device), work(s) {}

  xcc_status launch(const LaunchRequest &r) override;
  xcc_status copy(const Place &to, const Place &from, size_t size) override;
  xcc_status fill(const Place &to, const Element &element,
                  size_t size) override;
  xcc_status copyRows(const Place &to, const Place &from,
                      const Rows &rows) override;
  xcc_status call(void (*function)(void *), void *data) override;
  xcc_status replay(Sequence &what) override;
  xcc_status record(Event &point) override;
  xcc_status wait(Event &point) override;
  void drain() override;
  void drainInterruptibly() override;
  bool idle() override;
  /// Always 0, because the driver does not report the progress of a stream.
  uint64_t readSoFar() const { return 0; }
  /// The launches that may be running: at most two, the latest first.
  unsigned suspects(Suspect out[2]) const;
  xcc_error *takeError() override;

  CudaDevice &on;
  const Stream work;
  CudaQueue *next = nullptr; ///< in the device's list, never removed
  LaunchRing launches;
  /// The queue's first failure that has not been reported.
  std::atomic<xcc_error *> pending{nullptr};
  /// When its work ran, for XCC_PROFILE and XCC_TRACE.
  Times times;
  /// Collects the times that are known without a wait.
  void collectTimes();
  /// Keeps a failure, unless one is kept already.
  void keep(xcc_error *error);

private:
  static std::unique_ptr<Prepared> capture(CudaDevice &on,
                                           const Sequence &what);
  Result start(const LaunchRequest &r);
  Result startCoarse(const LaunchRequest &r);
  xcc_status launchAlone(const LaunchRequest &r);
  [[gnu::cold]] Result startTimed(const LaunchRequest &r, uint64_t &flow);
  /// The profile's record of a copy or fill; null without a profile or trace.
  profile::Work *timed(profile::Direction direction, size_t size);
  int track();
  [[gnu::noinline]] xcc_status launchCalling(const LaunchRequest &r);
  void endUnreportedCalls(uint32_t begun);
  /// Called when a wait or query says that the work up to \p mark has ended, or
  /// failed.
  void noteEnd(Result r, uint64_t mark, uint32_t calling);
  [[gnu::cold]] Result waitForGrid(); ///< long_wait.cpp
  bool reportLongWait(uint64_t seconds);
  [[gnu::cold]] xcc_status launchFailed(const LaunchRequest &r, Result why);
  [[gnu::cold]] xcc_status moreShared(const LaunchRequest &r);
  xcc_status fillHost(void *to, const Element &element, size_t size);
  Result repeatMemory(Address to, size_t done, size_t size);
  Result fillMemory(Address to, const Element &element, size_t size);
  xcc_status copyOverlapping(void *to, const void *from, size_t size);

  /// Kernels that call the host and whose end the driver will not report: how
  /// many were launched, and how many are known to have ended. Until they end,
  /// the host serves their calls.
  std::atomic<uint32_t> unreportedKernels{0}, unreportedEnded{0};
  /// The mark of launches after the last cooperative launch.
  std::atomic<uint64_t> gridMark{0};
};

class CudaEvent final : public Event {
public:
  CudaEvent(CudaDevice &device, EventHandle handle)
      : on(device), handle(handle) {}
  ~CudaEvent() override;
  bool recorded() override {
    return at.load(std::memory_order_acquire) != nullptr;
  }
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &from, double &milliseconds) override;

private:
  friend class CudaQueue;
  /// Called when the event is reached: the launches before it have ended.
  void passed();
  CudaDevice &on;
  const EventHandle handle;
  std::atomic<CudaQueue *> at{nullptr}; ///< the queue of the last record
  std::atomic<uint64_t> mark{0};        ///< that queue's launches() then
  std::atomic<uint32_t> use{0};         ///< that queue's use() then
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_QUEUE_QUEUE_H
