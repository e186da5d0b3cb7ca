// The vector unit's integers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "handlers.h"
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
template <auto F, bool In> struct Carry {
  static void run(Wave &w, const Instruction &i) {
    alignas(64) u32 a[64], b[64], out[64];
    const u32 *left = source(w, i, 2, a), *right = source(w, i, 3, b);
    u64 carry = In ? maskValue(w, i.op[4]) : 0, carried = 0;
    for (unsigned l = 0; l != w.lanes; ++l) {
      bool c = carry >> l & 1;
      out[l] = F(left[l], right[l], c);
      carried |= u64(c) << l;
    }
    u64 active = w.exec();
    if (i.dppKind != Dpp::None)
      active &= w.dppMask;
    result(w, i, 0, out);
    setMaskValue(w, i.op[1], carried & active);
  }
  template <unsigned Lanes>
  XCC_SIMULATOR_WIDE static void lanes(Wave &w, const Instruction &i) {
    Room<Lanes> a, b;
    const PlainSource<u32, Lanes> left(w, i.op[2], a), right(w, i.op[3], b);
    const PlainMask carry(In ? maskValue(w, i.op[4]) : 0);
    alignas(32) uint8_t carried[Lanes];
    plainResult<u32, Lanes>(
        w, i, [&](unsigned l) __attribute__((always_inline)) {
          bool c = carry[l];
          u32 out;
          [[clang::always_inline]] out = F(left[l], right[l], c);
          carried[l] = c;
          return out;
        });
    setMaskValue(w, i.op[1], bitsOfBytes<Lanes>(carried) & w.exec());
  }
  static Semantics semantics() {
    return {run,
            {Type::B32, Type::Any, Type::B32, Type::B32, Type::Any},
            ModDpp | ModSdwa,
            2,
            forLanes<lanes<32>, lanes<64>>};
  }
};
template <auto F, bool In> Semantics carry() {
  return Carry<F, In>::semantics();
}

/// Sums that saturate with clamp.
template <auto F, auto Saturate> Semantics clamped() {
  using T = typename Signature<decltype(F)>::template Argument<0>;
  static constexpr Handler general = [](Wave &w, const Instruction &i) {
    alignas(64) T a[64], b[64], out[64];
    const T *left = source(w, i, 1, a), *right = source(w, i, 2, b);
    if (i.clamp)
      for (unsigned l = 0; l != w.lanes; ++l)
        out[l] = Saturate(left[l], right[l]);
    else
      for (unsigned l = 0; l != w.lanes; ++l)
        out[l] = F(left[l], right[l]);
    result(w, i, 0, out);
  };
  Semantics s{general,
              {typeOf<T>(), typeOf<T>(), typeOf<T>()},
              ModDpp | ModSdwa | ModClamp,
              1,
              Plain<F, general, T, T, T>::template run<1, 2>};
  if (sizeof(T) == 2)
    s.modifiers |= ModOpSel;
  return s;
}

/// "v_mad dst64, carry-out, src0, src1, src2 (64 bits)".
/// Any function of three bits, by its table.
template <class T> void bitop3(Wave &w, const Instruction &i) {
  alignas(64) T own[3][64], out[64];
  const T *a = source(w, i, 1, own[0]), *b = source(w, i, 2, own[1]),
          *c = source(w, i, 3, own[2]);
  for (unsigned l = 0; l != w.lanes; ++l) {
    T v = 0;
    for (unsigned n = 0; n != 8; ++n)
      if (i.table >> n & 1)
        v |= T((n & 4 ? a[l] : ~a[l]) & (n & 2 ? b[l] : ~b[l]) &
               (n & 1 ? c[l] : ~c[l]));
    out[l] = v;
  }
  result(w, i, 0, out);
}

