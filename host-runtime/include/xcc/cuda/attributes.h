// What memory and streams are, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, at the end of tuning.h. Memory of other processes is
// not supported on any device, which these functions return.

//===-- Memory ------------------------------------------------------------===//

enum XCC_CUDA_NAME(MemoryType) {
  XCC_CUDA_NAME(MemoryTypeUnregistered),
  XCC_CUDA_NAME(MemoryTypeHost),
  XCC_CUDA_NAME(MemoryTypeDevice),
  XCC_CUDA_NAME(MemoryTypeManaged)
};
struct XCC_CUDA_NAME(PointerAttributes) {
  XCC_CUDA_NAME(MemoryType) type;
  int device;
  void *devicePointer, *hostPointer; ///< null where it cannot be used
};
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(PointerGetAttributes)(XCC_CUDA_NAME(PointerAttributes) * into,
                                        const void *at) {
  xcc_memory_info known;
  const auto failed = xcc::cuda::detail::note(xcc_memory_find(at, &known));
  if (failed)
    return failed;
  void *const here = const_cast<void *>(at);
  *into = {XCC_CUDA_NAME(MemoryTypeUnregistered), known.device, nullptr, here};
  switch (known.kind) {
  case XCC_MEMORY_UNKNOWN:
    break;
  case XCC_MEMORY_DEVICE:
    *into = {XCC_CUDA_NAME(MemoryTypeDevice), known.device, here, nullptr};
    break;
  case XCC_MEMORY_HOST:
  case XCC_MEMORY_REGISTERED:
    *into = {XCC_CUDA_NAME(MemoryTypeHost), known.device, here, here};
    break;
  case XCC_MEMORY_MANAGED:
    *into = {XCC_CUDA_NAME(MemoryTypeManaged), known.device, here, here};
    break;
  }
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(HostGetFlags)(unsigned *flags, void *at) {
  xcc_memory_info known;
  const auto failed = xcc::cuda::detail::note(xcc_memory_find(at, &known));
  if (failed)
    return failed;
  *flags = XCC_CUDA_NAME(HostAllocPortable) | XCC_CUDA_NAME(HostAllocMapped);
  return xcc::cuda::detail::note(known.kind == XCC_MEMORY_HOST
                                     ? xcc::cuda::status::success
                                     : xcc::cuda::status::invalid_value);
}
enum XCC_CUDA_NAME(MemRangeAttribute) {
  XCC_CUDA_NAME(MemRangeAttributeReadMostly) = 1,
  XCC_CUDA_NAME(MemRangeAttributePreferredLocation),
  XCC_CUDA_NAME(MemRangeAttributeAccessedBy),
  XCC_CUDA_NAME(MemRangeAttributeLastPrefetchLocation),
  XCC_CUDA_NAME(MemRangeAttributePreferredLocationType),
  XCC_CUDA_NAME(MemRangeAttributePreferredLocationId),
  XCC_CUDA_NAME(MemRangeAttributeLastPrefetchLocationType),
  XCC_CUDA_NAME(MemRangeAttributeLastPrefetchLocationId)
};
/// What memory is of which nothing was advised: advice does nothing.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemRangeGetAttribute)(void *into, std::size_t bytes,
                                        XCC_CUDA_NAME(MemRangeAttribute) what,
                                        const void *, std::size_t) {
  const bool zero =
      what == XCC_CUDA_NAME(MemRangeAttributeReadMostly) ||
      what == XCC_CUDA_NAME(MemRangeAttributePreferredLocationType) ||
      what == XCC_CUDA_NAME(MemRangeAttributeLastPrefetchLocationType);
  const int value = zero ? 0 : XCC_CUDA_NAME(InvalidDeviceId);
  for (std::size_t at = 0; at + sizeof value <= bytes; at += sizeof value)
    std::memcpy(static_cast<char *>(into) + at, &value, sizeof value);
  return xcc::cuda::status::success;
}
/// From the device's one pool.
template <class Type>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MallocFromPoolAsync)(Type **pointer, std::size_t bytes,
                                       XCC_CUDA_NAME(MemPool_t),
                                       XCC_CUDA_NAME(Stream_t) on) {
  return xcc::cuda::allocate_async(pointer, bytes, on);
}

//===-- Memory and events of other processes ------------------------------===//

struct XCC_CUDA_NAME(IpcMemHandle_t) {
  char reserved[64];
};
struct XCC_CUDA_NAME(IpcEventHandle_t) {
  char reserved[64];
};
inline constexpr unsigned XCC_CUDA_NAME(IpcMemLazyEnablePeerAccess) = 1;
#define XCC_CUDA_NOT_SUPPORTED(name, ...)                                      \
  inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(name)(__VA_ARGS__) {             \
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);          \
  }
