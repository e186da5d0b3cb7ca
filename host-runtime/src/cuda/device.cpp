// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include "common/stacks.h"
#include "cuda/image/target.h"
#include "errors/sentence.h"
#include "gpu.h"
#include "process/log.h"
#include "services/host_services.h"

#include <algorithm>
#include <new>

namespace xcc::rt::cuda {

thread_local constinit const CudaDevice *CudaDevice::entered = nullptr;

//===----------------------------------------------------------------------===//
// Finding devices
//===----------------------------------------------------------------------===//

xcc_error *CudaDevice::make(int index, CudaDevice *&out) {
  DeviceNumber number;
  Result r = theDriver.DeviceGet(&number, index);
  // Attributes: how a block and a grid may be, then the rest.
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
  d->warp = uint32_t(value[12]);
  d->totalMemory = memory;
  d->hasPools = pools != 0 && theDriver.MemAllocAsync &&
                theDriver.MemFreeAsync && theDriver.DeviceGetDefaultMemPool &&
                theDriver.MemPoolSetAttribute && theDriver.MemPoolTrimTo &&
                theDriver.MemPoolSetAccess;
  out = d.release();
  return nullptr;
}

xcc_error *findDevices(std::vector<Device *> &out) {
  bool noDevices = false;
  if (xcc_error *why = loadDriver(noDevices))
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
      return why; // the others' numbers would not be the driver's
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

int CudaDevice::suits(const OffloadImage &image, const char *&) {
  return rankImage(image, major, minor);
}

//===----------------------------------------------------------------------===//
// The context
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::retain() {
  std::lock_guard lock(mutex);
  if (ctx.load(std::memory_order_relaxed))
    return XCC_SUCCESS;
  Context c = nullptr;
  if (Result r = theDriver.DevicePrimaryCtxRetain(&c, number))
    return fail(statusOf(r), site(), "device %d (%s) cannot be used: %s%s",
                ordinal(), id(), ResultText(r).text(),
                r == DeviceUnavailable
                    ? "; another process has it to itself (nvidia-smi shows "
                      "the compute mode)"
                : r == OutOfMemory
                    ? "; nvidia-smi shows which processes have its memory"
                    : "");
  XCC_LOG(Device, "device %d (%s, %s): context made", ordinal(), name.c_str(),
          arch.c_str());
  ctx.store(c, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::enter() {
  if (ended())
    return fail(XCC_ERROR_SYSTEM, site(),
                "device %d (%s) was used after the program's end", ordinal(),
                id());
  if (!context())
    XCC_TRY(retain());
  // Other users of CUDA in this thread may have made theirs current.
  Context now = nullptr;
  if (theDriver.CtxGetCurrent(&now) != Success || now != context())
    if (Result r = theDriver.CtxSetCurrent(context())) {
      // The driver's own exit handler may run before ours.
      if (r == Deinitialized)
        ended_.store(true, std::memory_order_release);
      return failed(r, "making its context current");
    }
  entered = this;
  return XCC_SUCCESS;
}

void CudaDevice::reachPeer(CudaDevice &other) {
  std::lock_guard lock(mutex);
  if (std::find(peers.begin(), peers.end(), &other) != peers.end())
    return;
  // Without peer access the driver copies through the host; that is slower, not
  // wrong, so no result here is an error.
  int can = 0;
  Result r = theDriver.DeviceCanAccessPeer(&can, number, other.number);
  if (r == Success && can)
    r = theDriver.CtxEnablePeerAccess(other.context(), 0);
  // Pools have access rights of their own.
  if (MemoryPool pool = can ? other.pool() : nullptr) {
    AccessDescription mine{LocationDevice, number, AccessReadWrite};
    if (Result bad = theDriver.MemPoolSetAccess(pool, &mine, 1))
      XCC_LOG(Device,
              "device %d does not reach the memory pool of device %d: %s",
              ordinal(), other.ordinal(), ResultText(bad).text());
  }
  XCC_LOG(Device, "device %d reaches the memory of device %d%s", ordinal(),
          other.ordinal(),
          can && (r == Success || r == PeerAccessAlreadyEnabled)
              ? " directly"
              : " through the host");
  try {
    peers.push_back(&other);
  } catch (const std::bad_alloc &) {
    // Asked again next time.
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::allocate(size_t bytes, void **out) {
  XCC_TRY(enter());
  Address a = 0;
  Result r = theDriver.MemAlloc(&a, bytes);
  if (r == OutOfMemory && trimPool())
    r = theDriver.MemAlloc(&a, bytes);
  if (r == OutOfMemory) {
    size_t free = 0, total = 0;
    if (theDriver.MemGetInfo(&free, &total) != Success)
      free = 0, total = totalMemory;
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes on device %d (%s); "
                "%zu of %zu bytes are free",
                bytes, ordinal(), id(), free, total);
  }
  if (r != Success)
    return failed(r, "allocating memory");
  *out = reinterpret_cast<void *>(a);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::freed(Result r, const char *what) {
  // A driver that is gone has freed everything.
  return r == Success || r == Deinitialized ? XCC_SUCCESS : failed(r, what);
}

xcc_status CudaDevice::release(void *pointer) {
  if (ended())
    return XCC_SUCCESS; // the driver frees everything with the process
  drain();
  XCC_TRY(enter());
  return freed(theDriver.MemFree(reinterpret_cast<Address>(pointer)),
               "freeing memory");
}

xcc_status CudaDevice::allocateHost(size_t bytes, void **out) {
  XCC_TRY(enter());
  // For every device, and running kernels see it.
  Result r = theDriver.MemHostAlloc(out, bytes,
                                    HostAllocPortable | HostAllocDeviceMap);
  if (r == Success)
    return XCC_SUCCESS;
  *out = nullptr;
  if (r == OutOfMemory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes of page-locked host "
                "memory for device %d (%s)",
                bytes, ordinal(), id());
  return failed(r, "allocating page-locked host memory");
}

xcc_status CudaDevice::releaseHost(void *pointer) {
  if (ended())
    return XCC_SUCCESS;
  drain();
  XCC_TRY(enter());
  return freed(theDriver.MemFreeHost(pointer),
               "freeing page-locked host memory");
}

xcc_status CudaDevice::seenAt(void *pointer, void *&out) {
  out = pointer; // with unified addresses, which all supported GPUs have
  if (!theDriver.MemHostGetDevicePointer)
    return XCC_SUCCESS;
  XCC_TRY(enter());
  Address a = 0;
  if (Result r = theDriver.MemHostGetDevicePointer(&a, pointer, 0))
    return failed(r, "mapping host memory for the device");
  out = reinterpret_cast<void *>(a);
  return XCC_SUCCESS;
}

MemoryPool CudaDevice::pool() const {
  MemoryPool found = nullptr;
  if (!hasPools || theDriver.DeviceGetDefaultMemPool(&found, number) != Success)
    return nullptr;
  return found;
}

/// Are allocations in stream order to be had? Looks once.
bool CudaDevice::usePool() {
  std::lock_guard lock(mutex);
  if (poolState)
    return poolState == 1;
  poolState = 2;
  MemoryPool memory = pool();
  if (!memory)
    return false;
  // Freed memory stays with the process: giving it back at each
  // synchronisation costs more than the allocation.
  uint64_t all = UINT64_MAX;
  if (theDriver.MemPoolSetAttribute(memory, PoolReleaseThreshold, &all) !=
      Success)
    XCC_LOG(Device, "device %d: its memory pool keeps no freed memory",
            ordinal());
  poolState = 1;
  return true;
}

bool CudaDevice::trimPool() {
  {
    std::lock_guard lock(mutex);
    if (poolState != 1)
      return false;
  }
  drain(); // what is freed in a stream's order is free once it got there
  return theDriver.MemPoolTrimTo(pool(), 0) == Success;
}

CallShape CudaDevice::callShape() {
  // 16 calls at a time for each multiprocessor. Without a pool, memory is had
  // and given back only when nothing runs.
  return {std::clamp(16 * multiprocessors, 64u, 4096u), warp, false, 64 << 20,
          usePool()};
}

xcc_status CudaDevice::allocateAsync(Queue &in, size_t bytes, void **out) {
  XCC_TRY(enter());
  if (!usePool())
    return Device::allocateAsync(in, bytes, out);
  Address a = 0;
  Result r =
      theDriver.MemAllocAsync(&a, bytes, static_cast<CudaQueue &>(in).work);
  if (r == OutOfMemory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes in a stream of "
                "device %d (%s)",
                bytes, ordinal(), id());
  if (r != Success)
    return failed(r, "allocating memory in a stream");
  *out = reinterpret_cast<void *>(a);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::releaseAsync(Queue &in, void *pointer) {
  if (ended())
    return XCC_SUCCESS;
  XCC_TRY(enter());
  if (!usePool())
    return Device::releaseAsync(in, pointer);
  return freed(theDriver.MemFreeAsync(reinterpret_cast<Address>(pointer),
                                      static_cast<CudaQueue &>(in).work),
               "freeing memory in a stream");
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::makeQueue(CudaQueue *&out) {
  Stream s = nullptr;
  if (Result r = theDriver.StreamCreate(&s, StreamNonBlocking))
    return failed(r, "making a stream");
  out = new (std::nothrow) CudaQueue(*this, s);
  if (!out)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(), "out of memory for a queue");
  push(queues, *out);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::createQueue(Queue **out) {
  XCC_TRY(enter());
  CudaQueue *q = takeUnused(queues.load(std::memory_order_acquire));
  if (!q)
    XCC_TRY(makeQueue(q));
  *out = q;
  return XCC_SUCCESS;
}

xcc_status CudaDevice::defaultQueue(Queue **out) {
  CudaQueue *q = Default.load(std::memory_order_acquire);
  if (!q) [[unlikely]] {
    XCC_TRY(enter());
    CudaQueue *made = nullptr;
    XCC_TRY(makeQueue(made));
    if (Default.compare_exchange_strong(q, made))
      q = made;
    else
      made->giveBack(); // for a stream
  }
  *out = q;
  return XCC_SUCCESS;
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
  for (CudaQueue *q = queues.load(std::memory_order_acquire); q; q = q->next)
    q->drain();
}

xcc_error *CudaDevice::takeError() {
  for (CudaQueue *q = queues.load(std::memory_order_acquire); q; q = q->next)
    if (xcc_error *error = q->pending.exchange(nullptr))
      return error;
  return deadError();
}

void CudaDevice::shutDown() {
  if (!context())
    return;
  drain();
  // That the device is unusable is a repetition of what some call has said.
  xcc_error *known = dead.load(std::memory_order_acquire);
  for (CudaQueue *q = queues.load(std::memory_order_acquire); q; q = q->next) {
    xcc_error *same = known;
    if (known && q->pending.compare_exchange_strong(same, nullptr))
      xcc_error_release(known);
  }
  // Code that runs after us (destructors of static buffers, units that unload)
  // must not call a driver that may be gone. The process's end frees it all.
  ended_.store(true, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void CudaDevice::describe(std::string &out, const PastLaunch &p) const {
  out = out + "'" + p.info->name + "'";
  if (p.file && *p.file)
    out = out + " (" + p.file + ":" + std::to_string(p.line) + ")";
}

xcc_error *CudaDevice::fault(Result r) {
  std::lock_guard lock(mutex);
  if (xcc_error *known = deadError())
    return known;
  if (ended())
    return nullptr;
  abandonCalls(*this);
  const char *name = id();
  ResultText text(r);
  try {
    // What the kernel said before it gave up tells more than the driver can.
    std::string why = text.text();
    char trap[1280];
    bool said = takeTrap(*this, trap, sizeof(trap));
    if (said)
      why = std::string(trap) + " (" + text.name() + ")";
    std::vector<PastLaunch> running;
    uint64_t count = 0;
    for (CudaQueue *q = queues.load(std::memory_order_acquire); q; q = q->next)
      count += q->launches.visitRunning(
          [&](const PastLaunch &p) { running.push_back(p); });
    std::sort(running.begin(), running.end(),
              [](const PastLaunch &a, const PastLaunch &b) {
                return a.order > b.order;
              });
    ErrorSite where = site();
    std::string who;
    if (count == 1 && running.size() == 1) {
      const PastLaunch &p = running[0];
      where = {p.info->name, p.file, p.line, ordinal()};
      char advice[256];
      if (!said)
        why += stackAdvice(p.info, "XCC_CUDA_STACK", advice, sizeof(advice));
      SentenceOf<128> shape;
      shape.addShape(p.grid, p.block);
      who = "kernel ";
      describe(who, p);
      who = who + " of " + shape.text();
    } else if (running.empty()) {
      who = "work";
    } else {
      who = "one of these launches: ";
      size_t shown = std::min<size_t>(4, running.size());
      for (size_t i = 0; i != shown; ++i) {
        if (i)
          who += ", ";
        describe(who, running[i]);
      }
      if (count > shown)
        who = who + " and " + std::to_string(count - shown) + " before them";
      who += " (CUDA_LAUNCH_BLOCKING=1 tells which)";
    }
    xcc_error *first =
        makeError(statusOf(r), where, "%s failed on device %d (%s): %s",
                  who.c_str(), ordinal(), name, why.c_str());
    dead.store(makeError(XCC_ERROR_LAUNCH_FAILED, where,
                         "device %d (%s) is unusable since %s failed: %s; "
                         "restart the program",
                         ordinal(), name, who.c_str(), why.c_str()),
               std::memory_order_release);
    return first;
  } catch (const std::bad_alloc &) {
    return makeError(statusOf(r), site(), "a kernel failed on device %d (%s)",
                     ordinal(), name);
  }
}

xcc_error *CudaDevice::lateFailure(Result r) {
  if (r == Deinitialized)
    return nullptr; // the process is ending
  if (killsContext(r))
    return fault(r);
  return makeError(statusOf(r), site(), "waiting for device %d (%s) failed: %s",
                   ordinal(), id(), ResultText(r).text());
}

xcc_error *CudaDevice::deadError() {
  xcc_error *error = dead.load(std::memory_order_acquire);
  return error && !ended() ? xcc_error_retain(error) : nullptr;
}

xcc_status CudaDevice::failed(Result r, const char *what) {
  if (killsContext(r))
    if (xcc_error *error = fault(r))
      return failWith(error);
  return fail(statusOf(r), site(), "%s failed on device %d (%s): %s", what,
              ordinal(), id(), ResultText(r).text());
}

} // namespace xcc::rt::cuda
