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

#include <cstdlib>
#include <memory>
#include <new>
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
      const Mark m(by, mine.epoch,
                   storesMayBeAtomic ? now : mine.released.size(),
                   bytesOf(word, at, size));
      if (strong)
        w.written.atomic = true;
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
  /// Small, because each word of memory that a kernel accesses has four.
  struct Mark {
    Mark() = default;
    Mark(const Access &by, uint32_t epoch, uint64_t order, uint8_t bytes)
        : place(by.place), order(order), block(by.block), turn(by.turn),
          epoch(epoch), thread(uint16_t(by.thread)), warp(uint8_t(by.warp)),
          bytes(bytes), together(by.together), atomic(false) {}
    Access by() const {
      return {block, thread, warp, turn, place, together != 0};
    }

    const void *place;
    /// How many atomic operations of the block were before; where stores may be
    /// atomic, the time.
    uint64_t order;
    uint32_t block, turn;
    uint32_t epoch; ///< of the block; 0: nobody
    uint16_t thread;
    uint8_t warp;
    uint8_t bytes : 4; ///< of the word, a bit for each
    uint8_t together : 1;
    uint8_t atomic : 1; ///< of a word's `written`: an atomic access was there
  };
  static_assert(sizeof(Mark) == 32);
  struct Word {
    Mark written, changed, readFirst, readLast;
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
    if (first.block != second.block && storesMayBeAtomic)
      return first.order < of(second.block).acquired;
    if (first.block != second.block) {
      const Block &its = of(first.block);
      return first.order < its.released.size() &&
             its.released[first.order] < of(second.block).acquired;
    }
    return first.thread == second.thread || first.epoch != second.epoch ||
           (first.warp == second.warp &&
            (first.turn < second.turn || first.together || second.together));
  }

  bool races(const Word &w, const Mark &mine, Kind how, Race &out) {
    auto against = [&](const Mark &m, Kind its) {
      if (!m.epoch || !(m.bytes & mine.bytes) || ordered(m, mine))
        return false;
      out = {m.by(), its};
      return true;
    };
    if (storesMayBeAtomic && w.written.atomic)
      return false;
    if (against(w.written, Kind::Write))
      return true;
    return how == Kind::Write && (against(w.changed, Kind::Atomic) ||
                                  against(w.readFirst, Kind::Read) ||
                                  against(w.readLast, Kind::Read));
  }

  static void keep(Word &w, const Mark &m, Kind how) {
    if (how == Kind::Write) {
      const uint8_t atomic = w.written.atomic;
      w.written = m;
      w.written.atomic = atomic;
    } else if (how == Kind::Atomic) {
      w.changed = m;
    } else if (how == Kind::Read) {
      if (!w.readFirst.epoch || w.readFirst.block == m.block)
        w.readFirst = m;
      w.readLast = m;
    }
  }

  struct Free {
    void operator()(Word *words) const { free(words); }
  };
  static constexpr uint64_t PageWords = 4096;
  Word &wordAt(uint64_t word) {
    const uint64_t page = word / PageWords;
    if (page != lastPage || !last) {
      auto &p = pages[page];
      if (!p) { // of zeros, so what nobody accesses costs no memory
        p.reset(static_cast<Word *>(calloc(PageWords, sizeof(Word))));
        if (!p)
          throw std::bad_alloc();
      }
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
  std::unordered_map<uint64_t, std::unique_ptr<Word[], Free>> pages;
  uint64_t lastPage = 0;
  Word *last = nullptr;
};

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_DEVICE_RACES_H