template <class T> struct WideMad {
  using Wide = std::conditional_t<std::is_signed_v<T>, i64, u64>;
  static void run(Wave &w, const Instruction &i) {
    alignas(64) T a[64], b[64];
    alignas(64) Wide c[64], out[64];
    const T *x = source(w, i, 2, a), *y = source(w, i, 3, b);
    const Wide *z = source(w, i, 4, c);
    u64 carry = 0;
    for (unsigned l = 0; l != w.lanes; ++l) {
      Wide p = Wide(x[l]) * Wide(y[l]);
      bool over = __builtin_add_overflow(p, z[l], &out[l]);
      carry |= u64(over) << l;
    }
    u64 active = w.exec();
    result(w, i, 0, out);
    setMaskValue(w, i.op[1], carry & active);
  }
  template <unsigned Lanes>
  XCC_SIMULATOR_WIDE static void lanes(Wave &w, const Instruction &i) {
    Room<Lanes> a, b, c;
    const PlainSource<T, Lanes> x(w, i.op[2], a), y(w, i.op[3], b);
    const PlainSource<Wide, Lanes> z(w, i.op[4], c);
    // Mostly nobody asks for the carry.
    if (i.op[1].k == Operand::Off)
      return plainResult<Wide, Lanes>(
          w, i, [&](unsigned l) __attribute__((always_inline)) {
            return u64(Wide(x[l]) * Wide(y[l])) + u64(z[l]);
          });
    alignas(32) uint8_t carried[Lanes];
    plainResult<Wide, Lanes>(
        w, i, [&](unsigned l) __attribute__((always_inline)) {
          const auto p = u64(Wide(x[l]) * Wide(y[l])), q = u64(z[l]),
                     sum = p + q;
          // The sign differs from that of both.
          carried[l] =
              std::is_signed_v<T> ? ((p ^ sum) & (q ^ sum)) >> 63 : sum < p;
          return sum;
        });
    setMaskValue(w, i.op[1], bitsOfBytes<Lanes>(carried) & w.exec());
  }
  static Semantics semantics() {
    return {run,
            {typeOf<Wide>(), Type::Any, Type::B32, Type::B32, typeOf<Wide>()},
            0,
            2,
            forLanes<lanes<32>, lanes<64>>};
  }
};

i32 signed24(u32 a) { return i32(a << 8) >> 8; }
u32 perm(u32 s0, u32 s1, u32 selector) {
  u64 data = u64(s0) << 32 | s1;
  u32 out = 0;
  for (unsigned i = 0; i != 4; ++i) {
    u32 s = selector >> (8 * i) & 0xff, b;
    if (s >= 13)
      b = 0xff;
    else if (s == 12)
      b = 0;
    else if (s >= 8) // the sign of a 16-bit half: bits 15, 31, 47, 63
      b = (data >> (16 * (s - 8) + 15) & 1) ? 0xff : 0;
    else
      b = data >> (8 * s) & 0xff;
    out |= b << (8 * i);
  }
  return out;
}

template <class T> T median(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// The sum of absolute differences of bytes.
u32 sad8(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i != 32; i += 8) {
    i32 d = i32(a >> i & 0xff) - i32(b >> i & 0xff);
    c += u32(d < 0 ? -d : d);
  }
  return c;
}

} // namespace

