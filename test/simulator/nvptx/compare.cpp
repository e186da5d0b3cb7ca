// Comparisons and selections
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.6 and 9.7.7.

#include "handlers.h"
#include "numbers.h"

#include <type_traits>

namespace ptx {
namespace {

enum Relation {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge, // of numbers; false for NaN
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu, // true for NaN
  Num,
  Nan
};

template <int Op, class T> bool holds(T a, T b) {
  constexpr bool isFloat = std::is_floating_point_v<T>;
  if constexpr (isFloat) {
    bool unordered = a != a || b != b;
    if constexpr (Op == Num)
      return !unordered;
    if constexpr (Op == Nan)
      return unordered;
    if (unordered)
      return Op >= Equ;
  }
  constexpr int order = Op >= Equ ? Op - Equ : Op;
  return order == Eq   ? a == b
         : order == Ne ? a != b
         : order == Lt ? a < b
         : order == Le ? a <= b
         : order == Gt ? a > b
                       : a >= b;
}

template <class T> T value(T v) { return v; }
/// Short formats are compared as what they stand for.
template <class F> struct Stored {
  uint16_t bits;
};
template <class F> float value(Stored<F> v) { return float(F::wide(v.bits)); }

enum { Ftz = 1, NotC = 2, CombineShift = 2 };
enum Combine { Alone, AndWith, OrWith, XorWith };

template <int Op, class T>
uint32_t compare(Warp &w, const Inst &i, uint32_t lanes) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  if (i.small & Ftz)
    return lanesWhere(lanes, [=](unsigned l) {
      auto x = value(a[l]), y = value(b[l]);
      if constexpr (std::is_same_v<decltype(x), float>)
        x = flush(x), y = flush(y);
      return holds<Op>(x, y);
    });
  return lanesWhere(
      lanes, [=](unsigned l) { return holds<Op>(value(a[l]), value(b[l])); });
}
/// With another predicate; imm has the second result's offset.
uint32_t combined(Warp &w, const Inst &i, uint32_t result) {
  uint32_t c = w.predicate(i.c, i.small & NotC);
  switch (i.small >> CombineShift) {
  case AndWith:
    return result & c;
  case OrWith:
    return result | c;
  case XorWith:
    return result ^ c;
  }
  return result;
}
template <int Op, class T>
void setPredicates(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t result = compare<Op, T>(w, i, lanes);
  uint32_t first = combined(w, i, result), second = combined(w, i, ~result);
  w.setPredicate(i.d, first, lanes);
  if (i.p >= 0)
    w.setPredicate(i.p, second, lanes);
}
/// Of two numbers in each register: the lower ones' result, and the upper ones'.
template <int Op, class F>
void setPredicatesOfPairs(Warp &w, const Inst &i, uint32_t lanes) {
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b);
  auto ofHalf = [&](unsigned half) {
    return lanesWhere(lanes, [=, flushes = i.small & Ftz](unsigned l) {
      float x = float(F::wide(uint16_t(a[l] >> 16 * half))),
            y = float(F::wide(uint16_t(b[l] >> 16 * half)));
      if (flushes)
        x = flush(x), y = flush(y);
      return holds<Op>(x, y);
    });
  };
  const uint32_t out[2] = {ofHalf(0), ofHalf(1)};
  uint32_t first = combined(w, i, out[0]), second = combined(w, i, out[1]);
  w.setPredicate(i.d, first, lanes);
  if (i.p >= 0)
    w.setPredicate(i.p, second, lanes);
}
/// set: all bits or none; 1.0 or 0 for .f32.
template <int Op, class T>
void setNumber(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t result = combined(w, i, compare<Op, T>(w, i, lanes));
  uint32_t *d = w.out<uint32_t>(i.d);
  each(lanes,
       [=](unsigned l) { d[l] = result >> l & 1 ? uint32_t(i.imm) : 0u; });
}

