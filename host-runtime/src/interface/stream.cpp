// Streams and events of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/context.h"
#include "devices/unwritten_wait.h"
#include "graphs/recording.h"
#include "mapping/settle.h"
#include "services/host_services.h"

#include <new>

using namespace xcc::rt;

struct xcc_event {
  Event *point;
  Device *on;
  /// The queue in which it was last recorded; null before. The number of the
  /// last mapped launch before it.
  std::atomic<Queue *> queue{nullptr};
  std::atomic<uint64_t> mapped{0};

  /// Brings mapped memory up to date, because the program knows that the event
  /// was reached.
  xcc_status settle() {
    Queue *q = queue.load(std::memory_order_acquire);
    return q ? xcc::rt::settle(*on, *q, mapped.load()) : XCC_SUCCESS;
  }
};

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static xcc_status createStream(Device *d, int priority, xcc_stream **out) {
  Queue *q;
  XCC_TRY(d->createQueue(&q, priority));
  *out = new (std::nothrow) xcc_stream{d, q, {}};
  if (*out)
    return XCC_SUCCESS;
  d->destroyQueue(q);
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a stream");
}

xcc_status xcc_stream_create(xcc_stream **out) {
  if (!out)
    return failNull("xcc_stream_create", "stream");
  Device *d;
  XCC_TRY(currentDevice(d));
  return createStream(d, 0, out);
}

xcc_status xcc_stream_create_with_priority(int priority, xcc_stream **out) {
  if (!out)
    return failNull("xcc_stream_create_with_priority", "stream");
  Device *d;
  XCC_TRY(currentDevice(d));
  int least, greatest;
  XCC_TRY(d->priorities(least, greatest));
  if (priority < greatest || priority > least)
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, d->ordinal()},
                "device %d (%s) has no streams of priority %d; the most urgent "
                "is %d, the least %d",
                d->ordinal(), d->id(), priority, greatest, least);
  return createStream(d, priority, out);
}

xcc_status xcc_device_get_priorities(int device, int *least, int *greatest) {
  if (!least || !greatest)
    return failNull("xcc_device_get_priorities", "an argument");
  Device *d;
  XCC_TRY(findDevice(device, d));
  return d->priorities(*least, *greatest);
}

xcc_status xcc_stream_device(xcc_stream *stream, int *device) {
  if (!device)
    return failNull("xcc_stream_device", "device");
  Device *on;
  Queue *q;
  Recording *recording;
  XCC_TRY(queueOf(stream, on, q, recording));
  *device = on->ordinal();
  return XCC_SUCCESS;
}

static constexpr const char *StreamEnd = "the end of an xcc::stream";

xcc_status xcc_stream_destroy(xcc_stream *stream) {
  if (!stream)
    return XCC_SUCCESS;
  dropRecording(*stream);
  if (!started()) {
    delete stream;
    return XCC_SUCCESS;
  }
  endOrExit(*stream->on, stream->work);
  ImplicitWait waits(*stream->on, StreamEnd, stream->work);
  xcc_status settled = drainAndSettle(*stream->on, *stream->work);
  xcc_error *pending = stream->work->takeError();
  stream->on->destroyQueue(stream->work);
  delete stream;
  return pending ? report(pending) : settled;
}

void xcc_stream_release(xcc_stream *stream) {
  if (!stream)
    return;
  dropRecording(*stream);
  if (started()) {
    endOrExit(*stream->on, stream->work);
    ImplicitWait waits(*stream->on, StreamEnd, stream->work);
    if (drainAndSettle(*stream->on, *stream->work) != XCC_SUCCESS)
      stream->on->orphans.add(keepLastError(), threadNumber());
    stream->on->destroyQueue(stream->work);
  }
  delete stream;
}

xcc_status xcc_stream_synchronize(xcc_stream *stream) {
  XCC_TRY(mayWait("xcc_stream_synchronize"));
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_stream_synchronize"));
  xcc_status settled = drainAndSettle(*d, *q);
  xcc_error *pending = q->takeError();
  return pending ? report(pending) : settled;
}

xcc_status xcc_stream_query(xcc_stream *stream) {
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_stream_query"));
  const uint64_t upTo = mappedLaunches(*d, *q);
  if (!q->idle())
    return XCC_ERROR_NOT_READY;
  xcc_status settled = settle(*d, *q, upTo);
  xcc_error *pending = q->takeError();
  return pending ? report(pending) : settled;
}

xcc_status xcc_stream_call(xcc_stream *stream, void (*function)(void *),
                           void *data) {
  if (!function)
    return failNull("xcc_stream_call", "function");
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_stream_call"));
  return q->call(function, data);
}

xcc_status xcc_stream_wait_event(xcc_stream *stream, xcc_event *event) {
  if (!event)
    return failNull("xcc_stream_wait_event", "event");
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q, "xcc_stream_wait_event"));
  if (&event->on->kind() == &d->kind()) {
    XCC_TRY(q->wait(*event->point));
    if (Queue *other = event->queue.load(std::memory_order_acquire))
      dependOn(*d, *q, *event->on, *other, event->mapped.load());
    return XCC_SUCCESS;
  }
  // A queue cannot wait for another API's event, so this thread waits.
  XCC_TRY(event->point->synchronize());
  return event->settle();
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
  XCC_TRY(queueOf(stream, d, q, "xcc_event_record"));
  if (event->on != d)
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, d->ordinal()},
                "xcc_event_record: the event belongs to device %d (%s), the "
                "stream to device %d (%s); make the event while the stream's "
                "device is current",
                event->on->ordinal(), event->on->id(), d->ordinal(), d->id());
  uint64_t mapped = mappedLaunches(*d, *q);
  XCC_TRY(q->record(*event->point));
  event->mapped.store(mapped);
  event->queue.store(q, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status xcc_event_synchronize(xcc_event *event) {
  if (!event)
    return failNull("xcc_event_synchronize", "event");
  xcc_status status = event->point->synchronize();
  xcc_status settled = event->settle();
  return status != XCC_SUCCESS ? status : settled;
}

xcc_status xcc_event_query(xcc_event *event) {
  if (!event)
    return failNull("xcc_event_query", "event");
  return event->point->reached() ? event->settle() : XCC_ERROR_NOT_READY;
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
  XCC_TRY(const_cast<xcc_event *>(from)->settle());
  XCC_TRY(const_cast<xcc_event *>(to)->settle());
  if (from->on != to->on)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_event_elapsed: the events belong to device %d and device "
                "%d, whose clocks do not agree",
                from->on->ordinal(), to->on->ordinal());
  return to->point->elapsed(*from->point, *milliseconds);
}
