// Whose memory an address is
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "allocations.h"
#include "process/log.h"

#include <iterator>
#include <map>
#include <mutex>
#include <new>

namespace xcc::rt {

namespace {
struct Table {
  std::mutex Mutex;
  std::map<uintptr_t, Allocation> Entries;
};
} // namespace

/// Never freed: threads may free memory until the process ends.
static Table &table() {
  static Table &T = *new Table;
  return T;
}

static const char *kindName(MemoryKind Kind) {
  return Kind == MemoryKind::Host ? "host memory" : "memory";
}

bool rememberAllocation(void *Pointer, const Allocation &A) {
  try {
    Table &T = table();
    std::lock_guard Lock(T.Mutex);
    T.Entries[reinterpret_cast<uintptr_t>(Pointer)] = A;
  } catch (const std::bad_alloc &) {
    return false;
  }
  XCC_LOG(Memory, "allocated %zu bytes at %p, %s of %s", A.Size, Pointer,
          kindName(A.Kind), A.On->id());
  return true;
}

bool takeAllocation(void *Pointer, bool Host, Allocation &Out) {
  Table &T = table();
  std::lock_guard Lock(T.Mutex);
  auto Found = T.Entries.find(reinterpret_cast<uintptr_t>(Pointer));
  if (Found == T.Entries.end() ||
      (Found->second.Kind == MemoryKind::Host) != Host)
    return false;
  Out = Found->second;
  T.Entries.erase(Found);
  XCC_LOG(Memory, "freed %p, %s of %s", Pointer, kindName(Out.Kind),
          Out.On->id());
  return true;
}

xcc_status checkRange(const void *Pointer, size_t Bytes, Device *&Owner) {
  Owner = nullptr;
  auto Address = reinterpret_cast<uintptr_t>(Pointer);
  if (Bytes > UINTPTR_MAX - Address)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%zu bytes from %p reach past the end of the address space",
                Bytes, Pointer);
  Table &T = table();
  std::lock_guard Lock(T.Mutex);
  auto After = T.Entries.upper_bound(Address);
  if (After == T.Entries.begin())
    return XCC_SUCCESS; // not ours: any host memory may be copied
  auto &[Begin, A] = *std::prev(After);
  if (Address - Begin >= A.Size)
    return XCC_SUCCESS;
  if (Bytes > A.Size - (Address - Begin))
    return fail(XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, A.On->ordinal()},
                "%zu bytes from %p reach past the end of an allocation of %zu "
                "bytes at %#zx (%s of %s)",
                Bytes, Pointer, A.Size, size_t(Begin), kindName(A.Kind),
                A.On->id());
  if (A.Kind != MemoryKind::Host && !A.On->kind().Host)
    Owner = A.On;
  return XCC_SUCCESS;
}

} // namespace xcc::rt
