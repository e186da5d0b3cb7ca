// Intrinsics for kernels in tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_H
#define XCC_DEVICE_H

extern "C" {
unsigned __xcc_thread_idx_x(), __xcc_thread_idx_y(), __xcc_thread_idx_z();
unsigned __xcc_block_idx_x(), __xcc_block_idx_y(), __xcc_block_idx_z();
unsigned __xcc_block_dim_x(), __xcc_block_dim_y(), __xcc_block_dim_z();
unsigned __xcc_grid_dim_x(), __xcc_grid_dim_y(), __xcc_grid_dim_z();
unsigned __xcc_linear_thread();
void *__xcc_dynamic_shared();
unsigned __xcc_dynamic_shared_size();
void *__xcc_exchange();
[[clang::convergent]] void __xcc_block_barrier();
[[clang::convergent]] unsigned __xcc_warp_barrier();
[[noreturn]] void __xcc_trap(int, const char *, const char *, int);
}

/// The arguments that run_kernels gives every kernel.
struct args {
  int n;
  float a;
  const float *x;
  float *y;
  const int *u;
  int *v;
};

#define SHARED static __attribute__((section(".xcc.shared")))
#define KERNEL(name) extern "C" void name(const args *p)

inline unsigned linear() { return __xcc_linear_thread(); }
inline unsigned threads() {
  return __xcc_block_dim_x() * __xcc_block_dim_y() * __xcc_block_dim_z();
}
inline unsigned block_linear() {
  return __xcc_block_idx_x() +
         __xcc_grid_dim_x() *
             (__xcc_block_idx_y() + __xcc_grid_dim_y() * __xcc_block_idx_z());
}
/// Different in every thread of the launch.
inline unsigned global() { return block_linear() * threads() + linear(); }
inline void sync() { __xcc_block_barrier(); }

/// As in the device runtime: through the exchange area.
inline int shuffle(int value, unsigned lane) {
  int *slots = static_cast<int *>(__xcc_exchange());
  unsigned me = linear(), first = me & ~31u;
  slots[me * 4] = value;
  unsigned mask = __xcc_warp_barrier();
  int got = mask >> (lane & 31) & 1 ? slots[(first + (lane & 31)) * 4] : value;
  __xcc_warp_barrier();
  return got;
}

#endif // XCC_DEVICE_H
