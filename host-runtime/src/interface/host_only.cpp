// Device functions called on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is an ordinary function, so the host's object holds a copy that host
// code can call. There it has no thread and no block. So the device intrinsics
// end the program with a message.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {
[[noreturn]] void calledOnHost(const char *name) {
  std::fprintf(stderr,
               "xcc: error: xcc::%s was called on the host, and works in "
               "kernels only: start the kernel with xcc::launch\n",
               name);
  std::abort();
}
} // namespace

#define HOST_ONLY(result, symbol, params, name)                                \
  extern "C" __attribute__((visibility("default"))) result symbol params {     \
    calledOnHost(name);                                                        \
  }

HOST_ONLY(unsigned, __xcc_thread_idx_x, (), "thread_idx")
HOST_ONLY(unsigned, __xcc_thread_idx_y, (), "thread_idx")
HOST_ONLY(unsigned, __xcc_thread_idx_z, (), "thread_idx")
HOST_ONLY(unsigned, __xcc_block_idx_x, (), "block_idx")
HOST_ONLY(unsigned, __xcc_block_idx_y, (), "block_idx")
HOST_ONLY(unsigned, __xcc_block_idx_z, (), "block_idx")
HOST_ONLY(unsigned, __xcc_block_dim_x, (), "block_dim")
HOST_ONLY(unsigned, __xcc_block_dim_y, (), "block_dim")
HOST_ONLY(unsigned, __xcc_block_dim_z, (), "block_dim")
HOST_ONLY(unsigned, __xcc_grid_dim_x, (), "grid_dim")
HOST_ONLY(unsigned, __xcc_grid_dim_y, (), "grid_dim")
HOST_ONLY(unsigned, __xcc_grid_dim_z, (), "grid_dim")
HOST_ONLY(unsigned, __xcc_lane_id, (), "lane_id")
HOST_ONLY(unsigned, __xcc_warp_size, (), "warp_size")
HOST_ONLY(void *, __xcc_dynamic_shared, (), "dynamic_shared")
HOST_ONLY(unsigned, __xcc_dynamic_shared_size, (), "dynamic_shared_bytes")
HOST_ONLY(uint64_t, __xcc_clock, (), "clock64")
HOST_ONLY(void, __xcc_block_barrier, (), "sync_block")
HOST_ONLY(void, __xcc_grid_wait, (), "sync_grid")
HOST_ONLY(void, __xcc_sync_warp, (), "sync_warp")
HOST_ONLY(uint32_t, __xcc_shuffle_32, (uint32_t, unsigned), "shuffle")
HOST_ONLY(uint64_t, __xcc_shuffle_64, (uint64_t, unsigned), "shuffle")
HOST_ONLY(uint64_t, __xcc_ballot, (bool), "ballot")
HOST_ONLY(uint64_t, __xcc_match_any_32, (uint32_t), "match_any")
HOST_ONLY(uint64_t, __xcc_match_any_64, (uint64_t), "match_any")
HOST_ONLY(uint32_t, __xcc_publish_32, (uint32_t), "warp_reduce")
HOST_ONLY(uint32_t, __xcc_publish_64, (uint64_t), "warp_reduce")
HOST_ONLY(const uint32_t *, __xcc_published_32, (), "warp_reduce")
HOST_ONLY(const uint64_t *, __xcc_published_64, (), "warp_reduce")
