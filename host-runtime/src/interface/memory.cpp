// Memory of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "devices/context.h"
#include "devices/unwritten_wait.h"
#include "mapping/settle.h"
#include "services/host_services.h"

using namespace xcc::rt;

static xcc_status outOfTable(Device *d) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, d->ordinal()},
              "out of memory for the runtime's own table of allocations");
}

namespace {
/// A kind of memory with its functions of the interface.
struct Source {
  const char *alloc, *free; ///< the functions, for messages
  MemoryKind kind;
  xcc_status (Device::*allocate)(size_t, void **);
  xcc_status (Device::*release)(void *);
};
constexpr Source DeviceSource = {"xcc_memory_alloc", "xcc_memory_free",
                                 MemoryKind::Device, &Device::allocate,
                                 &Device::release};
constexpr Source HostSource = {"xcc_memory_alloc_host", "xcc_memory_free_host",
                               MemoryKind::Host, &Device::allocateHost,
                               &Device::releaseHost};
constexpr Source ManagedSource = {
    "xcc_memory_alloc_managed", "xcc_memory_free_managed", MemoryKind::Managed,
    &Device::allocateManaged, &Device::releaseManaged};
/// Freeing this kind only unlocks the memory.
constexpr Source RegisteredSource = {
    "xcc_memory_register", "xcc_memory_unregister", MemoryKind::Registered,
    nullptr, &Device::unregisterHost};
} // namespace

static xcc_status allocateFrom(const Source &from, size_t bytes, void **out) {
  if (!out)
    return failNull(from.alloc, "pointer");
  *out = nullptr;
  Device *d;
  XCC_TRY(mayDoNow(from.alloc));
  XCC_TRY(currentDevice(d));
  if (bytes == 0)
    return XCC_SUCCESS;
  void *memory;
  xcc_status status = (d->*from.allocate)(bytes, &memory);
  if (status == XCC_ERROR_OUT_OF_MEMORY && trimMapped(*d))
    status = (d->*from.allocate)(bytes, &memory);
  XCC_TRY(status);
  if (!rememberAllocation(memory, {bytes, d, from.kind})) {
    (void)(d->*from.release)(memory);
    return outOfTable(d);
  }
  *out = memory;
  return XCC_SUCCESS;
}

static xcc_status freeTo(const Source &to, void *pointer) {
  if (!pointer || exitingFromDevice() || leftBehind())
    return XCC_SUCCESS;
  XCC_TRY(mayWait(to.free));
  Device *d;
  XCC_TRY(findDevice(0, d)); // fails if the runtime cannot be used any more
  Allocation a;
  if (!takeAllocation(pointer, to.kind, a))
    return failToTake(to.free, to.alloc, pointer);
  endOrExit(*a.on);
  ImplicitWait waits(*a.on, "the end of an xcc::buffer, or xcc_memory_free,");
  // Freeing waits for the device, so bring mapped memory up to date too.
  if (a.on->mapped.load(std::memory_order_acquire)) {
    xcc_status settled = drainAndSettle(*a.on);
    XCC_TRY((a.on->*to.release)(pointer));
    return settled;
  }
  return (a.on->*to.release)(pointer);
}

xcc_status xcc_memory_alloc(size_t bytes, void **out) {
  return allocateFrom(DeviceSource, bytes, out);
}

xcc_status xcc_memory_alloc_pitched(const xcc_extent *extent, xcc_pitch *pitch,
                                    void **out) {
  constexpr const char *call = "xcc_memory_alloc_pitched";
  if (!out)
    return failNull(call, "pointer");
  *out = nullptr;
  if (!extent)
    return failNull(call, "the extent");
  if (!pitch)
    return failNull(call, "the pitch");
  *pitch = {};
  Device *d;
  XCC_TRY(currentDevice(d));
  if (!extent->width || !extent->height || !extent->depth)
    return XCC_SUCCESS;
  size_t row, bytes;
  if (__builtin_add_overflow(extent->width, d->rowAlignment() - 1, &row) ||
      __builtin_mul_overflow(row & -d->rowAlignment(), extent->height,
                             &pitch->slice) ||
      __builtin_mul_overflow(pitch->slice, extent->depth, &bytes))
    return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, d->ordinal()},
                "out of memory: %zu slices of %zu rows of %zu bytes are more "
                "than an address space holds",
                extent->depth, extent->height, extent->width);
  pitch->row = row & -d->rowAlignment();
  return allocateFrom(DeviceSource, bytes, out);
}

xcc_status xcc_memory_free(void *pointer) {
  return freeTo(DeviceSource, pointer);
}

xcc_status xcc_memory_alloc_host(size_t bytes, void **out) {
  return allocateFrom(HostSource, bytes, out);
}

