// What the runtime asks of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one interface between the runtime and a kind of device. Each kind is a
// folder of src/ with a Device, a Queue, an Event, an Image and a
// Kernel of its own; nothing outside that folder knows more of it than this.
// What has a default here need not be overridden.
//
// The runtime keeps the table of allocations (allocations.h): a device is only
// ever asked to free what it gave, and copies stay inside what it gave.
//
// Every function may be called from any thread. A function that returns an
// xcc_status has called fail() when it returns anything but XCC_SUCCESS.

#ifndef XCC_SRC_DEVICES_DEVICE_H
#define XCC_SRC_DEVICES_DEVICE_H

#include "errors/error.h"
#include "errors/pending.h"
#include "fill.h"
#include "formats/kernel_access.h"
#include "formats/offload_binary.h"
#include "kinds.h"
#include "place.h"
#include "process/profile.h"
#include "rows.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace xcc::rt {

/// A loaded image. Owned by the registry; goes back with unloadImage().
class Image {
protected:
  ~Image() = default;
};

/// A kernel of a loaded image; what a descriptor's slot points to. Lives as
/// long as its image.
struct Kernel {
  Kernel() = default;
  explicit Kernel(const xcc_kernel_info &of);
  const xcc_kernel_info *info = nullptr;
  const char *traceName = "kernel"; ///< in traces, where there is one
  uint32_t sharedSize = 0;   ///< bytes of static block-shared memory, rounded
                             ///< up to where the dynamic part begins
  uint32_t privateSize = 0;  ///< bytes of scratch for each thread
  uint32_t kernargSize = 0;  ///< bytes
  uint32_t maxThreads = 0;   ///< the largest block, never 0
  bool callsHost = false;    ///< may call what the host serves
  uint32_t elements = 1;     ///< indices that a thread of a loop can take
  KernelAccess access;       ///< the memory it reads and writes
  bool usesHeap = false;     ///< may allocate memory, or free some
  bool waitsForGrid = false; ///< may call xcc::sync_grid, for what is known
  void *grid = nullptr;      ///< the image's XCC_SYMBOL_GRID, if it may
  /// The suggested block without dynamic shared memory; 0 until asked for.
  mutable std::atomic<uint32_t> suggested{0};
  /// Can it have code for values? 1: yes, 2: no, 0 until asked for.
  mutable std::atomic<uint8_t> varies{0};
  /// The address that a kernel xcc::symbol_place returned; null before it ran.
  mutable std::atomic<void *> variable{nullptr};
  /// The kernel's row of the profile; null until it is needed.
  mutable std::atomic<profile::Row *> profileRow{nullptr};
};

/// A validated launch. The kernarg bytes are the caller's.
struct LaunchRequest {
  const Kernel *function;
  const uint32_t *grid;  ///< [3], blocks
  const uint32_t *block; ///< [3], threads
  uint32_t sharedBytes;  ///< dynamic
  const void *kernarg;
  const char *file;
  uint32_t line;
  bool cooperative = false;
  bool loop = false; ///< of parallel_for: a thread may take several indices

  static LaunchRequest of(const Kernel &kernel, const xcc_launch_config &config,
                          const void *kernarg) {
    return {&kernel,
            config.grid,
            config.block,
            static_cast<uint32_t>(config.shared_bytes),
            kernarg,
            config.file,
            config.line,
            (config.flags & XCC_LAUNCH_COOPERATIVE) != 0,
            (config.flags & XCC_LAUNCH_LOOP) != 0};
  }

  profile::Launch profiled() const {
    return {function->info->name, function->traceName, grid, block,
            function->callsHost,  function->profileRow};
  }
};

/// The direction of a copy.
inline profile::Direction directionOf(const Place &to, const Place &from) {
  if (to.owner && from.owner)
    return to.owner == from.owner ? profile::Direction::OnDevice
                                  : profile::Direction::BetweenDevices;
  return to.owner     ? profile::Direction::ToDevice
         : from.owner ? profile::Direction::ToHost
                      : profile::Direction::OnHost;
}

