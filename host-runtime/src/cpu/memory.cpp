//===-- cpu/memory.cpp - The CPU device's allocations ---------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory.h"
#include "../log.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <sys/sysinfo.h>

namespace xcc::rt::cpu {

/// From this size on an allocation is worth huge pages.
static constexpr size_t HugePage = size_t(2) << 20;

xcc_status Memory::allocate(size_t Bytes, void **Out) {
  *Out = nullptr;
  size_t Alignment = Bytes >= 2 * HugePage ? HugePage : 64;
  void *P = nullptr;
  // The system may promise more than there is and kill whoever uses it.
  struct sysinfo System;
  bool Possible = Bytes <= PTRDIFF_MAX;
  if (Possible && Bytes > HugePage && sysinfo(&System) == 0)
    Possible = Bytes / System.mem_unit <= System.totalram + System.totalswap;
  if (!Possible || posix_memalign(&P, Alignment, Bytes) != 0)
    return fail(XCC_ERROR_OUT_OF_MEMORY, ErrorSite{nullptr, nullptr, 0, 0},
                "out of memory: cannot allocate %zu bytes on device 0 (host)",
                Bytes);
  if (Alignment == HugePage)
    madvise(P, Bytes, MADV_HUGEPAGE); // only advice
  try {
    std::lock_guard Lock(Mutex);
    Sizes[reinterpret_cast<uintptr_t>(P)] = Bytes;
  } catch (const std::bad_alloc &) {
    free(P);
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory");
  }
  XCC_LOG(Memory, "allocated %zu bytes at %p", Bytes, P);
  *Out = P;
  return XCC_SUCCESS;
}

xcc_status Memory::take(void *Pointer) {
  std::lock_guard Lock(Mutex);
  if (Sizes.erase(reinterpret_cast<uintptr_t>(Pointer)) == 0)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_free: %p was not allocated with xcc_alloc, or is already "
                "free",
                Pointer);
  XCC_LOG(Memory, "freed %p", Pointer);
  return XCC_SUCCESS;
}

xcc_status Memory::checkRange(const void *Pointer, size_t Bytes) {
  auto Address = reinterpret_cast<uintptr_t>(Pointer);
  if (Bytes > UINTPTR_MAX - Address)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%zu bytes from %p reach past the end of the address space",
                Bytes, Pointer);
  std::lock_guard Lock(Mutex);
  auto After = Sizes.upper_bound(Address);
  if (After == Sizes.begin())
    return XCC_SUCCESS; // not ours: any host memory may be copied
  auto [Begin, Size] = *std::prev(After);
  if (Address - Begin >= Size || Bytes <= Size - (Address - Begin))
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE,
              "%zu bytes from %p reach past the end of an allocation of %zu "
              "bytes at %#zx",
              Bytes, Pointer, Size, size_t(Begin));
}

} // namespace xcc::rt::cpu
