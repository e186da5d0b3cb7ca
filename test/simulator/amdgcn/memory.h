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
  explicit Reach(uint64_t Agent) : Agent(Agent) {}

  /// Memory that only one dispatch sees: its packet and queue.
  void addOwn(const void *Base, size_t Bytes, bool Writable);
  void clearOwn() { OwnCount = 0; }

  bool allows(uint64_t At, unsigned Size, Access How) {
    for (unsigned I = 0; I != Kept; ++I) {
      const Range &R = Cache[I];
      if (At - R.Base < R.Bytes && Size <= R.Bytes - (At - R.Base) &&
          (How == Access::Read || R.Writable))
        return true;
    }
    return lookUp(At, Size, How);
  }
  /// Forgets what it knows when memory was allocated or freed since. To be
  /// called now and then; what is freed under a running kernel is noticed late.
  void refresh();

  /// After a refusal: what is there, for the report, and HSA's reason.
  std::string explain(uint64_t At, uint32_t &Reason) const;

private:
  struct Range {
    uint64_t Base = 0, Bytes = 0;
    bool Writable = false;
  };
  bool lookUp(uint64_t At, unsigned Size, Access How);
  static constexpr unsigned Kept = 4;
  Range Cache[Kept], Own[4];
  unsigned Turn = 0, OwnCount = 0;
  uint64_t Agent, Version = ~uint64_t(0);
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_MEMORY_H
