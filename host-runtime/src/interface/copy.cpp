// Copies and fills of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "devices/context.h"
#include "graphs/recording.h"
#include "mapping/settle.h"
#include "process/log.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace xcc::rt;

namespace {
/// A checked copy or fill: the part that is common to both, and to calls that
/// wait and calls that do not.
class Transfer {
public:
  static xcc_status copy(const void *to, const void *from, size_t bytes,
                         Transfer &out) {
    return out.locateBoth("xcc_memory_copy", to, from, bytes);
  }
  static xcc_status fill(const char *call, const void *to,
                         const Element &element, size_t bytes, Transfer &out) {
    out.element = element;
    return out.locateBoth(call, to, to, bytes);
  }
  /// Copies rows, or fills them if there is an element. \p rows must outlive
  /// it.
  static xcc_status pitched(const char *call, const void *to, const void *from,
                            const Rows &rows, const Element &element,
                            Transfer &out) {
    out.element = element;
    out.rows = &rows;
    return out.locateBoth(call, to, element.size ? to : from,
                          rows.reach(rows.to), rows.reach(rows.from));
  }

  /// Can the device's queues access both sides?
  bool isWithin(const Device &d) const {
    return reaches(d, to.owner) && reaches(d, from.owner);
  }
  xcc_status enqueue(Queue &q) const {
    if (rows)
      return element.size ? q.fillRows(to, element, *rows)
                          : q.copyRows(to, from, *rows);
    return element.size ? q.fill(to, element, bytes) : q.copy(to, from, bytes);
  }
  /// Adds the transfer to a recording on the device.
  xcc_status record(Recording &r, const Device &d) const;
  /// Runs it in the device's default queue, and waits.
  xcc_status runOn(Device &d) const;
  /// Runs it if the device's queues cannot access both sides. All earlier work
  /// with them must have ended.
  xcc_status runElsewhere() const;
  /// Waits for the work of other devices that may still write the source or use
  /// the destination. Reports their failures.
  xcc_status waitForOwners(const Device &waitedFor) const;

private:
  static bool reaches(const Device &d, const Device *owner) {
    return !owner || &owner->kind() == &d.kind();
  }
  xcc_status locateBoth(const char *call, const void *to, const void *from,
                        size_t bytes, size_t fromBytes);
  xcc_status locateBoth(const char *call, const void *to, const void *from,
                        size_t bytes) {
    return locateBoth(call, to, from, bytes, bytes);
  }
  xcc_status throughHost() const;

  Place to, from; ///< both the same for a fill
  size_t bytes = 0;
  Element element = {nullptr, 0}; ///< of a fill; the caller owns its bytes
  const Rows *rows = nullptr;     ///< null: the bytes are contiguous
};
} // namespace

xcc_status Transfer::locateBoth(const char *call, const void *toAt,
                                const void *fromAt, size_t size,
                                size_t fromSize) {
  if (!toAt)
    return failNull(call, "the destination");
  if (!fromAt)
    return failNull(call, "the source");
  bytes = size;
  XCC_TRY(locate(toAt, size, to));
  from = to;
  if (fromAt != toAt)
    XCC_TRY(locate(fromAt, fromSize, from));
  if (!to.owner)
    XCC_TRY(settleRange(toAt, size));
  if (!from.owner && fromAt != toAt)
    XCC_TRY(settleRange(fromAt, fromSize));
  XCC_LOG(Memory, "%s(%p, %p, %zu)", call, toAt, fromAt, size);
  return XCC_SUCCESS;
}

xcc_status Transfer::record(Recording &r, const Device &d) const try {
  if (!isWithin(d)) {
    (void)fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, d.ordinal()},
               "a copy between devices of two kinds goes by way of the host "
               "and cannot be part of a graph");
    return r.rejected();
  }
  Step s;
  s.kind = element.size ? Step::Kind::Fill : Step::Kind::Copy;
  s.to = to;
  s.from = from;
  s.size = bytes;
  s.fromSize = rows ? rows->reach(rows->from) : bytes;
  s.apart = rows;
  if (rows)
    s.rows = *rows;
  auto *at = static_cast<const char *>(element.bytes);
  s.bytes.assign(at, at + element.size);
  return r.add(std::move(s));
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for recording a graph");
}

xcc_status Transfer::runOn(Device &d) const {
  Queue *q;
  XCC_TRY(d.defaultQueue(&q));
  XCC_TRY(enqueue(*q));
  q->drain();
  return report(q->takeOwnError());
}

