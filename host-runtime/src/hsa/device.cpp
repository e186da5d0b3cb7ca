// AMD GPUs as devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include "common/exit_wait.h"
#include "common/faults.h"
#include "common/stacks.h"
#include "faults.h"
#include "hsa/image/image.h"
#include "hsa/image/target.h"
#include "hsa/queue/queue.h"
#include "memory.h"
#include "process/log.h"

#include <algorithm>
#include <new>
#include <utility>

namespace xcc::rt::hsa {

namespace {

class HsaDevice final : public Device {
public:
  HsaDevice(const Machine &world, size_t number)
      : Device(limitsOf(world.gpus[number])), g(world, number, *this) {
    TargetId::parse(g.facts.target, target);
    sharesHost = world.reachHost;
  }
  Gpu &gpu() { return g; }

  void properties(xcc_device_properties &out) override;
  xcc_status readNumber(xcc_device_number what, uint64_t &value) override;
  xcc_status freeMemory(uint64_t &bytes) override;
  xcc_status allocate(size_t bytes, void **out) override;
  xcc_status release(void *pointer) override;
  xcc_status allocateHost(size_t bytes, void **out) override;
  xcc_status releaseHost(void *pointer) override;
  /// Allocates host memory, because GPUs without page faults have no other.
  xcc_status allocateManaged(size_t bytes, void **out) override {
    return allocateHost(bytes, out);
  }
  xcc_status registerHost(void *pointer, size_t bytes) override;
  xcc_status unregisterHost(void *pointer) override;
  xcc_status priorities(int &least, int &greatest) override {
    least = hsa.amd_queue_set_priority ? 1 : 0;
    greatest = -least;
    return XCC_SUCCESS;
  }
  xcc_status releaseAsync(Queue &in, void *pointer) override;
  void interrupt(const Kernel &running, const char *why, bool) override {
    if (!g.hasFailed())
      g.setFault(describeEndless(*this, running, why));
  }
  void changed(Sequence &what, size_t first, size_t count) override {
    if (auto *s = static_cast<HsaSequence *>(what.prepared.get()))
      if (!s->change(what, first, count))
        what.prepared.reset();
  }
  int suits(const OffloadImage &image, const char *&missing) override;
  /// The version of the loader that takes the code object.
  std::string codeMachine() override {
    uint16_t major = 0, minor = 0;
    if (hsa.system_get_info(SystemVersionMajor, &major) != StatusSuccess ||
        hsa.system_get_info(SystemVersionMinor, &minor) != StatusSuccess)
      return "";
    return "hsa " + std::to_string(major) + "." + std::to_string(minor);
  }
  xcc_status loadImage(const OffloadImage &source, Image **out) override;
  void unloadImage(Image *loaded) override {
    auto *old = static_cast<HsaImage *>(loaded);
    // After a kernel that does not end, its code may still run. The registry
    // calls this under its lock.
    static HsaImage *kept = nullptr;
    if (g.hasFailed())
      old->previousKept = std::exchange(kept, old);
    else
      delete old;
  }
  xcc_status findKernel(Image &in, const xcc_kernel_info &info,
                        const Kernel **out) override {
    return static_cast<HsaImage &>(in).find(info, out);
  }
  xcc_status findVariable(Image &in, const char *name, void *&out) override {
    return static_cast<HsaImage &>(in).variable(name, out);
  }
  CallShape callShape() override {
    // 16 calls at a time for each compute unit. Processors with wavefronts of
    // 32 can also run 64, if an image was compiled for that.
    return {std::clamp(16 * g.facts.computeUnits, 64u, 4096u), 64, false,
            64 << 20};
  }
  bool reaches(const void *pointer) override {
    PointerInfo info{};
    info.size = sizeof(info);
    return hsa.amd_pointer_info &&
           hsa.amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr) ==
               StatusSuccess &&
           info.type != PointerUnknown;
  }
  size_t mostStack() const override { return Settings[0].most; }
  xcc_status suggestBlock(const Kernel &k, uint32_t dynamic,
                          uint32_t &block) override {
    block = bestBlock(g.facts, static_cast<const HsaKernel &>(k), dynamic);
    return XCC_SUCCESS;
  }
  xcc_status cooperativeBlocks(const Kernel &k, uint32_t threads,
                               uint32_t dynamic, uint64_t &blocks) override {
    blocks = residentBlocks(g.facts, static_cast<const HsaKernel &>(k), threads,
                            dynamic);
    return XCC_SUCCESS;
  }
  xcc_status createQueue(Queue **out, int priority) override;
  xcc_status defaultQueue(Queue **out) override;
  xcc_status createEvent(Event **out) override;
  void drain() override;
  bool finish(bool unloading, Queue *only) override {
    return finishQueues(*this, g.queues, unloading, only);
  }
  void collectTimes() override;
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override {
    return g.hasFailed() ? g.takeFault() : nullptr;
  }
  void shutDown() override;

private:
  static Limits limitsOf(const GpuFacts &f);
  /// Frees memory from allocate() and allocateHost() at once.
  xcc_status recycle(void *pointer);

