// CUDA's and HIP's graphs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As runtime.h: names.h makes them cudaStreamBeginCapture and its like. What a
// stream is given while it is captured becomes an xcc_graph. One that is built
// node by node is captured when it is instantiated, in an order that its edges
// allow. An executable graph shares the steps of what it was made of: neither
// changes them, and an update gives it those of another graph.

#ifndef XCC_CUDA_GRAPHS_H
#define XCC_CUDA_GRAPHS_H

#include <xcc/cuda/state.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace xcc::cuda {

/// Which calls other threads may make meanwhile: in xcc all, in every mode.
enum class capture_mode : int { global, thread_local_, relaxed };
enum class capture_status : int { none, active, invalidated };
enum class update_result : int { success, error, topology_changed };

/// A function that the host calls.
struct host_call {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};
/// What a node puts into a stream; of those that a program adds.
struct graph_node {
  std::function<void(xcc::stream *)> run;
  std::vector<graph_node *> after = {};
  host_call call = {}; ///< in the place of run
};
using graph_nodes = std::vector<std::shared_ptr<graph_node>>;
/// What was captured, from any thread, or nodes.
struct graph {
  std::shared_ptr<xcc_graph> steps;
  graph_nodes nodes = {};
};
/// Steps, and what the host calls behind them, which is no step of a graph.
struct graph_part {
  std::shared_ptr<xcc_graph> steps;
  host_call call = {};
};
/// What is launched. The nodes are the graph's; their work is its own.
struct executable_graph {
  std::vector<graph_part> parts;
  graph_nodes nodes = {};
  std::vector<std::pair<graph_node *, std::function<void(xcc::stream *)>>>
      work = {};
  std::vector<std::pair<graph_node *, host_call>> calls = {};
};
struct update_information {
  update_result result;
  graph_node *errorNode, *errorFromNode; ///< null
};

inline status stream_begin_capture(xcc::stream *on, capture_mode) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_graph_begin(detail::handle(on)));
    detail::streams::get().capture(on, true);
  });
}
inline status stream_end_capture(xcc::stream *on, graph **made) {
  *made = nullptr;
  return detail::attempt([&] {
    detail::streams::get().capture(on, false);
    xcc_graph *steps = nullptr;
    xcc::detail::check(xcc_graph_end(detail::handle(on), &steps));
    *made = new graph{std::shared_ptr<xcc_graph>(steps, xcc_graph_destroy)};
  });
}
inline status stream_is_capturing(xcc::stream *on, capture_status *into) {
  std::uint64_t steps = 0;
  *into = capture_status::none;
  if (on && xcc_stream_recorded(on->handle(), &steps) == XCC_SUCCESS)
    *into = capture_status::active;
  return status::success;
}