/// Copies through the host, between devices whose drivers do not know each
/// other.
xcc_status Transfer::throughHost() const {
  if (rows)
    return rows->each(to, from, [&](const Place &here, const Place &there) {
      Transfer row;
      row.to = here;
      row.from = there;
      row.bytes = rows->width;
      return row.throughHost();
    });
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

/// Enqueues a transfer in a stream. \p check makes it, unless it has no bytes.
template <class Fn>
static xcc_status enqueue(xcc_stream *stream, size_t bytes, Fn check) {
  Device *d;
  Queue *q;
  Recording *recording;
  XCC_TRY(queueOf(stream, d, q, recording));
  if (bytes == 0)
    return XCC_SUCCESS;
  Transfer t;
  XCC_TRY(check(t));
  if (recording) [[unlikely]]
    return t.record(*recording, *d);
  if (t.isWithin(*d)) [[likely]]
    return t.enqueue(*q);
  q->drain();
  return t.runElsewhere();
}

/// Runs a transfer after all work of the current device, and waits for it.
template <class Fn> static xcc_status runAndWait(size_t bytes, Fn check) {
  Device *d;
  XCC_TRY(mayWait("a copy or fill that waits"));
  XCC_TRY(mayDoNow("a copy or fill that waits"));
  XCC_TRY(currentDevice(d));
  XCC_TRY(waitFor(*d));
  if (bytes == 0)
    return XCC_SUCCESS;
  Transfer t;
  XCC_TRY(check(t));
  XCC_TRY(t.waitForOwners(*d));
  return t.isWithin(*d) ? t.runOn(*d) : t.runElsewhere();
}

xcc_status xcc_memory_copy_async(void *to, const void *from, size_t bytes,
                                 xcc_stream *stream) {
  return enqueue(stream, bytes, [&](Transfer &t) {
    return Transfer::copy(to, from, bytes, t);
  });
}

xcc_status xcc_memory_copy(void *to, const void *from, size_t bytes) {
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

xcc_status xcc_memory_fill_async(void *to, int byte, size_t bytes,
                                 xcc_stream *stream) {
  const auto element = static_cast<unsigned char>(byte);
  return fillAsync("xcc_memory_fill", to, {&element, 1}, bytes, stream);
}

xcc_status xcc_memory_fill(void *to, int byte, size_t bytes) {
  const auto element = static_cast<unsigned char>(byte);
  return fillAndWait("xcc_memory_fill", to, {&element, 1}, bytes);
}

/// Computes the bytes of \p count elements.
static xcc_status elementBytes(const void *element, size_t size, size_t count,
                               size_t &bytes) {
  if (!element)
    return failNull("xcc_memory_fill_elements", "the element");
  if (!size)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_memory_fill_elements: an element has at least one byte");
  if (__builtin_mul_overflow(size, count, &bytes))
    return fail(
        XCC_ERROR_INVALID_VALUE,
        "xcc_memory_fill_elements: %zu elements of %zu bytes are more than an "
        "address space holds",
        count, size);
  return XCC_SUCCESS;
}

xcc_status xcc_memory_fill_elements_async(void *to, const void *element,
                                          size_t size, size_t count,
                                          xcc_stream *stream) {
  size_t bytes;
  XCC_TRY(elementBytes(element, size, count, bytes));
  return fillAsync("xcc_memory_fill_elements", to, {element, size}, bytes,
                   stream);
}

xcc_status xcc_memory_fill_elements(void *to, const void *element, size_t size,
                                    size_t count) {
  size_t bytes;
  XCC_TRY(elementBytes(element, size, count, bytes));
  return fillAndWait("xcc_memory_fill_elements", to, {element, size}, bytes);
}

//===----------------------------------------------------------------------===//
// Rows with gaps
//===----------------------------------------------------------------------===//

/// Checks one side's pitch. \p which names it in messages. Computes the
/// distance of slices if it is 0.
static xcc_status checkPitch(const char *call, const char *which,
                             const xcc_pitch *given, const xcc_extent &of,
                             xcc_pitch &out) {
  if (!given)
    return failNull(call, which);
  out = *given;
  size_t slice, last, lastRow, all;
  if (out.row < of.width)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: rows of %zu bytes do not fit %s, which is %zu bytes", call,
                of.width, which, out.row);
  if (__builtin_mul_overflow(of.height, out.row, &slice))
    slice = SIZE_MAX;
  if (!out.slice)
    out.slice = slice;
  if (of.depth > 1 && out.slice < slice)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: slices of %zu rows, %zu bytes apart, do not fit %s, whose "
                "slices are %zu bytes apart",
                call, of.height, out.row, which, out.slice);
  if (__builtin_mul_overflow(of.depth - 1, out.slice, &last) ||
      __builtin_mul_overflow(of.height - 1, out.row, &lastRow) ||
      __builtin_add_overflow(last, lastRow, &all) ||
      __builtin_add_overflow(all, of.width, &all) || all > PTRDIFF_MAX)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: %zu slices of %zu rows are more than an address space "
                "holds, as %s is",
                call, of.depth, of.height, which);
  return XCC_SUCCESS;
}

/// Whether rows of the two sides overlap, as far as is known.
static bool rowsOverlap(uintptr_t to, uintptr_t from, const Rows &r) {
  if (to >= from + r.reach(r.from) || from >= to + r.reach(r.to))
    return false;
  // For two parts of one matrix, rows of one may be in the gaps of the other.
  const bool oneGrid =
      r.to.row == r.from.row && (r.depth == 1 || (r.to.slice == r.from.slice &&
                                                  r.to.slice % r.to.row == 0));
  const size_t apart = (to < from ? from - to : to - from) % r.to.row;
  return !oneGrid || apart < r.width || r.to.row - apart < r.width;
}

