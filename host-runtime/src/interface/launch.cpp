// Launching kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../context.h"
#include "../images/registry.h"
#include "../process/log.h"
#include "../process/trace.h"

#include <atomic>

using namespace xcc::rt;

/// Is this a descriptor the compiler wrote, for this runtime?
static xcc_status checkDescriptor(const xcc_kernel_info *Info) {
  if (!Info)
    return fail(XCC_ERROR_INVALID_KERNEL, "the kernel descriptor is null");
  if (Info->magic != XCC_KERNEL_MAGIC)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "the kernel descriptor was not made by xcc; take it from "
                "kernel_info_for");
  if (Info->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "the kernel descriptor is for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                Info->abi_version, XCC_ABI_VERSION);
  return XCC_SUCCESS;
}

/// The slot holds the kernel from the second launch on.
static inline xcc_status findKernel(const xcc_kernel_info &Info, Device &On,
                                    const Kernel *&Out) {
  if (Info.slots && On.ordinal() < int(XCC_KERNEL_SLOTS)) [[likely]] {
    void *Slot = std::atomic_ref(Info.slots[On.ordinal()])
                     .load(std::memory_order_acquire);
    if (Slot) [[likely]] {
      Out = static_cast<const Kernel *>(Slot);
      return XCC_SUCCESS;
    }
  }
  return loadKernel(Info, On, &Out);
}

/// Grid and block against the device's limits. Only a failing launch looks at
/// which limit it was.
static inline bool fits(const xcc_launch_config &C, const Kernel &K,
                        const Limits &L) {
  bool Fits = true;
  for (int I = 0; I != 3; ++I) {
    // A product of 0 wraps and is refused.
    Fits &= uint64_t(C.grid[I]) * C.block[I] - 1 < L.GridThreads;
    Fits &= C.grid[I] <= L.GridBlocks[I];
    Fits &= C.block[I] <= L.BlockDim[I];
  }
  // No overflow: each factor is within BlockDim, or Fits is false.
  const uint64_t Threads = uint64_t(C.block[0]) * C.block[1] * C.block[2];
  // Block functions count a grid's blocks with 64 bits in all.
  uint64_t Blocks;
  Fits &= !__builtin_mul_overflow(uint64_t(C.grid[0]) * C.grid[1],
                                  uint64_t(C.grid[2]), &Blocks);
  return Fits && Threads <= K.MaxThreads &&
         C.shared_bytes <= L.Shared - K.GroupSize;
}

[[gnu::cold]] static xcc_status explain(const xcc_launch_config &C,
                                        const Kernel &K, const Limits &P,
                                        const ErrorSite &Site) {
  const char *Name = Site.Kernel;
  static const char Axis[] = "xyz";
  for (int I = 0; I != 3; ++I) {
    if (C.grid[I] == 0)
      return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                  "launch of '%s': grid.%c is 0; every dimension of the grid "
                  "must be at least 1",
                  Name, Axis[I]);
    // What xcc::dim3 makes of an integer that does not fit.
    if (C.grid[I] == 0xffffffff || C.block[I] == 0xffffffff)
      return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                  "launch of '%s': %s.%c is negative or too large", Name,
                  C.grid[I] == 0xffffffff ? "grid" : "block", Axis[I]);
    if (C.block[I] == 0)
      return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                  "launch of '%s': block.%c is 0; every dimension of the block "
                  "must be at least 1",
                  Name, Axis[I]);
    if (C.block[I] > P.BlockDim[I])
      return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                  "launch of '%s': block.%c is %u, the device allows %u", Name,
                  Axis[I], C.block[I], P.BlockDim[I]);
  }
  uint64_t Threads = uint64_t(C.block[0]) * C.block[1] * C.block[2];
  if (Threads > P.MaxBlock)
    return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                "launch of '%s': a block of %u x %u x %u is %llu threads, the "
                "device allows %u",
                Name, C.block[0], C.block[1], C.block[2],
                static_cast<unsigned long long>(Threads), P.MaxBlock);
  if (Threads > K.MaxThreads)
    return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                "launch of '%s': a block of %llu threads, the kernel was "
                "compiled for at most %u",
                Name, static_cast<unsigned long long>(Threads), K.MaxThreads);
  for (int I = 0; I != 3; ++I) {
    if (uint64_t(C.grid[I]) * C.block[I] > P.GridThreads)
      return fail(
          XCC_ERROR_INVALID_LAUNCH, Site,
          "launch of '%s': grid.%c x block.%c is %llu threads, the "
          "device allows %llu in one dimension",
          Name, Axis[I], Axis[I],
          static_cast<unsigned long long>(uint64_t(C.grid[I]) * C.block[I]),
          static_cast<unsigned long long>(P.GridThreads));
    if (C.grid[I] > P.GridBlocks[I])
      return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                  "launch of '%s': grid.%c is %u blocks, the device allows "
                  "%llu; use larger blocks or another dimension",
                  Name, Axis[I], C.grid[I],
                  static_cast<unsigned long long>(P.GridBlocks[I]));
  }
  if (C.shared_bytes > P.Shared - K.GroupSize)
    return fail(XCC_ERROR_INVALID_LAUNCH, Site,
                "launch of '%s': %llu bytes of dynamic shared memory and %u "
                "static exceed the device's %llu",
                Name, static_cast<unsigned long long>(C.shared_bytes),
                K.GroupSize, static_cast<unsigned long long>(P.Shared));
  return fail(XCC_ERROR_INVALID_LAUNCH, Site,
              "launch of '%s': a grid of %u x %u x %u blocks is too large",
              Name, C.grid[0], C.grid[1], C.grid[2]);
}

