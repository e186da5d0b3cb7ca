// A stream on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of packets that the GPU's packet processor reads. Every packet has the
// barrier bit, so they run one after the other. Any thread may write packets;
// none takes a lock or allocates to launch a kernel.
//
//     |  chunk 0     |  chunk 1     |  chunk 2     |  chunk 3     |
//     | p p p ... E  | p p p ... E  | p p p ... E  | p p p ... E  |
//
// Beside each packet lie its kernel arguments. They may be written over only
// when the kernel has ended, which the ring's read index does not tell; so the
// last packet of each chunk, E, is a barrier of ours that counts the chunk's
// signal down: when it has, all packets before it have ended.
//
// Copies run on engines outside of the ring. A copy waits for a barrier packet
// that is put before it, and the packets behind it wait for the copy through
// another.

#ifndef XCC_SRC_HSA_QUEUE_H
#define XCC_SRC_HSA_QUEUE_H

#include "../signal_event.h"
#include "gpu.h"
#include "places.h"
#include "signal.h"

namespace xcc::rt::hsa {

struct HsaKernel;

class HsaEvent final : public SignalEvent<Signal> {
public:
  explicit HsaEvent(Gpu &On) : On(On) {}
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &From, double &Milliseconds) override;

private:
  friend class HsaQueue;
  Gpu &On;
  uint32_t Polls = 0;
};

/// A buffer of pinned memory that copies of other host memory go through.
struct Staging {
  static constexpr size_t HalfBytes = 1 << 20;
  char *Memory = nullptr; ///< two halves
  SignalHold Busy[2];     ///< the copies that use them
  unsigned Turn = 0;      ///< the half to use next
};

class HsaQueue final : public Queue {
public:
  static constexpr uint32_t MaxSize = 1024;     ///< packets
  static constexpr uint32_t KernargBytes = 512; ///< kept beside each packet

  static xcc_status make(Gpu &On, HsaQueue *&Out);
  HsaQueue *Next = nullptr; ///< the device's list

  xcc_status launch(const LaunchRequest &Request) override;
  xcc_status copy(void *To, const void *From, size_t Size) override;
  xcc_status fill(void *To, int Byte, size_t Size) override;
  xcc_status record(Event &Point) override;
  xcc_status wait(Event &Point) override;
  void drain() override;
  bool idle() override;
  xcc_error *takeError() override;

  const Gpu &gpu() const { return On; }
  Device &device() const { return On.Self; }
  /// Waits for a point of this queue. False when the device failed.
  bool waitFor(Signal &S);
  /// Gives back what packets that have ended kept.
  void collect();
  /// The device failed: nothing of this queue will run any more.
  void abandon();
  void releaseFailedCopies();

  /// A launch that has not ended for certain, for a fault's message.
  struct Suspect {
    const xcc_kernel_info *Info;
    const char *File;
    uint32_t Line;
    uint32_t Grid[3], Block[3]; ///< blocks, threads
  };
  /// The launches that may be running: at most two, the latest first.
  unsigned suspects(Suspect Out[2]) const;

private:
  /// What a packet needs until it has ended. Made on slow paths only.
  struct Kept {
    uint64_t Index = 0;
    Signal *Signals[2] = {};
    void *Locked = nullptr;  ///< host memory to unlock
    void *Kernarg = nullptr; ///< arguments too large for their place
    void *Memory = nullptr;  ///< device memory
    /// A kernel that may call the host, whose end nobody else will notice.
    Gpu *Calls = nullptr;
    ~Kept();
  };
  /// What a packet has no field for. Read by the fault handler's thread.
  struct Beside {
    std::atomic<const xcc_kernel_info *> Info{nullptr};
    std::atomic<const char *> File{nullptr};
    std::atomic<uint32_t> Line{0};
    std::atomic<Kept *> Holds{nullptr};
  };

  explicit HsaQueue(Gpu &On) : On(On) {}
  ~HsaQueue();
  xcc_status open();
  static void onError(Status S, QueueRef *Ring, void *Data);

  aql::Packet &packet(uint64_t Index) {
    return static_cast<aql::Packet *>(Ring->BaseAddress)[Index & (Size - 1)];
  }
  Beside &beside(uint64_t Index) const { return Sides[Index & (Size - 1)]; }
  void *kernargOf(uint64_t Index) {
    return Kernargs + (Index & (Size - 1)) * size_t(KernargBytes);
  }
  uint64_t written() const { return Hsa.queue_load_write_index_relaxed(Ring); }
  uint32_t chunks() const { return Size / Chunk; }
  /// Of a chunk's signal when its use number \p Generation has ended.
  static int64_t chunkValue(uint64_t Generation) {
    return (int64_t(1) << 62) - 1 - int64_t(Generation);
  }

  [[gnu::noinline]] xcc_status prepare(const HsaKernel &K, Kept *&Out);
  SignalRef listen(uint64_t Index, Kept &K);
  xcc_status reserve(uint64_t &Index);
  [[gnu::cold]] bool waitForPlace(uint64_t Index);
  void endChunk(uint64_t Index);
  void hand(uint64_t Index, aql::PacketType Type, uint16_t Setup);
  void keep(uint64_t Index, Kept *K);
  void discard(uint64_t Index);
  void raise(std::atomic<uint64_t> &To, uint64_t Value);
  xcc_status barrier(Signal *Before, Signal *Completes, Kept *Keeps,
                     uint64_t *Index = nullptr);
  xcc_status mark(Signal *&Out);
  void setError(xcc_error *Why);

  xcc_status transfer(void *To, Agent ToAgent, const void *From,
                      Agent FromAgent, size_t Bytes, void *Locked, void *Memory,
                      SignalHold *Done);
  xcc_status orderAfter(SignalHold &Before);
  xcc_status stagingHalf(char *&Half, unsigned &Which);
  xcc_status stagedIn(char *To, Agent ToAgent, const char *From, size_t Bytes);
  xcc_status stagedOut(char *To, const char *From, Agent FromAgent,
                       size_t Bytes);
  xcc_status lockedCopy(void *To, const void *From, size_t Bytes, Gpu &Far,
                        bool In, bool &Done);
  xcc_status betweenGpus(void *To, Gpu &ToGpu, const void *From, Gpu &FromGpu,
                         size_t Bytes);
  xcc_status overlapping(void *To, const void *From, size_t Bytes, Gpu &Owner);
  xcc_status stagedFill(char *To, Agent ToAgent, int Byte, size_t Bytes);

  Gpu &On;
  QueueRef *Ring = nullptr;
  uint32_t Size = 0, Chunk = 0; ///< packets, powers of two
  Beside *Sides = nullptr;
  char *Kernargs = nullptr;
  SignalRef ChunkEnds[4] = {};

  alignas(64) std::atomic<uint64_t> Usable{0}; ///< places below can be written
  alignas(64) std::atomic<uint64_t> Ended{0};  ///< packets below have ended
  std::atomic<xcc_error *> FirstError{nullptr};

  std::mutex KeepMutex; ///< guards what places hold, and Collected
  uint64_t Collected = 0;
  std::mutex PollMutex; ///< guards the next two
  SignalHold Poll;      ///< the point idle() asks for
  uint32_t Polls = 0;

  std::mutex CopyMutex; ///< one copy is enqueued at a time; guards the rest
  SignalHold LastCopy;
  uint64_t LastCopyEnd = 0; ///< one past the packet that waits for it
  Staging Stage;
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_QUEUE_H
