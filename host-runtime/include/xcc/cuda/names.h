// CUDA's or HIP's names for what runtime.h has
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each: XCC_CUDA_NAME(Malloc) is cudaMalloc or hipMalloc. No guard
// against a second time, which is the point.

using XCC_CUDA_NAME(Error_t) = xcc::cuda::status;
using XCC_CUDA_NAME(Stream_t) = xcc::stream *;
using XCC_CUDA_NAME(Event_t) = xcc::event *;
using XCC_CUDA_NAME(MemcpyKind) = xcc::cuda::copy_kind;
/// A class, so that "struct cudaDeviceProp known;" is right, too.
struct XCC_CUDA_NAME(DeviceProp) : xcc::cuda::device_properties {};
using XCC_CUDA_NAME(Extent) = xcc::cuda::extent;
using XCC_CUDA_NAME(Pos) = xcc::cuda::position;
using XCC_CUDA_NAME(PitchedPtr) = xcc::cuda::pitched_pointer;
using XCC_CUDA_NAME(Memcpy3DParms) = xcc::cuda::copy_3d_parameters;
using XCC_CUDA_NAME(MemPool_t) = xcc::cuda::memory_pool *;
using XCC_CUDA_NAME(MemPoolAttr) = xcc::cuda::pool_attribute;
using XCC_CUDA_NAME(Graph_t) = xcc::cuda::graph *;
using XCC_CUDA_NAME(GraphExec_t) = xcc::cuda::executable_graph *;
using XCC_CUDA_NAME(GraphNode_t) = xcc::cuda::graph_node *;
using XCC_CUDA_NAME(StreamCaptureMode) = xcc::cuda::capture_mode;
using XCC_CUDA_NAME(StreamCaptureStatus) = xcc::cuda::capture_status;
using XCC_CUDA_NAME(GraphExecUpdateResult) = xcc::cuda::update_result;
using XCC_CUDA_NAME(GraphExecUpdateResultInfo) = xcc::cuda::update_information;

inline constexpr auto XCC_CUDA_NAME(Success) = xcc::cuda::status::success;
inline constexpr auto
    XCC_CUDA_NAME(ErrorInvalidValue) = xcc::cuda::status::invalid_value;
inline constexpr auto XCC_CUDA_NAME(ErrorInvalidConfiguration) =
    xcc::cuda::status::invalid_configuration;
inline constexpr auto XCC_CUDA_NAME(ErrorInvalidDeviceFunction) =
    xcc::cuda::status::invalid_function;
inline constexpr auto
    XCC_CUDA_NAME(ErrorInvalidDevice) = xcc::cuda::status::invalid_device;
inline constexpr auto
    XCC_CUDA_NAME(ErrorNotReady) = xcc::cuda::status::not_ready;
inline constexpr auto
    XCC_CUDA_NAME(ErrorLaunchFailure) = xcc::cuda::status::launch_failed;
inline constexpr auto
    XCC_CUDA_NAME(ErrorNotSupported) = xcc::cuda::status::not_supported;
inline constexpr auto XCC_CUDA_NAME(ErrorUnknown) = xcc::cuda::status::unknown;

inline constexpr auto
    XCC_CUDA_NAME(MemcpyHostToHost) = xcc::cuda::copy_kind::host_to_host;
inline constexpr auto
    XCC_CUDA_NAME(MemcpyHostToDevice) = xcc::cuda::copy_kind::host_to_device;
inline constexpr auto
    XCC_CUDA_NAME(MemcpyDeviceToHost) = xcc::cuda::copy_kind::device_to_host;
inline constexpr auto XCC_CUDA_NAME(MemcpyDeviceToDevice) =
    xcc::cuda::copy_kind::device_to_device;
inline constexpr auto XCC_CUDA_NAME(MemcpyDefault) = xcc::cuda::copy_kind::any;

inline constexpr auto XCC_CUDA_NAME(ErrorGraphExecUpdateFailure) =
    xcc::cuda::status::graph_update_failed;
inline constexpr auto
    XCC_CUDA_NAME(StreamCaptureModeGlobal) = xcc::cuda::capture_mode::global;
inline constexpr auto XCC_CUDA_NAME(StreamCaptureModeThreadLocal) =
    xcc::cuda::capture_mode::thread_local_;
