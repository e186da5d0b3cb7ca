// CUDA's and HIP's graphs of one captured stream
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As runtime.h: names.h makes them cudaStreamBeginCapture and its like. What a
// stream is given while it is captured becomes an xcc_graph. An executable graph
// shares the steps of what it was made of: neither changes them, and an update
// gives it those of another graph.

#ifndef XCC_CUDA_GRAPHS_H
#define XCC_CUDA_GRAPHS_H

#include <xcc/cuda/state.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace xcc::cuda {

/// Which calls other threads may make meanwhile: in xcc all, in every mode.
enum class capture_mode : int { global, thread_local_, relaxed };
enum class capture_status : int { none, active, invalidated };
enum class update_result : int { success, error, topology_changed };

/// What was captured. From any thread.
struct graph {
  std::shared_ptr<xcc_graph> steps;
};
/// What is launched.
struct executable_graph {
  std::shared_ptr<xcc_graph> steps;
};
/// Graphs have steps, which nothing names.
struct graph_node;
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

inline status graph_instantiate(executable_graph **made, const graph *of) {
  *made = nullptr;
  if (!of)
    return detail::note(status::invalid_value);
  return detail::attempt([&] { *made = new executable_graph{of->steps}; });
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
  for (const auto &[of, count] : {std::pair(which->steps.get(), &had),
                                  std::pair(with->steps.get(), &has)})
    if (const status failed = detail::note(xcc_graph_size(of, count));
        failed != status::success)
      return failed;
  if (had != has) {
    *result = update_result::topology_changed;
    return detail::note(status::graph_update_failed);
  }
  *result = update_result::success;
  which->steps = with->steps;
  return status::success;
}
/// How many steps there are, for an array that is null.
inline status graph_get_nodes(const graph *of, graph_node **nodes,
                              std::size_t *count) {
  if (!of || nodes)
    return detail::note(nodes ? status::not_supported : status::invalid_value);
  std::uint64_t steps = 0;
  const status ended = detail::note(xcc_graph_size(of->steps.get(), &steps));
  *count = static_cast<std::size_t>(steps);
  return ended;
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
