// Copies and fills on NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"

#include <cstring>
#include <new>

namespace xcc::rt::cuda {

static Address addressOf(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// Is memory that we did not allocate some other user's on a device?
static bool isForeign(const void *pointer) {
  unsigned where = 0;
  // An error means memory that the driver does not know: the host's.
  return theDriver.PointerGetAttribute(&where, PointerMemoryType,
                                       addressOf(pointer)) == Success &&
         where == MemoryTypeDevice;
}

/// The driver's copy of ranges that overlap is undefined: through other memory.
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
      return copyOverlapping(to, from, size);
    drain(); // the host copies, when its turn has come
    memmove(to, from, size);
    return XCC_SUCCESS;
  }
  Result r;
  if (toOn && fromOn && toOn != fromOn) {
    auto &a = static_cast<CudaDevice &>(*toOn);
    auto &b = static_cast<CudaDevice &>(*fromOn);
    // Whichever side this queue is on reaches for the other.
    on.reachPeer(&a == &on ? b : a);
    r = theDriver.MemcpyPeerAsync(addressOf(to), a.context(), addressOf(from),
                                  b.context(), size, work);
  } else {
    // All addresses are of one space: the driver sees which side is where.
    r = theDriver.MemcpyAsync(addressOf(to), addressOf(from), size, work);
  }
  if (r == Success)
    return XCC_SUCCESS;
  char what[64];
  snprintf(what, sizeof(what), "the copy of %zu bytes", size);
  return on.failed(r, what);
}

namespace {
struct HostFill {
  void *to;
  int byte;
  size_t size;
};
} // namespace

/// The driver's fill takes device memory only.
xcc_status CudaQueue::fillHost(void *to, int byte, size_t size) {
  auto *f = new (std::nothrow) HostFill{to, byte, size};
  if (!f)
    return fail(XCC_ERROR_OUT_OF_MEMORY, on.site(), "out of memory for a fill");
  Result r = theDriver.LaunchHostFunc(
      work,
      [](void *data) {
        auto *f = static_cast<HostFill *>(data);
        memset(f->to, f->byte, f->size);
        delete f;
      },
      f);
  if (r == Success)
    return XCC_SUCCESS;
  delete f;
  return on.failed(r, "a fill of host memory");
}

xcc_status CudaQueue::fill(const Place &place, int byte, size_t size) {
  XCC_TRY(on.enter());
  void *to = place.at;
  Device *owner = place.owner;
  if (owner && owner != &on) {
    // In the other device's own stream, and in order all the same.
    drain();
    Queue *other;
    XCC_TRY(owner->defaultQueue(&other));
    XCC_TRY(other->fill(place, byte, size));
    other->drain();
    return XCC_SUCCESS;
  }
  if (!owner && !isForeign(to))
    return fillHost(to, byte, size);
  Result r = theDriver.MemsetD8Async(
      addressOf(to), static_cast<unsigned char>(byte), size, work);
  if (r == Success)
    return XCC_SUCCESS;
  char what[64];
  snprintf(what, sizeof(what), "the fill of %zu bytes", size);
  return on.failed(r, what);
}

} // namespace xcc::rt::cuda