static void addSums(Table &t) {
  auto add32 = clamped<[](u32 a, u32 b) { return a + b; },
                       [](u32 a, u32 b) {
                         u32 d;
                         return __builtin_add_overflow(a, b, &d) ? ~0u : d;
                       }>();
  t.add("v_add_u32 v_add_nc_u32", add32);
  t.add("v_sub_u32 v_sub_nc_u32",
        clamped<[](u32 a, u32 b) { return a - b; },
                [](u32 a, u32 b) { return a < b ? 0 : a - b; }>());
  t.add("v_subrev_u32 v_subrev_nc_u32",
        clamped<[](u32 a, u32 b) { return b - a; },
                [](u32 a, u32 b) { return b < a ? 0 : b - a; }>());
  t.add("v_add_i32 v_add_nc_i32",
        clamped<[](i32 a, i32 b) { return i32(u32(a) + u32(b)); },
                [](i32 a, i32 b) {
                  i32 d;
                  return __builtin_add_overflow(a, b, &d)
                             ? a < 0 ? INT32_MIN : INT32_MAX
                             : d;
                }>());
  t.add("v_sub_i32 v_sub_nc_i32",
        clamped<[](i32 a, i32 b) { return i32(u32(a) - u32(b)); },
                [](i32 a, i32 b) {
                  i32 d;
                  return __builtin_sub_overflow(a, b, &d)
                             ? a < 0 ? INT32_MIN : INT32_MAX
                             : d;
                }>());
  t.add("v_add_u16 v_add_nc_u16",
        clamped<[](u16 a, u16 b) { return u16(a + b); },
                [](u16 a, u16 b) { return u16(std::min(a + b, 0xffff)); }>());
  t.add("v_sub_u16 v_sub_nc_u16",
        clamped<[](u16 a, u16 b) { return u16(a - b); },
                [](u16 a, u16 b) { return u16(std::max(a - b, 0)); }>());
  t.add("v_subrev_u16",
        clamped<[](u16 a, u16 b) { return u16(b - a); },
                [](u16 a, u16 b) { return u16(std::max(b - a, 0)); }>());
  t.add("v_add_i16 v_add_nc_i16",
        clamped<[](i16 a, i16 b) { return i16(a + b); },
                [](i16 a, i16 b) {
                  return i16(std::clamp(a + b, -0x8000, 0x7fff));
                }>());
  t.add("v_sub_i16 v_sub_nc_i16",
        clamped<[](i16 a, i16 b) { return i16(a - b); },
                [](i16 a, i16 b) {
                  return i16(std::clamp(a - b, -0x8000, 0x7fff));
                }>());

  auto add = [](u32 a, u32 b, bool &c) {
    u64 d = u64(a) + b + c;
    c = d >> 32;
    return u32(d);
  };
  auto sub = [](u32 a, u32 b, bool &c) {
    u32 d = a - b - c;
    c = u64(b) + c > a;
    return d;
  };
  auto subrev = [](u32 a, u32 b, bool &c) {
    u32 d = b - a - c;
    c = u64(a) + c > b;
    return d;
  };
  t.add("v_add_co_u32", carry<add, false>());
  t.add("v_sub_co_u32", carry<sub, false>());
  t.add("v_subrev_co_u32", carry<subrev, false>());
  t.add("v_addc_co_u32 v_add_co_ci_u32", carry<add, true>());
  t.add("v_subb_co_u32 v_sub_co_ci_u32", carry<sub, true>());
  t.add("v_subbrev_co_u32 v_subrev_co_ci_u32", carry<subrev, true>());
  t.add("v_mad_u64_u32 v_mad_co_u64_u32", WideMad<u32>::semantics());
  t.add("v_mad_i64_i32 v_mad_co_i64_i32", WideMad<i32>::semantics());

  t.add("v_add3_u32", vector<[](u32 a, u32 b, u32 c) { return a + b + c; }>());
  t.add("v_add_lshl_u32",
        vector<[](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }>());
  t.add("v_lshl_add_u32",
        vector<[](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }>());
  t.add("v_lshl_add_u64",
        vector<[](u64 a, u32 b, u64 c) { return (a << (b & 63)) + c; }>());
  t.add("v_xad_u32", vector<[](u32 a, u32 b, u32 c) { return (a ^ b) + c; }>());
  t.add("v_sad_u32", vector<[](u32 a, u32 b, u32 c) {
          return (a > b ? a - b : b - a) + c;
        }>());
  t.add("v_sad_u16", vector<[](u32 a, u32 b, u32 c) {
          for (unsigned at = 0; at != 32; at += 16)
            c += u32(std::abs(i32(a >> at & 0xffff) - i32(b >> at & 0xffff)));
          return c;
        }>());
  t.add("v_sad_u8",
        vector<[](u32 a, u32 b, u32 c) { return sad8(a, b, c); }>());
}

static void addProducts(Table &t) {
  t.add("v_mul_lo_u32", vector<[](u32 a, u32 b) { return a * b; }>());
  t.add("v_mul_hi_u32",
        vector<[](u32 a, u32 b) { return u32(u64(a) * b >> 32); }>());
  t.add("v_mul_hi_i32",
        vector<[](i32 a, i32 b) { return i32(i64(a) * b >> 32); }>());
  t.add("v_mul_u32_u24",
        vector<[](u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }>());
  t.add("v_mul_i32_i24", vector<[](u32 a, u32 b) {
          return u32(signed24(a)) * u32(signed24(b));
        }>());
  t.add("v_mul_hi_u32_u24", vector<[](u32 a, u32 b) {
          return u32(u64(a & 0xffffff) * (b & 0xffffff) >> 32);
        }>());
  t.add("v_mul_hi_i32_i24", vector<[](u32 a, u32 b) {
          return u32(i64(signed24(a)) * signed24(b) >> 32);
        }>());
  t.add("v_mad_u32_u24", vector<[](u32 a, u32 b, u32 c) {
          return (a & 0xffffff) * (b & 0xffffff) + c;
        }>());
  t.add("v_mad_i32_i24", vector<[](u32 a, u32 b, u32 c) {
          return u32(signed24(a)) * u32(signed24(b)) + c;
        }>());
  t.add("v_mul_lo_u16", vector<[](u16 a, u16 b) { return u16(a * b); }>());
  t.add("v_mad_u16 v_mad_i16",
        vector<[](u16 a, u16 b, u16 c) { return u16(a * b + c); }>());
  t.add("v_mad_legacy_u16 v_mad_legacy_i16",
        vector<[](u16 a, u16 b, u16 c) { return u16(a * b + c); }>());
  t.add("v_mad_u32_u16",
        vector<[](u16 a, u16 b, u32 c) { return u32(a) * b + c; }>());
  t.add("v_mad_i32_i16",
        vector<[](i16 a, i16 b, u32 c) { return u32(i32(a) * b) + c; }>());
  auto dot4 = [](u32 a, u32 b, u32 c) {
    for (unsigned i = 0; i != 32; i += 8)
      c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
  };
  auto dot4Signed = [](u32 a, u32 b, u32 c) {
    for (unsigned i = 0; i != 32; i += 8)
      c += u32(int8_t(a >> i) * int8_t(b >> i));
    return c;
  };
  t.add("v_dot4_u32_u8", vector<dot4>());
  t.add("v_dot4_i32_i8", vector<dot4Signed>());
  t.add("v_dot4c_i32_i8", accumulate<u32, dot4Signed>());
  t.add("v_dot8_u32_u4", vector<[](u32 a, u32 b, u32 c) {
          for (unsigned at = 0; at != 32; at += 4)
            c += (a >> at & 15) * (b >> at & 15);
          return c;
        }>());
  static constexpr auto dot8Signed = [](u32 a, u32 b, u32 c) {
    for (unsigned at = 0; at != 32; at += 4)
      c += u32((i32(a << (28 - at)) >> 28) * (i32(b << (28 - at)) >> 28));
    return c;
  };
  t.add("v_dot8_i32_i4", vector<dot8Signed>());
  t.add("v_dot8c_i32_i4", accumulate<u32, dot8Signed>());
  t.add("v_dot2c_i32_i16", accumulate<u32, [](u32 a, u32 b, u32 c) {
          return c + u32(i32(int16_t(a)) * int16_t(b)) +
                 u32(i32(int16_t(a >> 16)) * int16_t(b >> 16));
        }>());
  t.add("v_dot2_u32_u16", vector<[](u32 a, u32 b, u32 c) {
          return (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16) + c;
        }>());
  t.add("v_dot2_i32_i16", vector<[](u32 a, u32 b, u32 c) {
          return u32(i16(a) * i16(b)) + u32(i16(a >> 16) * i16(b >> 16)) + c;
        }>());
}

