// Vector instructions without modifiers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nearly all instructions read whole registers, or halves of them, and scalars,
// with no more than a sign to change, and write whole results. Their handlers
// work on the rows of the registers themselves, for 32 or 64 lanes, which the
// handler's code knows. What such an instruction does is what the handler of
// the general form (handlers.h) does.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_PLAIN_H
#define XCC_TEST_SIMULATOR_AMDGCN_PLAIN_H

#include "lanes.h"

#include <immintrin.h>

namespace amdgcn {

/// Whether an instruction may have the handler of the plain form.
bool isPlain(const Instruction &i);

#define XCC_INLINE [[gnu::always_inline]] inline

/// A bit for each of so many lanes, as loops over them read it best.
class PlainMask {
public:
  XCC_INLINE explicit PlainMask(uint64_t mask)
      : words{uint32_t(mask), uint32_t(mask >> 32)} {}
  XCC_INLINE bool operator[](unsigned l) const {
    return (words[l / 32] >> (l % 32) & 1) != 0;
  }

private:
  uint32_t words[2];
};

/// Room for what is no register's row. A variable of its own, so that what points
/// to it stays in registers.
template <unsigned Lanes> struct Room {
  alignas(32) uint32_t row[2][Lanes];
};

/// A source of type \p T for so many lanes.
template <class T, unsigned Lanes> class PlainSource {
public:
  XCC_INLINE PlainSource(Wave &w, const Operand &o, Room<Lanes> &room) {
    if constexpr (sizeof(T) == 2)
      shift = o.high ? 16 : 0;
    if (o.isVector()) {
      low = w.row(o.reg);
      if constexpr (sizeof(T) == 8)
        high = w.row(o.reg + 1);
    } else {
      const uint64_t value = scalarValue(w, o);
      low = fill(room.row[0], uint32_t(value));
      if constexpr (sizeof(T) == 8)
        high = fill(room.row[1], uint32_t(value >> 32));
    }
    if constexpr (IsFloat<T>)
      if (o.neg | o.abs)
        applySign(o, room.row[sizeof(T) == 8]);
  }
  XCC_INLINE T operator[](unsigned l) const {
    if constexpr (sizeof(T) == 8)
      return std::bit_cast<T>(uint64_t(high[l]) << 32 | low[l]);
    else if constexpr (sizeof(T) == 4)
      return std::bit_cast<T>(low[l]);
    else
      return std::bit_cast<T>(uint16_t(low[l] >> shift));
  }

private:
  XCC_INLINE static uint32_t *fill(uint32_t *row, uint32_t value) {
    for (unsigned l = 0; l != Lanes; ++l)
      row[l] = value;
    return row;
  }
  XCC_INLINE void applySign(const Operand &o, uint32_t *to) {
    const uint32_t sign = (sizeof(T) == 2 ? 0x8000u : 0x80000000u) << shift;
    const uint32_t keep = o.abs ? ~sign : ~0u, change = o.neg ? sign : 0;
    const uint32_t *&row = sizeof(T) == 8 ? high : low;
    for (unsigned l = 0; l != Lanes; ++l)
      to[l] = (row[l] & keep) ^ change;
    row = to;
  }

  const uint32_t *low = nullptr, *high = nullptr;
  unsigned shift = 0;
};

template <unsigned Lanes> class PlainSource<Bit, Lanes> {
public:
  XCC_INLINE PlainSource(Wave &w, const Operand &o, Room<Lanes> &)
      : mask(maskValue(w, o)) {}
  XCC_INLINE Bit operator[](unsigned l) const { return {mask[l]}; }

private:
  PlainMask mask;
};

/// Bit l is set if byte l is; each is 0 or 1.
template <unsigned Lanes>
[[gnu::target("avx2"), gnu::always_inline]] inline uint64_t
bitsOfBytes(const uint8_t *bytes) {
  uint64_t bits = 0;
  for (unsigned l = 0; l != Lanes; l += 32) {
    const __m256i some =
        _mm256_load_si256(reinterpret_cast<const __m256i *>(bytes + l));
    bits |= uint64_t(uint32_t(_mm256_movemask_epi8(_mm256_slli_epi16(some, 7))))
            << l;
  }
  return bits;
}

/// Takes words of \p from for active lanes. By bits: of a choice between two loads
/// LLVM makes one load from a chosen address, and no vectors.
template <unsigned Lanes>
XCC_INLINE void blend(const PlainMask &active, const uint32_t *from,
                      uint32_t *to) {
  for (unsigned half = 0; half != Lanes; half += 32)
    for (unsigned l = half; l != half + 32; ++l) {
      const uint32_t taken = -uint32_t(active[l]);
      to[l] = (to[l] & ~taken) | (from[l] & taken);
    }
}

/// Writes results to operand 0 for the active lanes. \p Value gives the result
/// of a lane, from sources that may be the same register.
template <class R, unsigned Lanes, class Value>
XCC_INLINE void plainResult(Wave &w, const Instruction &i, Value value) {
  const Operand &o = i.op[0];
  const PlainMask active(w.exec());
  const bool all = w.exec() == w.full;
  uint32_t *const row = w.row(o.reg);
  Room<Lanes> some;
  if constexpr (sizeof(R) == 8) {
    uint32_t *const upper = w.row(o.reg + 1);
    uint32_t *low = all ? row : some.row[0], *high = all ? upper : some.row[1];
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l != Lanes; ++l) {
      const auto v = std::bit_cast<uint64_t>(value(l));
      low[l] = uint32_t(v);
      high[l] = uint32_t(v >> 32);
    }
    if (!all) {
      blend<Lanes>(active, some.row[0], row);
      blend<Lanes>(active, some.row[1], upper);
    }
  } else {
    uint32_t keep = 0, shift = 0;
    if constexpr (sizeof(R) == 2) {
      shift = o.high ? 16 : 0;
      if (o.half || o.high || keepsHalf(w, i))
        keep = ~(0xffffu << shift);
    }
    uint32_t *to = all ? row : some.row[0];
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l != Lanes; ++l) {
      if constexpr (sizeof(R) == 2)
        to[l] = (row[l] & keep) | uint32_t(std::bit_cast<uint16_t>(value(l)))
                                      << shift;
      else
        to[l] = std::bit_cast<uint32_t>(value(l));
    }
    if (!all)
      blend<Lanes>(active, to, row);
  }
}

