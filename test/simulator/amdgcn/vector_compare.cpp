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

template <auto F> u64 compare(Wave &w, const Instruction &i, unsigned first) {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  alignas(64) A left[64];
  alignas(64) B right[64];
  FloatMode mode(w, std::is_same_v<A, float>);
  const A *x = source(w, i, first, left);
  const B *y = source(w, i, first + 1, right);
  alignas(64) uint8_t out[64];
  computeLanes<F>(w.lanes, out, x, y);
  u64 bits = 0;
  for (unsigned byte = 0; byte != w.lanes / 8; ++byte) {
    u64 eight;
    memcpy(&eight, out + byte * 8, 8);
    bits |= (eight * 0x0102040810204080 >> 56) << (8 * byte);
  }
  bits &= w.exec();
  return i.dppKind != Dpp::None ? bits & w.dppMask : bits;
}

template <auto F> Semantics toMask() {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  return {[](Wave &w, const Instruction &i) {
            setMaskValue(w, i.op[0], compare<F>(w, i, 1));
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
  return {[](Wave &w, const Instruction &i) {
            u64 bits = compare<F>(w, i, 0);
            w.setMask(ExecLo, bits);
          },
          {typeOf<A>(), typeOf<B>()},
          ModDpp | ModSdwa | ModOpSel | ModClamp,
          0};
}
template <auto F> Semantics toMaskAndExec() {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;
  return {[](Wave &w, const Instruction &i) {
            u64 bits = compare<F>(w, i, 1);
            setMaskValue(w, i.op[0], bits);
            w.setExec(bits);
          },
          {Type::Any, typeOf<A>(), typeOf<B>()},
          ModDpp | ModSdwa | ModOpSel | ModClamp,
          1};
}

template <auto F> void add(Table &t, std::string_view name) {
  t.add(keep("v_cmp_" + std::string(name)), toMask<F>());
  t.add(keep("v_cmpx_" + std::string(name)), toExec<F>());
  t.add(keep("v_cmpx_" + std::string(name) + "/mask"), toMaskAndExec<F>());
}

/// What is compared: a half as the float that it stands for.
inline float number(float f) { return f; }
inline double number(double d) { return d; }
inline float number(Half h) { return floatFromHalf(h.bits); }

} // namespace

template <class V> static void addIntegers(Table &t, const char *kind) {
  auto name = [kind](const char *op) { return std::string(op) + "_" + kind; };
  add<[](V a, V b) { return a < b; }>(t, name("lt"));
  add<[](V a, V b) { return a == b; }>(t, name("eq"));
  add<[](V a, V b) { return a <= b; }>(t, name("le"));
  add<[](V a, V b) { return a > b; }>(t, name("gt"));
  add<[](V a, V b) { return a != b; }>(t, name("ne"));
  add<[](V a, V b) { return a >= b; }>(t, name("ge"));
  add<[](V, V) { return false; }>(t, name("f"));
  add<[](V, V) { return true; }>(t, name("t"));
}

template <class V> static void addFloats(Table &t, const char *kind) {
  auto name = [kind](const char *op) { return std::string(op) + "_" + kind; };
  add<[](V a, V b) { return number(a) < number(b); }>(t, name("lt"));
  add<[](V a, V b) { return number(a) == number(b); }>(t, name("eq"));
  add<[](V a, V b) { return number(a) <= number(b); }>(t, name("le"));
  add<[](V a, V b) { return number(a) > number(b); }>(t, name("gt"));
  add<[](V a, V b) { return number(a) < number(b) || number(a) > number(b); }>(
      t, name("lg"));
  add<[](V a, V b) { return number(a) >= number(b); }>(t, name("ge"));
  add<[](V a, V b) {
    return number(a) == number(a) && number(b) == number(b);
  }>(t, name("o"));
  add<[](V a, V b) {
    return number(a) != number(a) || number(b) != number(b);
  }>(t, name("u"));
  add<[](V a, V b) { return !(number(a) >= number(b)); }>(t, name("nge"));
  add<[](V a, V b) {
    return !(number(a) < number(b) || number(a) > number(b));
  }>(t, name("nlg"));
  add<[](V a, V b) { return !(number(a) > number(b)); }>(t, name("ngt"));
  add<[](V a, V b) { return !(number(a) <= number(b)); }>(t, name("nle"));
  add<[](V a, V b) { return !(number(a) == number(b)); }>(t, name("neq"));
  add<[](V a, V b) { return !(number(a) < number(b)); }>(t, name("nlt"));
  add<[](V, V) { return false; }>(t, name("f"));
  add<[](V, V) { return true; }>(t, name("tru"));
}

void addVectorCompare(Table &t) {
  addIntegers<u16>(t, "u16");
  addIntegers<i16>(t, "i16");
  addIntegers<u32>(t, "u32");
  addIntegers<i32>(t, "i32");
  addIntegers<u64>(t, "u64");
  addIntegers<i64>(t, "i64");
  addFloats<Half>(t, "f16");
  addFloats<float>(t, "f32");
  addFloats<double>(t, "f64");
  add<[](float a, u32 b) { return (classOf(a) & b) != 0; }>(t, "class_f32");
  add<[](double a, u32 b) { return (classOf(a) & b) != 0; }>(t, "class_f64");
  add<[](Half a, u32 b) {
    uint16_t h = a.bits & 0x7fff;
    bool minus = a.bits >> 15;
    u32 kind = h > 0x7c00    ? (h & 0x200 ? 2 : 1)
               : h == 0x7c00 ? (minus ? 1 << 2 : 1 << 9)
               : h >= 0x400  ? (minus ? 1 << 3 : 1 << 8)
               : h           ? (minus ? 1 << 4 : 1 << 7)
                             : (minus ? 1 << 5 : 1 << 6);
    return (kind & b) != 0;
  }>(t, "class_f16");
}

} // namespace amdgcn
