// Memory and copies of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "devices/context.h"
#include "process/log.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace xcc::rt;

static xcc_status null(const char *call, const char *what) {
  return fail(XCC_ERROR_INVALID_VALUE, "%s: %s is null", call, what);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

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
    return null(from.alloc, "pointer");
  *out = nullptr;
  Device *d;
  XCC_TRY(currentDevice(d));
  if (bytes == 0)
    return XCC_SUCCESS;
  void *memory;
  XCC_TRY((d->*from.allocate)(bytes, &memory));
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
  return (a.on->*to.release)(pointer);
}

xcc_status xcc_alloc(size_t bytes, void **out) {
  return allocateFrom(DeviceSource, bytes, out);
}

xcc_status xcc_free(void *pointer) { return freeTo(DeviceSource, pointer); }

xcc_status xcc_alloc_host(size_t bytes, void **out) {
  return allocateFrom(HostSource, bytes, out);
}

xcc_status xcc_free_host(void *pointer) { return freeTo(HostSource, pointer); }

xcc_status xcc_alloc_async(size_t bytes, xcc_stream *stream, void **out) {
  if (!out)
    return null("xcc_alloc_async", "pointer");
  *out = nullptr;
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
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
  XCC_TRY(queueOf(stream, d, q));
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

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

namespace {
/// A checked copy or fill: who owns the two sides, null for the host.
struct Sides {
  Device *to = nullptr;
  Device *from = nullptr;
};
} // namespace

static xcc_status check(const char *call, const void *to, const void *from,
                        size_t bytes, Sides &out) {
  if (!to)
    return null(call, "the destination");
  if (!from)
    return null(call, "the source");
  XCC_TRY(checkRange(to, bytes, out.to));
  out.from = out.to;
  if (from != to)
    XCC_TRY(checkRange(from, bytes, out.from));
  XCC_LOG(Memory, "%s(%p, %p, %zu)", call, to, from, bytes);
  return XCC_SUCCESS;
}

static xcc_status waitFor(Device &d) {
  d.drain();
  return report(takeOwnErrors(d));
}

/// Can the device's queues reach memory of that owner?
static bool reaches(const Device &d, const Device *owner) {
  return !owner || &owner->kind() == &d.kind();
}

static xcc_status copyAndWait(Device &d, void *to, const void *from,
                              size_t bytes) {
  Queue *q;
  XCC_TRY(d.defaultQueue(&q));
  XCC_TRY(q->copy(to, from, bytes));
  q->drain();
  return report(q->takeOwnError());
}

/// Between devices of two kinds, whose APIs know nothing of each other: through
/// host memory. \p to and \p from have all earlier work behind them.
static xcc_status copyThroughHost(const Sides &s, void *to, const void *from,
                                  size_t bytes) {
  constexpr size_t step = size_t(4) << 20;
  std::unique_ptr<void, void (*)(void *)> between(malloc(std::min(step, bytes)),
                                                  free);
  if (!between)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a copy");
  for (size_t done = 0; done != bytes;) {
    size_t part = std::min(step, bytes - done);
    XCC_TRY(copyAndWait(*s.from, between.get(),
                        static_cast<const char *>(from) + done, part));
    XCC_TRY(copyAndWait(*s.to, static_cast<char *>(to) + done, between.get(),
                        part));
    done += part;
  }
  return XCC_SUCCESS;
}

/// Copies what \p d, whose stream it was to be in, cannot reach.
static xcc_status copyElsewhere(const Sides &s, void *to, const void *from,
                                size_t bytes) {
  if (s.from && s.to && &s.from->kind() != &s.to->kind())
    return copyThroughHost(s, to, from, bytes);
  return copyAndWait(s.to ? *s.to : *s.from, to, from, bytes);
}

xcc_status xcc_copy_async(void *to, const void *from, size_t bytes,
                          xcc_stream *stream) {
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (bytes == 0)
    return XCC_SUCCESS;
  Sides s;
  XCC_TRY(check("xcc_copy", to, from, bytes, s));
  if (reaches(*d, s.to) && reaches(*d, s.from)) [[likely]]
    return q->copy(to, from, bytes);
  q->drain();
  return copyElsewhere(s, to, from, bytes);
}

xcc_status xcc_fill_async(void *to, int byte, size_t bytes,
                          xcc_stream *stream) {
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (bytes == 0)
    return XCC_SUCCESS;
  Sides s;
  XCC_TRY(check("xcc_fill", to, to, bytes, s));
  if (reaches(*d, s.to)) [[likely]]
    return q->fill(to, byte, bytes);
  q->drain();
  XCC_TRY(s.to->defaultQueue(&q));
  XCC_TRY(q->fill(to, byte, bytes));
  q->drain();
  return report(q->takeOwnError());
}

/// Before a copy that waits: the work that may still write the source or use
/// the destination, and its failure.
static xcc_status waitForSides(Device &current, const Sides &s) {
  if (s.to && s.to != &current)
    XCC_TRY(waitFor(*s.to));
  if (s.from && s.from != &current && s.from != s.to)
    XCC_TRY(waitFor(*s.from));
  return XCC_SUCCESS;
}

xcc_status xcc_copy(void *to, const void *from, size_t bytes) {
  Device *d;
  XCC_TRY(mayWait("a copy or fill that waits"));
  XCC_TRY(currentDevice(d));
  XCC_TRY(waitFor(*d));
  if (bytes == 0)
    return XCC_SUCCESS;
  Sides s;
  XCC_TRY(check("xcc_copy", to, from, bytes, s));
  XCC_TRY(waitForSides(*d, s));
  if (reaches(*d, s.to) && reaches(*d, s.from))
    return copyAndWait(*d, to, from, bytes);
  return copyElsewhere(s, to, from, bytes);
}

xcc_status xcc_fill(void *to, int byte, size_t bytes) {
  Device *d;
  XCC_TRY(mayWait("a copy or fill that waits"));
  XCC_TRY(currentDevice(d));
  XCC_TRY(waitFor(*d));
  if (bytes == 0)
    return XCC_SUCCESS;
  Sides s;
  XCC_TRY(check("xcc_fill", to, to, bytes, s));
  XCC_TRY(waitForSides(*d, s));
  if (!reaches(*d, s.to))
    d = s.to;
  Queue *q;
  XCC_TRY(d->defaultQueue(&q));
  XCC_TRY(q->fill(to, byte, bytes));
  q->drain();
  return report(q->takeOwnError());
}
