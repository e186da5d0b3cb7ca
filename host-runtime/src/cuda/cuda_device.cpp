// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_device.h"
#include "../process/log.h"
#include "../sentence.h"
#include "../services/host_services.h"
#include "../stacks.h"
#include "gpu.h"
#include "target.h"

#include <algorithm>
#include <new>

namespace xcc::rt::cuda {

thread_local constinit const CudaDevice *CudaDevice::Entered = nullptr;

//===----------------------------------------------------------------------===//
// Finding devices
//===----------------------------------------------------------------------===//

xcc_error *CudaDevice::make(int Index, CudaDevice *&Out) {
  DeviceNumber Number;
  Result R = TheDriver.DeviceGet(&Number, Index);
  // Attributes: how a block and a grid may be, then the rest.
  int Value[3 + 3 + 7] = {};
  static constexpr DeviceAttribute Asked[] = {MaxBlockDimX,
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
  for (int I = 0; I != 13 && R == Success; ++I)
    R = TheDriver.DeviceGetAttribute(&Value[I], Asked[I], Number);
  char Name[256] = "";
  size_t Memory = 0;
  int Pools = 0;
  if (R == Success)
    R = TheDriver.DeviceGetName(Name, sizeof(Name), Number);
  if (R == Success)
    R = TheDriver.DeviceTotalMem(&Memory, Number);
  if (R != Success)
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "cuda:%d does not answer: %s", Index,
                     ResultText(R).text());
  // Drivers before CUDA 11.2 do not know the attribute.
  if (TheDriver.DeviceGetAttribute(&Pools, MemoryPoolsSupported, Number) !=
      Success)
    Pools = 0;

  Limits L;
  for (int I = 0; I != 3; ++I) {
    L.BlockDim[I] = uint32_t(Value[I]);
    L.GridBlocks[I] = uint32_t(Value[3 + I]);
  }
  L.MaxBlock = uint32_t(Value[6]);
  L.GridThreads = 0x7fffffff;
  L.Shared = uint64_t(std::max(Value[7], Value[8]));
  auto D = std::make_unique<CudaDevice>(Number, L);
  D->Name = Name;
  D->UsualShared = uint32_t(Value[7]);
  D->Major = Value[9];
  D->Minor = Value[10];
  D->Arch = "sm_" + std::to_string(Value[9]) + std::to_string(Value[10]);
  D->Multiprocessors = uint32_t(Value[11]);
  D->Warp = uint32_t(Value[12]);
  D->TotalMemory = Memory;
  D->HasPools = Pools != 0 && TheDriver.MemAllocAsync &&
                TheDriver.MemFreeAsync && TheDriver.DeviceGetDefaultMemPool &&
                TheDriver.MemPoolSetAttribute && TheDriver.MemPoolTrimTo &&
                TheDriver.MemPoolSetAccess;
  Out = D.release();
  return nullptr;
}

xcc_error *findDevices(std::vector<Device *> &Out) {
  bool NoDevices = false;
  if (xcc_error *Why = loadDriver(NoDevices))
    return Why;
  int Count = 0;
  if (NoDevices)
    return nullptr;
  if (Result R = TheDriver.DeviceGetCount(&Count))
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the NVIDIA driver cannot count its devices: %s",
                     ResultText(R).text());
  std::vector<Device *> Found;
  for (int I = 0; I != Count; ++I) {
    CudaDevice *D = nullptr;
    if (xcc_error *Why = CudaDevice::make(I, D))
      return Why; // the others' numbers would not be the driver's
    Found.push_back(D);
  }
  Out.insert(Out.end(), Found.begin(), Found.end());
  return nullptr;
}

void CudaDevice::properties(xcc_device_properties &P) {
  P.name = Name.c_str();
  P.arch = Arch.c_str();
  P.total_memory = TotalMemory;
  P.shared_memory = Bounds.Shared;
  P.compute_units = Multiprocessors;
  P.warp_size = Warp;
  P.max_block = Bounds.MaxBlock;
  for (int I = 0; I != 3; ++I) {
    P.max_block_dim[I] = Bounds.BlockDim[I];
    P.max_grid_dim[I] = Bounds.GridBlocks[I];
  }
}

int CudaDevice::suits(const OffloadImage &Image, const char *&) {
  return rankImage(Image, Major, Minor);
}

