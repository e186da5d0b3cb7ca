// The interface of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one interface between the runtime and a kind of device. Each kind is a
// folder of src/ with its own Device, Queue, Event, Image and Kernel. Code
// outside that folder only uses this interface. Functions with a default need
// not be overridden.
//
// The runtime keeps the table of allocations (allocations.h). So a device only
// has to free memory that it allocated, and copies stay inside allocations.
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

/// A loaded image. The registry owns it and calls unloadImage().
class Image {
protected:
  ~Image() = default;
};

/// A kernel of a loaded image; the descriptor's slot points to it. Lives as
/// long as its image.
struct Kernel {
  Kernel() = default;
  explicit Kernel(const xcc_kernel_info &of);
  const xcc_kernel_info *info = nullptr;
  const char *traceName = "kernel"; ///< the name in traces
  uint32_t sharedSize = 0;   ///< bytes of static block-shared memory, rounded
                             ///< up to the start of the dynamic part
  uint32_t privateSize = 0;  ///< bytes of scratch for each thread
  uint32_t kernargSize = 0;  ///< bytes
  uint32_t maxThreads = 0;   ///< the largest block, never 0
  bool callsHost = false;    ///< may call functions that the host serves
  uint32_t elements = 1;     ///< indices that a thread of a loop can take
  KernelAccess access;       ///< the memory it reads and writes
  bool usesHeap = false;     ///< may allocate memory, or free some
  bool waitsForGrid = false; ///< may call xcc::sync_grid, as far as is known
  void *grid = nullptr;      ///< then the image's XCC_SYMBOL_GRID
  /// The suggested block without dynamic shared memory; 0 until computed.
  mutable std::atomic<uint32_t> suggested{0};
  /// Can it be specialised for values? 1: yes, 2: no, 0: not known yet.
  mutable std::atomic<uint8_t> varies{0};
  /// The address that a kernel xcc::symbol_place returned; null before it ran.
  mutable std::atomic<void *> variable{nullptr};
  /// The kernel's row of the profile; null until it is needed.
  mutable std::atomic<profile::Row *> profileRow{nullptr};
};

/// A validated launch. The caller owns the kernarg bytes.
struct LaunchRequest {
  const Kernel *function;
  const uint32_t *grid;  ///< [3], blocks
  const uint32_t *block; ///< [3], threads
  uint32_t sharedBytes;  ///< dynamic
  const void *kernarg;
  const char *file;
  uint32_t line;
  bool cooperative = false;
  bool loop = false; ///< from parallel_for: a thread may take several indices

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

/// A point in a queue, which Queue::record and Queue::wait use.
class Event {
public:
  virtual ~Event() = default;
  virtual bool recorded() = 0; ///< was it ever recorded?
  virtual bool reached() = 0;  ///< true also if never recorded
  /// Waits, then reports the pending failure of its queue.
  virtual xcc_status synchronize() = 0;
  /// Milliseconds since \p from, an event of the same device. Both were
  /// reached.
  virtual xcc_status elapsed(Event &from, double &milliseconds) = 0;
};

class Sequence;

/// Work in order. Destroy it with Device::destroyQueue().
class Queue {
public:
  virtual xcc_status launch(const LaunchRequest &request) = 0;
  /// Each side is host memory or memory of a device of this kind.
  virtual xcc_status copy(const Place &to, const Place &from, size_t size) = 0;
  /// Several copies, in any order: no side of one overlaps another. Default:
  /// one copy each.
  virtual xcc_status copyParts(const std::vector<CopyPart> &parts);
  /// \p size is a multiple of the element's size. The caller owns its bytes.
  virtual xcc_status fill(const Place &to, const Element &element,
                          size_t size) = 0;
  /// No row of one side overlaps a row of the other. Default: one copy for each
  /// row.
  virtual xcc_status copyRows(const Place &to, const Place &from,
                              const Rows &rows);
  /// The width is a multiple of the element's size. Default: one fill for each
  /// row.
  virtual xcc_status fillRows(const Place &to, const Element &element,
                              const Rows &rows);
  xcc_status fillBytes(const Place &to, int byte, size_t size) {
    const auto element = static_cast<unsigned char>(byte);
    return fill(to, {&element, 1}, size);
  }
  /// Enqueues all steps of a recorded sequence (sequence.h) in order. Default:
  /// one by one.
  virtual xcc_status replay(Sequence &what);
  virtual xcc_status record(Event &point) = 0;
  /// \p point belongs to a device of the same kind.
  virtual xcc_status wait(Event &point) = 0;
  /// Calls a function on a thread of the host, in the queue's order.
  virtual xcc_status call(void (*function)(void *), void *data) = 0;
  /// Waits for all enqueued work, without reporting failures.
  virtual void drain() = 0;
  /// As drain(), but also returns when the device has been given up
  /// (Device::interrupt). Default: drain().
  virtual void drainInterruptibly() { drain(); }
  virtual bool idle() = 0;
  /// Takes the first failure since the last call; null if there is none.
  virtual xcc_error *takeError() = 0;
  /// As takeError(), for a copy that waits: only failures of the calling
  /// thread's work, or of the whole device. Default: all.
  virtual xcc_error *takeOwnError() { return takeError(); }
  /// How many kernels have failed in this queue. 0 for a device that is
  /// unusable after a failure, because nothing is copied from it any more.
  virtual uint64_t failures() const { return 0; }
  /// How many of these failures may have left the host's heap in the middle of
  /// an operation. Only for a device that waits for each mapped launch.
  virtual uint64_t heapFailures() const { return 0; }
  /// Hands over unreported failures, because the stream is destroyed.
  virtual void leaveErrors(PendingErrors &to);