static void addBits(Table &t) {
  t.add("v_mov_b32 v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32 "
        "v_accvgpr_read v_accvgpr_write",
        vector<[](u32 a) { return a; }>());
  t.add("v_mov_b64", vector<[](u64 a) { return a; }>());
  t.add("v_mov_b16", vector<[](u16 a) { return a; }>());
  t.add("v_not_b32", vector<[](u32 a) { return ~a; }>());
  t.add("v_not_b16", vector<[](u16 a) { return u16(~a); }>());
  t.add("v_and_b32", vector<[](u32 a, u32 b) { return a & b; }>());
  t.add("v_or_b32", vector<[](u32 a, u32 b) { return a | b; }>());
  t.add("v_xor_b32", vector<[](u32 a, u32 b) { return a ^ b; }>());
  t.add("v_xnor_b32", vector<[](u32 a, u32 b) { return ~(a ^ b); }>());
  t.add("v_and_b16", vector<[](u16 a, u16 b) { return u16(a & b); }>());
  t.add("v_or_b16", vector<[](u16 a, u16 b) { return u16(a | b); }>());
  t.add("v_xor_b16", vector<[](u16 a, u16 b) { return u16(a ^ b); }>());
  t.add("v_bitop3_b32",
        {bitop3<u32>, {Type::B32, Type::B32, Type::B32, Type::B32}, ModTable});
  t.add("v_bitop3_b16", {bitop3<u16>,
                         {Type::B16, Type::B16, Type::B16, Type::B16},
                         ModTable | ModOpSel});
  t.add("v_and_or_b32",
        vector<[](u32 a, u32 b, u32 c) { return (a & b) | c; }>());
  t.add("v_or3_b32", vector<[](u32 a, u32 b, u32 c) { return a | b | c; }>());
  t.add("v_xor3_b32", vector<[](u32 a, u32 b, u32 c) { return a ^ b ^ c; }>());
  t.add("v_lshl_or_b32",
        vector<[](u32 a, u32 b, u32 c) { return a << (b & 31) | c; }>());
  t.add("v_lshlrev_b32", vector<[](u32 a, u32 b) { return b << (a & 31); }>());
  t.add("v_lshrrev_b32", vector<[](u32 a, u32 b) { return b >> (a & 31); }>());
  t.add("v_ashrrev_i32", vector<[](u32 a, i32 b) { return b >> (a & 31); }>());
  t.add("v_lshlrev_b64", vector<[](u32 a, u64 b) { return b << (a & 63); }>());
  t.add("v_lshrrev_b64", vector<[](u32 a, u64 b) { return b >> (a & 63); }>());
  t.add("v_ashrrev_i64", vector<[](u32 a, i64 b) { return b >> (a & 63); }>());
  t.add("v_lshlrev_b16",
        vector<[](u16 a, u16 b) { return u16(b << (a & 15)); }>());
  t.add("v_lshrrev_b16",
        vector<[](u16 a, u16 b) { return u16(b >> (a & 15)); }>());
  t.add("v_ashrrev_i16",
        vector<[](u16 a, i16 b) { return i16(b >> (a & 15)); }>());
  t.add("v_bfe_u32", vector<[](u32 a, u32 b, u32 c) {
          b &= 31;
          c &= 31;
          return a >> b & ((1u << c) - 1);
        }>());
  t.add("v_bfe_i32", vector<[](i32 a, u32 b, u32 c) {
          b &= 31;
          c &= 31;
          if (!c)
            return 0;
          return b + c >= 32 ? a >> b : i32(u32(a) << (32 - b - c)) >> (32 - c);
        }>());
  t.add("v_bfi_b32",
        vector<[](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }>());
  t.add("v_bfm_b32", vector<[](u32 a, u32 b) {
          return ((1u << (a & 31)) - 1) << (b & 31);
        }>());
  t.add("v_alignbit_b32", vector<[](u32 a, u32 b, u32 c) {
          return u32((u64(a) << 32 | b) >> (c & 31));
        }>());
  t.add("v_alignbyte_b32", vector<[](u32 a, u32 b, u32 c) {
          return u32((u64(a) << 32 | b) >> (8 * (c & 3)));
        }>());
  t.add("v_perm_b32",
        vector<[](u32 a, u32 b, u32 c) { return perm(a, b, c); }>());
  t.add("v_bfrev_b32",
        vector<[](u32 a) { return __builtin_bitreverse32(a); }>());
  t.add("v_ffbh_u32 v_clz_i32_u32",
        vector<[](u32 a) { return a ? u32(std::countl_zero(a)) : ~0u; }>());
  t.add("v_ffbl_b32 v_ctz_i32_b32",
        vector<[](u32 a) { return a ? u32(std::countr_zero(a)) : ~0u; }>());
  t.add("v_ffbh_i32 v_cls_i32", vector<[](i32 a) {
          u32 x = a < 0 ? ~u32(a) : u32(a);
          return x ? i32(std::countl_zero(x)) : -1;
        }>());
  t.add("v_bcnt_u32_b32",
        vector<[](u32 a, u32 b) { return u32(std::popcount(a)) + b; }>());
}

