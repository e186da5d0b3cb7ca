// Device functions of xcc/device.h for NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlined into kernels; each is one or two instructions.

using u32 = unsigned;
using u64 = unsigned long;

#define XCC_DEVICE extern "C" [[gnu::always_inline]]

XCC_DEVICE u32 __xcc_thread_idx_x() { return __nvvm_read_ptx_sreg_tid_x(); }
XCC_DEVICE u32 __xcc_thread_idx_y() { return __nvvm_read_ptx_sreg_tid_y(); }
XCC_DEVICE u32 __xcc_thread_idx_z() { return __nvvm_read_ptx_sreg_tid_z(); }
XCC_DEVICE u32 __xcc_block_idx_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
XCC_DEVICE u32 __xcc_block_idx_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
XCC_DEVICE u32 __xcc_block_idx_z() { return __nvvm_read_ptx_sreg_ctaid_z(); }
XCC_DEVICE u32 __xcc_block_dim_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
XCC_DEVICE u32 __xcc_block_dim_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
XCC_DEVICE u32 __xcc_block_dim_z() { return __nvvm_read_ptx_sreg_ntid_z(); }
XCC_DEVICE u32 __xcc_grid_dim_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
XCC_DEVICE u32 __xcc_grid_dim_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }
XCC_DEVICE u32 __xcc_grid_dim_z() { return __nvvm_read_ptx_sreg_nctaid_z(); }

XCC_DEVICE u32 __xcc_lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
XCC_DEVICE u32 __xcc_warp_size() { return 32; }

// The dynamic shared memory begins where the static one ends.
extern "C" __attribute__((address_space(3),
                          aligned(64))) char __xcc_dynamic_shared_bytes[];
XCC_DEVICE void *__xcc_dynamic_shared() {
  return (void *)__xcc_dynamic_shared_bytes;
}
XCC_DEVICE u32 __xcc_dynamic_shared_size() {
  u32 size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  return size;
}

