// The functions of CUDA's and HIP's runtimes that xcc has something for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In namespace xcc::cuda, without their prefixes; names.h makes them cudaMalloc
// or hipMalloc. What is not here, xcc has nothing for: a program that uses it
// does not compile.

#ifndef XCC_CUDA_RUNTIME_H
#define XCC_CUDA_RUNTIME_H

#include <xcc/cuda/launch.h>
#include <xcc/cuda/state.h>
#include <xcc/xcc.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace xcc::cuda {

enum class copy_kind : int {
  host_to_host,
  host_to_device,
  device_to_host,
  device_to_device,
  any
};

/// What is known of a device. Members that xcc cannot tell are 0: clock rates,
/// widths of buses, sizes of caches, numbers of registers, places on the bus.
struct device_properties {
  char name[256];
  char gcnArchName[256]; ///< what -offload-arch= calls it
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int multiProcessorCount;
  int major, minor; ///< of NVIDIA's; else 8.0, of which all but PTX is there
  int integrated;   ///< it shares the host's memory
  int canMapHostMemory, unifiedAddressing, managedMemory, concurrentKernels,
      cooperativeLaunch, streamPrioritiesSupported, computePreemptionSupported;
  std::size_t sharedMemPerBlockOptin, totalConstMem;
  int maxThreadsPerMultiProcessor; ///< of NVIDIA's; else that of a block
  std::size_t sharedMemPerMultiprocessor, memPitch, textureAlignment,
      reservedSharedMemPerBlock;
  int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, regsPerBlock,
      regsPerMultiprocessor, maxBlocksPerMultiProcessor, pciBusID, pciDeviceID,
      pciDomainID, ECCEnabled, computeMode, deviceOverlap, asyncEngineCount,
      kernelExecTimeoutEnabled, tccDriver, isMultiGpuBoard,
      concurrentManagedAccess, pageableMemoryAccess, hostNativeAtomicSupported,
      cooperativeMultiDeviceLaunch, globalL1CacheSupported,
      localL1CacheSupported, persistingL2CacheMaxSize,
      accessPolicyMaxWindowSize, singleToDoublePrecisionPerfRatio,
      multiGpuBoardGroupID, pageableMemoryAccessUsesHostPageTables,
      directManagedMemAccessFromHost, canUseHostPointerForRegisteredMem,
      hostRegisterSupported;
  // Textures are software: what a GPU of NVIDIA's has is allowed everywhere.
  int maxTexture1D, maxTexture1DLinear, maxTexture1DLayered[2], maxTexture2D[2],
      maxTexture2DLinear[3], maxTexture2DLayered[3], maxTexture3D[3],
      maxSurface1D, maxSurface2D[2], maxSurface3D[3];
  std::size_t texturePitchAlignment, surfaceAlignment;
};

enum class attribute : int {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_block_dim_y = 3,
  max_block_dim_z = 4,
  max_grid_dim_x = 5,
  max_grid_dim_y = 6,
  max_grid_dim_z = 7,
  max_shared_memory_per_block = 8,
  constant_memory = 9,
  warp_size = 10,
  registers_per_block = 12,
  clock_rate = 13,
  multiprocessors = 16,
  integrated = 18,
  can_map_host_memory = 19,
  compute_mode = 20,
  concurrent_kernels = 31,
  memory_clock_rate = 36,
  l2_cache_size = 38,
  max_threads_per_multiprocessor = 39,
  unified_addressing = 41,
  major = 75,
  minor = 76,
  shared_memory_per_multiprocessor = 81,
  managed_memory = 83,
  pageable_memory_access = 88,
  concurrent_managed_access = 89,
  cooperative_launch = 95,
  max_shared_memory_optin = 97
};

