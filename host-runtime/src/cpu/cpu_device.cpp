// The CPU as a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu_device.h"
#include "../process/log.h"
#include "../process/thread_state.h"
#include "features.h"
#include "loader.h"
#include "memory.h"
#include "queue.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sched.h>
#include <unistd.h>

namespace xcc::rt::cpu {

static constexpr uint64_t MaxIndex = 0x7fffffffu;
static constexpr Limits HostLimits = {
    {XCC_CPU_MAX_BLOCK, XCC_CPU_MAX_BLOCK, 64},
    XCC_CPU_MAX_BLOCK,
    {MaxIndex, MaxIndex, MaxIndex},
    MaxIndex,
    XCC_CPU_MAX_SHARED};
static Device *TheDevice;

Device &device() { return *TheDevice; }

int ordinal() { return TheDevice ? TheDevice->ordinal() : -1; }

namespace {

class CpuDevice final : public Device {
public:
  CpuDevice(unsigned Threads, unsigned Patience)
      : Device(HostLimits), Workers(Threads), Cores(Threads),
        Patience(Patience) {}

  void properties(xcc_device_properties &Out) override;
  xcc_status allocate(size_t Bytes, void **Out) override {
    return cpu::allocate(Bytes, Out);
  }
  xcc_status release(void *Pointer) override;
  xcc_status releaseAsync(Queue &In, void *Pointer) override {
    return static_cast<CpuQueue &>(In).release(Pointer);
  }
  int suits(const OffloadImage &Image, const char *&Missing) override;
  xcc_status loadImage(const OffloadImage &Source, Image **Out) override;
  void unloadImage(Image *Loaded) override {
    delete static_cast<CpuImage *>(Loaded);
  }
  xcc_status findKernel(Image &In, const xcc_kernel_info &Info,
                        const Kernel **Out) override {
    return static_cast<CpuImage &>(In).find(Info, Out);
  }
  xcc_status findVariable(Image &In, const char *Name,
                          void *&Address) override {
    Address = static_cast<CpuImage &>(In).variable(Name);
    return XCC_SUCCESS;
  }
  CallShape callShape() override {
    // A worker's call waits, and with it the worker.
    return {.Ports = Cores < 16     ? 32
                     : Cores > 2048 ? 4096
                                    : 2 * Cores,
            .Lanes = 1,
            .Wakes = true,
            .Heap = 0,
            .SharesMemory = true};
  }
  xcc_status createQueue(Queue **Out) override;
  xcc_status defaultQueue(Queue **Out) override;
  xcc_status createEvent(Event **Out) override;
  void drain() override;
  bool finish(bool Unloading) override;
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override;
  void shutDown() override;

private:
  Pool Workers;
  unsigned Cores;
  /// Seconds that the process's end waits without a block having ended.
  unsigned Patience;
  std::mutex QueueMutex;
  std::atomic<CpuQueue *> Default{nullptr};
};

} // namespace

void CpuDevice::properties(xcc_device_properties &P) {
  P.name = cpuName();
  P.arch = levelName(cpuLevel());
  P.total_memory = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  P.shared_memory = XCC_CPU_MAX_SHARED;
  P.compute_units = Cores;
  P.warp_size = XCC_CPU_WARP_SIZE;
  P.max_block = XCC_CPU_MAX_BLOCK;
  P.max_block_dim[0] = P.max_block_dim[1] = XCC_CPU_MAX_BLOCK;
  P.max_block_dim[2] = 64;
  for (uint64_t &Limit : P.max_grid_dim)
    Limit = MaxIndex; // AQL has 32 bits, kernels hold an index in an int
}

int CpuDevice::suits(const OffloadImage &Image, const char *&Missing) {
  std::string_view Triple = Image.Triple, Arch = Image.Arch;
  if (!Triple.starts_with("x86_64-"))
    return 0;
  if (int Level = levelOf(Arch)) {
    if (Level <= cpuLevel())
      return Level;
    Missing = Image.Arch;
    return 0;
  }
  if (!Arch.starts_with("native"))
    return 0;
  // Compiled for one CPU: the best there is on it, useless on a lesser one.
  std::string_view Lacking = missingFeature(Image.Features);
  if (Lacking.empty())
    return 100;
  Missing = Lacking.data(); // within the image's list; names the first
  return 0;
}

xcc_status CpuDevice::loadImage(const OffloadImage &Source, Image **Out) {
  CpuImage *Loaded = nullptr;
  XCC_TRY(CpuImage::load(Source, &Loaded));
  *Out = Loaded;
  return XCC_SUCCESS;
}

xcc_status CpuDevice::release(void *Pointer) {
  drain();
  free(Pointer);
  return XCC_SUCCESS;
}

xcc_status CpuDevice::createQueue(Queue **Out) {
  CpuQueue *Q = takeUnused(Workers.queues());
  if (!Q && !(Q = CpuQueue::make(Workers)))
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
  *Out = Q;
  return XCC_SUCCESS;
}

xcc_status CpuDevice::defaultQueue(Queue **Out) {
  CpuQueue *Q = Default.load(std::memory_order_acquire);
  if (!Q) [[unlikely]] {
    std::lock_guard Lock(QueueMutex);
    Q = Default.load(std::memory_order_relaxed);
    if (!Q && !(Q = CpuQueue::make(Workers)))
      return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
    Default.store(Q, std::memory_order_release);
  }
  *Out = Q;
  return XCC_SUCCESS;
}

xcc_status CpuDevice::createEvent(Event **Out) {
  *Out = new (std::nothrow) CpuEvent;
  return *Out ? XCC_SUCCESS
              : fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

void CpuDevice::drain() {
  for (CpuQueue *Q = Workers.queues(); Q; Q = Q->Next)
    Q->drain();
}

bool CpuDevice::finish(bool Unloading) {
  // The kernel on this thread asked for the end, through some library.
  if (Worker *W = peekThreadState().Worker; W && W->inKernel())
    return false;
  bool Idle = true;
  for (CpuQueue *Q = Workers.queues(); Q; Q = Q->Next)
    Idle &= Q->idle();
  if (Idle)
    return true;
  // A kernel that does not end must not have this thread.
  Workers.addStandIn();
  for (CpuQueue *Q = Workers.queues(); Q; Q = Q->Next)
    if (!Q->watch(uint64_t(Patience) * 1'000'000'000)) {
      const char *Why = Unloading ? "its code is not unloaded before it ends"
                                  : "the process ends without it; "
                                    "XCC_EXIT_WAIT is how long it waits";
      if (!Worker::tellRunning(Why))
        complain("a kernel that was launched has not run yet; %s", Why);
      if (!Unloading)
        return false;
      Q->watch(~uint64_t(0));
    }
  return true;
}

xcc_error *CpuDevice::takeError() {
  for (CpuQueue *Q = Workers.queues(); Q; Q = Q->Next)
    if (xcc_error *Error = Q->hearError())
      return Error;
  return nullptr;
}

xcc_error *CpuDevice::takeOwnError() {
  for (CpuQueue *Q = Workers.queues(); Q; Q = Q->Next)
    if (xcc_error *Error = Q->takeOwnError())
      return Error;
  return nullptr;
}

void CpuDevice::shutDown() {
  drain();
  Workers.stop();
}

/// The cores this process may use.
static unsigned coreCount() {
  cpu_set_t Set;
  int Cores = sched_getaffinity(0, sizeof(Set), &Set) == 0
                  ? CPU_COUNT(&Set)
                  : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return Cores < 1 ? 1 : unsigned(Cores);
}

xcc_error *findDevices(std::vector<Device *> &Out) {
  uint64_t Threads, Patience;
  // With what is wrong there is no launch (checkSettings).
  (void)readSetting(ThreadsSetting, coreCount(), Threads);
  (void)readSetting(ExitWaitSetting, 10, Patience);
  Out.reserve(Out.size() + 1);
  TheDevice = new CpuDevice(unsigned(Threads), unsigned(Patience));
  Out.push_back(TheDevice);
  return nullptr;
}

} // namespace xcc::rt::cpu
