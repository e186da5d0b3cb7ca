// A queue on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of packets that the GPU's packet processor reads. Every packet has the
// barrier bit, so packets run one after the other. Any thread may write
// packets. To launch a kernel, no thread takes a lock or allocates memory.
//
//     |  chunk 0     |  chunk 1     |  chunk 2     |  chunk 3     |
//     | p p p ... E  | p p p ... E  | p p p ... E  | p p p ... E  |
//
// Each packet has room for its kernel arguments beside the ring. They may be
// overwritten only when the kernel has ended, which the ring's read index does
// not tell. So the last packet of each chunk, E, is a barrier packet that
// decrements the chunk's signal: then all packets before it have ended.
//
// Copies run on engines outside the ring. A copy waits for a barrier packet
// that is written before it. The packets after it wait for the copy by another
// barrier packet.

#ifndef XCC_SRC_HSA_QUEUE_QUEUE_H
#define XCC_SRC_HSA_QUEUE_QUEUE_H

#include "common/faults.h"
#include "common/signals.h"
#include "hsa/gpu.h"
#include "hsa/memory.h"
#include "sequence.h"
#include "signal.h"

namespace xcc::rt::hsa {

struct HsaKernel;

class HsaEvent final : public SignalEvent<Signal> {
public:
  explicit HsaEvent(Gpu &on) : on(on) {}
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &from, double &milliseconds) override;

private:
  friend class HsaQueue;
  Gpu &on;
  uint32_t polls = 0;
};

/// A buffer of pinned memory, for copies of other host memory.
struct Staging {
  static constexpr size_t HalfBytes = 1 << 20;
  char *memory = nullptr; ///< two halves
  SignalHold busy[2];     ///< the copies that use them
  unsigned turn = 0;      ///< the half to use next
};

class HsaQueue final : public Queue {
public:
  static constexpr uint32_t MaxSize = 1024;     ///< packets
  static constexpr uint32_t KernargBytes = 512; ///< kept beside each packet

  static xcc_status make(Gpu &on, int priority, HsaQueue *&out);
  HsaQueue *next = nullptr; ///< in the device's list

  xcc_status launch(const LaunchRequest &request) override;
  xcc_status copy(const Place &to, const Place &from, size_t size) override;
  xcc_status fill(const Place &to, const Element &element,
                  size_t size) override;
  xcc_status copyRows(const Place &to, const Place &from,
                      const Rows &rows) override;
  xcc_status replay(Sequence &what) override;
  xcc_status call(void (*function)(void *), void *data) override;
  xcc_status record(Event &point) override;
  xcc_status wait(Event &point) override;
  void drain() override;
  bool idle() override;
  xcc_error *takeError() override;

  const Gpu &gpu() const { return on; }
  Device &device() const { return on.self; }
  /// Waits for a point of this queue. Returns false if the device failed.
  bool waitFor(Signal &s);
  /// Releases the resources of packets that have ended.
  void collect();
  /// Called when the device failed: no packet of this queue runs any more.
  void abandon();
  void releaseFailedCopies();

  /// The launches that may be running: at most two, the latest first.
  unsigned suspects(Suspect out[2]) const;
  /// As suspects(), but none if a packet waits for something else (a copy,
  /// another queue, the host), or if a kernel may wait for the host. \p
  /// waitedFor: a thread waits for a packet of this queue, so one has not
  /// ended.
  unsigned runningLong(bool waitedFor, Suspect out[2]) const;
  /// How many packets have been read.
  uint64_t readSoFar() const {
    return hsa.queue_load_read_index_scacquire(ring);
  }
  /// Returns false if the same \p read was reported before.
  bool markReported(uint64_t read) {
    return reportedRead.exchange(read + 1, std::memory_order_relaxed) !=
           read + 1;
  }

private:
  /// Resources that a packet needs until it has ended. Made on slow paths only.
  struct PacketResources {
    uint64_t index = 0;
    Signal *signals[2] = {};
    void *locked = nullptr;  ///< host memory to unlock
    void *kernarg = nullptr; ///< arguments too large for their place
    void *memory = nullptr;  ///< device memory
    Sequence *sequence = nullptr;
    /// A GPU whose host calls end with this; null if another place ends them.
    Gpu *calls = nullptr;
    /// The profiled work that signals[0] completes; null if not profiled.
    profile::Work *work = nullptr;
    const Gpu *workOn = nullptr; ///< set if work is
    ~PacketResources();
  };
  /// Data of a packet for which AQL has no field. The fault handler's thread
  /// reads it.
  struct OffsetUse {
    std::atomic<const xcc_kernel_info *> info{nullptr};
    std::atomic<const char *> file{nullptr};
    std::atomic<uint32_t> line{0};
    std::atomic<bool> mayTakeLong{false}; ///< it may wait for the host
    std::atomic<PacketResources *> holds{nullptr};
  };

  explicit HsaQueue(Gpu &on) : on(on) {}
  ~HsaQueue();
  xcc_status open();
  static void onError(Status s, QueueRef *ring, void *data);

  aql::Packet &packet(uint64_t index) {
    return static_cast<aql::Packet *>(ring->baseAddress)[index & (size - 1)];
  }
  OffsetUse &beside(uint64_t index) const { return sides[index & (size - 1)]; }
  void *kernargOf(uint64_t index) {
    return kernargs + (index & (size - 1)) * size_t(KernargBytes);
  }
  uint64_t written() const { return hsa.queue_load_write_index_relaxed(ring); }
  uint32_t chunks() const { return size / chunk; }
  /// The value of a chunk's signal after its use number \p generation ended.
  static int64_t chunkValue(uint64_t generation) {
    return (int64_t(1) << 62) - 1 - int64_t(generation);
  }

