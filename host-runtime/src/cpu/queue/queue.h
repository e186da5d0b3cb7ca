// An AQL queue and its packet processor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of packets that any number of threads write. Whoever runs the queue,
// a worker or a thread that synchronises, is its packet processor for the
// moment: the state word says what the queue is doing and whose turn it is.
//
//     Idle     nobody works on the queue
//     Busy     one thread has it: reads packets, completes them
//     Open     a dispatch runs; grains can be taken
//     Drained  a dispatch runs; all grains are taken
//
// The thread that finishes a dispatch's last grain has the queue (Busy) and
// goes on with the next packet. The word holds a generation in its upper half,
// counted up by each dispatch that opens.
//
// Queues are recycled, never freed: a worker may look at a queue at any time.

#ifndef XCC_SRC_CPU_QUEUE_QUEUE_H
#define XCC_SRC_CPU_QUEUE_QUEUE_H

#include "common/signals.h"
#include "cpu/workers/pool.h"
#include "signal.h"

#include <mutex>

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

struct SequenceStep;

class CpuQueue final : public Queue {
public:
  static constexpr uint32_t Size = 1024;        ///< packets
  static constexpr uint32_t KernargBytes = 256; ///< kept beside each packet

  /// Null when memory ran out.
  static CpuQueue *make(Pool &p, int priority);
  CpuQueue *next = nullptr; ///< the pool's list

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
  /// Waits without taking part, as long as kernels make progress, and for
  /// \p patience nanoseconds without. False when packets are left.
  bool watch(uint64_t patience);
  bool idle() override;
  xcc_error *takeError() override { return errors.take(); }
  xcc_error *takeOwnError() override { return errors.takeOwn(); }
  uint64_t failures() const override {
    return failures_.load(std::memory_order_relaxed);
  }
  void leaveErrors(PendingErrors &to) override;
  /// Frees it: there is nobody left who looks at queues.
  void discard();
  /// For who waits for the device.
  xcc_error *hearError() { return errors.hear(); }

  /// Frees memory once the work before it has ended.
  xcc_status release(void *pointer);

  /// Runs what can be run now, until packet \p until has ended or nothing can.
  /// True when something was done.
  bool help(Worker &w, uint64_t until);
  /// Could help() do something? A look without obligation.
  bool hasWork();
  /// Wakes threads that wait for the queue.
  void wakeWaiting();
  /// Waits, helping, until packets before \p until have ended.
  void waitFor(uint64_t until);
  uint64_t readIndex() const {
    return readIndex_.load(std::memory_order_acquire);
  }

  /// A dispatch that should take no longer than this is run by the thread that
  /// starts it: sharing it would take longer than running it.
  static constexpr uint64_t AloneTicks = 5000; // about 2 us
  /// The same where there is nobody to share it with. Short beside the patience
  /// of who waits for the turn, also when it takes a hundred times as long.
  static constexpr uint64_t SingleTicks = 1'000'000; // about 400 us

private:
  uint64_t aloneTicks() const {
    return workers.single() ? SingleTicks : AloneTicks;
  }

  /// What a packet has no field for.
  struct Extra {
    CpuKernel *function;
    const char *file;
    uint32_t line;
    void *largeKernarg; ///< to free; null when the kernarg is beside
    uint64_t flow;
    uint64_t launcher;   ///< the thread
    profile::Work *work; ///< null: nobody asks for its time
    bool cooperative;    ///< all blocks run at once
    Sequence *sequence;  ///< of a packet that stands for one; held
  };
  /// Of extras and kernargs, in whole pages.
  static constexpr size_t BesideBytes =
      Size * (sizeof(Extra) + size_t(KernargBytes));
  static_assert(Size * sizeof(Extra) % 4096 == 0 && BesideBytes % 4096 == 0 &&
                Size * sizeof(aql::Packet) % 4096 == 0);
  enum State : uint64_t { Idle, Busy, Open, Drained };

  explicit CpuQueue(Pool &p) : workers(p) {}

  /// Fails because there are no workers.
  [[gnu::cold]] static xcc_status failToStart();
  aql::Packet &packet(uint64_t index) { return packets[index % Size]; }
  uint64_t reserve();
  void hand(uint64_t index, aql::PacketType type, uint16_t setup);
  void *kernargOf(uint64_t index) {
    return kernargs + (index % Size) * size_t(KernargBytes);
  }
  xcc_status transfer(CpuKernel &function, const void *kernarg, size_t blocks,
                      void *largeKernarg = nullptr,
                      profile::Work *work = nullptr);
  [[gnu::cold]] static profile::Work *profiled(const LaunchRequest &r);
  profile::Work *profiled(profile::Way way, uint64_t bytes) const;

  static uint64_t word(uint32_t generation, State s) {
    return uint64_t(generation) << 32 | s;
  }
  bool acquire();
  bool packetWaits();
  bool giveUp();
  void process(Worker &w, uint64_t until);
  bool helpInTurn(Worker &w, uint64_t until);
  bool barrierReady(aql::BarrierPacket &p);
  void setUp(uint64_t index);
  uint64_t runAlone(Worker &w);
  void runTogether(Worker &w);
  [[gnu::cold]] void noteUneven();
  [[gnu::cold]] void noteTooFew();
  bool begin(Worker &w, uint64_t index);
  bool start(Worker &w, uint64_t ticksPerBlock);
  uint32_t leastGrains(uint64_t each) const;
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
  void learn(uint64_t ticks, uint64_t blocks);
  void note(Worker &w);
  [[gnu::cold]] void tellThrown();
  void complete(uint64_t index);
  void waitUnordered(uint64_t until);

  Pool &workers;
  aql::QueueHeader header{};
  aql::Packet *packets = nullptr;
  Extra *extras = nullptr;
  char *kernargs = nullptr;

  alignas(64) std::atomic<uint64_t> writeIndex{0};
  alignas(64) Signal doorbell;
  alignas(64) std::atomic<uint64_t> stateWord{0};
  std::atomic<Signal *> blockedOn{nullptr};
  alignas(64) std::atomic<uint64_t> readIndex_{0};
  std::atomic<uint32_t> waiting{0};   ///< threads asleep in waitFor
  std::atomic<uint32_t> waitEpoch{0}; ///< the word they sleep on
  alignas(64) Dispatch current;
  uint64_t trimmedAt = 0;  ///< the next packet when pages were given back
  uint32_t generation = 0; ///< of current; the processor's
  uint32_t step = 0;       ///< of the sequence at the head; the processor's

  /// ThreadSanitizer's, by their addresses: what was enqueued, what blocks did.
  char begun = 0, done = 0;

  PendingErrors errors;
  /// Of the current dispatch, until it has ended: an error, and what it is about.
  struct {
    xcc_error *error = nullptr;
    std::shared_ptr<ThrownException> exception;
  } thrown;
  std::mutex thrownMutex;
  std::atomic<uint64_t> failures_{0};
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_QUEUE_H
