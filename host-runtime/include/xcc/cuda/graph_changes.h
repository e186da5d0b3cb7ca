// What a graph has, and changes of it, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, after pools.h. A change of a graph leaves the
// executable graphs that were made of it as they are.

using XCC_CUDA_NAME(GraphNodeType) = xcc::cuda::node_type;
#define XCC_CUDA_NODE_TYPE(name, value)                                        \
  inline constexpr auto XCC_CUDA_NAME(GraphNodeType##name) =                   \
      xcc::cuda::node_type::value;
XCC_CUDA_NODE_TYPE(Kernel, kernel)
XCC_CUDA_NODE_TYPE(Memcpy, memcpy)
XCC_CUDA_NODE_TYPE(Memset, memset)
XCC_CUDA_NODE_TYPE(Host, host)
XCC_CUDA_NODE_TYPE(Graph, graph)
XCC_CUDA_NODE_TYPE(Empty, empty)
XCC_CUDA_NODE_TYPE(WaitEvent, wait_event)
XCC_CUDA_NODE_TYPE(EventRecord, event_record)
XCC_CUDA_NODE_TYPE(MemAlloc, memory_allocation)
XCC_CUDA_NODE_TYPE(MemFree, memory_free)
#undef XCC_CUDA_NODE_TYPE

//===-- New parameters ----------------------------------------------------===//

/// Of a kind of node whose parameters are given by an address: of an executable
/// graph, of a graph, and what they are.
#define XCC_CUDA_NODE_PARAMETERS(kind, params_type)                            \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(Graph##kind##NodeSetParams)(     \
      XCC_CUDA_NAME(GraphNode_t) node,                                         \
      const XCC_CUDA_NAME(params_type) * params) {                             \
    return xcc::cuda::XCC_CUDA_NODES::change_node(node, *params);              \
  }                                                                            \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(Graph##kind##NodeGetParams)(     \
      XCC_CUDA_NAME(GraphNode_t) node, XCC_CUDA_NAME(params_type) * params) {  \
    return xcc::cuda::XCC_CUDA_NODES::given_to(node, params);                  \
  }
#define XCC_CUDA_EXECUTABLE_PARAMETERS(kind, params_type)                      \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExec##kind##NodeSetParams)( \
      XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,          \
      const XCC_CUDA_NAME(params_type) * params) {                             \
    xcc::cuda::stream_work work = xcc::cuda::XCC_CUDA_NODES::work_of(*params); \
    return work ? xcc::cuda::graph_change(of, node, std::move(work))           \
                : xcc::cuda::detail::note(xcc::cuda::status::not_supported);   \
  }
namespace xcc::cuda::XCC_CUDA_NODES {
using namespace detail;
template <class Params>
inline status change_node(graph_node *node, const Params &params) {
  stream_work work = work_of(params);
  if (!work)
    return note(status::not_supported);
  return attempt([&] {
    (node->between ? node->between : node->run) = std::move(work);
    node->given = params;
  });
}
/// What a node was given, if it is of that kind.
template <class Params>
inline status given_to(const graph_node *node, Params *into) {
  if (const auto *params = std::any_cast<Params>(&node->given)) {
    *into = *params;
    return status::success;
  }
  if constexpr (std::is_same_v<Params, XCC_CUDA_NAME(Memcpy3DParms)>)
    if (const auto *copy = std::any_cast<plain_copy>(&node->given)) {
      *into = {};
      into->srcPtr = {const_cast<void *>(copy->from), copy->bytes, copy->bytes,
                      1};
      into->dstPtr = {copy->to, copy->bytes, copy->bytes, 1};
      into->extent = {copy->bytes, 1, 1};
      into->kind = copy->kind;
      return status::success;
    }
  return note(status::invalid_value);
}
} // namespace xcc::cuda::XCC_CUDA_NODES
XCC_CUDA_NODE_PARAMETERS(Memcpy, Memcpy3DParms)
XCC_CUDA_NODE_PARAMETERS(Memset, MemsetParams)
XCC_CUDA_NODE_PARAMETERS(Host, HostNodeParams)
XCC_CUDA_EXECUTABLE_PARAMETERS(Memcpy, Memcpy3DParms)
XCC_CUDA_EXECUTABLE_PARAMETERS(Memset, MemsetParams)
#undef XCC_CUDA_NODE_PARAMETERS
#undef XCC_CUDA_EXECUTABLE_PARAMETERS

inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphKernelNodeSetParams)(
    XCC_CUDA_NAME(GraphNode_t) node,
    const XCC_CUDA_NAME(KernelNodeParams) * params) {
  std::optional<xcc::cuda::XCC_CUDA_NODES::kernel_node> made;
  if (const auto failed =
          xcc::cuda::detail::attempt([&] { made.emplace(*params); }))
    return failed;
  return xcc::cuda::XCC_CUDA_NODES::change_node(node, *made);
}
/// With the addresses of the node's own copies of the arguments.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphKernelNodeGetParams)(
    XCC_CUDA_NAME(GraphNode_t) node, XCC_CUDA_NAME(KernelNodeParams) * params) {
  auto *has =
      std::any_cast<xcc::cuda::XCC_CUDA_NODES::kernel_node>(&node->given);
  if (!has)
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  *params = has->params;
  params->kernelParams = has->places.data();
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphMemcpyNodeSetParams1D)(XCC_CUDA_NAME(GraphNode_t) node,
                                              void *into, const void *from,
                                              std::size_t bytes,
                                              XCC_CUDA_NAME(MemcpyKind) kind) {
  return xcc::cuda::XCC_CUDA_NODES::change_node(
      node, xcc::cuda::XCC_CUDA_NODES::plain_copy{into, from, bytes, kind});
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecMemcpyNodeSetParams1D)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node, void *into,
    const void *from, std::size_t bytes, XCC_CUDA_NAME(MemcpyKind) kind) {
  return xcc::cuda::graph_change(
      of, node, xcc::cuda::XCC_CUDA_NODES::work_of({into, from, bytes, kind}));
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecChildGraphNodeSetParams)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,
    XCC_CUDA_NAME(Graph_t) child) {
  xcc::cuda::stream_work work;
  if (const auto failed = xcc::cuda::XCC_CUDA_NODES::child_work(work, child))
    return failed;
  return xcc::cuda::graph_change(of, node, std::move(work));
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphChildGraphNodeGetGraph)(XCC_CUDA_NAME(GraphNode_t) node,
                                               XCC_CUDA_NAME(Graph_t) * into) {
  return xcc::cuda::XCC_CUDA_NODES::given_to(node, into);
}

//===-- Nodes and edges ---------------------------------------------------===//

inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphNodeGetType)(XCC_CUDA_NAME(GraphNode_t) of,
                                    XCC_CUDA_NAME(GraphNodeType) * type) {
  *type = of->type;
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphDestroyNode)(XCC_CUDA_NAME(GraphNode_t) gone) {
  return xcc::cuda::graph_remove(gone->owner, gone);
}
struct XCC_CUDA_NAME(GraphEdgeData) {
  unsigned char from_port, to_port, type, reserved[5];
};
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphGetEdges)(XCC_CUDA_NAME(Graph_t) of,
                                 XCC_CUDA_NAME(GraphNode_t) * from,
                                 XCC_CUDA_NAME(GraphNode_t) * to,
                                 std::size_t *count) {
  std::vector<XCC_CUDA_NAME(GraphNode_t)> starts, ends;
  if (of->steps)
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  for (const auto &node : of->nodes)
    for (XCC_CUDA_NAME(GraphNode_t) before : node->after) {
      starts.push_back(before);
      ends.push_back(node.get());
    }
  std::size_t room = *count;
  xcc::cuda::graph_list(starts, from, &room);
  return xcc::cuda::graph_list(ends, to, count);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphNodeGetDependencies)(XCC_CUDA_NAME(GraphNode_t) of,
                                            XCC_CUDA_NAME(GraphNode_t) * nodes,
                                            std::size_t *count) {
  return xcc::cuda::graph_list(of->after, nodes, count);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphNodeGetDependentNodes)(XCC_CUDA_NAME(GraphNode_t) of,
                                              XCC_CUDA_NAME(GraphNode_t) *
                                                  nodes,
                                              std::size_t *count) {
  std::vector<XCC_CUDA_NAME(GraphNode_t)> found;
  for (const auto &node : of->owner->nodes)
    if (std::count(node->after.begin(), node->after.end(), of))
      found.push_back(node.get());
  return xcc::cuda::graph_list(found, nodes, count);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphRemoveDependencies)(
    XCC_CUDA_NAME(Graph_t) of, const XCC_CUDA_NAME(GraphNode_t) * from,
    const XCC_CUDA_NAME(GraphNode_t) * to, std::size_t count) {
  return xcc::cuda::graph_remove_edges(of, from, to, count);
}
// As CUDA 13 has them. All edges are whole ones.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphGetEdges)(XCC_CUDA_NAME(Graph_t) of,
                                 XCC_CUDA_NAME(GraphNode_t) * from,
                                 XCC_CUDA_NAME(GraphNode_t) * to,
                                 XCC_CUDA_NAME(GraphEdgeData) * edges,
                                 std::size_t *count) {
  if (edges)
    std::fill_n(edges, *count, XCC_CUDA_NAME(GraphEdgeData){});
  return XCC_CUDA_NAME(GraphGetEdges)(of, from, to, count);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphNodeGetDependencies)(
    XCC_CUDA_NAME(GraphNode_t) of, XCC_CUDA_NAME(GraphNode_t) * nodes,
    XCC_CUDA_NAME(GraphEdgeData) * edges, std::size_t *count) {
  if (edges)
    std::fill_n(edges, *count, XCC_CUDA_NAME(GraphEdgeData){});
  return xcc::cuda::graph_list(of->after, nodes, count);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphNodeGetDependentNodes)(
    XCC_CUDA_NAME(GraphNode_t) of, XCC_CUDA_NAME(GraphNode_t) * nodes,
    XCC_CUDA_NAME(GraphEdgeData) * edges, std::size_t *count) {
  if (edges)
    std::fill_n(edges, *count, XCC_CUDA_NAME(GraphEdgeData){});
  return XCC_CUDA_NAME(GraphNodeGetDependentNodes)(of, nodes, count);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphAddDependencies)(XCC_CUDA_NAME(Graph_t) of,
                                        const XCC_CUDA_NAME(GraphNode_t) * from,
                                        const XCC_CUDA_NAME(GraphNode_t) * to,
                                        const XCC_CUDA_NAME(GraphEdgeData) *,
                                        std::size_t count) {
  return xcc::cuda::graph_add_edges(of, from, to, count);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphRemoveDependencies)(
    XCC_CUDA_NAME(Graph_t) of, const XCC_CUDA_NAME(GraphNode_t) * from,
    const XCC_CUDA_NAME(GraphNode_t) * to, const XCC_CUDA_NAME(GraphEdgeData) *,
    std::size_t count) {
  return xcc::cuda::graph_remove_edges(of, from, to, count);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphNodeFindInClone)(XCC_CUDA_NAME(GraphNode_t) * found,
                                        XCC_CUDA_NAME(GraphNode_t) original,
                                        XCC_CUDA_NAME(Graph_t) in) {
  for (const auto &node : in->nodes)
    if (node->original == original) {
      *found = node.get();
      return xcc::cuda::status::success;
    }
  return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphNodeSetEnabled)(XCC_CUDA_NAME(GraphExec_t) of,
                                       XCC_CUDA_NAME(GraphNode_t) node,
                                       unsigned enabled) {
  return xcc::cuda::graph_set_enabled(of, node, enabled != 0);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphNodeGetEnabled)(XCC_CUDA_NAME(GraphExec_t) of,
                                       XCC_CUDA_NAME(GraphNode_t) node,
                                       unsigned *enabled) {
  *enabled = !xcc::cuda::detail::is_disabled(*of, node);
  return xcc::cuda::status::success;
}
struct XCC_CUDA_NAME(GraphInstantiateParams) {
  unsigned long long flags;
  XCC_CUDA_NAME(Stream_t) uploadStream;
  XCC_CUDA_NAME(GraphNode_t) errNode_out;
  int result_out;
};
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphInstantiateWithParams)(
    XCC_CUDA_NAME(GraphExec_t) * made, XCC_CUDA_NAME(Graph_t) of,
    XCC_CUDA_NAME(GraphInstantiateParams) * params) {
  params->errNode_out = nullptr;
  const XCC_CUDA_NAME(Error_t) failed = xcc::cuda::graph_instantiate(made, of);
  params->result_out = failed ? 1 : 0;
  return failed;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphExecGetFlags)(XCC_CUDA_NAME(GraphExec_t),
                                     unsigned long long *flags) {
  *flags = 0; // none changes what a launch does
  return xcc::cuda::status::success;
}

//===-- Events and memory -------------------------------------------------===//

