// A heap that many threads use at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory is divided into slabs of 64 KiB. A slab is free, holds blocks of
// one size, or is part of a run of slabs that forms one large block. Memory of
// all zeros is an empty heap. No thread ever waits for another: if a step
// fails, another thread's step has succeeded.
//
//   | first slabs to try | state[n] | run[n] | bitmap[n][512] |  slab[n]
//
// A slab's state is its kind and a count of blocks. For slabs of small blocks:
//
//   allocate   count + 1 (if not full), then find a clear bit and set it
//   free       clear the bit, then count - 1; at 0 the slab is free
//
// Therefore at most as many bits are set as are counted, a thread that has
// counted its block finds a clear bit, and the bitmap of a free slab is clear.
// The kind changes only while the count is 0, together with the count, in one
// compare-and-swap. The bitmaps are outside the slabs, so that a write past the
// end of a block cannot reach them. They detect blocks that are freed twice.
//
// Neighbouring threads begin at different slabs ("spread"), so that the threads
// of a warp do not contend for one word.

#ifndef XCC_DEVICE_RPC_HEAP_H
#define XCC_DEVICE_RPC_HEAP_H

#include "rpc/atomics.h"
#include "rpc/services/mapped.h"

#include <stddef.h>
#include <stdint.h>

namespace xcc::device {

class Heap {
public:
  static constexpr uint64_t SlabSize = 65536;
  static constexpr uint64_t LargestSmall = 32768;
  static constexpr uint32_t MaxSpread = 32;

  enum class Freed { Done, NotOurs, Bad };

  /// A view of the memory. Any number of views may exist.
  Heap(uint64_t base, uint64_t size) : base(base), end(base + size) {
    constexpr uint64_t fixed = sizeof(uint32_t) * (Classes * MaxSpread + 16);
    constexpr uint64_t perSlab = SlabSize + 2 * sizeof(uint32_t) + BitmapBytes;
    if (!base || size < fixed + perSlab + SlabSize)
      return;
    uint64_t n = (size - fixed - SlabSize) / perSlab;
    slabs_ = n < 0x7fffffff ? uint32_t(n) : 0x7fffffff;
    first = (base + fixed + slabs_ * (perSlab - SlabSize) + SlabSize - 1) /
            SlabSize * SlabSize;
    spread = slabs_ / 64;
    spread = spread < 1 ? 1 : spread < MaxSpread ? spread : MaxSpread;
  }

  /// Allocates a block, aligned to \p alignment (a power of two) and at least
  /// to 16. Returns null if there is no room. \p hint should differ between
  /// threads.
  void *allocate(uint64_t size, uint64_t alignment, uint32_t hint) const {
    if (!slabs_)
      return nullptr;
    size += size == 0;
    // A block whose size is a power of two is aligned to its size.
    if (alignment > MinBlock && size <= LargestSmall &&
        alignment <= LargestSmall) {
      size = size > alignment ? size : alignment;
      size = uint64_t(1) << (64 - __builtin_clzll(size - 1));
    }
    if (size <= LargestSmall && alignment <= LargestSmall)
      return small(classOf(size), hint * 0x9e3779b9u);
    if (size > end - first)
      return nullptr;
    return large(uint32_t((size + SlabSize - 1) / SlabSize), alignment);
  }

  Freed free(void *block) const {
    uint64_t at = reinterpret_cast<uint64_t>(block);
    if (at < base || at >= end)
      return Freed::NotOurs;
    uint32_t s;
    uint64_t offset;
    if (!locate(at, s, offset))
      return Freed::Bad;
    uint32_t seen = load(state(s));
    if (uint32_t kind = seen >> 16; kind >= 1 && kind <= Classes) {
      uint32_t c = kind - 1;
      uint32_t i = uint32_t(offset / Sizes[c]);
      if (offset % Sizes[c] || i >= capacity(c))
        return Freed::Bad;
      uint32_t bit = uint32_t(1) << i % 32;
      if (!(clear(bitmap(s) + i / 32, bit) & bit))
        return Freed::Bad;
      leave(s, c, uint32_t(offset / SlabSize));
      return Freed::Done;
    }
    if (seen != LargeHead || offset || !swap(state(s), seen, LargePart))
      return Freed::Bad;
    for (uint32_t n = load(run(s)); n; --n)
      store(state(s + n - 1), 0);
    freed(s);
    return Freed::Done;
  }

