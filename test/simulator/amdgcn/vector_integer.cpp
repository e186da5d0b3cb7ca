// The vector unit's integers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

namespace {

/// "v_op dst, carry-out, src0, src1[, carry-in]" and the forms of SDWA and DPP.
template <auto F, bool In> Semantics carry() {
  Semantics S{[](Wave &W, const Instruction &I) {
                alignas(64) u32 A[64], B[64], Out[64];
                const u32 *Left = source(W, I, 2, A),
                          *Right = source(W, I, 3, B);
                u64 Carry = In ? maskValue(W, I.Op[4]) : 0, Result = 0;
                for (unsigned L = 0; L != W.Lanes; ++L) {
                  bool C = Carry >> L & 1;
                  Out[L] = F(Left[L], Right[L], C);
                  Result |= u64(C) << L;
                }
                u64 Active = W.exec();
                if (I.DppKind != Dpp::None)
                  Active &= W.DppMask;
                result(W, I, 0, Out);
                setMaskValue(W, I.Op[1], Result & Active);
              },
              {Type::B32, Type::Any, Type::B32, Type::B32, Type::Any},
              ModDpp | ModSdwa,
              2};
  return S;
}

/// Sums that saturate with clamp.
template <auto F, auto Saturate> Semantics clamped() {
  using T = typename Signature<decltype(F)>::template Argument<0>;
  Semantics S{[](Wave &W, const Instruction &I) {
                alignas(64) T A[64], B[64], Out[64];
                const T *Left = source(W, I, 1, A), *Right = source(W, I, 2, B);
                if (I.Clamp)
                  for (unsigned L = 0; L != W.Lanes; ++L)
                    Out[L] = Saturate(Left[L], Right[L]);
                else
                  for (unsigned L = 0; L != W.Lanes; ++L)
                    Out[L] = F(Left[L], Right[L]);
                result(W, I, 0, Out);
              },
              {typeOf<T>(), typeOf<T>(), typeOf<T>()},
              ModDpp | ModSdwa | ModClamp,
              1};
  if (sizeof(T) == 2)
    S.Modifiers |= ModOpSel;
  return S;
}

/// "v_mad dst64, carry-out, src0, src1, src2 (64 bits)".
template <class T> Semantics wideMad() {
  using Wide = std::conditional_t<std::is_signed_v<T>, i64, u64>;
  Semantics S{[](Wave &W, const Instruction &I) {
                alignas(64) T A[64], B[64];
                alignas(64) Wide C[64], Out[64];
                const T *X = source(W, I, 2, A), *Y = source(W, I, 3, B);
                const Wide *Z = source(W, I, 4, C);
                u64 Carry = 0;
                for (unsigned L = 0; L != W.Lanes; ++L) {
                  Wide P = Wide(X[L]) * Wide(Y[L]);
                  bool Over = __builtin_add_overflow(P, Z[L], &Out[L]);
                  Carry |= u64(Over) << L;
                }
                u64 Active = W.exec();
                result(W, I, 0, Out);
                setMaskValue(W, I.Op[1], Carry & Active);
              },
              {typeOf<Wide>(), Type::Any, Type::B32, Type::B32, typeOf<Wide>()},
              0,
              2};
  return S;
}

i32 signed24(u32 A) { return i32(A << 8) >> 8; }
u32 perm(u32 S0, u32 S1, u32 Selector) {
  u64 Data = u64(S0) << 32 | S1;
  u32 Out = 0;
  for (unsigned I = 0; I != 4; ++I) {
    u32 S = Selector >> (8 * I) & 0xff, B;
    if (S >= 13)
      B = 0xff;
    else if (S == 12)
      B = 0;
    else if (S >= 8) // the sign of a 16-bit half: bits 15, 31, 47, 63
      B = (Data >> (16 * (S - 8) + 15) & 1) ? 0xff : 0;
    else
      B = Data >> (8 * S) & 0xff;
    Out |= B << (8 * I);
  }
  return Out;
}

template <class T> T median(T A, T B, T C) {
  return std::max(std::min(A, B), std::min(std::max(A, B), C));
}

/// The sum of absolute differences of bytes.
u32 sad8(u32 A, u32 B, u32 C) {
  for (unsigned I = 0; I != 32; I += 8) {
    i32 D = i32(A >> I & 0xff) - i32(B >> I & 0xff);
    C += u32(D < 0 ? -D : D);
  }
  return C;
}

} // namespace