/// The handler of waves of 32 lanes, or that of waves of 64.
template <Handler Of32, Handler Of64>
void forLanes(Wave &w, const Instruction &i) {
  w.lanes == 32 ? Of32(w, i) : Of64(w, i);
}

/// "dst = F(sources)"; \p At are the sources' operands. Where the mode of floats
/// is not that of C++, \p General does it.
template <auto F, Handler General, class R, class... A> struct Plain {
  template <unsigned Lanes, unsigned... At>
  XCC_SIMULATOR_WIDE static void lanes(Wave &w, const Instruction &i) {
    Room<Lanes> rooms[sizeof...(At) + 1];
    [&](const auto &...from) __attribute__((always_inline)) {
      plainResult<R, Lanes>(w, i,
                            [&](unsigned l) __attribute__((always_inline)) {
                              [[clang::always_inline]] return F(from[l]...);
                            });
    }(PlainSource<A, Lanes>(w, i.op[At], rooms[At])...);
  }
  template <unsigned... At> static void run(Wave &w, const Instruction &i) {
    constexpr bool single =
        (std::is_same_v<A, float> || ...) || std::is_same_v<R, float>;
    if constexpr ((IsFloat<A> || ...) || IsFloat<R>)
      if (!FloatMode::isUsual(w, single)) [[unlikely]]
        return General(w, i);
    forLanes<lanes<32, At...>, lanes<64, At...>>(w, i);
  }
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_PLAIN_H
