// Graphs of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "graphs/graphs.h"
#include "graphs/recording.h"
#include "mapping/mapped_launch.h"
#include "mapping/settle.h"
#include "process/log.h"

#include <algorithm>
#include <new>
#include <string>

using namespace xcc::rt;

struct xcc_graph {
  xcc_graph(Sequence *now, uint64_t freed);
  ~xcc_graph();
  xcc_graph(const xcc_graph &) = delete;
  xcc_graph &operator=(const xcc_graph &) = delete;

  /// Gets the current steps, with a reference for the caller.
  xcc_status hold(Sequence *&out);
  xcc_status check();
  xcc_status look();

  Device &on;
  std::mutex mutex;
  Sequence *now;
  std::string gone; ///< a kernel that was unloaded; "" if there is none
  uint64_t freed;   ///< freedAllocations() when places were last checked
};

//===----------------------------------------------------------------------===//
// All graphs
//===----------------------------------------------------------------------===//

static std::mutex graphsMutex;
/// Never freed: threads may make graphs until the process ends.
static std::vector<xcc_graph *> &graphs() {
  static auto &list = *new std::vector<xcc_graph *>;
  return list;
}

void xcc::rt::forgetRecorded(const xcc_binary &unit) {
  std::lock_guard list(graphsMutex);
  for (xcc_graph *g : graphs()) {
    std::lock_guard lock(g->mutex);
    for (const Step &s : g->now->steps)
      if (s.unit == &unit && g->gone.empty())
        g->gone = s.function->info->name;
  }
}

xcc_graph::xcc_graph(Sequence *now, uint64_t freed)
    : on(now->on), now(now), freed(freed) {
  std::lock_guard lock(graphsMutex);
  graphs().push_back(this);
}

xcc_graph::~xcc_graph() {
  {
    std::lock_guard lock(graphsMutex);
    std::erase(graphs(), this);
  }
  now->release();
}

//===----------------------------------------------------------------------===//
// Replaying
//===----------------------------------------------------------------------===//

/// Checks that a copy's side is still in the same allocation.
static xcc_status checkPlace(const Place &was, size_t size, size_t number,
                             const Device &on) {
  Place is;
  if (!was.allocation)
    return XCC_SUCCESS;
  if (locate(was.at, size, is) == XCC_SUCCESS &&
      is.allocation == was.allocation && is.owner == was.owner)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, on.ordinal()},
              "xcc_graph_launch: step %zu copies or fills %zu bytes at %p, "
              "which were freed since they were recorded",
              number, size, was.at);
}

/// Checks the places of copies and fills if memory was freed since last time.
xcc_status xcc_graph::look() {
  const uint64_t changes = freedAllocations();
  if (changes == freed)
    return XCC_SUCCESS;
  for (size_t i = 0; i != now->steps.size(); ++i) {
    const Step &s = now->steps[i];
    if (s.kind == Step::Kind::Launch)
      continue;
    XCC_TRY(checkPlace(s.to, s.size, i, on));
    if (s.kind == Step::Kind::Copy)
      XCC_TRY(checkPlace(s.from, s.fromSize, i, on));
  }
  freed = changes;
  return XCC_SUCCESS;
}

xcc_status xcc_graph::check() {
  if (gone.empty())
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_KERNEL, {nullptr, nullptr, 0, on.ordinal()},
              "the graph launches '%s', whose library was unloaded",
              gone.c_str());
}

xcc_status xcc_graph::hold(Sequence *&out) {
  std::lock_guard lock(mutex);
  XCC_TRY(check());
  if (now->copies)
    XCC_TRY(look());
  now->retain();
  out = now;
  return XCC_SUCCESS;
}

namespace {
/// Releases a sequence.
struct Held {
  Held() = default;
  ~Held() {
    if (sequence)
      sequence->release();
  }
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;
  Sequence *sequence = nullptr;
};
} // namespace

/// Brings host memory up to date that the copies and fills use, as if they were
/// enqueued now.
static xcc_status settleSteps(const Sequence &s) {
  for (const Step &step : s.steps) {
    if (step.kind == Step::Kind::Launch)
      continue;
    if (!step.to.owner)
      XCC_TRY(settleRange(step.to.at, step.size));
    if (!step.from.owner && step.kind == Step::Kind::Copy)
      XCC_TRY(settleRange(step.from.at, step.fromSize));
  }
  return XCC_SUCCESS;
}

static xcc_status failDevices(const char *call, const Device &graphs,
                              const Device &other, const char *what) {
  return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, other.ordinal()},
              "%s: the graph was recorded on device %d (%s), %s belongs to "
              "device %d (%s)",
              call, graphs.ordinal(), graphs.id(), what, other.ordinal(),
              other.id());
}

