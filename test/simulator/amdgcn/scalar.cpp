// The scalar unit's arithmetic
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

void Table::add(std::string_view Names, const Semantics &S) {
  while (!Names.empty()) {
    size_t End = std::min(Names.find(' '), Names.size());
    if (End)
      Map[Names.substr(0, End)] = S;
    Names.remove_prefix(std::min(End + 1, Names.size()));
  }
}

const Semantics *semanticsOf(std::string_view Mnemonic) {
  static const Table &All = *[] {
    auto *T = new Table;
    addScalar(*T);
    addControl(*T);
    addVectorInteger(*T);
    addVectorFloat(*T);
    addVectorConvert(*T);
    addVectorCompare(*T);
    addVectorPacked(*T);
    addVectorLanes(*T);
    addGlobal(*T);
    addLds(*T);
    return T;
  }();
  return All.find(Mnemonic);
}

namespace {

enum Flags {
  Nothing,  ///< SCC stays
  NonZero,  ///< SCC = the result is not 0
  FromBody, ///< the function sets it through its last argument, a bool &
};

template <class T> T scalarSource(const Wave &W, const Operand &O) {
  uint64_t V = scalarValue(W, O);
  if constexpr (std::is_same_v<T, float>) {
    float F = asFloat(uint32_t(V));
    if (O.Abs)
      F = std::fabs(F);
    return O.Neg ? -F : F;
  } else if constexpr (std::is_same_v<T, Half>) {
    return Half{uint16_t(V)};
  } else if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(V);
  } else {
    return T(uint32_t(V));
  }
}

template <class T> uint64_t toBits(T V) {
  if constexpr (std::is_same_v<T, float>)
    return bitsOf(V);
  else if constexpr (std::is_same_v<T, Half>)
    return V.Bits;
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<uint64_t>(V);
  else
    return uint32_t(V);
}

template <auto F, Flags How> struct ScalarOf {
  using S = Signature<decltype(F)>;
  using R = typename S::Result;
  static constexpr unsigned Sources = S::Count - (How == FromBody);
  template <size_t N>
  using A = std::remove_cvref_t<typename S::template Argument<N>>;

  static void run(Wave &W, const Instruction &I) {
    [&]<size_t... N>(std::index_sequence<N...>) {
      FloatMode Mode(W, true);
      R Value;
      if constexpr (How == FromBody)
        Value = F(scalarSource<A<N>>(W, I.Op[N + 1])..., W.Scc);
      else
        Value = F(scalarSource<A<N>>(W, I.Op[N + 1])...);
      if constexpr (How == NonZero)
        W.Scc = Value != 0;
      setScalar(W, I.Op[0], toBits(Value), sizeof(R) == 8);
    }(std::make_index_sequence<Sources>());
  }
  static Semantics semantics() {
    Semantics Out{run, {}, 0, 1};
    if constexpr (std::is_same_v<R, float>)
      Out.Modifiers = ModClamp | ModOmod;
    Out.Types[0] = typeOf<R>();
    [&]<size_t... N>(std::index_sequence<N...>) {
      ((Out.Types[N + 1] = typeOf<A<N>>()), ...);
    }(std::make_index_sequence<Sources>());
    return Out;
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
  Semantics Out{[](Wave &W, const Instruction &I) {
                  W.Scc = F(scalarSource<A>(W, I.Op[0]),
                            scalarSource<B>(W, I.Op[1]));
                },
                {},
                0,
                0};
  Out.Types[0] = typeOf<A>();
  Out.Types[1] = typeOf<B>();
  return Out;
}

/// "s_opk dst, imm": the immediate is read from the encoding.
template <auto F> Semantics withImmediate() {
  return {[](Wave &W, const Instruction &I) {
            setScalar(W, I.Op[0],
                      F(uint32_t(scalarValue(W, I.Op[0])), I.Simm16, W.Scc),
                      false);
          },
          {Type::B32, Type::B32},
          0,
          1};
}
template <auto F> Semantics compareImmediate() {
  return {[](Wave &W, const Instruction &I) {
            W.Scc = F(uint32_t(scalarValue(W, I.Op[0])), I.Simm16);
          },
          {Type::B32, Type::B32},
          0,
          0};
}

/// "s_op_saveexec dst, src": dst = EXEC, EXEC = F(src, EXEC). Or, with Write,
/// dst = the new EXEC.
template <auto F, bool Wide, bool Write = false> Semantics saveExec() {
  return {[](Wave &W, const Instruction &I) {
            uint64_t Source = scalarValue(W, I.Op[1]), Old = W.exec();
            if (!Wide) {
              Source = uint32_t(Source);
              Old = uint32_t(Old);
            }
            uint64_t New = F(Source, Old);
            if (!Wide)
              New = uint32_t(New);
            setScalar(W, I.Op[0], Write ? New : Old, Wide);
            if (Wide)
              W.setExec(New);
            else
              W.S[ExecLo] = uint32_t(New);
            W.Scc = New != 0;
          },
          {Wide ? Type::B64 : Type::B32, Wide ? Type::B64 : Type::B32},
          0,
          1};
}

} // namespace

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

