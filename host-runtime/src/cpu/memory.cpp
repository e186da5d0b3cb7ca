// The CPU device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"
#include "cpu_device.h"

#include <cstdlib>
#include <sys/mman.h>
#include <sys/sysinfo.h>

namespace xcc::rt::cpu {

/// From this size on an allocation is worth huge pages.
static constexpr size_t HugePage = size_t(2) << 20;

xcc_status allocate(size_t Bytes, void **Out) {
  *Out = nullptr;
  size_t Alignment = Bytes >= 2 * HugePage ? HugePage : 64;
  void *P = nullptr;
  // The system may promise more than there is and kill whoever uses it.
  struct sysinfo System;
  bool Possible = Bytes <= PTRDIFF_MAX;
  if (Possible && Bytes > HugePage && sysinfo(&System) == 0)
    Possible = Bytes / System.mem_unit <= System.totalram + System.totalswap;
  if (!Possible || posix_memalign(&P, Alignment, Bytes) != 0)
    return fail(XCC_ERROR_OUT_OF_MEMORY,
                ErrorSite{nullptr, nullptr, 0, ordinal()},
                "out of memory: cannot allocate %zu bytes on device %d (host)",
                Bytes, ordinal());
  if (Alignment == HugePage)
    madvise(P, Bytes, MADV_HUGEPAGE); // only advice
  *Out = P;
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cpu
