// Memory and copies of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../allocations.h"
#include "../context.h"
#include "../process/log.h"
#include "../services/host_services.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace xcc::rt;

static xcc_status null(const char *Call, const char *What) {
  return fail(XCC_ERROR_INVALID_VALUE, "%s: %s is null", Call, What);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static xcc_status outOfTable(Device *D) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, D->ordinal()},
              "out of memory for the runtime's own table of allocations");
}

namespace {
/// The two kinds of memory that the interface gives and takes.
struct Source {
  const char *Alloc, *Free; ///< the functions, for messages
  MemoryKind Kind;
  xcc_status (Device::*Allocate)(size_t, void **);
  xcc_status (Device::*Release)(void *);
};
constexpr Source DeviceSource = {"xcc_alloc", "xcc_free", MemoryKind::Device,
                                 &Device::allocate, &Device::release};
constexpr Source HostSource = {"xcc_alloc_host", "xcc_free_host",
                               MemoryKind::Host, &Device::allocateHost,
                               &Device::releaseHost};
} // namespace

static xcc_status allocateFrom(const Source &From, size_t Bytes, void **Out) {
  if (!Out)
    return null(From.Alloc, "pointer");
  *Out = nullptr;
  Device *D;
  XCC_TRY(currentDevice(D));
  if (Bytes == 0)
    return XCC_SUCCESS;
  void *Memory;
  XCC_TRY((D->*From.Allocate)(Bytes, &Memory));
  if (!rememberAllocation(Memory, {Bytes, D, From.Kind})) {
    (void)(D->*From.Release)(Memory);
    return outOfTable(D);
  }
  *Out = Memory;
  return XCC_SUCCESS;
}

static xcc_status freeTo(const Source &To, void *Pointer) {
  if (!Pointer || exitingFromDevice() || leftBehind())
    return XCC_SUCCESS;
  XCC_TRY(mayWait(To.Free));
  Device *D;
  XCC_TRY(findDevice(0, D)); // is there a runtime to free in?
  Allocation A;
  if (!takeAllocation(Pointer, To.Kind == MemoryKind::Host, A))
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: %p was not allocated with %s, or is already free", To.Free,
                Pointer, To.Alloc);
  return (A.On->*To.Release)(Pointer);
}

xcc_status xcc_alloc(size_t Bytes, void **Out) {
  return allocateFrom(DeviceSource, Bytes, Out);
}

xcc_status xcc_free(void *Pointer) { return freeTo(DeviceSource, Pointer); }

xcc_status xcc_alloc_host(size_t Bytes, void **Out) {
  return allocateFrom(HostSource, Bytes, Out);
}

xcc_status xcc_free_host(void *Pointer) { return freeTo(HostSource, Pointer); }

xcc_status xcc_alloc_async(size_t Bytes, xcc_stream *Stream, void **Out) {
  if (!Out)
    return null("xcc_alloc_async", "pointer");
  *Out = nullptr;
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (Bytes == 0)
    return XCC_SUCCESS;
  void *Memory;
  XCC_TRY(D->allocateAsync(*Q, Bytes, &Memory));
  if (!rememberAllocation(Memory, {Bytes, D, MemoryKind::Stream})) {
    (void)D->releaseAsync(*Q, Memory);
    return outOfTable(D);
  }
  *Out = Memory;
  return XCC_SUCCESS;
}

xcc_status xcc_free_async(void *Pointer, xcc_stream *Stream) {
  if (!Pointer)
    return XCC_SUCCESS;
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  Allocation A;
  if (!takeAllocation(Pointer, false, A))
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_free_async: %p was not allocated with xcc_alloc_async, or "
                "is already free",
                Pointer);
  if (A.Kind == MemoryKind::Stream && A.On == D)
    return D->releaseAsync(*Q, Pointer);
  Q->drain(); // not memory that this stream can free in its order
  return A.On->release(Pointer);
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

namespace {
/// A checked copy or fill: who owns the two sides, null for the host.
struct Sides {
  Device *To = nullptr;
  Device *From = nullptr;
};
} // namespace

static xcc_status check(const char *Call, const void *To, const void *From,
                        size_t Bytes, Sides &Out) {
  if (!To)
    return null(Call, "the destination");
  if (!From)
    return null(Call, "the source");
  XCC_TRY(checkRange(To, Bytes, Out.To));
  Out.From = Out.To;
  if (From != To)
    XCC_TRY(checkRange(From, Bytes, Out.From));
  XCC_LOG(Memory, "%s(%p, %p, %zu)", Call, To, From, Bytes);
  return XCC_SUCCESS;
}

static xcc_status waitFor(Device &D) {
  D.drain();
  return report(takeOwnErrors(D));
}

