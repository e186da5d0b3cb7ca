// Two operations in one lane
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VOP3P: op_sel says which half of each source the lower result is made of,
// op_sel_hi the upper one; neg_lo and neg_hi likewise. The mixed-precision
// instructions read these bits differently: op_sel_hi says that a source is
// 16 bits wide, op_sel which half that is.

#include "handlers.h"
#include "semantics.h"
#include <limits>

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i16 = int16_t;

namespace {

float f(Half h) { return floatFromHalf(h.bits); }
Half h(double d) { return Half{halfFromDouble(d)}; }

constexpr uint32_t PackedModifiers =
    ModOpSel | ModOpSelHi | ModNegHalves | ModClamp;

/// A source's 32 bits for every lane, whatever it is.
const u32 *words(Wave &w, const Operand &o, u32 *own, unsigned word = 0) {
  if (o.isVector())
    return w.row(o.reg + word);
  std::fill_n(own, w.lanes, u32(scalarValue(w, o) >> (32 * word)));
  return own;
}

/// Of 16-bit halves of type \p T. Of integers, F gives the result before it is
/// cut to 16 bits, or with clamp saturates.
template <class T, auto F> Semantics packed16() {
  constexpr unsigned count = Signature<decltype(F)>::Count;
  Semantics s{[](Wave &w, const Instruction &i) {
                alignas(64) u32 own[3][64], out[64];
                const u32 *source[3] = {};
                for (unsigned n = 0; n != count; ++n)
                  source[n] = words(w, i.op[n + 1], own[n]);
                for (unsigned l = 0; l != w.lanes; ++l) {
                  u32 result = 0;
                  for (unsigned upper = 0; upper != 2; ++upper) {
                    T v[3] = {};
                    for (unsigned n = 0; n != count; ++n) {
                      u32 select = (upper ? i.opSelHi : i.opSel) >> n & 1;
                      u16 bits = u16(source[n][l] >> (16 * select));
                      if ((upper ? i.negHi : i.negLo) >> n & 1)
                        bits ^= 0x8000;
                      v[n] = std::bit_cast<T>(bits);
                    }
                    auto wide = [&] {
                      if constexpr (count == 2)
                        return F(v[0], v[1]);
                      else
                        return F(v[0], v[1], v[2]);
                    }();
                    if constexpr (std::is_same_v<T, Half>) {
                      if (i.clamp)
                        wide = h(clampFloat(f(wide)));
                    } else if (i.clamp) {
                      using Limits = std::numeric_limits<T>;
                      wide = std::clamp<decltype(wide)>(wide, Limits::min(),
                                                        Limits::max());
                    }
                    T r = T(wide);
                    result |= u32(std::bit_cast<u16>(r)) << (16 * upper);
                  }
                  out[l] = result;
                }
                result(w, i, 0, out);
              },
              {},
              PackedModifiers,
              1};
  for (unsigned n = 0; n != 4; ++n)
    s.types[n] = std::is_same_v<T, Half> ? Type::PackedF16 : Type::Packed16;
  return s;
}

/// Of pairs of floats in two registers.
template <auto F> Semantics packed32() {
  constexpr unsigned count = Signature<decltype(F)>::Count;
  Semantics s{[](Wave &w, const Instruction &i) {
                alignas(64) u32 own[3][2][64];
                alignas(64) u64 out[64];
                const u32 *source[3][2] = {};
                for (unsigned n = 0; n != count; ++n)
                  for (unsigned word = 0; word != 2; ++word)
                    source[n][word] = words(w, i.op[n + 1], own[n][word], word);
                FloatMode mode(w, true);
                for (unsigned l = 0; l != w.lanes; ++l) {
                  u32 r[2];
                  for (unsigned upper = 0; upper != 2; ++upper) {
                    float v[3] = {};
                    for (unsigned n = 0; n != count; ++n) {
                      u32 select = (upper ? i.opSelHi : i.opSel) >> n & 1;
                      v[n] = asFloat(source[n][select][l]);
                      if ((upper ? i.negHi : i.negLo) >> n & 1)
                        v[n] = -v[n];
                    }
                    float value;
                    if constexpr (count == 2)
                      value = F(v[0], v[1]);
                    else
                      value = F(v[0], v[1], v[2]);
                    r[upper] = bitsOf(i.clamp ? clampFloat(value) : value);
                  }
                  out[l] = u64(r[1]) << 32 | r[0];
                }
                result(w, i, 0, out);
              },
              {},
              PackedModifiers,
              1};
  for (unsigned n = 0; n != 4; ++n)
    s.types[n] = Type::PackedF32;
  return s;
}

/// A dot product of integers of so many bits. neg_lo says of each factor that it
/// is signed (RDNA 3's manual, V_DOT4_I32_IU8).
template <unsigned Bits> void dotProduct(Wave &w, const Instruction &i) {
  alignas(64) u32 own[3][64], out[64];
  const u32 *source[3];
  for (unsigned n = 0; n != 3; ++n)
    source[n] = words(w, i.op[n + 1], own[n]);
  for (unsigned l = 0; l != w.lanes; ++l) {
    std::int64_t sum = std::int32_t(source[2][l]);
    for (unsigned at = 0; at != 32; at += Bits) {
      auto factor = [&](unsigned n) -> std::int64_t {
        const u32 bits = source[n][l] >> at << (32 - Bits);
        if (i.negLo >> n & 1)
          return std::int32_t(bits) >> (32 - Bits);
        return bits >> (32 - Bits);
      };
      sum += factor(0) * factor(1);
    }
    if (i.clamp)
      sum = std::clamp<std::int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                     std::numeric_limits<int32_t>::max());
    out[l] = u32(sum);
  }
  result(w, i, 0, out);
}
template <unsigned Bits> Semantics dot() {
  return {dotProduct<Bits>,
          {Type::B32, Type::B32, Type::B32, Type::B32},
          PackedModifiers,
          1};
}

