// AMD GPUs as devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa_device.h"
#include "../process/log.h"
#include "faults.h"
#include "image.h"
#include "queue.h"
#include "target.h"

#include <algorithm>
#include <new>

namespace xcc::rt::hsa {

namespace {

class HsaDevice final : public Device {
public:
  HsaDevice(const Machine &World, size_t Number)
      : Device(limitsOf(World.Gpus[Number])), G(World, Number, *this) {
    TargetId::parse(G.Facts.Target, Target);
  }
  Gpu &gpu() { return G; }

  void properties(xcc_device_properties &Out) override;
  xcc_status allocate(size_t Bytes, void **Out) override;
  xcc_status release(void *Pointer) override;
  xcc_status allocateHost(size_t Bytes, void **Out) override;
  xcc_status releaseHost(void *Pointer) override;
  xcc_status releaseAsync(Queue &In, void *Pointer) override;
  int suits(const OffloadImage &Image, const char *&Missing) override;
  xcc_status loadImage(const OffloadImage &Source, Image **Out) override;
  void unloadImage(Image *Loaded) override {
    delete static_cast<HsaImage *>(Loaded);
  }
  xcc_status findKernel(Image &In, const xcc_kernel_info &Info,
                        const Kernel **Out) override {
    return static_cast<HsaImage &>(In).find(Info, Out);
  }
  xcc_status findVariable(Image &In, const char *Name, void *&Out) override {
    return static_cast<HsaImage &>(In).variable(Name, Out);
  }
  CallShape callShape() override {
    // 16 calls at a time for each compute unit. Processors with wavefronts of
    // 32 run those of 64 as well, if an image was compiled for that.
    return {std::clamp(16 * G.Facts.ComputeUnits, 64u, 4096u), 64, false,
            64 << 20};
  }
  size_t mostStack() const override { return Settings[0].Most; }
  xcc_status suggestBlock(const Kernel &K, uint32_t Dynamic,
                          uint32_t &Block) override {
    Block = bestBlock(G.Facts, static_cast<const HsaKernel &>(K), Dynamic);
    return XCC_SUCCESS;
  }
  xcc_status createQueue(Queue **Out) override;
  xcc_status defaultQueue(Queue **Out) override;
  xcc_status createEvent(Event **Out) override;
  void drain() override;
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override {
    return G.dead() ? G.takeFault() : nullptr;
  }
  void shutDown() override;

private:
  static Limits limitsOf(const GpuFacts &F);
  /// Frees what allocate() and allocateHost() gave, at once.
  xcc_status giveBack(void *Pointer);

