// What a device may reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocations of the host's process with who may see them. The runtime's calls
// change it from any thread; the queues' threads look addresses up for every
// access of every lane, so each keeps the last few that it found, for as long
// as nothing changes.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_MEMORY_H
#define XCC_TEST_SIMULATOR_AMDGCN_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace amdgcn {

enum class Access : uint8_t { Read, Write, Atomic };

/// One queue's view. Used by one thread.
class Reach {
public:
  /// The agent whose eyes it sees with.
  explicit Reach(uint64_t agent) : agent(agent) {}

  /// Memory that only one dispatch sees: its packet and queue.
  void addOwn(const void *base, size_t bytes, bool writable);
  void clearOwn() { ownCount = 0; }

  struct Range {
    uint64_t base = 0, bytes = 0;
    uint64_t shift = 0; ///< of device memory (test/mock/device_memory.h)
    bool writable = false;
  };
  /// Where the simulator finds what is there; null when it must not be used.
  uint8_t *find(uint64_t at, unsigned size, Access how) {
    for (unsigned i = 0; i != Kept; ++i) {
      const Range &r = cache[i];
      if (at - r.base < r.bytes && size <= r.bytes - (at - r.base) &&
          (how == Access::Read || r.writable))
        return reinterpret_cast<uint8_t *>(at + r.shift);
    }
    return lookUp(at, size, how);
  }
  /// All that may be used with what is there; valid until the next call.
  const Range *rangeOf(uint64_t at, unsigned size, Access how) {
    if (!find(at, size, how))
      return nullptr;
    for (const Range &r : cache)
      if (at - r.base < r.bytes && (how == Access::Read || r.writable))
        return &r;
    return nullptr;
  }
  /// Forgets what it knows when memory was allocated or freed since. To be
  /// called now and then; what is freed under a running kernel is noticed late.
  void refresh();

  /// After a refusal: what is there, for the report, and HSA's reason.
  std::string explain(uint64_t at, uint32_t &reason) const;

private:
  uint8_t *lookUp(uint64_t at, unsigned size, Access how);
  static constexpr unsigned Kept = 4;
  Range cache[Kept], own[4];
  unsigned turn = 0, ownCount = 0;
  uint64_t agent, version = ~uint64_t(0);
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_MEMORY_H