namespace detail {
inline int as_int(std::uint64_t value) {
  return value > 0x7fffffff ? 0x7fffffff : static_cast<int>(value);
}
/// Threads that a multiprocessor of such an NVIDIA GPU holds.
inline int threads_at_once(int major, int minor) {
  if (major == 7 && minor == 5)
    return 1024;
  if ((major == 8 && minor != 0) || major == 11 || major == 12)
    return 1536;
  return 2048;
}
inline void set_texture_limits(device_properties &of) {
  of.maxTexture1D = of.maxSurface1D = 131072;
  of.maxTexture1DLinear = 1 << 28;
  of.maxTexture1DLayered[0] = 32768;
  of.maxTexture1DLayered[1] = of.maxTexture2DLayered[2] = 2048;
  of.maxTexture2D[0] = of.maxSurface2D[0] = 131072;
  of.maxTexture2D[1] = of.maxSurface2D[1] = 65536;
  of.maxTexture2DLinear[0] = 131072;
  of.maxTexture2DLinear[1] = 65000;
  of.maxTexture2DLinear[2] = 2097120;
  of.maxTexture2DLayered[0] = of.maxTexture2DLayered[1] = 32768;
  for (int at = 0; at < 3; ++at)
    of.maxTexture3D[at] = of.maxSurface3D[at] = 16384;
}
} // namespace detail

//===-- Errors ------------------------------------------------------------===//

inline status get_last_error() { return detail::last_failure::get().take(); }
inline status peek_at_last_error() {
  return detail::last_failure::get().look();
}
/// The last failure in the runtime's own words, or what the status means.
inline const char *get_error_string(status of) {
  return detail::last_failure::get().text(of);
}

//===-- Devices -----------------------------------------------------------===//

inline status get_device_count(int *count) {
  return detail::note(xcc_device_count(count));
}
inline status set_device(int device) {
  return detail::note(xcc_device_set_current(device));
}
inline status get_device(int *device) {
  return detail::note(xcc_device_get_current(device));
}
inline status get_device_properties(device_properties *into, int device) {
  xcc_device_properties known;
  if (const xcc_status failed = xcc_device_get_properties(device, &known))
    return detail::note(failed);
  *into = {};
  std::strncpy(into->name, known.name, sizeof into->name - 1);
  std::strncpy(into->gcnArchName, known.arch, sizeof into->gcnArchName - 1);
  into->totalGlobalMem = known.total_memory;
  into->sharedMemPerBlock = known.shared_memory;
  into->warpSize = static_cast<int>(known.warp_size);
  into->maxThreadsPerBlock = static_cast<int>(known.max_block);
  for (int at = 0; at < 3; ++at) {
    into->maxThreadsDim[at] = static_cast<int>(known.max_block_dim[at]);
    into->maxGridSize[at] = detail::as_int(known.max_grid_dim[at]);
  }
  into->multiProcessorCount = static_cast<int>(known.compute_units);
  if (std::strncmp(known.arch, "sm_", 3) == 0) {
    const int number = std::atoi(known.arch + 3);
    into->major = number / 10;
    into->minor = number % 10;
  } else {
    // What programs ask for, double and atomics say, is there.
    into->major = 8;
  }
  into->canMapHostMemory = into->unifiedAddressing = into->managedMemory = 1;
  into->concurrentKernels = into->cooperativeLaunch = 1;
  into->sharedMemPerBlockOptin = into->sharedMemPerBlock;
  into->totalConstMem = 65536;
  into->memPitch = 0x7fffffff;
  into->maxThreadsPerMultiProcessor =
      std::strncmp(known.arch, "sm_", 3) == 0
          ? detail::threads_at_once(into->major, into->minor)
          : into->maxThreadsPerBlock;
  into->integrated = std::strcmp(known.kind, "host") == 0;
  into->hostRegisterSupported = 1;
  detail::set_texture_limits(*into);
  return status::success;
}
inline status device_get_attribute(int *value, attribute what, int device) {
  device_properties known;
  if (const status failed = get_device_properties(&known, device);
      failed != status::success)
    return failed;
  switch (what) {
  case attribute::max_threads_per_block:
    *value = known.maxThreadsPerBlock;
    break;
  case attribute::max_block_dim_x:
  case attribute::max_block_dim_y:
  case attribute::max_block_dim_z:
    *value = known.maxThreadsDim[int(what) - 2];
    break;
  case attribute::max_grid_dim_x:
  case attribute::max_grid_dim_y:
  case attribute::max_grid_dim_z:
    *value = known.maxGridSize[int(what) - 5];
    break;
  case attribute::max_shared_memory_per_block:
    *value = detail::as_int(known.sharedMemPerBlock);
    break;
  case attribute::warp_size:
    *value = known.warpSize;
    break;
  case attribute::multiprocessors:
    *value = known.multiProcessorCount;
    break;
  case attribute::integrated:
    *value = known.integrated;
    break;
  case attribute::major:
    *value = known.major;
    break;
  case attribute::minor:
    *value = known.minor;
    break;
  case attribute::max_threads_per_multiprocessor:
    *value = known.maxThreadsPerMultiProcessor;
    break;
  case attribute::constant_memory:
    *value = detail::as_int(known.totalConstMem);
    break;
  // As in the structure: what xcc does not know is 0.
  case attribute::registers_per_block:
  case attribute::clock_rate:
  case attribute::compute_mode:
  case attribute::memory_clock_rate:
  case attribute::l2_cache_size:
  case attribute::shared_memory_per_multiprocessor:
  case attribute::pageable_memory_access:
  case attribute::concurrent_managed_access:
    *value = 0;
    break;
  case attribute::can_map_host_memory:
  case attribute::concurrent_kernels:
  case attribute::unified_addressing:
  case attribute::managed_memory:
  case attribute::cooperative_launch:
    *value = 1;
    break;
  case attribute::max_shared_memory_optin:
    *value = detail::as_int(known.sharedMemPerBlockOptin);
    break;
  default:
    return detail::note(status::invalid_value);
  }
  return status::success;
}
inline status device_synchronize() {
  return detail::note(xcc_device_synchronize(-1));
}