//===----------------------------------------------------------------------===//
// The context
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::retain() {
  std::lock_guard Lock(Mutex);
  if (Ctx.load(std::memory_order_relaxed))
    return XCC_SUCCESS;
  Context C = nullptr;
  if (Result R = TheDriver.DevicePrimaryCtxRetain(&C, Number))
    return fail(statusOf(R), site(), "device %d (%s) cannot be used: %s%s",
                ordinal(), id(), ResultText(R).text(),
                R == DeviceUnavailable
                    ? "; another process has it to itself (nvidia-smi shows "
                      "the compute mode)"
                : R == OutOfMemory
                    ? "; nvidia-smi shows which processes have its memory"
                    : "");
  XCC_LOG(Device, "device %d (%s, %s): context made", ordinal(), Name.c_str(),
          Arch.c_str());
  Ctx.store(C, std::memory_order_release);
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
  Context Now = nullptr;
  if (TheDriver.CtxGetCurrent(&Now) != Success || Now != context())
    if (Result R = TheDriver.CtxSetCurrent(context())) {
      // The driver's own exit handler may run before ours.
      if (R == Deinitialized)
        Ended.store(true, std::memory_order_release);
      return failed(R, "making its context current");
    }
  Entered = this;
  return XCC_SUCCESS;
}

