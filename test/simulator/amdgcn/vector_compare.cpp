// Comparisons of the vector unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// v_cmp writes a bit for each active lane, 0 for the others. v_cmpx writes EXEC
// too, and since gfx10 nothing else.

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

/// The bits of active lanes; \p First is the first source.
template <auto F, unsigned First> struct Compare {
  using S = Signature<decltype(F)>;
  using A = typename S::template Argument<0>;
  using B = typename S::template Argument<1>;

  static u64 any(Wave &w, const Instruction &i) {
    alignas(64) A left[64];
    alignas(64) B right[64];
    FloatMode mode(w, std::is_same_v<A, float>);
    const A *x = source(w, i, First, left);
    const B *y = source(w, i, First + 1, right);
    u64 bits = 0;
    for (unsigned l = 0; l != w.lanes; ++l)
      bits |= u64(F(x[l], y[l])) << l;
    bits &= w.exec();
    return i.dppKind != Dpp::None ? bits & w.dppMask : bits;
  }
  template <unsigned Lanes>
  XCC_SIMULATOR_WIDE static u64 lanes(Wave &w, const Instruction &i) {
    Room<Lanes> a, b;
    const PlainSource<A, Lanes> x(w, i.op[First], a);
    const PlainSource<B, Lanes> y(w, i.op[First + 1], b);
    alignas(32) uint8_t out[Lanes];
    for (unsigned l = 0; l != Lanes; ++l) {
      [[clang::always_inline]] out[l] = F(x[l], y[l]);
    }
    return bitsOfBytes<Lanes>(out) & w.exec();
  }
  static u64 plain(Wave &w, const Instruction &i) {
    if constexpr (IsFloat<A>)
      if (!FloatMode::isUsual(w, std::is_same_v<A, float>)) [[unlikely]]
        return any(w, i);
    return w.lanes == 32 ? lanes<32>(w, i) : lanes<64>(w, i);
  }
};

/// What is done with the bits. Before gfx10 there may be a destination besides
/// EXEC.
enum class To { Mask, Exec, MaskAndExec };

template <auto F, To Where> Semantics comparison() {
  static constexpr unsigned first = Where == To::Exec ? 0 : 1;
  using C = Compare<F, first>;
  static constexpr auto put = [](Wave &w, const Instruction &i, u64 bits) {
    if (Where != To::Exec)
      setMaskValue(w, i.op[0], bits);
    if (Where == To::Exec)
      w.setMask(ExecLo, bits);
    if (Where == To::MaskAndExec)
      w.setExec(bits);
  };
  Semantics s{[](Wave &w, const Instruction &i) { put(w, i, C::any(w, i)); },
              {Type::Any, Type::Any, Type::Any},
              ModDpp | ModSdwa | ModOpSel | ModClamp,
              first,
              [](Wave &w, const Instruction &i) { put(w, i, C::plain(w, i)); }};
  s.types[first] = typeOf<typename C::A>();
  s.types[first + 1] = typeOf<typename C::B>();
  return s;
}

template <auto F> void add(Table &t, std::string_view name) {
  t.add(keep("v_cmp_" + std::string(name)), comparison<F, To::Mask>());
  t.add(keep("v_cmpx_" + std::string(name)), comparison<F, To::Exec>());
  t.add(keep("v_cmpx_" + std::string(name) + "/mask"),
        comparison<F, To::MaskAndExec>());
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
