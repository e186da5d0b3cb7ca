// libcu++: latches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     __shared__ cuda::latch<cuda::thread_scope_block> ready;
//     if (threadIdx.x == 0) init(&ready, blockDim.x);
//     __syncthreads();
//     ready.arrive_and_wait();
//
// Waiting is looking at a number until it has changed. Threads of a block may wait
// for each other on every device. A block that waits for another one may wait
// forever (docs/from-cuda.md).

#ifndef XCC_CUDA_LATCH_H
#define XCC_CUDA_LATCH_H

#include <xcc/cuda/standard.h>

#include <cstddef>
#include <limits>

namespace cuda {

/// A number of arrivals that threads wait for, once.
template <thread_scope Scope> class latch {
  using number = atomic_ref<int, Scope>;
  int left_;

  bool done() { return number(left_).load(memory_order_acquire) <= 0; }

public:
  latch() = default;
  constexpr explicit latch(::std::ptrdiff_t expected) : left_(int(expected)) {}
  latch(const latch &) = delete;
  latch &operator=(const latch &) = delete;
  friend void init(latch *made, ::std::ptrdiff_t expected) {
    made->left_ = int(expected);
  }
  static constexpr ::std::ptrdiff_t(max)() {
    return (::std::numeric_limits<int>::max)();
  }
  void count_down(::std::ptrdiff_t by = 1) {
    number(left_).fetch_sub(int(by), memory_order_acq_rel);
  }
  bool try_wait() { return done(); }
  void wait() {
    while (!done()) {
    }
  }
  void arrive_and_wait(::std::ptrdiff_t by = 1) {
    count_down(by);
    wait();
  }
};

} // namespace cuda

#endif // XCC_CUDA_LATCH_H