  /// Takes the queue for a stream, because queues are reused. Returns false if
  /// a stream has it.
  bool claim() { return !inUse.exchange(true, std::memory_order_acquire); }
  /// Called when its stream is destroyed and has handed over its errors.
  void recycle();
  /// How many mapped launches it had. The mapping owns this and the next field,
  /// and guards both by its lock.
  uint64_t mappedLaunches = 0;
  /// May work in flight call functions of the host?
  bool mayCallHost = false;
  /// One of the device's priorities. Constant.
  int priority = 0;
  /// How many streams have used this queue before.
  uint32_t use() const { return use_.load(std::memory_order_relaxed); }
  /// Reports the pending failure to a thread that waits for a point of the
  /// queue. The point was recorded in \p pointsUse; failures of other streams
  /// do not count.
  xcc_status reportFrom(uint32_t pointsUse);

protected:
  ~Queue() = default;

private:
  std::atomic<bool> inUse{true};
  std::atomic<uint32_t> use_{0};
};

/// The limits of a launch. Constant for each device.
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
  uint32_t lanes; ///< threads that may share a port: 1, 32 or 64
  bool wakes;     ///< runs in this process, and can wake the server
  uint64_t heap;  ///< bytes for malloc in device code
  /// allocateAsync and releaseAsync do not wait for kernels of another queue.
  bool grows = true;
  bool sharesMemory = false; ///< device code runs in this process's memory
};

struct HostServices;
struct MappedMemory;

/// Shall launches be recorded (records/launch_recorder.h)?
extern constinit std::atomic<bool> launchesRecorded;
[[gnu::cold]] xcc_status launchRecorded(Device &on, Queue &queue,
                                        const LaunchRequest &request);

class Device {
public:
  virtual ~Device() = default;

  /// Failures of destroyed streams.
  PendingErrors orphans;
  /// Made by the first image that calls the host; see host_services.h.
  std::atomic<HostServices *> services{nullptr};

  const Limits &limits() const { return bounds; }
  const DeviceKind &kind() const { return *kind_; }
  /// The number in xcc_device_set_current.
  int ordinal() const { return ordinal_; }
  /// The name in XCC_DEVICE: "cuda:1", "host".
  const char *id() const { return id_; }
  /// Called once, before anything else uses the device.
  void identify(const DeviceKind &theKind, int indexOfKind, int theOrdinal);
  /// The same for a simulated device, named "sim:ARCH".
  void identifySimulated(const DeviceKind &theKind, const std::string &arch,
                         int theOrdinal);
  bool isSimulated() const { return simulated; }

  /// Fills in all but kind and id.
  virtual void properties(xcc_device_properties &out) = 0;
  /// Reads a number that may be unknown: \p value then stays 0.
  virtual xcc_status readNumber(xcc_device_number what, uint64_t &value) = 0;
  /// Bytes that could be allocated now, if they were contiguous.
  virtual xcc_status freeMemory(uint64_t &bytes) = 0;