float single(u16 bits, bool brain) {
  return brain ? asFloat(u32(bits) << 16) : floatFromHalf(bits);
}

/// The sum of two products of 16-bit numbers, in the order of their places, and of
/// a single: a third operand, or with \p Adds what the result's register holds.
template <bool Brain, bool Adds>
void dotOfHalves(Wave &w, const Instruction &i) {
  alignas(64) u32 own[3][64];
  alignas(64) float out[64];
  const u32 *source[3];
  for (unsigned n = 0; n != 3; ++n)
    source[n] = words(w, i.op[Adds && n == 2 ? 0 : n + 1], own[n]);
  FloatMode mode(w, true);
  for (unsigned l = 0; l != w.lanes; ++l) {
    float sum = asFloat(source[2][l]);
    if (!Adds && (i.negLo >> 2 & 1))
      sum = -sum;
    for (unsigned upper = 0; upper != 2; ++upper) {
      auto factor = [&](unsigned n) {
        const u32 select =
            Adds ? upper : (upper ? i.opSelHi : i.opSel) >> n & 1;
        const float v = single(u16(source[n][l] >> (16 * select)), Brain);
        return !Adds && ((upper ? i.negHi : i.negLo) >> n & 1) ? -v : v;
      };
      sum = arith(std::fma(factor(0), factor(1), sum));
    }
    out[l] = sum;
  }
  result(w, i, 0, out);
}
template <bool Brain, bool Adds> Semantics halves() {
  return {dotOfHalves<Brain, Adds>,
          {Type::F32, Type::B32, Type::B32, Type::F32},
          Adds ? uint32_t(ModDpp) : PackedModifiers,
          1};
}

/// The lower result from the first source, the upper from the second.
void moveTwo(Wave &w, const Instruction &i) {
  alignas(64) u32 own[2][64];
  alignas(64) u64 out[64];
  const u32 *lo = words(w, i.op[1], own[0], i.opSel & 1);
  const u32 *hi = words(w, i.op[2], own[1], i.opSel >> 1 & 1);
  for (unsigned l = 0; l != w.lanes; ++l)
    out[l] = u64(hi[l]) << 32 | lo[l];
  result(w, i, 0, out);
}

enum class Mix { Single, Low, High };

template <Mix To> void mixed(Wave &w, const Instruction &i) {
  alignas(64) u32 own[3][64];
  alignas(64) float v[3][64];
  for (unsigned n = 0; n != 3; ++n) {
    const Operand &o = i.op[n + 1];
    const u32 *source = words(w, o, own[n]);
    for (unsigned l = 0; l != w.lanes; ++l) {
      float x = i.opSelHi >> n & 1
                    ? floatFromHalf(u16(source[l] >> (16 * (i.opSel >> n & 1))))
                    : asFloat(source[l]);
      if (o.abs || (i.negHi >> n & 1)) // neg_hi means abs here
        x = std::fabs(x);
      v[n][l] = o.neg || (i.negLo >> n & 1) ? -x : x;
    }
  }
  FloatMode mode(w, true);
  alignas(64) float single[64];
  alignas(64) u32 out[64];
  const u32 *old = w.row(i.op[0].reg);
  for (unsigned l = 0; l != w.lanes; ++l) {
    single[l] = arith(std::fma(v[0][l], v[1][l], v[2][l]));
    if (i.clamp)
      single[l] = clampFloat(single[l]);
    if constexpr (To == Mix::Low)
      out[l] = (old[l] & 0xffff0000) | halfFromDouble(single[l]);
    if constexpr (To == Mix::High)
      out[l] = (old[l] & 0xffff) | u32(halfFromDouble(single[l])) << 16;
  }
  if constexpr (To == Mix::Single)
    writeLanes(w, i.op[0], single);
  else
    writeLanes(w, i.op[0], out);
}

