// The scalar unit's arithmetic
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

void Table::add(std::string_view names, const Semantics &s) {
  while (!names.empty()) {
    size_t end = std::min(names.find(' '), names.size());
    if (end)
      map[names.substr(0, end)] = s;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

const Table &allSemantics() {
  static const Table &all = *[] {
    auto *t = new Table;
    addScalar(*t);
    addControl(*t);
    addVectorInteger(*t);
    addVectorFloat(*t);
    addVectorExtremes(*t);
    addVectorConvert(*t);
    addVectorCompare(*t);
    addVectorPacked(*t);
    addVectorLanes(*t);
    addGlobal(*t);
    addLds(*t);
    return t;
  }();
  return all;
}

const Semantics *semanticsOf(std::string_view mnemonic) {
  return allSemantics().find(mnemonic);
}

namespace {

enum Flags {
  Nothing,  ///< SCC stays
  NonZero,  ///< SCC = the result is not 0
  FromBody, ///< the function sets it through its last argument, a bool &
};

template <class T> T scalarSource(const Wave &w, const Operand &o) {
  uint64_t v = scalarValue(w, o);
  if constexpr (std::is_same_v<T, float>) {
    float f = asFloat(uint32_t(v));
    if (o.abs)
      f = std::fabs(f);
    return o.neg ? -f : f;
  } else if constexpr (std::is_same_v<T, Half>) {
    uint16_t bits = uint16_t(v);
    if (o.abs)
      bits &= 0x7fff;
    return Half{uint16_t(o.neg ? bits ^ 0x8000 : bits)};
  } else if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(v);
  } else {
    return T(uint32_t(v));
  }
}

template <class T> uint64_t toBits(T v) {
  if constexpr (std::is_same_v<T, float>)
    return bitsOf(v);
  else if constexpr (std::is_same_v<T, Half>)
    return v.bits;
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<uint64_t>(v);
  else
    return uint32_t(v);
}

/// For whole numbers, which no mode changes.
struct NoMode {
  NoMode(const Wave &, bool) {}
};

template <auto F, Flags How> struct ScalarOf {
  using S = Signature<decltype(F)>;
  using R = typename S::Result;
  static constexpr unsigned Sources = S::Count - (How == FromBody);
  template <size_t N>
  using A = std::remove_cvref_t<typename S::template Argument<N>>;

  static void run(Wave &w, const Instruction &i) {
    [&]<size_t... N>(std::index_sequence<N...>) {
      [[maybe_unused]] std::conditional_t<(IsFloat<A<N>> || ... || IsFloat<R>),
                                          FloatMode, NoMode> mode(w, true);
      R value;
      if constexpr (How == FromBody)
        value = F(scalarSource<A<N>>(w, i.op[N + 1])..., w.scc);
      else
        value = F(scalarSource<A<N>>(w, i.op[N + 1])...);
      if constexpr (How == NonZero)
        w.scc = value != 0;
      setScalar(w, i.op[0], toBits(value), sizeof(R) == 8);
    }(std::make_index_sequence<Sources>());
  }
  static Semantics semantics() {
    Semantics out{run, {}, 0, 1};
    if constexpr (std::is_same_v<R, float>)
      out.modifiers = ModClamp | ModOmod;
    out.types[0] = typeOf<R>();
    [&]<size_t... N>(std::index_sequence<N...>) {
      ((out.types[N + 1] = typeOf<A<N>>()), ...);
    }(std::make_index_sequence<Sources>());
    return out;
  }
};

/// "s_op dst, src...".
template <Flags How, auto F> Semantics scalar() {
  return ScalarOf<F, How>::semantics();
}

/// "s_cmp src0, src1".
template <auto F> Semantics compare() {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  Semantics out{[](Wave &w, const Instruction &i) {
                  w.scc = F(scalarSource<A>(w, i.op[0]),
                            scalarSource<B>(w, i.op[1]));
                },
                {},
                0,
                0};
  out.types[0] = typeOf<A>();
  out.types[1] = typeOf<B>();
  return out;
}

/// "s_opk dst, imm": the immediate is read from the encoding.
template <auto F> Semantics withImmediate() {
  return {[](Wave &w, const Instruction &i) {
            setScalar(w, i.op[0],
                      F(uint32_t(scalarValue(w, i.op[0])), i.simm16, w.scc),
                      false);
          },
          {Type::B32, Type::B32},
          0,
          1};
}
template <auto F> Semantics compareImmediate() {
  return {[](Wave &w, const Instruction &i) {
            w.scc = F(uint32_t(scalarValue(w, i.op[0])), i.simm16);
          },
          {Type::B32, Type::B32},
          0,
          0};
}

/// "s_op_saveexec dst, src": dst = EXEC, EXEC = F(src, EXEC). Or, with Write,
/// dst = the new EXEC.
template <auto F, bool Wide, bool Write = false> Semantics saveExec() {
  return {[](Wave &w, const Instruction &i) {
            uint64_t source = scalarValue(w, i.op[1]), old = w.exec();
            if (!Wide) {
              source = uint32_t(source);
              old = uint32_t(old);
            }
            uint64_t result = F(source, old);
            if (!Wide)
              result = uint32_t(result);
            setScalar(w, i.op[0], Write ? result : old, Wide);
            if (Wide)
              w.setExec(result);
            else
              w.s[ExecLo] = uint32_t(result);
            w.scc = result != 0;
          },
          {Wide ? Type::B64 : Type::B32, Wide ? Type::B64 : Type::B32},
          0,
          1};
}

/// Registers numbered relative to M0.
template <bool Source, bool Wide>
void moveRelative(Wave &w, const Instruction &i) {
  Operand o = i.op[Source ? 1 : 0];
  const uint64_t reg = o.reg + uint64_t(w.s[M0]);
  if (reg + Wide >= 106)
    w.stop(Stop::Illegal, "s" + std::to_string(reg) +
                              ", which M0 selects, is beyond the registers");
  o.reg = uint16_t(reg);
  setScalar(w, Source ? i.op[0] : o, scalarValue(w, Source ? o : i.op[1]),
            Wide);
}

} // namespace

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

template <class T> static T bitField(T v, u32 offset, u32 width) {
  constexpr u32 bits = sizeof(T) * 8;
  using U = std::make_unsigned_t<T>;
  if (!width)
    return 0;
  if (offset + width >= bits)
    return T(v >> offset);
  return T(U(v) << (bits - width - offset)) >> (bits - width);
}

template <class T> static i32 countSame(T v) {
  // Leading bits that are like the sign; -1 when all are.
  using U = std::make_unsigned_t<T>;
  U x = v < 0 ? ~U(v) : U(v);
  return x ? std::countl_zero(x) : -1;
}

static void addMoves(Table &t) {
  t.add("s_mov_b32", scalar<Nothing, [](u32 a) { return a; }>());
  t.add("s_mov_b64", scalar<Nothing, [](u64 a) { return a; }>());
  t.add("s_movrels_b32", {moveRelative<true, false>, {Type::B32, Type::B32}});
  t.add("s_movrels_b64", {moveRelative<true, true>, {Type::B64, Type::B64}});
  t.add("s_movreld_b32", {moveRelative<false, false>, {Type::B32, Type::B32}});
  t.add("s_movreld_b64", {moveRelative<false, true>, {Type::B64, Type::B64}});
  t.add("s_movk_i32",
        withImmediate<[](u32, int16_t k, bool &) { return u32(i32(k)); }>());
  t.add("s_cmovk_i32", withImmediate<[](u32 d, int16_t k, bool &scc) {
          return scc ? u32(i32(k)) : d;
        }>());
  t.add("s_addk_i32 s_addk_co_i32",
        withImmediate<[](u32 d, int16_t k, bool &scc) {
          i32 sum;
          scc = __builtin_add_overflow(i32(d), i32(k), &sum);
          return u32(i32(d)) + u32(i32(k));
        }>());
  t.add("s_mulk_i32", withImmediate<[](u32 d, int16_t k, bool &) {
          return d * u32(i32(k));
        }>());
  t.add("s_cmov_b32", {[](Wave &w, const Instruction &i) {
                         if (w.scc)
                           setScalar(w, i.op[0], scalarValue(w, i, 1), false);
                       },
                       {Type::B32, Type::B32}});
  t.add("s_cmov_b64", {[](Wave &w, const Instruction &i) {
                         if (w.scc)
                           setScalar(w, i.op[0], scalarValue(w, i, 1), true);
                       },
                       {Type::B64, Type::B64}});
  t.add(
      "s_cselect_b32",
      scalar<FromBody, [](u32 a, u32 b, bool &scc) { return scc ? a : b; }>());
  t.add(
      "s_cselect_b64",
      scalar<FromBody, [](u64 a, u64 b, bool &scc) { return scc ? a : b; }>());
  t.add("s_not_b32", scalar<NonZero, [](u32 a) { return ~a; }>());
  t.add("s_not_b64", scalar<NonZero, [](u64 a) { return ~a; }>());
  t.add("s_brev_b32",
        scalar<Nothing, [](u32 a) { return __builtin_bitreverse32(a); }>());
  t.add("s_brev_b64",
        scalar<Nothing, [](u64 a) { return __builtin_bitreverse64(a); }>());
  t.add("s_wqm_b32", scalar<NonZero, [](u32 a) {
          a |= a >> 1;
          a |= a >> 2;
          return (a & 0x11111111u) * 15;
        }>());
  t.add("s_wqm_b64", scalar<NonZero, [](u64 a) {
          a |= a >> 1;
          a |= a >> 2;
          return (a & 0x1111111111111111u) * 15;
        }>());
  t.add("s_sext_i32_i8",
        scalar<Nothing, [](u32 a) { return u32(i32(int8_t(a))); }>());
  t.add("s_sext_i32_i16",
        scalar<Nothing, [](u32 a) { return u32(i32(int16_t(a))); }>());
  t.add("s_pack_ll_b32_b16",
        scalar<Nothing, [](u32 a, u32 b) { return (a & 0xffff) | b << 16; }>());
  t.add("s_pack_lh_b32_b16", scalar<Nothing, [](u32 a, u32 b) {
          return (a & 0xffff) | (b & 0xffff0000);
        }>());
  t.add("s_pack_hh_b32_b16", scalar<Nothing, [](u32 a, u32 b) {
          return a >> 16 | (b & 0xffff0000);
        }>());
  t.add("s_pack_hl_b32_b16",
        scalar<Nothing, [](u32 a, u32 b) { return a >> 16 | b << 16; }>());
}

static void addArithmetic(Table &t) {
  t.add("s_add_u32 s_add_co_u32", scalar<FromBody, [](u32 a, u32 b, bool &scc) {
          u32 d = a + b;
          scc = d < a;
          return d;
        }>());
  t.add("s_sub_u32 s_sub_co_u32", scalar<FromBody, [](u32 a, u32 b, bool &scc) {
          scc = b > a;
          return a - b;
        }>());
  t.add("s_addc_u32 s_add_co_ci_u32",
        scalar<FromBody, [](u32 a, u32 b, bool &scc) {
          u64 d = u64(a) + b + scc;
          scc = d >> 32;
          return u32(d);
        }>());
  t.add("s_subb_u32 s_sub_co_ci_u32",
        scalar<FromBody, [](u32 a, u32 b, bool &scc) {
          u32 d = a - b - scc;
          scc = u64(b) + scc > a;
          return d;
        }>());
  t.add("s_add_i32 s_add_co_i32", scalar<FromBody, [](i32 a, i32 b, bool &scc) {
          i32 d;
          scc = __builtin_add_overflow(a, b, &d);
          return u32(d);
        }>());
  t.add("s_sub_i32 s_sub_co_i32", scalar<FromBody, [](i32 a, i32 b, bool &scc) {
          i32 d;
          scc = __builtin_sub_overflow(a, b, &d);
          return u32(d);
        }>());
  t.add("s_add_nc_u64", scalar<Nothing, [](u64 a, u64 b) { return a + b; }>());
  t.add("s_sub_nc_u64", scalar<Nothing, [](u64 a, u64 b) { return a - b; }>());
  t.add("s_mul_u64", scalar<Nothing, [](u64 a, u64 b) { return a * b; }>());
  t.add("s_mul_i32", scalar<Nothing, [](u32 a, u32 b) { return a * b; }>());
  t.add("s_mul_hi_u32",
        scalar<Nothing, [](u32 a, u32 b) { return u32(u64(a) * b >> 32); }>());
  t.add("s_mul_hi_i32",
        scalar<Nothing, [](i32 a, i32 b) { return u32(i64(a) * b >> 32); }>());
  t.add("s_min_i32", scalar<FromBody, [](i32 a, i32 b, bool &scc) {
          scc = a < b;
          return u32(scc ? a : b);
        }>());
  t.add("s_max_i32", scalar<FromBody, [](i32 a, i32 b, bool &scc) {
          scc = a > b;
          return u32(scc ? a : b);
        }>());
  t.add("s_min_u32", scalar<FromBody, [](u32 a, u32 b, bool &scc) {
          scc = a < b;
          return scc ? a : b;
        }>());
  t.add("s_max_u32", scalar<FromBody, [](u32 a, u32 b, bool &scc) {
          scc = a > b;
          return scc ? a : b;
        }>());
  t.add("s_abs_i32",
        scalar<NonZero, [](u32 a) { return i32(a) < 0 ? 0 - a : a; }>());
  t.add("s_absdiff_i32", scalar<NonZero, [](u32 a, u32 b) {
          u32 d = a - b;
          return i32(d) < 0 ? 0 - d : d;
        }>());
#define SHIFT_ADD(n)                                                           \
  t.add("s_lshl" #n "_add_u32", scalar<FromBody, [](u32 a, u32 b, bool &scc) { \
          u64 d = (u64(a) << n) + b;                                           \
          scc = d >> 32;                                                       \
          return u32(d);                                                       \
        }>())
  SHIFT_ADD(1);
  SHIFT_ADD(2);
  SHIFT_ADD(3);
  SHIFT_ADD(4);
#undef SHIFT_ADD
}