template <class T> static T bitField(T V, u32 Offset, u32 Width) {
  constexpr u32 Bits = sizeof(T) * 8;
  using U = std::make_unsigned_t<T>;
  if (!Width)
    return 0;
  if (Offset + Width >= Bits)
    return T(V >> Offset);
  return T(U(V) << (Bits - Width - Offset)) >> (Bits - Width);
}

template <class T> static i32 countSame(T V) {
  // Leading bits that are like the sign; -1 when all are.
  using U = std::make_unsigned_t<T>;
  U X = V < 0 ? ~U(V) : U(V);
  return X ? std::countl_zero(X) : -1;
}

static void addMoves(Table &T) {
  T.add("s_mov_b32", scalar<Nothing, [](u32 A) { return A; }>());
  T.add("s_mov_b64", scalar<Nothing, [](u64 A) { return A; }>());
  T.add("s_movk_i32",
        withImmediate<[](u32, int16_t K, bool &) { return u32(i32(K)); }>());
  T.add("s_cmovk_i32", withImmediate<[](u32 D, int16_t K, bool &Scc) {
          return Scc ? u32(i32(K)) : D;
        }>());
  T.add("s_addk_i32 s_addk_co_i32",
        withImmediate<[](u32 D, int16_t K, bool &Scc) {
          i32 Sum;
          Scc = __builtin_add_overflow(i32(D), i32(K), &Sum);
          return u32(i32(D)) + u32(i32(K));
        }>());
  T.add("s_mulk_i32", withImmediate<[](u32 D, int16_t K, bool &) {
          return D * u32(i32(K));
        }>());
  T.add("s_cmov_b32", {[](Wave &W, const Instruction &I) {
                         if (W.Scc)
                           setScalar(W, I.Op[0], scalarValue(W, I, 1), false);
                       },
                       {Type::B32, Type::B32}});
  T.add("s_cmov_b64", {[](Wave &W, const Instruction &I) {
                         if (W.Scc)
                           setScalar(W, I.Op[0], scalarValue(W, I, 1), true);
                       },
                       {Type::B64, Type::B64}});
  T.add(
      "s_cselect_b32",
      scalar<FromBody, [](u32 A, u32 B, bool &Scc) { return Scc ? A : B; }>());
  T.add(
      "s_cselect_b64",
      scalar<FromBody, [](u64 A, u64 B, bool &Scc) { return Scc ? A : B; }>());
  T.add("s_not_b32", scalar<NonZero, [](u32 A) { return ~A; }>());
  T.add("s_not_b64", scalar<NonZero, [](u64 A) { return ~A; }>());
  T.add("s_brev_b32",
        scalar<Nothing, [](u32 A) { return __builtin_bitreverse32(A); }>());
  T.add("s_brev_b64",
        scalar<Nothing, [](u64 A) { return __builtin_bitreverse64(A); }>());
  T.add("s_wqm_b32", scalar<NonZero, [](u32 A) {
          A |= A >> 1;
          A |= A >> 2;
          return (A & 0x11111111u) * 15;
        }>());
  T.add("s_wqm_b64", scalar<NonZero, [](u64 A) {
          A |= A >> 1;
          A |= A >> 2;
          return (A & 0x1111111111111111u) * 15;
        }>());
  T.add("s_sext_i32_i8",
        scalar<Nothing, [](u32 A) { return u32(i32(int8_t(A))); }>());
  T.add("s_sext_i32_i16",
        scalar<Nothing, [](u32 A) { return u32(i32(int16_t(A))); }>());
  T.add("s_pack_ll_b32_b16",
        scalar<Nothing, [](u32 A, u32 B) { return (A & 0xffff) | B << 16; }>());
  T.add("s_pack_lh_b32_b16", scalar<Nothing, [](u32 A, u32 B) {
          return (A & 0xffff) | (B & 0xffff0000);
        }>());
  T.add("s_pack_hh_b32_b16", scalar<Nothing, [](u32 A, u32 B) {
          return A >> 16 | (B & 0xffff0000);
        }>());
  T.add("s_pack_hl_b32_b16",
        scalar<Nothing, [](u32 A, u32 B) { return A >> 16 | B << 16; }>());
}

