// Launches that are calls, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, at the end of names.h. A kernel that is a function
// has the types as which arguments are read; one that is an untyped address has
// their sizes.

template <class... Param>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(LaunchKernel)(XCC_KERNEL_OR_POINTER void (*kernel)(Param...),
                                dim3 grid, dim3 block, void **args,
                                std::size_t shared = 0,
                                XCC_CUDA_NAME(Stream_t) on = nullptr,
                                const char *file = __builtin_FILE(),
                                unsigned line = __builtin_LINE()) {
  return xcc::cuda::detail::launch_kernel(
      kernel, {grid, block, shared, on, file, line}, args, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(LaunchKernel)(const void *kernel, dim3 grid, dim3 block,
                                void **args, std::size_t shared = 0,
                                XCC_CUDA_NAME(Stream_t) on = nullptr,
                                const char *file = __builtin_FILE(),
                                unsigned line = __builtin_LINE()) {
  return xcc::cuda::detail::launch_kernel(
      kernel, {grid, block, shared, on, file, line}, args, on);
}
/// The same of a launch all of whose blocks run at once.
template <class... Param>
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(LaunchCooperativeKernel)(
    XCC_KERNEL_OR_POINTER void (*kernel)(Param...), dim3 grid, dim3 block,
    void **args, std::size_t shared = 0, XCC_CUDA_NAME(Stream_t) on = nullptr,
    const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return xcc::cuda::detail::launch_kernel(
      kernel, xcc::cooperative({grid, block, shared, on, file, line}), args,
      on);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(LaunchCooperativeKernel)(
    const void *kernel, dim3 grid, dim3 block, void **args,
    std::size_t shared = 0, XCC_CUDA_NAME(Stream_t) on = nullptr,
    const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return xcc::cuda::detail::launch_kernel(
      kernel, xcc::cooperative({grid, block, shared, on, file, line}), args,
      on);
}

#ifdef __XCC__ // elsewhere gridDim is a macro
enum XCC_CUDA_NAME(LaunchAttributeID) {
  XCC_CUDA_NAME(LaunchAttributeIgnore) = 0,
  XCC_CUDA_NAME(LaunchAttributeAccessPolicyWindow) = 1,
  XCC_CUDA_NAME(LaunchAttributeCooperative) = 2,
  XCC_CUDA_NAME(LaunchAttributeSynchronizationPolicy) = 3,
  XCC_CUDA_NAME(LaunchAttributeClusterDimension) = 4,
  XCC_CUDA_NAME(LaunchAttributeClusterSchedulingPolicyPreference) = 5,
  XCC_CUDA_NAME(LaunchAttributeProgrammaticStreamSerialization) = 6,
  XCC_CUDA_NAME(LaunchAttributeProgrammaticEvent) = 7,
  XCC_CUDA_NAME(LaunchAttributePriority) = 8
};
union XCC_CUDA_NAME(LaunchAttributeValue) {
  char pad[64];
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};
struct XCC_CUDA_NAME(LaunchAttribute) {
  XCC_CUDA_NAME(LaunchAttributeID) id;
  XCC_CUDA_NAME(LaunchAttributeValue) val;
};
struct XCC_CUDA_NAME(LaunchConfig_t) {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  XCC_CUDA_NAME(Stream_t) stream;
  XCC_CUDA_NAME(LaunchAttribute) * attrs;
  unsigned numAttrs;

  /// False of one that asks for clusters, which xcc has not.
  bool fill(xcc::launch_config &into) const {
    for (unsigned i = 0; i < numAttrs; ++i) {
      const XCC_CUDA_NAME(LaunchAttributeValue) &value = attrs[i].val;
      if (attrs[i].id == XCC_CUDA_NAME(LaunchAttributeCooperative) &&
          value.cooperative)
        into = xcc::cooperative(into);
      if (attrs[i].id == XCC_CUDA_NAME(LaunchAttributeClusterDimension) &&
          value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1)
        return false;
    }
    return true;
  }
};
/// Arguments by their addresses. Priorities and the like are advice.
template <class Kernel>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(LaunchWith)(const XCC_CUDA_NAME(LaunchConfig_t) * config,
                              Kernel kernel, void **args, const char *file,
                              unsigned line) {
  xcc::launch_config shape{config->gridDim,
                           config->blockDim,
                           config->dynamicSmemBytes,
                           config->stream,
                           file,
                           line};
  if (!config->fill(shape))
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::detail::launch_kernel(kernel, shape, args, config->stream);
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(LaunchKernelExC)(
    const XCC_CUDA_NAME(LaunchConfig_t) * config,
    XCC_KERNEL_OR_POINTER void (*kernel)(Param...), void **args,
    const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return XCC_CUDA_NAME(LaunchWith)(config, kernel, args, file, line);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(LaunchKernelExC)(const XCC_CUDA_NAME(LaunchConfig_t) * config,
                                   const void *kernel, void **args,
                                   const char *file = __builtin_FILE(),
                                   unsigned line = __builtin_LINE()) {
  return XCC_CUDA_NAME(LaunchWith)(config, kernel, args, file, line);
}
template <class... Param, class... Arg>
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(LaunchKernelEx)(
    const XCC_CUDA_NAME(LaunchConfig_t) * config,
    XCC_KERNEL_OR_POINTER void (*kernel)(Param...), Arg &&...args) {
  const auto start = [&](Param... given) {
    void *places[] = {const_cast<void *>(static_cast<const volatile void *>(
                          __builtin_addressof(given)))...,
                      nullptr};
    return XCC_CUDA_NAME(LaunchWith)(config, kernel, places, __builtin_FILE(),
                                     __builtin_LINE());
  };
  return start(std::forward<Arg>(args)...);
}
#endif

#include <xcc/cuda/graph_nodes.h>
