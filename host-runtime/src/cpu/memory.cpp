// The CPU device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"
#include "device.h"
#include "pool.h"
#include "process/unseen.h"

#include <cstdlib>
#include <sys/mman.h>
#include <sys/sysinfo.h>

namespace xcc::rt::cpu {

/// From this size on an allocation is worth huge pages.
static constexpr size_t HugePage = size_t(2) << 20;

xcc_status allocate(size_t bytes, void **out) {
  *out = nullptr;
  size_t alignment = bytes >= 2 * HugePage ? HugePage : 64;
  void *p = nullptr;
  // The system may promise more than there is and kill whoever uses it.
  struct sysinfo system;
  bool possible = bytes <= PTRDIFF_MAX;
  if (possible && bytes > HugePage && sysinfo(&system) == 0)
    possible = bytes / system.mem_unit <= system.totalram + system.totalswap;
  Seen here;
  const auto get = [&] { return posix_memalign(&p, alignment, bytes) == 0; };
  if (possible && !get()) {
    pool().trim(0);
    possible = get();
  }
  if (!possible)
    return fail(XCC_ERROR_OUT_OF_MEMORY,
                ErrorSite{nullptr, nullptr, 0, ordinal()},
                "out of memory: cannot allocate %zu bytes on device %d (host)",
                bytes, ordinal());
  if (alignment == HugePage)
    madvise(p, bytes, MADV_HUGEPAGE); // only advice
  *out = p;
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cpu