/// Can the device's queues reach memory of that owner?
static bool reaches(const Device &D, const Device *Owner) {
  return !Owner || &Owner->kind() == &D.kind();
}

static xcc_status copyAndWait(Device &D, void *To, const void *From,
                              size_t Bytes) {
  Queue *Q;
  XCC_TRY(D.defaultQueue(&Q));
  XCC_TRY(Q->copy(To, From, Bytes));
  Q->drain();
  return report(Q->takeOwnError());
}

/// Between devices of two kinds, whose APIs know nothing of each other: through
/// host memory. \p To and \p From have all earlier work behind them.
static xcc_status copyThroughHost(const Sides &S, void *To, const void *From,
                                  size_t Bytes) {
  constexpr size_t Step = size_t(4) << 20;
  std::unique_ptr<void, void (*)(void *)> Between(malloc(std::min(Step, Bytes)),
                                                  free);
  if (!Between)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a copy");
  for (size_t Done = 0; Done != Bytes;) {
    size_t Part = std::min(Step, Bytes - Done);
    XCC_TRY(copyAndWait(*S.From, Between.get(),
                        static_cast<const char *>(From) + Done, Part));
    XCC_TRY(copyAndWait(*S.To, static_cast<char *>(To) + Done, Between.get(),
                        Part));
    Done += Part;
  }
  return XCC_SUCCESS;
}

/// Copies what \p D, whose stream it was to be in, cannot reach.
static xcc_status copyElsewhere(const Sides &S, void *To, const void *From,
                                size_t Bytes) {
  if (S.From && S.To && &S.From->kind() != &S.To->kind())
    return copyThroughHost(S, To, From, Bytes);
  return copyAndWait(S.To ? *S.To : *S.From, To, From, Bytes);
}

xcc_status xcc_copy_async(void *To, const void *From, size_t Bytes,
                          xcc_stream *Stream) {
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (Bytes == 0)
    return XCC_SUCCESS;
  Sides S;
  XCC_TRY(check("xcc_copy", To, From, Bytes, S));
  if (reaches(*D, S.To) && reaches(*D, S.From)) [[likely]]
    return Q->copy(To, From, Bytes);
  Q->drain();
  return copyElsewhere(S, To, From, Bytes);
}

xcc_status xcc_fill_async(void *To, int Byte, size_t Bytes,
                          xcc_stream *Stream) {
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (Bytes == 0)
    return XCC_SUCCESS;
  Sides S;
  XCC_TRY(check("xcc_fill", To, To, Bytes, S));
  if (reaches(*D, S.To)) [[likely]]
    return Q->fill(To, Byte, Bytes);
  Q->drain();
  XCC_TRY(S.To->defaultQueue(&Q));
  XCC_TRY(Q->fill(To, Byte, Bytes));
  Q->drain();
  return report(Q->takeOwnError());
}

/// Before a copy that waits: the work that may still write the source or use
/// the destination, and its failure.
static xcc_status waitForSides(Device &Current, const Sides &S) {
  if (S.To && S.To != &Current)
    XCC_TRY(waitFor(*S.To));
  if (S.From && S.From != &Current && S.From != S.To)
    XCC_TRY(waitFor(*S.From));
  return XCC_SUCCESS;
}

xcc_status xcc_copy(void *To, const void *From, size_t Bytes) {
  Device *D;
  XCC_TRY(mayWait("a copy or fill that waits"));
  XCC_TRY(currentDevice(D));
  XCC_TRY(waitFor(*D));
  if (Bytes == 0)
    return XCC_SUCCESS;
  Sides S;
  XCC_TRY(check("xcc_copy", To, From, Bytes, S));
  XCC_TRY(waitForSides(*D, S));
  if (reaches(*D, S.To) && reaches(*D, S.From))
    return copyAndWait(*D, To, From, Bytes);
  return copyElsewhere(S, To, From, Bytes);
}

xcc_status xcc_fill(void *To, int Byte, size_t Bytes) {
  Device *D;
  XCC_TRY(mayWait("a copy or fill that waits"));
  XCC_TRY(currentDevice(D));
  XCC_TRY(waitFor(*D));
  if (Bytes == 0)
    return XCC_SUCCESS;
  Sides S;
  XCC_TRY(check("xcc_fill", To, To, Bytes, S));
  XCC_TRY(waitForSides(*D, S));
  if (!reaches(*D, S.To))
    D = S.To;
  Queue *Q;
  XCC_TRY(D->defaultQueue(&Q));
  XCC_TRY(Q->fill(To, Byte, Bytes));
  Q->drain();
  return report(Q->takeOwnError());
}
