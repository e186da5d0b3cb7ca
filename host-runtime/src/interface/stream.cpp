// Streams and events of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/context.h"
#include "services/host_services.h"

#include <new>

using namespace xcc::rt;

struct xcc_event {
  Event *point;
  Device *on;
};

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

xcc_status xcc_stream_create(xcc_stream **out) {
  if (!out)
    return failNull("xcc_stream_create", "stream");
  Device *d;
  XCC_TRY(currentDevice(d));
  Queue *q;
  XCC_TRY(d->createQueue(&q));
  *out = new (std::nothrow) xcc_stream{d, q};
  if (*out)
    return XCC_SUCCESS;
  d->destroyQueue(q);
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a stream");
}

xcc_status xcc_stream_destroy(xcc_stream *stream) {
  if (!stream)
    return XCC_SUCCESS;
  if (!started()) {
    delete stream;
    return XCC_SUCCESS;
  }
  stream->work->drain();
  xcc_error *pending = stream->work->takeError();
  stream->on->destroyQueue(stream->work);
  delete stream;
  return report(pending);
}

void xcc_stream_release(xcc_stream *stream) {
  if (!stream)
    return;
  if (started())
    stream->on->destroyQueue(stream->work);
  delete stream;
}

xcc_status xcc_stream_synchronize(xcc_stream *stream) {
  XCC_TRY(mayWait("xcc_stream_synchronize"));
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  q->drain();
  return report(q->takeError());
}

xcc_status xcc_stream_query(xcc_stream *stream) {
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (!q->idle())
    return XCC_ERROR_NOT_READY;
  return report(q->takeError());
}

xcc_status xcc_stream_wait_event(xcc_stream *stream, xcc_event *event) {
  if (!event)
    return failNull("xcc_stream_wait_event", "event");
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (&event->on->kind() == &d->kind())
    return q->wait(*event->point);
  // No queue can wait for another API's: this thread does.
  return event->point->synchronize();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

xcc_status xcc_event_create(xcc_event **out) {
  if (!out)
    return failNull("xcc_event_create", "event");
  Device *d;
  XCC_TRY(currentDevice(d));
  Event *point;
  XCC_TRY(d->createEvent(&point));
  *out = new (std::nothrow) xcc_event{point, d};
  if (*out)
    return XCC_SUCCESS;
  delete point;
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event");
}

xcc_status xcc_event_destroy(xcc_event *event) {
  if (event) {
    if (!forked())
      delete event->point;
    delete event;
  }
  return XCC_SUCCESS;
}

xcc_status xcc_event_record(xcc_event *event, xcc_stream *stream) {
  if (!event)
    return failNull("xcc_event_record", "event");
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (event->on != d)
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, d->ordinal()},
                "xcc_event_record: the event belongs to device %d (%s), the "
                "stream to device %d (%s); make the event while the stream's "
                "device is current",
                event->on->ordinal(), event->on->id(), d->ordinal(), d->id());
  return q->record(*event->point);
}

xcc_status xcc_event_synchronize(xcc_event *event) {
  if (!event)
    return failNull("xcc_event_synchronize", "event");
  return event->point->synchronize();
}

xcc_status xcc_event_query(xcc_event *event) {
  if (!event)
    return failNull("xcc_event_query", "event");
  return event->point->reached() ? XCC_SUCCESS : XCC_ERROR_NOT_READY;
}

xcc_status xcc_event_elapsed(const xcc_event *from, const xcc_event *to,
                             double *milliseconds) {
  if (!from || !to || !milliseconds)
    return failNull("xcc_event_elapsed", "an argument");
  if (!from->point->recorded() || !to->point->recorded())
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_event_elapsed: an event was never recorded");
  if (!from->point->reached() || !to->point->reached())
    return XCC_ERROR_NOT_READY;
  if (from->on != to->on)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_event_elapsed: the events belong to device %d and device "
                "%d, whose clocks do not agree",
                from->on->ordinal(), to->on->ordinal());
  return to->point->elapsed(*from->point, *milliseconds);
}
