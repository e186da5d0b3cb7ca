// Threads of a block that touch the same shared memory unordered
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each byte remembers who wrote it last and who read it last; the bytes of a word
// share that until one is accessed alone. Two accesses of
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
    words.assign((size + 3) / 4, {});
    parts.clear();
    epoch = 1;
  }
  bool on() const { return !words.empty(); }
  /// Orders all that was before all that comes.
  void barrier() { ++epoch; }

  /// An access; true, and \p out, when it races with an earlier one. Atomic
  /// operations race with what is none.
  bool touch(uint64_t at, unsigned size, Kind how, const Access &by,
             Race &out) {
    bool found = false;
    const Mark mine{by, epoch};
    for (uint64_t n = at; n < at + size && n / 4 < words.size();) {
      Word &w = words[n / 4];
      const bool whole = n % 4 == 0 && at + size - n >= 4;
      if (whole && !w.part) {
        found |= touch(w.all, how, mine, found ? nullptr : &out);
        n += 4;
        continue;
      }
      if (!w.part) {
        parts.push_back({w.all, w.all, w.all, w.all});
        w.part = uint32_t(parts.size());
      }
      do
        found |= touch(parts[w.part - 1].of[n % 4], how, mine,
                       found ? nullptr : &out);
      while (++n % 4 && n != at + size);
    }
    return found;
  }

private:
  struct Mark {
    Access by;
    uint32_t epoch = 0;
  };
  struct Marks {
    Mark written, changed, readFirst, readLast;
  };
  struct Word {
    Marks all;
    uint32_t part = 0; ///< one more than the index of its bytes; 0: all alike
  };
  struct Parts {
    Marks of[4];
  };

  bool touch(Marks &of, Kind how, const Mark &mine, Race *out) {
    bool found = false;
    auto against = [&](const Mark &m, Kind its) {
      if (found || m.epoch != epoch || m.by.thread == mine.by.thread ||
          (m.by.warp == mine.by.warp && m.by.turn < mine.by.turn))
        return;
      found = true;
      if (out)
        *out = {m.by, its};
    };
    against(of.written, Write);
    if (how == AtomicRead)
      return found;
    if (how != Atomic)
      against(of.changed, Atomic);
    if (how != Read) {
      against(of.readFirst, Read);
      against(of.readLast, Read);
    }
    if (how == Write)
      of.written = mine;
    else if (how == Atomic)
      of.changed = mine;
    else {
      if (of.readFirst.epoch != epoch)
        of.readFirst = mine;
      of.readLast = mine;
    }
    return found;
  }

  std::vector<Word> words;
  std::vector<Parts> parts; ///< words that were not always accessed as a whole
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
