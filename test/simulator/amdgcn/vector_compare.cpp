// Comparisons of the vector unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// v_cmp writes a bit for each active lane, 0 for the others. v_cmpx writes EXEC
// too, and since gfx10 nothing else.

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

template <auto F> u64 compare(Wave &W, const Instruction &I, unsigned First) {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  alignas(64) A Left[64];
  alignas(64) B Right[64];
  FloatMode Mode(W, std::is_same_v<A, float>);
  const A *X = source(W, I, First, Left);
  const B *Y = source(W, I, First + 1, Right);
  alignas(64) uint8_t Out[64];
  for (unsigned Half = 0; Half != W.Lanes; Half += 32)
    for (unsigned L = Half; L != Half + 32; ++L)
      Out[L] = F(X[L], Y[L]);
  u64 Bits = 0;
  for (unsigned Byte = 0; Byte != W.Lanes / 8; ++Byte) {
    u64 Eight;
    memcpy(&Eight, Out + Byte * 8, 8);
    Bits |= (Eight * 0x0102040810204080 >> 56) << (8 * Byte);
  }
  Bits &= W.exec();
  return I.DppKind != Dpp::None ? Bits & W.DppMask : Bits;
}

template <auto F> Semantics toMask() {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  return {[](Wave &W, const Instruction &I) {
            setMaskValue(W, I.Op[0], compare<F>(W, I, 1));
          },
          {Type::Any, typeOf<A>(), typeOf<B>()},
          ModDpp | ModSdwa | ModOpSel | ModClamp,
          1};
}

/// Before gfx10 there is a destination besides EXEC.
template <auto F> Semantics toExec() {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  return {[](Wave &W, const Instruction &I) {
            u64 Bits = compare<F>(W, I, 0);
            W.setMask(ExecLo, Bits);
          },
          {typeOf<A>(), typeOf<B>()},
          ModDpp | ModSdwa | ModOpSel | ModClamp,
          0};
}
template <auto F> Semantics toMaskAndExec() {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  return {[](Wave &W, const Instruction &I) {
            u64 Bits = compare<F>(W, I, 1);
            setMaskValue(W, I.Op[0], Bits);
            W.setExec(Bits);
          },
          {Type::Any, typeOf<A>(), typeOf<B>()},
          ModDpp | ModSdwa | ModOpSel | ModClamp,
          1};
}

template <auto F> void add(Table &T, std::string_view Name) {
  T.add(keep("v_cmp_" + std::string(Name)), toMask<F>());
  T.add(keep("v_cmpx_" + std::string(Name)), toExec<F>());
  T.add(keep("v_cmpx_" + std::string(Name) + "/mask"), toMaskAndExec<F>());
}

/// What is compared: a half as the float that it stands for.
inline float number(float F) { return F; }
inline double number(double D) { return D; }
inline float number(Half H) { return floatFromHalf(H.Bits); }

} // namespace

template <class V> static void addIntegers(Table &T, const char *Kind) {
  auto Name = [Kind](const char *Op) { return std::string(Op) + "_" + Kind; };
  add<[](V A, V B) { return A < B; }>(T, Name("lt"));
  add<[](V A, V B) { return A == B; }>(T, Name("eq"));
  add<[](V A, V B) { return A <= B; }>(T, Name("le"));
  add<[](V A, V B) { return A > B; }>(T, Name("gt"));
  add<[](V A, V B) { return A != B; }>(T, Name("ne"));
  add<[](V A, V B) { return A >= B; }>(T, Name("ge"));
  add<[](V, V) { return false; }>(T, Name("f"));
  add<[](V, V) { return true; }>(T, Name("t"));
}

template <class V> static void addFloats(Table &T, const char *Kind) {
  auto Name = [Kind](const char *Op) { return std::string(Op) + "_" + Kind; };
  add<[](V A, V B) { return number(A) < number(B); }>(T, Name("lt"));
  add<[](V A, V B) { return number(A) == number(B); }>(T, Name("eq"));
  add<[](V A, V B) { return number(A) <= number(B); }>(T, Name("le"));
  add<[](V A, V B) { return number(A) > number(B); }>(T, Name("gt"));
  add<[](V A, V B) { return number(A) < number(B) || number(A) > number(B); }>(
      T, Name("lg"));
  add<[](V A, V B) { return number(A) >= number(B); }>(T, Name("ge"));
  add<[](V A, V B) {
    return number(A) == number(A) && number(B) == number(B);
  }>(T, Name("o"));
  add<[](V A, V B) {
    return number(A) != number(A) || number(B) != number(B);
  }>(T, Name("u"));
  add<[](V A, V B) { return !(number(A) >= number(B)); }>(T, Name("nge"));
  add<[](V A, V B) {
    return !(number(A) < number(B) || number(A) > number(B));
  }>(T, Name("nlg"));
  add<[](V A, V B) { return !(number(A) > number(B)); }>(T, Name("ngt"));
  add<[](V A, V B) { return !(number(A) <= number(B)); }>(T, Name("nle"));
  add<[](V A, V B) { return !(number(A) == number(B)); }>(T, Name("neq"));
  add<[](V A, V B) { return !(number(A) < number(B)); }>(T, Name("nlt"));
  add<[](V, V) { return false; }>(T, Name("f"));
  add<[](V, V) { return true; }>(T, Name("tru"));
}

void addVectorCompare(Table &T) {
  addIntegers<u16>(T, "u16");
  addIntegers<i16>(T, "i16");
  addIntegers<u32>(T, "u32");
  addIntegers<i32>(T, "i32");
  addIntegers<u64>(T, "u64");
  addIntegers<i64>(T, "i64");
  addFloats<Half>(T, "f16");
  addFloats<float>(T, "f32");
  addFloats<double>(T, "f64");
  add<[](float A, u32 B) { return (classOf(A) & B) != 0; }>(T, "class_f32");
  add<[](double A, u32 B) { return (classOf(A) & B) != 0; }>(T, "class_f64");
  add<[](Half A, u32 B) {
    uint16_t H = A.Bits & 0x7fff;
    bool Minus = A.Bits >> 15;
    u32 Class = H > 0x7c00    ? (H & 0x200 ? 2 : 1)
                : H == 0x7c00 ? (Minus ? 1 << 2 : 1 << 9)
                : H >= 0x400  ? (Minus ? 1 << 3 : 1 << 8)
                : H           ? (Minus ? 1 << 4 : 1 << 7)
                              : (Minus ? 1 << 5 : 1 << 6);
    return (Class & B) != 0;
  }>(T, "class_f16");
}

} // namespace amdgcn
