// Initialisation of static local variables on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler has made a loop of each place that waits
// (backend/gpu/rewrites/Guards.cpp). A guard is 1 when the variable is
// initialised, and 0 while no thread initialises it. Otherwise it identifies
// the thread that does: by its number, and some bits of its launch's number.

#include "machine.h"

using u32 = unsigned;
using u64 = unsigned long;

extern "C" {
u32 __xcc_thread_idx_x();
u32 __xcc_thread_idx_y();
u32 __xcc_thread_idx_z();
u32 __xcc_block_idx_x();
u32 __xcc_block_idx_y();
u32 __xcc_block_idx_z();
u32 __xcc_block_dim_x();
u32 __xcc_block_dim_y();
u32 __xcc_block_dim_z();
u32 __xcc_grid_dim_x();
u32 __xcc_grid_dim_y();
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
}

namespace {
/// A number that no other running thread has. Its low byte is 0.
u64 ownNumber() {
  u64 block =
      __xcc_block_idx_x() +
      (u64)__xcc_grid_dim_x() *
          (__xcc_block_idx_y() + (u64)__xcc_grid_dim_y() * __xcc_block_idx_z());
  u32 thread =
      __xcc_thread_idx_x() +
      __xcc_block_dim_x() *
          (__xcc_thread_idx_y() + __xcc_block_dim_y() * __xcc_thread_idx_z());
  u64 number =
      block * __xcc_block_dim_x() * __xcc_block_dim_y() * __xcc_block_dim_z() +
      thread + 1;
  return xcc::machine::launchNumber() << 48 | (number & 0xffffffffffu) << 8;
}
} // namespace

extern "C" {
/// Returns 0 if the variable is initialised. Returns 1 if the caller has to
/// initialise it, and then release the guard. Returns 2 if another thread does:
/// try again.
int __xcc_guard_try(u64 *guard) {
  u64 seen =
      __scoped_atomic_load_n(guard, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  if (seen & 1)
    return 0;
  u64 mine = ownNumber();
  if (seen == 0 && __scoped_atomic_compare_exchange_n(
                       guard, &seen, mine, false, __ATOMIC_ACQUIRE,
                       __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
    return 1;
  if (seen == mine)
    __xcc_trap(0, "a static variable's initialiser uses the variable itself",
               nullptr, 0);
  xcc::machine::pause<2>();
  return 2;
}
void __cxa_guard_release(u64 *guard) {
  __scoped_atomic_store_n(guard, 1ul, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}
/// Called when an exception has left the initialiser: other threads may try.
void __cxa_guard_abort(u64 *guard) {
  __scoped_atomic_store_n(guard, 0ul, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}
}