static void addArithmetic(Table &T) {
  T.add("s_add_u32 s_add_co_u32", scalar<FromBody, [](u32 A, u32 B, bool &Scc) {
          u32 D = A + B;
          Scc = D < A;
          return D;
        }>());
  T.add("s_sub_u32 s_sub_co_u32", scalar<FromBody, [](u32 A, u32 B, bool &Scc) {
          Scc = B > A;
          return A - B;
        }>());
  T.add("s_addc_u32 s_add_co_ci_u32",
        scalar<FromBody, [](u32 A, u32 B, bool &Scc) {
          u64 D = u64(A) + B + Scc;
          Scc = D >> 32;
          return u32(D);
        }>());
  T.add("s_subb_u32 s_sub_co_ci_u32",
        scalar<FromBody, [](u32 A, u32 B, bool &Scc) {
          u32 D = A - B - Scc;
          Scc = u64(B) + Scc > A;
          return D;
        }>());
  T.add("s_add_i32 s_add_co_i32", scalar<FromBody, [](i32 A, i32 B, bool &Scc) {
          i32 D;
          Scc = __builtin_add_overflow(A, B, &D);
          return u32(D);
        }>());
  T.add("s_sub_i32 s_sub_co_i32", scalar<FromBody, [](i32 A, i32 B, bool &Scc) {
          i32 D;
          Scc = __builtin_sub_overflow(A, B, &D);
          return u32(D);
        }>());
  T.add("s_add_nc_u64", scalar<Nothing, [](u64 A, u64 B) { return A + B; }>());
  T.add("s_sub_nc_u64", scalar<Nothing, [](u64 A, u64 B) { return A - B; }>());
  T.add("s_mul_u64", scalar<Nothing, [](u64 A, u64 B) { return A * B; }>());
  T.add("s_mul_i32", scalar<Nothing, [](u32 A, u32 B) { return A * B; }>());
  T.add("s_mul_hi_u32",
        scalar<Nothing, [](u32 A, u32 B) { return u32(u64(A) * B >> 32); }>());
  T.add("s_mul_hi_i32",
        scalar<Nothing, [](i32 A, i32 B) { return u32(i64(A) * B >> 32); }>());
  T.add("s_min_i32", scalar<FromBody, [](i32 A, i32 B, bool &Scc) {
          Scc = A < B;
          return u32(Scc ? A : B);
        }>());
  T.add("s_max_i32", scalar<FromBody, [](i32 A, i32 B, bool &Scc) {
          Scc = A > B;
          return u32(Scc ? A : B);
        }>());
  T.add("s_min_u32", scalar<FromBody, [](u32 A, u32 B, bool &Scc) {
          Scc = A < B;
          return Scc ? A : B;
        }>());
  T.add("s_max_u32", scalar<FromBody, [](u32 A, u32 B, bool &Scc) {
          Scc = A > B;
          return Scc ? A : B;
        }>());
  T.add("s_abs_i32",
        scalar<NonZero, [](u32 A) { return i32(A) < 0 ? 0 - A : A; }>());
  T.add("s_absdiff_i32", scalar<NonZero, [](u32 A, u32 B) {
          u32 D = A - B;
          return i32(D) < 0 ? 0 - D : D;
        }>());
#define SHIFT_ADD(n)                                                           \
  T.add("s_lshl" #n "_add_u32", scalar<FromBody, [](u32 A, u32 B, bool &Scc) { \
          u64 D = (u64(A) << n) + B;                                           \
          Scc = D >> 32;                                                       \
          return u32(D);                                                       \
        }>())
  SHIFT_ADD(1);
  SHIFT_ADD(2);
  SHIFT_ADD(3);
  SHIFT_ADD(4);