template <Mix To> Semantics mix() {
  return {mixed<To>,
          {Type::B32, Type::F32, Type::F32, Type::F32},
          PackedModifiers,
          1};
}

} // namespace

void addVectorPacked(Table &t) {
  t.add("v_pk_add_f16",
        packed16<Half, [](Half a, Half b) { return h(arith(f(a) + f(b))); }>());
  t.add("v_pk_mul_f16",
        packed16<Half, [](Half a, Half b) { return h(arith(f(a) * f(b))); }>());
  t.add("v_pk_fma_f16", packed16<Half, [](Half a, Half b, Half c) {
          return Half{halfFma(f(a), f(b), f(c))};
        }>());
  t.add("v_pk_min_f16 v_pk_min_num_f16",
        packed16<Half, [](Half a, Half b) { return h(minNum(f(a), f(b))); }>());
  t.add("v_pk_max_f16 v_pk_max_num_f16",
        packed16<Half, [](Half a, Half b) { return h(maxNum(f(a), f(b))); }>());
  t.add(
      "v_pk_minimum_f16",
      packed16<Half, [](Half a, Half b) { return h(minimum(f(a), f(b))); }>());
  t.add(
      "v_pk_maximum_f16",
      packed16<Half, [](Half a, Half b) { return h(maximum(f(a), f(b))); }>());
  t.add("v_pk_minimum3_f16", packed16<Half, [](Half a, Half b, Half c) {
          return h(minimum(minimum(f(a), f(b)), f(c)));
        }>());
  t.add("v_pk_maximum3_f16", packed16<Half, [](Half a, Half b, Half c) {
          return h(maximum(maximum(f(a), f(b)), f(c)));
        }>());
#define PACKED(name, type, expression)                                         \
  t.add("v_pk_" name, packed16<type, [](type a, type b) {                      \
          return std::int64_t(expression);                                     \
        }>())
  PACKED("add_u16", u16, a + b);
  PACKED("add_i16", i16, a + b);
  PACKED("sub_u16", u16, a - b);
  PACKED("sub_i16", i16, a - b);
  PACKED("mul_lo_u16", u16, std::int64_t(a) * b);
  PACKED("min_u16", u16, a < b ? a : b);
  PACKED("max_u16", u16, a > b ? a : b);
  PACKED("min_i16", i16, a < b ? a : b);
  PACKED("max_i16", i16, a > b ? a : b);
  PACKED("lshlrev_b16", u16, b << (a & 15));
  PACKED("lshrrev_b16", u16, b >> (a & 15));
  PACKED("ashrrev_i16", i16, b >> (a & 15));
#undef PACKED
  t.add("v_pk_mad_u16", packed16<u16, [](u16 a, u16 b, u16 c) {
          return std::int64_t(a) * b + c;
        }>());
  t.add("v_pk_mad_i16", packed16<i16, [](i16 a, i16 b, i16 c) {
          return std::int64_t(a) * b + c;
        }>());
  t.add("v_pk_add_f32",
        packed32<[](float a, float b) { return arith(a + b); }>());
  t.add("v_pk_mul_f32",
        packed32<[](float a, float b) { return arith(a * b); }>());
  t.add("v_pk_fma_f32", packed32<[](float a, float b, float c) {
          return arith(std::fma(a, b, c));
        }>());
  t.add("v_pk_mov_b32", {moveTwo,
                         {Type::PackedF32, Type::PackedF32, Type::PackedF32},
                         PackedModifiers,
                         1});
  t.add("v_dot4_i32_iu8", dot<8>());
  t.add("v_dot8_i32_iu4", dot<4>());
  t.add("v_dot2_f32_f16", halves<false, false>());
  t.add("v_dot2c_f32_f16 v_dot2acc_f32_f16", halves<false, true>());
  t.add("v_dot2_f32_bf16", halves<true, false>());
  t.add("v_dot2c_f32_bf16 v_dot2acc_f32_bf16", halves<true, true>());
  t.add("v_fma_mix_f32 v_mad_mix_f32", mix<Mix::Single>());
  t.add("v_fma_mixlo_f16 v_mad_mixlo_f16", mix<Mix::Low>());
  t.add("v_fma_mixhi_f16 v_mad_mixhi_f16", mix<Mix::High>());
}

} // namespace amdgcn
