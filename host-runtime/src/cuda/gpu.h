// An NVIDIA GPU behind the device interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device is the GPU's primary context, which it shares with every other user
// of CUDA in the process. The context is retained at the device's first use.
//
// When a kernel fails, CUDA gives up the whole context: every later call fails
// with the same code. The device then keeps one error that names the launch,
// and every call returns that error.

#ifndef XCC_SRC_CUDA_GPU_H
#define XCC_SRC_CUDA_GPU_H

#include "common/queues.h"
#include "cuda/driver/error.h"
#include "device.h"
#include "devices/device.h"

#include <mutex>
#include <string>
#include <vector>

namespace xcc::rt::cuda {

class CudaQueue;

class CudaDevice final : public Device {
public:
  CudaDevice(DeviceNumber number, const Limits &l)
      : Device(l), number(number) {}
  /// Reads the device's attributes. Returns null if the device can be used.
  static xcc_error *make(int index, CudaDevice *&out);

  void properties(xcc_device_properties &out) override;
  xcc_status readNumber(xcc_device_number what, uint64_t &value) override;
  xcc_status freeMemory(uint64_t &bytes) override;
  xcc_status allocate(size_t bytes, void **out) override;
  xcc_status release(void *pointer) override;
  xcc_status allocateHost(size_t bytes, void **out) override;
  xcc_status releaseHost(void *pointer) override;
  xcc_status allocateManaged(size_t bytes, void **out) override;
  xcc_status registerHost(void *pointer, size_t bytes) override;
  xcc_status unregisterHost(void *pointer) override;
  xcc_status poolState(uint64_t &kept, uint64_t &limit) override;
  xcc_status limitPool(uint64_t bytes) override;
  xcc_status trimPool(uint64_t keep) override;
  xcc_status priorities(int &least, int &greatest) override;
  xcc_status seenAt(void *pointer, void *&out) override;
  bool reaches(const void *pointer) override;
  xcc_status allocateAsync(Queue &in, size_t bytes, void **out) override;
  xcc_status releaseAsync(Queue &in, void *pointer) override;
  int suits(const OffloadImage &image, const char *&missing) override;
  /// The driver compiles the PTX.
  std::string codeMachine() override {
    return "driver " + std::to_string(theDriver.version);
  }
  xcc_status loadImage(const OffloadImage &source, Image **out) override;
  void unloadImage(Image *loaded) override;
  xcc_status findKernel(Image &in, const xcc_kernel_info &info,
                        const Kernel **out) override;
  xcc_status findVariable(Image &in, const char *name, void *&out) override;
  CallShape callShape() override;
  size_t mostStack() const override { return Settings[0].most; }
  xcc_status cooperativeBlocks(const Kernel &k, uint32_t threads,
                               uint32_t dynamic, uint64_t &blocks) override;
  xcc_status suggestBlock(const Kernel &k, uint32_t dynamic,
                          uint32_t &block) override;
  xcc_status createQueue(Queue **out, int priority) override;
  xcc_status defaultQueue(Queue **out) override;
  xcc_status createEvent(Event **out) override;
  void drain() override;
  bool finish(bool unloading, Queue *only) override;
  bool busy(const Queue *only, uint64_t &progress) override;
  bool reportUnfinished(const Queue *only, const char *what) override;
  void interrupt(const Kernel &running, const char *why,
                 bool alsoWaiting) override;
  void collectTimes() override;
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override { return unusableError(); }
  void shutDown() override;

  // For the other classes of this folder.

  /// The number of threads from which the GPU is so full that one thread may
  /// handle several indices.
  uint64_t manyThreads() const { return many; }
  /// Is the context current in the calling thread, as far as we know? Cheap.
  bool isEntered() const {
    return entered == this && ctx.load(std::memory_order_relaxed) &&
           !givenUp.load(std::memory_order_relaxed);
  }
  /// Makes the context current; retains it at the first call.
  xcc_status enter();
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  Context context() const { return ctx.load(std::memory_order_acquire); }
  /// Gives threads enough stack for a kernel whose use is not known.
  xcc_status enlargeStack(const xcc_kernel_info &kernel, const ErrorSite &site);
  /// Gives this device's streams access to the other's memory, if possible.
  void reachPeer(CudaDevice &other);

  /// A number that sorts launches for messages. Two threads may get the same
  /// number: an atomic increment would cost every launch some nanoseconds.
  uint64_t nextOrder() {
    uint64_t now = order.load(std::memory_order_relaxed);
    order.store(now + 1, std::memory_order_relaxed);
    return now;
  }

  /// Handles a failure of running code. The first call finds out which launch
  /// it was; later ones only say that the device is unusable. The caller owns
  /// the error.
  [[gnu::cold]] xcc_error *fault(Result r);
  /// The error for a failure that a wait found. The caller owns it.
  [[gnu::cold]] xcc_error *lateFailure(Result r);
  /// Why the device takes no more work, or null. The caller owns it.
  xcc_error *unusableError();
  /// Reports the failure of a call that no kernel caused. \p what: "the copy of
  /// 4 bytes".
  [[gnu::cold]] xcc_status failed(Result r, const char *what);
  ErrorSite site() const { return {nullptr, nullptr, 0, ordinal()}; }

  const DeviceNumber number;
  std::string name, arch;
  int major = 0, minor = 0;
  /// The most shared memory of a block without a special request.
  uint32_t usualShared = 48 * 1024;

private:
  xcc_status makeQueue(CudaQueue *&out, int priority);
  xcc_status retain();
  bool usePool();
  /// The pool of allocations in stream order; null without one.
  MemoryPool pool() const;
  /// Frees the memory that the pool keeps. Returns false if it is not in use.
  [[gnu::cold]] bool trimPool();
  xcc_status freed(Result r, const char *what);

  /// The device whose context the runtime last made current in this thread.
  static thread_local constinit const CudaDevice *entered;

  uint64_t totalMemory = 0;
  uint32_t multiprocessors = 0, warp = 32;
  uint64_t many = 0;
  bool hasPools = false, hasManaged = false;
  std::atomic<Context> ctx{nullptr};
  std::atomic<uint64_t> order{0};
  std::atomic<bool> ended_{false};
  std::atomic<xcc_error *> unusable{nullptr};
  /// A kernel runs that does not end, so waiting for it would not end either.
  std::atomic<bool> givenUp{false};
  std::mutex mutex; ///< for the first use, peers, and the first fault
  QueueList<CudaQueue> queues;
  std::vector<CudaDevice *> peers;
  int poolUse = 0; ///< 0 not checked, 1 usable, 2 not usable
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_GPU_H
