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
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace xcc::cuda {

/// Which calls other threads may make meanwhile: in xcc all, in every mode.
enum class capture_mode : int { global, thread_local_, relaxed };
enum class capture_status : int { none, active, invalidated };
enum class update_result : int {
  success,
  error,
  topology_changed,
  // The others are CUDA's. No update has these results.
  node_type_changed,
  function_changed,
  parameters_changed,
  not_supported,
  unsupported_function_change,
  attributes_changed
};

enum class node_type : int {
  kernel,
  memcpy,
  memset,
  host,
  graph,
  empty,
  wait_event,
  event_record,
  memory_allocation = 10,
  memory_free = 11
};
/// What a node puts into a stream.
using stream_work = std::function<void(xcc::stream *)>;
struct graph;
/// One that a program adds.
struct graph_node {
  stream_work run;
  std::vector<graph_node *> after = {};
  stream_work between =
      {}; ///< in the place of run, where no step of a graph is
          ///< such work: calls of the host, and events
  node_type type = node_type::empty;
  std::any given = {};                  ///< the parameters, of the type's kind
  const graph_node *original = nullptr; ///< of a copy
  graph *owner = nullptr;
};
using graph_nodes = std::vector<std::shared_ptr<graph_node>>;
/// What was captured, from any thread, or nodes.
struct graph {
  std::shared_ptr<xcc_graph> steps;
  graph_nodes nodes = {};
};
/// Steps, and what is behind them and is no step of a graph.
struct graph_part {
  std::shared_ptr<xcc_graph> steps;
  stream_work then = {};
};
/// What is launched. The nodes are the graph's; their work is its own.
struct executable_graph {
  std::vector<graph_part> parts;
  graph_nodes nodes = {};
  std::vector<std::pair<graph_node *, stream_work>> work = {};
  std::vector<std::pair<graph_node *, stream_work>> between = {};
  std::vector<const graph_node *> disabled = {};
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
inline bool is_disabled(const executable_graph &of, const graph_node *node) {
  return std::find(of.disabled.begin(), of.disabled.end(), node) !=
         of.disabled.end();
}
inline std::vector<graph_part> capture_nodes(const executable_graph &of) {
  std::vector<graph_node *> seen, order;
  for (const auto &node : of.nodes)
    order_node(node.get(), seen, order);
  std::vector<graph_part> parts;
  for (auto at = order.begin(); at != order.end() || parts.empty();) {
    const stream_work *then = nullptr;
    auto end = at;
    for (; end != order.end() && !then; ++end)
      then = entry_of(of.between, *end);
    auto steps = capture_steps([&](xcc::stream *on) {
      for (auto each = at; each != end; ++each)
        if (const auto *run = entry_of(of.work, *each);
            run && *run && !is_disabled(of, *each))
          (*run)(on);
    });
    parts.push_back({std::move(steps), then ? *then : stream_work{}});
    at = end;
  }
  return parts;
}
inline void launch_parts(const std::vector<graph_part> &parts,
                         xcc::stream *on) {
  for (const graph_part &part : parts) {
    xcc::detail::check(xcc_graph_launch(part.steps.get(), handle(on)));
    if (part.then)
      part.then(on);
  }
}
inline std::uint64_t size_of(const std::vector<graph_part> &parts) {
  std::uint64_t all = 0;
  for (const graph_part &part : parts) {
    std::uint64_t some = 0;
    xcc::detail::check(xcc_graph_size(part.steps.get(), &some));
    all += some + (part.then != nullptr);
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
      if (node->between)
        whole->between.push_back({node.get(), node->between});
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
                        std::size_t count, stream_work run) {
  if (!made || !to || (count && !after))
    return detail::note(status::invalid_value);
  if (to->steps)
    return detail::note(status::not_supported);
  return detail::attempt([&] {
    to->nodes.push_back(std::make_shared<graph_node>(
        graph_node{std::move(run), {after, after + count}}));
    *made = to->nodes.back().get();
    (*made)->owner = to;
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
                           stream_work run) {
  const auto is = [node](const auto &each) { return each.get() == node; };
  if (!of || std::none_of(of->nodes.begin(), of->nodes.end(), is))
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    if (auto *does = detail::entry_of(of->work, node))
      *does = std::move(run);
    of->parts = detail::capture_nodes(*of);
  });
}
/// Adds a node between the steps of the others, in their order.
inline status graph_add_between(graph_node **made, graph *to,
                                graph_node *const *after, std::size_t count,
                                stream_work work) {
  const status failed = work ? graph_add(made, to, after, count, {})
                             : detail::note(status::invalid_value);
  if (failed == status::success)
    (*made)->between = std::move(work);
  return failed;
}
inline status graph_change_between(executable_graph *of, graph_node *node,
                                   stream_work work) {
  stream_work *has = of ? detail::entry_of(of->between, node) : nullptr;
  if (!has || !work)
    return detail::note(status::invalid_value);
  *has = std::move(work);
  return detail::attempt([&] { of->parts = detail::capture_nodes(*of); });
}
/// Notes what a node is, for what asks for it.
inline status graph_describe(status failed, graph_node *node, node_type type,
                             std::any given) {
  if (failed != status::success)
    return failed;
  return detail::attempt([&] {
    node->type = type;
    node->given = std::move(given);
  });
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
    for (const auto &node : of->nodes) {
      copy->nodes.push_back(std::make_shared<graph_node>(*node));
      copy->nodes.back()->original = node.get();
      copy->nodes.back()->owner = copy.get();
    }
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
/// Takes a node out, with its edges.
inline status graph_remove(graph *of, graph_node *gone) {
  return detail::attempt([&] {
    for (const auto &node : of->nodes) {
      const auto at = std::find(node->after.begin(), node->after.end(), gone);
      if (at != node->after.end())
        node->after.erase(at);
    }
    const auto is = [&](const auto &each) { return each.get() == gone; };
    const auto at = std::find_if(of->nodes.begin(), of->nodes.end(), is);
    if (at == of->nodes.end())
      xcc::detail::check(XCC_ERROR_INVALID_VALUE);
    of->nodes.erase(at);
  });
}
inline status graph_remove_edges(graph *of, graph_node *const *from,
                                 graph_node *const *to, std::size_t count) {
  if (!of || of->steps)
    return detail::note(of ? status::not_supported : status::invalid_value);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at =
        std::find(to[i]->after.begin(), to[i]->after.end(), from[i]);
    if (at == to[i]->after.end())
      return detail::note(status::invalid_value);
    to[i]->after.erase(at);
  }
  return status::success;
}
inline status graph_set_enabled(executable_graph *of, graph_node *node,
                                bool enabled) {
  // CUDA allows it of kernels, copies and fills alone.
  if (!of || !detail::entry_of(of->work, node))
    return detail::note(status::invalid_value);
  return detail::attempt([&] {
    auto &all = of->disabled;
    all.erase(std::remove(all.begin(), all.end(), node), all.end());
    if (!enabled)
      all.push_back(node);
    of->parts = detail::capture_nodes(*of);
  });
}
/// Copies a list, or its size alone for an array that is null.
template <class Type>
inline status graph_list(const std::vector<Type> &all, Type *into,
                         std::size_t *count) {
  if (into)
    std::copy_n(all.begin(), std::min(all.size(), *count), into);
  *count = all.size();
  return status::success;
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