  virtual xcc_status allocate(size_t bytes, void **out) = 0;
  /// Allocates memory at that address, for replays. It stays allocated until
  /// the process ends. Default: for simulated GPUs; others fail.
  virtual xcc_status allocateAt(uintptr_t address, size_t bytes);
  /// The best alignment of rows of a matrix: bytes, a power of two.
  virtual size_t rowAlignment() const { return 256; }
  /// Waits for the device's work, then frees memory from allocate().
  virtual xcc_status release(void *pointer) = 0;
  /// Runs a kernel of one thread as a function of the calling thread; a fault
  /// in it is a fault of the process. Returns false, without effect, if the
  /// device cannot.
  virtual bool runInCallingThread(const Kernel &kernel, const void *kernarg) {
    (void)kernel, (void)kernarg;
    return false;
  }
  /// Asks a running kernel to end, so that its launch fails with \p why, which
  /// must stay valid. Repeat the call until the kernel has ended. \p
  /// alsoWaiting: end it also in a system call. A device that cannot end a
  /// kernel is given up: no thread waits for it any more, and it is unusable.
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
  /// Page-locks host memory. unregisterHost() waits for the device first.
  /// Default: only checks that the memory is mapped.
  virtual xcc_status registerHost(void *pointer, size_t bytes);
  virtual xcc_status unregisterHost(void *pointer);
  /// The address at which the device sees such memory. Default: the host's.
  virtual xcc_status seenAt(void *pointer, void *&address) {
    address = pointer;
    return XCC_SUCCESS;
  }
  /// Can kernels access all host memory, at the host's addresses?
  bool sharesHostMemory() const { return sharesHost; }
  /// Can a kernel access the memory at that address although the runtime did
  /// not allocate it? For devices with memory of their own. Default: no.
  virtual bool reaches(const void *) { return false; }
  /// For tests: shall the host's copy of mapped memory be unusable while the
  /// kernel runs?
  virtual bool hidesOriginals() const { return false; }
  /// Do kernels allocate from the host's heap and free there?
  virtual bool usesHostHeap() const { return false; }
  /// Do copies from the device to ordinary host memory return at once, before
  /// the queue's work ends? Default: they wait.
  virtual bool copiesBackAsync() const { return false; }
  /// Do many small copies cost no more than one copy of all the bytes? Default:
  /// no; then the host should gather them first.
  virtual bool gathers() const { return false; }
  /// The copies of host memory on this device; made by the first mapping.
  std::atomic<MappedMemory *> mapped{nullptr};

  /// The bytes of freed memory that the pool keeps, and their limit. Default:
  /// there is no pool.
  virtual xcc_status poolState(uint64_t &kept, uint64_t &limit) {
    kept = limit = 0;
    return XCC_SUCCESS;
  }
  virtual xcc_status limitPool(uint64_t) { return XCC_SUCCESS; }
  virtual xcc_status trimPool(uint64_t) { return XCC_SUCCESS; }
  /// Allocates and frees in the order of a queue of this device. Default:
  /// allocates at once, and frees after a wait for the queue.
  virtual xcc_status allocateAsync(Queue &in, size_t bytes, void **out);
  virtual xcc_status releaseAsync(Queue &in, void *pointer);

  /// Rates an image: 0 if it cannot run here, else higher is better. For 0 it
  /// may set \p missing to what the device lacks, a static string or one in the
  /// image.
  virtual int suits(const OffloadImage &image, const char *&missing) = 0;
  /// The arch for code that is generated for this device only, as in
  /// --offload-arch=. Default: the arch of its properties.
  virtual std::string codeArch();
  /// What generated code depends on in addition to codeArch(). Default:
  /// nothing.
  virtual std::string codeMachine() { return ""; }
  virtual xcc_status loadImage(const OffloadImage &image,
                               xcc::rt::Image **out) = 0;
  virtual void unloadImage(Image *loaded) = 0;
  /// Finds the descriptor's kernel and checks that image and descriptor agree.
  virtual xcc_status findKernel(Image &in, const xcc_kernel_info &info,
                                const Kernel **out) = 0;

  /// Called when steps of a sequence that nothing else holds were changed.
  /// Default: drops what was prepared, so that it is prepared again.
  virtual void changed(Sequence &what, size_t first, size_t count);