  [[gnu::noinline]] xcc_status prepare(const HsaKernel &k, profile::Work *work,
                                       PacketResources *&out);
  /// The profile's record of a launch or copy; null if not profiled.
  profile::Work *timed(const LaunchRequest &r);
  profile::Work *timed(profile::Direction direction, size_t bytes);
  int track();
  SignalRef listen(uint64_t index, PacketResources &k);
  xcc_status reserve(uint64_t &index);
  [[gnu::cold]] bool waitForPlace(uint64_t index);
  void fillEnd(uint64_t index);
  void endChunk(uint64_t index);
  void ringFor(uint64_t index) {
    // Producers may ring in any order, because the queue type is "multi".
    hsa.signal_store_screlease({ring->doorbellSignal},
                               static_cast<int64_t>(index));
  }
  void hand(uint64_t index, aql::PacketType type, uint16_t setup);
  void keep(uint64_t index, PacketResources *k);
  void discard(uint64_t index);
  void raise(std::atomic<uint64_t> &to, uint64_t value);
  xcc_status barrier(Signal *before, Signal *completes, PacketResources *keeps,
                     uint64_t *index = nullptr);
  xcc_status mark(Signal *&out);
  SignalHold latestMark();
  void setError(xcc_error *why);

  struct Replay; ///< its functions are in replay.cpp
  xcc_status reserve(uint64_t wanted, uint64_t &first, uint32_t &taken);
  xcc_status prepare(Replay &r, const HsaSequence::Part &p);
  void put(Replay &r, const Entry &e, uint64_t index, PacketResources *holds);
  xcc_status putPiece(Replay &r, size_t &next, size_t end);
  xcc_status put(Replay &r, size_t begin, size_t end);
  xcc_status begin(Replay &r, const HsaSequence::Part &p);

  /// Calls \p enqueue for \p w, which may be null, under copyMutex. \p refused:
  /// the call sets it if nothing was enqueued.
  template <class Fn>
  xcc_status during(profile::Work *w, Fn enqueue,
                    const bool *rejected = nullptr) {
    copying = w;
    if (w)
      profile::began(w);
    xcc_status status = enqueue();
    copying = nullptr;
    if (w && rejected && *rejected)
      profile::cancel(w);
    else if (w)
      profile::ended(w, 0, 0);
    return status;
  }
  xcc_status copyOnGpu(void *to, const Memory &t, const void *from,
                       const Memory &f, size_t bytes);
  xcc_status transfer(void *to, Agent toAgent, const void *from,
                      Agent fromAgent, size_t bytes, void *locked, void *memory,
                      SignalHold *done);
  template <class Fn>
  xcc_status enqueueCopy(const char *call, Fn start, void *locked, void *memory,
                         SignalHold *done, bool *rejected = nullptr);
  bool takesRows(const Rows &rows, const Memory &t, const Memory &f) const;
  xcc_status rowsOnGpu(const Place &to, const Memory &t, const Place &from,
                       const Memory &f, const Rows &rows, bool &rejected);
  xcc_status orderAfter(SignalHold &before);
  xcc_status stagingHalf(char *&half, unsigned &which);
  xcc_status stagedIn(char *to, Agent toAgent, const char *from, size_t bytes);
  xcc_status stagedOut(char *to, const char *from, Agent fromAgent,
                       size_t bytes);
  xcc_status lockedCopy(void *to, const void *from, size_t bytes, Gpu &far,
                        bool in, bool &done);
  xcc_status betweenGpus(void *to, Gpu &toGpu, const void *from,
                         const Memory &source, size_t bytes);
  xcc_status overlapping(void *to, const void *from, size_t bytes, Gpu &owner);
  xcc_status stagedFill(char *to, Agent toAgent, const Element &element,
                        size_t bytes);
  xcc_status fillByCopies(char *to, Agent agent, const Element &element,
                          size_t bytes);

  Gpu &on;
  QueueRef *ring = nullptr;
  uint32_t size = 0, chunk = 0; ///< packets, powers of two
  OffsetUse *sides = nullptr;
  char *kernargs = nullptr;
  SignalRef chunkEnds[4] = {};

  alignas(64) std::atomic<uint64_t> usable{0}; ///< places below can be written
  alignas(64) std::atomic<uint64_t> ended{0};  ///< packets below have ended
  std::atomic<xcc_error *> firstError{nullptr};

  std::mutex keepMutex; ///< guards resources of packets, and collected
  uint64_t collected = 0;
  std::mutex pollMutex; ///< held by idle(); guards polls
  uint32_t polls = 0;
  std::mutex lastMarkMutex;
  SignalHold lastMark; ///< the marker with the highest index

  std::mutex copyMutex; ///< held to enqueue a copy; guards all below
  SignalHold lastCopy;
  uint64_t lastCopyEnd = 0; ///< one past the packet that waits for it
  Staging stage;
  /// The profiled work that contains the transfers; null if not profiled.
  profile::Work *copying = nullptr;
  std::atomic<uint64_t> reportedRead{
      0};                     ///< last \p read of markReported(), plus one
  std::atomic<int> track_{0}; ///< the trace's track; 0: none yet
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_QUEUE_QUEUE_H