inline constexpr auto
    XCC_CUDA_NAME(StreamCaptureModeRelaxed) = xcc::cuda::capture_mode::relaxed;
inline constexpr auto
    XCC_CUDA_NAME(StreamCaptureStatusNone) = xcc::cuda::capture_status::none;
inline constexpr auto XCC_CUDA_NAME(StreamCaptureStatusActive) =
    xcc::cuda::capture_status::active;
inline constexpr auto XCC_CUDA_NAME(StreamCaptureStatusInvalidated) =
    xcc::cuda::capture_status::invalidated;
inline constexpr auto
    XCC_CUDA_NAME(GraphExecUpdateSuccess) = xcc::cuda::update_result::success;
inline constexpr auto
    XCC_CUDA_NAME(GraphExecUpdateError) = xcc::cuda::update_result::error;
inline constexpr auto XCC_CUDA_NAME(GraphExecUpdateErrorTopologyChanged) =
    xcc::cuda::update_result::topology_changed;
inline constexpr auto XCC_CUDA_NAME(GraphExecUpdateErrorNodeTypeChanged) =
    xcc::cuda::update_result::node_type_changed;
inline constexpr auto XCC_CUDA_NAME(GraphExecUpdateErrorFunctionChanged) =
    xcc::cuda::update_result::function_changed;
inline constexpr auto XCC_CUDA_NAME(GraphExecUpdateErrorParametersChanged) =
    xcc::cuda::update_result::parameters_changed;
inline constexpr auto XCC_CUDA_NAME(GraphExecUpdateErrorNotSupported) =
    xcc::cuda::update_result::not_supported;
inline constexpr auto
    XCC_CUDA_NAME(GraphExecUpdateErrorUnsupportedFunctionChange) =
        xcc::cuda::update_result::unsupported_function_change;
inline constexpr auto XCC_CUDA_NAME(GraphExecUpdateErrorAttributesChanged) =
    xcc::cuda::update_result::attributes_changed;
inline constexpr auto XCC_CUDA_NAME(MemPoolAttrReleaseThreshold) =
    xcc::cuda::pool_attribute::release_threshold;
inline constexpr auto XCC_CUDA_NAME(MemPoolReuseFollowEventDependencies) =
    xcc::cuda::pool_attribute::reuse_follow_events;
inline constexpr auto XCC_CUDA_NAME(MemPoolReuseAllowOpportunistic) =
    xcc::cuda::pool_attribute::reuse_opportunistic;
inline constexpr auto XCC_CUDA_NAME(MemPoolReuseAllowInternalDependencies) =
    xcc::cuda::pool_attribute::reuse_dependencies;
inline constexpr auto XCC_CUDA_NAME(MemPoolAttrReservedMemCurrent) =
    xcc::cuda::pool_attribute::reserved_current;
inline constexpr auto XCC_CUDA_NAME(MemPoolAttrUsedMemCurrent) =
    xcc::cuda::pool_attribute::used_current;

