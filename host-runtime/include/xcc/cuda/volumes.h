// CUDA's and HIP's three-dimensional memory, and pools
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As runtime.h: names.h makes them cudaMalloc3D and its like. Widths and x are
// bytes, and elements where a copy has an array of textures.h.

#ifndef XCC_CUDA_VOLUMES_H
#define XCC_CUDA_VOLUMES_H

#include <xcc/cuda/runtime.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace xcc::cuda {

/// The members are called as in CUDA.
struct extent {
  std::size_t width, height, depth;
};
struct position {
  std::size_t x, y, z;
};
/// Rows of xsize bytes, pitch bytes apart, and slices of ysize rows.
struct pitched_pointer {
  void *ptr;
  std::size_t pitch, xsize, ysize;
};
/// The memory of an array (textures.h): rows without gaps, lengths in bytes.
struct array_memory {
  void *memory;
  std::size_t element, row, rows;
};
struct copy_3d_parameters {
  const array_memory *srcArray;
  position srcPos;
  pitched_pointer srcPtr;
  array_memory *dstArray;
  position dstPos;
  pitched_pointer dstPtr;
  cuda::extent extent;
  copy_kind kind;
};

namespace detail {
inline xcc_extent bytes_of(const extent &size) {
  return {size.width, size.height, size.depth};
}
inline xcc_pitch pitches_of(const pitched_pointer &of) {
  return {of.pitch, of.pitch * of.ysize};
}
inline void *place(const pitched_pointer &of, const position &at) {
  return static_cast<char *>(of.ptr) + (at.z * of.ysize + at.y) * of.pitch +
         at.x;
}
/// A copy's side in bytes, if it is an array.
inline void take_array(const array_memory *array, pitched_pointer &pointer,
                       position &at) {
  if (!array)
    return;
  pointer = {array->memory, array->row, array->row, array->rows};
  at.x *= array->element;
}
inline copy_3d_parameters with_arrays(copy_3d_parameters what) {
  if (const array_memory *array = what.srcArray ? what.srcArray : what.dstArray)
    what.extent.width *= array->element;
  take_array(what.srcArray, what.srcPtr, what.srcPos);
  take_array(what.dstArray, what.dstPtr, what.dstPos);
  return what;
}
} // namespace detail

inline status allocate_3d(pitched_pointer *made, const extent &size) {
  const xcc_extent bytes = detail::bytes_of(size);
  xcc_pitch pitch = {0, 0};
  void *memory = nullptr;
  const status ended =
      detail::note(xcc_memory_alloc_pitched(&bytes, &pitch, &memory));
  *made = {memory, pitch.row, size.width, size.height};
  // Slices follow each other without a gap, or this could not say where.
  if (ended == status::success && pitch.slice != pitch.row * size.height) {
    xcc_memory_free(memory);
    *made = {};
    return detail::note(status::not_supported);
  }
  return ended;
}
inline status copy_3d(const copy_3d_parameters &given) {
  const copy_3d_parameters what = detail::with_arrays(given);
  const xcc_extent bytes = detail::bytes_of(what.extent);
  const xcc_pitch there = detail::pitches_of(what.dstPtr),
                  here = detail::pitches_of(what.srcPtr);
  return detail::note(xcc_memory_copy_pitched(
      detail::place(what.dstPtr, what.dstPos), &there,
      detail::place(what.srcPtr, what.srcPos), &here, &bytes));
}
inline status copy_3d_async(const copy_3d_parameters &given, xcc::stream *on) {
  const copy_3d_parameters what = detail::with_arrays(given);
  const xcc_extent bytes = detail::bytes_of(what.extent);
  const xcc_pitch there = detail::pitches_of(what.dstPtr),
                  here = detail::pitches_of(what.srcPtr);
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_memory_copy_pitched_async(
        detail::place(what.dstPtr, what.dstPos), &there,
        detail::place(what.srcPtr, what.srcPos), &here, &bytes,
        detail::handle(on)));
  });
}
inline status fill_3d(const pitched_pointer &to, int byte, const extent &size) {
  const xcc_extent bytes = detail::bytes_of(size);
  const xcc_pitch here = detail::pitches_of(to);
  const auto element = static_cast<unsigned char>(byte);
  return detail::note(
      xcc_memory_fill_pitched(to.ptr, &here, &element, 1, &bytes));
}
inline status fill_3d_async(const pitched_pointer &to, int byte,
                            const extent &size, xcc::stream *on) {
  const xcc_extent bytes = detail::bytes_of(size);
  const xcc_pitch here = detail::pitches_of(to);
  const auto element = static_cast<unsigned char>(byte);
  return detail::attempt([&] {
    detail::streams::get().order(on);
    xcc::detail::check(xcc_memory_fill_pitched_async(
        to.ptr, &here, &element, 1, &bytes, detail::handle(on)));
  });
}

//===-- Pools of memory in stream order -----------------------------------===//

/// A device's own, which is the one that there is.
struct memory_pool {
  int device;
};
enum class pool_attribute : int {
  reuse_follow_events = 1,
  reuse_opportunistic = 2,
  reuse_dependencies = 3,
  release_threshold = 4,
  reserved_current = 5,
  used_current = 7
};

inline status default_pool(memory_pool **made, int device) {
  // One for each device, for as long as the process runs.
  static std::deque<memory_pool> all;
  static std::mutex busy;
  xcc_pool_info known;
  *made = nullptr;
  if (const xcc_status failed = xcc_device_get_pool(device, &known))
    return detail::note(failed);
  std::lock_guard<std::mutex> lock(busy);
  while (all.size() <= std::size_t(device))
    all.push_back({static_cast<int>(all.size())});
  *made = &all[std::size_t(device)];
  return status::success;
}
/// The value of each attribute has 64 bits, but for those of reuse, which are
/// advice.
inline status pool_set(memory_pool *of, pool_attribute what, void *value) {
  if (of && value && what <= pool_attribute::reuse_dependencies)
    return status::success;
  if (!of || !value || what != pool_attribute::release_threshold)
    return detail::note(status::invalid_value);
  return detail::note(xcc_device_set_pool_limit(
      of->device, *static_cast<const std::uint64_t *>(value)));
}
inline status pool_get(memory_pool *of, pool_attribute what, void *value) {
  if (!of || !value)
    return detail::note(status::invalid_value);
  xcc_pool_info known;
  if (const xcc_status failed = xcc_device_get_pool(of->device, &known))
    return detail::note(failed);
  if (what <= pool_attribute::reuse_dependencies) {
    *static_cast<int *>(value) = 1;
    return status::success;
  }
  auto &into = *static_cast<std::uint64_t *>(value);
  switch (what) {
  case pool_attribute::release_threshold:
    into = known.limit;
    return status::success;
  case pool_attribute::reserved_current:
    into = known.used + known.kept;
    return status::success;
  case pool_attribute::used_current:
    into = known.used;
    return status::success;
  default:
    break;
  }
  return detail::note(status::invalid_value);
}
inline status pool_trim(memory_pool *of, std::size_t keep) {
  if (!of)
    return detail::note(status::invalid_value);
  return detail::note(xcc_device_trim_pool(of->device, keep));
}

} // namespace xcc::cuda

#endif // XCC_CUDA_VOLUMES_H
