// Graphs that are built node by node, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, at the end of launches.h. A node that calls the host divides
// a graph into parts, between which the stream calls it.

#ifdef __XCC__ // elsewhere gridDim is a macro
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
namespace xcc::cuda::detail {
/// The arguments are copied now; the launch is made in each capture.
inline std::function<void(xcc::stream *)>
work_of(const XCC_CUDA_NAME(KernelNodeParams) & params) {
  const xcc::kernel_info &kernel = info_at(params.func, nullptr, 0);
  const auto packed =
      std::make_shared<packed_arguments>(kernel, params.kernelParams);
  const xcc::launch_config shape{params.gridDim, params.blockDim,
                                 params.sharedMemBytes};
  return [=](xcc::stream *on) {
    xcc::launch_config config = shape;
    config.on = on;
    packed->launch(config);
  };
}
} // namespace xcc::cuda::detail
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddKernelNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(KernelNodeParams) * params) {
  std::function<void(xcc::stream *)> work;
  const XCC_CUDA_NAME(Error_t) failed = xcc::cuda::detail::attempt(
      [&] { work = xcc::cuda::detail::work_of(*params); });
  return failed ? failed
                : xcc::cuda::graph_add(made, to, after, count, std::move(work));
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecKernelNodeSetParams)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,
    const XCC_CUDA_NAME(KernelNodeParams) * params) {
  std::function<void(xcc::stream *)> work;
  const XCC_CUDA_NAME(Error_t) failed = xcc::cuda::detail::attempt(
      [&] { work = xcc::cuda::detail::work_of(*params); });
  return failed ? failed : xcc::cuda::graph_change(of, node, std::move(work));
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemcpyNode1D)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count, void *into,
    const void *from, std::size_t bytes, XCC_CUDA_NAME(MemcpyKind)) {
  return xcc::cuda::graph_add(made, to, after, count, [=](xcc::stream *on) {
    xcc::detail::check(
        xcc_copy_async(into, from, bytes, xcc::cuda::detail::handle(on)));
  });
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemcpyNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(Memcpy3DParms) * params) {
  return xcc::cuda::graph_add(
      made, to, after, count,
      xcc::cuda::detail::throwing([given = *params](xcc::stream *on) {
        return XCC_CUDA_NAME(Memcpy3DAsync)(&given, on);
      }));
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddMemsetNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    const XCC_CUDA_NAME(MemsetParams) * params) {
  const XCC_CUDA_NAME(MemsetParams) given = *params;
  unsigned all = given.value & 0xff; // a fill is by bytes
  for (unsigned i = 1; i < given.elementSize; ++i)
    if ((given.value >> (8 * i) & 0xff) != all)
      return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::graph_add(made, to, after, count, [=](xcc::stream *on) {
    for (std::size_t row = 0; row < given.height; ++row)
      xcc::detail::check(
          xcc_fill_async(static_cast<char *>(given.dst) + row * given.pitch,
                         static_cast<int>(all), given.width * given.elementSize,
                         xcc::cuda::detail::handle(on)));
  });
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphAddEmptyNode)(XCC_CUDA_NAME(GraphNode_t) * made,
                                     XCC_CUDA_NAME(Graph_t) to,
                                     const XCC_CUDA_NAME(GraphNode_t) * after,
                                     std::size_t count) {
  return xcc::cuda::graph_add(made, to, after, count, {});
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphAddChildGraphNode)(
    XCC_CUDA_NAME(GraphNode_t) * made, XCC_CUDA_NAME(Graph_t) to,
    const XCC_CUDA_NAME(GraphNode_t) * after, std::size_t count,
    XCC_CUDA_NAME(Graph_t) child) {
  xcc::cuda::executable_graph *inner = nullptr;
  if (const auto failed = xcc::cuda::graph_instantiate(&inner, child))
    return failed;
  const std::shared_ptr<xcc::cuda::executable_graph> kept(inner);
  if (!kept->calls.empty()) // a graph's step cannot call the host
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::graph_add(made, to, after, count, [=](xcc::stream *on) {
    xcc::cuda::detail::launch_parts(kept->parts, on);
  });
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecMemcpyNodeSetParams1D)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node, void *into,
    const void *from, std::size_t bytes, XCC_CUDA_NAME(MemcpyKind)) {
  return xcc::cuda::graph_change(of, node, [=](xcc::stream *on) {
    xcc::detail::check(
        xcc_copy_async(into, from, bytes, xcc::cuda::detail::handle(on)));
  });
}
/// Of the graph, whose executable graphs stay as they are.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphKernelNodeSetParams)(
    XCC_CUDA_NAME(GraphNode_t) node,
    const XCC_CUDA_NAME(KernelNodeParams) * params) {
  return xcc::cuda::detail::attempt(
      [&] { node->run = xcc::cuda::detail::work_of(*params); });
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
  return xcc::cuda::graph_add_call(made, to, after, count,
                                   {params->fn, params->userData});
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GraphExecHostNodeSetParams)(
    XCC_CUDA_NAME(GraphExec_t) of, XCC_CUDA_NAME(GraphNode_t) node,
    const XCC_CUDA_NAME(HostNodeParams) * params) {
  return xcc::cuda::graph_change_call(of, node, {params->fn, params->userData});
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphAddDependencies)(XCC_CUDA_NAME(Graph_t) of,
                                        const XCC_CUDA_NAME(GraphNode_t) * from,
                                        const XCC_CUDA_NAME(GraphNode_t) * to,
                                        std::size_t count) {
  return xcc::cuda::graph_add_edges(of, from, to, count);
}
#endif