static void addBits(Table &t) {
#define LOGIC(names32, names64, expression)                                    \
  t.add(names32, scalar<NonZero, [](u32 a, u32 b) { return expression; }>());  \
  t.add(names64, scalar<NonZero, [](u64 a, u64 b) { return expression; }>())
  LOGIC("s_and_b32", "s_and_b64", a & b);
  LOGIC("s_or_b32", "s_or_b64", a | b);
  LOGIC("s_xor_b32", "s_xor_b64", a ^ b);
  LOGIC("s_andn2_b32 s_and_not1_b32", "s_andn2_b64 s_and_not1_b64", a & ~b);
  LOGIC("s_orn2_b32 s_or_not1_b32", "s_orn2_b64 s_or_not1_b64", a | ~b);
  LOGIC("s_nand_b32", "s_nand_b64", ~(a & b));
  LOGIC("s_nor_b32", "s_nor_b64", ~(a | b));
  LOGIC("s_xnor_b32", "s_xnor_b64", ~(a ^ b));
#undef LOGIC
  t.add("s_lshl_b32",
        scalar<NonZero, [](u32 a, u32 b) { return a << (b & 31); }>());
  t.add("s_lshl_b64",
        scalar<NonZero, [](u64 a, u32 b) { return a << (b & 63); }>());
  t.add("s_lshr_b32",
        scalar<NonZero, [](u32 a, u32 b) { return a >> (b & 31); }>());
  t.add("s_lshr_b64",
        scalar<NonZero, [](u64 a, u32 b) { return a >> (b & 63); }>());
  t.add("s_ashr_i32",
        scalar<NonZero, [](i32 a, u32 b) { return u32(a >> (b & 31)); }>());
  t.add("s_ashr_i64",
        scalar<NonZero, [](i64 a, u32 b) { return u64(a >> (b & 63)); }>());
  t.add("s_bfe_u32", scalar<NonZero, [](u32 a, u32 b) {
          return bitField(a, b & 31, b >> 16 & 0x7f);
        }>());
  t.add("s_bfe_i32", scalar<NonZero, [](i32 a, u32 b) {
          return u32(bitField(a, b & 31, b >> 16 & 0x7f));
        }>());
  t.add("s_bfe_u64", scalar<NonZero, [](u64 a, u32 b) {
          return bitField(a, b & 63, b >> 16 & 0x7f);
        }>());
  t.add("s_bfe_i64", scalar<NonZero, [](i64 a, u32 b) {
          return u64(bitField(a, b & 63, b >> 16 & 0x7f));
        }>());
  t.add("s_bfm_b32", scalar<Nothing, [](u32 a, u32 b) {
          return ((1u << (a & 31)) - 1) << (b & 31);
        }>());
  t.add("s_bfm_b64", scalar<Nothing, [](u32 a, u32 b) {
          return ((u64(1) << (a & 63)) - 1) << (b & 63);
        }>());
  t.add("s_bcnt0_i32_b32",
        scalar<NonZero, [](u32 a) { return u32(32 - std::popcount(a)); }>());
  t.add("s_bcnt0_i32_b64",
        scalar<NonZero, [](u64 a) { return u32(64 - std::popcount(a)); }>());
  t.add("s_bcnt1_i32_b32",
        scalar<NonZero, [](u32 a) { return u32(std::popcount(a)); }>());
  t.add("s_bcnt1_i32_b64",
        scalar<NonZero, [](u64 a) { return u32(std::popcount(a)); }>());
  t.add("s_ff0_i32_b32", scalar<Nothing, [](u32 a) {
          return ~a ? u32(std::countr_one(a)) : ~0u;
        }>());
  t.add("s_ff0_i32_b64", scalar<Nothing, [](u64 a) {
          return ~a ? u32(std::countr_one(a)) : ~0u;
        }>());
  t.add("s_ff1_i32_b32 s_ctz_i32_b32", scalar<Nothing, [](u32 a) {
          return a ? u32(std::countr_zero(a)) : ~0u;
        }>());
  t.add("s_ff1_i32_b64 s_ctz_i32_b64", scalar<Nothing, [](u64 a) {
          return a ? u32(std::countr_zero(a)) : ~0u;
        }>());
  t.add("s_flbit_i32_b32 s_clz_i32_u32", scalar<Nothing, [](u32 a) {
          return a ? u32(std::countl_zero(a)) : ~0u;
        }>());
  t.add("s_flbit_i32_b64 s_clz_i32_u64", scalar<Nothing, [](u64 a) {
          return a ? u32(std::countl_zero(a)) : ~0u;
        }>());
  t.add("s_flbit_i32 s_cls_i32",
        scalar<Nothing, [](i32 a) { return u32(countSame(a)); }>());
  t.add("s_flbit_i32_i64 s_cls_i32_i64",
        scalar<Nothing, [](i64 a) { return u32(countSame(a)); }>());
#define BIT_SET(name, type, expression)                                        \
  t.add(name, {[](Wave &w, const Instruction &i) {                             \
                 auto d = type(scalarValue(w, i, 0));                          \
                 auto b = u32(scalarValue(w, i, 1)) & (sizeof(type) * 8 - 1);  \
                 setScalar(w, i.op[0], expression, sizeof(type) == 8);         \
               },                                                              \
               {sizeof(type) == 8 ? Type::B64 : Type::B32, Type::B32}})
  BIT_SET("s_bitset0_b32", u32, d & ~(u32(1) << b));
  BIT_SET("s_bitset0_b64", u64, d & ~(u64(1) << b));
  BIT_SET("s_bitset1_b32", u32, d | u32(1) << b);
  BIT_SET("s_bitset1_b64", u64, d | u64(1) << b);
#undef BIT_SET
  t.add("s_bitcmp0_b32",
        compare<[](u32 a, u32 b) { return !(a >> (b & 31) & 1); }>());
  t.add("s_bitcmp1_b32",
        compare<[](u32 a, u32 b) { return bool(a >> (b & 31) & 1); }>());
  t.add("s_bitcmp0_b64",
        compare<[](u64 a, u32 b) { return !(a >> (b & 63) & 1); }>());
  t.add("s_bitcmp1_b64",
        compare<[](u64 a, u32 b) { return bool(a >> (b & 63) & 1); }>());
}