/// A point in a queue. Recording and waiting are the queue's.
class Event {
public:
  virtual ~Event() = default;
  virtual bool recorded() = 0; ///< ever
  virtual bool reached() = 0;  ///< true also when never recorded
  /// Waits, then reports the failure its queue has pending.
  virtual xcc_status synchronize() = 0;
  /// Milliseconds from an event of the same device; both were reached.
  virtual xcc_status elapsed(Event &from, double &milliseconds) = 0;
};

class Sequence;

/// Work in order. Destroyed with Device::destroyQueue().
class Queue {
public:
  virtual xcc_status launch(const LaunchRequest &request) = 0;
  /// Each side is host memory or memory of a device of this kind.
  virtual xcc_status copy(const Place &to, const Place &from, size_t size) = 0;
  /// Several copies, in any order: no side of one overlaps another. Default:
  /// each by itself.
  virtual xcc_status copyParts(const std::vector<CopyPart> &parts);
  /// \p size is a multiple of the element's, whose bytes are the caller's.
  virtual xcc_status fill(const Place &to, const Element &element,
                          size_t size) = 0;
  /// No row of one side overlaps one of the other. Default: each by itself.
  virtual xcc_status copyRows(const Place &to, const Place &from,
                              const Rows &rows);
  /// The width is a multiple of the element's size. Default: each by itself.
  virtual xcc_status fillRows(const Place &to, const Element &element,
                              const Rows &rows);
  xcc_status fillBytes(const Place &to, int byte, size_t size) {
    const auto element = static_cast<unsigned char>(byte);
    return fill(to, {&element, 1}, size);
  }
  /// All of what was recorded (sequence.h), in its order. Default: each step by
  /// itself.
  virtual xcc_status replay(Sequence &what);
  virtual xcc_status record(Event &point) = 0;
  /// \p point belongs to a device of the same kind.
  virtual xcc_status wait(Event &point) = 0;
  /// Calls a function on a thread of the host, in the queue's order.
  virtual xcc_status call(void (*function)(void *), void *data) = 0;
  /// Waits for what is enqueued, without reporting.
  virtual void drain() = 0;
  /// Does the same, but returns when the device has been given up
  /// (Device::interrupt). Default: drain().
  virtual void drainInterruptibly() { drain(); }
  virtual bool idle() = 0;
  /// Takes the first failure since the last call; null when there is none.
  virtual xcc_error *takeError() = 0;
  /// The same for a copy that waits: what concerns the calling thread's work,
  /// or the device as a whole. Default: all.
  virtual xcc_error *takeOwnError() { return takeError(); }
  /// How often kernels have failed here. Of a device that is not usable after
  /// a failure, so that nothing is copied from it any more: 0.
  virtual uint64_t failures() const { return 0; }
  /// How often of these they may have been in the middle of using the host's heap,
  /// on a device whose mapped launches end before the next thing happens.
  virtual uint64_t heapFailures() const { return 0; }
  /// The stream is destroyed: hands on failures that were not reported.
  virtual void leaveErrors(PendingErrors &to);

  /// Queues go from stream to stream. True when no stream had this one; now
  /// the caller has.
  bool claim() { return !inUse.exchange(true, std::memory_order_acquire); }
  /// The stream that had it has gone, and has left its errors.
  void giveBack();
  /// How many mapped launches it had. This and the next are the mapping's, and
  /// under its lock.
  uint64_t mappedLaunches = 0;
  /// May work in flight call functions of the host?
  bool mayCallHost = false;
  /// In the range of its device's priorities. Constant.
  int priority = 0;
  /// How many streams had it before.
  uint32_t use() const { return use_.load(std::memory_order_relaxed); }
  /// The pending failure for a thread that waits for a point of the queue, which
  /// was recorded in that use. Failures of other streams do not count.
  xcc_status reportFrom(uint32_t pointsUse);

protected:
  ~Queue() = default;

private:
  std::atomic<bool> inUse{true};
  std::atomic<uint32_t> use_{0};
};