static void addSums(Table &T) {
  auto Add32 = clamped<[](u32 A, u32 B) { return A + B; },
                       [](u32 A, u32 B) {
                         u32 D;
                         return __builtin_add_overflow(A, B, &D) ? ~0u : D;
                       }>();
  T.add("v_add_u32 v_add_nc_u32", Add32);
  T.add("v_sub_u32 v_sub_nc_u32",
        clamped<[](u32 A, u32 B) { return A - B; },
                [](u32 A, u32 B) { return A < B ? 0 : A - B; }>());
  T.add("v_subrev_u32 v_subrev_nc_u32",
        clamped<[](u32 A, u32 B) { return B - A; },
                [](u32 A, u32 B) { return B < A ? 0 : B - A; }>());
  T.add("v_add_i32 v_add_nc_i32",
        clamped<[](i32 A, i32 B) { return i32(u32(A) + u32(B)); },
                [](i32 A, i32 B) {
                  i32 D;
                  return __builtin_add_overflow(A, B, &D)
                             ? A < 0 ? INT32_MIN : INT32_MAX
                             : D;
                }>());
  T.add("v_sub_i32 v_sub_nc_i32",
        clamped<[](i32 A, i32 B) { return i32(u32(A) - u32(B)); },
                [](i32 A, i32 B) {
                  i32 D;
                  return __builtin_sub_overflow(A, B, &D)
                             ? A < 0 ? INT32_MIN : INT32_MAX
                             : D;
                }>());
  T.add("v_add_u16 v_add_nc_u16",
        clamped<[](u16 A, u16 B) { return u16(A + B); },
                [](u16 A, u16 B) { return u16(std::min(A + B, 0xffff)); }>());
  T.add("v_sub_u16 v_sub_nc_u16",
        clamped<[](u16 A, u16 B) { return u16(A - B); },
                [](u16 A, u16 B) { return u16(std::max(A - B, 0)); }>());
  T.add("v_subrev_u16",
        clamped<[](u16 A, u16 B) { return u16(B - A); },
                [](u16 A, u16 B) { return u16(std::max(B - A, 0)); }>());
  T.add("v_add_i16 v_add_nc_i16",
        clamped<[](i16 A, i16 B) { return i16(A + B); },
                [](i16 A, i16 B) {
                  return i16(std::clamp(A + B, -0x8000, 0x7fff));
                }>());
  T.add("v_sub_i16 v_sub_nc_i16",
        clamped<[](i16 A, i16 B) { return i16(A - B); },
                [](i16 A, i16 B) {
                  return i16(std::clamp(A - B, -0x8000, 0x7fff));
                }>());

  auto Add = [](u32 A, u32 B, bool &C) {
    u64 D = u64(A) + B + C;
    C = D >> 32;
    return u32(D);
  };
  auto Sub = [](u32 A, u32 B, bool &C) {
    u32 D = A - B - C;
    C = u64(B) + C > A;
    return D;
  };
  auto Subrev = [](u32 A, u32 B, bool &C) {
    u32 D = B - A - C;
    C = u64(A) + C > B;
    return D;
  };
  T.add("v_add_co_u32", carry<Add, false>());
  T.add("v_sub_co_u32", carry<Sub, false>());
  T.add("v_subrev_co_u32", carry<Subrev, false>());
  T.add("v_addc_co_u32 v_add_co_ci_u32", carry<Add, true>());
  T.add("v_subb_co_u32 v_sub_co_ci_u32", carry<Sub, true>());
  T.add("v_subbrev_co_u32 v_subrev_co_ci_u32", carry<Subrev, true>());
  T.add("v_mad_u64_u32 v_mad_co_u64_u32", wideMad<u32>());
  T.add("v_mad_i64_i32 v_mad_co_i64_i32", wideMad<i32>());

  T.add("v_add3_u32", vector<[](u32 A, u32 B, u32 C) { return A + B + C; }>());
  T.add("v_add_lshl_u32",
        vector<[](u32 A, u32 B, u32 C) { return (A + B) << (C & 31); }>());
  T.add("v_lshl_add_u32",
        vector<[](u32 A, u32 B, u32 C) { return (A << (B & 31)) + C; }>());
  T.add("v_lshl_add_u64",
        vector<[](u64 A, u32 B, u64 C) { return (A << (B & 63)) + C; }>());
  T.add("v_xad_u32", vector<[](u32 A, u32 B, u32 C) { return (A ^ B) + C; }>());
  T.add("v_sad_u32", vector<[](u32 A, u32 B, u32 C) {
          return (A > B ? A - B : B - A) + C;
        }>());
  T.add("v_sad_u8",
        vector<[](u32 A, u32 B, u32 C) { return sad8(A, B, C); }>());
}