namespace detail {
/// What returns a status, as what throws.
template <class Call>
inline std::function<void(xcc::stream *)> throwing(Call call) {
  return [=](xcc::stream *on) {
    if (call(on) != status::success)
      xcc::detail::check(XCC_ERROR_INVALID_VALUE);
  };
}
/// Puts a node behind those that it is behind.
inline void order_node(graph_node *node, std::vector<graph_node *> &seen,
                       std::vector<graph_node *> &done) {
  if (std::find(seen.begin(), seen.end(), node) != seen.end())
    return;
  seen.push_back(node);
  for (graph_node *before : node->after)
    order_node(before, seen, done);
  done.push_back(node);
}
/// Records what a function puts into a stream.
template <class Put> inline std::shared_ptr<xcc_graph> capture_steps(Put put) {
  xcc::stream own;
  xcc::detail::check(xcc_graph_begin(own.handle()));
  try {
    put(&own);
  } catch (...) {
    xcc_graph *partial = nullptr;
    if (xcc_graph_end(own.handle(), &partial) == XCC_SUCCESS)
      xcc_graph_destroy(partial);
    throw;
  }
  xcc_graph *steps = nullptr;
  xcc::detail::check(xcc_graph_end(own.handle(), &steps));
  return std::shared_ptr<xcc_graph>(steps, xcc_graph_destroy);
}
template <class Entries>
inline auto *entry_of(Entries &entries, const graph_node *node) {
  const auto found =
      std::find_if(entries.begin(), entries.end(),
                   [&](const auto &each) { return each.first == node; });
  return found == entries.end() ? nullptr : &found->second;
}
inline std::vector<graph_part> capture_nodes(const executable_graph &of) {
  std::vector<graph_node *> seen, order;
  for (const auto &node : of.nodes)
    order_node(node.get(), seen, order);
  std::vector<graph_part> parts;
  for (auto at = order.begin(); at != order.end() || parts.empty();) {
    const host_call *call = nullptr;
    auto end = at;
    for (; end != order.end() && !call; ++end)
      call = entry_of(of.calls, *end);
    auto steps = capture_steps([&](xcc::stream *on) {
      for (auto each = at; each != end; ++each)
        if (const auto *run = entry_of(of.work, *each); run && *run)
          (*run)(on);
    });
    parts.push_back({std::move(steps), call ? *call : host_call{}});
    at = end;
  }
  return parts;
}
inline void launch_parts(const std::vector<graph_part> &parts,
                         xcc::stream *on) {
  for (const graph_part &part : parts) {
    xcc::detail::check(xcc_graph_launch(part.steps.get(), handle(on)));
    if (part.call.function)
      xcc::detail::check(
          xcc_stream_call(handle(on), part.call.function, part.call.data));
  }
}
inline std::uint64_t size_of(const std::vector<graph_part> &parts) {
  std::uint64_t all = 0;
  for (const graph_part &part : parts) {
    std::uint64_t some = 0;
    xcc::detail::check(xcc_graph_size(part.steps.get(), &some));
    all += some + (part.call.function != nullptr);
  }
  return all;
}
} // namespace detail

