// The functions of xcc/device.h for AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are inlined into kernels. The sizes of blocks and grids are implicit
// arguments of code object versions 5 and 6 (User Guide for AMDGPU Backend,
// "Code Object V5 Metadata"). They follow the kernel's own arguments, at the
// same places in both versions.

using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;

#define XCC_DEVICE extern "C" [[gnu::always_inline]]

template <class T, unsigned Offset> static inline T implicit() {
  using Constant = const __attribute__((address_space(4))) char *;
  return *(const __attribute__((address_space(4)))
           T *)((Constant)__builtin_amdgcn_implicitarg_ptr() + Offset);
}

XCC_DEVICE u32 __xcc_thread_idx_x() { return __builtin_amdgcn_workitem_id_x(); }
XCC_DEVICE u32 __xcc_thread_idx_y() { return __builtin_amdgcn_workitem_id_y(); }
XCC_DEVICE u32 __xcc_thread_idx_z() { return __builtin_amdgcn_workitem_id_z(); }
XCC_DEVICE u32 __xcc_block_idx_x() { return __builtin_amdgcn_workgroup_id_x(); }
XCC_DEVICE u32 __xcc_block_idx_y() { return __builtin_amdgcn_workgroup_id_y(); }
XCC_DEVICE u32 __xcc_block_idx_z() { return __builtin_amdgcn_workgroup_id_z(); }
// hidden_block_count_x, _y, _z; hidden_group_size_x, _y, _z.
XCC_DEVICE u32 __xcc_grid_dim_x() { return implicit<u32, 0>(); }
XCC_DEVICE u32 __xcc_grid_dim_y() { return implicit<u32, 4>(); }
XCC_DEVICE u32 __xcc_grid_dim_z() { return implicit<u32, 8>(); }
XCC_DEVICE u32 __xcc_block_dim_x() { return implicit<u16, 12>(); }
XCC_DEVICE u32 __xcc_block_dim_y() { return implicit<u16, 14>(); }
XCC_DEVICE u32 __xcc_block_dim_z() { return implicit<u16, 16>(); }

XCC_DEVICE u32 __xcc_warp_size() { return __builtin_amdgcn_wavefrontsize(); }
XCC_DEVICE u32 __xcc_lane_id() {
  // Count the lanes below this one among the first 32, then among the others.
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

extern "C" __attribute__((address_space(3),
                          aligned(64))) char __xcc_dynamic_shared_bytes[];
XCC_DEVICE void *__xcc_dynamic_shared() {
  return (void *)__xcc_dynamic_shared_bytes;
}
// hidden_dynamic_lds_size
XCC_DEVICE u32 __xcc_dynamic_shared_size() { return implicit<u32, 120>(); }

XCC_DEVICE [[clang::convergent]] void __xcc_block_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// The active lanes of a wavefront run in step, so only the compiler's order and
// the memory's order have to be kept.
XCC_DEVICE [[clang::convergent]] void __xcc_sync_warp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
// Shuffles across all lanes, even where ds_bpermute only reaches 32 of 64.
extern "C" [[clang::convergent]] u32
waveShuffle(u32 value, u32 lane) __asm("llvm.amdgcn.wave.shuffle.i32");

XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_32(u32 value, u32 lane) {
  return waveShuffle(value, lane);
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_shuffle_64(u64 value, u32 lane) {
  u32 low = (u32)value, high = (u32)(value >> 32);
  low = waveShuffle(low, lane);
  high = waveShuffle(high, lane);
  return (u64)high << 32 | low;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_up_32(u32 value, u32 delta) {
  u32 lane = __xcc_lane_id();
  return __xcc_shuffle_32(value, lane >= delta ? lane - delta : lane);
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_down_32(u32 value,
                                                           u32 delta) {
  u32 lane = __xcc_lane_id(), last = __xcc_warp_size() - 1;
  return __xcc_shuffle_32(value, delta <= last - lane ? lane + delta : lane);
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_xor_32(u32 value, u32 mask) {
  u32 lane = __xcc_lane_id();
  return __xcc_shuffle_32(value, mask < __xcc_warp_size() ? lane ^ mask : lane);
}
// Within segments of width lanes.
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_within_32(u32 value, u32 lane, u32 width) {
  u32 first = __xcc_lane_id() & -width;
  return __xcc_shuffle_32(value, first | (lane & (width - 1)));
}
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_up_within_32(u32 value, u32 delta, u32 width) {
  u32 lane = __xcc_lane_id(), at = lane & (width - 1);
  return __xcc_shuffle_32(value, at >= delta ? lane - delta : lane);
}
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_down_within_32(u32 value, u32 delta, u32 width) {
  u32 lane = __xcc_lane_id(), at = lane & (width - 1);
  return __xcc_shuffle_32(value, delta < width - at ? lane + delta : lane);
}
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_xor_within_32(u32 value, u32 mask, u32 width) {
  u32 lane = __xcc_lane_id();
  return __xcc_shuffle_32(value, mask < width ? lane ^ mask : lane);
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_ballot(bool predicate) {
  return __builtin_amdgcn_ballot_w64(predicate);
}

/// The lanes that have the caller's value: compares it bit by bit, with a
/// ballot for each bit.
template <class T> [[clang::convergent]] static inline u64 match(T value) {
  u64 same = __builtin_amdgcn_ballot_w64(true);
#pragma clang loop unroll(full)
  for (unsigned bit = 0; bit != sizeof(T) * 8; ++bit) {
    bool set = value >> bit & 1;
    u64 those = __builtin_amdgcn_ballot_w64(set);
    same &= set ? those : ~those;
  }
  return same;
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_match_any_32(u32 value) {
  return match(value);
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_match_any_64(u64 value) {
  return match(value);
}

XCC_DEVICE u64 __xcc_clock() { return __builtin_readcyclecounter(); }