namespace xcc::cuda::XCC_CUDA_NODES {
inline stream_work record_work(xcc::event *event) {
  return throwing(
      [=](xcc::stream *on) { return XCC_CUDA_NAME(EventRecord)(event, on); });
}
inline stream_work wait_work(xcc::event *event) {
  return throwing([=](xcc::stream *on) {
    return XCC_CUDA_NAME(StreamWaitEvent)(on, event, 0);
  });
}
} // namespace xcc::cuda::XCC_CUDA_NODES
#define XCC_CUDA_EVENT_NODE(kind, work_of_event, type_of_node)                 \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddEvent##kind##Node)(      \
      XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,            \
      const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,             \
      XCC_CUDA_NAME(Event_t) event) {                                          \
    return xcc::cuda::graph_describe(                                          \
        xcc::cuda::graph_add_between(                                          \
            made, to, after, count,                                            \
            xcc::cuda::XCC_CUDA_NODES::work_of_event(event)),                  \
        *made, xcc::cuda::node_type::type_of_node, event);                     \
  }                                                                            \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphEvent##kind##NodeGetEvent)( \
      XCC_CUDA_NAME(GraphNode_t) node, XCC_CUDA_NAME(Event_t) * event) {       \
    return xcc::cuda::XCC_CUDA_NODES::given_to(node, event);                   \
  }                                                                            \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphEvent##kind##NodeSetEvent)( \
      XCC_CUDA_NAME(GraphNode_t) node, XCC_CUDA_NAME(Event_t) event) {         \
    return xcc::cuda::detail::attempt([&] {                                    \
      node->between = xcc::cuda::XCC_CUDA_NODES::work_of_event(event);         \
      node->given = event;                                                     \
    });                                                                        \
  }                                                                            \
  inline XCC_CUDA_NAME(Error_t)                                                \
      XCC_CUDA_NAME(GraphExecEvent##kind##NodeSetEvent)(                       \
          XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,      \
          XCC_CUDA_NAME(Event_t) event) {                                      \
    return xcc::cuda::graph_change_between(                                    \
        of, node, xcc::cuda::XCC_CUDA_NODES::work_of_event(event));            \
  }
XCC_CUDA_EVENT_NODE(Record, record_work, event_record)
XCC_CUDA_EVENT_NODE(Wait, wait_work, wait_event)
#undef XCC_CUDA_EVENT_NODE

struct XCC_CUDA_NAME(MemAllocNodeParams) {
  XCC_CUDA_NAME(MemPoolProps) poolProps;
  const XCC_CUDA_NAME(MemAccessDesc) * accessDescs;
  std::size_t accessDescCount, bytesize;
  void *dptr;
};
/// Memory of the graph, until no graph has the node.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemAllocNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    XCC_CUDA_NAME(MemAllocNodeParams) * params) {
  if (const auto failed = xcc::cuda::allocate(&params->dptr, params->bytesize))
    return failed;
  const std::shared_ptr<void> memory(params->dptr,
                                     [](void *gone) { xcc_memory_free(gone); });
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count, [memory](xcc::stream *) {}),
      *made, xcc::cuda::node_type::memory_allocation, *params);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphMemAllocNodeGetParams)(
    XCC_CUDA_NAME(GraphNode_t) node,
    XCC_CUDA_NAME(MemAllocNodeParams) * params) {
  return xcc::cuda::XCC_CUDA_NODES::given_to(node, params);
}
/// The end of the use of a graph's memory, which stays the graph's.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphAddMemFreeNode)(XCC_CUDA_NAME(GraphNode_t) * made,
                                       XCC_CUDA_NAME(Graph_t) to,
                                       const XCC_CUDA_NAME(GraphNode_t) * after,
                                       std::size_t count, void *memory) {
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count, {}), *made,
      xcc::cuda::node_type::memory_free, memory);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphMemFreeNodeGetParams)(XCC_CUDA_NAME(GraphNode_t) node,
                                             void *into) {
  return xcc::cuda::XCC_CUDA_NODES::given_to(node, static_cast<void **>(into));
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(DeviceGraphMemTrim)(int) {
  return xcc::cuda::status::success; // a graph keeps no other memory
}
inline constexpr unsigned
    XCC_CUDA_NAME(GraphInstantiateFlagAutoFreeOnLaunch) = 1;
inline constexpr unsigned XCC_CUDA_NAME(GraphInstantiateFlagUpload) = 2;
inline constexpr unsigned
    XCC_CUDA_NAME(GraphInstantiateFlagUseNodePriority) = 8;
