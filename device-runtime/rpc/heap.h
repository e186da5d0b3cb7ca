// A heap for as many threads as there are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory in slabs of 64 KiB. A slab is free, or holds blocks of one size, or is
// part of a run of slabs that is one large block. All zero is an empty heap.
// Nobody ever waits for another thread: a step that fails means that somebody
// else's succeeded.
//
//   | first slabs to try | state[n] | run[n] | bitmap[n][512] |  slab[n]
//
// A slab's state is its kind and a count. For a slab of blocks:
//
//   allocate   count + 1 (if not full), then find a clear bit and set it
//   free       clear the bit, then count - 1; at 0 the slab is free
//
// so there are never more bits than the count says, whoever has counted finds
// one, and a free slab has a clear bitmap. The kind changes only at count 0,
// with the count, in one compare-and-swap. Bitmaps lie outside of the slabs,
// where a write past the end of a block does not reach them, and tell a block
// that is freed twice.
//
// Neighbouring threads begin at different slabs ("spread"), so that the threads
// of a warp do not fight for one word.

#ifndef XCC_DEVICE_RPC_HEAP_H
#define XCC_DEVICE_RPC_HEAP_H

#include <stddef.h>
#include <stdint.h>

namespace xcc::device {

class Heap {
public:
  static constexpr uint64_t SlabSize = 65536;
  static constexpr uint64_t LargestSmall = 32768;
  static constexpr uint32_t MaxSpread = 32;

  enum class Freed { Done, NotOurs, Bad };

  /// A view of the memory; all of them agree.
  Heap(uint64_t Base, uint64_t Size) : Base(Base), End(Base + Size) {
    constexpr uint64_t Fixed = sizeof(uint32_t) * (Classes * MaxSpread + 16);
    constexpr uint64_t PerSlab = SlabSize + 2 * sizeof(uint32_t) + BitmapBytes;
    if (!Base || Size < Fixed + PerSlab + SlabSize)
      return;
    uint64_t N = (Size - Fixed - SlabSize) / PerSlab;
    Slabs = N < 0x7fffffff ? uint32_t(N) : 0x7fffffff;
    First = (Base + Fixed + Slabs * (PerSlab - SlabSize) + SlabSize - 1) /
            SlabSize * SlabSize;
    Spread = Slabs / 64;
    Spread = Spread < 1 ? 1 : Spread < MaxSpread ? Spread : MaxSpread;
  }

  /// Aligned to Alignment, a power of two, and at least to 16; null when there
  /// is no room. Hint differs between threads.
  void *allocate(uint64_t Size, uint64_t Alignment, uint32_t Hint) const {
    if (!Slabs)
      return nullptr;
    Size += Size == 0;
    // A block whose size is a power of two is aligned to its size.
    if (Alignment > MinBlock && Size <= LargestSmall &&
        Alignment <= LargestSmall) {
      Size = Size > Alignment ? Size : Alignment;
      Size = uint64_t(1) << (64 - __builtin_clzll(Size - 1));
    }
    if (Size <= LargestSmall && Alignment <= LargestSmall)
      return small(classOf(Size), Hint * 0x9e3779b9u);
    if (Size > End - First)
      return nullptr;
    return large(uint32_t((Size + SlabSize - 1) / SlabSize), Alignment);
  }

  Freed free(void *Block) const {
    uint64_t At = reinterpret_cast<uint64_t>(Block);
    if (At < Base || At >= End)
      return Freed::NotOurs;
    uint32_t S;
    uint64_t Offset;
    if (!locate(At, S, Offset))
      return Freed::Bad;
    uint32_t State = load(state(S));
    if (uint32_t Kind = State >> 16; Kind >= 1 && Kind <= Classes) {
      uint32_t C = Kind - 1;
      uint32_t I = uint32_t(Offset / Sizes[C]);
      if (Offset % Sizes[C] || I >= capacity(C))
        return Freed::Bad;
      uint32_t Bit = uint32_t(1) << I % 32;
      if (!(clear(bitmap(S) + I / 32, Bit) & Bit))
        return Freed::Bad;
      leave(S, C, uint32_t(Offset / SlabSize));
      return Freed::Done;
    }
    if (State != LargeHead || Offset || !swap(state(S), State, LargePart))
      return Freed::Bad;
    for (uint32_t N = load(run(S)); N; --N)
      store(state(S + N - 1), 0);
    freed(S);
    return Freed::Done;
  }