inline status graph_create(graph **made) {
  return detail::attempt([&] { *made = new graph; });
}
inline status graph_instantiate(executable_graph **made, const graph *of) {
  *made = nullptr;
  if (!of)
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    auto whole = std::make_unique<executable_graph>();
    whole->nodes = of->nodes;
    for (const auto &node : whole->nodes)
      if (node->call.function)
        whole->calls.push_back({node.get(), node->call});
      else
        whole->work.push_back({node.get(), node->run});
    if (of->steps)
      whole->parts.push_back({of->steps});
    else
      whole->parts = detail::capture_nodes(*whole);
    *made = whole.release();
  });
}
/// Adds a node behind others. A captured graph has no nodes to add to.
inline status graph_add(graph_node **made, graph *to, graph_node *const *after,
                        std::size_t count,
                        std::function<void(xcc::stream *)> run) {
  if (!made || !to || (count && !after))
    return detail::note(status::invalid_value);
  if (to->steps)
    return detail::note(status::not_supported);
  return detail::attempt([&] {
    to->nodes.push_back(std::make_shared<graph_node>(
        graph_node{std::move(run), {after, after + count}}));
    *made = to->nodes.back().get();
  });
}
inline status graph_add_edges(graph *of, graph_node *const *from,
                              graph_node *const *to, std::size_t count) {
  if (!of || of->steps)
    return detail::note(of ? status::not_supported : status::invalid_value);
  return detail::attempt([&] {
    for (std::size_t i = 0; i < count; ++i)
      to[i]->after.push_back(from[i]);
  });
}
/// Gives a node of an executable graph other work. What was launched goes on.
inline status graph_change(executable_graph *of, graph_node *node,
                           std::function<void(xcc::stream *)> run) {
  const auto is = [node](const auto &each) { return each.get() == node; };
  if (!of || std::none_of(of->nodes.begin(), of->nodes.end(), is))
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    if (auto *does = detail::entry_of(of->work, node))
      *does = std::move(run);
    of->parts = detail::capture_nodes(*of);
  });
}
/// Adds a node that the host runs, in the order of the others.
inline status graph_add_call(graph_node **made, graph *to,
                             graph_node *const *after, std::size_t count,
                             host_call call) {
  const status failed = call.function ? graph_add(made, to, after, count, {})
                                      : detail::note(status::invalid_value);
  if (failed == status::success)
    (*made)->call = call;
  return failed;
}
inline status graph_change_call(executable_graph *of, graph_node *node,
                                host_call call) {
  host_call *has = of ? detail::entry_of(of->calls, node) : nullptr;
  if (!has || !call.function)
    return detail::note(status::invalid_value);
  *has = call;
  return detail::attempt([&] { of->parts = detail::capture_nodes(*of); });
}
inline status graph_launch(const executable_graph *which, xcc::stream *on) {
  if (!which)
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    detail::streams::get().order(on);
    detail::launch_parts(which->parts, on);
  });
}
/// With as many steps. What was launched goes on.
inline status graph_update(executable_graph *which, const graph *with,
                           update_result *result) {
  std::uint64_t had = 0, has = 0;
  *result = update_result::error;
  if (!which || !with)
    return detail::note(status::invalid_value);
  executable_graph *made = nullptr;
  if (const status failed = graph_instantiate(&made, with);
      failed != status::success)
    return failed;
  const std::unique_ptr<executable_graph> other(made);
  if (const status failed = detail::attempt([&] {
        had = detail::size_of(which->parts);
        has = detail::size_of(other->parts);
      });
      failed != status::success)
    return failed;
  if (had != has) {
    *result = update_result::topology_changed;
    return detail::note(status::graph_update_failed);
  }
  *result = update_result::success;
  which->parts = other->parts;
  return status::success;
}
/// How many nodes there are, for an array that is null. Steps of a captured graph
/// are counted alone.
inline status graph_get_nodes(const graph *of, graph_node **nodes,
                              std::size_t *count) {
  if (!of)
    return detail::note(status::invalid_value);
  if (!of->steps) {
    for (std::size_t i = 0; nodes && i < of->nodes.size() && i < *count; ++i)
      nodes[i] = of->nodes[i].get();
    *count = of->nodes.size();
    return status::success;
  }
  if (nodes)
    return detail::note(status::not_supported);
  std::uint64_t steps = 0;
  const status ended = detail::note(xcc_graph_size(of->steps.get(), &steps));
  *count = static_cast<std::size_t>(steps);
  return ended;
}
/// Those that are behind none: how many, for an array that is null.
inline status graph_get_roots(const graph *of, graph_node **nodes,
                              std::size_t *count) {
  if (!of || of->steps)
    return detail::note(of ? status::not_supported : status::invalid_value);
  std::size_t found = 0;
  for (const auto &node : of->nodes)
    if (node->after.empty()) {
      if (nodes && found < *count)
        nodes[found] = node.get();
      ++found;
    }
  *count = found;
  return status::success;
}
/// A captured graph's steps are shared, since nothing changes them.
inline status graph_clone(graph **made, const graph *of) {
  *made = nullptr;
  if (!of)
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    auto copy = std::make_unique<graph>();
    copy->steps = of->steps;
    for (const auto &node : of->nodes)
      copy->nodes.push_back(std::make_shared<graph_node>(*node));
    const auto copied = [&](const graph_node *from) {
      std::size_t i = 0;
      while (of->nodes[i].get() != from)
        ++i;
      return copy->nodes[i].get();
    };
    for (const auto &node : copy->nodes)
      for (graph_node *&before : node->after)
        before = copied(before);
    *made = copy.release();
  });
}
inline status graph_destroy(graph *gone) {
  delete gone;
  return status::success;
}
inline status graph_destroy(executable_graph *gone) {
  delete gone;
  return status::success;
}

} // namespace xcc::cuda

#endif // XCC_CUDA_GRAPHS_H
