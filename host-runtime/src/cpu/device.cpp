// The CPU as a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include "common/exit_wait.h"
#include "cpu/faults/interrupt.h"
#include "cpu/image/image.h"
#include "cpu/image/target.h"
#include "cpu/queue/queue.h"
#include "cpu/queue/sequence.h"
#include "cpu/workers/fiber.h"
#include "cpu/workers/here.h"
#include "memory.h"
#include "pool.h"
#include "process/log.h"
#include "process/thread_state.h"
#include "records/launch_recorder.h"

#include <algorithm>
#include <cstdio>
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
/// Most blocks of a cooperative launch; each has a thread of the machine.
static constexpr uint64_t MostTogether = 64;
static Device *theDevice;

Device &device() { return *theDevice; }

int ordinal() { return theDevice ? theDevice->ordinal() : -1; }

namespace {

class CpuDevice final : public Device {
public:
  CpuDevice(unsigned threads, uint64_t timeout, unsigned separate)
      : Device(HostLimits), workers(threads), cores(threads), timeout(timeout),
        hides(separate == 1) {
    sharesHost = !separate;
  }
  bool hidesOriginals() const override { return hides; }
  bool usesHostHeap() const override { return true; }
  // A launch that hides originals would restore what a copy has just written.
  bool copiesBackAsync() const override { return !hides; }
  bool gathers() const override { return true; }

  void properties(xcc_device_properties &out) override;
  xcc_status readNumber(xcc_device_number what, uint64_t &value) override;
  xcc_status freeMemory(uint64_t &bytes) override;
  xcc_status allocate(size_t bytes, void **out) override {
    return cpu::allocate(bytes, out);
  }
  xcc_status allocateAt(uintptr_t address, size_t bytes) override {
    return cpu::allocateAt(address, bytes);
  }
  xcc_status release(void *pointer) override;
  size_t rowAlignment() const override { return 64; }
  xcc_status poolState(uint64_t &kept, uint64_t &limit) override {
    kept = pool().kept();
    limit = pool().limit();
    return XCC_SUCCESS;
  }
  xcc_status limitPool(uint64_t bytes) override {
    pool().setLimit(bytes);
    return XCC_SUCCESS;
  }
  xcc_status trimPool(uint64_t keep) override {
    pool().trim(keep);
    return XCC_SUCCESS;
  }
  xcc_status allocateAsync(Queue &, size_t bytes, void **out) override {
    *out = pool().take(bytes);
    if (*out)
      return XCC_SUCCESS;
    XCC_TRY(allocate(bytes, out));
    pool().track(*out, bytes);
    return XCC_SUCCESS;
  }
  xcc_status releaseAsync(Queue &in, void *pointer) override {
    return static_cast<CpuQueue &>(in).release(pointer);
  }
  int suits(const OffloadImage &image, const char *&missing) override;
  std::string codeArch() override { return "native"; }
  std::string codeMachine() override { return cpuFingerprint(); }
  xcc_status loadImage(const OffloadImage &source, Image **out) override;
  void unloadImage(Image *loaded) override {
    delete static_cast<CpuImage *>(loaded);
  }
  xcc_status findKernel(Image &in, const xcc_kernel_info &info,
                        const Kernel **out) override {
    return static_cast<CpuImage &>(in).find(info, out);
  }
  xcc_status findVariable(Image &in, const char *name,
                          void *&address) override {
    address = static_cast<CpuImage &>(in).variable(name);
    return XCC_SUCCESS;
  }
  void interrupt(const Kernel &running, const char *why,
                 bool alsoWaiting) override {
    cpu::interrupt(running, why, alsoWaiting);
  }
  CallShape callShape() override {
    // A host call blocks its worker, so one port for each worker is enough.
    return {.ports = cores < 16     ? 32
                     : cores > 2048 ? 4096
                                    : 2 * cores,
            .lanes = 1,
            .wakes = true,
            .heap = 0,
            .sharesMemory = true};
  }
  bool runInCallingThread(const Kernel &kernel, const void *kernarg) override {
    return cpu::runInCallingThread(
        ordinal(), static_cast<const CpuKernel &>(kernel), kernarg);
  }
  xcc_status cooperativeBlocks(const Kernel &, uint32_t, uint32_t,
                               uint64_t &blocks) override {
    blocks = MostTogether;
    return XCC_SUCCESS;
  }
  void changed(Sequence &what, size_t first, size_t count) override {
    if (what.prepared)
      static_cast<CpuSequence &>(*what.prepared).change(what, first, count);
  }
  xcc_status createQueue(Queue **out, int priority) override;
  xcc_status priorities(int &least, int &greatest) override {
    least = 1;
    greatest = -1;
    return XCC_SUCCESS;
  }
  xcc_status defaultQueue(Queue **out) override;
  xcc_status createEvent(Event **out) override;
  void drain() override;
  bool finish(bool unloading, Queue *only) override;
  bool busy(const Queue *only, uint64_t &progress) override;
  bool reportUnfinished(const Queue *, const char *what) override {
    return Worker::printRunning(what);
  }
  xcc_error *takeError() override;
  xcc_error *takeOwnError() override;
  void shutDown() override;
  void discard() override;

private:
  xcc_status makeQueue(CpuQueue *&out, int priority);