  /// The bytes of an allocated block; 0 if it is none of this heap's.
  uint64_t usable(const void *Block) const {
    uint32_t S;
    uint64_t Offset;
    if (!locate(reinterpret_cast<uint64_t>(Block), S, Offset))
      return 0;
    uint32_t State = load(state(S));
    if (uint32_t Kind = State >> 16; Kind >= 1 && Kind <= Classes)
      return Offset % Sizes[Kind - 1] ? 0 : Sizes[Kind - 1];
    return State == LargeHead && !Offset ? load(run(S)) * SlabSize : 0;
  }

  /// For tests: slabs in all, and those in use.
  uint32_t slabs() const { return Slabs; }
  uint32_t used() const {
    uint32_t N = 0;
    for (uint32_t S = 0; S != Slabs; ++S)
      N += load(state(S)) != 0;
    return N;
  }

private:
  static constexpr uint64_t MinBlock = 16;
  static constexpr uint64_t BitmapBytes = SlabSize / MinBlock / 8;
  static constexpr uint32_t Classes = 22;
  // Two sizes to each power of two; all are multiples of 16, and the powers
  // themselves are there for aligned blocks.
  static constexpr uint32_t Sizes[Classes] = {
      16,   32,   48,   64,   96,   128,  192,  256,   384,   512,   768,
      1024, 1536, 2048, 3072, 4096, 6144, 8192, 10912, 16384, 21840, 32768};
  // States beside those of slabs of blocks, whose kind is class + 1.
  static constexpr uint32_t LargePart = 0x100 << 16;
  static constexpr uint32_t LargeHead = 0x101 << 16;

  static uint32_t capacity(uint32_t C) { return SlabSize / Sizes[C]; }
  static uint32_t classOf(uint64_t Size) {
    uint32_t C = 0;
    while (Sizes[C] < Size)
      ++C;
    return C;
  }

  bool locate(uint64_t At, uint32_t &S, uint64_t &Offset) const {
    if (!Slabs || At < First || (At - First) / SlabSize >= Slabs)
      return false;
    S = uint32_t((At - First) / SlabSize);
    Offset = (At - First) % SlabSize;
    return true;
  }
  char *block(uint32_t S, uint64_t Offset) const {
    return reinterpret_cast<char *>(First + S * SlabSize + Offset);
  }

  void *small(uint32_t C, uint32_t Hash) const {
    uint32_t *Try =
        words() + 16 + C * MaxSpread + uint32_t(uint64_t(Hash) * Spread >> 32);
    uint32_t S = load(Try);
    if (!S || !enter(S - 1, C)) {
      S = find(C);
      if (!S)
        return nullptr;
      store(Try, S);
    }
    return take(S - 1, C, Hash);
  }

  /// Counts a block in a slab of this class that is not full.
  bool enter(uint32_t S, uint32_t C) const {
    uint32_t *State = state(S), Seen = load(State);
    while (Seen >> 16 == C + 1 && (Seen & 0xffff) < capacity(C))
      if (swap(State, Seen, Seen + 1))
        return true;
    return false;
  }

  /// A slab + 1 with a block counted, 0 for none: one that has room, or a free
  /// one, whichever comes first.
  uint32_t find(uint32_t C) const {
    uint32_t S = load(lowest());
    for (uint32_t I = 0; I != Slabs; ++I, ++S) {
      if (S >= Slabs)
        S = 0;
      uint32_t Seen = load(state(S));
      if (!Seen && swap(state(S), Seen, (C + 1) << 16 | 1)) {
        store(lowest(), S);
        return S + 1;
      }
      if (Seen >> 16 == C + 1 && enter(S, C))
        return S + 1;
    }
    return 0;
  }

