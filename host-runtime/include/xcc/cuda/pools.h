// Pools of memory, batches of copies, and facts, by CUDA's or HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once for each, at the end of tuning.h. A pool that a program creates is a
// name for the device's one pool.

//===-- Pools -------------------------------------------------------------===//

enum XCC_CUDA_NAME(MemAllocationType) {
  XCC_CUDA_NAME(MemAllocationTypeInvalid),
  XCC_CUDA_NAME(MemAllocationTypePinned),
  XCC_CUDA_NAME(MemAllocationTypeManaged)
};
enum XCC_CUDA_NAME(MemAllocationHandleType) {
  XCC_CUDA_NAME(MemHandleTypeNone),
  XCC_CUDA_NAME(MemHandleTypePosixFileDescriptor)
};
enum XCC_CUDA_NAME(MemAccessFlags) {
  XCC_CUDA_NAME(MemAccessFlagsProtNone),
  XCC_CUDA_NAME(MemAccessFlagsProtRead) = 1,
  XCC_CUDA_NAME(MemAccessFlagsProtReadWrite) = 3
};
struct XCC_CUDA_NAME(MemAccessDesc) {
  XCC_CUDA_NAME(MemLocation) location;
  XCC_CUDA_NAME(MemAccessFlags) flags;
};
struct XCC_CUDA_NAME(MemPoolProps) {
  XCC_CUDA_NAME(MemAllocationType) allocType;
  XCC_CUDA_NAME(MemAllocationHandleType) handleTypes;
  XCC_CUDA_NAME(MemLocation) location;
  void *win32SecurityAttributes;
  std::size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
/// A pool whose memory other processes could use is not supported.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolCreate)(XCC_CUDA_NAME(MemPool_t) * made,
                                 const XCC_CUDA_NAME(MemPoolProps) * wanted) {
  if (wanted->location.type != XCC_CUDA_NAME(MemLocationTypeDevice) ||
      wanted->handleTypes != XCC_CUDA_NAME(MemHandleTypeNone))
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::default_pool(made, wanted->location.id);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolDestroy)(XCC_CUDA_NAME(MemPool_t) gone) {
  return xcc::cuda::detail::note(gone ? xcc::cuda::status::success
                                      : xcc::cuda::status::invalid_value);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(DeviceSetMemPool)(int device, XCC_CUDA_NAME(MemPool_t) pool) {
  return xcc::cuda::detail::note(pool && pool->device == device
                                     ? xcc::cuda::status::success
                                     : xcc::cuda::status::invalid_value);
}
/// The device's own kernels use its memory, and no other device's.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolSetAccess)(XCC_CUDA_NAME(MemPool_t) pool,
                                    const XCC_CUDA_NAME(MemAccessDesc) * wanted,
                                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if ((wanted[i].location.id == pool->device) !=
        (wanted[i].flags == XCC_CUDA_NAME(MemAccessFlagsProtReadWrite)))
      return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemPoolGetAccess)(XCC_CUDA_NAME(MemAccessFlags) * flags,
                                    XCC_CUDA_NAME(MemPool_t) pool,
                                    XCC_CUDA_NAME(MemLocation) * location) {
  *flags = location->type == XCC_CUDA_NAME(MemLocationTypeDevice) &&
                   location->id == pool->device
               ? XCC_CUDA_NAME(MemAccessFlagsProtReadWrite)
               : XCC_CUDA_NAME(MemAccessFlagsProtNone);
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemGetDefaultMemPool)(XCC_CUDA_NAME(MemPool_t) * pool,
                                        XCC_CUDA_NAME(MemLocation) * location,
                                        XCC_CUDA_NAME(MemAllocationType)) {
  if (location->type != XCC_CUDA_NAME(MemLocationTypeDevice))
    return xcc::cuda::detail::note(xcc::cuda::status::not_supported);
  return xcc::cuda::default_pool(pool, location->id);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemGetMemPool)(XCC_CUDA_NAME(MemPool_t) * pool,
                                 XCC_CUDA_NAME(MemLocation) * location,
                                 XCC_CUDA_NAME(MemAllocationType) type) {
  return XCC_CUDA_NAME(MemGetDefaultMemPool)(pool, location, type);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemSetMemPool)(XCC_CUDA_NAME(MemLocation) * location,
                                 XCC_CUDA_NAME(MemAllocationType),
                                 XCC_CUDA_NAME(MemPool_t) pool) {
  return XCC_CUDA_NAME(DeviceSetMemPool)(location->id, pool);
}

//===-- Batches -----------------------------------------------------------===//

