// Threads of a block that touch the same shared memory unordered
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each byte remembers who wrote it last and who read it last. Two accesses of
// different threads, one of them a write, are a race unless the block met at a
// barrier between them, or the threads' warp at one of its own (a "turn").
// Only what happened in this run is seen, and of several readers two.

#ifndef XCC_TEST_SIMULATOR_RACES_H
#define XCC_TEST_SIMULATOR_RACES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

class Races {
public:
  enum Kind { Read, Write, Atomic, AtomicRead };
  struct Access {
    uint32_t thread = 0, warp = 0;
    uint32_t turn = 0;           ///< of the warp
    const void *place = nullptr; ///< the instruction
  };
  struct Race {
    Access other;
    Kind otherKind;
  };

  /// From now on for that many bytes, which nobody has touched.
  void start(size_t size) {
    bytes.assign(size, {});
    epoch = 1;
  }
  bool on() const { return !bytes.empty(); }
  /// Orders all that was before all that comes.
  void barrier() { ++epoch; }

  /// An access; true, and \p out, when it races with an earlier one. Atomic
  /// operations race with what is none.
  bool touch(uint64_t at, unsigned size, Kind how, const Access &by,
             Race &out) {
    bool found = false;
    for (uint64_t n = at; n != at + size && n < bytes.size(); ++n) {
      Byte &b = bytes[n];
      auto against = [&](const Mark &m, Kind its) {
        if (found || m.epoch != epoch || m.by.thread == by.thread ||
            (m.by.warp == by.warp && m.by.turn < by.turn))
          return;
        found = true;
        out = {m.by, its};
      };
      against(b.written, Write);
      if (how == AtomicRead)
        continue;
      if (how != Atomic)
        against(b.changed, Atomic);
      if (how != Read) {
        against(b.readFirst, Read);
        against(b.readLast, Read);
      }
      Mark mine{by, epoch};
      if (how == Write)
        b.written = mine;
      else if (how == Atomic)
        b.changed = mine;
      else {
        if (b.readFirst.epoch != epoch)
          b.readFirst = mine;
        b.readLast = mine;
      }
    }
    return found;
  }

private:
  struct Mark {
    Access by;
    uint32_t epoch = 0;
  };
  struct Byte {
    Mark written, changed, readFirst, readLast;
  };
  std::vector<Byte> bytes;
  uint32_t epoch = 1;
};

/// "has written" and the like.
inline const char *done(Races::Kind k) {
  return k == Races::Write  ? "has written"
         : k == Races::Read ? "has read"
                            : "has changed by an atomic operation";
}
inline const char *does(Races::Kind k) {
  return k == Races::Write    ? "writes"
         : k == Races::Atomic ? "changes by an atomic operation"
                              : "reads";
}

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_RACES_H