void CudaDevice::reachPeer(CudaDevice &Other) {
  std::lock_guard Lock(Mutex);
  if (std::find(Peers.begin(), Peers.end(), &Other) != Peers.end())
    return;
  // Without peer access the driver copies through the host; that is slower, not
  // wrong, so no result here is an error.
  int Can = 0;
  Result R = TheDriver.DeviceCanAccessPeer(&Can, Number, Other.Number);
  if (R == Success && Can)
    R = TheDriver.CtxEnablePeerAccess(Other.context(), 0);
  // Pools have access rights of their own.
  if (MemoryPool Pool = Can ? Other.pool() : nullptr) {
    AccessDescription Mine{LocationDevice, Number, AccessReadWrite};
    if (Result Bad = TheDriver.MemPoolSetAccess(Pool, &Mine, 1))
      XCC_LOG(Device,
              "device %d does not reach the memory pool of device %d: %s",
              ordinal(), Other.ordinal(), ResultText(Bad).text());
  }
  XCC_LOG(Device, "device %d reaches the memory of device %d%s", ordinal(),
          Other.ordinal(),
          Can && (R == Success || R == PeerAccessAlreadyEnabled)
              ? " directly"
              : " through the host");
  try {
    Peers.push_back(&Other);
  } catch (const std::bad_alloc &) {
    // Asked again next time.
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::allocate(size_t Bytes, void **Out) {
  XCC_TRY(enter());
  Address A = 0;
  Result R = TheDriver.MemAlloc(&A, Bytes);
  if (R == OutOfMemory && trimPool())
    R = TheDriver.MemAlloc(&A, Bytes);
  if (R == OutOfMemory) {
    size_t Free = 0, Total = 0;
    if (TheDriver.MemGetInfo(&Free, &Total) != Success)
      Free = 0, Total = TotalMemory;
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes on device %d (%s); "
                "%zu of %zu bytes are free",
                Bytes, ordinal(), id(), Free, Total);
  }
  if (R != Success)
    return failed(R, "allocating memory");
  *Out = reinterpret_cast<void *>(A);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::freed(Result R, const char *What) {
  // A driver that is gone has freed everything.
  return R == Success || R == Deinitialized ? XCC_SUCCESS : failed(R, What);
}

xcc_status CudaDevice::release(void *Pointer) {
  if (ended())
    return XCC_SUCCESS; // the driver frees everything with the process
  drain();
  XCC_TRY(enter());
  return freed(TheDriver.MemFree(reinterpret_cast<Address>(Pointer)),
               "freeing memory");
}

xcc_status CudaDevice::allocateHost(size_t Bytes, void **Out) {
  XCC_TRY(enter());
  // For every device, and running kernels see it.
  Result R = TheDriver.MemHostAlloc(Out, Bytes,
                                    HostAllocPortable | HostAllocDeviceMap);
  if (R == Success)
    return XCC_SUCCESS;
  *Out = nullptr;
  if (R == OutOfMemory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes of page-locked host "
                "memory for device %d (%s)",
                Bytes, ordinal(), id());
  return failed(R, "allocating page-locked host memory");
}

xcc_status CudaDevice::releaseHost(void *Pointer) {
  if (ended())
    return XCC_SUCCESS;
  drain();
  XCC_TRY(enter());
  return freed(TheDriver.MemFreeHost(Pointer),
               "freeing page-locked host memory");
}

xcc_status CudaDevice::seenAt(void *Pointer, void *&Out) {
  Out = Pointer; // with unified addresses, which all supported GPUs have
  if (!TheDriver.MemHostGetDevicePointer)
    return XCC_SUCCESS;
  XCC_TRY(enter());
  Address A = 0;
  if (Result R = TheDriver.MemHostGetDevicePointer(&A, Pointer, 0))
    return failed(R, "mapping host memory for the device");
  Out = reinterpret_cast<void *>(A);
  return XCC_SUCCESS;
}

MemoryPool CudaDevice::pool() const {
  MemoryPool Pool = nullptr;
  if (!HasPools || TheDriver.DeviceGetDefaultMemPool(&Pool, Number) != Success)
    return nullptr;
  return Pool;
}

/// Are allocations in stream order to be had? Looks once.
bool CudaDevice::usePool() {
  std::lock_guard Lock(Mutex);
  if (PoolState)
    return PoolState == 1;
  PoolState = 2;
  MemoryPool Pool = pool();
  if (!Pool)
    return false;
  // Freed memory stays with the process: giving it back at each
  // synchronisation costs more than the allocation.
  uint64_t All = UINT64_MAX;
  if (TheDriver.MemPoolSetAttribute(Pool, PoolReleaseThreshold, &All) !=
      Success)
    XCC_LOG(Device, "device %d: its memory pool keeps no freed memory",
            ordinal());
  PoolState = 1;
  return true;
}

bool CudaDevice::trimPool() {
  {
    std::lock_guard Lock(Mutex);
    if (PoolState != 1)
      return false;
  }
  drain(); // what is freed in a stream's order is free once it got there
  return TheDriver.MemPoolTrimTo(pool(), 0) == Success;
}

CallShape CudaDevice::callShape() {
  // 16 calls at a time for each multiprocessor. Without a pool, memory is had
  // and given back only when nothing runs.
  return {std::clamp(16 * Multiprocessors, 64u, 4096u), Warp, false, 64 << 20,
          usePool()};
}

xcc_status CudaDevice::allocateAsync(Queue &In, size_t Bytes, void **Out) {
  XCC_TRY(enter());
  if (!usePool())
    return Device::allocateAsync(In, Bytes, Out);
  Address A = 0;
  Result R =
      TheDriver.MemAllocAsync(&A, Bytes, static_cast<CudaQueue &>(In).Work);
  if (R == OutOfMemory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes in a stream of "
                "device %d (%s)",
                Bytes, ordinal(), id());
  if (R != Success)
    return failed(R, "allocating memory in a stream");
  *Out = reinterpret_cast<void *>(A);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::releaseAsync(Queue &In, void *Pointer) {
  if (ended())
    return XCC_SUCCESS;
  XCC_TRY(enter());
  if (!usePool())
    return Device::releaseAsync(In, Pointer);
  return freed(TheDriver.MemFreeAsync(reinterpret_cast<Address>(Pointer),
                                      static_cast<CudaQueue &>(In).Work),
               "freeing memory in a stream");
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

xcc_status CudaDevice::makeQueue(CudaQueue *&Out) {
  Stream S = nullptr;
  if (Result R = TheDriver.StreamCreate(&S, StreamNonBlocking))
    return failed(R, "making a stream");
  Out = new (std::nothrow) CudaQueue(*this, S);
  if (!Out)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(), "out of memory for a queue");
  push(Queues, *Out);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::createQueue(Queue **Out) {
  XCC_TRY(enter());
  CudaQueue *Q = takeUnused(Queues.load(std::memory_order_acquire));
  if (!Q)
    XCC_TRY(makeQueue(Q));
  *Out = Q;
  return XCC_SUCCESS;
}

xcc_status CudaDevice::defaultQueue(Queue **Out) {
  CudaQueue *Q = Default.load(std::memory_order_acquire);
  if (!Q) [[unlikely]] {
    XCC_TRY(enter());
    CudaQueue *Made = nullptr;
    XCC_TRY(makeQueue(Made));
    if (Default.compare_exchange_strong(Q, Made))
      Q = Made;
    else
      Made->giveBack(); // for a stream
  }
  *Out = Q;
  return XCC_SUCCESS;
}

xcc_status CudaDevice::createEvent(Event **Out) {
  XCC_TRY(enter());
  EventHandle E = nullptr;
  if (Result R = TheDriver.EventCreate(&E, EventDefault))
    return failed(R, "making an event");
  *Out = new (std::nothrow) CudaEvent(*this, E);
  if (*Out)
    return XCC_SUCCESS;
  (void)TheDriver.EventDestroy(E);
  return fail(XCC_ERROR_OUT_OF_MEMORY, site(), "out of memory for an event");
}

void CudaDevice::drain() {
  for (CudaQueue *Q = Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
    Q->drain();
}

xcc_error *CudaDevice::takeError() {
  for (CudaQueue *Q = Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
    if (xcc_error *Error = Q->Pending.exchange(nullptr))
      return Error;
  return deadError();
}

void CudaDevice::shutDown() {
  if (!context())
    return;
  drain();
  // That the device is unusable is a repetition of what some call has said.
  xcc_error *Known = Dead.load(std::memory_order_acquire);
  for (CudaQueue *Q = Queues.load(std::memory_order_acquire); Q; Q = Q->Next) {
    xcc_error *Same = Known;
    if (Known && Q->Pending.compare_exchange_strong(Same, nullptr))
      xcc_error_release(Known);
  }
  // Code that runs after us (destructors of static buffers, units that unload)
  // must not call a driver that may be gone. The process's end frees it all.
  Ended.store(true, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void CudaDevice::describe(std::string &Out, const PastLaunch &P) const {
  Out = Out + "'" + P.Info->name + "'";
  if (P.File && *P.File)
    Out = Out + " (" + P.File + ":" + std::to_string(P.Line) + ")";
}

xcc_error *CudaDevice::fault(Result R) {
  std::lock_guard Lock(Mutex);
  if (xcc_error *Known = deadError())
    return Known;
  if (ended())
    return nullptr;
  abandonCalls(*this);
  const char *Id = id();
  ResultText Text(R);
  try {
    // What the kernel said before it gave up tells more than the driver can.
    std::string Why = Text.text();
    char Trap[1280];
    bool Said = takeTrap(*this, Trap, sizeof(Trap));
    if (Said)
      Why = std::string(Trap) + " (" + Text.name() + ")";
    std::vector<PastLaunch> Running;
    uint64_t Count = 0;
    for (CudaQueue *Q = Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
      Count += Q->Launches.visitRunning(
          [&](const PastLaunch &P) { Running.push_back(P); });
    std::sort(Running.begin(), Running.end(),
              [](const PastLaunch &A, const PastLaunch &B) {
                return A.Order > B.Order;
              });
    ErrorSite Site = site();
    std::string Who;
    if (Count == 1 && Running.size() == 1) {
      const PastLaunch &P = Running[0];
      Site = {P.Info->name, P.File, P.Line, ordinal()};
      char Advice[256];
      if (!Said)
        Why += stackAdvice(P.Info, "XCC_CUDA_STACK", Advice, sizeof(Advice));
      SentenceOf<128> Shape;
      Shape.addShape(P.Grid, P.Block);
      Who = "kernel ";
      describe(Who, P);
      Who = Who + " of " + Shape.text();
    } else if (Running.empty()) {
      Who = "work";
    } else {
      Who = "one of these launches: ";
      size_t Shown = std::min<size_t>(4, Running.size());
      for (size_t I = 0; I != Shown; ++I) {
        if (I)
          Who += ", ";
        describe(Who, Running[I]);
      }
      if (Count > Shown)
        Who = Who + " and " + std::to_string(Count - Shown) + " before them";
      Who += " (CUDA_LAUNCH_BLOCKING=1 tells which)";
    }
    xcc_error *First =
        makeError(statusOf(R), Site, "%s failed on device %d (%s): %s",
                  Who.c_str(), ordinal(), Id, Why.c_str());
    Dead.store(makeError(XCC_ERROR_LAUNCH_FAILED, Site,
                         "device %d (%s) is unusable since %s failed: %s; "
                         "restart the program",
                         ordinal(), Id, Who.c_str(), Why.c_str()),
               std::memory_order_release);
    return First;
  } catch (const std::bad_alloc &) {
    return makeError(statusOf(R), site(), "a kernel failed on device %d (%s)",
                     ordinal(), Id);
  }
}

xcc_error *CudaDevice::lateFailure(Result R) {
  if (R == Deinitialized)
    return nullptr; // the process is ending
  if (killsContext(R))
    return fault(R);
  return makeError(statusOf(R), site(), "waiting for device %d (%s) failed: %s",
                   ordinal(), id(), ResultText(R).text());
}

xcc_error *CudaDevice::deadError() {
  xcc_error *Error = Dead.load(std::memory_order_acquire);
  return Error && !ended() ? xcc_error_retain(Error) : nullptr;
}

xcc_status CudaDevice::failed(Result R, const char *What) {
  if (killsContext(R))
    if (xcc_error *Error = fault(R))
      return failWith(Error);
  return fail(statusOf(R), site(), "%s failed on device %d (%s): %s", What,
              ordinal(), id(), ResultText(R).text());
}

} // namespace xcc::rt::cuda
