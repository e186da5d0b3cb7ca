// Sources and results of vector instructions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources become arrays of 64 values with modifiers, DPP and SDWA applied, and
// results go to the active lanes. handlers.h makes handlers of instructions out
// of them.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_LANES_H
#define XCC_TEST_SIMULATOR_AMDGCN_LANES_H

#include "instruction.h"
#include "numbers.h"
#include "wave.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace amdgcn {

/// A source or result that is a bit for each lane.
struct Bit {
  bool set;
};
/// Two floats in two registers.
struct TwoFloats {
  float lo, hi;
};

template <class T> constexpr Type typeOf() {
  if constexpr (std::is_same_v<T, float>)
    return Type::F32;
  else if constexpr (std::is_same_v<T, double>)
    return Type::F64;
  else if constexpr (std::is_same_v<T, Half>)
    return Type::F16;
  else if constexpr (std::is_same_v<T, int64_t>)
    return Type::I64;
  else if constexpr (std::is_same_v<T, Bit>)
    return Type::Any;
  else if constexpr (sizeof(T) == 8)
    return Type::B64;
  else if constexpr (sizeof(T) == 2)
    return Type::B16;
  else
    return Type::B32;
}

/// A scalar operand's value, 64 bits of it.
uint64_t namedValue(const Wave &w, const Operand &o); ///< of no register
inline uint64_t scalarValue(const Wave &w, const Operand &o) {
  if (o.k == Operand::Scalar)
    return o.count >= 2 ? w.pair(o.reg) : w.s[o.reg];
  return o.k == Operand::Constant ? o.value : namedValue(w, o);
}
inline uint64_t scalarValue(const Wave &w, const Instruction &i, unsigned n) {
  return scalarValue(w, i.op[n]);
}
/// A mask operand: as many bits as there are lanes.
uint64_t maskValue(const Wave &w, const Operand &o);
void setMaskValue(Wave &w, const Operand &o, uint64_t value);
/// Writes a scalar register or pair.
inline void setScalar(Wave &w, const Operand &o, uint64_t value, bool wide) {
  if (o.k != Operand::Scalar)
    return; // null
  if (wide)
    w.setPair(o.reg, value);
  else
    w.s[o.reg] = uint32_t(value);
}

/// Applies DPP to 32-bit values, and sets the wave's dppMask.
void permute(Wave &w, const Instruction &i, const uint32_t *from, uint32_t *to);

/// The 32 bits of a register as a source's modifiers make them.
inline uint32_t selected(uint32_t v, const Operand &o) {
  switch (o.select) {
  case Sel::Byte0:
  case Sel::Byte1:
  case Sel::Byte2:
  case Sel::Byte3:
    v = v >> (8 * unsigned(o.select)) & 0xff;
    return o.sext ? uint32_t(int8_t(v)) : v;
  case Sel::Word0:
  case Sel::Word1:
    v = v >> (16 * (unsigned(o.select) - 4)) & 0xffff;
    return o.sext ? uint32_t(int16_t(v)) : v;
  case Sel::Dword:
    return v;
  }
  return v;
}