  Gpu g;
  TargetId target;
};

} // namespace

Limits HsaDevice::limitsOf(const GpuFacts &f) {
  constexpr uint64_t maxThreads = 0x7fffffff; // kernels hold indices in an int
  Limits l{};
  l.maxBlock = f.maxBlock;
  l.gridThreads = maxThreads;
  for (int i = 0; i != 3; ++i) {
    l.blockDim[i] = std::min<uint32_t>(f.maxBlockDim[i], f.maxBlock);
    // Newer HSA runtimes allow smaller grids in y and z than in x.
    l.gridBlocks[i] = std::min<uint64_t>(f.maxGridDim[i], maxThreads);
  }
  l.shared = f.sharedMemory;
  return l;
}

xcc_status HsaDevice::freeMemory(uint64_t &bytes) {
  if (Status s = hsa.agent_get_info(g.facts.handle, AgentFreeMemory, &bytes))
    return g.failed("hsa_agent_get_info of the free memory", s);
  return XCC_SUCCESS;
}

void HsaDevice::properties(xcc_device_properties &p) {
  p = {};
  p.name = g.facts.name.c_str();
  p.arch = g.facts.target.c_str();
  p.total_memory = g.facts.totalMemory;
  p.shared_memory = bounds.shared;
  p.compute_units = g.facts.computeUnits;
  p.warp_size = g.facts.wave;
  p.max_block = bounds.maxBlock;
  for (int i = 0; i != 3; ++i) {
    p.max_block_dim[i] = bounds.blockDim[i];
    p.max_grid_dim[i] = bounds.gridBlocks[i];
  }
}

xcc_status HsaDevice::readNumber(xcc_device_number what, uint64_t &value) {
  auto ask = [&](AgentInfo fact, auto &into) {
    return hsa.agent_get_info(g.facts.handle, fact, &into) == StatusSuccess;
  };
  uint32_t known = 0, caches[4] = {};
  if (what == XCC_DEVICE_CLOCK && ask(AgentMaxClock, known))
    value = known * uint64_t(1000);
  else if (what == XCC_DEVICE_MEMORY_CLOCK && ask(AgentMaxMemoryClock, known))
    value = known * uint64_t(1000);
  else if (what == XCC_DEVICE_MEMORY_BUS && ask(AgentMemoryWidth, known))
    value = known;
  else if (what == XCC_DEVICE_CACHE && ask(AgentCacheSize, caches))
    value = caches[1];
  else if (what == XCC_DEVICE_STACK) {
    size_t bytes = 0;
    XCC_TRY(requestedStack(*this, Settings[0], bytes));
    value = bytes;
  }
  return XCC_SUCCESS;
}

int HsaDevice::suits(const OffloadImage &image, const char *&missing) {
  TargetId id;
  if (!std::string_view(image.triple).starts_with("amdgcn-") ||
      !TargetId::parse(image.arch, id))
    return 0;
  return rank(id, target, missing);
}

