// Recorded sequences on NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first replay of a sequence enqueues its steps into a stream that the
// driver captures. The result is a graph of the driver, which one call
// launches. Steps that such a graph cannot hold, or that the driver does not
// capture, are enqueued one by one.

#include "cuda/image/image.h"
#include "process/log.h"
#include "process/trace.h"
#include "queue.h"

#include <memory>

namespace xcc::rt::cuda {

namespace {
class CudaGraph final : public Prepared {
public:
  CudaGraph(CudaDevice &on, ExecutableGraph graph) : on(on), graph(graph) {}
  ~CudaGraph() override {
    // The driver frees a running graph when it has ended.
    if (graph && !on.ended() && on.enter() == XCC_SUCCESS)
      (void)theDriver.GraphExecDestroy(graph);
  }
  CudaDevice &on;
  const ExecutableGraph graph; ///< null: enqueue step by step
};

/// Is it the device's memory, or host memory that is page-locked?
bool isOwn(const Place &p, const Device &on) {
  return p.owner ? p.owner == &on : p.pinnedBy != nullptr;
}

bool canHold(const Step &s, const Device &on) {
  switch (s.kind) {
  case Step::Kind::Launch:
    return !s.function->callsHost && !s.cooperative;
  case Step::Kind::Copy: {
    auto to = reinterpret_cast<uintptr_t>(s.to.at),
         from = reinterpret_cast<uintptr_t>(s.from.at);
    return !s.apart && isOwn(s.to, on) && isOwn(s.from, on) &&
           (s.to.owner || s.from.owner) &&
           (to + s.size <= from || from + s.size <= to);
  }
  case Step::Kind::Fill:
    return !s.apart && s.to.owner == &on &&
           (s.bytes.size() == 1 ||
            (s.bytes.size() == 4 &&
             reinterpret_cast<uintptr_t>(s.to.at) % 4 == 0));
  }
  return false;
}
} // namespace

/// Makes a graph. The result holds none if the driver cannot make one.
std::unique_ptr<Prepared> CudaQueue::capture(CudaDevice &on,
                                             const Sequence &what) {
  auto none = [&] { return std::make_unique<CudaGraph>(on, nullptr); };
  const Driver &d = theDriver;
  if (!d.StreamBeginCapture || !d.StreamEndCapture || !d.StreamDestroy ||
      !d.GraphInstantiate || !d.GraphDestroy || !d.GraphExecDestroy ||
      !d.GraphLaunch)
    return none();
  for (const Step &s : what.steps)
    if (!canHold(s, on))
      return none();
  Stream captured = nullptr;
  if (d.StreamCreate(&captured, StreamNonBlocking) != Success)
    return none();
  CudaQueue queue(on, captured);
  Graph graph = nullptr;
  ExecutableGraph made = nullptr;
  xcc_status status = XCC_SUCCESS;
  // Raise the limits of shared memory first: that cannot be captured.
  for (const Step &s : what.steps)
    if (s.kind == Step::Kind::Launch && status == XCC_SUCCESS &&
        s.sharedBytes > static_cast<const CudaKernel *>(s.function)->dynamic)
      status = queue.moreShared(s.request());
  Result r = status == XCC_SUCCESS
                 ? d.StreamBeginCapture(captured, CaptureOfThread)
                 : Unknown;
  if (r == Success) {
    for (const Step &s : what.steps)
      if (status == XCC_SUCCESS)
        status = enqueue(s, on, queue);
    r = d.StreamEndCapture(captured, &graph);
    if (r == Success && status == XCC_SUCCESS)
      r = d.GraphInstantiate(&made, graph, 0);
    if (graph)
      (void)d.GraphDestroy(graph);
  }
  (void)d.StreamDestroy(captured);
  if (status != XCC_SUCCESS || r != Success) {
    XCC_LOG(Launch, "cuda: a graph of %zu steps is enqueued step by step",
            what.steps.size());
    return none();
  }
  return std::make_unique<CudaGraph>(on, made);
}

xcc_status CudaQueue::replay(Sequence &what) {
  // A profile or a trace needs single launches.
  if (profile::watching()) [[unlikely]]
    return Queue::replay(what);
  XCC_TRY(on.enter());
  std::unique_lock lock(what.preparing);
  if (!what.prepared)
    what.prepared = capture(on, what);
  auto &g = static_cast<CudaGraph &>(*what.prepared);
  if (!g.graph) {
    lock.unlock();
    return Queue::replay(what);
  }
  // The lock stays held: launches of one graph must not overlap in threads.
  if (Result r = theDriver.GraphLaunch(g.graph, work)) {
    char text[48];
    snprintf(text, sizeof(text), "launching a graph of %zu steps",
             what.steps.size());
    return on.failed(r, text);
  }
  for (const Step &s : what.steps)
    if (s.kind == Step::Kind::Launch)
      launches.add(s.request(), on.nextOrder());
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
