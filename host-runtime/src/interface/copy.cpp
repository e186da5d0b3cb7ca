// Copies and fills of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "devices/context.h"
#include "mapping/settle.h"
#include "process/log.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace xcc::rt;

namespace {
/// A copy or fill, checked: what is the same for both, and for those that wait
/// and those that do not.
class Transfer {
public:
  static xcc_status copy(const void *to, const void *from, size_t bytes,
                         Transfer &out) {
    return out.locateBoth("xcc_copy", to, from, bytes);
  }
  static xcc_status fill(const char *call, const void *to,
                         const Element &element, size_t bytes, Transfer &out) {
    out.element = element;
    return out.locateBoth(call, to, to, bytes);
  }

  /// Can the device's queues reach both sides?
  bool isWithin(const Device &d) const {
    return reaches(d, to.owner) && reaches(d, from.owner);
  }
  xcc_status enqueue(Queue &q) const {
    return element.size ? q.fill(to, element, bytes) : q.copy(to, from, bytes);
  }
  /// In the device's default queue.
  xcc_status runOn(Device &d) const;
  /// For devices whose queues cannot reach both sides. All earlier work with
  /// them has ended.
  xcc_status runElsewhere() const;
  /// Waits for the work of other devices that may still write the source or use
  /// the destination, and reports its failure.
  xcc_status waitForOwners(const Device &waitedFor) const;

private:
  static bool reaches(const Device &d, const Device *owner) {
    return !owner || &owner->kind() == &d.kind();
  }
  xcc_status locateBoth(const char *call, const void *to, const void *from,
                        size_t bytes);
  xcc_status throughHost() const;

  Place to, from; ///< the same in a fill
  size_t bytes = 0;
  Element element = {nullptr, 0}; ///< of a fill; its bytes are the caller's
};
} // namespace

xcc_status Transfer::locateBoth(const char *call, const void *toAt,
                                const void *fromAt, size_t size) {
  if (!toAt)
    return failNull(call, "the destination");
  if (!fromAt)
    return failNull(call, "the source");
  bytes = size;
  XCC_TRY(locate(toAt, size, to));
  from = to;
  if (fromAt != toAt)
    XCC_TRY(locate(fromAt, size, from));
  if (!to.owner)
    XCC_TRY(settleRange(toAt, size));
  if (!from.owner && fromAt != toAt)
    XCC_TRY(settleRange(fromAt, size));
  XCC_LOG(Memory, "%s(%p, %p, %zu)", call, toAt, fromAt, size);
  return XCC_SUCCESS;
}

xcc_status Transfer::runOn(Device &d) const {
  Queue *q;
  XCC_TRY(d.defaultQueue(&q));
  XCC_TRY(enqueue(*q));
  q->drain();
  return report(q->takeOwnError());
}

/// Between devices of two kinds, whose drivers know nothing of each other.
xcc_status Transfer::throughHost() const {
  constexpr size_t step = size_t(4) << 20;
  std::unique_ptr<void, void (*)(void *)> between(malloc(std::min(step, bytes)),
                                                  free);
  if (!between)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a copy");
  Transfer out, in;
  out.to = in.from = {.at = between.get()};
  for (size_t done = 0; done != bytes; done += out.bytes) {
    out.bytes = in.bytes = std::min(step, bytes - done);
    out.from = from + done;
    in.to = to + done;
    XCC_TRY(out.runOn(*from.owner));
    XCC_TRY(in.runOn(*to.owner));
  }
  return XCC_SUCCESS;
}

xcc_status Transfer::runElsewhere() const {
  if (from.owner && to.owner && &from.owner->kind() != &to.owner->kind())
    return throughHost();
  return runOn(to.owner ? *to.owner : *from.owner);
}

static xcc_status waitFor(Device &d) {
  xcc_status settled = drainAndSettle(d);
  xcc_error *pending = takeOwnErrors(d);
  return pending ? report(pending) : settled;
}

