// The packet processor of an AQL queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that runs a queue is its packet processor for the moment; it is a
// worker, or a thread that synchronises. The state word says what the queue is
// doing:
//
//     Idle     no thread works on the queue
//     Busy     one thread reads packets and completes them
//     Open     a dispatch runs; grains can be taken
//     Drained  a dispatch runs; all grains are taken
//
// The thread that finishes a dispatch's last grain becomes the processor (Busy)
// and continues with the next packet. The upper half of the word is a
// generation, which each opened dispatch increments.

#ifndef XCC_SRC_CPU_QUEUE_PROCESSOR_H
#define XCC_SRC_CPU_QUEUE_PROCESSOR_H

#include "cpu/workers/pool.h"
#include "ring.h"

#include <mutex>

namespace xcc::rt::cpu {

struct SequenceStep;

class PacketProcessor final : public WorkSource {
public:
  explicit PacketProcessor(Pool &p) : workers(p) {}
  /// Returns false when memory ran out.
  bool allocate() {
    if (!current.setShares(workers.threads()))
      return false;
    return ring.allocate();
  }

  bool hasWork() override;
  bool helpFor(Worker &w, uint64_t packets) override;
  bool isIdle() override;
  void wakeWaiting() override;

  /// Waits until packets before \p until have ended; helps to run them.
  void waitFor(uint64_t until);
  /// Waits without helping while kernels make progress, and for \p timeout
  /// nanoseconds without progress. Returns false if packets are left.
  bool watch(uint64_t timeout);
  uint64_t readIndex() const {
    return ring.readIndex.load(std::memory_order_acquire);
  }

  PacketRing ring;
  PendingErrors errors; ///< of kernels, not yet reported
  /// How many times kernels have failed.
  std::atomic<uint64_t> failures{0};
  /// How many of these were faults in kernels that use the heap.
  std::atomic<uint64_t> heapFailures{0};

private:
  /// The thread that starts a dispatch runs it alone if it should take no
  /// longer than this: sharing would take longer than running.
  static constexpr uint64_t AloneTicks = 5000; // about 2 us
  /// The same if another thread looks for work, so that none has to be woken.
  static constexpr uint64_t AloneAwakeTicks = 2500; // about 1 us
  /// The limit without other workers. It is much shorter than the time for
  /// which threads wait for a queue, even if the estimate is wrong by a factor
  /// of 100.
  static constexpr uint64_t SingleTicks = 1'000'000; // about 400 us
  uint64_t aloneTicks() const {
    if (workers.single())
      return SingleTicks;
    const bool awake =
        attending.load(std::memory_order_relaxed) != 0 || workers.anyLooks();
    return awake ? AloneAwakeTicks : AloneTicks;
  }

  enum State : uint64_t { Idle, Busy, Open, Drained };
  static uint64_t word(uint32_t generation, State s) {
    return uint64_t(generation) << 32 | s;
  }
  bool acquire();
  bool packetWaits();
  bool giveUp();
  /// Runs what can run now, until packet \p until has ended or nothing can run.
  /// Returns true if it did something.
  bool help(Worker &w, uint64_t until);
  bool helpInOrder(Worker &w, uint64_t until);
  void process(Worker &w, uint64_t until);
  bool barrierReady(aql::BarrierPacket &p);
  void setUp(uint64_t index);
  uint64_t runAlone(Worker &w, uint64_t each);
  void runTogether(Worker &w);
  [[gnu::cold]] void noteUneven();
  [[gnu::cold]] void noteTooFew();
  bool begin(Worker &w, uint64_t index);
  bool start(Worker &w, uint64_t ticksPerBlock);
  void chooseGrains(uint64_t each);
  bool runAtOnce(uint32_t grains) const;
  void setUp(uint64_t index, SequenceStep &s);
  bool runSequence(Worker &w, uint64_t index);
  class Short;
  bool runShort(Worker &w, uint64_t index);
  void endStep();
  void endDispatch();
  void reopen(uint32_t opened);
  GrainRange takeGrains(unsigned share, uint32_t opened, uint32_t &most);
  bool join(Worker &w, uint64_t until);
  void runRange(Worker &w, uint64_t first, uint64_t last);
  void updateEstimate(uint64_t ticks, uint64_t blocks);
  void note(Worker &w);
  [[gnu::cold]] void reportException();
  void complete(uint64_t index);
  void waitUnordered(uint64_t until);

  Pool &workers;
  alignas(64) std::atomic<uint64_t> stateWord{0};
  std::atomic<Signal *> blockedOn{nullptr};
  std::atomic<uint32_t> waiting{0};   ///< threads that sleep in waitFor
  std::atomic<uint32_t> waitEpoch{0}; ///< the futex they sleep on
  /// Threads in waitFor that are awake and have found nothing to do.
  std::atomic<uint32_t> attending{0};
  alignas(64) Dispatch current;
  uint32_t generation = 0; ///< of current; only the processor uses it
  uint32_t step = 0;       ///< of the sequence at the head; likewise

  /// The error of the current dispatch until it has ended, and its exception.
  struct {
    xcc_error *error = nullptr;
    std::shared_ptr<ThrownException> exception;
  } thrown;
  std::mutex thrownMutex;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_PROCESSOR_H
