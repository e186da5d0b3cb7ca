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

#ifndef XCC_SRC_CPU_QUEUE_H
#define XCC_SRC_CPU_QUEUE_H

#include "../signal_event.h"
#include "pool.h"
#include "signal.h"

namespace xcc::rt::cpu {

class CpuEvent final : public SignalEvent<Signal> {
public:
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &From, double &Milliseconds) override;

private:
  friend class CpuQueue;
  uint64_t time();
};

class CpuQueue final : public Queue {
public:
  static constexpr uint32_t Size = 1024;        ///< packets
  static constexpr uint32_t KernargBytes = 256; ///< kept beside each packet

  /// Null when memory ran out.
  static CpuQueue *make(Pool &P);
  CpuQueue *Next = nullptr; ///< the pool's list

  xcc_status launch(const LaunchRequest &Request) override;
  xcc_status copy(void *To, const void *From, size_t Size) override;
  xcc_status fill(void *To, int Byte, size_t Size) override;
  xcc_status record(Event &Point) override;
  xcc_status wait(Event &Point) override;
  void drain() override;
  /// Waits without taking part, as long as kernels make progress, and for
  /// \p Patience nanoseconds without. False when packets are left.
  bool watch(uint64_t Patience);
  bool idle() override;
  xcc_error *takeError() override { return Errors.take(); }
  xcc_error *takeOwnError() override { return Errors.takeOwn(); }
  void leaveErrors(PendingErrors &To) override { Errors.moveTo(To); }
  /// For who waits for the device.
  xcc_error *hearError() { return Errors.hear(); }

  /// Frees memory once the work before it has ended.
  xcc_status release(void *Pointer);

  /// Runs what can be run now, until packet \p Until has ended or nothing can.
  /// True when something was done.
  bool help(Worker &W, uint64_t Until);
  /// Could help() do something? A look without obligation.
  bool hasWork();
  /// Waits, helping, until packets before \p Until have ended.
  void waitFor(uint64_t Until);
  uint64_t readIndex() const {
    return ReadIndex.load(std::memory_order_acquire);
  }

private:
  /// What a packet has no field for.
  struct Extra {
    CpuKernel *Function;
    const char *File;
    uint32_t Line;
    void *LargeKernarg; ///< to free; null when the kernarg is beside
    uint64_t Flow;
    uint64_t Launcher; ///< the thread
  };
  enum State : uint64_t { Idle, Busy, Open, Drained };

  explicit CpuQueue(Pool &P) : Workers(P) {}

  /// Fails because there are no workers.
  [[gnu::cold]] static xcc_status failToStart();
  aql::Packet &packet(uint64_t Index) { return Packets[Index % Size]; }
  uint64_t reserve();
  void hand(uint64_t Index, aql::PacketType Type, uint16_t Setup);
  void *kernargOf(uint64_t Index) {
    return Kernargs + (Index % Size) * size_t(KernargBytes);
  }
  xcc_status transfer(CpuKernel &Function, const void *Kernarg, size_t Blocks);

  static uint64_t word(uint32_t Generation, State S) {
    return uint64_t(Generation) << 32 | S;
  }
  bool acquire();
  bool packetWaits();
  bool giveUp();
  void process(Worker &W, uint64_t Until);
  bool barrierReady(aql::BarrierPacket &P);
  void setUp(uint64_t Index);
  uint64_t runAlone(Worker &W);
  bool begin(Worker &W, uint64_t Index);
  bool join(Worker &W, uint64_t Until);
  void runRange(Worker &W, uint64_t First, uint64_t Last);
  void learn(uint64_t Ticks, uint64_t Blocks);
  void note(Worker &W);
  void complete(uint64_t Index);
  void wakeWaiting();

  Pool &Workers;
  aql::QueueHeader Header{};
  aql::Packet *Packets = nullptr;
  Extra *Extras = nullptr;
  char *Kernargs = nullptr;

  alignas(64) std::atomic<uint64_t> WriteIndex{0};
  alignas(64) Signal Doorbell;
  alignas(64) std::atomic<uint64_t> StateWord{0};
  std::atomic<Signal *> BlockedOn{nullptr};
  alignas(64) std::atomic<uint64_t> ReadIndex{0};
  std::atomic<uint32_t> Waiting{0};   ///< threads asleep in waitFor
  std::atomic<uint32_t> WaitEpoch{0}; ///< the word they sleep on
  alignas(64) Dispatch Current;
  uint32_t Generation = 0; ///< of Current; the processor's

  PendingErrors Errors;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_H
