// Copies and fills on NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace xcc::rt::cuda {

static Address addressOf(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// Is the memory on a device, although the runtime did not allocate it?
static bool isForeign(const void *pointer) {
  unsigned where = 0;
  // The driver returns an error for host memory that it does not know.
  return theDriver.PointerGetAttribute(&where, PointerMemoryType,
                                       addressOf(pointer)) == Success &&
         where == MemoryTypeDevice;
}

/// Copies through other memory, because the driver's copy between overlapping
/// ranges is undefined.
xcc_status CudaQueue::copyOverlapping(void *to, const void *from, size_t size) {
  void *between;
  XCC_TRY(on.allocateAsync(*this, size, &between));
  Address middle = addressOf(between);
  Result r = theDriver.MemcpyAsync(middle, addressOf(from), size, work);
  if (r == Success)
    r = theDriver.MemcpyAsync(addressOf(to), middle, size, work);
  xcc_status freed = on.releaseAsync(*this, between);
  if (r != Success)
    return on.failed(r, "a copy between overlapping ranges");
  return freed;
}

static bool overlap(const void *a, const void *b, size_t size) {
  uintptr_t first = uintptr_t(a), second = uintptr_t(b);
  return (first < second ? second - first : first - second) < size;
}

xcc_status CudaQueue::copy(const Place &toPlace, const Place &fromPlace,
                           size_t size) {
  XCC_TRY(on.enter());
  void *to = toPlace.at;
  const void *from = fromPlace.at;
  Device *toOn = toPlace.owner, *fromOn = fromPlace.owner;
  if (to == from)
    return XCC_SUCCESS;
  if (overlap(to, from, size)) [[unlikely]] {
    if (toOn || isForeign(to))
      return times.between(timed(directionOf(toPlace, fromPlace), size), work,
                           [&] { return copyOverlapping(to, from, size); });
    drain(); // the host copies, after the earlier work
    memmove(to, from, size);
    return XCC_SUCCESS;
  }
  auto enqueue = [&] {
    if (!toOn || !fromOn || toOn == fromOn)
      // Addresses are unified, so the driver knows where each side is.
      return theDriver.MemcpyAsync(addressOf(to), addressOf(from), size, work);
    auto &a = static_cast<CudaDevice &>(*toOn);
    auto &b = static_cast<CudaDevice &>(*fromOn);
    // This queue is on one of the two devices; it needs access to the other.
    on.reachPeer(&a == &on ? b : a);
    return theDriver.MemcpyPeerAsync(addressOf(to), a.context(),
                                     addressOf(from), b.context(), size, work);
  };
  Result r = times.between(timed(directionOf(toPlace, fromPlace), size), work,
                           enqueue);
  if (r == Success)
    return XCC_SUCCESS;
  char what[64];
  snprintf(what, sizeof(what), "the copy of %zu bytes", size);
  return on.failed(r, what);
}

static CopySide sideOf(const Place &at, const xcc_pitch &pitch,
                       const Rows &rows) {
  CopySide out{};
  if (at.owner || isForeign(at.at)) {
    out.memoryType = MemoryTypeDevice;
    out.device = addressOf(at.at);
  } else {
    out.memoryType = MemoryTypeHost;
    out.host = at.at;
  }
  out.pitch = pitch.row;
  out.height = rows.depth == 1 ? rows.height : pitch.slice / pitch.row;
  return out;
}

/// The driver takes a copy in one call if both sides are the host or one
/// device, if slices are a whole number of rows apart, and if pitches are not
/// too large. Other copies are done row by row.
xcc_status CudaQueue::copyRows(const Place &to, const Place &from,
                               const Rows &rows) {
  XCC_TRY(on.enter());
  auto isWhole = [&](const xcc_pitch &side) {
    return rows.depth == 1 || side.slice % side.row == 0;
  };
  if ((to.owner && from.owner && to.owner != from.owner) || !isWhole(rows.to) ||
      !isWhole(rows.from))
    return Queue::copyRows(to, from, rows);
  const CopyOfRows what{sideOf(from, rows.from, rows),
                        sideOf(to, rows.to, rows), rows.width, rows.height,
                        rows.depth};
  Result r =
      times.between(timed(directionOf(to, from), rows.bytes()), work,
                    [&] { return theDriver.Memcpy3DAsync(&what, work); });
  if (r == Success)
    return XCC_SUCCESS;
  if (r == InvalidValue) // beyond the device's largest pitch
    return Queue::copyRows(to, from, rows);
  char call[64];
  snprintf(call, sizeof(call), "the copy of %zu rows of %zu bytes",
           rows.count(), rows.width);
  return on.failed(r, call);
}

namespace {
/// Followed in memory by the element.
struct HostFill {
  void *to;
  size_t size, element;
};
} // namespace

/// Fills by a host function, because the driver's fill only takes device
/// memory.
xcc_status CudaQueue::fillHost(void *to, const Element &element, size_t size) {
  void *memory = malloc(sizeof(HostFill) + element.size);
  if (!memory)
    return fail(XCC_ERROR_OUT_OF_MEMORY, on.site(), "out of memory for a fill");
  auto *f = new (memory) HostFill{to, size, element.size};
  memcpy(f + 1, element.bytes, element.size);
  Result r = theDriver.LaunchHostFunc(
      work,
      [](void *data) {
        auto *f = static_cast<HostFill *>(data);
        Element{f + 1, f->element}.repeat(f->to, f->size);
        free(f);
      },
      f);
  if (r == Success)
    return XCC_SUCCESS;
  free(f);
  return on.failed(r, "a fill of host memory");
}

/// Repeats the first \p done bytes: copies what is filled already behind
/// itself.
Result CudaQueue::repeatMemory(Address to, size_t done, size_t size) {
  while (done != size) {
    const size_t part = std::min(done, size - done);
    Result r = theDriver.MemcpyAsync(to + done, to, part, work);
    if (r != Success)
      return r;
    done += part;
  }
  return Success;
}

/// The driver fills with elements of up to four bytes, or the columns of a
/// matrix. So a first part is filled as a matrix with an element in each row,
/// column by column. The rest is copied from that.
Result CudaQueue::fillMemory(Address to, const Element &element, size_t size) {
  auto *bytes = static_cast<const unsigned char *>(element.bytes);
  if (element.isByte())
    return theDriver.MemsetD8Async(to, bytes[0], size, work);
  const bool words = (to | element.size) % 4 == 0;
  auto word = [&](size_t at) {
    uint32_t out;
    memcpy(&out, bytes + at, sizeof(out));
    return out;
  };
  if (words && element.size == 4)
    return theDriver.MemsetD2D32Async(to, size, word(0), size / 4, 1, work);
  constexpr size_t mostWords = 64;
  if (element.size > mostWords * 4) {
    Result r = theDriver.MemcpyAsync(to, addressOf(bytes), element.size, work);
    if (r == Success)
      r = theDriver.StreamSynchronize(work); // the caller may free the element
    return r == Success ? repeatMemory(to, element.size, size) : r;
  }
  const size_t first = std::min(size, element.wholeWithin(size_t(64) << 10));
  for (size_t at = 0; at != element.size; at += words ? 4 : 1) {
    Result r = words
                   ? theDriver.MemsetD2D32Async(to + at, element.size, word(at),
                                                1, first / element.size, work)
                   : theDriver.MemsetD2D8Async(to + at, element.size, bytes[at],
                                               1, first / element.size, work);
    if (r != Success)
      return r;
  }
  return repeatMemory(to, first, size);
}

xcc_status CudaQueue::fill(const Place &place, const Element &element,
                           size_t size) {
  XCC_TRY(on.enter());
  void *to = place.at;
  Device *owner = place.owner;
  if (owner && owner != &on) {
    // The other device's stream fills, after the work in this one.
    drain();
    Queue *other;
    XCC_TRY(owner->defaultQueue(&other));
    XCC_TRY(other->fill(place, element, size));
    other->drain();
    return XCC_SUCCESS;
  }
  if (!owner && !isForeign(to))
    return times.between(timed(profile::Direction::Fill, size), work,
                         [&] { return fillHost(to, element, size); });
  Result r = times.between(timed(profile::Direction::Fill, size), work, [&] {
    return fillMemory(addressOf(to), element, size);
  });
  if (r == Success)
    return XCC_SUCCESS;
  char what[64];
  snprintf(what, sizeof(what), "the fill of %zu bytes", size);
  return on.failed(r, what);
}

} // namespace xcc::rt::cuda