  Gpu G;
  TargetId Target;
  std::mutex QueueMutex;
  std::atomic<HsaQueue *> Default{nullptr};
};

} // namespace

Limits HsaDevice::limitsOf(const GpuFacts &F) {
  constexpr uint64_t MaxThreads = 0x7fffffff; // positions are ints
  Limits L{};
  L.MaxBlock = F.MaxBlock;
  L.GridThreads = MaxThreads;
  for (int I = 0; I != 3; ++I) {
    L.BlockDim[I] = std::min<uint32_t>(F.MaxBlockDim[I], F.MaxBlock);
    // Newer runtimes allow fewer in y and z than in x.
    L.GridBlocks[I] = std::min<uint64_t>(F.MaxGridDim[I], MaxThreads);
  }
  L.Shared = F.Lds;
  return L;
}

void HsaDevice::properties(xcc_device_properties &P) {
  P = {};
  P.name = G.Facts.Name.c_str();
  P.arch = G.Facts.Target.c_str();
  P.total_memory = G.Facts.TotalMemory;
  P.shared_memory = Bounds.Shared;
  P.compute_units = G.Facts.ComputeUnits;
  P.warp_size = G.Facts.Wave;
  P.max_block = Bounds.MaxBlock;
  for (int I = 0; I != 3; ++I) {
    P.max_block_dim[I] = Bounds.BlockDim[I];
    P.max_grid_dim[I] = Bounds.GridBlocks[I];
  }
}

int HsaDevice::suits(const OffloadImage &Image, const char *&Missing) {
  TargetId Id;
  if (!std::string_view(Image.Triple).starts_with("amdgcn-") ||
      !TargetId::parse(Image.Arch, Id))
    return 0;
  return rank(Id, Target, Missing);
}

xcc_status HsaDevice::loadImage(const OffloadImage &Source, Image **Out) {
  HsaImage *Loaded = nullptr;
  XCC_TRY(HsaImage::load(G, Source, &Loaded));
  *Out = Loaded;
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

xcc_status HsaDevice::allocate(size_t Bytes, void **Out) {
  *Out = nullptr;
  if (G.dead())
    return G.unusable();
  Status S = Hsa.amd_memory_pool_allocate(G.Facts.Memory, Bytes, 0, Out);
  if (S != StatusSuccess)
    return fail(XCC_ERROR_OUT_OF_MEMORY, G.site(),
                "out of memory: cannot allocate %zu bytes on device %d (%s): "
                "%s",
                Bytes, ordinal(), id(), statusText(S));
  if (rememberPlace(*Out, Bytes, Place::Device, G))
    return XCC_SUCCESS;
  Hsa.amd_memory_pool_free(*Out);
  *Out = nullptr;
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory");
}

xcc_status HsaDevice::allocateHost(size_t Bytes, void **Out) {
  *Out = nullptr;
  if (G.dead())
    return G.unusable();
  XCC_TRY(G.allocateHost(G.World.Fine, Bytes, Out));
  if (rememberPlace(*Out, Bytes, Place::Pinned, G))
    return XCC_SUCCESS;
  Hsa.amd_memory_pool_free(*Out);
  *Out = nullptr;
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory");
}

xcc_status HsaDevice::giveBack(void *Pointer) {
  forgetPlace(Pointer);
  Status S = Hsa.amd_memory_pool_free(Pointer);
  return S == StatusSuccess ? XCC_SUCCESS
                            : G.failed("hsa_amd_memory_pool_free", S);
}

xcc_status HsaDevice::release(void *Pointer) {
  drain();
  return giveBack(Pointer);
}

xcc_status HsaDevice::releaseHost(void *Pointer) {
  drain();
  return giveBack(Pointer);
}

/// Other queues are not waited for: a kernel there may wait for this very call,
/// when its memory is given back by the host.
xcc_status HsaDevice::releaseAsync(Queue &In, void *Pointer) {
  In.drain();
  return giveBack(Pointer);
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

xcc_status HsaDevice::createQueue(Queue **Out) {
  if (G.dead())
    return G.unusable();
  HsaQueue *Q = takeUnused(G.Queues.load(std::memory_order_acquire));
  if (!Q)
    XCC_TRY(HsaQueue::make(G, Q));
  *Out = Q;
  return XCC_SUCCESS;
}

xcc_status HsaDevice::defaultQueue(Queue **Out) {
  HsaQueue *Q = Default.load(std::memory_order_acquire);
  if (!Q) [[unlikely]] {
    if (G.dead())
      return G.unusable();
    std::lock_guard Lock(QueueMutex);
    Q = Default.load(std::memory_order_relaxed);
    if (!Q)
      XCC_TRY(HsaQueue::make(G, Q));
    Default.store(Q, std::memory_order_release);
  }
  *Out = Q;
  return XCC_SUCCESS;
}

xcc_status HsaDevice::createEvent(Event **Out) {
  *Out = new (std::nothrow) HsaEvent(G);
  return *Out ? XCC_SUCCESS
              : fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

void HsaDevice::drain() {
  for (HsaQueue *Q = G.Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
    Q->drain();
}

xcc_error *HsaDevice::takeError() {
  for (HsaQueue *Q = G.Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
    if (xcc_error *Why = Q->takeError())
      return Why;
  return G.dead() ? G.takeFault() : nullptr;
}

void HsaDevice::shutDown() {
  G.Stopped.store(true, std::memory_order_relaxed);
  uint64_t Now;
  // The library may have ended before us; then nothing runs any more.
  if (Hsa.system_get_info(SystemTimestamp, &Now) == StatusSuccess)
    drain();
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

xcc_error *findDevices(std::vector<Device *> &Out) {
  if (xcc_error *Why = loadDriver())
    return Why;
  // Never freed: threads may use the devices until the process ends.
  static Machine &World = *new Machine;
  if (xcc_error *Why = exploreMachine(World)) {
    Hsa.shut_down();
    return Why;
  }
  for (size_t I = 0; I != World.Gpus.size(); ++I) {
    auto *D = new HsaDevice(World, I);
    allGpus().push_back(&D->gpu());
    Out.push_back(D);
    XCC_LOG(Device, "found %s (%s), %u compute units",
            World.Gpus[I].Name.c_str(), World.Gpus[I].Target.c_str(),
            World.Gpus[I].ComputeUnits);
  }
  if (!World.Gpus.empty())
    installFaultHandler();
  return nullptr;
}

} // namespace xcc::rt::hsa