  /// Finds the address of an image's variable, as the device sees it; null if
  /// the image has none of that name. Default: null.
  virtual xcc_status findVariable(Image &in, const char *name, void *&address);
  /// The largest stack that a thread may get if the kernel's use is not known;
  /// 0 if it cannot be set.
  virtual size_t mostStack() const { return 0; }
  static constexpr size_t LeastStack = 1024;
  /// The value of xcc_device_set_stack; 0 if it was not called.
  std::atomic<size_t> stackRequested{0};

  virtual CallShape callShape() { return {256, 32, false, 64 << 20}; }

  /// The block size that keeps the device busiest with \p dynamic bytes of
  /// dynamic shared memory. Default: 256, or the kernel's largest.
  virtual xcc_status suggestBlock(const Kernel &k, uint32_t dynamic,
                                  uint32_t &block);

  /// How many blocks can run at once. Default: one for each compute unit.
  virtual xcc_status cooperativeBlocks(const Kernel &k, uint32_t threads,
                                       uint32_t dynamic, uint64_t &blocks);
  /// Orders cooperative launches of all queues one after the other.
  std::mutex cooperativeMutex;
  Event *cooperativeEnd = nullptr;

  /// \p priority is one of the device's priorities.
  virtual xcc_status createQueue(Queue **out, int priority = 0) = 0;
  /// The range of priorities; lower numbers are more urgent. Default: only 0.
  virtual xcc_status priorities(int &least, int &greatest) {
    least = greatest = 0;
    return XCC_SUCCESS;
  }
  /// Waits for the queue's work, keeps unreported failures (orphans), and makes
  /// the queue free for another stream.
  void destroyQueue(Queue *q);
  /// The queue of null streams.
  virtual xcc_status defaultQueue(Queue **out) = 0;
  virtual xcc_status createEvent(Event **out) = 0;
  /// Waits for the work so far of all queues, without reporting failures.
  virtual void drain() = 0;
  /// Reports times of work that has ended to the profile, without waiting.
  /// Default: nothing, because times are reported when work ends.
  virtual void collectTimes() {}
  /// As drain(), while the process exits. Returns false if it gave up after a
  /// message, or cannot wait: then nothing of the device may be used or freed.
  /// \p unloading: the process continues without the runtime, so it must wait.
  /// \p only: wait for that queue; null for all.
  virtual bool finish(bool unloading, Queue *only) {
    (void)unloading;
    if (only)
      only->drain();
    else
      drain();
    return true;
  }
  /// For a thread that watches another's wait (unwritten_wait.h): may a launch
  /// of that queue, or of any if null, be running? \p progress changes when
  /// work of the device ends. Default: no, for devices that report their long
  /// waits themselves.
  virtual bool busy(const Queue *only, uint64_t &progress) {
    (void)only;
    progress = 0;
    return false;
  }
  /// Prints which launches run, followed by \p what. Returns false if that is
  /// not known.
  virtual bool reportUnfinished(const Queue *only, const char *what) {
    (void)only, (void)what;
    return false;
  }
  /// The first unreported failure of any queue; null if there is none. Another
  /// thread that waits for its stream gets the failure too.
  virtual xcc_error *takeError() = 0;
  /// The failure of the calling thread's work, or of the whole device.
  virtual xcc_error *takeOwnError() = 0;
  /// Called once while the process exits or the runtime is unloaded.
  virtual void shutDown() = 0;
  /// Called after shutDown() if the process continues without the runtime, as
  /// the last call: frees the memory that only the runtime could have used.
  virtual void discard() {}

  /// Launches a kernel for the program.
  xcc_status launch(Queue &queue, const LaunchRequest &request) {
    if (launchesRecorded.load(std::memory_order_relaxed)) [[unlikely]]
      return launchRecorded(*this, queue, request);
    return enqueue(queue, request);
  }
  /// Launches without recording, whether cooperative or not.
  xcc_status enqueue(Queue &queue, const LaunchRequest &request) {
    return request.cooperative ? launchCooperative(queue, request)
                               : queue.launch(request);
  }

protected:
  explicit Device(const Limits &l) : bounds(l) {}
  const Limits bounds;
  bool sharesHost = false; ///< constant once the device is identified

private:
  xcc_status launchCooperative(Queue &queue, const LaunchRequest &request);

  const DeviceKind *kind_ = nullptr;
  int ordinal_ = -1;
  char id_[32] = "";
  bool simulated = false;
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_DEVICE_H