template <int Op, bool Number> Handler withType(Decoder &d, Type t) {
  auto of = [&]<class C>() -> Handler {
    return Number ? setNumber<Op, C> : setPredicates<Op, C>;
  };
  if (isInteger(t)) {
    if constexpr (Op <= Ge)
      return withInteger(
          d, t, [&]<class I>() { return of.template operator()<I>(); });
    d.refuse("a comparison that integers do not have");
  }
  if (t == Type{Type::F, 1, 32})
    return of.template operator()<float>();
  if (t == Type{Type::F, 1, 64})
    return of.template operator()<double>();
  if (t == Type{Type::F, 1, 16})
    return of.template operator()<Stored<Half>>();
  if (t == Type{Type::BF, 1, 16})
    return of.template operator()<Stored<Brain>>();
  if constexpr (!Number) {
    if (t == Type{Type::F, 2, 16})
      return setPredicatesOfPairs<Op, Half>;
    if (t == Type{Type::BF, 2, 16})
      return setPredicatesOfPairs<Op, Brain>;
  }
  d.refuse("a type that the instruction does not have");
}
template <bool Number, int... Ops>
Handler choose(Decoder &d, int op, Type t, std::integer_sequence<int, Ops...>) {
  Handler h = nullptr;
  ((op == Ops ? void(h = withType<Ops, Number>(d, t)) : void()), ...);
  return h;
}

template <bool Number> void set(Decoder &d) {
  int op = d.oneOf({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
                    "leu", "gtu", "geu", "num", "nan"});
  Type to;
  if (Number)
    to = d.type();
  // lo, ls, hi, hs are the unsigned ones by other names.
  if (op < 0) {
    int other = d.oneOf({"lo", "ls", "hi", "hs"});
    if (other < 0)
      d.refuse("the comparison is missing");
    op = Lt + other;
  }
  int with = d.oneOf({"and", "or", "xor"}) + 1;
  bool flush = d.has("ftz"), notC = false;
  Type t = d.type();
  if (op > Ne && op <= Ge && t.of == Type::B)
    d.refuse("an order of bits without a sign or none");
  int32_t out = Number ? d.out(0, 4) : d.outPredicate(d.operand(0).index);
  int32_t second = Number ? -1 : d.second(0);
  int32_t a = d.in(1, t), b = d.in(2, t);
  int32_t c = with ? d.inPredicate(3, notC) : 0;
  Inst &n = d.emit(
      choose<Number>(d, op, t, std::make_integer_sequence<int, Nan + 1>()));
  n.d = out, n.p = second, n.a = a, n.b = b;
  n.c = with ? c : out >= 0 && !Number ? out : d.constantPredicate(false);
  n.small = uint8_t(flush | (notC ? 2 : 0) | with << CombineShift);
  if (Number)
    n.imm = to.of == Type::F ? 0x3f800000 : 0xffffffff;
}

template <class T> void select(Warp &w, const Inst &i, uint32_t lanes) {
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  uint32_t p = w.predicate(i.p, i.small & 1);
  each(lanes, [=](unsigned l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
}
void selp(Decoder &d) {
  Type t = d.type();
  bool negated;
  int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, t),
          p = d.inPredicate(3, negated);
  Inst &n = d.emit(t.bytes() == 2   ? select<uint16_t>
                   : t.bytes() == 4 ? select<uint32_t>
                                    : select<uint64_t>);
  n.d = to, n.a = a, n.b = b, n.p = p, n.small = negated;
}

/// slct: by the sign of a number.
template <class T, class C>
void selectBySign(Warp &w, const Inst &i, uint32_t lanes) {
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  const C *s = w.in<C>(i.c);
  bool flushes = i.small;
  each(lanes, [=](unsigned l) {
    C v = s[l];
    if constexpr (std::is_same_v<C, float>)
      if (flushes)
        v = flush(v);
    d[l] = v >= C(0) ? a[l] : b[l];
  });
}
void slct(Decoder &d) {
  bool flush = d.has("ftz");
  Type t = d.type(), by = d.type();
  int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, t),
          c = d.in(3, by);
  bool isFloat = by.of == Type::F;
  Handler h = t.bytes() == 2   ? (isFloat ? selectBySign<uint16_t, float>
                                          : selectBySign<uint16_t, int32_t>)
              : t.bytes() == 4 ? (isFloat ? selectBySign<uint32_t, float>
                                          : selectBySign<uint32_t, int32_t>)
                               : (isFloat ? selectBySign<uint64_t, float>
                                          : selectBySign<uint64_t, int32_t>);
  Inst &n = d.emit(h);
  n.d = to, n.a = a, n.b = b, n.c = c, n.small = flush;
}

PTX_OPCODES({"setp", set<false>}, {"set", set<true>}, {"selp", selp},
            {"slct", slct})

} // namespace
} // namespace ptx
