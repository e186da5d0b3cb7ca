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

#include "../device.h"
#include "../recycling.h"
#include "cuda_device.h"
#include "cuda_error.h"
#include "launches.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xcc::rt::cuda {

class CudaDevice;

struct CudaKernel : Kernel {
  Function Code = nullptr;
  const char *TraceName = "";
  /// Dynamic shared memory that a launch may have as things are, bytes. Grows
  /// to all there is when a launch needs more than the usual 48 KiB.
  mutable std::atomic<uint32_t> Dynamic{0};

  /// Raises the limit for good.
  [[gnu::cold]] Result allowShared(CudaDevice &On) const;
};

class CudaImage final : public Image {
public:
  explicit CudaImage(CudaDevice &Device) : On(Device) {}
  ~CudaImage();
  CudaImage(const CudaImage &) = delete;

  xcc_status load(const OffloadImage &Source);
  xcc_status find(const xcc_kernel_info &Info, const Kernel **Out);
  /// Null when the image has none of that name.
  xcc_status variable(const char *Name, void *&Out);

private:
  xcc_status describe(const xcc_kernel_info &Info, const ErrorSite &Site,
                      CudaKernel &K);

  CudaDevice &On;
  Module Loaded = nullptr;
  std::string Arch;
  std::string_view Table; ///< the unit's
  std::vector<std::unique_ptr<CudaKernel>> Kernels;
};

class CudaQueue final : public Queue {
public:
  CudaQueue(CudaDevice &Device, Stream S) : On(Device), Work(S) {}

  xcc_status launch(const LaunchRequest &R) override;
  xcc_status copy(void *To, const void *From, size_t Size) override;
  xcc_status fill(void *To, int Byte, size_t Size) override;
  xcc_status record(Event &Point) override;
  xcc_status wait(Event &Point) override;
  void drain() override;
  bool idle() override;
  xcc_error *takeError() override;

  CudaDevice &On;
  const Stream Work;
  CudaQueue *Next = nullptr; ///< the device's list, for good
  LaunchRing Launches;
  /// The queue's first failure that nobody was told of yet.
  std::atomic<xcc_error *> Pending{nullptr};
  /// Keeps a failure, unless there is one.
  void keep(xcc_error *Error);

private:
  Result start(const LaunchRequest &R);
  xcc_status launchAlone(const LaunchRequest &R);
  [[gnu::noinline]] xcc_status launchCalling(const LaunchRequest &R);
  void endUntold(uint32_t Begun);
  [[gnu::cold]] xcc_status launchFailed(const LaunchRequest &R, Result Why);
  [[gnu::cold]] xcc_status moreShared(const LaunchRequest &R);
  xcc_status fillHost(void *To, int Byte, size_t Size);
  xcc_status copyOverlapping(void *To, const void *From, size_t Size);

  /// Kernels that may call the host and whose end the driver will not tell of:
  /// how many there were, and how many are known to have ended. Until then the
  /// host listens to them.
  std::atomic<uint32_t> Untold{0}, UntoldEnded{0};
};

class CudaEvent final : public Event {
public:
  CudaEvent(CudaDevice &Device, EventHandle Handle)
      : On(Device), Handle(Handle) {}
  ~CudaEvent() override;
  bool recorded() override {
    return At.load(std::memory_order_acquire) != nullptr;
  }
  bool reached() override;
  xcc_status synchronize() override;
  xcc_status elapsed(Event &From, double &Milliseconds) override;

private:
  friend class CudaQueue;
  /// The point was reached: what was launched before it has ended.
  void passed();
  CudaDevice &On;
  const EventHandle Handle;
  std::atomic<CudaQueue *> At{nullptr}; ///< where it was last recorded
  std::atomic<uint64_t> Mark{0};        ///< of that queue's launches
  std::atomic<uint32_t> Use{0};         ///< that queue's at that time
};

class CudaDevice final : public Device {
public:
  CudaDevice(DeviceNumber Number, const Limits &L)
      : Device(L), Number(Number) {}
  /// Asks for the facts; null when the device can be used.
  static xcc_error *make(int Index, CudaDevice *&Out);