  /// Frees at most \p most blocks that the host has posted
  /// (rpc/services/mapped.h). Returns true if it freed any.
  bool reclaim(uint32_t most) const {
    if (!slabs_)
      return false;
    auto word = [&](uint32_t offset) {
      return reinterpret_cast<uint32_t *>(base + offset);
    };
    const uint32_t posted = load(word(XCC_RETURNS_POSTED));
    uint32_t n = load(word(XCC_RETURNS_TAKEN));
    bool any = false;
    while (n != posted && most) {
      if (!swap(word(XCC_RETURNS_TAKEN), n, n + 1))
        continue;
      const auto *where =
          reinterpret_cast<const volatile uint64_t *>(base + XCC_RETURNS_LIST);
      const auto *list = reinterpret_cast<const volatile uint64_t *>(where[0]);
      free(reinterpret_cast<void *>(list[n & where[1]]));
      add(word(XCC_RETURNS_DONE));
      any = true;
      --most;
      n = load(word(XCC_RETURNS_TAKEN));
    }
    return any;
  }

  /// The size of an allocated block; 0 if the block is not of this heap.
  uint64_t usable(const void *block) const {
    uint32_t s;
    uint64_t offset;
    if (!locate(reinterpret_cast<uint64_t>(block), s, offset))
      return 0;
    uint32_t seen = load(state(s));
    if (uint32_t kind = seen >> 16; kind >= 1 && kind <= Classes)
      return offset % Sizes[kind - 1] ? 0 : Sizes[kind - 1];
    return seen == LargeHead && !offset ? load(run(s)) * SlabSize : 0;
  }

  /// For tests: the number of slabs, and of slabs in use.
  uint32_t slabs() const { return slabs_; }
  uint32_t used() const {
    uint32_t n = 0;
    for (uint32_t s = 0; s != slabs_; ++s)
      n += load(state(s)) != 0;
    return n;
  }

private:
  static constexpr uint64_t MinBlock = 16;
  static constexpr uint64_t BitmapBytes = SlabSize / MinBlock / 8;
  static constexpr uint32_t Classes = 22;
  // Two sizes per power of two. All are multiples of 16; the powers themselves
  // serve aligned blocks.
  static constexpr uint32_t Sizes[Classes] = {
      16,   32,   48,   64,   96,   128,  192,  256,   384,   512,   768,
      1024, 1536, 2048, 3072, 4096, 6144, 8192, 10912, 16384, 21840, 32768};
  // States of slabs of large blocks. A slab of small blocks has kind class + 1.
  static constexpr uint32_t LargePart = 0x100 << 16;
  static constexpr uint32_t LargeHead = 0x101 << 16;

  static uint32_t capacity(uint32_t c) { return SlabSize / Sizes[c]; }
  static uint32_t classOf(uint64_t size) {
    uint32_t c = 0;
    while (Sizes[c] < size)
      ++c;
    return c;
  }

  bool locate(uint64_t at, uint32_t &s, uint64_t &offset) const {
    if (!slabs_ || at < first || (at - first) / SlabSize >= slabs_)
      return false;
    s = uint32_t((at - first) / SlabSize);
    offset = (at - first) % SlabSize;
    return true;
  }
  char *block(uint32_t s, uint64_t offset) const {
    return reinterpret_cast<char *>(first + s * SlabSize + offset);
  }

  void *small(uint32_t c, uint32_t hash) const {
    uint32_t *attempt =
        words() + 16 + c * MaxSpread + uint32_t(uint64_t(hash) * spread >> 32);
    uint32_t s = load(attempt);
    if (!s || !enter(s - 1, c)) {
      s = find(c);
      if (!s)
        return nullptr;
      store(attempt, s);
    }
    return take(s - 1, c, hash);
  }

  /// Counts a block in the slab, unless the slab is of another class or full.
  bool enter(uint32_t s, uint32_t c) const {
    uint32_t *word = state(s), seen = load(word);
    while (seen >> 16 == c + 1 && (seen & 0xffff) < capacity(c))
      if (swap(word, seen, seen + 1))
        return true;
    return false;
  }

  /// Finds a slab of class \p c with room, or a free one, and counts a block in
  /// it. Returns the slab's index + 1, or 0.
  uint32_t find(uint32_t c) const {
    uint32_t s = load(lowest());
    for (uint32_t i = 0; i != slabs_; ++i, ++s) {
      if (s >= slabs_)
        s = 0;
      uint32_t seen = load(state(s));
      if (!seen && swap(state(s), seen, (c + 1) << 16 | 1)) {
        store(lowest(), s);
        return s + 1;
      }
      if (seen >> 16 == c + 1 && enter(s, c))
        return s + 1;
    }
    return 0;
  }

