// Copies and fills
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are kernels of our own, so they run in stream order, in parallel, and a
// bad address is reported like a kernel's.

#include "queue.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace xcc::rt::cpu {

/// Bytes that one block of a copy or fill handles.
static constexpr size_t TransferBlock = 256 * 1024;

namespace {
struct CopyArgs {
  char *To;
  const char *From;
  size_t Size;
};
struct FillArgs {
  char *To;
  size_t Size;
  int Byte;
};
} // namespace

static size_t partSize(size_t Size, uint64_t First, uint64_t Last) {
  return std::min<size_t>(Size, Last * TransferBlock) - First * TransferBlock;
}

static void copyBlocks(const xcc_cpu_group *G, uint64_t First, uint64_t Last) {
  auto &A = *static_cast<const CopyArgs *>(G->kernarg);
  size_t Offset = First * TransferBlock;
  // One block means the ranges may overlap.
  if (G->grid_dim[0] == 1)
    memmove(A.To, A.From, A.Size);
  else
    memcpy(A.To + Offset, A.From + Offset, partSize(A.Size, First, Last));
}

static void fillBlocks(const xcc_cpu_group *G, uint64_t First, uint64_t Last) {
  auto &A = *static_cast<const FillArgs *>(G->kernarg);
  memset(A.To + First * TransferBlock, A.Byte, partSize(A.Size, First, Last));
}

static void freeBlock(const xcc_cpu_group *G, uint64_t, uint64_t) {
  free(*static_cast<void *const *>(G->kernarg));
}

namespace {
/// A kernel that is part of the runtime.
struct BuiltIn {
  xcc_cpu_kernel Object;
  CpuKernel Function;
  BuiltIn(xcc_cpu_block_fn Entry, uint32_t Kernarg, const char *Name)
      : Object{XCC_ABI_VERSION,
               0,
               reinterpret_cast<void (*)()>(Entry),
               0,
               0,
               Kernarg,
               0,
               0} {
    Function.Object = &Object;
    Function.KernargSize = Kernarg;
    Function.MaxThreads = 1;
    Function.TraceName = Name;
  }
};
} // namespace

xcc_status CpuQueue::transfer(CpuKernel &Function, const void *Kernarg,
                              size_t Blocks) {
  if (!Workers.start()) [[unlikely]]
    return failToStart();
  uint64_t Index = reserve();
  memcpy(kernargOf(Index), Kernarg, Function.KernargSize);
  Extras[Index % Size] = {&Function, nullptr, 0, nullptr, 0, threadNumber()};
  uint32_t Grid[3] = {static_cast<uint32_t>(Blocks), 1, 1};
  uint32_t Block[3] = {1, 1, 1};
  aql::fillDispatch(packet(Index).Dispatch, Grid, Block, 0, 0,
                    reinterpret_cast<uintptr_t>(Function.Object),
                    kernargOf(Index), 0);
  hand(Index, aql::AQL_DISPATCH, 1);
  return XCC_SUCCESS;
}

xcc_status CpuQueue::copy(void *To, const void *From, size_t Bytes) {
  static BuiltIn Copy(copyBlocks, sizeof(CopyArgs), "copy");
  CopyArgs A{static_cast<char *>(To), static_cast<const char *>(From), Bytes};
  auto T = reinterpret_cast<uintptr_t>(To),
       F = reinterpret_cast<uintptr_t>(From);
  bool Overlap = T < F + Bytes && F < T + Bytes;
  size_t Blocks = Overlap ? 1 : (Bytes + TransferBlock - 1) / TransferBlock;
  return transfer(Copy.Function, &A, Blocks);
}

xcc_status CpuQueue::fill(void *To, int Byte, size_t Bytes) {
  static BuiltIn Fill(fillBlocks, sizeof(FillArgs), "fill");
  FillArgs A{static_cast<char *>(To), Bytes, Byte};
  return transfer(Fill.Function, &A,
                  (Bytes + TransferBlock - 1) / TransferBlock);
}

xcc_status CpuQueue::release(void *Pointer) {
  static BuiltIn Free(freeBlock, sizeof(Pointer), "free");
  return transfer(Free.Function, &Pointer, 1);
}

} // namespace xcc::rt::cpu
