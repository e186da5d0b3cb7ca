// errno
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU thread has no private memory that outlives a function, so each thread
// uses the place of its number in the grid. Two threads share a place if their
// launches run at the same time, or if their numbers differ by a multiple of
// Places, which is more threads than a GPU runs at a time. Kernel entries set
// the place to 0 first (backend/gpu/memory/Errno.cpp).

extern "C" {
unsigned __xcc_thread_idx_x() noexcept;
unsigned __xcc_thread_idx_y() noexcept;
unsigned __xcc_thread_idx_z() noexcept;
unsigned __xcc_block_idx_x() noexcept;
unsigned __xcc_block_idx_y() noexcept;
unsigned __xcc_block_idx_z() noexcept;
unsigned __xcc_block_dim_x() noexcept;
unsigned __xcc_block_dim_y() noexcept;
unsigned __xcc_block_dim_z() noexcept;
unsigned __xcc_grid_dim_x() noexcept;
unsigned __xcc_grid_dim_y() noexcept;
}

namespace {
constexpr unsigned Places = 1u << 19;
int places[Places];
} // namespace

extern "C" [[gnu::weak]] int *__errno_location() noexcept {
  // Only the lowest bits of the number matter, so it may wrap.
  const unsigned block =
      __xcc_block_idx_x() +
      __xcc_grid_dim_x() *
          (__xcc_block_idx_y() + __xcc_grid_dim_y() * __xcc_block_idx_z());
  const unsigned thread =
      __xcc_thread_idx_x() +
      __xcc_block_dim_x() *
          (__xcc_thread_idx_y() + __xcc_block_dim_y() * __xcc_thread_idx_z());
  const unsigned threads =
      __xcc_block_dim_x() * __xcc_block_dim_y() * __xcc_block_dim_z();
  return &places[(block * threads + thread) % Places];
}