  Pool workers;
  QueueList<CpuQueue> queues;
  unsigned cores;
  /// Nanoseconds that the end of the process waits without progress.
  uint64_t timeout;
  const bool hides;
};

} // namespace

xcc_status CpuDevice::freeMemory(uint64_t &bytes) {
  // Memory that is available without swapping: proc(5), since Linux 3.14.
  FILE *info = fopen("/proc/meminfo", "re");
  unsigned long long kilobytes = 0;
  bool found = false;
  for (char line[128]; info && !found && fgets(line, sizeof line, info);)
    found = sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1;
  if (info)
    fclose(info);
  bytes = found ? kilobytes << 10
                : uint64_t(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return XCC_SUCCESS;
}

void CpuDevice::properties(xcc_device_properties &p) {
  p.name = cpuName();
  p.arch = levelName(cpuLevel());
  // Read once: algorithms ask for the properties often.
  static const uint64_t memory =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  p.total_memory = memory;
  p.shared_memory = XCC_CPU_MAX_SHARED;
  p.compute_units = cores;
  p.warp_size = XCC_CPU_WARP_SIZE;
  p.max_block = XCC_CPU_MAX_BLOCK;
  p.max_block_dim[0] = p.max_block_dim[1] = XCC_CPU_MAX_BLOCK;
  p.max_block_dim[2] = 64;
  for (uint64_t &limit : p.max_grid_dim)
    limit = MaxIndex; // AQL has 32 bits, kernels hold an index in an int
}

xcc_status CpuDevice::readNumber(xcc_device_number what, uint64_t &value) {
  if (what == XCC_DEVICE_CLOCK)
    value = cpuClock();
  else if (what == XCC_DEVICE_CACHE)
    value = uint64_t(std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0l));
  else if (what == XCC_DEVICE_STACK)
    value = FiberGroup::chosenStackSize();
  return XCC_SUCCESS;
}

int CpuDevice::suits(const OffloadImage &image, const char *&missing) {
  std::string_view triple = image.triple, arch = image.arch;
  if (!triple.starts_with("x86_64-"))
    return 0;
  if (int level = levelOf(arch)) {
    if (level <= cpuLevel())
      return level;
    missing = image.arch;
    return 0;
  }
  if (!arch.starts_with("native"))
    return 0;
  // Code for one CPU is the best on that CPU, and does not run on a lesser one.
  std::string_view lacking = missingFeature(image.features);
  if (lacking.empty())
    return 100;
  missing = lacking.data(); // within the image's list; names the first
  return 0;
}