static void addComparisons(Table &t) {
#define COMPARE(name, op)                                                      \
  t.add("s_cmp_" name "_i32", compare<[](i32 a, i32 b) { return a op b; }>()); \
  t.add("s_cmp_" name "_u32", compare<[](u32 a, u32 b) { return a op b; }>()); \
  t.add(                                                                       \
      "s_cmpk_" name "_i32",                                                   \
      compareImmediate<[](u32 a, int16_t k) { return i32(a) op i32(k); }>());  \
  t.add("s_cmpk_" name "_u32", compareImmediate<[](u32 a, int16_t k) {         \
          return a op u32(uint16_t(k));                                        \
        }>())
  COMPARE("eq", ==);
  COMPARE("lg", !=);
  COMPARE("gt", >);
  COMPARE("ge", >=);
  COMPARE("lt", <);
  COMPARE("le", <=);
#undef COMPARE
  t.add("s_cmp_eq_u64", compare<[](u64 a, u64 b) { return a == b; }>());
  t.add("s_cmp_lg_u64", compare<[](u64 a, u64 b) { return a != b; }>());
#define COMPARE(name, expression)                                              \
  t.add("s_cmp_" name "_f32",                                                  \
        compare<[](float a, float b) { return bool(expression); }>());         \
  t.add("s_cmp_" name "_f16", compare<[](Half x, Half y) {                     \
          float a = floatFromHalf(x.bits), b = floatFromHalf(y.bits);          \
          return bool(expression);                                             \
        }>())
  COMPARE("lt", a < b);
  COMPARE("eq", a == b);
  COMPARE("le", a <= b);
  COMPARE("gt", a > b);
  COMPARE("lg", a < b || a > b);
  COMPARE("ge", a >= b);
  COMPARE("o", a == a && b == b);
  COMPARE("u", a != a || b != b);
  COMPARE("nge", !(a >= b));
  COMPARE("nlg", !(a < b || a > b));
  COMPARE("ngt", !(a > b));
  COMPARE("nle", !(a <= b));
  COMPARE("neq", !(a == b));
  COMPARE("nlt", !(a < b));
#undef COMPARE
}