XCC_CUDA_NOT_SUPPORTED(IpcGetMemHandle, XCC_CUDA_NAME(IpcMemHandle_t) *, void *)
XCC_CUDA_NOT_SUPPORTED(IpcOpenMemHandle, void **, XCC_CUDA_NAME(IpcMemHandle_t),
                       unsigned)
XCC_CUDA_NOT_SUPPORTED(IpcCloseMemHandle, void *)
XCC_CUDA_NOT_SUPPORTED(IpcGetEventHandle, XCC_CUDA_NAME(IpcEventHandle_t) *,
                       XCC_CUDA_NAME(Event_t))
XCC_CUDA_NOT_SUPPORTED(IpcOpenEventHandle, XCC_CUDA_NAME(Event_t) *,
                       XCC_CUDA_NAME(IpcEventHandle_t))
// The places of devices on a bus are not known.
XCC_CUDA_NOT_SUPPORTED(DeviceGetPCIBusId, char *, int, int)
XCC_CUDA_NOT_SUPPORTED(DeviceGetByPCIBusId, int *, const char *)
#undef XCC_CUDA_NOT_SUPPORTED

//===-- Streams -----------------------------------------------------------===//

inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamGetFlags)(XCC_CUDA_NAME(Stream_t) of, unsigned *flags) {
  *flags = xcc::cuda::detail::stream_facts::get(of).flags;
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamGetPriority)(XCC_CUDA_NAME(Stream_t) of,
                                     int *priority) {
  *priority = xcc::cuda::detail::stream_facts::get(of).priority;
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamGetDevice)(XCC_CUDA_NAME(Stream_t) of, int *device) {
  return xcc::cuda::detail::note(
      xcc_stream_device(xcc::cuda::detail::handle(of), device));
}
/// A number that no other stream has at the same time.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamGetId)(XCC_CUDA_NAME(Stream_t) of,
                               unsigned long long *number) {
  *number = of ? reinterpret_cast<std::uintptr_t>(of) : 1;
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamGetCaptureInfo)(XCC_CUDA_NAME(Stream_t) of,
                                        XCC_CUDA_NAME(StreamCaptureStatus) *
                                            into,
                                        unsigned long long *number = nullptr) {
  if (number)
    *number = reinterpret_cast<std::uintptr_t>(of);
  return XCC_CUDA_NAME(StreamIsCapturing)(of, into);
}
/// The mode makes no difference.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(ThreadExchangeStreamCaptureMode)(
    XCC_CUDA_NAME(StreamCaptureMode) *) {
  return xcc::cuda::status::success;
}
/// Graphs are uploaded when they are launched.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GraphUpload)(XCC_CUDA_NAME(GraphExec_t),
                               XCC_CUDA_NAME(Stream_t)) {
  return xcc::cuda::status::success;
}

// Windows of a cache are advice.
enum XCC_CUDA_NAME(AccessProperty) {
  XCC_CUDA_NAME(AccessPropertyNormal),
  XCC_CUDA_NAME(AccessPropertyStreaming),
  XCC_CUDA_NAME(AccessPropertyPersisting)
};
struct XCC_CUDA_NAME(AccessPolicyWindow) {
  void *base_ptr;
  std::size_t num_bytes;
  float hitRatio;
  XCC_CUDA_NAME(AccessProperty) hitProp, missProp;
};
enum XCC_CUDA_NAME(SynchronizationPolicy) {
  XCC_CUDA_NAME(SyncPolicyAuto) = 1,
  XCC_CUDA_NAME(SyncPolicySpin),
  XCC_CUDA_NAME(SyncPolicyYield),
  XCC_CUDA_NAME(SyncPolicyBlockingSync)
};
union XCC_CUDA_NAME(StreamAttrValue) {
  XCC_CUDA_NAME(AccessPolicyWindow) accessPolicyWindow;
  int syncPolicy, priority;
};
enum XCC_CUDA_NAME(StreamAttrID) {
  XCC_CUDA_NAME(StreamAttributeAccessPolicyWindow) = 1,
  XCC_CUDA_NAME(StreamAttributeSynchronizationPolicy) = 3,
  XCC_CUDA_NAME(StreamAttributePriority) = 8
};
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamSetAttribute)(XCC_CUDA_NAME(Stream_t),
                                      XCC_CUDA_NAME(StreamAttrID),
                                      const XCC_CUDA_NAME(StreamAttrValue) *) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(CtxResetPersistingL2Cache)() {
  return xcc::cuda::status::success;
}
