// Occupancy, attributes of kernels, peers and advice, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, after names.h, as names.h is. What only gives advice does
// nothing, and succeeds.

//===-- Kernels -----------------------------------------------------------===//

/// How many blocks a multiprocessor runs at once.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessor)(
        int *blocks, const void *kernel, int threads, std::size_t shared = 0) {
  return xcc::cuda::detail::attempt([&] {
    const xcc::kernel_info &info =
        xcc::cuda::detail::info_of(kernel, nullptr, 0);
    const xcc::device now = xcc::device::current();
    const unsigned all = xcc::max_cooperative_blocks(info, {threads}, shared);
    const unsigned units = now.properties().compute_units;
    *blocks = static_cast<int>(units ? (all + units - 1) / units : all);
  });
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessor)(
        int *blocks, XCC_KERNEL_OR_POINTER void (*kernel)(Param...),
        int threads, std::size_t shared = 0) {
  return XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessor)(
      blocks, reinterpret_cast<const void *>(kernel), threads, shared);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(
        int *blocks, const void *kernel, int threads, std::size_t shared,
        unsigned) {
  return XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessor)(
      blocks, kernel, threads, shared);
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(
        int *blocks, XCC_KERNEL_OR_POINTER void (*kernel)(Param...),
        int threads, std::size_t shared, unsigned) {
  return XCC_CUDA_NAME(OccupancyMaxActiveBlocksPerMultiprocessor)(
      blocks, reinterpret_cast<const void *>(kernel), threads, shared);
}
/// The block with the highest occupancy, and how many fill the device.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxPotentialBlockSize)(int *grid, int *block,
                                                  const void *kernel,
                                                  std::size_t shared = 0,
                                                  int limit = 0) {
  return xcc::cuda::detail::attempt([&] {
    const xcc::kernel_info &info =
        xcc::cuda::detail::info_of(kernel, nullptr, 0);
    std::uint32_t threads = 0;
    xcc::detail::check(xcc_kernel_suggest_block(&info, shared, &threads));
    if (limit > 0 && threads > unsigned(limit))
      threads = unsigned(limit);
    *block = static_cast<int>(threads);
    *grid =
        static_cast<int>(xcc::max_cooperative_blocks(info, {threads}, shared));
  });
}

template <class... Param>
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(OccupancyMaxPotentialBlockSize)(
    int *grid, int *block, XCC_KERNEL_OR_POINTER void (*kernel)(Param...),
    std::size_t shared = 0, int limit = 0) {
  return XCC_CUDA_NAME(OccupancyMaxPotentialBlockSize)(
      grid, block, reinterpret_cast<const void *>(kernel), shared, limit);
}

/// The same where a block's dynamic shared memory depends on its threads.
template <class SharedOf>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxPotentialBlockSizeVariableSMem)(
        int *grid, int *block, const void *kernel, SharedOf shared,
        int limit = 0) {
  std::size_t best = 0;
  const XCC_CUDA_NAME(Error_t) failed = xcc::cuda::detail::attempt([&] {
    const xcc::kernel_info &info =
        xcc::cuda::detail::info_of(kernel, nullptr, 0);
    xcc_kernel_properties known = {};
    xcc::detail::check(xcc_kernel_prepare(&info, &known));
    const std::size_t most =
        xcc::device::current().properties().shared_memory - known.shared_size;
    unsigned threads = static_cast<unsigned>(known.max_threads);
    if (limit > 0 && threads > unsigned(limit))
      threads = unsigned(limit);
    // The largest block of those with the most threads at once.
    for (; threads; threads = (threads - 1) / 32 * 32) {
      const std::size_t bytes = shared(static_cast<int>(threads));
      const unsigned blocks =
          bytes > most ? 0
                       : xcc::max_cooperative_blocks(info, {threads}, bytes);
      if (std::size_t(blocks) * threads <= best)
        continue;
      best = std::size_t(blocks) * threads;
      *block = static_cast<int>(threads);
      *grid = static_cast<int>(blocks);
    }
  });
  return failed || best ? failed
                        : xcc::cuda::detail::note(
                              xcc::cuda::status::invalid_configuration);
}

template <class... Param, class SharedOf>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyMaxPotentialBlockSizeVariableSMem)(
        int *grid, int *block, XCC_KERNEL_OR_POINTER void (*kernel)(Param...),
        SharedOf shared, int limit = 0) {
  return XCC_CUDA_NAME(OccupancyMaxPotentialBlockSizeVariableSMem)(
      grid, block, reinterpret_cast<const void *>(kernel), shared, limit);
}

