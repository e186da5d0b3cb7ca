// An NVIDIA GPU behind the device interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device is its primary context, which it shares with every other user of
// CUDA in the process; it is retained at the device's first use. A queue is a
// non-blocking stream. An image is a module, a kernel a function of one.
//
// When a kernel fails, CUDA gives up the whole context: every later call fails
// with the same code. The device then keeps one sentence about the launch that
// did it and says so again from every call.

#ifndef XCC_SRC_CUDA_GPU_H
#define XCC_SRC_CUDA_GPU_H

#include "common/recycling.h"
#include "cuda/driver/error.h"
#include "cuda/queue/launches.h"
#include "device.h"
#include "devices/device.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xcc::rt::cuda {

class CudaDevice;

struct CudaKernel : Kernel {
  Function code = nullptr;
  const char *traceName = "";
  /// Dynamic shared memory that a launch may have as things are, bytes. Grows
  /// to all there is when a launch needs more than the usual 48 KiB.
  mutable std::atomic<uint32_t> dynamic{0};

  /// Raises the limit for good.
  [[gnu::cold]] Result allowShared(CudaDevice &on) const;
};

class CudaImage final : public Image {
public:
  explicit CudaImage(CudaDevice &device) : on(device) {}
  ~CudaImage();
  CudaImage(const CudaImage &) = delete;

  xcc_status load(const OffloadImage &source);
  xcc_status find(const xcc_kernel_info &info, const Kernel **out);
  /// Null when the image has none of that name.
  xcc_status variable(const char *name, void *&out);

private:
  xcc_status describe(const xcc_kernel_info &info, const ErrorSite &site,
                      CudaKernel &k);

  CudaDevice &on;
  Module loaded = nullptr;
  std::string arch;
  std::string_view table; ///< the unit's
  std::vector<std::unique_ptr<CudaKernel>> kernels;
};

class CudaQueue final : public Queue {
public:
  CudaQueue(CudaDevice &device, Stream s) : on(device), work(s) {}

  xcc_status launch(const LaunchRequest &r) override;
  xcc_status copy(const Place &to, const Place &from, size_t size) override;
  xcc_status fill(const Place &to, int byte, size_t size) override;
  xcc_status record(Event &point) override;
  xcc_status wait(Event &point) override;
  void drain() override;
  bool idle() override;
  xcc_error *takeError() override;

  CudaDevice &on;
  const Stream work;
  CudaQueue *next = nullptr; ///< the device's list, for good
  LaunchRing launches;
  /// The queue's first failure that nobody was told of yet.
  std::atomic<xcc_error *> pending{nullptr};
  /// Keeps a failure, unless there is one.
  void keep(xcc_error *error);

private:
  Result start(const LaunchRequest &r);
  xcc_status launchAlone(const LaunchRequest &r);
  [[gnu::noinline]] xcc_status launchCalling(const LaunchRequest &r);
  void endUntold(uint32_t begun);
  [[gnu::cold]] xcc_status launchFailed(const LaunchRequest &r, Result why);
  [[gnu::cold]] xcc_status moreShared(const LaunchRequest &r);
  xcc_status fillHost(void *to, int byte, size_t size);
  xcc_status copyOverlapping(void *to, const void *from, size_t size);

  /// Kernels that may call the host and whose end the driver will not tell of:
  /// how many there were, and how many are known to have ended. Until then the
  /// host listens to them.
  std::atomic<uint32_t> untold{0}, untoldEnded{0};
};

class CudaEvent final : public Event {
public:
  CudaEvent(CudaDevice &device, EventHandle handle)
      : on(device), handle(handle) {}
  ~CudaEvent() override;
  bool recorded() override {
    return at.load(std::memory_order_acquire) != nullptr;
  }
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &from, double &milliseconds) override;

private:
  friend class CudaQueue;
  /// The point was reached: what was launched before it has ended.
  void passed();
  CudaDevice &on;
  const EventHandle handle;
  std::atomic<CudaQueue *> at{nullptr}; ///< where it was last recorded
  std::atomic<uint64_t> mark{0};        ///< of that queue's launches
  std::atomic<uint32_t> use{0};         ///< that queue's at that time
};

class CudaDevice final : public Device {
public:
  CudaDevice(DeviceNumber number, const Limits &l)
      : Device(l), number(number) {}
  /// Asks for the facts; null when the device can be used.
  static xcc_error *make(int index, CudaDevice *&out);

