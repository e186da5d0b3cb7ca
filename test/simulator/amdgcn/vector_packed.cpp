// Two operations in one lane
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VOP3P: op_sel says which half of each source the lower result is made of,
// op_sel_hi the upper one; neg_lo and neg_hi likewise. The mixed-precision
// instructions read these bits differently: op_sel_hi says that a source is
// 16 bits wide, op_sel which half that is.

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i16 = int16_t;

namespace {

float f(Half H) { return floatFromHalf(H.Bits); }
Half h(double D) { return Half{halfFromDouble(D)}; }

constexpr uint32_t PackedModifiers =
    ModOpSel | ModOpSelHi | ModNegHalves | ModClamp;

/// A source's 32 bits for every lane, whatever it is.
const u32 *words(Wave &W, const Operand &O, u32 *Own, unsigned Word = 0) {
  if (O.isVector())
    return W.row(O.Reg + Word);
  std::fill_n(Own, W.Lanes, u32(scalarValue(W, O) >> (32 * Word)));
  return Own;
}

/// Of 16-bit halves of type \p T.
template <class T, auto F> Semantics packed16() {
  constexpr unsigned Count = Signature<decltype(F)>::Count;
  Semantics S{[](Wave &W, const Instruction &I) {
                alignas(64) u32 Own[3][64], Out[64];
                const u32 *Source[3] = {};
                for (unsigned N = 0; N != Count; ++N)
                  Source[N] = words(W, I.Op[N + 1], Own[N]);
                for (unsigned L = 0; L != W.Lanes; ++L) {
                  u32 Result = 0;
                  for (unsigned Upper = 0; Upper != 2; ++Upper) {
                    T V[3] = {};
                    for (unsigned N = 0; N != Count; ++N) {
                      u32 Select = (Upper ? I.OpSelHi : I.OpSel) >> N & 1;
                      u16 Bits = u16(Source[N][L] >> (16 * Select));
                      if ((Upper ? I.NegHi : I.NegLo) >> N & 1)
                        Bits ^= 0x8000;
                      V[N] = std::bit_cast<T>(Bits);
                    }
                    T R;
                    if constexpr (Count == 2)
                      R = F(V[0], V[1]);
                    else
                      R = F(V[0], V[1], V[2]);
                    if constexpr (std::is_same_v<T, Half>)
                      if (I.Clamp)
                        R = h(clampFloat(f(R)));
                    Result |= u32(std::bit_cast<u16>(R)) << (16 * Upper);
                  }
                  Out[L] = Result;
                }
                result(W, I, 0, Out);
              },
              {},
              std::is_same_v<T, Half> ? PackedModifiers
                                      : PackedModifiers & ~ModClamp,
              1};
  for (unsigned N = 0; N != 4; ++N)
    S.Types[N] = std::is_same_v<T, Half> ? Type::PackedF16 : Type::Packed16;
  return S;
}

/// Of pairs of floats in two registers.
template <auto F> Semantics packed32() {
  constexpr unsigned Count = Signature<decltype(F)>::Count;
  Semantics S{[](Wave &W, const Instruction &I) {
                alignas(64) u32 Own[3][2][64];
                alignas(64) u64 Out[64];
                const u32 *Source[3][2] = {};
                for (unsigned N = 0; N != Count; ++N)
                  for (unsigned Word = 0; Word != 2; ++Word)
                    Source[N][Word] = words(W, I.Op[N + 1], Own[N][Word], Word);
                FloatMode Mode(W, true);
                for (unsigned L = 0; L != W.Lanes; ++L) {
                  u32 R[2];
                  for (unsigned Upper = 0; Upper != 2; ++Upper) {
                    float V[3] = {};
                    for (unsigned N = 0; N != Count; ++N) {
                      u32 Select = (Upper ? I.OpSelHi : I.OpSel) >> N & 1;
                      V[N] = asFloat(Source[N][Select][L]);
                      if ((Upper ? I.NegHi : I.NegLo) >> N & 1)
                        V[N] = -V[N];
                    }
                    float Value;
                    if constexpr (Count == 2)
                      Value = F(V[0], V[1]);
                    else
                      Value = F(V[0], V[1], V[2]);
                    R[Upper] = bitsOf(I.Clamp ? clampFloat(Value) : Value);
                  }
                  Out[L] = u64(R[1]) << 32 | R[0];
                }
                result(W, I, 0, Out);
              },
              {},
              PackedModifiers,
              1};
  for (unsigned N = 0; N != 4; ++N)
    S.Types[N] = Type::PackedF32;
  return S;
}

/// The lower result from the first source, the upper from the second.
void moveTwo(Wave &W, const Instruction &I) {
  alignas(64) u32 Own[2][64];
  alignas(64) u64 Out[64];
  const u32 *Lo = words(W, I.Op[1], Own[0], I.OpSel & 1);
  const u32 *Hi = words(W, I.Op[2], Own[1], I.OpSel >> 1 & 1);
  for (unsigned L = 0; L != W.Lanes; ++L)
    Out[L] = u64(Hi[L]) << 32 | Lo[L];
  result(W, I, 0, Out);
}

enum class Mix { Single, Low, High };

template <Mix To> void mixed(Wave &W, const Instruction &I) {
  alignas(64) u32 Own[3][64];
  alignas(64) float V[3][64];
  for (unsigned N = 0; N != 3; ++N) {
    const Operand &O = I.Op[N + 1];
    const u32 *Source = words(W, O, Own[N]);
    for (unsigned L = 0; L != W.Lanes; ++L) {
      float X = I.OpSelHi >> N & 1
                    ? floatFromHalf(u16(Source[L] >> (16 * (I.OpSel >> N & 1))))
                    : asFloat(Source[L]);
      if (O.Abs || (I.NegHi >> N & 1)) // neg_hi means abs here
        X = std::fabs(X);
      V[N][L] = O.Neg || (I.NegLo >> N & 1) ? -X : X;
    }
  }
  FloatMode Mode(W, true);
  alignas(64) float Single[64];
  alignas(64) u32 Out[64];
  const u32 *Old = W.row(I.Op[0].Reg);
  for (unsigned L = 0; L != W.Lanes; ++L) {
    Single[L] = arith(std::fma(V[0][L], V[1][L], V[2][L]));
    if (I.Clamp)
      Single[L] = clampFloat(Single[L]);
    if constexpr (To == Mix::Low)
      Out[L] = (Old[L] & 0xffff0000) | halfFromDouble(Single[L]);
    if constexpr (To == Mix::High)
      Out[L] = (Old[L] & 0xffff) | u32(halfFromDouble(Single[L])) << 16;
  }
  Instruction Plain;
  Plain.Op[0] = I.Op[0];
  if constexpr (To == Mix::Single)
    result(W, Plain, 0, Single);
  else
    result(W, Plain, 0, Out);
}

template <Mix To> Semantics mix() {
  return {mixed<To>,
          {Type::B32, Type::F32, Type::F32, Type::F32},
          PackedModifiers,
          1};
}

} // namespace