xcc_status CpuDevice::loadImage(const OffloadImage &source, Image **out) {
  CpuImage *loaded = nullptr;
  XCC_TRY(CpuImage::load(source, &loaded));
  *out = loaded;
  return XCC_SUCCESS;
}

xcc_status CpuDevice::release(void *pointer) {
  drain();
  pool().forget(pointer);
  cpu::free(pointer);
  return XCC_SUCCESS;
}

xcc_status CpuDevice::makeQueue(CpuQueue *&out, int priority) {
  out = CpuQueue::make(workers, priority);
  if (!out)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
  queues.add(*out);
  return XCC_SUCCESS;
}

xcc_status CpuDevice::createQueue(Queue **out, int priority) {
  return queues.take(out, priority, [&](CpuQueue *&made) {
    return makeQueue(made, priority);
  });
}

xcc_status CpuDevice::defaultQueue(Queue **out) {
  return queues.takeDefault(
      out, [&](CpuQueue *&made) { return makeQueue(made, 0); });
}

xcc_status CpuDevice::createEvent(Event **out) {
  *out = new (std::nothrow) CpuEvent;
  return *out ? XCC_SUCCESS
              : fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

void CpuDevice::drain() {
  for (CpuQueue &q : queues)
    q.drain();
}

bool CpuDevice::finish(bool unloading, Queue *only) {
  // A kernel on this thread ends the process, through some library.
  if (Worker *w = peekThreadState().worker; w && w->inKernel())
    return false;
  bool idle = true;
  for (CpuQueue &q : queues)
    idle &= (only && only != &q) || q.idle();
  if (idle)
    return true;
  // This thread must not run blocks itself: a kernel may never end.
  workers.addStandIn();
  for (CpuQueue &q : queues)
    if ((!only || only == &q) && !q.watch(timeout)) {
      const char *why = unfinishedWorkNote(unloading);
      if (!Worker::printRunning(why))
        complain("a kernel that was launched has not run yet; %s", why);
      if (!unloading)
        return false;
      q.watch(~uint64_t(0));
    }
  return true;
}

bool CpuDevice::busy(const Queue *only, uint64_t &progress) {
  bool any = false;
  for (CpuQueue &q : queues)
    any |= (!only || only == &q) && !q.idle();
  progress = any ? Worker::progress() : 0;
  return any;
}

xcc_error *CpuDevice::takeError() {
  for (CpuQueue &q : queues)
    if (xcc_error *error = q.errorForDevice())
      return error;
  return nullptr;
}

xcc_error *CpuDevice::takeOwnError() {
  for (CpuQueue &q : queues)
    if (xcc_error *error = q.takeOwnError())
      return error;
  return nullptr;
}

void CpuDevice::shutDown() {
  drain();
  workers.stop();
}

void CpuDevice::discard() {
  for (CpuQueue *q = queues.first(); q;) {
    CpuQueue *next = q->next;
    q->discard();
    q = next;
  }
  Worker::discardUnused();
}

/// The cores this process may use.
static unsigned coreCount() {
  cpu_set_t set;
  int cores = sched_getaffinity(0, sizeof(set), &set) == 0
                  ? CPU_COUNT(&set)
                  : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return cores < 1 ? 1 : unsigned(cores);
}

xcc_error *findDevices(std::vector<Device *> &out, void *) {
  uint64_t threads, separate;
  // The error is ignored here: checkSettings makes launches fail.
  (void)readSetting(threadsSetting, coreCount(), threads);
  out.reserve(out.size() + 1);
  // A recorder records the memory that the runtime allocated, so allocate it.
  (void)readSetting(separateSetting, records::asked() ? 2 : 0, separate);
  theDevice =
      new CpuDevice(unsigned(threads), exitTimeout(), unsigned(separate));
  out.push_back(theDevice);
  return nullptr;
}

} // namespace xcc::rt::cpu
