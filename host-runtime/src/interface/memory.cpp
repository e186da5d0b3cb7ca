// Memory of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "devices/context.h"
#include "mapping/settle.h"
#include "services/host_services.h"

using namespace xcc::rt;

static xcc_status outOfTable(Device *d) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, d->ordinal()},
              "out of memory for the runtime's own table of allocations");
}

namespace {
/// The two kinds of memory that the interface gives and takes.
struct Source {
  const char *alloc, *free; ///< the functions, for messages
  MemoryKind kind;
  xcc_status (Device::*allocate)(size_t, void **);
  xcc_status (Device::*release)(void *);
};
constexpr Source DeviceSource = {"xcc_alloc", "xcc_free", MemoryKind::Device,
                                 &Device::allocate, &Device::release};
constexpr Source HostSource = {"xcc_alloc_host", "xcc_free_host",
                               MemoryKind::Host, &Device::allocateHost,
                               &Device::releaseHost};
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
  XCC_TRY(findDevice(0, d)); // is there a runtime to free in?
  Allocation a;
  if (!takeAllocation(pointer, to.kind == MemoryKind::Host, a))
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: %p was not allocated with %s, or is already free", to.free,
                pointer, to.alloc);
  // It waits for the device, and the program may know.
  if (a.on->mapped.load(std::memory_order_acquire)) {
    xcc_status settled = drainAndSettle(*a.on);
    XCC_TRY((a.on->*to.release)(pointer));
    return settled;
  }
  return (a.on->*to.release)(pointer);
}

xcc_status xcc_alloc(size_t bytes, void **out) {
  return allocateFrom(DeviceSource, bytes, out);
}

xcc_status xcc_alloc_pitched(const xcc_extent *extent, xcc_pitch *pitch,
                             void **out) {
  constexpr const char *call = "xcc_alloc_pitched";
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

xcc_status xcc_free(void *pointer) { return freeTo(DeviceSource, pointer); }

xcc_status xcc_alloc_host(size_t bytes, void **out) {
  return allocateFrom(HostSource, bytes, out);
}

xcc_status xcc_free_host(void *pointer) { return freeTo(HostSource, pointer); }

xcc_status xcc_alloc_async(size_t bytes, xcc_stream *stream, void **out) {
  if (!out)
    return failNull("xcc_alloc_async", "pointer");
  *out = nullptr;
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_alloc_async"));
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

xcc_status xcc_free_async(void *pointer, xcc_stream *stream) {
  if (!pointer)
    return XCC_SUCCESS;
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_free_async"));
  Allocation a;
  if (!takeAllocation(pointer, false, a))
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_free_async: %p was not allocated with xcc_alloc_async, or "
                "is already free",
                pointer);
  if (a.kind == MemoryKind::Stream && a.on == d)
    return d->releaseAsync(*q, pointer);
  q->drain(); // not memory that this stream can free in its order
  return a.on->release(pointer);
}