inline constexpr unsigned XCC_CUDA_NAME(StreamDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(StreamNonBlocking) = 1;
inline constexpr unsigned XCC_CUDA_NAME(EventDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(EventBlockingSync) = 1;
inline constexpr unsigned XCC_CUDA_NAME(EventDisableTiming) = 2;
inline constexpr unsigned XCC_CUDA_NAME(MemAttachGlobal) = 1;
inline constexpr unsigned XCC_CUDA_NAME(MemAttachHost) = 2;
inline constexpr unsigned XCC_CUDA_NAME(MemAttachSingle) = 4;
inline constexpr unsigned XCC_CUDA_NAME(PeerAccessDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(OccupancyDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(OccupancyDisableCachingOverride) = 1;
inline constexpr unsigned XCC_CUDA_NAME(EventWaitDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(HostMallocDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(HostMallocPortable) = 1;
inline constexpr unsigned XCC_CUDA_NAME(HostMallocMapped) = 2;
inline constexpr unsigned XCC_CUDA_NAME(HostAllocDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(HostAllocPortable) = 1;
inline constexpr unsigned XCC_CUDA_NAME(HostAllocMapped) = 2;
inline constexpr unsigned XCC_CUDA_NAME(HostAllocWriteCombined) = 4;
inline constexpr unsigned XCC_CUDA_NAME(EventInterprocess) = 4;

inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GetLastError)() {
  return xcc::cuda::get_last_error();
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(PeekAtLastError)() {
  return xcc::cuda::peek_at_last_error();
}
inline const char *XCC_CUDA_NAME(GetErrorString)(XCC_CUDA_NAME(Error_t) of) {
  return xcc::cuda::get_error_string(of);
}
#define XCC_CUDA_TEXT_OF(name) #name
#define XCC_CUDA_TEXT(name) XCC_CUDA_TEXT_OF(name)
#define XCC_CUDA_ERROR(value, name)                                            \
  case xcc::cuda::status::value:                                               \
    return XCC_CUDA_TEXT(XCC_CUDA_NAME(name));
#define XCC_CUDA_OTHER(name, number) XCC_CUDA_ERROR(name, Error##name)
inline const char *XCC_CUDA_NAME(GetErrorName)(XCC_CUDA_NAME(Error_t) of) {
  switch (of) {
    XCC_CUDA_ERROR(success, Success)
    XCC_CUDA_ERROR(invalid_value, ErrorInvalidValue)
    XCC_CUDA_ERROR(out_of_memory, ErrorMemoryAllocation)
    XCC_CUDA_ERROR(not_initialised, ErrorInitializationError)
    XCC_CUDA_ERROR(unloading, ErrorCudartUnloading)
    XCC_CUDA_ERROR(invalid_configuration, ErrorInvalidConfiguration)
    XCC_CUDA_ERROR(invalid_symbol, ErrorInvalidSymbol)
    XCC_CUDA_ERROR(invalid_pointer, ErrorInvalidDevicePointer)
    XCC_CUDA_ERROR(invalid_direction, ErrorInvalidMemcpyDirection)
    XCC_CUDA_ERROR(old_driver, ErrorInsufficientDriver)
    XCC_CUDA_ERROR(invalid_function, ErrorInvalidDeviceFunction)
    XCC_CUDA_ERROR(no_device, ErrorNoDevice)
    XCC_CUDA_ERROR(invalid_device, ErrorInvalidDevice)
    XCC_CUDA_ERROR(invalid_image, ErrorInvalidKernelImage)
    XCC_CUDA_ERROR(no_image, ErrorNoKernelImageForDevice)
    XCC_CUDA_ERROR(invalid_source, ErrorInvalidPtx)
    XCC_CUDA_ERROR(system, ErrorOperatingSystem)
    XCC_CUDA_ERROR(invalid_handle, ErrorInvalidResourceHandle)
    XCC_CUDA_ERROR(not_ready, ErrorNotReady)
    XCC_CUDA_ERROR(illegal_address, ErrorIllegalAddress)
    XCC_CUDA_ERROR(out_of_resources, ErrorLaunchOutOfResources)
    XCC_CUDA_ERROR(timeout, ErrorLaunchTimeout)
    XCC_CUDA_ERROR(peer_enabled, ErrorPeerAccessAlreadyEnabled)
    XCC_CUDA_ERROR(peer_not_enabled, ErrorPeerAccessNotEnabled)
    XCC_CUDA_ERROR(assertion, ErrorAssert)
    XCC_CUDA_ERROR(registered, ErrorHostMemoryAlreadyRegistered)
    XCC_CUDA_ERROR(not_registered, ErrorHostMemoryNotRegistered)
    XCC_CUDA_ERROR(launch_failed, ErrorLaunchFailure)
    XCC_CUDA_ERROR(not_supported, ErrorNotSupported)
    XCC_CUDA_ERROR(graph_update_failed, ErrorGraphExecUpdateFailure)
    XCC_CUDA_OTHER_ERRORS(XCC_CUDA_OTHER)
  default:
    return XCC_CUDA_TEXT(XCC_CUDA_NAME(ErrorUnknown));
  }
}
#undef XCC_CUDA_ERROR
#undef XCC_CUDA_OTHER
#undef XCC_CUDA_TEXT
#undef XCC_CUDA_TEXT_OF

inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GetDeviceCount)(int *count) {
  return xcc::cuda::get_device_count(count);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(SetDevice)(int device) {
  return xcc::cuda::set_device(device);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GetDevice)(int *device) {
  return xcc::cuda::get_device(device);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GetDeviceProperties)(XCC_CUDA_NAME(DeviceProp) * into,
                                       int device) {
  return xcc::cuda::get_device_properties(into, device);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(DeviceSynchronize)() {
  return xcc::cuda::device_synchronize();
}
/// Waits; the device stays as it is.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(DeviceReset)() {
  return xcc::cuda::device_synchronize();
}

template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Malloc)(Type **pointer, std::size_t bytes) {
  return xcc::cuda::allocate(pointer, bytes);
}
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MallocManaged)(Type **pointer, std::size_t bytes,
                                 unsigned = 1) {
  return xcc::cuda::allocate_managed(pointer, bytes);
}
inline constexpr unsigned XCC_CUDA_NAME(HostRegisterDefault) = 0;
inline constexpr unsigned XCC_CUDA_NAME(HostRegisterPortable) = 1;
inline constexpr unsigned XCC_CUDA_NAME(HostRegisterMapped) = 2;
inline constexpr unsigned XCC_CUDA_NAME(HostRegisterIoMemory) = 4;
inline constexpr unsigned XCC_CUDA_NAME(HostRegisterReadOnly) = 8;
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(HostRegister)(void *pointer, std::size_t bytes, unsigned) {
  return xcc::cuda::host_register(pointer, bytes);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(HostUnregister)(void *pointer) {
  return xcc::cuda::host_unregister(pointer);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamCreateWithPriority)(XCC_CUDA_NAME(Stream_t) * made,
                                            unsigned flags, int priority) {
  return xcc::cuda::stream_create_with_priority(made, flags, priority);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetStreamPriorityRange)(int *least, int *greatest) {
  return xcc::cuda::stream_priority_range(least, greatest);
}
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MallocHost)(Type **pointer, std::size_t bytes) {
  return xcc::cuda::allocate_host(pointer, bytes);
}
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(HostAlloc)(Type **pointer, std::size_t bytes,
                             unsigned flags) {
  return xcc::cuda::allocate_host(pointer, bytes, flags);
}
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(HostMalloc)(Type **pointer, std::size_t bytes,
                              unsigned flags = 0) {
  return xcc::cuda::allocate_host(pointer, bytes, flags);
}
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MallocPitch)(Type **pointer, std::size_t *pitch,
                               std::size_t width, std::size_t height) {
  return xcc::cuda::allocate_pitch(pointer, pitch, width, height);
}
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MallocAsync)(Type **pointer, std::size_t bytes,
                               XCC_CUDA_NAME(Stream_t) on) {
  return xcc::cuda::allocate_async(pointer, bytes, on);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(Free)(void *pointer) {
  return xcc::cuda::free_any(pointer);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(FreeHost)(void *pointer) {
  return xcc::cuda::free_host(pointer);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(HostFree)(void *pointer) {
  return xcc::cuda::free_host(pointer);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FreeAsync)(void *pointer, XCC_CUDA_NAME(Stream_t) on) {
  return xcc::cuda::free_async(pointer, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy)(void *to, const void *from, std::size_t bytes,
                          XCC_CUDA_NAME(MemcpyKind)
                              kind = XCC_CUDA_NAME(MemcpyDefault)) {
  return xcc::cuda::copy(to, from, bytes, kind);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemcpyAsync)(void *to, const void *from, std::size_t bytes,
                               XCC_CUDA_NAME(MemcpyKind)
                                   kind = XCC_CUDA_NAME(MemcpyDefault),
                               XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::copy_async(to, from, bytes, kind, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy2D)(void *to, std::size_t to_pitch, const void *from,
                            std::size_t from_pitch, std::size_t width,
                            std::size_t height,
                            XCC_CUDA_NAME(MemcpyKind)
                                kind = XCC_CUDA_NAME(MemcpyDefault)) {
  return xcc::cuda::copy_2d(to, to_pitch, from, from_pitch, width, height,
                            kind);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memset)(void *to, int byte, std::size_t bytes) {
  return xcc::cuda::fill(to, byte, bytes);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemsetAsync)(void *to, int byte, std::size_t bytes,
                               XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::fill_async(to, byte, bytes, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy2DAsync)(void *to, std::size_t to_pitch,
                                 const void *from, std::size_t from_pitch,
                                 std::size_t width, std::size_t height,
                                 XCC_CUDA_NAME(MemcpyKind) kind,
                                 XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::copy_2d_async(to, to_pitch, from, from_pitch, width, height,
                                  kind, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memset2D)(void *to, std::size_t pitch, int byte,
                            std::size_t width, std::size_t height) {
  return xcc::cuda::fill_2d(to, pitch, byte, width, height);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memset2DAsync)(void *to, std::size_t pitch, int byte,
                                 std::size_t width, std::size_t height,
                                 XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::fill_2d_async(to, pitch, byte, width, height, on);
}
/// Managed memory moves when it is touched, or stays: this is advice.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPrefetchAsync)(const void *, std::size_t, int,
                                    XCC_CUDA_NAME(Stream_t) = nullptr) {
  return xcc::cuda::status::success;
}

inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamCreate)(XCC_CUDA_NAME(Stream_t) * made) {
  return xcc::cuda::stream_create(made);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamCreateWithFlags)(XCC_CUDA_NAME(Stream_t) * made,
                                         unsigned flags) {
  return xcc::cuda::stream_create(made, flags);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamDestroy)(XCC_CUDA_NAME(Stream_t) gone) {
  return xcc::cuda::stream_destroy(gone);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamSynchronize)(XCC_CUDA_NAME(Stream_t) of) {
  return xcc::cuda::stream_synchronize(of);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamQuery)(XCC_CUDA_NAME(Stream_t) of) {
  return xcc::cuda::stream_query(of);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(LaunchHostFunc)(XCC_CUDA_NAME(Stream_t) on,
                                  void (*function)(void *), void *data) {
  return xcc::cuda::launch_host_function(on, function, data);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemGetInfo)(std::size_t *free, std::size_t *total) {
  return xcc::cuda::memory_information(free, total);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamWaitEvent)(XCC_CUDA_NAME(Stream_t) on,
                                   XCC_CUDA_NAME(Event_t) until,
                                   unsigned flags = 0) {
  return xcc::cuda::stream_wait_event(on, until, flags);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventCreate)(XCC_CUDA_NAME(Event_t) * made) {
  return xcc::cuda::event_create(made);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventCreateWithFlags)(XCC_CUDA_NAME(Event_t) * made,
                                        unsigned flags) {
  return xcc::cuda::event_create(made, flags);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventDestroy)(XCC_CUDA_NAME(Event_t) gone) {
  return xcc::cuda::event_destroy(gone);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventRecord)(XCC_CUDA_NAME(Event_t) made,
                               XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::event_record(made, on);
}
inline constexpr unsigned XCC_CUDA_NAME(EventRecordDefault) = 0;
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventRecordWithFlags)(XCC_CUDA_NAME(Event_t) made,
                                        XCC_CUDA_NAME(Stream_t) on = nullptr,
                                        unsigned = 0) {
  return xcc::cuda::event_record(made, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventSynchronize)(XCC_CUDA_NAME(Event_t) until) {
  return xcc::cuda::event_synchronize(until);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventQuery)(XCC_CUDA_NAME(Event_t) of) {
  return xcc::cuda::event_query(of);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(EventElapsedTime)(float *milliseconds,
                                    XCC_CUDA_NAME(Event_t) from,
                                    XCC_CUDA_NAME(Event_t) to) {
  return xcc::cuda::event_elapsed_time(milliseconds, from, to);
}

inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Malloc3D)(XCC_CUDA_NAME(PitchedPtr) * made,
                            XCC_CUDA_NAME(Extent) size) {
  return xcc::cuda::allocate_3d(made, size);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy3D)(const XCC_CUDA_NAME(Memcpy3DParms) * what) {
  return xcc::cuda::copy_3d(*what);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy3DAsync)(const XCC_CUDA_NAME(Memcpy3DParms) * what,
                                 XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::copy_3d_async(*what, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memset3D)(XCC_CUDA_NAME(PitchedPtr) to, int byte,
                            XCC_CUDA_NAME(Extent) size) {
  return xcc::cuda::fill_3d(to, byte, size);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memset3DAsync)(XCC_CUDA_NAME(PitchedPtr) to, int byte,
                                 XCC_CUDA_NAME(Extent) size,
                                 XCC_CUDA_NAME(Stream_t) on = nullptr) {
  return xcc::cuda::fill_3d_async(to, byte, size, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetDefaultMemPool)(XCC_CUDA_NAME(MemPool_t) * pool,
                                           int device) {
  return xcc::cuda::default_pool(pool, device);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceGetMemPool)(XCC_CUDA_NAME(MemPool_t) * pool,
                                    int device) {
  return xcc::cuda::default_pool(pool, device);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolSetAttribute)(XCC_CUDA_NAME(MemPool_t) pool,
                                       XCC_CUDA_NAME(MemPoolAttr) what,
                                       void *value) {
  return xcc::cuda::pool_set(pool, what, value);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolGetAttribute)(XCC_CUDA_NAME(MemPool_t) pool,
                                       XCC_CUDA_NAME(MemPoolAttr) what,
                                       void *value) {
  return xcc::cuda::pool_get(pool, what, value);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolTrimTo)(XCC_CUDA_NAME(MemPool_t) pool,
                                 std::size_t keep) {
  return xcc::cuda::pool_trim(pool, keep);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamBeginCapture)(XCC_CUDA_NAME(Stream_t) on,
                                      XCC_CUDA_NAME(StreamCaptureMode) mode) {
  return xcc::cuda::stream_begin_capture(on, mode);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamEndCapture)(XCC_CUDA_NAME(Stream_t) on,
                                    XCC_CUDA_NAME(Graph_t) * made) {
  return xcc::cuda::stream_end_capture(on, made);
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(StreamIsCapturing)(
    XCC_CUDA_NAME(Stream_t) on, XCC_CUDA_NAME(StreamCaptureStatus) * into) {
  return xcc::cuda::stream_is_capturing(on, into);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphInstantiate)(XCC_CUDA_NAME(GraphExec_t) * made,
                                    XCC_CUDA_NAME(Graph_t) of,
                                    unsigned long long = 0) {
  return xcc::cuda::graph_instantiate(made, of);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphInstantiateWithFlags)(XCC_CUDA_NAME(GraphExec_t) * made,
                                             XCC_CUDA_NAME(Graph_t) of,
                                             unsigned long long = 0) {
  return xcc::cuda::graph_instantiate(made, of);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphInstantiate)(XCC_CUDA_NAME(GraphExec_t) * made,
                                    XCC_CUDA_NAME(Graph_t) of,
                                    XCC_CUDA_NAME(GraphNode_t) *, char *,
                                    std::size_t) {
  return xcc::cuda::graph_instantiate(made, of);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphLaunch)(XCC_CUDA_NAME(GraphExec_t) which,
                               XCC_CUDA_NAME(Stream_t) on) {
  return xcc::cuda::graph_launch(which, on);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphGetNodes)(XCC_CUDA_NAME(Graph_t) of,
                                 XCC_CUDA_NAME(GraphNode_t) * nodes,
                                 std::size_t *count) {
  return xcc::cuda::graph_get_nodes(of, nodes, count);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphDestroy)(XCC_CUDA_NAME(Graph_t) gone) {
  return xcc::cuda::graph_destroy(gone);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphExecDestroy)(XCC_CUDA_NAME(GraphExec_t) gone) {
  return xcc::cuda::graph_destroy(gone);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphExecUpdate)(XCC_CUDA_NAME(GraphExec_t) which,
                                   XCC_CUDA_NAME(Graph_t) with,
                                   XCC_CUDA_NAME(GraphExecUpdateResultInfo) *
                                       into) {
  *into = {};
  return xcc::cuda::graph_update(which, with, &into->result);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphExecUpdate)(XCC_CUDA_NAME(GraphExec_t) which,
                                   XCC_CUDA_NAME(Graph_t) with,
                                   XCC_CUDA_NAME(GraphNode_t) * node,
                                   XCC_CUDA_NAME(GraphExecUpdateResult) *
                                       result) {
  *node = nullptr;
  return xcc::cuda::graph_update(which, with, result);
}

#include <xcc/cuda/launches.h>
