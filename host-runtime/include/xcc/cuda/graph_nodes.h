// Graphs that are built node by node, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, at the end of launches.h. A node that calls the host divides
// a graph into parts, between which the stream calls it.

#define XCC_CUDA_NODES XCC_CUDA_NAME(_nodes) // a namespace for each
#ifdef __XCC__                               // elsewhere gridDim is a macro
struct XCC_CUDA_NAME(KernelNodeParams) {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams, **extra;
};
struct XCC_CUDA_NAME(MemsetParams) {
  void *dst;
  std::size_t pitch;
  unsigned value, elementSize;
  std::size_t width, height;
};
struct XCC_CUDA_NAME(HostNodeParams) {
  void (*fn)(void *);
  void *userData;
};

inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphCreate)(XCC_CUDA_NAME(Graph_t) * made, unsigned = 0) {
  return xcc::cuda::graph_create(made);
}
namespace xcc::cuda::XCC_CUDA_NODES {
using namespace detail;
/// A launch with copies of its arguments.
struct kernel_node {
  XCC_CUDA_NAME(KernelNodeParams) params;
  std::shared_ptr<packed_arguments> packed;
  std::vector<void *> places;

  explicit kernel_node(const XCC_CUDA_NAME(KernelNodeParams) & given)
      : params(given),
        packed(std::make_shared<packed_arguments>(
            info_at(given.func, nullptr, 0), given.kernelParams)),
        places(packed->places()) {}
};
/// The arguments are copied now; the launch is made in each capture.
inline stream_work work_of(const kernel_node &node) {
  const XCC_CUDA_NAME(KernelNodeParams) &params = node.params;
  const auto packed = node.packed;
  const xcc::launch_config shape{params.gridDim, params.blockDim,
                                 params.sharedMemBytes};
  return [=](xcc::stream *on) {
    xcc::launch_config config = shape;
    config.on = on;
    packed->launch(config);
  };
}
} // namespace xcc::cuda::XCC_CUDA_NODES
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddKernelNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(KernelNodeParams) * params) {
  std::optional<xcc::cuda::XCC_CUDA_NODES::kernel_node> node;
  if (const auto failed =
          xcc::cuda::detail::attempt([&] { node.emplace(*params); }))
    return failed;
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count,
                           xcc::cuda::XCC_CUDA_NODES::work_of(*node)),
      *made, xcc::cuda::node_type::kernel, *node);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecKernelNodeSetParams)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,
    const XCC_CUDA_NAME(KernelNodeParams) * params) {
  xcc::cuda::stream_work work;
  if (const auto failed = xcc::cuda::detail::attempt([&] {
        work = xcc::cuda::XCC_CUDA_NODES::work_of(
            xcc::cuda::XCC_CUDA_NODES::kernel_node(*params));
      }))
    return failed;
  return xcc::cuda::graph_change(of, node, std::move(work));
}
namespace xcc::cuda::XCC_CUDA_NODES {
/// A copy of bytes, for what asks for it as one of a volume.
struct plain_copy {
  void *to;
  const void *from;
  std::size_t bytes;
  XCC_CUDA_NAME(MemcpyKind) kind;
};
inline stream_work work_of(const plain_copy &what) {
  return [=](xcc::stream *on) {
    xcc::detail::check(
        xcc_copy_async(what.to, what.from, what.bytes, handle(on)));
  };
}
inline stream_work work_of(const XCC_CUDA_NAME(Memcpy3DParms) & params) {
  return throwing([given = params](xcc::stream *on) {
    return XCC_CUDA_NAME(Memcpy3DAsync)(&given, on);
  });
}
/// Nothing for a value that is not the same in each byte.
inline stream_work work_of(const XCC_CUDA_NAME(MemsetParams) & params) {
  const XCC_CUDA_NAME(MemsetParams) given = params;
  unsigned all = given.value & 0xff; // a fill is by bytes
  for (unsigned i = 1; i < given.elementSize; ++i)
    if ((given.value >> (8 * i) & 0xff) != all)
      return {};
  return [=](xcc::stream *on) {
    for (std::size_t row = 0; row < given.height; ++row)
      xcc::detail::check(xcc_fill_async(
          static_cast<char *>(given.dst) + row * given.pitch,
          static_cast<int>(all), given.width * given.elementSize, handle(on)));
  };
}
inline stream_work work_of(const XCC_CUDA_NAME(HostNodeParams) & params) {
  if (!params.fn)
    return {};
  return [given = params](xcc::stream *on) {
    xcc::detail::check(xcc_stream_call(handle(on), given.fn, given.userData));
  };
}
} // namespace xcc::cuda::XCC_CUDA_NODES

inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemcpyNode1D)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count, void *into,
    const void *from, std::size_t bytes, XCC_CUDA_NAME(MemcpyKind) kind) {
  const xcc::cuda::XCC_CUDA_NODES::plain_copy what{into, from, bytes, kind};
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count,
                           xcc::cuda::XCC_CUDA_NODES::work_of(what)),
      *made, xcc::cuda::node_type::memcpy, what);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemcpyNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(Memcpy3DParms) * params) {
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count,
                           xcc::cuda::XCC_CUDA_NODES::work_of(*params)),
      *made, xcc::cuda::node_type::memcpy, *params);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemsetNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(MemsetParams) * params) {
  xcc::cuda::stream_work work = xcc::cuda::XCC_CUDA_NODES::work_of(*params);
  if (!work)
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count, std::move(work)), *made,
      xcc::cuda::node_type::memset, *params);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphAddEmptyNode)(XCC_CUDA_NAME(GraphNode_t) * made,
                                     XCC_CUDA_NAME(Graph_t) to,
                                     const XCC_CUDA_NAME(GraphNode_t) * after,
                                     std::size_t count) {
  return xcc::cuda::graph_add(made, to, after, count, {});
}
namespace xcc::cuda::XCC_CUDA_NODES {
/// Launches a graph as a step of another one; nothing for one that has work
/// between its steps, which no step can have.
inline status child_work(stream_work &work, const graph *child) {
  executable_graph *inner = nullptr;
  if (const status failed = graph_instantiate(&inner, child);
      failed != status::success)
    return failed;
  const std::shared_ptr<executable_graph> kept(inner);
  if (!kept->between.empty())
    return note(status::not_supported);
  work = [=](xcc::stream *on) { launch_parts(kept->parts, on); };
  return status::success;
}
} // namespace xcc::cuda::XCC_CUDA_NODES
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddChildGraphNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    XCC_CUDA_NAME(Graph_t) child) {
  xcc::cuda::stream_work work;
  if (const auto failed = xcc::cuda::XCC_CUDA_NODES::child_work(work, child))
    return failed;
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add(made, to, after, count, std::move(work)), *made,
      xcc::cuda::node_type::graph, child);
}
/// Nodes that are behind none.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphGetRootNodes)(XCC_CUDA_NAME(Graph_t) of,
                                     XCC_CUDA_NAME(GraphNode_t) * nodes,
                                     std::size_t *count) {
  return xcc::cuda::graph_get_roots(of, nodes, count);
}
/// The copy's nodes are its own.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphClone)(XCC_CUDA_NAME(Graph_t) * made,
                              XCC_CUDA_NAME(Graph_t) of) {
  return xcc::cuda::graph_clone(made, of);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddHostNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(HostNodeParams) * params) {
  return xcc::cuda::graph_describe(
      xcc::cuda::graph_add_between(made, to, after, count,
                                   xcc::cuda::XCC_CUDA_NODES::work_of(*params)),
      *made, xcc::cuda::node_type::host, *params);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecHostNodeSetParams)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,
    const XCC_CUDA_NAME(HostNodeParams) * params) {
  return xcc::cuda::graph_change_between(
      of, node, xcc::cuda::XCC_CUDA_NODES::work_of(*params));
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphAddDependencies)(XCC_CUDA_NAME(Graph_t) of,
                                        const XCC_CUDA_NAME(GraphNode_t) * from,
                                        const XCC_CUDA_NAME(GraphNode_t) * to,
                                        std::size_t count) {
  return xcc::cuda::graph_add_edges(of, from, to, count);
}
#endif