/// Shared memory that so many blocks on a multiprocessor leave to each.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyAvailableDynamicSMemPerBlock)(std::size_t *bytes,
                                                         const void *kernel,
                                                         int blocks, int) {
  return xcc::cuda::detail::attempt([&] {
    xcc_kernel_properties known = {};
    xcc::detail::check(xcc_kernel_prepare(
        &xcc::cuda::detail::info_of(kernel, nullptr, 0), &known));
    const std::size_t all = xcc::device::current().properties().shared_memory /
                            std::size_t(blocks > 0 ? blocks : 1);
    *bytes = all > known.shared_size ? all - known.shared_size : 0;
  });
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(OccupancyAvailableDynamicSMemPerBlock)(
        std::size_t *bytes, XCC_KERNEL_OR_POINTER void (*kernel)(Param...),
        int blocks, int threads) {
  return XCC_CUDA_NAME(OccupancyAvailableDynamicSMemPerBlock)(
      bytes, reinterpret_cast<const void *>(kernel), blocks, threads);
}

struct XCC_CUDA_NAME(FuncAttributes) {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
      maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
/// What is not known is 0: registers, versions, constants.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FuncGetAttributes)(XCC_CUDA_NAME(FuncAttributes) * into,
                                     const void *kernel) {
  return xcc::cuda::detail::attempt([&] {
    xcc_kernel_properties known = {};
    xcc::detail::check(xcc_kernel_prepare(
        &xcc::cuda::detail::info_of(kernel, nullptr, 0), &known));
    *into = {};
    into->sharedSizeBytes = known.shared_size;
    into->localSizeBytes = known.scratch_size;
    into->maxThreadsPerBlock = static_cast<int>(known.max_threads);
    into->maxDynamicSharedSizeBytes = xcc::cuda::detail::as_int(
        xcc::device::current().properties().shared_memory - known.shared_size);
  });
}

template <class... Param>
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(FuncGetAttributes)(
    XCC_CUDA_NAME(FuncAttributes) * into,
    XCC_KERNEL_OR_POINTER void (*kernel)(Param...)) {
  return XCC_CUDA_NAME(FuncGetAttributes)(
      into, reinterpret_cast<const void *>(kernel));
}

enum XCC_CUDA_NAME(FuncAttribute) {
  XCC_CUDA_NAME(FuncAttributeMaxDynamicSharedMemorySize) = 8,
  XCC_CUDA_NAME(FuncAttributePreferredSharedMemoryCarveout) = 9,
  XCC_CUDA_NAME(FuncAttributeClusterDimMustBeSet),
  XCC_CUDA_NAME(FuncAttributeRequiredClusterWidth),
  XCC_CUDA_NAME(FuncAttributeRequiredClusterHeight),
  XCC_CUDA_NAME(FuncAttributeRequiredClusterDepth),
  XCC_CUDA_NAME(FuncAttributeNonPortableClusterSizeAllowed),
  XCC_CUDA_NAME(FuncAttributeClusterSchedulingPolicyPreference),
  XCC_CUDA_NAME(FuncAttributeMax)
};
enum XCC_CUDA_NAME(SharedCarveout) {
  XCC_CUDA_NAME(SharedmemCarveoutDefault) = -1,
  XCC_CUDA_NAME(SharedmemCarveoutMaxShared) = 100,
  XCC_CUDA_NAME(SharedmemCarveoutMaxL1) = 0
};
/// Every launch may ask for as much shared memory as the device has.
template <class Kernel>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FuncSetAttribute)(Kernel, XCC_CUDA_NAME(FuncAttribute) what,
                                    int value) {
  if (what != XCC_CUDA_NAME(FuncAttributeMaxDynamicSharedMemorySize))
    return xcc::cuda::status::success;
  XCC_CUDA_NAME(DeviceProp) known;
  int device = 0;
  if (const auto failed = XCC_CUDA_NAME(GetDevice)(&device))
    return failed;
  if (const auto failed = XCC_CUDA_NAME(GetDeviceProperties)(&known, device))
    return failed;
  return xcc::cuda::detail::note(value >= 0 && std::size_t(value) <=
                                                   known.sharedMemPerBlock
                                     ? xcc::cuda::status::success
                                     : xcc::cuda::status::invalid_value);
}
enum XCC_CUDA_NAME(FuncCache) {
  XCC_CUDA_NAME(FuncCachePreferNone),
  XCC_CUDA_NAME(FuncCachePreferShared),
  XCC_CUDA_NAME(FuncCachePreferL1),
  XCC_CUDA_NAME(FuncCachePreferEqual)
};
enum XCC_CUDA_NAME(SharedMemConfig) {
  XCC_CUDA_NAME(SharedMemBankSizeDefault),
  XCC_CUDA_NAME(SharedMemBankSizeFourByte),
  XCC_CUDA_NAME(SharedMemBankSizeEightByte)
};
template <class Kernel>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FuncSetCacheConfig)(Kernel, XCC_CUDA_NAME(FuncCache)) {
  return xcc::cuda::status::success;
}
template <class Kernel>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FuncSetSharedMemConfig)(Kernel,
                                          XCC_CUDA_NAME(SharedMemConfig)) {
  return xcc::cuda::status::success;
}