/// What a launch may ask for. Constant for each device.
struct Limits {
  uint32_t blockDim[3];   ///< threads of a block in each dimension
  uint32_t maxBlock;      ///< threads of a block
  uint64_t gridBlocks[3]; ///< blocks in each dimension
  /// Threads of the grid in each dimension. Kernels hold a position in a
  /// positive int, so no device allows more than 2^31 - 1.
  uint64_t gridThreads;
  uint64_t shared; ///< static and dynamic block-shared memory, bytes
};

/// How a device's threads call the host.
struct CallShape {
  uint32_t ports; ///< calls at a time, 1 to 4096
  uint32_t lanes; ///< threads that may share one: 1, 32 or 64
  bool wakes;     ///< threads of this machine, which can wake the server
  uint64_t heap;  ///< bytes for malloc in device code
  /// allocateAsync and releaseAsync wait for no kernel of another queue.
  bool grows = true;
  bool sharesMemory = false; ///< device code runs in this process's memory
};

struct HostServices;
struct MappedMemory;

/// Is a launch still to be recorded (records/launch_recorder.h)?
extern constinit std::atomic<bool> launchesRecorded;
[[gnu::cold]] xcc_status launchRecorded(Device &on, Queue &queue,
                                        const LaunchRequest &request);

class Device {
public:
  virtual ~Device() = default;

  /// Failures of streams that were destroyed.
  PendingErrors orphans;
  /// Made by the first image that calls the host; see host_services.h.
  std::atomic<HostServices *> services{nullptr};

  const Limits &limits() const { return bounds; }
  const DeviceKind &kind() const { return *kind_; }
  /// As in xcc_device_set_current.
  int ordinal() const { return ordinal_; }
  /// As in XCC_DEVICE: "cuda:1", "host".
  const char *id() const { return id_; }
  /// Called once, before anybody else sees the device.
  void identify(const DeviceKind &theKind, int indexOfKind, int theOrdinal);
  /// Likewise: it is a simulator's, asked for as "sim:ARCH".
  void identifySimulated(const DeviceKind &theKind, const std::string &arch,
                         int theOrdinal);
  bool isSimulated() const { return simulated; }

  /// Fills in all but kind and id.
  virtual void properties(xcc_device_properties &out) = 0;
  /// Bytes that could be allocated now, if they lay together.
  virtual xcc_status freeMemory(uint64_t &bytes) = 0;