//===-- Memory ------------------------------------------------------------===//

template <class Type>
inline status allocate(Type **pointer, std::size_t bytes) {
  void *made = nullptr;
  const status ended = detail::note(xcc_memory_alloc(bytes, &made));
  *pointer = static_cast<Type *>(made);
  return ended;
}
/// Memory of the host's that devices use.
template <class Type>
inline status allocate_host(Type **pointer, std::size_t bytes, unsigned = 0) {
  void *made = nullptr;
  const status ended = detail::note(xcc_memory_alloc_host(bytes, &made));
  *pointer = static_cast<Type *>(made);
  return ended;
}
inline status free_host(void *pointer) {
  return detail::note(xcc_memory_free_host(pointer));
}
template <class Type>
inline status allocate_managed(Type **pointer, std::size_t bytes) {
  void *made = nullptr;
  const status ended = detail::note(xcc_memory_alloc_managed(bytes, &made));
  *pointer = static_cast<Type *>(made);
  return ended;
}
/// Of a device's memory, or managed.
inline status free_any(void *pointer) {
  if (xcc_memory_free(pointer) == XCC_SUCCESS)
    return status::success;
  xcc_error *failure = xcc_error_capture();
  if (xcc_error_status(failure) == XCC_ERROR_INVALID_VALUE &&
      (xcc_memory_free_managed(pointer) == XCC_SUCCESS ||
       xcc_memory_free_host(pointer) == XCC_SUCCESS)) {
    xcc_error_release(failure);
    return status::success;
  }
  const status what = detail::status_of(xcc_error_status(failure));
  detail::last_failure::get().set(what, failure);
  return what;
}
inline status host_register(void *pointer, std::size_t bytes) {
  return detail::note(xcc_memory_register(pointer, bytes));
}
inline status host_unregister(void *pointer) {
  return detail::note(xcc_memory_unregister(pointer));
}
template <class Type>
inline status allocate_async(Type **pointer, std::size_t bytes,
                             xcc::stream *on) {
  void *made = nullptr;
  const status ended = detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(
        xcc_memory_alloc_async(bytes, detail::handle(on), &made));
  });
  *pointer = static_cast<Type *>(made);
  return ended;
}
inline status free_async(void *pointer, xcc::stream *on) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_memory_free_async(pointer, detail::handle(on)));
  });
}

