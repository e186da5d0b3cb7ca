// The CPU device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"
#include "device.h"
#include "pool.h"
#include "process/ignored_by_tsan.h"
#include "records/launch_recorder.h"
#include "workers/sanitizer.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <sys/sysinfo.h>

namespace xcc::rt::cpu {

/// From this size on an allocation is worth huge pages.
static constexpr size_t HugePage = size_t(2) << 20;

//===----------------------------------------------------------------------===//
// Memory at certain addresses
//===----------------------------------------------------------------------===//

/// Addresses for memory of recorded launches. Neither the system nor
/// AddressSanitizer uses them.
static constexpr uintptr_t Apart = uintptr_t(1) << 45,
                           ApartEnd = Apart + (uintptr_t(1) << 43);
static constexpr uintptr_t Page = 4096;

static uintptr_t pagesOf(size_t bytes) { return (bytes + Page - 1) & -Page; }

static bool mapAt(uintptr_t address, size_t bytes) {
  auto *at = reinterpret_cast<void *>(address);
  void *got = mmap(at, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != MAP_FAILED && got != at) // Linux does not know the flag
    munmap(got, bytes);
  return got == at;
}

namespace {
struct Sizes {
  std::mutex mutex;
  std::map<void *, size_t> of;
};
} // namespace

/// The sizes of separate memory. Never freed: threads may free memory until the
/// process ends.
static Sizes &sizes() {
  static Sizes &s = *new Sizes;
  return s;
}

/// Allocates pages between Apart and ApartEnd, followed by an unmapped page.
static xcc_status allocateApart(size_t bytes, void **out) {
  static std::atomic<uintptr_t> next{Apart};
  const bool possible = bytes < ApartEnd - Apart;
  const uintptr_t size = possible ? pagesOf(std::max<size_t>(bytes, 1)) : 0,
                  at = possible ? next.fetch_add(size + Page) : 0;
  if (!possible || at + size > ApartEnd || !mapAt(at, size))
    return fail(XCC_ERROR_OUT_OF_MEMORY,
                ErrorSite{nullptr, nullptr, 0, ordinal()},
                "out of memory: cannot allocate %zu bytes on device %d (host) "
                "for XCC_RECORD",
                bytes, ordinal());
  *out = reinterpret_cast<void *>(at);
  std::lock_guard lock(sizes().mutex);
  sizes().of[*out] = size;
  return XCC_SUCCESS;
}

void free(void *memory) {
  const auto at = reinterpret_cast<uintptr_t>(memory);
  if (at < Apart || at >= ApartEnd)
    return ::free(memory);
  std::lock_guard lock(sizes().mutex);
  if (auto known = sizes().of.extract(memory))
    munmap(memory, known.mapped());
}

/// The last pages of the ranges that earlier calls placed.
static std::set<uintptr_t> &placedPages() {
  static auto &pages = *new std::set<uintptr_t>;
  return pages;
}

xcc_status allocateAt(uintptr_t address, size_t bytes) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  std::set<uintptr_t> &mine = placedPages();
  uintptr_t begin = address & -Page;
  const uintptr_t end = begin + pagesOf(address - begin + bytes);
  while (begin != end && mine.count(begin))
    begin += Page;
  if (begin == end || mapAt(begin, end - begin)) {
    // Ranges come in order, so only the last page can be shared with the next.
    mine.insert(end - Page);
    return XCC_SUCCESS;
  }
  return fail(XCC_ERROR_OUT_OF_MEMORY,
              ErrorSite{nullptr, nullptr, 0, ordinal()},
              "the %zu bytes at %#zx cannot be placed: the process has other "
              "memory there",
              bytes, size_t(address));
}

//===----------------------------------------------------------------------===//
// Memory anywhere
//===----------------------------------------------------------------------===//

xcc_status allocate(size_t bytes, void **out) {
  *out = nullptr;
  if (records::asked() && !sanitizer::thread()) [[unlikely]]
    return allocateApart(bytes, out);
  // CUDA's programs rely on 256 bytes.
  size_t alignment = bytes >= 2 * HugePage ? HugePage : 256;
  void *p = nullptr;
  // The system may promise more memory than it has, and then kill the process.
  struct sysinfo system;
  bool possible = bytes <= PTRDIFF_MAX;
  if (possible && bytes > HugePage && sysinfo(&system) == 0)
    possible = bytes / system.mem_unit <= system.totalram + system.totalswap;
  SeenByTsan here;
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
    madvise(p, bytes, MADV_HUGEPAGE); // a failure does no harm
  *out = p;
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cpu