//===-- Devices -----------------------------------------------------------===//

inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceSetCacheConfig)(XCC_CUDA_NAME(FuncCache)) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceSetSharedMemConfig)(XCC_CUDA_NAME(SharedMemConfig)) {
  return xcc::cuda::status::success;
}
inline constexpr unsigned XCC_CUDA_NAME(DeviceScheduleAuto) = 0;
inline constexpr unsigned XCC_CUDA_NAME(DeviceScheduleSpin) = 1;
inline constexpr unsigned XCC_CUDA_NAME(DeviceScheduleYield) = 2;
inline constexpr unsigned XCC_CUDA_NAME(DeviceScheduleBlockingSync) = 4;
inline constexpr unsigned XCC_CUDA_NAME(DeviceBlockingSync) = 4;
inline constexpr unsigned XCC_CUDA_NAME(DeviceScheduleMask) = 7;
inline constexpr unsigned XCC_CUDA_NAME(DeviceMapHost) = 8;
inline constexpr unsigned XCC_CUDA_NAME(DeviceLmemResizeToMax) = 16;
inline constexpr unsigned XCC_CUDA_NAME(DeviceSyncMemops) = 128;
inline constexpr unsigned XCC_CUDA_NAME(DeviceMask) = 255;
inline constexpr unsigned XCC_CUDA_NAME(InitDeviceFlagsAreValid) = 1;
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(SetDeviceFlags)(unsigned) {
  return xcc::cuda::status::success;
}
enum XCC_CUDA_NAME(Limit) {
  XCC_CUDA_NAME(LimitStackSize),
  XCC_CUDA_NAME(LimitPrintfFifoSize),
  XCC_CUDA_NAME(LimitMallocHeapSize),
  XCC_CUDA_NAME(LimitDevRuntimeSyncDepth),
  XCC_CUDA_NAME(LimitDevRuntimePendingLaunchCount),
  XCC_CUDA_NAME(LimitMaxL2FetchGranularity),
  XCC_CUDA_NAME(LimitPersistingL2CacheSize)
};
/// Heap and printf have no limit of their own, caches take no advice, and kernels
/// launch no kernels. The CPU device's stack is XCC_CPU_STACK: a larger one fails.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceSetLimit)(XCC_CUDA_NAME(Limit) what,
                                  std::size_t bytes) {
  return xcc::cuda::set_limit(int(what), bytes);
}
/// The stack that threads have; of the others what the program has set, else 0.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetLimit)(std::size_t *bytes,
                                  XCC_CUDA_NAME(Limit) what) {
  return xcc::cuda::get_limit(bytes, int(what));
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetCacheConfig)(XCC_CUDA_NAME(FuncCache) * config) {
  *config = XCC_CUDA_NAME(FuncCachePreferNone);
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetSharedMemConfig)(XCC_CUDA_NAME(SharedMemConfig) *
                                            config) {
  *config = XCC_CUDA_NAME(SharedMemBankSizeFourByte);
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GetDeviceFlags)(unsigned *flags) {
  *flags = XCC_CUDA_NAME(DeviceMapHost);
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(ChooseDevice)(int *device,
                                const XCC_CUDA_NAME(DeviceProp) *) {
  return xcc::cuda::get_device(device);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(InitDevice)(int device, unsigned = 0, unsigned = 0) {
  XCC_CUDA_NAME(DeviceProp) known;
  return XCC_CUDA_NAME(GetDeviceProperties)(&known, device);
}
/// Of the version whose names these are.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(RuntimeGetVersion)(int *version) {
  *version = 13000;
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(DriverGetVersion)(int *version) {
  *version = 13000;
  return xcc::cuda::status::success;
}

/// Kernels of one device do not use another's memory; copies between them work.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceCanAccessPeer)(int *can, int, int) {
  *can = 0;
  return xcc::cuda::status::success;
}
enum XCC_CUDA_NAME(DeviceP2PAttr) {
  XCC_CUDA_NAME(DevP2PAttrPerformanceRank) = 1,
  XCC_CUDA_NAME(DevP2PAttrAccessSupported),
  XCC_CUDA_NAME(DevP2PAttrNativeAtomicSupported),
  XCC_CUDA_NAME(DevP2PAttrCudaArrayAccessSupported),
  XCC_CUDA_NAME(DevP2PAttrOnlyPartialNativeAtomicSupported)
};
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetP2PAttribute)(int *value,
                                         XCC_CUDA_NAME(DeviceP2PAttr), int,
                                         int) {
  *value = 0;
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceEnablePeerAccess)(int, unsigned) {
  return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(DeviceDisablePeerAccess)(int) {
  return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemcpyPeer)(void *to, int, const void *from, int,
                              std::size_t bytes) {
  return xcc::cuda::copy(to, from, bytes);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemcpyPeerAsync)(void *to, int, const void *from, int,
                                   std::size_t bytes,
                                   XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::copy_async(to, from, bytes, xcc::cuda::copy_kind::any, on);
}

//===-- Memory ------------------------------------------------------------===//

/// Memory of MallocHost and HostRegister has one address everywhere.
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(HostGetDevicePointer)(Type **device, void *host,
                                        unsigned = 0) {
  *device = static_cast<Type *>(host);
  return xcc::cuda::status::success;
}
inline constexpr int XCC_CUDA_NAME(CpuDeviceId) = -1;
inline constexpr int XCC_CUDA_NAME(InvalidDeviceId) = -2;
enum XCC_CUDA_NAME(MemoryAdvise) {
  XCC_CUDA_NAME(MemAdviseSetReadMostly) = 1,
  XCC_CUDA_NAME(MemAdviseUnsetReadMostly),
  XCC_CUDA_NAME(MemAdviseSetPreferredLocation),
  XCC_CUDA_NAME(MemAdviseUnsetPreferredLocation),
  XCC_CUDA_NAME(MemAdviseSetAccessedBy),
  XCC_CUDA_NAME(MemAdviseUnsetAccessedBy)
};
enum XCC_CUDA_NAME(MemLocationType) {
  XCC_CUDA_NAME(MemLocationTypeInvalid),
  XCC_CUDA_NAME(MemLocationTypeNone) = 0,
  XCC_CUDA_NAME(MemLocationTypeDevice),
  XCC_CUDA_NAME(MemLocationTypeHost),
  XCC_CUDA_NAME(MemLocationTypeHostNuma),
  XCC_CUDA_NAME(MemLocationTypeHostNumaCurrent)
};
struct XCC_CUDA_NAME(MemLocation) {
  XCC_CUDA_NAME(MemLocationType) type;
  int id;
};
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemAdvise)(const void *, std::size_t,
                             XCC_CUDA_NAME(MemoryAdvise), int) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemAdvise)(const void *, std::size_t,
                             XCC_CUDA_NAME(MemoryAdvise),
                             XCC_CUDA_NAME(MemLocation)) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPrefetchAsync)(const void *, std::size_t,
                                    XCC_CUDA_NAME(MemLocation), unsigned = 0,
                                    XCC_CUDA_NAME(Stream_t) = nullptr) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamAttachMemAsync)(XCC_CUDA_NAME(Stream_t), void *,
                                        std::size_t = 0, unsigned = 4) {
  return xcc::cuda::status::success;
}

//===-- Streams and profilers ---------------------------------------------===//

inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(StreamAddCallback)(
    XCC_CUDA_NAME(Stream_t) on,
    void (*function)(XCC_CUDA_NAME(Stream_t), XCC_CUDA_NAME(Error_t), void *),
    void *data, unsigned) {
  struct call {
    XCC_CUDA_NAME(Stream_t) on;
    void (*function)(XCC_CUDA_NAME(Stream_t), XCC_CUDA_NAME(Error_t), void *);
    void *data;
  };
  auto *made = new call{on, function, data};
  const XCC_CUDA_NAME(Error_t) failed = xcc::cuda::launch_host_function(
      on,
      [](void *given) {
        const call what = *static_cast<call *>(given);
        delete static_cast<call *>(given);
        what.function(what.on, xcc::cuda::status::success, what.data);
      },
      made);
  if (failed)
    delete made;
  return failed;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(ProfilerStart)() {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(ProfilerStop)() {
  return xcc::cuda::status::success;
}

#include <xcc/cuda/attributes.h>
#include <xcc/cuda/pools.h>
#ifdef __XCC__ // as graph_nodes.h
#include <xcc/cuda/graph_changes.h>
#endif