/// Where memory is, xcc knows: the kind says nothing new.
inline status copy(void *to, const void *from, std::size_t bytes,
                   copy_kind = copy_kind::any) {
  return detail::note(xcc_memory_copy(to, from, bytes));
}
inline status copy_async(void *to, const void *from, std::size_t bytes,
                         copy_kind = copy_kind::any,
                         xcc::stream *on = nullptr) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(
        xcc_memory_copy_async(to, from, bytes, detail::handle(on)));
  });
}
/// Rows of `width` bytes, so far apart.
inline status copy_2d(void *to, std::size_t to_pitch, const void *from,
                      std::size_t from_pitch, std::size_t width,
                      std::size_t height, copy_kind = copy_kind::any) {
  const xcc_pitch there = {to_pitch, 0}, here = {from_pitch, 0};
  const xcc_extent extent = {width, height, 1};
  return detail::note(
      xcc_memory_copy_pitched(to, &there, from, &here, &extent));
}
inline status copy_2d_async(void *to, std::size_t to_pitch, const void *from,
                            std::size_t from_pitch, std::size_t width,
                            std::size_t height, copy_kind = copy_kind::any,
                            xcc::stream *on = nullptr) {
  const xcc_pitch there = {to_pitch, 0}, here = {from_pitch, 0};
  const xcc_extent extent = {width, height, 1};
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_memory_copy_pitched_async(
        to, &there, from, &here, &extent, detail::handle(on)));
  });
}
inline status fill_2d_async(void *to, std::size_t pitch, int byte,
                            std::size_t width, std::size_t height,
                            xcc::stream *on = nullptr) {
  const xcc_pitch here = {pitch, 0};
  const xcc_extent extent = {width, height, 1};
  const auto element = static_cast<unsigned char>(byte);
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_memory_fill_pitched_async(
        to, &here, &element, 1, &extent, detail::handle(on)));
  });
}
inline status fill_2d(void *to, std::size_t pitch, int byte, std::size_t width,
                      std::size_t height) {
  const xcc_pitch here = {pitch, 0};
  const xcc_extent extent = {width, height, 1};
  const auto element = static_cast<unsigned char>(byte);
  return detail::note(xcc_memory_fill_pitched(to, &here, &element, 1, &extent));
}
template <class Type>
inline status allocate_pitch(Type **pointer, std::size_t *pitch,
                             std::size_t width, std::size_t height) {
  const xcc_extent extent = {width, height, 1};
  xcc_pitch rows = {0, 0};
  void *made = nullptr;
  const status ended =
      detail::note(xcc_memory_alloc_pitched(&extent, &rows, &made));
  *pitch = rows.row;
  *pointer = static_cast<Type *>(made);
  return ended;
}
inline status fill(void *to, int byte, std::size_t bytes) {
  return detail::note(xcc_memory_fill(to, byte, bytes));
}
inline status fill_async(void *to, int byte, std::size_t bytes,
                         xcc::stream *on = nullptr) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(
        xcc_memory_fill_async(to, byte, bytes, detail::handle(on)));
  });
}

namespace detail {
/// Has \p copy copy to or from a part of a symbol's memory, if it is one.
template <class Type, class Copy>
inline status copy_symbol(const xcc::device_symbol<Type> &symbol,
                          std::size_t bytes, std::size_t offset, Copy copy) {
  if (offset > sizeof(Type) || bytes > sizeof(Type) - offset)
    return note(status::invalid_value);
  return attempt([&] {
    auto *at = const_cast<char *>(
        reinterpret_cast<const volatile char *>(symbol.address()));
    xcc::detail::check(copy(at + offset));
  });
}
/// What cudaMemcpyToSymbol(name, ...) is.
template <class Type>
inline status to_symbol(const xcc::device_symbol<Type> &symbol,
                        const void *from, std::size_t bytes,
                        std::size_t offset = 0, copy_kind = copy_kind::any) {
  return copy_symbol(symbol, bytes, offset, [&](void *at) {
    return xcc_memory_copy(at, from, bytes);
  });
}
template <class Type>
inline status from_symbol(void *to, const xcc::device_symbol<Type> &symbol,
                          std::size_t bytes, std::size_t offset = 0,
                          copy_kind = copy_kind::any) {
  return copy_symbol(symbol, bytes, offset,
                     [&](void *at) { return xcc_memory_copy(to, at, bytes); });
}
template <class Type>
inline status
to_symbol_async(const xcc::device_symbol<Type> &symbol, const void *from,
                std::size_t bytes, std::size_t offset = 0,
                copy_kind = copy_kind::any, xcc::stream *on = nullptr) {
  return copy_symbol(symbol, bytes, offset, [&](void *at) {
    streams::get().order(on);
    return xcc_memory_copy_async(at, from, bytes, handle(on));
  });
}
template <class Type>
inline status
from_symbol_async(void *to, const xcc::device_symbol<Type> &symbol,
                  std::size_t bytes, std::size_t offset = 0,
                  copy_kind = copy_kind::any, xcc::stream *on = nullptr) {
  return copy_symbol(symbol, bytes, offset, [&](void *at) {
    streams::get().order(on);
    return xcc_memory_copy_async(to, at, bytes, handle(on));
  });
}
template <class Type>
inline status symbol_address(void **pointer,
                             const xcc::device_symbol<Type> &symbol) {
  return attempt([&] {
    *pointer = const_cast<void *>(
        static_cast<const volatile void *>(symbol.address()));
  });
}
} // namespace detail