/// Sources of type \p t for every lane. \p own is used when the register's row
/// cannot be.
template <class T>
const T *source(Wave &w, const Instruction &i, const Operand &o, bool permuted,
                T *own) {
  const unsigned lanes = w.lanes;
  if constexpr (std::is_same_v<T, Bit>) {
    uint64_t m = maskValue(w, o);
    for (unsigned l = 0; l != 64; ++l)
      own[l].set = m >> l & 1;
    return own;
  } else if constexpr (sizeof(T) == 8) {
    if (!o.isVector()) {
      T v = std::bit_cast<T>(scalarValue(w, o));
      if constexpr (std::is_same_v<T, double>) {
        if (o.abs)
          v = std::fabs(v);
        if (o.neg)
          v = -v;
      }
      std::fill_n(own, lanes, v);
      return own;
    }
    const uint32_t *lo = w.row(o.reg), *hi = w.row(o.reg + 1);
    alignas(64) uint32_t moved[2][64];
    if (permuted) {
      permute(w, i, lo, moved[0]);
      permute(w, i, hi, moved[1]);
      lo = moved[0];
      hi = moved[1];
    }
    for (unsigned l = 0; l != lanes; ++l)
      own[l] = std::bit_cast<T>(uint64_t(hi[l]) << 32 | lo[l]);
    if constexpr (std::is_same_v<T, double>) {
      if (o.abs)
        for (unsigned l = 0; l != lanes; ++l)
          own[l] = std::fabs(own[l]);
      if (o.neg)
        for (unsigned l = 0; l != lanes; ++l)
          own[l] = -own[l];
    }
    return own;
  } else {
    alignas(64) uint32_t bits[64];
    const uint32_t *p;
    if (o.isVector()) {
      p = w.row(o.reg);
      if (permuted) {
        permute(w, i, p, bits);
        p = bits;
      }
    } else {
      auto value = uint32_t(scalarValue(w, o));
      if constexpr (sizeof(T) == 4)
        if (!o.modified()) {
          std::fill_n(own, lanes, std::bit_cast<T>(value));
          return own;
        }
      std::fill_n(bits, lanes, value);
      p = bits;
    }
    if constexpr (sizeof(T) == 4) {
      if (p != bits && !o.modified())
        return reinterpret_cast<const T *>(p);
      const bool isNumber = std::is_same_v<T, float>;
      const uint32_t keep = isNumber && o.abs ? 0x7fffffff : ~0u,
                     turn = isNumber && o.neg ? 0x80000000 : 0;
      if (o.select == Sel::Dword)
        for (unsigned l = 0; l != lanes; ++l)
          own[l] = std::bit_cast<T>((p[l] & keep) ^ turn);
      else
        for (unsigned l = 0; l != lanes; ++l)
          own[l] = std::bit_cast<T>((selected(p[l], o) & keep) ^ turn);
    } else {
      if (!o.modified()) {
        for (unsigned l = 0; l != lanes; ++l)
          own[l] = std::bit_cast<T>(uint16_t(p[l]));
        return own;
      }
      for (unsigned l = 0; l != lanes; ++l) {
        uint32_t v = selected(p[l], o);
        if (o.high)
          v >>= 16;
        auto h = uint16_t(v);
        if constexpr (std::is_same_v<T, Half>) {
          if (o.abs)
            h &= 0x7fff;
          if (o.neg)
            h ^= 0x8000;
          own[l] = Half{h};
        } else {
          own[l] = T(h);
        }
      }
    }
    return own;
  }
}

template <class T>
const T *source(Wave &w, const Instruction &i, unsigned n, T *own) {
  return source(w, i, i.op[n], i.dppSources >> n & 1, own);
}

inline float omod(float f, int power) {
  return power == 1 ? f * 2 : power == 2 ? f * 4 : f * 0.5f;
}
inline double omod(double d, int power) {
  return power == 1 ? d * 2 : power == 2 ? d * 4 : d * 0.5;
}
template <class T> T clampFloat(T f) {
  return f > T(1) ? T(1) : f > T(0) ? f : T(0); // NaN becomes 0
}

/// Whether a 16-bit result leaves the other half of its register alone.
bool keepsHalf(const Wave &w, const Instruction &i);

/// Writes 32-bit results with what SDWA says of the destination.
void writeSelected(Wave &w, const Instruction &i, uint32_t *to,
                   const uint32_t *value, uint64_t active);