  virtual xcc_status allocate(size_t bytes, void **out) = 0;
  /// Memory that begins at that address, for replays. It stays until the
  /// process ends. Default: of simulated GPUs; others refuse.
  virtual xcc_status allocateAt(uintptr_t address, size_t bytes);
  /// The best alignment of rows of a matrix: bytes, a power of two.
  virtual size_t rowAlignment() const { return 256; }
  /// Waits for the device's work, then frees what allocate() gave.
  virtual xcc_status release(void *pointer) = 0;
  /// Runs a kernel's one thread, as a function that the calling thread calls:
  /// faults are the process's own. False, having done nothing, where a device
  /// does not run such a kernel so.
  virtual bool runHere(const Kernel &kernel, const void *kernarg) {
    (void)kernel, (void)kernarg;
    return false;
  }
  /// Asks a kernel that runs to end, so that its launch fails because of \p
  /// why, which stays where it is; to be repeated until it has. \p alsoWaiting:
  /// in a call of the system too. A device that cannot end what it has begun is
  /// given up: no thread waits for it any more, and it is unusable.
  virtual void interrupt(const Kernel &running, const char *why,
                         bool alsoWaiting) = 0;
  /// Host memory for fast copies. Default: ordinary memory.
  virtual xcc_status allocateHost(size_t bytes, void **out);
  virtual xcc_status releaseHost(void *pointer);
  /// Memory that host and kernels use at one address. Default: allocate().
  virtual xcc_status allocateManaged(size_t bytes, void **out) {
    return allocate(bytes, out);
  }
  virtual xcc_status releaseManaged(void *pointer) { return release(pointer); }
  /// Locks memory of the host, and waits before it no longer is. Default: looks
  /// whether it is there.
  virtual xcc_status registerHost(void *pointer, size_t bytes);
  virtual xcc_status unregisterHost(void *pointer);
  /// The address that the device sees such memory at. Default: the host's.
  virtual xcc_status seenAt(void *pointer, void *&address) {
    address = pointer;
    return XCC_SUCCESS;
  }
  /// Do kernels reach whatever the host has in memory, at its addresses?
  bool sharesHostMemory() const { return sharesHost; }
  /// Can a kernel access memory at that address that the runtime did not allocate?
  /// Of devices with memory of their own. Default: none.
  virtual bool reaches(const void *) { return false; }
  /// Is the host's copy of what a launch maps to be unusable while the kernel
  /// runs, for tests?
  virtual bool hidesOriginals() const { return false; }
  /// Do kernels take memory from the host's heap, and free it there?
  virtual bool usesHostHeap() const { return false; }
  /// Do copies from the device to ordinary memory of the host return at once,
  /// whatever their queue still has to do? Default: they wait for it.
  virtual bool copiesBehind() const { return false; }
  /// Do many small copies together cost no more than one of all their bytes?
  /// Default: no, such bytes are better brought together by the host.
  virtual bool gathers() const { return false; }
  /// What of the host's memory has a copy here; made by the first mapping.
  std::atomic<MappedMemory *> mapped{nullptr};

  /// What the pool keeps of memory that is freed in a queue's order, and at
  /// most. Default: there is none, and nothing is kept.
  virtual xcc_status poolState(uint64_t &kept, uint64_t &limit) {
    kept = limit = 0;
    return XCC_SUCCESS;
  }
  virtual xcc_status limitPool(uint64_t) { return XCC_SUCCESS; }
  virtual xcc_status trimPool(uint64_t) { return XCC_SUCCESS; }
  /// In the order of one of the device's queues. Default: allocates at once,
  /// frees after a wait for the queue.
  virtual xcc_status allocateAsync(Queue &in, size_t bytes, void **out);
  virtual xcc_status releaseAsync(Queue &in, void *pointer);

  /// How well an image suits: 0 not at all, else higher is better. When 0,
  /// \p missing may be set to what the device lacks, a static string or one of
  /// the image's.
  virtual int suits(const OffloadImage &image, const char *&missing) = 0;
  /// What code is generated for that only this machine's device has to run, as
  /// in -offload-arch=. Default: the arch of its properties.
  virtual std::string codeArch();
  /// What code that is generated for codeArch() depends on in addition to the
  /// arch. Default: nothing.
  virtual std::string codeMachine() { return ""; }
  virtual xcc_status loadImage(const OffloadImage &image,
                               xcc::rt::Image **out) = 0;
  virtual void unloadImage(Image *loaded) = 0;
  /// Finds the descriptor's kernel and checks that both agree.
  virtual xcc_status findKernel(Image &in, const xcc_kernel_info &info,
                                const Kernel **out) = 0;

  /// Steps of a sequence with no other holder were changed. Default: what was
  /// made of it is made anew.
  virtual void changed(Sequence &what, size_t first, size_t count);

  /// The address of an image's variable, as the device sees it; null when the
  /// image has none of that name. Default: no image calls the host.
  virtual xcc_status findVariable(Image &in, const char *name, void *&address);
  /// The most stack that a thread of a kernel may get whose use is not known;
  /// 0: the device has no such setting.
  virtual size_t mostStack() const { return 0; }
  static constexpr size_t LeastStack = 1024;
  /// What xcc_device_set_stack asked for; 0: nothing.
  std::atomic<size_t> stackWanted{0};