/// Joins slices, then rows, that are contiguous on both sides.
static void join(Rows &r) {
  if (r.to.slice == r.height * r.to.row &&
      r.from.slice == r.height * r.from.row) {
    r.height *= r.depth;
    r.depth = 1;
  }
  if (r.to.row == r.width && r.from.row == r.width) {
    r.width *= r.height;
    r.height = 1;
    r.to.row = r.from.row = r.width;
  }
}

/// Checks the arguments of a copy or fill. A width of 0 means nothing to do.
static xcc_status checkRows(const char *call, const void *to,
                            const xcc_pitch *toPitch, const void *from,
                            const xcc_pitch *fromPitch,
                            const xcc_extent *extent, Rows &out) {
  if (!extent)
    return failNull(call, "the extent");
  out = {extent->width, extent->height, extent->depth, {}, {}};
  if (!out.width || !out.height || !out.depth)
    return out.width = 0, XCC_SUCCESS;
  XCC_TRY(checkPitch(call, from ? "the destination's pitch" : "the pitch",
                     toPitch, *extent, out.to));
  out.from = out.to;
  if (from) {
    XCC_TRY(
        checkPitch(call, "the source's pitch", fromPitch, *extent, out.from));
    if (to != from && rowsOverlap(reinterpret_cast<uintptr_t>(to),
                                  reinterpret_cast<uintptr_t>(from), out))
      return fail(XCC_ERROR_INVALID_VALUE,
                  "%s: rows of the source and the destination overlap; copy "
                  "through other memory",
                  call);
  }
  join(out);
  return XCC_SUCCESS;
}

static xcc_status copyRows(void *to, const xcc_pitch *toPitch, const void *from,
                           const xcc_pitch *fromPitch, const xcc_extent *extent,
                           bool waits, xcc_stream *stream) {
  constexpr const char *call = "xcc_memory_copy_pitched";
  Rows rows;
  if (extent && extent->width && extent->height && extent->depth && !from)
    return failNull(call, "the source");
  XCC_TRY(checkRows(call, to, toPitch, from, fromPitch, extent, rows));
  auto check = [&](Transfer &t) {
    return rows.count() == 1
               ? Transfer::copy(to, from, rows.width, t)
               : Transfer::pitched(call, to, from, rows, {nullptr, 0}, t);
  };
  return waits ? runAndWait(rows.width, check)
               : enqueue(stream, rows.width, check);
}

static xcc_status fillRows(void *to, const xcc_pitch *pitch,
                           const void *element, size_t size,
                           const xcc_extent *extent, bool waits,
                           xcc_stream *stream) {
  constexpr const char *call = "xcc_memory_fill_pitched";
  Rows rows;
  XCC_TRY(checkRows(call, to, pitch, nullptr, nullptr, extent, rows));
  if (!element)
    return failNull(call, "the element");
  if (!size || rows.width % size)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: rows of %zu bytes are not whole elements of %zu", call,
                extent->width, size);
  auto check = [&](Transfer &t) {
    return rows.count() == 1
               ? Transfer::fill(call, to, {element, size}, rows.width, t)
               : Transfer::pitched(call, to, to, rows, {element, size}, t);
  };
  return waits ? runAndWait(rows.width, check)
               : enqueue(stream, rows.width, check);
}

xcc_status xcc_memory_copy_pitched(void *to, const xcc_pitch *toPitch,
                                   const void *from, const xcc_pitch *fromPitch,
                                   const xcc_extent *extent) {
  return copyRows(to, toPitch, from, fromPitch, extent, true, nullptr);
}

xcc_status xcc_memory_copy_pitched_async(void *to, const xcc_pitch *toPitch,
                                         const void *from,
                                         const xcc_pitch *fromPitch,
                                         const xcc_extent *extent,
                                         xcc_stream *stream) {
  return copyRows(to, toPitch, from, fromPitch, extent, false, stream);
}

xcc_status xcc_memory_fill_pitched(void *to, const xcc_pitch *pitch,
                                   const void *element, size_t size,
                                   const xcc_extent *extent) {
  return fillRows(to, pitch, element, size, extent, true, nullptr);
}

xcc_status xcc_memory_fill_pitched_async(void *to, const xcc_pitch *pitch,
                                         const void *element, size_t size,
                                         const xcc_extent *extent,
                                         xcc_stream *stream) {
  return fillRows(to, pitch, element, size, extent, false, stream);
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

xcc_status xcc_check_extent(size_t given, size_t wanted) {
  return given == wanted
             ? XCC_SUCCESS
             : fail(XCC_ERROR_INVALID_VALUE,
                    "an image or volume of %zu columns, rows or slices is "
                    "copied to or from one of %zu; take part() of the larger",
                    given, wanted);
}
