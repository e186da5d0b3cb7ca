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

/// What a node puts into a stream; of those that a program adds.
struct graph_node {
  std::function<void(xcc::stream *)> run;
  std::vector<graph_node *> after = {};
};
using graph_nodes = std::vector<std::shared_ptr<graph_node>>;
/// What was captured, from any thread, or nodes.
struct graph {
  std::shared_ptr<xcc_graph> steps;
  graph_nodes nodes = {};
};
/// What is launched. The nodes are the graph's; their work is its own.
struct executable_graph {
  std::shared_ptr<xcc_graph> steps;
  graph_nodes nodes = {};
  std::vector<std::pair<graph_node *, std::function<void(xcc::stream *)>>>
      work = {};
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
/// Captures a node's work, behind that of the nodes before it.
inline void capture_node(const executable_graph &of, graph_node *node,
                         std::vector<graph_node *> &done, xcc::stream *on) {
  if (std::find(done.begin(), done.end(), node) != done.end())
    return;
  done.push_back(node);
  for (graph_node *before : node->after)
    capture_node(of, before, done, on);
  for (const auto &[which, run] : of.work)
    if (which == node && run)
      return run(on);
}
inline std::shared_ptr<xcc_graph> capture_nodes(const executable_graph &of) {
  xcc::stream own;
  xcc::detail::check(xcc_graph_begin(own.handle()));
  std::vector<graph_node *> done;
  try {
    for (const auto &node : of.nodes)
      capture_node(of, node.get(), done, &own);
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
    whole->steps = of->steps;
    whole->nodes = of->nodes;
    for (const auto &node : whole->nodes)
      whole->work.push_back({node.get(), node->run});
    if (!whole->steps)
      whole->steps = detail::capture_nodes(*whole);
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
    for (auto &[which, does] : of->work)
      if (which == node)
        does = run;
    of->steps = detail::capture_nodes(*of);
  });
}
inline status graph_launch(const executable_graph *which, xcc::stream *on) {
  if (!which)
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(
        xcc_graph_launch(which->steps.get(), detail::handle(on)));
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
  for (const auto &[of, count] : {std::pair(which->steps.get(), &had),
                                  std::pair(other->steps.get(), &has)})
    if (const status failed = detail::note(xcc_graph_size(of, count));
        failed != status::success)
      return failed;
  if (had != has) {
    *result = update_result::topology_changed;
    return detail::note(status::graph_update_failed);
  }
  *result = update_result::success;
  which->steps = other->steps;
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