  virtual CallShape callShape() { return {256, 32, false, 64 << 20}; }

  /// The block size that keeps the device busiest with so many bytes of
  /// dynamic shared memory. Default: 256, or the kernel's largest.
  virtual xcc_status suggestBlock(const Kernel &k, uint32_t dynamic,
                                  uint32_t &block);

  /// How many blocks run at once. Default: one for each compute unit.
  virtual xcc_status cooperativeBlocks(const Kernel &k, uint32_t threads,
                                       uint32_t dynamic, uint64_t &blocks);
  /// Cooperative launches, one after the other in all queues: the last of them.
  std::mutex cooperativeMutex;
  Event *cooperativeEnd = nullptr;

  /// Its priority is one of the device's.
  virtual xcc_status createQueue(Queue **out, int priority = 0) = 0;
  /// Lower numbers are more urgent. Default: there is nothing but 0.
  virtual xcc_status priorities(int &least, int &greatest) {
    least = greatest = 0;
    return XCC_SUCCESS;
  }
  /// Waits for its work and keeps failures that were not reported (orphans);
  /// then another stream may have it.
  void destroyQueue(Queue *q);
  /// The queue of null streams.
  virtual xcc_status defaultQueue(Queue **out) = 0;
  virtual xcc_status createEvent(Event **out) = 0;
  /// Waits for all queues' work so far, without reporting.
  virtual void drain() = 0;
  /// Tells the profile about work that has ended, if that was not done yet, and
  /// waits for none. Default: it is told when work ends.
  virtual void collectTimes() {}
  /// drain() while the process exits. False when it was not worth waiting any
  /// longer, which was said, or cannot be: nothing of the device may be used or
  /// given back then. \p unloading: the process goes on without the runtime, so
  /// that there is no way but to wait. \p only: of that queue; null for all.
  virtual bool finish(bool unloading, Queue *only) {
    (void)unloading;
    if (only)
      only->drain();
    else
      drain();
    return true;
  }
  /// For who looks at a wait of another thread (unwritten_wait.h). May a launch
  /// of that queue be running, or of any where it is null? \p progress changes
  /// when work of the device ends. Default: no, for devices whose waits tell of
  /// long ones themselves.
  virtual bool busy(const Queue *only, uint64_t &progress) {
    (void)only;
    progress = 0;
    return false;
  }
  /// Tells of what runs, and \p what about it; false where that is not known.
  virtual bool tellOfRunning(const Queue *only, const char *what) {
    (void)only, (void)what;
    return false;
  }
  /// The first unreported failure of any queue; null when there is none. The
  /// stream of another thread keeps it for that thread.
  virtual xcc_error *takeError() = 0;
  /// What concerns the calling thread's work, or the device as a whole.
  virtual xcc_error *takeOwnError() = 0;
  /// Called once while the process exits or the runtime is unloaded.
  virtual void shutDown() = 0;
  /// Called after it where the process goes on without the runtime, and last:
  /// gives back the memory that only its code could have used.
  virtual void discard() {}

  /// A launch of the program's.
  xcc_status launch(Queue &queue, const LaunchRequest &request) {
    if (launchesRecorded.load(std::memory_order_relaxed)) [[unlikely]]
      return launchRecorded(*this, queue, request);
    return enqueue(queue, request);
  }
  /// queue.launch, of whatever kind.
  xcc_status enqueue(Queue &queue, const LaunchRequest &request) {
    return request.cooperative ? launchCooperative(queue, request)
                               : queue.launch(request);
  }

protected:
  explicit Device(const Limits &l) : bounds(l) {}
  const Limits bounds;
  bool sharesHost = false; ///< fixed before anybody else sees the device

private:
  xcc_status launchCooperative(Queue &queue, const LaunchRequest &request);

  const DeviceKind *kind_ = nullptr;
  int ordinal_ = -1;
  char id_[32] = "";
  bool simulated = false;
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_DEVICE_H
