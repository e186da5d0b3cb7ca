// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include "common/exit_wait.h"
#include "common/stacks.h"
#include "cuda/image/image.h"
#include "cuda/image/target.h"
#include "cuda/queue/queue.h"
#include "gpu.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>

namespace xcc::rt::cuda {

//===----------------------------------------------------------------------===//
// Finding devices
//===----------------------------------------------------------------------===//

xcc_error *CudaDevice::make(int index, CudaDevice *&out) {
  DeviceNumber number;
  Result r = theDriver.DeviceGet(&number, index);
  // Attributes: the limits of a block and of a grid, then the others.
  int value[3 + 3 + 7] = {};
  static constexpr DeviceAttribute asked[] = {MaxBlockDimX,
                                              DeviceAttribute(MaxBlockDimX + 1),
                                              DeviceAttribute(MaxBlockDimX + 2),
                                              MaxGridDimX,
                                              DeviceAttribute(MaxGridDimX + 1),
                                              DeviceAttribute(MaxGridDimX + 2),
                                              MaxThreadsPerBlock,
                                              MaxSharedPerBlock,
                                              MaxSharedPerBlockOptin,
                                              CapabilityMajor,
                                              CapabilityMinor,
                                              MultiprocessorCount,
                                              WarpSize};
  for (int i = 0; i != 13 && r == Success; ++i)
    r = theDriver.DeviceGetAttribute(&value[i], asked[i], number);
  char name[256] = "";
  size_t memory = 0;
  int pools = 0;
  if (r == Success)
    r = theDriver.DeviceGetName(name, sizeof(name), number);
  if (r == Success)
    r = theDriver.DeviceTotalMem(&memory, number);
  if (r != Success)
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "cuda:%d does not answer: %s", index,
                     ResultText(r).text());
  // Drivers before CUDA 11.2 do not know the attribute.
  if (theDriver.DeviceGetAttribute(&pools, MemoryPoolsSupported, number) !=
      Success)
    pools = 0;
  int managed = 0;
  if (theDriver.DeviceGetAttribute(&managed, ManagedMemory, number) != Success)
    managed = 0;
  int threads = 0; // resident threads of a multiprocessor
  if (theDriver.DeviceGetAttribute(&threads, MaxThreadsPerMultiprocessor,
                                   number) != Success)
    threads = 2048;
  // Kernels can access all host memory: Grace, or Linux's HMM.
  int pageable = 0;
  if (theDriver.DeviceGetAttribute(&pageable, PageableMemoryAccess, number) !=
      Success)
    pageable = 0;

  Limits l;
  for (int i = 0; i != 3; ++i) {
    l.blockDim[i] = uint32_t(value[i]);
    l.gridBlocks[i] = uint32_t(value[3 + i]);
  }
  l.maxBlock = uint32_t(value[6]);
  l.gridThreads = 0x7fffffff;
  l.shared = uint64_t(std::max(value[7], value[8]));
  auto d = std::make_unique<CudaDevice>(number, l);
  d->name = name;
  d->usualShared = uint32_t(value[7]);
  d->major = value[9];
  d->minor = value[10];
  d->arch = "sm_" + std::to_string(value[9]) + std::to_string(value[10]);
  d->multiprocessors = uint32_t(value[11]);
  // A simulator's checks name threads and compare their accesses, so each
  // thread keeps its one index.
  uint64_t coarsen = 1;
  (void)readSetting(Settings[1], std::getenv("XCC_SIM_CHECK") ? 0 : 1, coarsen);
  d->many = coarsen ? 2 * uint64_t(threads) * d->multiprocessors : UINT64_MAX;
  d->warp = uint32_t(value[12]);
  d->totalMemory = memory;
  d->sharesHost = pageable != 0;
  d->hasManaged = managed != 0;
  d->hasPools = pools != 0 && theDriver.MemAllocAsync &&
                theDriver.MemFreeAsync && theDriver.DeviceGetDefaultMemPool &&
                theDriver.MemPoolSetAttribute && theDriver.MemPoolTrimTo &&
                theDriver.MemPoolSetAccess;
  out = d.release();
  return nullptr;
}

xcc_error *findDevices(std::vector<Device *> &out, void *driver) {
  bool noDevices = false;
  if (xcc_error *why = loadDriver(driver, noDevices))
    return why;
  int count = 0;
  if (noDevices)
    return nullptr;
  if (Result r = theDriver.DeviceGetCount(&count))
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the NVIDIA driver cannot count its devices: %s",
                     ResultText(r).text());
  std::vector<Device *> found;
  for (int i = 0; i != count; ++i) {
    CudaDevice *d = nullptr;
    if (xcc_error *why = CudaDevice::make(i, d))
      return why; // leaving it out would change the numbers of later devices
    found.push_back(d);
  }
  out.insert(out.end(), found.begin(), found.end());
  return nullptr;
}

void CudaDevice::properties(xcc_device_properties &p) {
  p.name = name.c_str();
  p.arch = arch.c_str();
  p.total_memory = totalMemory;
  p.shared_memory = bounds.shared;
  p.compute_units = multiprocessors;
  p.warp_size = warp;
  p.max_block = bounds.maxBlock;
  for (int i = 0; i != 3; ++i) {
    p.max_block_dim[i] = bounds.blockDim[i];
    p.max_grid_dim[i] = bounds.gridBlocks[i];
  }
}