XCC_DEVICE [[clang::convergent]] void __xcc_block_barrier() { __syncthreads(); }
XCC_DEVICE [[clang::convergent]] void __xcc_sync_warp() {
  __nvvm_bar_warp_sync(__nvvm_activemask());
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_32(u32 value, u32 lane) {
  return __nvvm_shfl_sync_idx_i32(__nvvm_activemask(), value, lane, 31);
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_shuffle_64(u64 value, u32 lane) {
  u32 mask = __nvvm_activemask();
  u32 low = __nvvm_shfl_sync_idx_i32(mask, (u32)value, lane, 31);
  u32 high = __nvvm_shfl_sync_idx_i32(mask, (u32)(value >> 32), lane, 31);
  return (u64)high << 32 | low;
}
// The hardware uses only five bits of a distance.
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_up_32(u32 value, u32 delta) {
  u32 moved = __nvvm_shfl_sync_up_i32(__nvvm_activemask(), value, delta, 0);
  return delta < 32 ? moved : value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_down_32(u32 value,
                                                           u32 delta) {
  u32 moved = __nvvm_shfl_sync_down_i32(__nvvm_activemask(), value, delta, 31);
  return delta < 32 ? moved : value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_shuffle_xor_32(u32 value, u32 mask) {
  u32 moved = __nvvm_shfl_sync_bfly_i32(__nvvm_activemask(), value, mask, 31);
  return mask < 32 ? moved : value;
}
// Shuffles within segments of width lanes. The last operand combines the mask
// of lane bits that name the segment with the limit: the last lane to read, or
// for up the first.
static u32 segments(u32 width) { return (32 - width) << 8; }
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_within_32(u32 value, u32 lane, u32 width) {
  return __nvvm_shfl_sync_idx_i32(__nvvm_activemask(), value, lane,
                                  segments(width) | 31);
}
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_up_within_32(u32 value, u32 delta, u32 width) {
  u32 moved = __nvvm_shfl_sync_up_i32(__nvvm_activemask(), value, delta,
                                      segments(width));
  return delta < 32 ? moved : value;
}
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_down_within_32(u32 value, u32 delta, u32 width) {
  u32 moved = __nvvm_shfl_sync_down_i32(__nvvm_activemask(), value, delta,
                                        segments(width) | 31);
  return delta < 32 ? moved : value;
}
XCC_DEVICE [[clang::convergent]] u32
__xcc_shuffle_xor_within_32(u32 value, u32 mask, u32 width) {
  u32 moved = __nvvm_shfl_sync_bfly_i32(__nvvm_activemask(), value, mask, 31);
  return mask < width ? moved : value;
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_ballot(bool predicate) {
  return (u32)__nvvm_vote_ballot_sync(__nvvm_activemask(), predicate);
}

// Declared by the intrinsics' names, because Clang's builtins would require the
// whole unit to be compiled for a newer architecture. The architecture is known
// only later.
extern "C" {
int reflect(const char *) __asm__("__nvvm_reflect");
[[clang::convergent]] u32 matchAny(u32,
                                   u32) __asm__("llvm.nvvm.match.any.sync.i32");
[[clang::convergent]] u32
    matchAnyWide(u32, u64) __asm__("llvm.nvvm.match.any.sync.i64");
[[clang::convergent]] u32 reduceAdd(u32,
                                    u32) __asm__("llvm.nvvm.redux.sync.add");
[[clang::convergent]] u32 reduceAnd(u32,
                                    u32) __asm__("llvm.nvvm.redux.sync.and");
[[clang::convergent]] u32 reduceOr(u32, u32) __asm__("llvm.nvvm.redux.sync.or");
[[clang::convergent]] u32 reduceXor(u32,
                                    u32) __asm__("llvm.nvvm.redux.sync.xor");
[[clang::convergent]] int reduceMin(int,
                                    u32) __asm__("llvm.nvvm.redux.sync.min");
[[clang::convergent]] int reduceMax(int,
                                    u32) __asm__("llvm.nvvm.redux.sync.max");
[[clang::convergent]] u32 reduceUMin(u32,
                                     u32) __asm__("llvm.nvvm.redux.sync.umin");
[[clang::convergent]] u32 reduceUMax(u32,
                                     u32) __asm__("llvm.nvvm.redux.sync.umax");
}

/// Returns the lanes with an equal value, by one vote per bit.
template <class T>
[[clang::convergent]] static inline u64 matchByVotes(T value) {
  u32 mask = __nvvm_activemask();
  // The mask may contain lanes that have ended.
  u32 same = (u32)__nvvm_vote_ballot_sync(mask, true);
#pragma clang loop unroll(full)
  for (unsigned bit = 0; bit != sizeof(T) * 8; ++bit) {
    bool set = value >> bit & 1;
    u32 those = (u32)__nvvm_vote_ballot_sync(mask, set);
    same &= set ? those : ~those;
  }
  return same;
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_match_any_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 700)
    return matchAny(__nvvm_activemask(), value) & (u32)__xcc_ballot(true);
  return matchByVotes(value);
}
XCC_DEVICE [[clang::convergent]] u64 __xcc_match_any_64(u64 value) {
  if (reflect("__CUDA_ARCH") >= 700)
    return matchAnyWide(__nvvm_activemask(), value) & (u32)__xcc_ballot(true);
  return matchByVotes(value);
}
// Architectures below 800 never call the following functions, but without
// optimisation the calls remain in the code.
XCC_DEVICE bool __xcc_reductions() { return reflect("__CUDA_ARCH") >= 800; }
XCC_DEVICE [[clang::convergent]] u32 __xcc_reduce_add_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceAdd(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_reduce_and_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceAnd(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_reduce_or_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceOr(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_reduce_xor_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceXor(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] int __xcc_reduce_min_32(int value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceMin(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] int __xcc_reduce_max_32(int value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceMax(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_reduce_umin_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceUMin(value, __nvvm_activemask());
  return value;
}
XCC_DEVICE [[clang::convergent]] u32 __xcc_reduce_umax_32(u32 value) {
  if (reflect("__CUDA_ARCH") >= 800)
    return reduceUMax(value, __nvvm_activemask());
  return value;
}

extern "C" {
typedef __attribute__((address_space(3))) void shared_void;
typedef const __attribute__((address_space(1))) void global_void;
void copy16(shared_void *,
            global_void *) __asm__("llvm.nvvm.cp.async.cg.shared.global.16");
void copy8(shared_void *,
           global_void *) __asm__("llvm.nvvm.cp.async.ca.shared.global.8");
void copy4(shared_void *,
           global_void *) __asm__("llvm.nvvm.cp.async.ca.shared.global.4");
void commitCopies() __asm__("llvm.nvvm.cp.async.commit.group");
void waitForCopies() __asm__("llvm.nvvm.cp.async.wait.all");
void waitForGroups(int) __asm__("llvm.nvvm.cp.async.wait.group");
}
// The pointers are generic. A copy from global to shared memory needs no
// registers.
XCC_DEVICE void __xcc_copy_shared_16(void *to, const void *from) {
  if (reflect("__CUDA_ARCH") >= 800)
    if (__nvvm_isspacep_shared(to) && __nvvm_isspacep_global(from))
      return copy16((shared_void *)to, (global_void *)from);
  __builtin_memcpy(__builtin_assume_aligned(to, 16),
                   __builtin_assume_aligned(from, 16), 16);
}
XCC_DEVICE void __xcc_copy_shared_8(void *to, const void *from) {
  if (reflect("__CUDA_ARCH") >= 800)
    if (__nvvm_isspacep_shared(to) && __nvvm_isspacep_global(from))
      return copy8((shared_void *)to, (global_void *)from);
  *(u64 *)to = *(const u64 *)from;
}
XCC_DEVICE void __xcc_copy_shared_4(void *to, const void *from) {
  if (reflect("__CUDA_ARCH") >= 800)
    if (__nvvm_isspacep_shared(to) && __nvvm_isspacep_global(from))
      return copy4((shared_void *)to, (global_void *)from);
  *(u32 *)to = *(const u32 *)from;
}
XCC_DEVICE void __xcc_commit_shared_copies() {
  if (reflect("__CUDA_ARCH") >= 800)
    commitCopies();
}
XCC_DEVICE void __xcc_wait_shared_copies(u32 pending) {
  if (reflect("__CUDA_ARCH") < 800)
    return;
  switch (pending) {
  case 0:
    return waitForCopies();
  case 1:
    return waitForGroups(1);
  case 2:
    return waitForGroups(2);
  case 3:
    return waitForGroups(3);
  case 4:
    return waitForGroups(4);
  case 5:
    return waitForGroups(5);
  case 6:
    return waitForGroups(6);
  default:
    return waitForGroups(7);
  }
}

XCC_DEVICE u64 __xcc_clock() { return __builtin_readcyclecounter(); }