static void addFloats(Table &t) {
  t.add("s_add_f32",
        scalar<Nothing, [](float a, float b) { return arith(a + b); }>());
  t.add("s_sub_f32",
        scalar<Nothing, [](float a, float b) { return arith(a - b); }>());
  t.add("s_mul_f32",
        scalar<Nothing, [](float a, float b) { return arith(a * b); }>());
  t.add("s_min_f32 s_min_num_f32",
        scalar<Nothing, [](float a, float b) { return minNum(a, b); }>());
  t.add("s_max_f32 s_max_num_f32",
        scalar<Nothing, [](float a, float b) { return maxNum(a, b); }>());
  t.add("s_minimum_f32",
        scalar<Nothing, [](float a, float b) { return minimum(a, b); }>());
  t.add("s_maximum_f32",
        scalar<Nothing, [](float a, float b) { return maximum(a, b); }>());
  t.add("s_fmac_f32",
        {[](Wave &w, const Instruction &i) {
           FloatMode mode(w, true);
           float d = asFloat(uint32_t(scalarValue(w, i, 0)));
           setScalar(
               w, i.op[0],
               bitsOf(arith(std::fma(scalarSource<float>(w, i.op[1]),
                                     scalarSource<float>(w, i.op[2]), d))),
               false);
         },
         {Type::F32, Type::F32, Type::F32}});
  t.add("s_fmaak_f32", scalar<Nothing, [](float a, float b, float k) {
          return arith(std::fma(a, b, k));
        }>());
  t.add("s_fmamk_f32", scalar<Nothing, [](float a, float k, float b) {
          return arith(std::fma(a, k, b));
        }>());
  t.add("s_floor_f32",
        scalar<Nothing, [](float a) { return std::floor(a); }>());
  t.add("s_ceil_f32", scalar<Nothing, [](float a) { return std::ceil(a); }>());
  t.add("s_trunc_f32",
        scalar<Nothing, [](float a) { return std::trunc(a); }>());
  t.add("s_rndne_f32",
        scalar<Nothing, [](float a) { return __builtin_roundevenf(a); }>());
  t.add("s_cvt_f32_i32", scalar<Nothing, [](i32 a) { return float(a); }>());
  t.add("s_cvt_f32_u32", scalar<Nothing, [](u32 a) { return float(a); }>());
  t.add("s_cvt_i32_f32",
        scalar<Nothing, [](float a) { return u32(toInt32(a)); }>());
  t.add("s_cvt_u32_f32",
        scalar<Nothing, [](float a) { return toUint32(a); }>());
  t.add("s_cvt_f32_f16",
        scalar<Nothing, [](u32 a) { return floatFromHalf(uint16_t(a)); }>());
  t.add("s_cvt_hi_f32_f16", scalar<Nothing, [](u32 a) {
          return floatFromHalf(uint16_t(a >> 16));
        }>());
  t.add("s_cvt_f16_f32",
        scalar<Nothing, [](float a) { return u32(halfFromDouble(a)); }>());
  // Scalar forms of the transcendental unit, computed once for the wave.
  t.add("v_s_rcp_f32", scalar<Nothing, [](float a) {
          return arith(flushed(1 / flushed(a)));
        }>());
  t.add(
      "v_s_sqrt_f32",
      scalar<Nothing, [](float a) { return arith(std::sqrt(flushed(a))); }>());
  t.add("v_s_rsq_f32", scalar<Nothing, [](float a) {
          return arith(float(1 / std::sqrt(double(flushed(a)))));
        }>());
  t.add("v_s_exp_f32", scalar<Nothing, [](float a) {
          return flushed(float(std::exp2(double(a))));
        }>());
  t.add("v_s_log_f32", scalar<Nothing, [](float a) {
          return arith(float(std::log2(double(flushed(a)))));
        }>());
}