  void properties(xcc_device_properties &Out) override;
  xcc_status allocate(size_t Bytes, void **Out) override;
  xcc_status release(void *Pointer) override;
  xcc_status allocateHost(size_t Bytes, void **Out) override;
  xcc_status releaseHost(void *Pointer) override;
  xcc_status seenAt(void *Pointer, void *&Out) override;
  xcc_status allocateAsync(Queue &In, size_t Bytes, void **Out) override;
  xcc_status releaseAsync(Queue &In, void *Pointer) override;
  int suits(const OffloadImage &Image, const char *&Missing) override;
  xcc_status loadImage(const OffloadImage &Source, Image **Out) override;
  void unloadImage(Image *Loaded) override;
  xcc_status findKernel(Image &In, const xcc_kernel_info &Info,
                        const Kernel **Out) override;
  xcc_status findVariable(Image &In, const char *Name, void *&Out) override {
    return static_cast<CudaImage &>(In).variable(Name, Out);
  }
  CallShape callShape() override;
  size_t mostStack() const override { return Settings[0].Most; }
  xcc_status suggestBlock(const Kernel &K, uint32_t Dynamic,
                          uint32_t &Block) override;
  xcc_status createQueue(Queue **Out) override;
  xcc_status defaultQueue(Queue **Out) override;
  xcc_status createEvent(Event **Out) override;
  void drain() override;
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override { return deadError(); }
  void shutDown() override;

  // For the other classes of this folder.

  /// Is the context the calling thread's, as far as we know? Cheap.
  bool isEntered() const {
    return Entered == this && Ctx.load(std::memory_order_relaxed);
  }
  /// Makes it so, retaining the context at the first call.
  xcc_status enter();
  bool ended() const { return Ended.load(std::memory_order_acquire); }
  Context context() const { return Ctx.load(std::memory_order_acquire); }
  /// Gives threads the stack of kernels whose use is not known.
  xcc_status enlargeStack(const xcc_kernel_info &Kernel, const ErrorSite &Site);
  /// Lets this device's streams reach the other's memory, if they can.
  void reachPeer(CudaDevice &Other);

  /// Sorts launches for messages. Not one atomic step, which would cost every
  /// launch some nanoseconds: two threads may get the same number.
  uint64_t nextOrder() {
    uint64_t Now = Order.load(std::memory_order_relaxed);
    Order.store(Now + 1, std::memory_order_relaxed);
    return Now;
  }

  /// The driver reported that running code failed: the caller's error about
  /// which launch it was. The first call decides; later ones repeat that the
  /// device is unusable.
  [[gnu::cold]] xcc_error *fault(Result R);
  /// The caller's error about what a wait found out.
  [[gnu::cold]] xcc_error *lateFailure(Result R);
  /// Why the device takes no more work, one count for the caller; else null.
  xcc_error *deadError();
  /// A call that is about no kernel failed. \p What: "the copy of 4 bytes".
  [[gnu::cold]] xcc_status failed(Result R, const char *What);
  ErrorSite site() const { return {nullptr, nullptr, 0, ordinal()}; }

  const DeviceNumber Number;
  std::string Name, Arch;
  int Major = 0, Minor = 0;
  /// Shared memory of a block that has not asked for more, bytes.
  uint32_t UsualShared = 48 * 1024;

private:
  xcc_status makeQueue(CudaQueue *&Out);
  xcc_status retain();
  bool usePool();
  /// The pool that allocations in stream order come from; null without one.
  MemoryPool pool() const;
  /// Takes back what the pool keeps; false when it is not in use.
  [[gnu::cold]] bool trimPool();
  xcc_status freed(Result R, const char *What);
  void describe(std::string &Out, const PastLaunch &P) const;

  /// The device whose context this runtime last made the thread's.
  static thread_local constinit const CudaDevice *Entered;

  uint64_t TotalMemory = 0;
  uint32_t Multiprocessors = 0, Warp = 32;
  bool HasPools = false;
  std::atomic<Context> Ctx{nullptr};
  std::atomic<uint64_t> Order{0};
  std::atomic<bool> Ended{false};
  std::atomic<xcc_error *> Dead{nullptr};
  std::mutex Mutex; ///< first use, the list of queues, peers, death
  std::atomic<CudaQueue *> Queues{nullptr};
  std::atomic<CudaQueue *> Default{nullptr};
  std::vector<CudaDevice *> Peers;
  int PoolState = 0; ///< 0 not looked at, 1 usable, 2 not
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_GPU_H
