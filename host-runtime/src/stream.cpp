//===-- stream.cpp - Streams, events and memory of the C interface --------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "context.h"
#include "log.h"

#include <new>

using namespace xcc::rt;

struct xcc_event {
  Event *Point;
};

static xcc_status null(const char *Call, const char *What) {
  return fail(XCC_ERROR_INVALID_VALUE, "%s: %s is null", Call, What);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

xcc_status xcc_stream_create(xcc_stream **Out) {
  if (!Out)
    return null("xcc_stream_create", "stream");
  DeviceRef D;
  XCC_TRY(currentDevice(D));
  Queue *Q;
  XCC_TRY(D.On->createQueue(&Q));
  *Out = new (std::nothrow) xcc_stream{D.On, Q, D.Ordinal};
  if (*Out)
    return XCC_SUCCESS;
  D.On->destroyQueue(Q);
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a stream");
}

xcc_status xcc_stream_destroy(xcc_stream *Stream) {
  if (!Stream)
    return XCC_SUCCESS;
  if (!started()) {
    delete Stream;
    return XCC_SUCCESS;
  }
  Stream->Work->drain();
  xcc_error *Pending = Stream->Work->takeError();
  Stream->On->destroyQueue(Stream->Work);
  delete Stream;
  return report(Pending);
}

xcc_status xcc_stream_synchronize(xcc_stream *Stream) {
  DeviceRef D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  Q->drain();
  return report(Q->takeError());
}

xcc_status xcc_stream_query(xcc_stream *Stream) {
  DeviceRef D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (!Q->idle())
    return XCC_ERROR_NOT_READY;
  return report(Q->takeError());
}

xcc_status xcc_stream_wait_event(xcc_stream *Stream, xcc_event *Event) {
  if (!Event)
    return null("xcc_stream_wait_event", "event");
  DeviceRef D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  return Q->wait(*Event->Point);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

xcc_status xcc_event_create(xcc_event **Out) {
  if (!Out)
    return null("xcc_event_create", "event");
  DeviceRef D;
  XCC_TRY(currentDevice(D));
  Event *Point;
  XCC_TRY(D.On->createEvent(&Point));
  *Out = new (std::nothrow) xcc_event{Point};
  if (*Out)
    return XCC_SUCCESS;
  delete Point;
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

xcc_status xcc_event_destroy(xcc_event *Event) {
  if (Event) {
    delete Event->Point;
    delete Event;
  }
  return XCC_SUCCESS;
}

xcc_status xcc_event_record(xcc_event *Event, xcc_stream *Stream) {
  if (!Event)
    return null("xcc_event_record", "event");
  DeviceRef D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  return Q->record(*Event->Point);
}

xcc_status xcc_event_synchronize(xcc_event *Event) {
  if (!Event)
    return null("xcc_event_synchronize", "event");
  return Event->Point->synchronize();
}

xcc_status xcc_event_query(xcc_event *Event) {
  if (!Event)
    return null("xcc_event_query", "event");
  return Event->Point->reached() ? XCC_SUCCESS : XCC_ERROR_NOT_READY;
}

xcc_status xcc_event_elapsed(const xcc_event *From, const xcc_event *To,
                             double *Milliseconds) {
  if (!From || !To || !Milliseconds)
    return null("xcc_event_elapsed", "an argument");
  if (!From->Point->recorded() || !To->Point->recorded())
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_event_elapsed: an event was never recorded");
  if (!From->Point->reached() || !To->Point->reached())
    return XCC_ERROR_NOT_READY;
  *Milliseconds =
      (double(To->Point->time()) - double(From->Point->time())) / 1e6;
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

xcc_status xcc_alloc(size_t Bytes, void **Out) {
  if (!Out)
    return null("xcc_alloc", "pointer");
  *Out = nullptr;
  DeviceRef D;
  XCC_TRY(currentDevice(D));
  if (Bytes == 0)
    return XCC_SUCCESS;
  return D.On->allocate(Bytes, Out);
}

xcc_status xcc_free(void *Pointer) {
  if (!Pointer)
    return XCC_SUCCESS;
  DeviceRef D;
  XCC_TRY(findDevice(0, D));
  return D.On->release(Pointer);
}

/// What both copies and both fills check.
static xcc_status checkTransfer(const char *Call, Device &D, const void *To,
                                const void *From, size_t Bytes) {
  if (!To)
    return null(Call, "the destination");
  if (!From)
    return null(Call, "the source");
  XCC_TRY(D.checkRange(To, Bytes));
  if (From != To)
    XCC_TRY(D.checkRange(From, Bytes));
  XCC_LOG(Memory, "%s(%p, %p, %zu)", Call, To, From, Bytes);
  return XCC_SUCCESS;
}

xcc_status xcc_copy_async(void *To, const void *From, size_t Bytes,
                          xcc_stream *Stream) {
  DeviceRef D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (Bytes == 0)
    return XCC_SUCCESS;
  XCC_TRY(checkTransfer("xcc_copy", *D.On, To, From, Bytes));
  return Q->copy(To, From, Bytes);
}

xcc_status xcc_fill_async(void *To, int Byte, size_t Bytes,
                          xcc_stream *Stream) {
  DeviceRef D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (Bytes == 0)
    return XCC_SUCCESS;
  XCC_TRY(checkTransfer("xcc_fill", *D.On, To, To, Bytes));
  return Q->fill(To, Byte, Bytes);
}

xcc_status xcc_copy(void *To, const void *From, size_t Bytes) {
  // First the work that may still write the source, and its failure.
  XCC_TRY(xcc_device_synchronize(-1));
  XCC_TRY(xcc_copy_async(To, From, Bytes, nullptr));
  return xcc_stream_synchronize(nullptr);
}

xcc_status xcc_fill(void *To, int Byte, size_t Bytes) {
  XCC_TRY(xcc_device_synchronize(-1));
  XCC_TRY(xcc_fill_async(To, Byte, Bytes, nullptr));
  return xcc_stream_synchronize(nullptr);
}
