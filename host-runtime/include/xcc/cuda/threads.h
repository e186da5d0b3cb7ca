// Barriers, fences, shuffles and votes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp has 32 lanes here on every device: with warps of 64, half of one. The
// lanes of a mask come to the operation together, by the same path through the
// program (docs/language.md).

#ifndef XCC_CUDA_THREADS_H
#define XCC_CUDA_THREADS_H

#include <xcc/cuda/atomics.h>
#include <xcc/cuda/vectors.h>
#include <xcc/xcc.h>

namespace xcc::cuda::detail {
/// Where the caller is in its block.
inline unsigned rank() {
  return __xcc_thread_idx_x() +
         __xcc_block_dim_x() * (__xcc_thread_idx_y() +
                                __xcc_block_dim_y() * __xcc_thread_idx_z());
}
/// The votes of the 32 lanes that the caller is among.
[[clang::convergent]] inline unsigned votes(bool predicate) {
  return static_cast<unsigned>(__xcc_ballot(predicate) >>
                               (__xcc_lane_id() & 32));
}
/// Those of the 32 lanes that the caller is among.
inline xcc::lane_mask lanes_of(unsigned mask) {
  return xcc::lane_mask(std::uint64_t(mask) << (__xcc_lane_id() & 32));
}
/// How many threads of the block say so; for all of them at once.
[[clang::convergent]] inline int count_votes(int predicate) {
  static xcc::block_shared<int> sum;
  if (rank() == 0)
    sum = 0;
  xcc::sync_block();
  if (predicate)
    atomicAdd(&sum.get(), 1);
  xcc::sync_block();
  const int all = sum;
  xcc::sync_block();
  return all;
}
} // namespace xcc::cuda::detail

// For NVIDIA GPUs, Clang has a function of that name.
#define __syncthreads() ::xcc::sync_block()
[[clang::convergent]] inline int __syncthreads_count(int predicate) {
  return xcc::cuda::detail::count_votes(predicate);
}
[[clang::convergent]] inline int __syncthreads_or(int predicate) {
  return xcc::cuda::detail::count_votes(predicate) != 0;
}
[[clang::convergent]] inline int __syncthreads_and(int predicate) {
  return xcc::cuda::detail::count_votes(!predicate) == 0;
}
[[clang::convergent]] inline void __syncwarp(unsigned = 0xffffffffu) {
  xcc::sync_warp();
}

/// Copies 4, 8 or 16 bytes to block-shared memory, of which the last \p zeros
/// become 0.
inline void __pipeline_memcpy_async(void *to, const void *from,
                                    std::size_t bytes, std::size_t zeros = 0) {
  struct alignas(16) four_words {
    unsigned word[4];
  };
  if (zeros == 0 && bytes == 16) {
    xcc::copy_to_shared_async(static_cast<four_words *>(to),
                              static_cast<const four_words *>(from));
  } else if (zeros == 0 && bytes == 8) {
    xcc::copy_to_shared_async(static_cast<std::uint64_t *>(to),
                              static_cast<const std::uint64_t *>(from));
  } else if (zeros == 0 && bytes == 4) {
    xcc::copy_to_shared_async(static_cast<unsigned *>(to),
                              static_cast<const unsigned *>(from));
  } else {
    __builtin_memcpy(to, from, bytes - zeros);
    __builtin_memset(static_cast<char *>(to) + (bytes - zeros), 0, zeros);
  }
}
inline void __pipeline_commit() { xcc::commit_shared_copies(); }
inline void __pipeline_wait_prior(std::size_t latest) {
#ifdef __XCC_SHARED_COPIES__
  __xcc_wait_shared_copies(static_cast<unsigned>(latest));
#else
  (void)latest;
#endif
}

inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

[[clang::convergent]] inline unsigned __activemask() {
  return xcc::cuda::detail::votes(true);
}
[[clang::convergent]] inline unsigned __ballot_sync(unsigned mask,
                                                    int predicate) {
  return xcc::cuda::detail::votes(predicate) & mask;
}
[[clang::convergent]] inline int __any_sync(unsigned mask, int predicate) {
  return (xcc::cuda::detail::votes(predicate) & mask) != 0;
}
[[clang::convergent]] inline int __all_sync(unsigned mask, int predicate) {
  return (xcc::cuda::detail::votes(!predicate) & mask) == 0;
}

/// Lanes are counted within segments of `width`, a power of two up to 32.
template <class Type>
[[clang::convergent]] inline Type
__shfl_sync(unsigned, XCC_MAYBE_UNSET Type value, int lane, int width = 32) {
  return xcc::shuffle(value, unsigned(lane), unsigned(width));
}
template <class Type>
[[clang::convergent]] inline Type
__shfl_up_sync(unsigned, XCC_MAYBE_UNSET Type value, unsigned delta,
               int width = 32) {
  return xcc::shuffle_up(value, delta, unsigned(width));
}
template <class Type>
[[clang::convergent]] inline Type
__shfl_down_sync(unsigned, XCC_MAYBE_UNSET Type value, unsigned delta,
                 int width = 32) {
  return xcc::shuffle_down(value, delta, unsigned(width));
}
/// As in CUDA, a lane of a later segment is not read: the caller's own value.
template <class Type>
[[clang::convergent]] inline Type __shfl_xor_sync(unsigned,
                                                  XCC_MAYBE_UNSET Type value,
                                                  int mask, int width = 32) {
  const unsigned self = xcc::lane_id(), other = self ^ unsigned(mask);
  const unsigned last = self | (unsigned(width) - 1);
  return xcc::shuffle(value, other <= last ? other : self);
}

#define XCC_CUDA_REDUCE(name, type)                                            \
  [[clang::convergent]] inline type __reduce_##name##_sync(unsigned mask,      \
                                                           type value) {       \
    if (mask == 0xffffffffu && xcc::warp_size() == 32)                         \
      return xcc::warp_reduce_##name(value);                                   \
    return xcc::warp_reduce_##name(xcc::cuda::detail::lanes_of(mask), value);  \
  }
XCC_CUDA_REDUCE(add, unsigned)
XCC_CUDA_REDUCE(add, int)
XCC_CUDA_REDUCE(min, unsigned)
XCC_CUDA_REDUCE(min, int)
XCC_CUDA_REDUCE(max, unsigned)
XCC_CUDA_REDUCE(max, int)
XCC_CUDA_REDUCE(and, unsigned)
XCC_CUDA_REDUCE(or, unsigned)
XCC_CUDA_REDUCE(xor, unsigned)
#undef XCC_CUDA_REDUCE

/// The lanes of the mask whose value is the caller's.
template <class Type>
[[clang::convergent]] inline unsigned __match_any_sync(unsigned mask,
                                                       Type value) {
  return static_cast<unsigned>(xcc::match_any(value).bits >>
                               (xcc::lane_id() & 32)) &
         mask;
}
/// The lanes of the mask, if all have passed the same value, else none.
template <class Type>
[[clang::convergent]] inline unsigned __match_all_sync(unsigned mask,
                                                       Type value, int *all) {
  const xcc::lane_mask same =
      xcc::match_all(xcc::cuda::detail::lanes_of(mask), value);
  *all = same.bits != 0;
  return static_cast<unsigned>(same.bits >> (xcc::lane_id() & 32));
}

#endif // XCC_CUDA_THREADS_H