static void addProducts(Table &T) {
  T.add("v_mul_lo_u32", vector<[](u32 A, u32 B) { return A * B; }>());
  T.add("v_mul_hi_u32",
        vector<[](u32 A, u32 B) { return u32(u64(A) * B >> 32); }>());
  T.add("v_mul_hi_i32",
        vector<[](i32 A, i32 B) { return i32(i64(A) * B >> 32); }>());
  T.add("v_mul_u32_u24",
        vector<[](u32 A, u32 B) { return (A & 0xffffff) * (B & 0xffffff); }>());
  T.add("v_mul_i32_i24", vector<[](u32 A, u32 B) {
          return u32(signed24(A)) * u32(signed24(B));
        }>());
  T.add("v_mul_hi_u32_u24", vector<[](u32 A, u32 B) {
          return u32(u64(A & 0xffffff) * (B & 0xffffff) >> 32);
        }>());
  T.add("v_mul_hi_i32_i24", vector<[](u32 A, u32 B) {
          return u32(i64(signed24(A)) * signed24(B) >> 32);
        }>());
  T.add("v_mad_u32_u24", vector<[](u32 A, u32 B, u32 C) {
          return (A & 0xffffff) * (B & 0xffffff) + C;
        }>());
  T.add("v_mad_i32_i24", vector<[](u32 A, u32 B, u32 C) {
          return u32(signed24(A)) * u32(signed24(B)) + C;
        }>());
  T.add("v_mul_lo_u16", vector<[](u16 A, u16 B) { return u16(A * B); }>());
  T.add("v_mad_u16 v_mad_i16",
        vector<[](u16 A, u16 B, u16 C) { return u16(A * B + C); }>());
  T.add("v_mad_legacy_u16 v_mad_legacy_i16",
        vector<[](u16 A, u16 B, u16 C) { return u16(A * B + C); }>());
  T.add("v_mad_u32_u16",
        vector<[](u16 A, u16 B, u32 C) { return u32(A) * B + C; }>());
  T.add("v_mad_i32_i16",
        vector<[](i16 A, i16 B, u32 C) { return u32(i32(A) * B) + C; }>());
  auto Dot4 = [](u32 A, u32 B, u32 C) {
    for (unsigned I = 0; I != 32; I += 8)
      C += (A >> I & 0xff) * (B >> I & 0xff);
    return C;
  };
  auto Dot4Signed = [](u32 A, u32 B, u32 C) {
    for (unsigned I = 0; I != 32; I += 8)
      C += u32(int8_t(A >> I) * int8_t(B >> I));
    return C;
  };
  T.add("v_dot4_u32_u8", vector<Dot4>());
  T.add("v_dot4_i32_i8", vector<Dot4Signed>());
  T.add("v_dot2_u32_u16", vector<[](u32 A, u32 B, u32 C) {
          return (A & 0xffff) * (B & 0xffff) + (A >> 16) * (B >> 16) + C;
        }>());
  T.add("v_dot2_i32_i16", vector<[](u32 A, u32 B, u32 C) {
          return u32(i16(A) * i16(B)) + u32(i16(A >> 16) * i16(B >> 16)) + C;
        }>());
}