/// Writes results of type \p t to operand \p n for the active lanes.
template <class T>
void result(Wave &w, const Instruction &i, unsigned n, T *value) {
  const Operand &o = i.op[n];
  const unsigned lanes = w.lanes;
  uint64_t active = w.exec();
  if (i.dppKind != Dpp::None)
    active &= w.dppMask;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (i.omod)
      for (unsigned l = 0; l != lanes; ++l)
        value[l] = omod(value[l], i.omod);
    if (i.clamp)
      for (unsigned l = 0; l != lanes; ++l)
        value[l] = clampFloat(value[l]);
  }
  if constexpr (std::is_same_v<T, Half>) {
    if (i.clamp || i.omod)
      for (unsigned l = 0; l != lanes; ++l) {
        float f = floatFromHalf(value[l].bits);
        if (i.omod)
          f = omod(f, i.omod);
        value[l].bits = halfFromDouble(i.clamp ? clampFloat(f) : f);
      }
  }
  if constexpr (sizeof(T) == 8) {
    uint32_t *lo = w.row(o.reg), *hi = w.row(o.reg + 1);
    for (unsigned l = 0; l != lanes; ++l)
      if (active >> l & 1) {
        auto v = std::bit_cast<uint64_t>(value[l]);
        lo[l] = uint32_t(v);
        hi[l] = uint32_t(v >> 32);
      }
  } else if constexpr (sizeof(T) == 4) {
    uint32_t *to = w.row(o.reg);
    auto *from = reinterpret_cast<const uint32_t *>(value);
    if (i.modifiers & ModSdwa)
      return writeSelected(w, i, to, from, active);
    if (active == w.full) {
      memcpy(to, from, lanes * 4);
      return;
    }
    for (unsigned l = 0; l != lanes; ++l)
      to[l] = active >> l & 1 ? from[l] : to[l];
  } else {
    uint32_t *to = w.row(o.reg);
    if (i.modifiers & ModSdwa) {
      uint32_t wide[64];
      for (unsigned l = 0; l != lanes; ++l)
        wide[l] = std::bit_cast<uint16_t>(value[l]);
      return writeSelected(w, i, to, wide, active);
    }
    bool keep = o.half || o.high || keepsHalf(w, i);
    for (unsigned l = 0; l != lanes; ++l) {
      if (!(active >> l & 1))
        continue;
      uint32_t v = std::bit_cast<uint16_t>(value[l]);
      to[l] = o.high ? (to[l] & 0xffff) | v << 16
              : keep ? (to[l] & 0xffff0000) | v
                     : v;
    }
  }
}

/// Writes 32-bit results as they are for the active lanes.
template <class T> void writeLanes(Wave &w, const Operand &to, const T *value) {
  static_assert(sizeof(T) == 4);
  uint32_t *row = w.row(to.reg);
  const uint64_t active = w.exec();
  for (unsigned l = 0; l != w.lanes; ++l)
    row[l] = active >> l & 1 ? std::bit_cast<uint32_t>(value[l]) : row[l];
}

/// Sets the host's rounding and flushing as the wave's mode says, while any of
/// it differs from the usual.
class FloatMode {
public:
  /// Whether the mode for floats (or for doubles and halves) is that of C++.
  static bool isUsual(const Wave &w, bool single) {
    unsigned round = single ? w.mode & 3 : w.mode >> 2 & 3;
    unsigned denormals = single ? w.mode >> 4 & 3 : w.mode >> 6 & 3;
    return !round && denormals == 3;
  }
  FloatMode(const Wave &w, bool single) {
    if (!isUsual(w, single)) [[unlikely]]
      set(single ? w.mode & 3 : w.mode >> 2 & 3,
          single ? w.mode >> 4 & 3 : w.mode >> 6 & 3);
  }
  ~FloatMode() {
    if (changed) [[unlikely]]
      restore();
  }

private:
  void set(unsigned round, unsigned denormals);
  void restore();
  bool changed = false;
  unsigned before = 0;
};

template <class F>
struct Signature : Signature<decltype(&std::remove_cv_t<F>::operator())> {};
template <class C, class R, class... A> struct Signature<R (C::*)(A...) const> {
  using Result = R;
  static constexpr unsigned Count = sizeof...(A);
  template <unsigned N>
  using Argument = std::tuple_element_t<N, std::tuple<A...>>;
};

template <class T>
constexpr bool IsFloat = std::is_same_v<T, float> ||
                         std::is_same_v<T, double> || std::is_same_v<T, Half>;

/// Whether the processor has what XCC_SIMULATOR_WIDE code is compiled for. Such
/// code does what the plain code does, for more lanes at a time.
extern bool wide;
#define XCC_SIMULATOR_WIDE [[gnu::target("arch=x86-64-v3")]]

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_LANES_H
