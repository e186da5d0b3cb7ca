// Streams and events of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../context.h"
#include "../services/host_services.h"

#include <new>

using namespace xcc::rt;

struct xcc_event {
  Event *Point;
  Device *On;
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
  Device *D;
  XCC_TRY(currentDevice(D));
  Queue *Q;
  XCC_TRY(D->createQueue(&Q));
  *Out = new (std::nothrow) xcc_stream{D, Q};
  if (*Out)
    return XCC_SUCCESS;
  D->destroyQueue(Q);
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

void xcc_stream_release(xcc_stream *Stream) {
  if (!Stream)
    return;
  if (started())
    Stream->On->destroyQueue(Stream->Work);
  delete Stream;
}

xcc_status xcc_stream_synchronize(xcc_stream *Stream) {
  XCC_TRY(mayWait("xcc_stream_synchronize"));
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  Q->drain();
  return report(Q->takeError());
}

xcc_status xcc_stream_query(xcc_stream *Stream) {
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (!Q->idle())
    return XCC_ERROR_NOT_READY;
  return report(Q->takeError());
}

xcc_status xcc_stream_wait_event(xcc_stream *Stream, xcc_event *Event) {
  if (!Event)
    return null("xcc_stream_wait_event", "event");
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (&Event->On->kind() == &D->kind())
    return Q->wait(*Event->Point);
  // No queue can wait for another API's: this thread does.
  return Event->Point->synchronize();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

xcc_status xcc_event_create(xcc_event **Out) {
  if (!Out)
    return null("xcc_event_create", "event");
  Device *D;
  XCC_TRY(currentDevice(D));
  Event *Point;
  XCC_TRY(D->createEvent(&Point));
  *Out = new (std::nothrow) xcc_event{Point, D};
  if (*Out)
    return XCC_SUCCESS;
  delete Point;
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

xcc_status xcc_event_destroy(xcc_event *Event) {
  if (Event) {
    if (!forked())
      delete Event->Point;
    delete Event;
  }
  return XCC_SUCCESS;
}

xcc_status xcc_event_record(xcc_event *Event, xcc_stream *Stream) {
  if (!Event)
    return null("xcc_event_record", "event");
  Device *D;
  Queue *Q;
  XCC_TRY(queueOf(Stream, D, Q));
  if (Event->On != D)
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, D->ordinal()},
                "xcc_event_record: the event belongs to device %d (%s), the "
                "stream to device %d (%s); make the event while the stream's "
                "device is current",
                Event->On->ordinal(), Event->On->id(), D->ordinal(), D->id());
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
  if (From->On != To->On)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_event_elapsed: the events belong to device %d and device "
                "%d, whose clocks do not agree",
                From->On->ordinal(), To->On->ordinal());
  return To->Point->elapsed(*From->Point, *Milliseconds);
}