xcc_status HsaDevice::loadImage(const OffloadImage &source, Image **out) {
  HsaImage *loaded = nullptr;
  XCC_TRY(HsaImage::load(g, source, &loaded));
  *out = loaded;
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

xcc_status HsaDevice::allocate(size_t bytes, void **out) {
  *out = nullptr;
  if (g.hasFailed())
    return g.unusable();
  Status s = hsa.amd_memory_pool_allocate(g.facts.memory, bytes, 0, out);
  if (s != StatusSuccess)
    return fail(XCC_ERROR_OUT_OF_MEMORY, g.site(),
                "out of memory: cannot allocate %zu bytes on device %d (%s): "
                "%s",
                bytes, ordinal(), id(), statusText(s));
  return XCC_SUCCESS;
}

xcc_status HsaDevice::allocateHost(size_t bytes, void **out) {
  *out = nullptr;
  if (g.hasFailed())
    return g.unusable();
  return g.allocateHost(g.world.fine, bytes, out);
}

xcc_status HsaDevice::registerHost(void *pointer, size_t bytes) {
  if (g.hasFailed())
    return g.unusable();
  void *seen = nullptr;
  auto agents = g.world.gpuAgents;
  Status s = hsa.amd_memory_lock(pointer, bytes, agents.data(),
                                 int(agents.size()), &seen);
  if (s != StatusSuccess)
    return g.failed("hsa_amd_memory_lock", s);
  if (seen == pointer)
    return XCC_SUCCESS;
  hsa.amd_memory_unlock(pointer);
  return fail(
      XCC_ERROR_INVALID_DEVICE, g.site(),
      "xcc_memory_register: device %d (%s) sees page-locked memory of the "
      "host at another address; use xcc_memory_alloc_host",
      ordinal(), id());
}

xcc_status HsaDevice::unregisterHost(void *pointer) {
  drain();
  Status s = hsa.amd_memory_unlock(pointer);
  return s == StatusSuccess ? XCC_SUCCESS
                            : g.failed("hsa_amd_memory_unlock", s);
}

xcc_status HsaDevice::recycle(void *pointer) {
  forgetAccess(pointer);
  Status s = hsa.amd_memory_pool_free(pointer);
  return s == StatusSuccess ? XCC_SUCCESS
                            : g.failed("hsa_amd_memory_pool_free", s);
}

xcc_status HsaDevice::release(void *pointer) {
  drain();
  return recycle(pointer);
}

xcc_status HsaDevice::releaseHost(void *pointer) {
  drain();
  return recycle(pointer);
}

/// Waits for this queue only: a kernel of another queue may itself wait for
/// this call, when the host frees its memory for it.
xcc_status HsaDevice::releaseAsync(Queue &in, void *pointer) {
  in.drain();
  return recycle(pointer);
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

xcc_status HsaDevice::createQueue(Queue **out, int priority) {
  if (g.hasFailed())
    return g.unusable();
  return g.queues.take(out, priority, [&](HsaQueue *&made) {
    return HsaQueue::make(g, priority, made);
  });
}

xcc_status HsaDevice::defaultQueue(Queue **out) {
  return g.queues.takeDefault(out, [&](HsaQueue *&made) {
    return g.hasFailed() ? g.unusable() : HsaQueue::make(g, 0, made);
  });
}

xcc_status HsaDevice::createEvent(Event **out) {
  *out = new (std::nothrow) HsaEvent(g);
  return *out ? XCC_SUCCESS
              : fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

void HsaDevice::collectTimes() {
  for (HsaQueue &q : g.queues)
    (void)q.idle();
}

void HsaDevice::drain() {
  for (HsaQueue &q : g.queues)
    q.drain();
}

xcc_error *HsaDevice::takeError() {
  for (HsaQueue &q : g.queues)
    if (xcc_error *why = q.takeError())
      return why;
  return g.hasFailed() ? g.takeFault() : nullptr;
}

void HsaDevice::shutDown() {
  g.stopped.store(true, std::memory_order_relaxed);
  uint64_t now;
  // If the library has ended before, nothing runs any more.
  if (hsa.system_get_info(SystemTimestamp, &now) == StatusSuccess)
    drain();
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

xcc_error *findDevices(std::vector<Device *> &out, void *driver) {
  if (xcc_error *why = loadDriver(driver))
    return why;
  // Never freed: threads may use the devices until the process ends.
  static Machine &world = *new Machine;
  if (xcc_error *why = exploreMachine(world)) {
    hsa.shut_down();
    return why;
  }
  for (size_t i = 0; i != world.gpus.size(); ++i) {
    auto *d = new HsaDevice(world, i);
    allGpus().push_back(&d->gpu());
    out.push_back(d);
    XCC_LOG(Device, "found %s (%s), %u compute units",
            world.gpus[i].name.c_str(), world.gpus[i].target.c_str(),
            world.gpus[i].computeUnits);
  }
  if (!world.gpus.empty())
    installFaultHandler();
  // Measuring copies costs time, so do it only for a profile or trace.
  if (profile::watching() && hsa.amd_profiling_async_copy_enable)
    (void)hsa.amd_profiling_async_copy_enable(true);
  return nullptr;
}

} // namespace xcc::rt::hsa