void addVectorPacked(Table &T) {
  T.add("v_pk_add_f16",
        packed16<Half, [](Half A, Half B) { return h(arith(f(A) + f(B))); }>());
  T.add("v_pk_mul_f16",
        packed16<Half, [](Half A, Half B) { return h(arith(f(A) * f(B))); }>());
  T.add("v_pk_fma_f16", packed16<Half, [](Half A, Half B, Half C) {
          return Half{halfFma(f(A), f(B), f(C))};
        }>());
  T.add("v_pk_min_f16 v_pk_min_num_f16",
        packed16<Half, [](Half A, Half B) { return h(minNum(f(A), f(B))); }>());
  T.add("v_pk_max_f16 v_pk_max_num_f16",
        packed16<Half, [](Half A, Half B) { return h(maxNum(f(A), f(B))); }>());
#define PACKED(name, type, expression)                                         \
  T.add("v_pk_" name,                                                          \
        packed16<type, [](type A, type B) { return type(expression); }>())
  PACKED("add_u16", u16, A + B);
  PACKED("add_i16", i16, A + B);
  PACKED("sub_u16", u16, A - B);
  PACKED("sub_i16", i16, A - B);
  PACKED("mul_lo_u16", u16, A * B);
  PACKED("min_u16", u16, A < B ? A : B);
  PACKED("max_u16", u16, A > B ? A : B);
  PACKED("min_i16", i16, A < B ? A : B);
  PACKED("max_i16", i16, A > B ? A : B);
  PACKED("lshlrev_b16", u16, B << (A & 15));
  PACKED("lshrrev_b16", u16, B >> (A & 15));
  PACKED("ashrrev_i16", i16, B >> (A & 15));
#undef PACKED
  T.add("v_pk_mad_u16",
        packed16<u16, [](u16 A, u16 B, u16 C) { return u16(A * B + C); }>());
  T.add("v_pk_mad_i16",
        packed16<i16, [](i16 A, i16 B, i16 C) { return i16(A * B + C); }>());
  T.add("v_pk_add_f32",
        packed32<[](float A, float B) { return arith(A + B); }>());
  T.add("v_pk_mul_f32",
        packed32<[](float A, float B) { return arith(A * B); }>());
  T.add("v_pk_fma_f32", packed32<[](float A, float B, float C) {
          return arith(std::fma(A, B, C));
        }>());
  T.add("v_pk_mov_b32", {moveTwo,
                         {Type::PackedF32, Type::PackedF32, Type::PackedF32},
                         PackedModifiers,
                         1});
  T.add("v_fma_mix_f32 v_mad_mix_f32", mix<Mix::Single>());
  T.add("v_fma_mixlo_f16 v_mad_mixlo_f16", mix<Mix::Low>());
  T.add("v_fma_mixhi_f16 v_mad_mixhi_f16", mix<Mix::High>());
}

} // namespace amdgcn