//===-- Streams and events ------------------------------------------------===//

enum : unsigned { stream_default = 0, stream_non_blocking = 1 };

inline status stream_create(xcc::stream **made,
                            unsigned flags = stream_default) {
  return detail::attempt([&] {
    auto created = std::make_unique<xcc::stream>();
    if (!(flags & stream_non_blocking))
      detail::streams::get().add(created.get());
    detail::stream_facts::set(created.get(), flags, 0);
    *made = created.release();
  });
}
/// As the driver, takes the nearest priority that there is.
inline status stream_create_with_priority(xcc::stream **made, unsigned flags,
                                          int priority) {
  return detail::attempt([&] {
    const xcc::device now = xcc::device::current();
    const int least = now.least_priority(), greatest = now.greatest_priority();
    const int nearest = priority < greatest ? greatest
                        : priority > least  ? least
                                            : priority;
    auto created = std::make_unique<xcc::stream>(nearest);
    if (!(flags & stream_non_blocking))
      detail::streams::get().add(created.get());
    detail::stream_facts::set(created.get(), flags, nearest);
    *made = created.release();
  });
}
inline status stream_priority_range(int *least, int *greatest) {
  return detail::note(xcc_device_get_priorities(-1, least, greatest));
}
/// Waits for its work; a failure of that is this call's.
inline status stream_synchronize(xcc::stream *of) {
  return detail::note(xcc_stream_synchronize(detail::handle(of)));
}
inline status stream_destroy(xcc::stream *gone) {
  if (!gone)
    return detail::note(status::invalid_value);
  const status ended = stream_synchronize(gone);
  detail::streams::get().remove(gone);
  detail::stream_facts::drop(gone);
  delete gone;
  return ended;
}
namespace detail {
/// The calling thread's own stream on its device, as long as the thread runs.
inline xcc::stream *thread_stream() {
  struct own_streams {
    std::vector<xcc::stream *> of_devices;
    ~own_streams() {
      for (xcc::stream *each : of_devices)
        if (each)
          (void)stream_destroy(each);
    }
  };
  static thread_local own_streams own;
  int device = 0;
  if (get_device(&device) != status::success)
    return nullptr;
  if (own.of_devices.size() <= std::size_t(device))
    own.of_devices.resize(std::size_t(device) + 1);
  xcc::stream *&made = own.of_devices[std::size_t(device)];
  if (!made)
    (void)stream_create(&made);
  return made;
}
} // namespace detail
inline status stream_query(xcc::stream *of) {
  return detail::note(xcc_stream_query(detail::handle(of)));
}
inline status launch_host_function(xcc::stream *on, void (*function)(void *),
                                   void *data) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_stream_call(detail::handle(on), function, data));
  });
}
inline status memory_information(std::size_t *free, std::size_t *total) {
  return detail::attempt([&] {
    const xcc::device now = xcc::device::current();
    *free = now.free_memory();
    *total = now.memory();
  });
}
inline status stream_wait_event(xcc::stream *on, xcc::event *until,
                                unsigned = 0) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(
        xcc_stream_wait_event(detail::handle(on), until->handle()));
  });
}
inline status event_create(xcc::event **made, unsigned = 0) {
  return detail::attempt([&] { *made = new xcc::event; });
}
inline status event_destroy(xcc::event *gone) {
  delete gone;
  return status::success;
}
inline status event_record(xcc::event *made, xcc::stream *on = nullptr) {
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_event_record(made->handle(), detail::handle(on)));
  });
}
inline status event_synchronize(xcc::event *until) {
  return detail::note(xcc_event_synchronize(until->handle()));
}
inline status event_query(xcc::event *of) {
  return detail::note(xcc_event_query(of->handle()));
}
inline status event_elapsed_time(float *milliseconds, xcc::event *from,
                                 xcc::event *to) {
  double elapsed = 0;
  const status ended =
      detail::note(xcc_event_elapsed(from->handle(), to->handle(), &elapsed));
  *milliseconds = static_cast<float>(elapsed);
  return ended;
}

} // namespace xcc::cuda

#endif // XCC_CUDA_RUNTIME_H