  /// Sets a clear bit in a slab where a block was counted, so there is one.
  void *take(uint32_t s, uint32_t c, uint32_t hash) const {
    const uint32_t blocks = capacity(c), words = (blocks + 31) / 32;
    for (uint32_t w = uint32_t(uint64_t(hash) * words >> 32);; ++w) {
      if (w >= words)
        w = 0;
      uint32_t valid = blocks - w * 32 >= 32
                           ? ~uint32_t(0)
                           : (uint32_t(1) << (blocks - w * 32)) - 1;
      while (uint32_t clear = ~load(bitmap(s) + w) & valid) {
        uint32_t bit = clear & -clear;
        if (!(set(bitmap(s) + w, bit) & bit))
          return block(s, (w * 32 + uint32_t(__builtin_ctz(bit))) *
                              uint64_t(Sizes[c]));
      }
    }
  }

  /// Subtracts a block from the slab's count.
  void leave(uint32_t s, uint32_t c, uint32_t where) const {
    uint32_t *word = state(s), seen = load(word);
    while (!swap(word, seen, (seen & 0xffff) == 1 ? 0 : seen - 1))
      ;
    if ((seen & 0xffff) == 1)
      freed(s);
    else if ((seen & 0xffff) == capacity(c))
      store(words() + 16 + c * MaxSpread + where % spread, s + 1);
  }

  void freed(uint32_t s) const {
    if (s < load(lowest()))
      store(lowest(), s);
  }

  /// Allocates a run of slabs from the upper end, so that small blocks do not
  /// fragment the space.
  void *large(uint32_t n, uint64_t alignment) const {
    for (uint32_t round = 0; round != 4; ++round) {
      bool met = false;
      for (int64_t s = int64_t(slabs_) - n; s >= 0; --s) {
        if (reinterpret_cast<uint64_t>(block(uint32_t(s), 0)) & (alignment - 1))
          continue;
        int64_t free = s + n;
        while (free != s && !load(state(uint32_t(free - 1))))
          --free;
        if (free != s) {
          // Slab free - 1 is in use, so go on beneath it.
          s = free - n;
          continue;
        }
        if (claim(uint32_t(s), n)) {
          store(run(uint32_t(s)), n);
          store(state(uint32_t(s)), LargeHead);
          return block(uint32_t(s), 0);
        }
        met = true;
      }
      if (!met)
        return nullptr;
    }
    return nullptr;
  }
  bool claim(uint32_t s, uint32_t n) const {
    for (uint32_t i = 0; i != n; ++i) {
      uint32_t free = 0;
      if (swap(state(s + i), free, LargePart))
        continue;
      while (i--)
        store(state(s + i), 0);
      return false;
    }
    return true;
  }

  uint32_t *words() const { return reinterpret_cast<uint32_t *>(base); }
  uint32_t *lowest() const { return words(); }
  uint32_t *state(uint32_t s) const {
    return words() + 16 + Classes * MaxSpread + s;
  }
  uint32_t *run(uint32_t s) const { return state(slabs_) + s; }
  uint32_t *bitmap(uint32_t s) const {
    return run(slabs_) + uint64_t(s) * (BitmapBytes / sizeof(uint32_t));
  }

#if XCC_RPC_GPU
#define XCC_HEAP_ATOMIC(op, ...)                                               \
  __scoped_atomic_##op(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)
#else
#define XCC_HEAP_ATOMIC(op, ...) __atomic_##op(__VA_ARGS__)
#endif
  static uint32_t load(const uint32_t *p) {
    return XCC_HEAP_ATOMIC(load_n, p, __ATOMIC_RELAXED);
  }
  static void store(uint32_t *p, uint32_t value) {
    XCC_HEAP_ATOMIC(store_n, p, value, __ATOMIC_RELEASE);
  }
  static bool swap(uint32_t *p, uint32_t &seen, uint32_t value) {
    return XCC_HEAP_ATOMIC(compare_exchange_n, p, &seen, value, false,
                           __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  static uint32_t set(uint32_t *p, uint32_t bit) {
    return XCC_HEAP_ATOMIC(fetch_or, p, bit, __ATOMIC_ACQUIRE);
  }
  static void add(uint32_t *p) {
    XCC_HEAP_ATOMIC(fetch_add, p, 1u, __ATOMIC_RELEASE);
  }
  static uint32_t clear(uint32_t *p, uint32_t bit) {
    return XCC_HEAP_ATOMIC(fetch_and, p, ~bit, __ATOMIC_RELEASE);
  }
#undef XCC_HEAP_ATOMIC

  uint64_t base, end, first = 0;
  uint32_t slabs_ = 0, spread = 1;
};

} // namespace xcc::device
#endif // XCC_DEVICE_RPC_HEAP_H