static void addBits(Table &T) {
  T.add("v_mov_b32 v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32 "
        "v_accvgpr_read v_accvgpr_write",
        vector<[](u32 A) { return A; }>());
  T.add("v_mov_b64", vector<[](u64 A) { return A; }>());
  T.add("v_mov_b16", vector<[](u16 A) { return A; }>());
  T.add("v_not_b32", vector<[](u32 A) { return ~A; }>());
  T.add("v_not_b16", vector<[](u16 A) { return u16(~A); }>());
  T.add("v_and_b32", vector<[](u32 A, u32 B) { return A & B; }>());
  T.add("v_or_b32", vector<[](u32 A, u32 B) { return A | B; }>());
  T.add("v_xor_b32", vector<[](u32 A, u32 B) { return A ^ B; }>());
  T.add("v_xnor_b32", vector<[](u32 A, u32 B) { return ~(A ^ B); }>());
  T.add("v_and_b16", vector<[](u16 A, u16 B) { return u16(A & B); }>());
  T.add("v_or_b16", vector<[](u16 A, u16 B) { return u16(A | B); }>());
  T.add("v_xor_b16", vector<[](u16 A, u16 B) { return u16(A ^ B); }>());
  T.add("v_and_or_b32",
        vector<[](u32 A, u32 B, u32 C) { return (A & B) | C; }>());
  T.add("v_or3_b32", vector<[](u32 A, u32 B, u32 C) { return A | B | C; }>());
  T.add("v_xor3_b32", vector<[](u32 A, u32 B, u32 C) { return A ^ B ^ C; }>());
  T.add("v_lshl_or_b32",
        vector<[](u32 A, u32 B, u32 C) { return A << (B & 31) | C; }>());
  T.add("v_lshlrev_b32", vector<[](u32 A, u32 B) { return B << (A & 31); }>());
  T.add("v_lshrrev_b32", vector<[](u32 A, u32 B) { return B >> (A & 31); }>());
  T.add("v_ashrrev_i32", vector<[](u32 A, i32 B) { return B >> (A & 31); }>());
  T.add("v_lshlrev_b64", vector<[](u32 A, u64 B) { return B << (A & 63); }>());
  T.add("v_lshrrev_b64", vector<[](u32 A, u64 B) { return B >> (A & 63); }>());
  T.add("v_ashrrev_i64", vector<[](u32 A, i64 B) { return B >> (A & 63); }>());
  T.add("v_lshlrev_b16",
        vector<[](u16 A, u16 B) { return u16(B << (A & 15)); }>());
  T.add("v_lshrrev_b16",
        vector<[](u16 A, u16 B) { return u16(B >> (A & 15)); }>());
  T.add("v_ashrrev_i16",
        vector<[](u16 A, i16 B) { return i16(B >> (A & 15)); }>());
  T.add("v_bfe_u32", vector<[](u32 A, u32 B, u32 C) {
          B &= 31;
          C &= 31;
          return A >> B & ((1u << C) - 1);
        }>());
  T.add("v_bfe_i32", vector<[](i32 A, u32 B, u32 C) {
          B &= 31;
          C &= 31;
          if (!C)
            return 0;
          return B + C >= 32 ? A >> B : i32(u32(A) << (32 - B - C)) >> (32 - C);
        }>());
  T.add("v_bfi_b32",
        vector<[](u32 A, u32 B, u32 C) { return (A & B) | (~A & C); }>());
  T.add("v_bfm_b32", vector<[](u32 A, u32 B) {
          return ((1u << (A & 31)) - 1) << (B & 31);
        }>());
  T.add("v_alignbit_b32", vector<[](u32 A, u32 B, u32 C) {
          return u32((u64(A) << 32 | B) >> (C & 31));
        }>());
  T.add("v_alignbyte_b32", vector<[](u32 A, u32 B, u32 C) {
          return u32((u64(A) << 32 | B) >> (8 * (C & 3)));
        }>());
  T.add("v_perm_b32",
        vector<[](u32 A, u32 B, u32 C) { return perm(A, B, C); }>());
  T.add("v_bfrev_b32",
        vector<[](u32 A) { return __builtin_bitreverse32(A); }>());
  T.add("v_ffbh_u32 v_clz_i32_u32",
        vector<[](u32 A) { return A ? u32(std::countl_zero(A)) : ~0u; }>());
  T.add("v_ffbl_b32 v_ctz_i32_b32",
        vector<[](u32 A) { return A ? u32(std::countr_zero(A)) : ~0u; }>());
  T.add("v_ffbh_i32 v_cls_i32", vector<[](i32 A) {
          u32 X = A < 0 ? ~u32(A) : u32(A);
          return X ? i32(std::countl_zero(X)) : -1;
        }>());
  T.add("v_bcnt_u32_b32",
        vector<[](u32 A, u32 B) { return u32(std::popcount(A)) + B; }>());
}

