// Which allocation and device an address belongs to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "allocations.h"
#include "process/log.h"

#include <atomic>
#include <cerrno>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace xcc::rt {

namespace {
struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Allocation> entries;
  std::atomic<uint64_t> freed{0}, changes{0};
};
} // namespace

/// Never freed: threads may free memory until the process ends.
static Table &table() {
  static Table &t = *new Table;
  return t;
}

static const char *kindName(MemoryKind kind) {
  return kind == MemoryKind::Host         ? "host memory"
         : kind == MemoryKind::Managed    ? "managed memory"
         : kind == MemoryKind::Registered ? "registered memory"
         : kind == MemoryKind::Variable   ? "a variable"
                                          : "memory";
}

bool rememberAllocation(void *pointer, const Allocation &a) {
  try {
    Table &t = table();
    std::lock_guard lock(t.mutex);
    t.entries[reinterpret_cast<uintptr_t>(pointer)] = a;
    t.changes.fetch_add(1, std::memory_order_release);
  } catch (const std::bad_alloc &) {
    return false;
  }
  XCC_LOG(Memory, "allocated %zu bytes at %p, %s of %s", a.size, pointer,
          kindName(a.kind), a.on->id());
  return true;
}

void visitAllocations(
    const std::function<void(uintptr_t, const Allocation &)> &visit) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  for (const auto &[begin, a] : t.entries)
    visit(begin, a);
}

bool takeAllocation(void *pointer, MemoryKind kind, Allocation &out) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.entries.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == t.entries.end() ||
      (found->second.kind == MemoryKind::Stream ? MemoryKind::Device
                                                : found->second.kind) != kind)
    return false;
  out = found->second;
  t.entries.erase(found);
  t.freed.fetch_add(1, std::memory_order_release);
  t.changes.fetch_add(1, std::memory_order_release);
  XCC_LOG(Memory, "freed %p, %s of %s", pointer, kindName(out.kind),
          out.on->id());
  return true;
}

xcc_status failToTake(const char *call, const char *gave, void *pointer) {
  const char *other = nullptr;
  {
    Table &t = table();
    std::lock_guard lock(t.mutex);
    auto found = t.entries.find(reinterpret_cast<uintptr_t>(pointer));
    if (found != t.entries.end())
      switch (found->second.kind) {
      case MemoryKind::Device:
      case MemoryKind::Stream:
        other = "xcc_memory_free";
        break;
      case MemoryKind::Host:
        other = "xcc_memory_free_host";
        break;
      case MemoryKind::Managed:
        other = "xcc_memory_free_managed";
        break;
      case MemoryKind::Registered:
        other = "xcc_memory_unregister";
        break;
      case MemoryKind::Variable:
        break;
      }
  }
  if (other)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s: %p does not come from %s; free it with %s", call, pointer,
                gave, other);
  return fail(XCC_ERROR_INVALID_VALUE,
              "%s: %p was not allocated with %s, or is already free", call,
              pointer, gave);
}

bool overlapsAllocation(const void *pointer, size_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(pointer);
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto after = t.entries.lower_bound(begin);
  if (after != t.entries.end() && after->first - begin < bytes)
    return true;
  if (after == t.entries.begin())
    return false;
  auto before = std::prev(after);
  return begin - before->first < before->second.size;
}

static bool isMapped(uintptr_t address) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  return mincore(reinterpret_cast<void *>(address & -page), 1, &resident) ==
             0 ||
         errno != ENOMEM;
}

void reportUnmappedRegistrations() {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  for (auto &[begin, a] : t.entries)
    if (a.kind == MemoryKind::Registered && !a.reportedUnmapped &&
        !(isMapped(begin) && isMapped(begin + a.size - 1))) {
      a.reportedUnmapped = true;
      complain(
          "%zu bytes from %p were registered with xcc_memory_register, and "
          "freed without xcc_memory_unregister",
          a.size, reinterpret_cast<void *>(begin));
    }
}

uint64_t allocatedInStreams(const Device &on) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  uint64_t bytes = 0;
  for (auto &[begin, a] : t.entries)
    if (a.on == &on && a.kind == MemoryKind::Stream)
      bytes += a.size;
  return bytes;
}

void forgetVariable(void *pointer) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  t.entries.erase(reinterpret_cast<uintptr_t>(pointer));
  t.freed.fetch_add(1, std::memory_order_release);
  t.changes.fetch_add(1, std::memory_order_release);
}

uint64_t freedAllocations() {
  return table().freed.load(std::memory_order_acquire);
}

uint64_t allocationChanges() {
  return table().changes.load(std::memory_order_acquire);
}

bool findEnclosing(uintptr_t address, const Device &by, uintptr_t &begin) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto after = t.entries.upper_bound(address);
  if (after == t.entries.begin())
    return false;
  auto here = std::prev(after);
  const Allocation &a = here->second;
  if (address - here->first >= a.size || !isVisible(a, by) ||
      (a.kind != MemoryKind::Device && a.kind != MemoryKind::Stream))
    return false;
  if (address == here->first && here != t.entries.begin())
    if (auto before = std::prev(here);
        address - before->first <= before->second.size)
      return false;
  begin = here->first;
  return true;
}

bool findAllocation(const void *address, FoundAllocation &out) {
  auto at = reinterpret_cast<uintptr_t>(address);
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto after = t.entries.upper_bound(at);
  if (after == t.entries.begin())
    return false;
  auto &[begin, a] = *std::prev(after);
  if (at - begin > a.size)
    return false;
  static_cast<Allocation &>(out) = a;
  out.begin = begin;
  return true;
}

bool isVisible(const Allocation &a, const Device &by) {
  // Devices of one kind see each other's memory.
  return a.on == &by || &a.on->kind() == &by.kind();
}

xcc_status locate(const void *pointer, size_t bytes, Place &out) {
  out = {.at = const_cast<void *>(pointer)};
  auto address = reinterpret_cast<uintptr_t>(pointer);
  if (bytes > UINTPTR_MAX - address)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%zu bytes from %p reach past the end of the address space",
                bytes, pointer);
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto after = t.entries.upper_bound(address);
  if (after == t.entries.begin())
    return XCC_SUCCESS; // not allocated here: any host memory may be copied
  auto &[begin, a] = *std::prev(after);
  if (address - begin >= a.size)
    return XCC_SUCCESS;
  if (bytes > a.size - (address - begin))
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, a.on->ordinal()},
                "%zu bytes from %p reach past the end of an allocation of %zu "
                "bytes at %#zx (%s of %s)",
                bytes, pointer, a.size, size_t(begin), kindName(a.kind),
                a.on->id());
  out.allocation = reinterpret_cast<void *>(begin);
  if (isLocked(a.kind) || a.kind == MemoryKind::Managed)
    out.pinnedBy = a.on;
  else if (!a.on->kind().host)
    out.owner = a.on;
  return XCC_SUCCESS;
}

} // namespace xcc::rt
