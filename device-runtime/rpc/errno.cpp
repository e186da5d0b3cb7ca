// errno
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a GPU have no memory of their own that would outlive a function.
// Each has a place by its number in the grid; that of two threads is the same
// one only if at least as many lie between them as there are places, which is
// more than a GPU runs at a time, or if they are of launches that run at the
// same time. Entries put a 0 there first (backend/gpu/memory/Errno.cpp).

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
  // The lowest bits of the number are all that is wanted: it may wrap.
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