xcc_status xcc_launch(const xcc_kernel_info *Info,
                      const xcc_launch_config *Config, const void *Kernarg,
                      size_t Size) {
  if (!Info || Info->magic != XCC_KERNEL_MAGIC ||
      Info->abi_version != XCC_ABI_VERSION) [[unlikely]]
    return checkDescriptor(Info);
  if (!Config) [[unlikely]]
    return fail(XCC_ERROR_INVALID_VALUE, "launch of '%s': config is null",
                Info->name);
  Device *On;
  Queue *Q;
  XCC_TRY(queueOf(Config->stream, On, Q));
  const Kernel *K;
  XCC_TRY(findKernel(*Info, *On, K));
  if (Size != K->KernargSize || (!Kernarg && Size)) [[unlikely]] {
    ErrorSite Site{Info->name, Config->file, Config->line, On->ordinal()};
    if (!Kernarg && Size == K->KernargSize)
      return fail(XCC_ERROR_INVALID_VALUE, Site,
                  "launch of '%s': kernarg is null, the kernel takes %u bytes",
                  Info->name, K->KernargSize);
    return fail(XCC_ERROR_INVALID_VALUE, Site,
                "launch of '%s': %zu bytes of arguments, the kernel takes %u",
                Info->name, Size, K->KernargSize);
  }
  if (!fits(*Config, *K, On->limits())) [[unlikely]]
    return explain(*Config, *K, On->limits(),
                   {Info->name, Config->file, Config->line, On->ordinal()});
  XCC_LOG(Launch, "%s<<<(%u, %u, %u), (%u, %u, %u), %llu>>> %s:%u", Info->name,
          Config->grid[0], Config->grid[1], Config->grid[2], Config->block[0],
          Config->block[1], Config->block[2],
          static_cast<unsigned long long>(Config->shared_bytes),
          Config->file ? Config->file : "", Config->line);
  return Q->launch({K, Config->grid, Config->block,
                    static_cast<uint32_t>(Config->shared_bytes), Kernarg,
                    Config->file, Config->line});
}

xcc_status xcc_kernel_prepare(const xcc_kernel_info *Info,
                              xcc_kernel_properties *Properties) {
  XCC_TRY(checkDescriptor(Info));
  Device *On;
  XCC_TRY(currentDevice(On));
  const Kernel *K;
  XCC_TRY(findKernel(*Info, *On, K));
  if (Properties)
    *Properties = {K->GroupSize, K->PrivateSize, K->MaxThreads, 0};
  return XCC_SUCCESS;
}

xcc_status xcc_kernel_suggest_block(const xcc_kernel_info *Info,
                                    uint64_t SharedBytes, uint32_t *Block) {
  XCC_TRY(checkDescriptor(Info));
  if (!Block)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_kernel_suggest_block: block is null");
  Device *On;
  XCC_TRY(currentDevice(On));
  const Kernel *K;
  XCC_TRY(findKernel(*Info, *On, K));
  if (SharedBytes > On->limits().Shared - K->GroupSize)
    return fail(
        XCC_ERROR_INVALID_LAUNCH, {Info->name, nullptr, 0, On->ordinal()},
        "kernel '%s': %llu bytes of dynamic shared memory and %u "
        "static exceed the device's %llu",
        Info->name, static_cast<unsigned long long>(SharedBytes), K->GroupSize,
        static_cast<unsigned long long>(On->limits().Shared));
  // parallel_for asks before every launch.
  if (SharedBytes == 0) [[likely]] {
    *Block = K->Suggested.load(std::memory_order_relaxed);
    if (*Block) [[likely]]
      return XCC_SUCCESS;
  }
  XCC_TRY(On->suggestBlock(*K, uint32_t(SharedBytes), *Block));
  if (SharedBytes == 0)
    K->Suggested.store(*Block, std::memory_order_relaxed);
  return XCC_SUCCESS;
}