static void addOrders(Table &t) {
#define ORDER(kind, type, U)                                                   \
  t.add("v_min_" kind,                                                         \
        vector<[](type a, type b) { return a < b ? a : b; }>());               \
  t.add("v_max_" kind, vector<[](type a, type b) { return a > b ? a : b; }>())
  ORDER("u32", u32, );
  ORDER("i32", i32, );
  ORDER("u16", u16, );
  ORDER("i16", i16, );
#undef ORDER
#define THREE(kind, type)                                                      \
  t.add("v_min3_" kind, vector<[](type a, type b, type c) {                    \
          return std::min(std::min(a, b), c);                                  \
        }>());                                                                 \
  t.add("v_max3_" kind, vector<[](type a, type b, type c) {                    \
          return std::max(std::max(a, b), c);                                  \
        }>());                                                                 \
  t.add("v_med3_" kind,                                                        \
        vector<[](type a, type b, type c) { return median(a, b, c); }>())
  THREE("u32", u32);
  THREE("i32", i32);
  THREE("u16", u16);
  THREE("i16", i16);
#undef THREE
#define TWO_STEPS(kind, type)                                                  \
  t.add("v_maxmin_" kind, vector<[](type a, type b, type c) {                  \
          return std::min(std::max(a, b), c);                                  \
        }>());                                                                 \
  t.add("v_minmax_" kind, vector<[](type a, type b, type c) {                  \
          return std::max(std::min(a, b), c);                                  \
        }>())
  TWO_STEPS("u32", u32);
  TWO_STEPS("i32", i32);
#undef TWO_STEPS
}

void addVectorInteger(Table &t) {
  addSums(t);
  addProducts(t);
  addBits(t);
  addOrders(t);
  t.add("v_nop v_pipeflush", {[](Wave &, const Instruction &) {}});
  // "v_cndmask dst, src0, src1, mask". The modifiers are those of floats.
  t.add("v_cndmask_b32",
        vector<[](float a, float b, Bit c) { return c.set ? b : a; }>());
  t.add("v_cndmask_b16",
        vector<[](Half a, Half b, Bit c) { return c.set ? b : a; }>());
}

} // namespace amdgcn
