// What most devices do alike
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace xcc::rt {

void Queue::leaveErrors(PendingErrors &To) {
  xcc_error *Error = takeError();
  if (Error && wasReported(Error))
    xcc_error_release(Error); // that the device is unusable, again
  else if (Error)
    To.add(Error, threadNumber());
}

void Queue::giveBack() {
  Use.fetch_add(1, std::memory_order_relaxed);
  InUse.store(false, std::memory_order_release);
}

xcc_status Queue::reportFrom(uint32_t PointsUse) {
  xcc_error *Pending = use() == PointsUse ? takeError() : nullptr;
  return Pending ? failWith(Pending) : XCC_SUCCESS;
}

void Device::destroyQueue(Queue *Q) {
  Q->drain();
  Q->leaveErrors(Orphans);
  Q->giveBack();
}

void Device::identify(const Backend &TheKind, int IndexOfKind, int TheOrdinal) {
  Kind = &TheKind;
  Ordinal = TheOrdinal;
  if (TheKind.Host)
    snprintf(Id, sizeof(Id), "%s", TheKind.Kind);
  else
    snprintf(Id, sizeof(Id), "%s:%d", TheKind.Kind, IndexOfKind);
}

xcc_status Device::findVariable(Image &, const char *, void *&Address) {
  Address = nullptr;
  return XCC_SUCCESS;
}

xcc_status Device::allocateHost(size_t Bytes, void **Out) {
  if (Bytes <= PTRDIFF_MAX && posix_memalign(Out, 256, Bytes) == 0)
    return XCC_SUCCESS;
  *Out = nullptr;
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, Ordinal},
              "out of memory: cannot allocate %zu bytes of host memory", Bytes);
}

xcc_status Device::releaseHost(void *Pointer) {
  drain();
  free(Pointer);
  return XCC_SUCCESS;
}

xcc_status Device::allocateAsync(Queue &, size_t Bytes, void **Out) {
  return allocate(Bytes, Out);
}

xcc_status Device::releaseAsync(Queue &In, void *Pointer) {
  In.drain();
  return release(Pointer);
}

xcc_status Device::suggestBlock(const Kernel &K, uint32_t, uint32_t &Block) {
  Block = std::min<uint32_t>(256, K.MaxThreads);
  return XCC_SUCCESS;
}

} // namespace xcc::rt