xcc_status xcc_graph_launch(xcc_graph *graph, xcc_stream *stream) try {
  if (!graph)
    return failNull("xcc_graph_launch", "graph");
  Device *on;
  Queue *q;
  Recording *recording;
  XCC_TRY(queueOf(stream, on, q, recording));
  if (&graph->on != on)
    return failDevices("xcc_graph_launch", graph->on, *on, "the stream");
  Held held;
  XCC_TRY(graph->hold(held.sequence));
  Sequence &s = *held.sequence;
  XCC_LOG(Launch, "a graph of %zu steps", s.steps.size());
  if (recording) {
    for (const Step &step : s.steps)
      XCC_TRY(recording->add(step));
    return XCC_SUCCESS;
  }
  if (s.copies)
    XCC_TRY(settleSteps(s));
  if (s.callsHost && !on->sharesHostMemory())
    XCC_TRY(expectHostCalls(*on, *q));
  if (s.steps.empty())
    return XCC_SUCCESS;
  if (launchesRecorded.load(std::memory_order_relaxed)) [[unlikely]]
    return q->Queue::replay(s);
  return q->replay(s);
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for launching a graph");
}

//===----------------------------------------------------------------------===//
// Making and changing
//===----------------------------------------------------------------------===//

xcc_status xcc_graph_begin(xcc_stream *stream) {
  if (!stream)
    return fail(
        XCC_ERROR_INVALID_VALUE,
        "xcc_graph_begin: stream is null; the default stream belongs to every "
        "thread and cannot be recorded; record a stream of your own");
  Device *d;
  Queue *q;
  Recording *recording;
  XCC_TRY(queueOf(stream, d, q, recording));
  return beginRecording(*stream);
}

xcc_status xcc_graph_end(xcc_stream *stream, xcc_graph **out) try {
  if (out)
    *out = nullptr;
  if (!stream)
    return failNull("xcc_graph_end", "stream");
  std::unique_ptr<Recording> r;
  XCC_TRY(endRecording(*stream, r));
  if (!out)
    return XCC_SUCCESS;
  if (r->failure)
    return failWith(xcc_error_retain(r->failure));
  auto *steps = new Sequence(*stream->on, std::move(r->steps));
  try {
    *out = new xcc_graph(steps, r->freed);
  } catch (const std::bad_alloc &) {
    steps->release();
    throw;
  }
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a graph");
}

xcc_status xcc_graph_size(xcc_graph *graph, uint64_t *steps) {
  if (!graph || !steps)
    return failNull("xcc_graph_size", graph ? "steps" : "graph");
  std::lock_guard lock(graph->mutex);
  *steps = graph->now->steps.size();
  return XCC_SUCCESS;
}

xcc_status xcc_stream_recorded(xcc_stream *stream, uint64_t *steps) {
  if (!stream || !steps)
    return failNull("xcc_stream_recorded", stream ? "steps" : "stream");
  Recording *r = stream->recording.load(std::memory_order_acquire);
  if (!r)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_stream_recorded: the stream is not being recorded");
  std::lock_guard lock(r->mutex);
  *steps = r->steps.size();
  return XCC_SUCCESS;
}

/// Replaces steps of a graph.
static xcc_status change(xcc_graph &g, uint64_t first, const Sequence &with) {
  std::lock_guard lock(g.mutex);
  XCC_TRY(g.check());
  const size_t size = g.now->steps.size(), count = with.steps.size();
  if (first > size || count > size - first)
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, g.on.ordinal()},
                "xcc_graph_update: %zu steps from step %llu on are more than "
                "the graph's %zu",
                count, static_cast<unsigned long long>(first), size);
  if (g.now->isShared()) {
    // Queues in flight, or other holders, keep the old steps.
    auto *copy = new Sequence(g.on, g.now->steps);
    g.now->release();
    g.now = copy;
  }
  std::copy(with.steps.begin(), with.steps.end(),
            g.now->steps.begin() + ptrdiff_t(first));
  g.now->summarize();
  g.on.changed(*g.now, first, count);
  return XCC_SUCCESS;
}

xcc_status xcc_graph_update(xcc_graph *graph, uint64_t first,
                            xcc_graph *with) try {
  if (!graph || !with)
    return failNull("xcc_graph_update", graph ? "with" : "graph");
  if (&graph->on != &with->on)
    return failDevices("xcc_graph_update", graph->on, with->on,
                       "what it is changed to");
  Held held;
  XCC_TRY(with->hold(held.sequence));
  return change(*graph, first, *held.sequence);
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for changing a graph");
}

xcc_status xcc_graph_destroy(xcc_graph *graph) {
  delete graph;
  return XCC_SUCCESS;
}