  /// A clear bit of a slab where a block was counted: there is one.
  void *take(uint32_t S, uint32_t C, uint32_t Hash) const {
    const uint32_t Blocks = capacity(C), Words = (Blocks + 31) / 32;
    for (uint32_t W = uint32_t(uint64_t(Hash) * Words >> 32);; ++W) {
      if (W >= Words)
        W = 0;
      uint32_t Valid = Blocks - W * 32 >= 32
                           ? ~uint32_t(0)
                           : (uint32_t(1) << (Blocks - W * 32)) - 1;
      while (uint32_t Clear = ~load(bitmap(S) + W) & Valid) {
        uint32_t Bit = Clear & -Clear;
        if (!(set(bitmap(S) + W, Bit) & Bit))
          return block(S, (W * 32 + uint32_t(__builtin_ctz(Bit))) *
                              uint64_t(Sizes[C]));
      }
    }
  }

  /// Takes a block out of the count.
  void leave(uint32_t S, uint32_t C, uint32_t Where) const {
    uint32_t *State = state(S), Seen = load(State);
    while (!swap(State, Seen, (Seen & 0xffff) == 1 ? 0 : Seen - 1))
      ;
    if ((Seen & 0xffff) == 1)
      freed(S);
    else if ((Seen & 0xffff) == capacity(C))
      store(words() + 16 + C * MaxSpread + Where % Spread, S + 1);
  }

  void freed(uint32_t S) const {
    if (S < load(lowest()))
      store(lowest(), S);
  }

  /// A run from the other end, so that small blocks do not cut it up.
  void *large(uint32_t N, uint64_t Alignment) const {
    for (uint32_t Round = 0; Round != 4; ++Round) {
      bool Met = false;
      for (int64_t S = int64_t(Slabs) - N; S >= 0; --S) {
        if (reinterpret_cast<uint64_t>(block(uint32_t(S), 0)) & (Alignment - 1))
          continue;
        int64_t Free = S + N;
        while (Free != S && !load(state(uint32_t(Free - 1))))
          --Free;
        if (Free != S) {
          // No run of these N contains slab Free - 1.
          S = Free - N;
          continue;
        }
        if (claim(uint32_t(S), N)) {
          store(run(uint32_t(S)), N);
          store(state(uint32_t(S)), LargeHead);
          return block(uint32_t(S), 0);
        }
        Met = true;
      }
      if (!Met)
        return nullptr;
    }
    return nullptr;
  }
  bool claim(uint32_t S, uint32_t N) const {
    for (uint32_t I = 0; I != N; ++I) {
      uint32_t Free = 0;
      if (swap(state(S + I), Free, LargePart))
        continue;
      while (I--)
        store(state(S + I), 0);
      return false;
    }
    return true;
  }

  uint32_t *words() const { return reinterpret_cast<uint32_t *>(Base); }
  uint32_t *lowest() const { return words(); }
  uint32_t *state(uint32_t S) const {
    return words() + 16 + Classes * MaxSpread + S;
  }
  uint32_t *run(uint32_t S) const { return state(Slabs) + S; }
  uint32_t *bitmap(uint32_t S) const {
    return run(Slabs) + uint64_t(S) * (BitmapBytes / sizeof(uint32_t));
  }

#if defined(__NVPTX__) || defined(__AMDGCN__)
#define XCC_HEAP_ATOMIC(op, ...)                                               \
  __scoped_atomic_##op(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)
#else
#define XCC_HEAP_ATOMIC(op, ...) __atomic_##op(__VA_ARGS__)
#endif
  static uint32_t load(const uint32_t *P) {
    return XCC_HEAP_ATOMIC(load_n, P, __ATOMIC_RELAXED);
  }
  static void store(uint32_t *P, uint32_t Value) {
    XCC_HEAP_ATOMIC(store_n, P, Value, __ATOMIC_RELEASE);
  }
  static bool swap(uint32_t *P, uint32_t &Seen, uint32_t Value) {
    return XCC_HEAP_ATOMIC(compare_exchange_n, P, &Seen, Value, false,
                           __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  static uint32_t set(uint32_t *P, uint32_t Bit) {
    return XCC_HEAP_ATOMIC(fetch_or, P, Bit, __ATOMIC_ACQUIRE);
  }
  static uint32_t clear(uint32_t *P, uint32_t Bit) {
    return XCC_HEAP_ATOMIC(fetch_and, P, ~Bit, __ATOMIC_RELEASE);
  }
#undef XCC_HEAP_ATOMIC

  uint64_t Base, End, First = 0;
  uint32_t Slabs = 0, Spread = 1;
};

} // namespace xcc::device
#endif // XCC_DEVICE_RPC_HEAP_H
