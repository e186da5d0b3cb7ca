// The worker threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers look through the queues for packets to start and blocks to run. A
// worker that finds nothing looks on for a while, because the next launch is
// often near, then sleeps.
//
// No wake-up is lost: a worker counts itself as asleep, looks once more and
// only then sleeps, while whoever makes work available does that first and
// then looks at the count; both in sequentially consistent order, so one of
// the two sees the other.

#ifndef XCC_SRC_CPU_POOL_H
#define XCC_SRC_CPU_POOL_H

#include "worker.h"

#include <atomic>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace xcc::rt::cpu {

class CpuQueue;

class Pool {
public:
  /// \p Threads is how many run blocks at a time, a synchronising thread
  /// included; there is always one worker.
  explicit Pool(unsigned Threads);

  /// Starts the workers, once. False when not even one could be started.
  bool start() {
    return Started.load(std::memory_order_acquire) || startWorkers();
  }
  /// One thread more, for one that used to help and must only watch.
  void addStandIn();
  /// Lets the workers finish all work and ends them. Later launches run on
  /// the threads that launch.
  void stop();
  bool stopped() const { return Stopped.load(std::memory_order_relaxed); }

  unsigned workers() const { return WorkerCount; }
  unsigned threads() const { return Threads; }
  /// How long to look for work before sleeping, ticks.
  uint64_t spinTicks() const { return SpinTicks; }

  /// Adds a queue to those the workers look through. It stays there for good.
  void add(CpuQueue &Q);
  CpuQueue *queues() const { return Queues.load(std::memory_order_acquire); }

  /// A packet was made available: some worker must be awake.
  void ring() {
    if (Sleeping.load(std::memory_order_seq_cst) != 0 &&
        Looking.load(std::memory_order_seq_cst) == 0) [[unlikely]]
      wake(1);
  }
  /// Up to \p Count workers could help.
  void invite(unsigned Count) {
    if (Sleeping.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake(Count);
  }

private:
  static void *threadMain(void *Self);
  static void *standInMain(void *Self);
  bool startThread(void *(*Main)(void *));
  bool startWorkers();
  void work(Worker &W);
  CpuQueue *findWork(CpuQueue *After);
  CpuQueue *look(CpuQueue *After);
  void sleep();
  void wake(unsigned Count);

  const unsigned Threads;
  unsigned WorkerCount;
  uint64_t SpinTicks;
  std::vector<pthread_t> Handles;
  std::atomic<unsigned> NextIndex{1};
  std::atomic<CpuQueue *> Queues{nullptr};
  alignas(64) std::atomic<uint32_t> Epoch{0}; ///< the word workers sleep on
  std::atomic<uint32_t> Sleeping{0};
  alignas(64) std::atomic<uint32_t> Looking{0}; ///< awake, without work
  std::atomic<bool> Started{false};
  std::mutex StartMutex;
  std::atomic<bool> Stopping{false};
  std::atomic<bool> Stopped{false};
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_POOL_H