#undef SHIFT_ADD
}

static void addBits(Table &T) {
#define LOGIC(names32, names64, expression)                                    \
  T.add(names32, scalar<NonZero, [](u32 A, u32 B) { return expression; }>());  \
  T.add(names64, scalar<NonZero, [](u64 A, u64 B) { return expression; }>())
  LOGIC("s_and_b32", "s_and_b64", A & B);
  LOGIC("s_or_b32", "s_or_b64", A | B);
  LOGIC("s_xor_b32", "s_xor_b64", A ^ B);
  LOGIC("s_andn2_b32 s_and_not1_b32", "s_andn2_b64 s_and_not1_b64", A & ~B);
  LOGIC("s_orn2_b32 s_or_not1_b32", "s_orn2_b64 s_or_not1_b64", A | ~B);
  LOGIC("s_nand_b32", "s_nand_b64", ~(A & B));
  LOGIC("s_nor_b32", "s_nor_b64", ~(A | B));
  LOGIC("s_xnor_b32", "s_xnor_b64", ~(A ^ B));
#undef LOGIC
  T.add("s_lshl_b32",
        scalar<NonZero, [](u32 A, u32 B) { return A << (B & 31); }>());
  T.add("s_lshl_b64",
        scalar<NonZero, [](u64 A, u32 B) { return A << (B & 63); }>());
  T.add("s_lshr_b32",
        scalar<NonZero, [](u32 A, u32 B) { return A >> (B & 31); }>());
  T.add("s_lshr_b64",
        scalar<NonZero, [](u64 A, u32 B) { return A >> (B & 63); }>());
  T.add("s_ashr_i32",
        scalar<NonZero, [](i32 A, u32 B) { return u32(A >> (B & 31)); }>());
  T.add("s_ashr_i64",
        scalar<NonZero, [](i64 A, u32 B) { return u64(A >> (B & 63)); }>());
  T.add("s_bfe_u32", scalar<NonZero, [](u32 A, u32 B) {
          return bitField(A, B & 31, B >> 16 & 0x7f);
        }>());
  T.add("s_bfe_i32", scalar<NonZero, [](i32 A, u32 B) {
          return u32(bitField(A, B & 31, B >> 16 & 0x7f));
        }>());
  T.add("s_bfe_u64", scalar<NonZero, [](u64 A, u32 B) {
          return bitField(A, B & 63, B >> 16 & 0x7f);
        }>());
  T.add("s_bfe_i64", scalar<NonZero, [](i64 A, u32 B) {
          return u64(bitField(A, B & 63, B >> 16 & 0x7f));
        }>());
  T.add("s_bfm_b32", scalar<Nothing, [](u32 A, u32 B) {
          return ((1u << (A & 31)) - 1) << (B & 31);
        }>());
  T.add("s_bfm_b64", scalar<Nothing, [](u32 A, u32 B) {
          return ((u64(1) << (A & 63)) - 1) << (B & 63);
        }>());
  T.add("s_bcnt0_i32_b32",
        scalar<NonZero, [](u32 A) { return u32(32 - std::popcount(A)); }>());
  T.add("s_bcnt0_i32_b64",
        scalar<NonZero, [](u64 A) { return u32(64 - std::popcount(A)); }>());
  T.add("s_bcnt1_i32_b32",
        scalar<NonZero, [](u32 A) { return u32(std::popcount(A)); }>());
  T.add("s_bcnt1_i32_b64",
        scalar<NonZero, [](u64 A) { return u32(std::popcount(A)); }>());
  T.add("s_ff0_i32_b32", scalar<Nothing, [](u32 A) {
          return ~A ? u32(std::countr_one(A)) : ~0u;
        }>());
  T.add("s_ff0_i32_b64", scalar<Nothing, [](u64 A) {
          return ~A ? u32(std::countr_one(A)) : ~0u;
        }>());
  T.add("s_ff1_i32_b32 s_ctz_i32_b32", scalar<Nothing, [](u32 A) {
          return A ? u32(std::countr_zero(A)) : ~0u;
        }>());
  T.add("s_ff1_i32_b64 s_ctz_i32_b64", scalar<Nothing, [](u64 A) {
          return A ? u32(std::countr_zero(A)) : ~0u;
        }>());
  T.add("s_flbit_i32_b32 s_clz_i32_u32", scalar<Nothing, [](u32 A) {
          return A ? u32(std::countl_zero(A)) : ~0u;
        }>());
  T.add("s_flbit_i32_b64 s_clz_i32_u64", scalar<Nothing, [](u64 A) {
          return A ? u32(std::countl_zero(A)) : ~0u;
        }>());
  T.add("s_flbit_i32 s_cls_i32",
        scalar<Nothing, [](i32 A) { return u32(countSame(A)); }>());
  T.add("s_flbit_i32_i64 s_cls_i32_i64",
        scalar<Nothing, [](i64 A) { return u32(countSame(A)); }>());
#define BIT_SET(name, type, expression)                                        \
  T.add(name, {[](Wave &W, const Instruction &I) {                             \
                 auto D = type(scalarValue(W, I, 0));                          \
                 auto B = u32(scalarValue(W, I, 1)) & (sizeof(type) * 8 - 1);  \
                 setScalar(W, I.Op[0], expression, sizeof(type) == 8);         \
               },                                                              \
               {sizeof(type) == 8 ? Type::B64 : Type::B32, Type::B32}})
  BIT_SET("s_bitset0_b32", u32, D & ~(u32(1) << B));
  BIT_SET("s_bitset0_b64", u64, D & ~(u64(1) << B));
  BIT_SET("s_bitset1_b32", u32, D | u32(1) << B);
  BIT_SET("s_bitset1_b64", u64, D | u64(1) << B);
#undef BIT_SET
  T.add("s_bitcmp0_b32",
        compare<[](u32 A, u32 B) { return !(A >> (B & 31) & 1); }>());
  T.add("s_bitcmp1_b32",
        compare<[](u32 A, u32 B) { return bool(A >> (B & 31) & 1); }>());
  T.add("s_bitcmp0_b64",
        compare<[](u64 A, u32 B) { return !(A >> (B & 63) & 1); }>());
  T.add("s_bitcmp1_b64",
        compare<[](u64 A, u32 B) { return bool(A >> (B & 63) & 1); }>());
}

