// What the runtime asks of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one interface between the runtime and a kind of device. Each kind is a
// folder beside this file with a Device, a Queue, an Event, an Image and a
// Kernel of its own; nothing outside that folder knows more of it than this.
// What has a default here need not be overridden.
//
// The runtime keeps the table of allocations (allocations.h): a device is only
// ever asked to free what it gave, and copies stay inside what it gave.
//
// Every function may be called from any thread. A function that returns an
// xcc_status has called fail() when it returns anything but XCC_SUCCESS.

#ifndef XCC_SRC_DEVICE_H
#define XCC_SRC_DEVICE_H

#include "backends.h"
#include "error.h"
#include "images/offload_binary.h"
#include "pending.h"

#include <atomic>

namespace xcc::rt {

/// A loaded image. Owned by the registry; goes back with unloadImage().
class Image {
protected:
  ~Image() = default;
};

/// A kernel of a loaded image; what a descriptor's slot points to. Lives as
/// long as its image.
struct Kernel {
  const xcc_kernel_info *Info = nullptr;
  uint32_t GroupSize = 0;   ///< bytes of static block-shared memory, rounded
                            ///< up to where the dynamic part begins
  uint32_t PrivateSize = 0; ///< bytes of scratch for each thread
  uint32_t KernargSize = 0; ///< bytes
  uint32_t MaxThreads = 0;  ///< the largest block, never 0
  bool CallsHost = false;   ///< may call what the host serves
  /// The suggested block without dynamic shared memory; 0 until asked for.
  mutable std::atomic<uint32_t> Suggested{0};
};

/// A validated launch. The kernarg bytes are the caller's.
struct LaunchRequest {
  const Kernel *Function;
  const uint32_t *Grid;  ///< [3], blocks
  const uint32_t *Block; ///< [3], threads
  uint32_t SharedBytes;  ///< dynamic
  const void *Kernarg;
  const char *File;
  uint32_t Line;
};

/// A point in a queue. Recording and waiting are the queue's.
class Event {
public:
  virtual ~Event() = default;
  virtual bool recorded() = 0; ///< ever
  virtual bool reached() = 0;  ///< true also when never recorded
  /// Waits, then reports the failure its queue has pending.
  virtual xcc_status synchronize() = 0;
  /// Milliseconds from an event of the same device; both were reached.
  virtual xcc_status elapsed(Event &From, double &Milliseconds) = 0;
};

/// Work in order. Destroyed with Device::destroyQueue().
class Queue {
public:
  virtual xcc_status launch(const LaunchRequest &Request) = 0;
  /// Each side is host memory or memory of a device of this kind.
  virtual xcc_status copy(void *To, const void *From, size_t Size) = 0;
  virtual xcc_status fill(void *To, int Byte, size_t Size) = 0;
  virtual xcc_status record(Event &Point) = 0;
  /// \p Point belongs to a device of the same kind.
  virtual xcc_status wait(Event &Point) = 0;
  /// Waits for what is enqueued, without reporting.
  virtual void drain() = 0;
  virtual bool idle() = 0;
  /// Takes the first failure since the last call; null when there is none.
  virtual xcc_error *takeError() = 0;
  /// The same for a copy that waits: what concerns the calling thread's work,
  /// or the device as a whole. Default: all.
  virtual xcc_error *takeOwnError() { return takeError(); }
  /// The stream goes: hands on what nobody has heard of.
  virtual void leaveErrors(PendingErrors &To);

  /// Queues go from stream to stream. True when no stream had this one; now
  /// the caller has.
  bool claim() { return !InUse.exchange(true, std::memory_order_acquire); }
  /// The stream that had it has gone, and has left its errors.
  void giveBack();
  /// How many streams had it before.
  uint32_t use() const { return Use.load(std::memory_order_relaxed); }
  /// For who waits for a point of the queue, recorded in that use: its pending
  /// failure. Another stream's is not the point's.
  xcc_status reportFrom(uint32_t PointsUse);

protected:
  ~Queue() = default;

private:
  std::atomic<bool> InUse{true};
  std::atomic<uint32_t> Use{0};
};

/// What a launch may ask for. Constant for each device.
struct Limits {
  uint32_t BlockDim[3];   ///< threads of a block in each dimension
  uint32_t MaxBlock;      ///< threads of a block
  uint64_t GridBlocks[3]; ///< blocks in each dimension
  /// Threads of the grid in each dimension. Kernels hold a position in a
  /// positive int, so no device allows more than 2^31 - 1.
  uint64_t GridThreads;
  uint64_t Shared; ///< static and dynamic block-shared memory, bytes
};

/// How a device's threads call the host.
struct CallShape {
  uint32_t Ports; ///< calls at a time, 1 to 4096
  uint32_t Lanes; ///< threads that may share one: 1, 32 or 64
  bool Wakes;     ///< threads of this machine, which can wake the server
  uint64_t Heap;  ///< bytes for malloc in device code
  /// allocateAsync and releaseAsync wait for no kernel of another queue.
  bool Grows = true;
  bool SharesMemory = false; ///< device code runs in this process's memory
};

struct HostServices;

class Device {
public:
  virtual ~Device() = default;

