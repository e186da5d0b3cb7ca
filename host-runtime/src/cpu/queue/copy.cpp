// Copies and fills
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are kernels of our own, so they run in stream order, in parallel, and a
// bad address is reported like a kernel's.

#include "process/trace.h"
#include "queue.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace xcc::rt::cpu {

/// Bytes that one block of a copy or fill handles.
static constexpr size_t TransferBlock = 256 * 1024;

namespace {
struct CopyArgs {
  char *to;
  const char *from;
  size_t size;
};
struct FillArgs {
  char *to;
  size_t size;
  int byte;
};
} // namespace

static size_t partSize(size_t size, uint64_t first, uint64_t last) {
  return std::min<size_t>(size, last * TransferBlock) - first * TransferBlock;
}

static void copyBlocks(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  auto &a = *static_cast<const CopyArgs *>(g->kernarg);
  size_t offset = first * TransferBlock;
  // One block means the ranges may overlap.
  if (g->grid_dim[0] == 1)
    memmove(a.to, a.from, a.size);
  else
    memcpy(a.to + offset, a.from + offset, partSize(a.size, first, last));
}

static void fillBlocks(const xcc_cpu_group *g, uint64_t first, uint64_t last) {
  auto &a = *static_cast<const FillArgs *>(g->kernarg);
  memset(a.to + first * TransferBlock, a.byte, partSize(a.size, first, last));
}

static void freeBlock(const xcc_cpu_group *g, uint64_t, uint64_t) {
  free(*static_cast<void *const *>(g->kernarg));
}

namespace {
/// A kernel that is part of the runtime.
struct BuiltIn {
  xcc_cpu_kernel object;
  CpuKernel function;
  BuiltIn(xcc_cpu_block_fn entry, uint32_t kernarg, const char *name)
      : object{XCC_ABI_VERSION,
               0,
               reinterpret_cast<void (*)()>(entry),
               0,
               0,
               kernarg,
               0,
               0} {
    function.object = &object;
    function.kernargSize = kernarg;
    function.maxThreads = 1;
    function.traceName = name;
  }
};
} // namespace

xcc_status CpuQueue::transfer(CpuKernel &function, const void *kernarg,
                              size_t blocks) {
  if (!workers.start()) [[unlikely]]
    return failToStart();
  uint64_t index = reserve();
  memcpy(kernargOf(index), kernarg, function.kernargSize);
  extras[index % Size] = {
      &function, nullptr, 0, nullptr, trace::copiesBelongTo, threadNumber()};
  uint32_t grid[3] = {static_cast<uint32_t>(blocks), 1, 1};
  uint32_t block[3] = {1, 1, 1};
  aql::fillDispatch(packet(index).dispatch, grid, block, 0, 0,
                    reinterpret_cast<uintptr_t>(function.object),
                    kernargOf(index), 0);
  hand(index, aql::AQL_DISPATCH, 1);
  return XCC_SUCCESS;
}

xcc_status CpuQueue::copy(const Place &to, const Place &from, size_t bytes) {
  static BuiltIn copy(copyBlocks, sizeof(CopyArgs), "copy");
  CopyArgs a{static_cast<char *>(to.at), static_cast<char *>(from.at), bytes};
  auto t = reinterpret_cast<uintptr_t>(to.at),
       f = reinterpret_cast<uintptr_t>(from.at);
  bool overlap = t < f + bytes && f < t + bytes;
  size_t blocks = overlap ? 1 : (bytes + TransferBlock - 1) / TransferBlock;
  return transfer(copy.function, &a, blocks);
}

xcc_status CpuQueue::fill(const Place &to, int byte, size_t bytes) {
  static BuiltIn fill(fillBlocks, sizeof(FillArgs), "fill");
  FillArgs a{static_cast<char *>(to.at), bytes, byte};
  return transfer(fill.function, &a,
                  (bytes + TransferBlock - 1) / TransferBlock);
}

xcc_status CpuQueue::release(void *pointer) {
  static BuiltIn free(freeBlock, sizeof(pointer), "free");
  return transfer(free.function, &pointer, 1);
}

} // namespace xcc::rt::cpu