static void addComparisons(Table &T) {
#define COMPARE(name, op)                                                      \
  T.add("s_cmp_" name "_i32", compare<[](i32 A, i32 B) { return A op B; }>()); \
  T.add("s_cmp_" name "_u32", compare<[](u32 A, u32 B) { return A op B; }>()); \
  T.add(                                                                       \
      "s_cmpk_" name "_i32",                                                   \
      compareImmediate<[](u32 A, int16_t K) { return i32(A) op i32(K); }>());  \
  T.add("s_cmpk_" name "_u32", compareImmediate<[](u32 A, int16_t K) {         \
          return A op u32(uint16_t(K));                                        \
        }>())
  COMPARE("eq", ==);
  COMPARE("lg", !=);
  COMPARE("gt", >);
  COMPARE("ge", >=);
  COMPARE("lt", <);
  COMPARE("le", <=);
#undef COMPARE
  T.add("s_cmp_eq_u64", compare<[](u64 A, u64 B) { return A == B; }>());
  T.add("s_cmp_lg_u64", compare<[](u64 A, u64 B) { return A != B; }>());
#define COMPARE(name, expression)                                              \
  T.add("s_cmp_" name "_f32",                                                  \
        compare<[](float A, float B) { return bool(expression); }>());         \
  T.add("s_cmp_" name "_f16", compare<[](Half X, Half Y) {                     \
          float A = floatFromHalf(X.Bits), B = floatFromHalf(Y.Bits);          \
          return bool(expression);                                             \
        }>())
  COMPARE("lt", A < B);
  COMPARE("eq", A == B);
  COMPARE("le", A <= B);
  COMPARE("gt", A > B);
  COMPARE("lg", A < B || A > B);
  COMPARE("ge", A >= B);
  COMPARE("o", A == A && B == B);
  COMPARE("u", A != A || B != B);
  COMPARE("nge", !(A >= B));
  COMPARE("nlg", !(A < B || A > B));
  COMPARE("ngt", !(A > B));
  COMPARE("nle", !(A <= B));
  COMPARE("neq", !(A == B));
  COMPARE("nlt", !(A < B));
#undef COMPARE
}