  /// Failures of streams that were destroyed.
  PendingErrors Orphans;
  /// Made by the first image that calls the host; see host_services.h.
  std::atomic<HostServices *> Services{nullptr};

  const Limits &limits() const { return Bounds; }
  const Backend &kind() const { return *Kind; }
  /// As in xcc_device_set_current.
  int ordinal() const { return Ordinal; }
  /// As in XCC_DEVICE: "cuda:1", "host".
  const char *id() const { return Id; }
  /// Called once, before anybody else sees the device.
  void identify(const Backend &Kind, int IndexOfKind, int Ordinal);

  /// Fills in all but kind and id.
  virtual void properties(xcc_device_properties &Out) = 0;

  virtual xcc_status allocate(size_t Bytes, void **Out) = 0;
  /// Waits for the device's work, then frees what allocate() gave.
  virtual xcc_status release(void *Pointer) = 0;
  /// Host memory for fast copies. Default: ordinary memory.
  virtual xcc_status allocateHost(size_t Bytes, void **Out);
  virtual xcc_status releaseHost(void *Pointer);
  /// The address that the device sees such memory at. Default: the host's.
  virtual xcc_status seenAt(void *Pointer, void *&Address) {
    Address = Pointer;
    return XCC_SUCCESS;
  }
  /// In the order of one of the device's queues. Default: allocates at once,
  /// frees after a wait for the queue.
  virtual xcc_status allocateAsync(Queue &In, size_t Bytes, void **Out);
  virtual xcc_status releaseAsync(Queue &In, void *Pointer);

  /// How well an image suits: 0 not at all, else higher is better. When 0,
  /// \p Missing may be set to what the device lacks, a static string or one of
  /// the image's.
  virtual int suits(const OffloadImage &Image, const char *&Missing) = 0;
  virtual xcc_status loadImage(const OffloadImage &Image,
                               xcc::rt::Image **Out) = 0;
  virtual void unloadImage(Image *Loaded) = 0;
  /// Finds the descriptor's kernel and checks that both agree.
  virtual xcc_status findKernel(Image &In, const xcc_kernel_info &Info,
                                const Kernel **Out) = 0;

  /// The address of an image's variable, as the device sees it; null when the
  /// image has none of that name. Default: no image calls the host.
  virtual xcc_status findVariable(Image &In, const char *Name, void *&Address);
  /// The most stack that a thread of a kernel may get whose use is not known;
  /// 0: the device has no such setting.
  virtual size_t mostStack() const { return 0; }
  static constexpr size_t LeastStack = 1024;
  /// What xcc_device_set_stack asked for; 0: nothing.
  std::atomic<size_t> WantedStack{0};

  virtual CallShape callShape() { return {256, 32, false, 64 << 20}; }

  /// The block size that keeps the device busiest with so many bytes of
  /// dynamic shared memory. Default: 256, or the kernel's largest.
  virtual xcc_status suggestBlock(const Kernel &K, uint32_t Dynamic,
                                  uint32_t &Block);

  virtual xcc_status createQueue(Queue **Out) = 0;
  /// Waits for its work and keeps failures that nobody has heard of (Orphans);
  /// then another stream may have it.
  void destroyQueue(Queue *Q);
  /// The queue of null streams.
  virtual xcc_status defaultQueue(Queue **Out) = 0;
  virtual xcc_status createEvent(Event **Out) = 0;
  /// Waits for all queues' work so far, without reporting.
  virtual void drain() = 0;
  /// The same while the process exits. False when it was not worth waiting any
  /// longer, which was said, or cannot be: nothing of the device may be used or
  /// given back then. \p Unloading: the process goes on without the runtime, so
  /// that there is no way but to wait.
  virtual bool finish(bool Unloading) {
    (void)Unloading;
    drain();
    return true;
  }
  /// The first unreported failure of any queue; null when there is none. The
  /// stream of another thread keeps it for that thread.
  virtual xcc_error *takeError() = 0;
  /// What concerns the calling thread's work, or the device as a whole.
  virtual xcc_error *takeOwnError() = 0;
  /// Called once while the process exits or the runtime is unloaded.
  virtual void shutDown() = 0;

protected:
  explicit Device(const Limits &L) : Bounds(L) {}
  const Limits Bounds;

private:
  const Backend *Kind = nullptr;
  int Ordinal = -1;
  char Id[24] = "";
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICE_H