xcc_status xcc_memory_free_host(void *pointer) {
  return freeTo(HostSource, pointer);
}

xcc_status xcc_memory_alloc_managed(size_t bytes, void **out) {
  return allocateFrom(ManagedSource, bytes, out);
}

xcc_status xcc_memory_free_managed(void *pointer) {
  return freeTo(ManagedSource, pointer);
}

xcc_status xcc_memory_register(void *pointer, size_t bytes) {
  constexpr const char *call = "xcc_memory_register";
  if (!pointer)
    return failNull(call, "pointer");
  if (!bytes || bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(pointer))
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: %zu bytes from %p are no memory of the host", call, bytes,
                pointer);
  Device *d;
  XCC_TRY(currentDevice(d));
  reportUnmappedRegistrations();
  if (overlapsAllocation(pointer, bytes))
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: some of the %zu bytes from %p are registered already, or "
                "were allocated with xcc; what is freed has to be unregistered "
                "first",
                call, bytes, pointer);
  // The memory may be mapped, and a device may have changed its copy.
  XCC_TRY(settleRange(pointer, bytes));
  XCC_TRY(d->registerHost(pointer, bytes));
  if (rememberAllocation(pointer, {bytes, d, MemoryKind::Registered}))
    return XCC_SUCCESS;
  (void)d->unregisterHost(pointer);
  return outOfTable(d);
}

xcc_status xcc_memory_unregister(void *pointer) {
  if (!pointer)
    return failNull("xcc_memory_unregister", "pointer");
  return freeTo(RegisteredSource, pointer);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

xcc_status xcc_device_get_pool(int device, xcc_pool_info *info) {
  if (!info)
    return failNull("xcc_device_get_pool", "info");
  *info = {};
  Device *d;
  XCC_TRY(findDevice(device, d));
  info->used = allocatedInStreams(*d);
  return d->poolState(info->kept, info->limit);
}

xcc_status xcc_device_set_pool_limit(int device, uint64_t bytes) {
  Device *d;
  XCC_TRY(findDevice(device, d));
  return d->limitPool(bytes);
}

xcc_status xcc_device_trim_pool(int device, uint64_t keep) {
  XCC_TRY(mayWait("xcc_device_trim_pool"));
  Device *d;
  XCC_TRY(findDevice(device, d));
  d->drain(); // memory freed in stream order is free once the stream gets there
  return d->trimPool(keep);
}

xcc_status xcc_memory_alloc_async(size_t bytes, xcc_stream *stream,
                                  void **out) {
  if (!out)
    return failNull("xcc_memory_alloc_async", "pointer");
  *out = nullptr;
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_memory_alloc_async"));
  if (bytes == 0)
    return XCC_SUCCESS;
  void *memory;
  XCC_TRY(d->allocateAsync(*q, bytes, &memory));
  if (!rememberAllocation(memory, {bytes, d, MemoryKind::Stream})) {
    (void)d->releaseAsync(*q, memory);
    return outOfTable(d);
  }
  *out = memory;
  return XCC_SUCCESS;
}

xcc_status xcc_memory_free_async(void *pointer, xcc_stream *stream) {
  if (!pointer)
    return XCC_SUCCESS;
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_memory_free_async"));
  Allocation a;
  if (!takeAllocation(pointer, MemoryKind::Device, a))
    return failToTake("xcc_memory_free_async", "xcc_memory_alloc_async",
                      pointer);
  if (a.kind == MemoryKind::Stream && a.on == d)
    return d->releaseAsync(*q, pointer);
  q->drain(); // this stream cannot free the memory in its own order
  return a.on->release(pointer);
}

xcc_status xcc_memory_find(const void *at, xcc_memory_info *info) {
  if (!info)
    return failNull("xcc_memory_find", "info");
  *info = {XCC_MEMORY_UNKNOWN, -1, nullptr, 0};
  // The address one past an allocation is not part of it.
  FoundAllocation found;
  auto address = reinterpret_cast<uintptr_t>(at);
  if (!findAllocation(at, found) || address - found.begin >= found.size)
    return XCC_SUCCESS;
  switch (found.kind) {
  case MemoryKind::Device:
  case MemoryKind::Stream:
  case MemoryKind::Variable:
    info->kind = XCC_MEMORY_DEVICE;
    break;
  case MemoryKind::Host:
    info->kind = XCC_MEMORY_HOST;
    break;
  case MemoryKind::Managed:
    info->kind = XCC_MEMORY_MANAGED;
    break;
  case MemoryKind::Registered:
    info->kind = XCC_MEMORY_REGISTERED;
    break;
  }
  info->device = found.on->ordinal();
  info->begin = reinterpret_cast<void *>(found.begin);
  info->size = found.size;
  return XCC_SUCCESS;
}
