// The worker threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers look through the queues for packets to start and blocks to run. A
// worker that finds none keeps looking for a while, because the next launch
// often follows soon. Then it sleeps.
//
// No wake-up is lost: a worker counts itself as asleep, looks once more and
// only then sleeps. A thread that adds work first publishes it and then reads
// the count. Both use sequentially consistent order, so one of the two sees the
// other.

#ifndef XCC_SRC_CPU_WORKERS_POOL_H
#define XCC_SRC_CPU_WORKERS_POOL_H

#include "common/queues.h"
#include "work_source.h"

#include <atomic>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace xcc::rt::cpu {

class Pool {
public:
  /// \p threads is how many threads run blocks at a time, including one that
  /// synchronises. There is at least one worker. If \p threads is 1, one
  /// thread at a time runs them.
  explicit Pool(unsigned threads);

  /// Starts the workers, once. Returns false if none could be started.
  bool start() {
    return started.load(std::memory_order_acquire) || startWorkers();
  }
  /// Starts one more worker, in place of a thread that no longer helps.
  void addStandIn();
  /// Lets the workers finish all work, and ends them. Later launches run on the
  /// threads that launch.
  void stop();
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  unsigned workers() const { return workerCount; }
  unsigned threads() const { return threads_; }
  /// Does one thread at a time run blocks?
  bool single() const { return threads_ == 1; }
  /// Could the calling thread run blocks now? Always, unless single().
  bool tokenIsFree();
  /// How long to look for work before sleeping, ticks.
  uint64_t spinTicks() const { return spinTicks_; }

  /// Is a worker awake and without work? The answer may be out of date at once.
  bool anyLooks() const { return looking.load(std::memory_order_relaxed) != 0; }

  /// Adds a source, which the workers look through from now on.
  void add(WorkSource &source);
  /// Runs the next packet of each source except \p but. Returns true if it did
  /// something.
  bool helpOthers(Worker &w, const WorkSource &but);

  /// Starts a thread with the signal mask of the workers. The caller joins it.
  bool startPart(pthread_t &out, void *(*main)(void *), void *argument);

  /// Call this when a packet is available: makes sure that a worker is awake.
  void ring() {
    if (sleeping.load(std::memory_order_seq_cst) != 0 &&
        looking.load(std::memory_order_seq_cst) == 0) [[unlikely]]
      wake(1);
  }
  /// Wakes up to \p count workers, because they could help.
  void invite(unsigned count) {
    if (sleeping.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake(count);
  }

private:
  friend class RunToken;
  bool acquireToken();
  void releaseToken();
  static void *threadMain(void *self);
  static void *standInMain(void *self);
  bool startThread(void *(*main)(void *));
  bool startWorkers();
  void work(Worker &w);
  WorkSource *findWork(WorkSource *after);
  WorkSource *look(WorkSource *after);
  void waitForWork(uint32_t seen);
  void sleep();
  void wake(unsigned count);

  GrowingList<WorkSource> sources;
  /// Does any source have a priority other than 0?
  std::atomic<bool> hasPriorities{false};
  const unsigned threads_;
  unsigned workerCount;
  uint64_t spinTicks_;
  std::vector<pthread_t> handles;
  std::atomic<unsigned> nextIndex{1};
  alignas(64) std::atomic<uint32_t> epoch{0}; ///< the word workers sleep on
  std::atomic<uint32_t> sleeping{0};
  alignas(64) std::atomic<uint32_t> looking{0}; ///< awake, without work
  /// For a pool of one thread: whether a thread runs, the progress that waiting
  /// threads last saw, and when.
  alignas(64) std::atomic<bool> tokenTaken{false};
  std::atomic<uint64_t> tokenProgress{0}, tokenSince{0};
  std::atomic<bool> started{false};
  std::mutex startMutex;
  std::atomic<bool> stopping{false};
  std::atomic<bool> stopped_{false};
};

/// The right of a thread to run blocks, if one thread does so at a time.
class RunToken {
public:
  RunToken(Pool &p, const Worker &w);
  ~RunToken() {
    if (taken)
      pool.releaseToken();
  }
  RunToken(const RunToken &) = delete;
  RunToken &operator=(const RunToken &) = delete;
  bool held() const { return runs; }

private:
  Pool &pool;
  bool taken = false, runs = true;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_POOL_H