static void addOrders(Table &T) {
#define ORDER(kind, type, U)                                                   \
  T.add("v_min_" kind,                                                         \
        vector<[](type A, type B) { return A < B ? A : B; }>());               \
  T.add("v_max_" kind, vector<[](type A, type B) { return A > B ? A : B; }>())
  ORDER("u32", u32, );
  ORDER("i32", i32, );
  ORDER("u16", u16, );
  ORDER("i16", i16, );
#undef ORDER
#define THREE(kind, type)                                                      \
  T.add("v_min3_" kind, vector<[](type A, type B, type C) {                    \
          return std::min(std::min(A, B), C);                                  \
        }>());                                                                 \
  T.add("v_max3_" kind, vector<[](type A, type B, type C) {                    \
          return std::max(std::max(A, B), C);                                  \
        }>());                                                                 \
  T.add("v_med3_" kind,                                                        \
        vector<[](type A, type B, type C) { return median(A, B, C); }>())
  THREE("u32", u32);
  THREE("i32", i32);
  THREE("u16", u16);
  THREE("i16", i16);
#undef THREE
#define TWO_STEPS(kind, type)                                                  \
  T.add("v_maxmin_" kind, vector<[](type A, type B, type C) {                  \
          return std::min(std::max(A, B), C);                                  \
        }>());                                                                 \
  T.add("v_minmax_" kind, vector<[](type A, type B, type C) {                  \
          return std::max(std::min(A, B), C);                                  \
        }>())
  TWO_STEPS("u32", u32);
  TWO_STEPS("i32", i32);
#undef TWO_STEPS
}

void addVectorInteger(Table &T) {
  addSums(T);
  addProducts(T);
  addBits(T);
  addOrders(T);
  T.add("v_nop v_pipeflush", {[](Wave &, const Instruction &) {}});
  // "v_cndmask dst, src0, src1, mask". The modifiers are those of floats.
  T.add("v_cndmask_b32",
        vector<[](float A, float B, Bit C) { return C.Set ? B : A; }>());
  T.add("v_cndmask_b16",
        vector<[](Half A, Half B, Bit C) { return C.Set ? B : A; }>());
}

} // namespace amdgcn