xcc_status CudaDevice::readNumber(xcc_device_number what, uint64_t &value) {
  if (what == XCC_DEVICE_STACK) {
    size_t bytes = 0;
    XCC_TRY(requestedStack(*this, Settings[0], bytes));
    value = bytes;
    return XCC_SUCCESS;
  }
  static constexpr DeviceAttribute asked[] = {ClockRate, MemoryClockRate,
                                              MemoryBusWidth, L2CacheSize,
                                              RegistersPerBlock};
  int known = 0;
  if (size_t(what) < std::size(asked) &&
      theDriver.DeviceGetAttribute(&known, asked[what], number) == Success &&
      known > 0)
    value = uint64_t(known);
  return XCC_SUCCESS;
}

int CudaDevice::suits(const OffloadImage &image, const char *&missing) {
  if (isSimulated() && image.imageKind == KindCubin) {
    if (image.arch == std::string_view(arch))
      missing = "PTX on a simulator: compile with -foffload-ptx=all";
    return 0;
  }
  return rankImage(image, major, minor);
}

CallShape CudaDevice::callShape() {
  // 16 calls at a time for each multiprocessor. Without a memory pool, memory
  // can be allocated and freed only when nothing runs.
  return {std::clamp(16 * multiprocessors, 64u, 4096u), warp, false, 64 << 20,
          usePool()};
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::loadImage(const OffloadImage &source, Image **out) {
  auto fresh = std::make_unique<CudaImage>(*this);
  XCC_TRY(fresh->load(source));
  *out = fresh.release();
  return XCC_SUCCESS;
}

void CudaDevice::unloadImage(Image *loaded) {
  auto *old = static_cast<CudaImage *>(loaded);
  if (!ended() && enter() != XCC_SUCCESS)
    return; // the module stays loaded: its context cannot be entered
  delete old;
}

xcc_status CudaDevice::findKernel(Image &in, const xcc_kernel_info &info,
                                  const Kernel **out) {
  return static_cast<CudaImage &>(in).find(info, out);
}

xcc_status CudaDevice::findVariable(Image &in, const char *name, void *&out) {
  return static_cast<CudaImage &>(in).variable(name, out);
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::priorities(int &least, int &greatest) {
  XCC_TRY(enter());
  if (Result r = theDriver.CtxGetStreamPriorityRange(&least, &greatest))
    return failed(r, "querying the priorities of streams");
  return XCC_SUCCESS;
}

xcc_status CudaDevice::makeQueue(CudaQueue *&out, int priority) {
  Stream s = nullptr;
  Result r =
      priority
          ? theDriver.StreamCreateWithPriority(&s, StreamNonBlocking, priority)
          : theDriver.StreamCreate(&s, StreamNonBlocking);
  if (r != Success)
    return failed(r, "making a stream");
  out = new (std::nothrow) CudaQueue(*this, s);
  if (!out)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(), "out of memory for a queue");
  out->priority = priority;
  queues.add(*out);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::createQueue(Queue **out, int priority) {
  XCC_TRY(enter());
  return queues.take(out, priority, [&](CudaQueue *&made) {
    return makeQueue(made, priority);
  });
}

xcc_status CudaDevice::defaultQueue(Queue **out) {
  return queues.takeDefault(out, [&](CudaQueue *&made) {
    XCC_TRY(enter());
    return makeQueue(made, 0);
  });
}

xcc_status CudaDevice::createEvent(Event **out) {
  XCC_TRY(enter());
  EventHandle e = nullptr;
  if (Result r = theDriver.EventCreate(&e, EventDefault))
    return failed(r, "making an event");
  *out = new (std::nothrow) CudaEvent(*this, e);
  if (*out)
    return XCC_SUCCESS;
  (void)theDriver.EventDestroy(e);
  return fail(XCC_ERROR_OUT_OF_MEMORY, site(), "out of memory for an event");
}

void CudaDevice::drain() {
  for (CudaQueue &q : queues)
    q.drain();
}

bool CudaDevice::finish(bool unloading, Queue *only) {
  return finishQueues(*this, queues, unloading, only);
}

bool CudaDevice::busy(const Queue *only, uint64_t &progress) {
  bool any = false;
  progress = 0;
  for (CudaQueue &q : queues) {
    any |= (!only || only == &q) && q.launches.mayRun(q.launches.mark()) &&
           !q.idle();
    progress += q.launches.endedSoFar();
  }
  return any;
}

bool CudaDevice::reportUnfinished(const Queue *only, const char *what) {
  bool any = false;
  for (CudaQueue &q : queues) {
    if (only && only != &q)
      continue;
    Suspect running[2];
    // The driver does not say which of several launches runs.
    const uint64_t count = q.launches.visitRunning([](const PastLaunch &) {});
    const unsigned known = count > std::size(running) ? 0 : q.suspects(running);
    if (known)
      reportRunning(*this, {running, known}, what);
    any |= known != 0;
  }
  return any;
}

void CudaDevice::collectTimes() {
  if (context() && !ended() && enter() == XCC_SUCCESS)
    for (CudaQueue &q : queues)
      q.collectTimes();
}

xcc_error *CudaDevice::takeError() {
  for (CudaQueue &q : queues)
    if (xcc_error *error = q.pending.exchange(nullptr))
      return error;
  return unusableError();
}

void CudaDevice::shutDown() {
  if (!context())
    return;
  drain();
  // An earlier call has already reported that the device is unusable.
  xcc_error *known = unusable.load(std::memory_order_acquire);
  for (CudaQueue &q : queues) {
    xcc_error *same = known;
    if (known && q.pending.compare_exchange_strong(same, nullptr))
      xcc_error_release(known);
  }
  // Code that runs later (destructors of static buffers, units that unload)
  // must not call a driver that may be gone. The end of the process frees all.
  ended_.store(true, std::memory_order_release);
}

} // namespace xcc::rt::cuda