/// Of 16-bit numbers: the result's upper half is 0.
static void addHalves(Table &t) {
#define UNARY(names, expression)                                               \
  t.add(names, scalar<Nothing, [](Half x) {                                    \
          const float a = floatFromHalf(x.bits);                               \
          return Half{halfFromDouble(expression)};                             \
        }>())
#define BINARY(names, expression)                                              \
  t.add(names, scalar<Nothing, [](Half x, Half y) {                            \
          const float a = floatFromHalf(x.bits), b = floatFromHalf(y.bits);    \
          return Half{halfFromDouble(expression)};                             \
        }>())
  BINARY("s_add_f16", arith(a + b));
  BINARY("s_sub_f16", arith(a - b));
  BINARY("s_mul_f16", arith(a * b));
  BINARY("s_min_f16 s_min_num_f16", minNum(a, b));
  BINARY("s_max_f16 s_max_num_f16", maxNum(a, b));
  BINARY("s_minimum_f16", minimum(a, b));
  BINARY("s_maximum_f16", maximum(a, b));
  UNARY("s_floor_f16", std::floor(a));
  UNARY("s_ceil_f16", std::ceil(a));
  UNARY("s_trunc_f16", std::trunc(a));
  UNARY("s_rndne_f16", __builtin_roundevenf(a));
  UNARY("v_s_rcp_f16", arith(1 / a));
  UNARY("v_s_sqrt_f16", arith(std::sqrt(double(a))));
  UNARY("v_s_rsq_f16", arith(1 / std::sqrt(double(a))));
  UNARY("v_s_exp_f16", std::exp2(double(a)));
  UNARY("v_s_log_f16", arith(std::log2(double(a))));
#undef UNARY
#undef BINARY
  t.add("s_fmac_f16",
        {[](Wave &w, const Instruction &i) {
           auto value = [&](unsigned n) {
             return floatFromHalf(uint16_t(scalarValue(w, i, n)));
           };
           setScalar(w, i.op[0], halfFma(value(1), value(2), value(0)), false);
         },
         {Type::F16, Type::F16, Type::F16}});
}