xcc_status Transfer::waitForOwners(const Device &waitedFor) const {
  if (to.owner && to.owner != &waitedFor)
    XCC_TRY(waitFor(*to.owner));
  if (from.owner && from.owner != &waitedFor && from.owner != to.owner)
    XCC_TRY(waitFor(*from.owner));
  return XCC_SUCCESS;
}

/// In a stream's order. \p check makes the transfer, unless it has no bytes.
template <class Fn>
static xcc_status enqueue(xcc_stream *stream, size_t bytes, Fn check) {
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (bytes == 0)
    return XCC_SUCCESS;
  Transfer t;
  XCC_TRY(check(t));
  if (t.isWithin(*d)) [[likely]]
    return t.enqueue(*q);
  q->drain();
  return t.runElsewhere();
}

/// Behind all work of the current device, and done when it returns.
template <class Fn> static xcc_status runAndWait(size_t bytes, Fn check) {
  Device *d;
  XCC_TRY(mayWait("a copy or fill that waits"));
  XCC_TRY(currentDevice(d));
  XCC_TRY(waitFor(*d));
  if (bytes == 0)
    return XCC_SUCCESS;
  Transfer t;
  XCC_TRY(check(t));
  XCC_TRY(t.waitForOwners(*d));
  return t.isWithin(*d) ? t.runOn(*d) : t.runElsewhere();
}

xcc_status xcc_copy_async(void *to, const void *from, size_t bytes,
                          xcc_stream *stream) {
  return enqueue(stream, bytes, [&](Transfer &t) {
    return Transfer::copy(to, from, bytes, t);
  });
}

xcc_status xcc_copy(void *to, const void *from, size_t bytes) {
  return runAndWait(
      bytes, [&](Transfer &t) { return Transfer::copy(to, from, bytes, t); });
}

static xcc_status fillAsync(const char *call, void *to, const Element &element,
                            size_t bytes, xcc_stream *stream) {
  return enqueue(stream, bytes, [&](Transfer &t) {
    return Transfer::fill(call, to, element, bytes, t);
  });
}

static xcc_status fillAndWait(const char *call, void *to,
                              const Element &element, size_t bytes) {
  return runAndWait(bytes, [&](Transfer &t) {
    return Transfer::fill(call, to, element, bytes, t);
  });
}

xcc_status xcc_fill_async(void *to, int byte, size_t bytes,
                          xcc_stream *stream) {
  const auto element = static_cast<unsigned char>(byte);
  return fillAsync("xcc_fill", to, {&element, 1}, bytes, stream);
}

xcc_status xcc_fill(void *to, int byte, size_t bytes) {
  const auto element = static_cast<unsigned char>(byte);
  return fillAndWait("xcc_fill", to, {&element, 1}, bytes);
}

/// Bytes of \p count elements.
static xcc_status elementBytes(const void *element, size_t size, size_t count,
                               size_t &bytes) {
  if (!element)
    return failNull("xcc_fill_elements", "the element");
  if (!size)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_fill_elements: an element has at least one byte");
  if (__builtin_mul_overflow(size, count, &bytes))
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_fill_elements: %zu elements of %zu bytes are more than an "
                "address space holds",
                count, size);
  return XCC_SUCCESS;
}

xcc_status xcc_fill_elements_async(void *to, const void *element, size_t size,
                                   size_t count, xcc_stream *stream) {
  size_t bytes;
  XCC_TRY(elementBytes(element, size, count, bytes));
  return fillAsync("xcc_fill_elements", to, {element, size}, bytes, stream);
}

xcc_status xcc_fill_elements(void *to, const void *element, size_t size,
                             size_t count) {
  size_t bytes;
  XCC_TRY(elementBytes(element, size, count, bytes));
  return fillAndWait("xcc_fill_elements", to, {element, size}, bytes);
}

xcc_status xcc_check_room(size_t count, size_t room) {
  if (count <= room)
    return XCC_SUCCESS;
  if (count > PTRDIFF_MAX)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%zd objects: a negative count, or an unsigned one below 0",
                static_cast<ptrdiff_t>(count));
  return fail(XCC_ERROR_INVALID_VALUE,
              "%zu objects are more than there is room for: %zu", count, room);
}