static void addFloats(Table &T) {
  T.add("s_add_f32",
        scalar<Nothing, [](float A, float B) { return arith(A + B); }>());
  T.add("s_sub_f32",
        scalar<Nothing, [](float A, float B) { return arith(A - B); }>());
  T.add("s_mul_f32",
        scalar<Nothing, [](float A, float B) { return arith(A * B); }>());
  T.add("s_min_f32 s_min_num_f32",
        scalar<Nothing, [](float A, float B) { return minNum(A, B); }>());
  T.add("s_max_f32 s_max_num_f32",
        scalar<Nothing, [](float A, float B) { return maxNum(A, B); }>());
  T.add("s_fmac_f32",
        {[](Wave &W, const Instruction &I) {
           FloatMode Mode(W, true);
           float D = asFloat(uint32_t(scalarValue(W, I, 0)));
           setScalar(
               W, I.Op[0],
               bitsOf(arith(std::fma(scalarSource<float>(W, I.Op[1]),
                                     scalarSource<float>(W, I.Op[2]), D))),
               false);
         },
         {Type::F32, Type::F32, Type::F32}});
  T.add("s_fmaak_f32", scalar<Nothing, [](float A, float B, float K) {
          return arith(std::fma(A, B, K));
        }>());
  T.add("s_fmamk_f32", scalar<Nothing, [](float A, float K, float B) {
          return arith(std::fma(A, K, B));
        }>());
  T.add("s_floor_f32",
        scalar<Nothing, [](float A) { return std::floor(A); }>());
  T.add("s_ceil_f32", scalar<Nothing, [](float A) { return std::ceil(A); }>());
  T.add("s_trunc_f32",
        scalar<Nothing, [](float A) { return std::trunc(A); }>());
  T.add("s_rndne_f32",
        scalar<Nothing, [](float A) { return __builtin_roundevenf(A); }>());
  T.add("s_cvt_f32_i32", scalar<Nothing, [](i32 A) { return float(A); }>());
  T.add("s_cvt_f32_u32", scalar<Nothing, [](u32 A) { return float(A); }>());
  T.add("s_cvt_i32_f32",
        scalar<Nothing, [](float A) { return u32(toInt32(A)); }>());
  T.add("s_cvt_u32_f32",
        scalar<Nothing, [](float A) { return toUint32(A); }>());
  T.add("s_cvt_f32_f16",
        scalar<Nothing, [](u32 A) { return floatFromHalf(uint16_t(A)); }>());
  T.add("s_cvt_hi_f32_f16", scalar<Nothing, [](u32 A) {
          return floatFromHalf(uint16_t(A >> 16));
        }>());
  T.add("s_cvt_f16_f32",
        scalar<Nothing, [](float A) { return u32(halfFromDouble(A)); }>());
  // Scalar forms of the transcendental unit, computed once for the wave.
  T.add("v_s_rcp_f32", scalar<Nothing, [](float A) {
          return arith(flushed(1 / flushed(A)));
        }>());
  T.add(
      "v_s_sqrt_f32",
      scalar<Nothing, [](float A) { return arith(std::sqrt(flushed(A))); }>());
  T.add("v_s_rsq_f32", scalar<Nothing, [](float A) {
          return arith(float(1 / std::sqrt(double(flushed(A)))));
        }>());
  T.add("v_s_exp_f32", scalar<Nothing, [](float A) {
          return flushed(float(std::exp2(double(A))));
        }>());
  T.add("v_s_log_f32", scalar<Nothing, [](float A) {
          return arith(float(std::log2(double(flushed(A)))));
        }>());
}

