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

#include <xcc/cuda/device_attributes.h>
#include <xcc/cuda/launch.h>
#include <xcc/cuda/state.h>
#include <xcc/xcc.h>

#include <atomic>
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

/// A number of a device that no other has.
struct unique_number {
  char bytes[16];
};

/// What is known of a device. What the driver does not tell is 0: places on the
/// bus, and of some devices clock rates, caches and registers.
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
      hostRegisterSupported, hostRegisterReadOnlySupported,
      memoryPoolsSupported, clusterLaunch, ipcEventSupported,
      sparseCudaArraySupported, unifiedFunctionPointers, hostNumaId, mpsEnabled;
  unique_number uuid; ///< 0
  // Textures are software: what a GPU of NVIDIA's has is allowed everywhere.
  int maxTexture1D, maxTexture1DLinear, maxTexture1DLayered[2], maxTexture2D[2],
      maxTexture2DLinear[3], maxTexture2DLayered[3], maxTexture3D[3],
      maxSurface1D, maxSurface2D[2], maxSurface3D[3];
  std::size_t texturePitchAlignment, surfaceAlignment;
};

enum class attribute : int {
#define XCC_CUDA_ATTRIBUTE(name, number, value) name = number,
  XCC_CUDA_ATTRIBUTES(XCC_CUDA_ATTRIBUTE)
#undef XCC_CUDA_ATTRIBUTE
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
/// 0 if the driver does not tell it.
inline int number_of(int device, xcc_device_number what) {
  std::uint64_t value = 0;
  return xcc_device_get_number(device, what, &value) == XCC_SUCCESS
             ? as_int(value)
             : 0;
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
  into->hostRegisterSupported = into->streamPrioritiesSupported = 1;
  into->memoryPoolsSupported = 1;
  into->clockRate = detail::number_of(device, XCC_DEVICE_CLOCK);
  into->memoryClockRate = detail::number_of(device, XCC_DEVICE_MEMORY_CLOCK);
  into->memoryBusWidth = detail::number_of(device, XCC_DEVICE_MEMORY_BUS);
  into->l2CacheSize = detail::number_of(device, XCC_DEVICE_CACHE);
  into->regsPerBlock = detail::number_of(device, XCC_DEVICE_REGISTERS);
  detail::set_texture_limits(*into);
  return status::success;
}
inline status device_get_attribute(int *value, attribute what, int device) {
  device_properties of;
  if (const status failed = get_device_properties(&of, device);
      failed != status::success)
    return failed;
  switch (what) {
#define XCC_CUDA_ATTRIBUTE(name, number, expression)                           \
  case attribute::name:                                                        \
    *value = detail::as_int(static_cast<std::uint64_t>(expression));           \
    return status::success;
    XCC_CUDA_ATTRIBUTES(XCC_CUDA_ATTRIBUTE)
#undef XCC_CUDA_ATTRIBUTE
  }
  return detail::note(status::invalid_value);
}
namespace detail {
/// What the program has set: by CUDA's number of the limit.
inline std::atomic<std::size_t> &limit_set(int what) {
  static std::atomic<std::size_t> of[8];
  return of[what & 7];
}
} // namespace detail
/// Limit 0 is the stack of a thread.
inline status set_limit(int what, std::size_t bytes) {
  if (what != 0) {
    detail::limit_set(what) = bytes;
    return status::success;
  }
  std::uint64_t now = 0;
  if (xcc_device_set_stack(-1, bytes) == XCC_SUCCESS)
    return status::success;
  // A device whose stack is fixed, or has to be larger.
  xcc_error *failure = xcc_error_capture();
  if (xcc_device_get_number(-1, XCC_DEVICE_STACK, &now) == XCC_SUCCESS &&
      bytes <= now) {
    xcc_error_release(failure);
    return status::success;
  }
  const status what_failed = detail::status_of(xcc_error_status(failure));
  detail::last_failure::get().set(what_failed, failure);
  return what_failed;
}
inline status get_limit(std::size_t *bytes, int what) {
  std::uint64_t value = detail::limit_set(what);
  status ended = status::success;
  if (what == 0)
    ended = detail::note(xcc_device_get_number(-1, XCC_DEVICE_STACK, &value));
  *bytes = value;
  return ended;
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
