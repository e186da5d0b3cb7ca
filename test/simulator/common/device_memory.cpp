// Device memory of the simulators: out of the host's reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reservation of addresses has two halves of the same size. Addresses that
// programs get are in the first, on which nobody has any rights: host code that
// reads or writes there gets SIGSEGV, as it would with memory of a real device.
// The memory itself is at the same place of the second half, so that drivers and
// devices translate an address by one addition. A process that was forked has a
// copy of its own. With XCC_SIM_CHECK=init there is a third part of the same size,
// for definedness.h.

#include "device_memory.h"
#include "checks.h"
#include "devices/simulator_interface.h"
#include "findings.h"
#include "host_access.h"
#include "test/mock/device_memory.h"

#include <atomic>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace simulator {

namespace {

/// Memory is used as it is touched.
constexpr uint64_t Half = ReservedBytes;
/// Allocations lie at least so far apart: what runs over the end of one does not
/// get into the next.
constexpr uint64_t Between = 256;
/// What was freed last is not given out again, so that who still uses it is found.
constexpr size_t MostHeld = 256;
constexpr uint64_t MostHeldBytes = uint64_t(16) << 20;
/// From this size on, what is freed goes back to the system.
constexpr uint64_t Large = 128 * 1024;

class Arena {
public:
  Arena();
  uint64_t allocate(uint64_t bytes, uint64_t align);
  void free(uint64_t address);
  bool find(uint64_t address, Allocation &out);

private:
  uint64_t place(uint64_t bytes, uint64_t align);
  uint64_t placeAt(uint64_t at, uint64_t bytes);
  void releaseOldest();
  void release(uint64_t begin, uint64_t end);
  /// A lock that a signal handler can try. Held for a few instructions only.
  std::mutex mutex;
  std::map<uint64_t, uint64_t> used;   ///< bytes that were asked for
  std::map<uint64_t, uint64_t> unused; ///< ends, of what has a beginning
  std::deque<std::pair<uint64_t, uint64_t>> held; ///< freed: beginnings, bytes
  uint64_t heldBytes = 0;
};

/// Where the next allocation is to begin; 0: anywhere.
std::atomic<uint64_t> nextAddress{0};

/// Where the first half begins; no address is there before it is reserved.
std::atomic<uint64_t> first{~uint64_t(0) - Half};

/// Where nothing else is mapped, so that a launch which was recorded in one process
/// finds its addresses free in another. Each simulator has a place of its own.
uint64_t usualBegin() {
  return *SimulatorName == 'a' ? 0x400000000000 : 0x300000000000;
}

Arena::Arena() {
  // An access may begin in front of the end.
  const uint64_t whole = checksInit() ? 3 * Half + 4096 : 2 * Half;
  constexpr uint64_t step = 1 << 21;
  const uint64_t next = nextAddress.load();
  void *wanted = reinterpret_cast<void *>(next ? next & -step : usualBegin());
  auto *at = static_cast<char *>(
      mmap(wanted, whole, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (at == MAP_FAILED ||
      mprotect(at + Half, whole - Half, PROT_READ | PROT_WRITE) != 0) {
    fprintf(stderr,
            "simulator: there are not %llu bytes of addresses for "
            "device memory (a limit on virtual memory?)\n",
            (unsigned long long)whole);
    _exit(2);
  }
  // A dump of the program's memory is not to hold all of it.
  madvise(at, whole, MADV_DONTDUMP);
  const auto begin = reinterpret_cast<uint64_t>(at);
  unused[begin] = begin + Half;
  first.store(begin, std::memory_order_release);
  reportHostAccess();
}

uint64_t Arena::allocate(uint64_t bytes, uint64_t align) {
  if (align < Between)
    align = Between;
  std::lock_guard lock(mutex);
  if (const uint64_t there = nextAddress.load())
    return placeAt(there, bytes);
  uint64_t at = place(bytes, align);
  while (!at && !held.empty()) {
    releaseOldest();
    at = place(bytes, align);
  }
  return at;
}

/// 0 if no room is left.
uint64_t Arena::place(uint64_t bytes, uint64_t align) {
  for (auto &[begin, end] : unused) {
    const uint64_t at = (begin + align - 1) & ~(align - 1);
    if (at >= end || bytes + Between > end - at)
      continue;
    const uint64_t from = begin, until = end, stop = at + bytes + Between;
    unused.erase(from);
    if (from != at)
      unused[from] = at;
    if (stop != until)
      unused[stop] = until;
    used[at] = bytes;
    return at;
  }
  return 0;
}

/// What is free behind it stays free for what is to begin there.
uint64_t Arena::placeAt(uint64_t at, uint64_t bytes) {
  auto after = unused.upper_bound(at);
  if (after == unused.begin())
    return 0;
  const auto [from, until] = *std::prev(after);
  if (at >= until || bytes > until - at)
    return 0;
  unused.erase(from);
  if (from != at)
    unused[from] = at;
  if (at + bytes != until)
    unused[at + bytes] = until;
  used[at] = bytes;
  return at;
}

void Arena::free(uint64_t address) {
  std::lock_guard lock(mutex);
  auto found = used.find(address);
  if (found == used.end())
    return;
  const uint64_t bytes = found->second;
  used.erase(found);
  if (bytes >= Large) {
    constexpr uint64_t page = 4096;
    const uint64_t from = (address + page - 1) & ~(page - 1),
                   until = (address + bytes) & ~(page - 1);
    madvise(reinterpret_cast<void *>(from + Half), until - from, MADV_DONTNEED);
  }
  held.emplace_back(address, bytes);
  heldBytes += bytes;
  while (held.size() > MostHeld || heldBytes > MostHeldBytes)
    releaseOldest();
}

void Arena::releaseOldest() {
  auto [begin, bytes] = held.front();
  held.pop_front();
  heldBytes -= bytes;
  release(begin, begin + bytes + Between);
}

/// Puts a range back, together with those beside it.
void Arena::release(uint64_t begin, uint64_t end) {
  auto next = unused.lower_bound(begin);
  if (next != unused.end() && next->first == end) {
    end = next->second;
    next = unused.erase(next);
  }
  if (next != unused.begin()) {
    auto before = std::prev(next);
    if (before->second == begin) {
      before->second = end;
      return;
    }
  }
  unused[begin] = end;
}

bool Arena::find(uint64_t address, Allocation &out) {
  std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock)
    return false;
  auto after = used.upper_bound(address);
  if (after == used.begin())
    return false;
  auto &[begin, bytes] = *std::prev(after);
  out = {begin, bytes};
  return address - begin < bytes;
}

/// Never destroyed: streams run until the process has ended.
Arena &arena() {
  static Arena &a = *new Arena;
  return a;
}

} // namespace

bool isDeviceAddress(uint64_t address) {
  return address - first.load(std::memory_order_acquire) < Half;
}

bool findAllocation(uint64_t address, Allocation &out) {
  return isDeviceAddress(address) && arena().find(address, out);
}

} // namespace simulator

uint64_t mock::allocateDevice(size_t bytes, size_t align) {
  return simulator::arena().allocate(bytes, align);
}

void mock::freeDevice(uint64_t address) { simulator::arena().free(address); }

uint64_t mock::deviceShift(uint64_t address) {
  return simulator::isDeviceAddress(address) ? simulator::Half : 0;
}

extern "C" __attribute__((visibility("default"))) void
xcc_simulate_next_address(uint64_t address) {
  simulator::nextAddress.store(address);
}