void addScalar(Table &t) {
  addMoves(t);
  addHalves(t);
  addArithmetic(t);
  addBits(t);
  addComparisons(t);
  addFloats(t);
#define SAVE_EXEC(names, expression)                                           \
  t.add("s_" names "_saveexec_b32",                                            \
        saveExec<[](u64 src, u64 exec) { return expression; }, false>());      \
  t.add("s_" names "_saveexec_b64",                                            \
        saveExec<[](u64 src, u64 exec) { return expression; }, true>())
  SAVE_EXEC("and", src & exec);
  SAVE_EXEC("or", src | exec);
  SAVE_EXEC("xor", src ^ exec);
  SAVE_EXEC("andn2", src & ~exec);
  SAVE_EXEC("and_not1", src & ~exec);
  SAVE_EXEC("orn2", src | ~exec);
  SAVE_EXEC("or_not1", src | ~exec);
  SAVE_EXEC("andn1", ~src & exec);
  SAVE_EXEC("and_not0", ~src & exec);
  SAVE_EXEC("orn1", ~src | exec);
  SAVE_EXEC("or_not0", ~src | exec);
  SAVE_EXEC("nand", ~(src & exec));
  SAVE_EXEC("nor", ~(src | exec));
  SAVE_EXEC("xnor", ~(src ^ exec));
#undef SAVE_EXEC
#define WRITE_EXEC(names, expression)                                          \
  t.add(                                                                       \
      "s_" names "_wrexec_b32",                                                \
      saveExec<[](u64 src, u64 exec) { return expression; }, false, true>());  \
  t.add("s_" names "_wrexec_b64",                                              \
        saveExec<[](u64 src, u64 exec) { return expression; }, true, true>())
  WRITE_EXEC("andn1", ~src & exec);
  WRITE_EXEC("and_not0", ~src & exec);
  WRITE_EXEC("andn2", src & ~exec);
  WRITE_EXEC("and_not1", src & ~exec);
#undef WRITE_EXEC
}

} // namespace amdgcn