  void properties(xcc_device_properties &out) override;
  xcc_status allocate(size_t bytes, void **out) override;
  xcc_status release(void *pointer) override;
  xcc_status allocateHost(size_t bytes, void **out) override;
  xcc_status releaseHost(void *pointer) override;
  xcc_status seenAt(void *pointer, void *&out) override;
  xcc_status allocateAsync(Queue &in, size_t bytes, void **out) override;
  xcc_status releaseAsync(Queue &in, void *pointer) override;
  int suits(const OffloadImage &image, const char *&missing) override;
  xcc_status loadImage(const OffloadImage &source, Image **out) override;
  void unloadImage(Image *loaded) override;
  xcc_status findKernel(Image &in, const xcc_kernel_info &info,
                        const Kernel **out) override;
  xcc_status findVariable(Image &in, const char *name, void *&out) override {
    return static_cast<CudaImage &>(in).variable(name, out);
  }
  CallShape callShape() override;
  size_t mostStack() const override { return Settings[0].most; }
  xcc_status suggestBlock(const Kernel &k, uint32_t dynamic,
                          uint32_t &block) override;
  xcc_status createQueue(Queue **out) override;
  xcc_status defaultQueue(Queue **out) override;
  xcc_status createEvent(Event **out) override;
  void drain() override;
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override { return deadError(); }
  void shutDown() override;

  // For the other classes of this folder.

  /// Is the context the calling thread's, as far as we know? Cheap.
  bool isEntered() const {
    return entered == this && ctx.load(std::memory_order_relaxed);
  }
  /// Makes it so, retaining the context at the first call.
  xcc_status enter();
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  Context context() const { return ctx.load(std::memory_order_acquire); }
  /// Gives threads the stack of kernels whose use is not known.
  xcc_status enlargeStack(const xcc_kernel_info &kernel, const ErrorSite &site);
  /// Lets this device's streams reach the other's memory, if they can.
  void reachPeer(CudaDevice &other);

  /// Sorts launches for messages. Not one atomic step, which would cost every
  /// launch some nanoseconds: two threads may get the same number.
  uint64_t nextOrder() {
    uint64_t now = order.load(std::memory_order_relaxed);
    order.store(now + 1, std::memory_order_relaxed);
    return now;
  }

  /// The driver reported that running code failed: the caller's error about
  /// which launch it was. The first call decides; later ones repeat that the
  /// device is unusable.
  [[gnu::cold]] xcc_error *fault(Result r);
  /// The caller's error about what a wait found out.
  [[gnu::cold]] xcc_error *lateFailure(Result r);
  /// Why the device takes no more work, one count for the caller; else null.
  xcc_error *deadError();
  /// A call that is about no kernel failed. \p what: "the copy of 4 bytes".
  [[gnu::cold]] xcc_status failed(Result r, const char *what);
  ErrorSite site() const { return {nullptr, nullptr, 0, ordinal()}; }

  const DeviceNumber number;
  std::string name, arch;
  int major = 0, minor = 0;
  /// Shared memory of a block that has not asked for more, bytes.
  uint32_t usualShared = 48 * 1024;

private:
  xcc_status makeQueue(CudaQueue *&out);
  xcc_status retain();
  bool usePool();
  /// The pool that allocations in stream order come from; null without one.
  MemoryPool pool() const;
  /// Takes back what the pool keeps; false when it is not in use.
  [[gnu::cold]] bool trimPool();
  xcc_status freed(Result r, const char *what);
  void describe(std::string &out, const PastLaunch &p) const;

  /// The device whose context this runtime last made the thread's.
  static thread_local constinit const CudaDevice *entered;

  uint64_t totalMemory = 0;
  uint32_t multiprocessors = 0, warp = 32;
  bool hasPools = false;
  std::atomic<Context> ctx{nullptr};
  std::atomic<uint64_t> order{0};
  std::atomic<bool> ended_{false};
  std::atomic<xcc_error *> dead{nullptr};
  std::mutex mutex; ///< first use, the list of queues, peers, death
  std::atomic<CudaQueue *> queues{nullptr};
  std::atomic<CudaQueue *> Default{nullptr};
  std::vector<CudaDevice *> peers;
  int poolState = 0; ///< 0 not looked at, 1 usable, 2 not
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_GPU_H