void addScalar(Table &T) {
  addMoves(T);
  addArithmetic(T);
  addBits(T);
  addComparisons(T);
  addFloats(T);
#define SAVE_EXEC(names, expression)                                           \
  T.add("s_" names "_saveexec_b32",                                            \
        saveExec<[](u64 Src, u64 Exec) { return expression; }, false>());      \
  T.add("s_" names "_saveexec_b64",                                            \
        saveExec<[](u64 Src, u64 Exec) { return expression; }, true>())
  SAVE_EXEC("and", Src & Exec);
  SAVE_EXEC("or", Src | Exec);
  SAVE_EXEC("xor", Src ^ Exec);
  SAVE_EXEC("andn2", Src & ~Exec);
  SAVE_EXEC("and_not1", Src & ~Exec);
  SAVE_EXEC("orn2", Src | ~Exec);
  SAVE_EXEC("or_not1", Src | ~Exec);
  SAVE_EXEC("andn1", ~Src & Exec);
  SAVE_EXEC("and_not0", ~Src & Exec);
  SAVE_EXEC("orn1", ~Src | Exec);
  SAVE_EXEC("or_not0", ~Src | Exec);
  SAVE_EXEC("nand", ~(Src & Exec));
  SAVE_EXEC("nor", ~(Src | Exec));
  SAVE_EXEC("xnor", ~(Src ^ Exec));
#undef SAVE_EXEC
#define WRITE_EXEC(names, expression)                                          \
  T.add(                                                                       \
      "s_" names "_wrexec_b32",                                                \
      saveExec<[](u64 Src, u64 Exec) { return expression; }, false, true>());  \
  T.add("s_" names "_wrexec_b64",                                              \
        saveExec<[](u64 Src, u64 Exec) { return expression; }, true, true>())
  WRITE_EXEC("andn1", ~Src & Exec);
  WRITE_EXEC("and_not0", ~Src & Exec);
  WRITE_EXEC("andn2", Src & ~Exec);
  WRITE_EXEC("and_not1", Src & ~Exec);
#undef WRITE_EXEC
}

} // namespace amdgcn
