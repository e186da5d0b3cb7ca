// Memory of NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/queue/queue.h"
#include "gpu.h"
#include "process/log.h"

namespace xcc::rt::cuda {

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

xcc_status CudaDevice::freeMemory(uint64_t &bytes) {
  XCC_TRY(enter());
  size_t free = 0, total = 0;
  if (Result r = theDriver.MemGetInfo(&free, &total))
    return failed(r, "asking for free memory");
  bytes = free;
  return XCC_SUCCESS;
}

xcc_status CudaDevice::freed(Result r, const char *what) {
  // If the driver is gone, it has freed everything.
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
  // Memory that every device can use, and that running kernels see.
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

xcc_status CudaDevice::allocateManaged(size_t bytes, void **out) {
  if (!hasManaged)
    return fail(
        XCC_ERROR_INVALID_DEVICE, site(),
        "device %d (%s) has no managed memory; xcc_memory_alloc_host gives "
        "memory that both sides reach",
        ordinal(), id());
  XCC_TRY(enter());
  Address a = 0;
  Result r = theDriver.MemAllocManaged(&a, bytes, AttachGlobal);
  if (r == OutOfMemory)
    return fail(
        XCC_ERROR_OUT_OF_MEMORY, site(),
        "out of memory: cannot allocate %zu bytes of managed memory for "
        "device %d (%s)",
        bytes, ordinal(), id());
  if (r != Success)
    return failed(r, "allocating managed memory");
  *out = reinterpret_cast<void *>(a);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::registerHost(void *pointer, size_t bytes) {
  XCC_TRY(enter());
  if (Result r = theDriver.MemHostRegister(
          pointer, bytes, RegisterPortable | RegisterDeviceMap))
    return failed(r, "page-locking memory of the host");
  return XCC_SUCCESS;
}

xcc_status CudaDevice::unregisterHost(void *pointer) {
  if (ended())
    return XCC_SUCCESS;
  drain();
  XCC_TRY(enter());
  return freed(theDriver.MemHostUnregister(pointer),
               "unlocking memory of the host");
}

bool CudaDevice::reaches(const void *pointer) {
  // The driver knows only device, managed and registered memory.
  unsigned where = 0;
  return enter() == XCC_SUCCESS &&
         theDriver.PointerGetAttribute(&where, PointerMemoryType,
                                       reinterpret_cast<uintptr_t>(pointer)) ==
             Success;
}

xcc_status CudaDevice::seenAt(void *pointer, void *&out) {
  out = pointer; // all supported GPUs have unified addresses
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

/// Does the driver have allocations in stream order? Checks once.
bool CudaDevice::usePool() {
  std::lock_guard lock(mutex);
  if (poolUse)
    return poolUse == 1;
  poolUse = 2;
  MemoryPool memory = pool();
  if (!memory)
    return false;
  // Keep freed memory in the process: giving it back at each synchronisation
  // costs more than the allocation.
  uint64_t all = UINT64_MAX;
  if (theDriver.MemPoolSetAttribute(memory, PoolReleaseThreshold, &all) !=
      Success)
    XCC_LOG(Device, "device %d: its memory pool keeps no freed memory",
            ordinal());
  poolUse = 1;
  return true;
}

bool CudaDevice::trimPool() {
  {
    std::lock_guard lock(mutex);
    if (poolUse != 1)
      return false;
  }
  drain(); // memory freed in stream order is free once the stream gets there
  return theDriver.MemPoolTrimTo(pool(), 0) == Success;
}

xcc_status CudaDevice::poolState(uint64_t &kept, uint64_t &limit) {
  kept = limit = 0;
  XCC_TRY(enter());
  if (!usePool() || !theDriver.MemPoolGetAttribute)
    return XCC_SUCCESS;
  uint64_t reserved = 0, used = 0;
  Result r = theDriver.MemPoolGetAttribute(pool(), PoolReserved, &reserved);
  if (r == Success)
    r = theDriver.MemPoolGetAttribute(pool(), PoolUsed, &used);
  if (r == Success)
    r = theDriver.MemPoolGetAttribute(pool(), PoolReleaseThreshold, &limit);
  if (r != Success)
    return failed(r, "querying the state of its memory pool");
  kept = reserved - used;
  return XCC_SUCCESS;
}

xcc_status CudaDevice::limitPool(uint64_t bytes) {
  XCC_TRY(enter());
  if (!usePool())
    return XCC_SUCCESS;
  if (Result r =
          theDriver.MemPoolSetAttribute(pool(), PoolReleaseThreshold, &bytes))
    return failed(r, "limiting its memory pool");
  return XCC_SUCCESS;
}

xcc_status CudaDevice::trimPool(uint64_t keep) {
  XCC_TRY(enter());
  if (!usePool())
    return XCC_SUCCESS;
  if (Result r = theDriver.MemPoolTrimTo(pool(), keep))
    return failed(r, "giving back memory of its pool");
  return XCC_SUCCESS;
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

} // namespace xcc::rt::cuda
