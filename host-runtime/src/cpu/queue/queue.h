// An AQL queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any number of threads write packets; processor.h says which thread runs them,
// and when.
//
// Queues are reused, never freed: a worker may read a queue at any time.

#ifndef XCC_SRC_CPU_QUEUE_QUEUE_H
#define XCC_SRC_CPU_QUEUE_QUEUE_H

#include "processor.h"

namespace xcc::rt::cpu {

class CpuEvent final : public SignalEvent<Signal> {
public:
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &from, double &milliseconds) override;

private:
  friend class CpuQueue;
  uint64_t time();
};

class CpuQueue final : public Queue {
public:
  /// Returns null when memory ran out.
  static CpuQueue *make(Pool &p, int priority);
  CpuQueue *next = nullptr; ///< in the device's list

  xcc_status launch(const LaunchRequest &request) override;
  xcc_status copy(const Place &to, const Place &from, size_t size) override;
  xcc_status copyParts(const std::vector<CopyPart> &parts) override;
  xcc_status fill(const Place &to, const Element &element,
                  size_t size) override;
  xcc_status copyRows(const Place &to, const Place &from,
                      const Rows &rows) override;
  xcc_status fillRows(const Place &to, const Element &element,
                      const Rows &rows) override;
  xcc_status call(void (*function)(void *), void *data) override;
  xcc_status replay(Sequence &what) override;
  xcc_status record(Event &point) override;
  xcc_status wait(Event &point) override;
  void drain() override;
  /// See PacketProcessor::watch.
  bool watch(uint64_t timeout) { return processor.watch(timeout); }
  bool idle() override { return processor.isIdle(); }
  xcc_error *takeError() override { return processor.errors.take(); }
  xcc_error *takeOwnError() override { return processor.errors.takeOwn(); }
  uint64_t failures() const override {
    return processor.failures.load(std::memory_order_relaxed);
  }
  uint64_t heapFailures() const override {
    return processor.heapFailures.load(std::memory_order_relaxed);
  }
  void leaveErrors(PendingErrors &to) override;
  /// Frees the queue. Call this when no thread uses queues any more.
  void discard();
  /// The error for threads that wait for the device.
  xcc_error *errorForDevice() { return processor.errors.findForDevice(); }

  /// Frees memory after the earlier work in the queue has ended.
  xcc_status release(void *pointer);

  /// Waits until packets before \p until have ended; helps to run them.
  void waitFor(uint64_t until) { processor.waitFor(until); }

private:
  explicit CpuQueue(Pool &p) : workers(p), processor(p) {}

  /// The error when no worker can be started.
  [[gnu::cold]] static xcc_status failToStart();
  PacketRing &ring() { return processor.ring; }
  uint64_t reserve();
  void hand(uint64_t index, aql::PacketType type, uint16_t setup);
  xcc_status transfer(CpuKernel &function, const void *kernarg, size_t blocks,
                      void *largeKernarg = nullptr,
                      profile::Work *work = nullptr);
  [[gnu::cold]] static profile::Work *profiled(const LaunchRequest &r);
  profile::Work *profiled(profile::Direction direction, uint64_t bytes) const;

  Pool &workers;
  PacketProcessor processor;
  aql::QueueHeader header{};
  uint64_t trimmedAt = 0; ///< the write index when pages were given back
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_QUEUE_H
