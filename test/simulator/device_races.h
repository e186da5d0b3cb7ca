// Threads that touch the same device memory unordered
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each word remembers who wrote it last and who read it first and last, in one
// launch. Two accesses of different threads, one of them a write, are a race
// unless something orders them:
//
//  * in a block a barrier, a fence or an atomic operation, and in a warp a *.sync;
//  * between blocks an atomic operation of the first block after its access, and
//    later one of the second block before its access.
//
// A plain read beside atomic operations is no race here: compilers make one in
// front of loops of compare-and-swap. Any atomic operation counts, at whatever
// address and in whatever order of memory. So a correct program is never accused,
// and some races are not found. Only what happened in this run is seen. Of
// accesses to single bytes of a word, the last is remembered.
//
// Where a store may be atomic and does not say so (AMD GPUs), it is no race beside
// atomic accesses, and what a block did before is ordered before what another one
// does after an acquire.

#ifndef XCC_TEST_SIMULATOR_DEVICE_RACES_H
#define XCC_TEST_SIMULATOR_DEVICE_RACES_H

#include "races.h"

#include <memory>
#include <unordered_map>

namespace simulator {

class DeviceRaces {
public:
  using Kind = Races::Kind;
  struct Access {
    uint32_t block = 0, thread = 0; ///< in its block
    uint32_t warp = 0, turn = 0;    ///< as in Races
    const void *place = nullptr;    ///< the instruction
    bool together = false;          ///< of the whole warp: it has no thread
  };
  struct Race {
    Access other;
    Kind otherKind;
  };

  explicit DeviceRaces(bool storesMayBeAtomic = false)
      : storesMayBeAtomic(storesMayBeAtomic) {}

  /// The threads of a block are ordered: at a barrier, or by a fence.
  void barrier(uint32_t block) { ++of(block).epoch; }

  /// A block sees what others did before.
  void acquire(uint32_t block) {
    of(block).acquired = ++now;
    barrier(block);
  }

  /// An access; true, and \p out, when it races with an earlier one.
  bool touch(uint64_t at, unsigned size, Kind how, const Access &by,
             Race &out) {
    Block &mine = of(by.block);
    const bool strong = how == Kind::Atomic || how == Kind::AtomicRead;
    if (strong)
      mine.acquired = ++now;
    bool found = false;
    for (uint64_t word = at / 4; word <= (at + size - 1) / 4; ++word) {
      Word &w = wordAt(word);
      const Mark m{by, mine.epoch, uint32_t(mine.released.size()),
                   bytesOf(word, at, size), now};
      w.atomic |= strong;
      found = found || races(w, m, how, out);
      keep(w, m, how);
    }
    if (strong) {
      mine.released.push_back(++now);
      ++mine.epoch;
    }
    return found;
  }

private:
  struct Mark {
    Access by;
    uint32_t epoch = 0;    ///< of the block; 0: nobody
    uint32_t releases = 0; ///< of the block, before it
    uint8_t bytes = 0;     ///< of the word, a bit for each
    uint64_t time = 0;
  };
  struct Word {
    Mark written, changed, readFirst, readLast;
    bool atomic = false; ///< an atomic access was there
  };
  struct Block {
    uint32_t epoch = 1;
    uint64_t acquired = 0;          ///< when an atomic operation was last begun
    std::vector<uint64_t> released; ///< when atomic operations were done
  };

  static uint8_t bytesOf(uint64_t word, uint64_t at, unsigned size) {
    uint8_t bytes = 0;
    for (unsigned n = 0; n != 4; ++n)
      if (word * 4 + n - at < size)
        bytes = uint8_t(bytes | 1 << n);
    return bytes;
  }

  bool ordered(const Mark &first, const Mark &second) {
    if (first.by.block != second.by.block && storesMayBeAtomic)
      return first.time < of(second.by.block).acquired;
    if (first.by.block != second.by.block) {
      const Block &its = of(first.by.block);
      return first.releases < its.released.size() &&
             its.released[first.releases] < of(second.by.block).acquired;
    }
    return first.by.thread == second.by.thread || first.epoch != second.epoch ||
           (first.by.warp == second.by.warp &&
            (first.by.turn < second.by.turn || first.by.together ||
             second.by.together));
  }

  bool races(const Word &w, const Mark &mine, Kind how, Race &out) {
    auto against = [&](const Mark &m, Kind its) {
      if (!m.epoch || !(m.bytes & mine.bytes) || ordered(m, mine))
        return false;
      out = {m.by, its};
      return true;
    };
    if (storesMayBeAtomic && w.atomic)
      return false;
    if (against(w.written, Kind::Write))
      return true;
    return how == Kind::Write && (against(w.changed, Kind::Atomic) ||
                                  against(w.readFirst, Kind::Read) ||
                                  against(w.readLast, Kind::Read));
  }

  static void keep(Word &w, const Mark &m, Kind how) {
    if (how == Kind::Write) {
      w.written = m;
    } else if (how == Kind::Atomic) {
      w.changed = m;
    } else if (how == Kind::Read) {
      if (!w.readFirst.epoch || w.readFirst.by.block == m.by.block)
        w.readFirst = m;
      w.readLast = m;
    }
  }

  static constexpr uint64_t PageWords = 1024;
  Word &wordAt(uint64_t word) {
    const uint64_t page = word / PageWords;
    if (page != lastPage || !last) {
      auto &p = pages[page];
      if (!p)
        p = std::make_unique<Word[]>(PageWords);
      last = p.get();
      lastPage = page;
    }
    return last[word % PageWords];
  }
  Block &of(uint32_t block) {
    if (block >= blocks.size())
      blocks.resize(block + 1);
    return blocks[block];
  }

  const bool storesMayBeAtomic;
  uint64_t now = 0; ///< counts begins and ends of atomic operations
  std::vector<Block> blocks;
  std::unordered_map<uint64_t, std::unique_ptr<Word[]>> pages;
  uint64_t lastPage = 0;
  Word *last = nullptr;
};

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_DEVICE_RACES_H