struct XCC_CUDA_NAME(MemcpyAttributes) {
  int srcAccessOrder;
  XCC_CUDA_NAME(MemLocation) srcLocHint, dstLocHint;
  unsigned flags;
};
/// The copies one after the other. What attributes allow is not used.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemcpyBatchAsync)(void *const *to, const void *const *from,
                                    const std::size_t *bytes, std::size_t count,
                                    XCC_CUDA_NAME(MemcpyAttributes) *,
                                    std::size_t *, std::size_t,
                                    XCC_CUDA_NAME(Stream_t) on) {
  for (std::size_t i = 0; i < count; ++i)
    if (const XCC_CUDA_NAME(Error_t) failed = xcc::cuda::copy_async(
            to[i], from[i], bytes[i], xcc::cuda::copy_kind::any, on))
      return failed;
  return xcc::cuda::status::success;
}
/// Advice, which does nothing.
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(MemPrefetchBatchAsync)(
    void **, std::size_t *, std::size_t, XCC_CUDA_NAME(MemLocation) *,
    std::size_t *, std::size_t, unsigned long long, XCC_CUDA_NAME(Stream_t)) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(MemDiscardBatchAsync)(void **, std::size_t *, std::size_t,
                                        unsigned long long,
                                        XCC_CUDA_NAME(Stream_t)) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(MemDiscardAndPrefetchBatchAsync)(
    void **, std::size_t *, std::size_t, XCC_CUDA_NAME(MemLocation) *,
    std::size_t *, std::size_t, unsigned long long, XCC_CUDA_NAME(Stream_t)) {
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(MemRangeGetAttributes)(
    void **into, std::size_t *bytes, XCC_CUDA_NAME(MemRangeAttribute) * what,
    std::size_t count, const void *memory, std::size_t size) {
  for (std::size_t i = 0; i < count; ++i)
    if (const XCC_CUDA_NAME(Error_t) failed = XCC_CUDA_NAME(
            MemRangeGetAttribute)(into[i], bytes[i], what[i], memory, size))
      return failed;
  return xcc::cuda::status::success;
}
struct XCC_CUDA_NAME(Memcpy3DPeerParms) {
  const xcc::cuda::array_memory *srcArray;
  XCC_CUDA_NAME(Pos) srcPos;
  XCC_CUDA_NAME(PitchedPtr) srcPtr;
  int srcDevice;
  xcc::cuda::array_memory *dstArray;
  XCC_CUDA_NAME(Pos) dstPos;
  XCC_CUDA_NAME(PitchedPtr) dstPtr;
  int dstDevice;
  XCC_CUDA_NAME(Extent) extent;

  /// An address says which device has it.
  XCC_CUDA_NAME(Memcpy3DParms) plain() const {
    return {srcArray, srcPos, srcPtr, dstArray,
            dstPos,   dstPtr, extent, xcc::cuda::copy_kind::any};
  }
};
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy3DPeer)(const XCC_CUDA_NAME(Memcpy3DPeerParms) * what) {
  const XCC_CUDA_NAME(Memcpy3DParms) plain = what->plain();
  return XCC_CUDA_NAME(Memcpy3D)(&plain);
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(Memcpy3DPeerAsync)(const XCC_CUDA_NAME(Memcpy3DPeerParms) *
                                         what,
                                     XCC_CUDA_NAME(Stream_t) on = nullptr) {
  const XCC_CUDA_NAME(Memcpy3DParms) plain = what->plain();
  return XCC_CUDA_NAME(Memcpy3DAsync)(&plain, on);
}

//===-- Facts -------------------------------------------------------------===//

/// Of the streams' attributes, priorities alone are known.
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamGetAttribute)(XCC_CUDA_NAME(Stream_t) of,
                                      XCC_CUDA_NAME(StreamAttrID) what,
                                      XCC_CUDA_NAME(StreamAttrValue) * into) {
  *into = {};
  if (what == XCC_CUDA_NAME(StreamAttributePriority))
    return XCC_CUDA_NAME(StreamGetPriority)(of, &into->priority);
  return xcc::cuda::status::success;
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(StreamCopyAttributes)(XCC_CUDA_NAME(Stream_t),
                                        XCC_CUDA_NAME(Stream_t)) {
  return xcc::cuda::status::success; // they are advice
}
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FuncGetName)(const char **name, const void *kernel) {
  return xcc::cuda::detail::attempt(
      [&] { *name = xcc::cuda::detail::info_of(kernel, nullptr, 0).name; });
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(FuncGetName)(const char **name,
                               XCC_KERNEL_OR_POINTER void (*kernel)(Param...)) {
  return XCC_CUDA_NAME(FuncGetName)(name,
                                    reinterpret_cast<const void *>(kernel));
}
// A kernel's handle is its address.
using XCC_CUDA_NAME(Function_t) = const void *;
using XCC_CUDA_NAME(Kernel_t) = const void *;
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GetFuncBySymbol)(XCC_CUDA_NAME(Function_t) * made,
                                   const void *kernel) {
  *made = kernel;
  return xcc::cuda::status::success;
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t) XCC_CUDA_NAME(GetFuncBySymbol)(
    XCC_CUDA_NAME(Function_t) * made,
    XCC_KERNEL_OR_POINTER void (*kernel)(Param...)) {
  *made = reinterpret_cast<const void *>(kernel);
  return xcc::cuda::status::success;
}
template <class... Param>
inline XCC_CUDA_NAME(Error_t)
    XCC_CUDA_NAME(GetKernel)(XCC_CUDA_NAME(Kernel_t) * made,
                             XCC_KERNEL_OR_POINTER void (*kernel)(Param...)) {
  *made = reinterpret_cast<const void *>(kernel);
  return xcc::cuda::status::success;
}
