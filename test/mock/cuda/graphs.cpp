// Graphs of the mock driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"
#include "state.h"

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

/// Under the state's lock.
static std::map<Stream, Graph> &capturing() {
  static auto &streams = *new std::map<Stream, Graph>;
  return streams;
}

bool mock::isCaptured(Stream in, std::function<Result(Stream)> work) {
  std::lock_guard lock(state().mutex);
  auto found = capturing().find(in);
  if (found == capturing().end())
    return false;
  found->second->work.push_back(std::move(work));
  return true;
}

EXPORT Result cuStreamBeginCapture_v2(Stream s, int mode) {
  return callInContext(
      "cuStreamBeginCapture_v2",
      [&](State &known) {
        if (!isLive(s))
          return InvalidHandle;
        if (mode < 0 || mode > 2 || capturing().count(s))
          return InvalidValue;
        Graph g = new GraphObject{current};
        known.live.insert(g);
        capturing()[s] = g;
        return Success;
      },
      mode);
}

EXPORT Result cuStreamEndCapture(Stream s, Graph *out) {
  return callInContext("cuStreamEndCapture", [&](State &) {
    auto found = capturing().find(s);
    if (found == capturing().end())
      return InvalidValue;
    *out = found->second;
    capturing().erase(found);
    return Success;
  });
}

EXPORT Result cuGraphInstantiateWithFlags(ExecutableGraph *out, Graph g,
                                          unsigned long long flags) {
  return callInContext(
      "cuGraphInstantiateWithFlags",
      [&](State &known) {
        if (!isLive(g))
          return InvalidHandle;
        auto *made = new GraphObject(*g);
        known.live.insert(made);
        *out = reinterpret_cast<ExecutableGraph>(made);
        return Success;
      },
      flags);
}

static Result destroy(const char *call, GraphObject *g) {
  return callInContext(call, [&](State &known) {
    if (!known.live.erase(g))
      return InvalidHandle;
    delete g;
    return Success;
  });
}

EXPORT Result cuGraphDestroy(Graph g) { return destroy("cuGraphDestroy", g); }

EXPORT Result cuGraphExecDestroy(ExecutableGraph g) {
  return destroy("cuGraphExecDestroy", reinterpret_cast<GraphObject *>(g));
}

EXPORT Result cuGraphLaunch(ExecutableGraph executable, Stream in) {
  auto *g = reinterpret_cast<GraphObject *>(executable);
  std::unique_lock alone(state().running, std::defer_lock);
  if (engine().records())
    alone.lock();
  Result r = callInContext("cuGraphLaunch", [&](State &) {
    if (!isLive(g) || !isLive(in))
      return InvalidHandle;
    return g->in == current && in->in == current ? Success : InvalidContext;
  });
  if (r != Success)
    return r;
  for (const auto &work : g->work)
    if ((r = work(in)) != Success)
      return r;
  return Success;
}
