// Floating-point arithmetic
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.3 to 9.7.5. Approximations are computed as well as the host can:
// their error is the one thing that is not simulated.

#include "floating.h"

#include <type_traits>

namespace ptx {
namespace {

Rounding roundingOf(const Inst &i) {
  return Rounding(i.small >> RoundingShift);
}

template <int Op, class T> void run(Warp &w, const Inst &i, uint32_t lanes) {
  constexpr int count = operandsOf(Op);
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a), *b = count > 1 ? w.in<T>(i.b) : a,
          *c = count > 2 ? w.in<T>(i.c) : a;
  RoundingScope scope(roundingOf(i));
  if (!(i.small & (Ftz | Sat))) {
    each(lanes, [=](unsigned l) {
      T v = compute<Op, T>(a[l], b[l], c[l]);
      d[l] = Op == Abs || Op == Neg ? v : canonical(v);
    });
    return;
  }
  bool flushes = i.small & Ftz, clamp = i.small & Sat;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    T x = a[l], y = b[l], z = c[l];
    if constexpr (std::is_same_v<T, float>)
      if (flushes)
        x = flush(x), y = flush(y), z = flush(z);
    T v = canonical(compute<Op, T>(x, y, z));
    if constexpr (std::is_same_v<T, float>)
      if (flushes)
        v = flush(v);
    d[l] = clamp ? saturate(v) : v;
  }
}

/// Two floats in a register.
template <int Op> void runTwo(Warp &w, const Inst &i, uint32_t lanes) {
  constexpr int count = operandsOf(Op);
  uint64_t *d = w.out<uint64_t>(i.d);
  const uint64_t *a = w.in<uint64_t>(i.a),
                 *b = count > 1 ? w.in<uint64_t>(i.b) : a,
                 *c = count > 2 ? w.in<uint64_t>(i.c) : a;
  RoundingScope scope(roundingOf(i));
  auto one = [&](uint64_t x, uint64_t y, uint64_t z) {
    float of[3] = {std::bit_cast<float>(uint32_t(x)),
                   std::bit_cast<float>(uint32_t(y)),
                   std::bit_cast<float>(uint32_t(z))};
    if (i.small & Ftz)
      for (float &f : of)
        f = flush(f);
    float v = canonical(compute<Op, float>(of[0], of[1], of[2]));
    if (i.small & Ftz)
      v = flush(v);
    return uint64_t(std::bit_cast<uint32_t>(v));
  };
  each(lanes, [&](unsigned l) {
    d[l] = one(a[l], b[l], c[l]) | one(a[l] >> 32, b[l] >> 32, c[l] >> 32)
                                       << 32;
  });
}

/// The short formats, one or two in a register: in double, rounded once.
template <class Format, int Op>
uint16_t shortly(uint16_t a, uint16_t b, uint16_t c, uint8_t small) {
  if constexpr (Op == Abs || Op == Neg) {
    if (std::isnan(Format::wide(a)))
      return signOfNaN<Op>(a & Format::Sign) ? Format::NaN | Format::Sign
                                             : Format::NaN;
    return uint16_t(Op == Abs ? a & ~Format::Sign : a ^ Format::Sign);
  }
  auto flush = [&](uint16_t v) {
    double w = Format::wide(v);
    return small & Ftz && std::is_same_v<Format, Half> && std::fabs(w) < 0x1p-14
               ? std::copysign(0.0, w)
               : w;
  };
  double x = flush(a), y = flush(b), z = flush(c), v;
  if constexpr (Op == Fma)
    v = fusedToOdd(x, y, z);
  else
    v = compute<Op, double>(x, y, z);
  if (small & Sat)
    v = saturate(v);
  uint16_t out = Format::of(v);
  if (small & Ftz && std::is_same_v<Format, Half> &&
      std::fabs(Format::wide(out)) < 0x1p-14)
    out &= Format::Sign;
  return out;
}
template <class Format, int Op, class T>
void runShort(Warp &w, const Inst &i, uint32_t lanes) {
  T *d = w.out<T>(i.d);
  constexpr int count = operandsOf(Op);
  const T *a = w.in<T>(i.a), *b = count > 1 ? w.in<T>(i.b) : a,
          *c = count > 2 ? w.in<T>(i.c) : a;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    uint32_t out = shortly<Format, Op>(uint16_t(a[l]), uint16_t(b[l]),
                                       uint16_t(c[l]), i.small);
    if constexpr (sizeof(T) == 4)
      out |= uint32_t(shortly<Format, Op>(uint16_t(a[l] >> 16),
                                          uint16_t(b[l] >> 16),
                                          uint16_t(c[l] >> 16), i.small))
             << 16;
    d[l] = T(out);
  }
}

template <int Op> Handler handlerFor(Decoder &d, Type t) {
  constexpr bool isShort = Op <= MaxNaN && Op != Div;
  constexpr bool shortApprox = Op == Tanh || Op == Ex2;
  if (t == Type{Type::F, 1, 32}) {
    if constexpr (Op != RcpGross && Op != RsqrtGross)
      return run<Op, float>;
  } else if (t == Type{Type::F, 1, 64}) {
    if constexpr (Op < DivApprox || Op == RcpGross || Op == RsqrtGross ||
                  Op == Rsqrt)
      return run<Op, double>;
  } else if constexpr (isShort || shortApprox) {
    if constexpr (Op == Add || Op == Sub || Op == Mul || Op == Fma)
      if (t == Type{Type::F, 2, 32})
        return runTwo<Op>;
    if (t == Type{Type::F, 1, 16})
      return runShort<Half, Op, uint16_t>;
    if (t == Type{Type::F, 2, 16})
      return runShort<Half, Op, uint32_t>;
    if (t == Type{Type::BF, 1, 16})
      return runShort<Brain, Op, uint16_t>;
    if (t == Type{Type::BF, 2, 16})
      return runShort<Brain, Op, uint32_t>;
  }
  d.refuse("a type that the instruction does not have");
}

template <class Format> void widen(Warp &w, const Inst &i, uint32_t lanes) {
  float *d = w.out<float>(i.d);
  const uint16_t *a = w.in<uint16_t>(i.a);
  each(lanes, [=](unsigned l) { d[l] = float(Format::wide(a[l])); });
}

template <int Op> void decode(Decoder &d, Type t) {
  uint8_t small = 0;
  if (d.has("ftz"))
    small |= Ftz;
  if (d.has("sat"))
    small |= Sat;
  int r = d.oneOf({"rn", "rz", "rm", "rp"});
  if (r > 0 && (t.elementBits == 16 || Op >= DivApprox))
    d.refuse("a rounding that the instruction does not have");
  small |= uint8_t((r < 0 ? 0 : r) << RoundingShift);
  // Of mixed precision: all operands but the last have 16 bits.
  constexpr bool mixes = Op == Add || Op == Sub || Op == Fma;
  const int mixed =
      mixes && t == Type{Type::F, 1, 32} ? d.oneOf({"f16", "bf16"}) : -1;
  auto factor = [&](size_t n) {
    if (mixed < 0)
      return d.in(n, t);
    const int32_t from = d.in(n, {mixed ? Type::BF : Type::F, 1, 16}),
                  wide = d.temporary(4);
    Inst &made = d.emit(mixed ? widen<Brain> : widen<Half>);
    made.d = wide, made.a = from;
    return wide;
  };
  int32_t to = d.out(0, t.bytes()), a = factor(1), b = 0, c = 0;
  if (operandsOf(Op) > 1)
    b = operandsOf(Op) > 2 ? factor(2) : d.in(2, t);
  if (operandsOf(Op) > 2)
    c = d.in(3, t);
  Handler h = r <= 0 ? nearestHandler(Op, t, !(small & (Ftz | Sat))) : nullptr;
  Inst &n = d.emit(h ? h : handlerFor<Op>(d, t));
  n.d = to, n.a = a, n.b = b, n.c = c, n.small = small;
}

constexpr Type Double{Type::F, 1, 64};

void fma(Decoder &d) {
  Type t = d.type();
  if (d.has("relu"))
    d.refuse("'.relu' is not supported");
  decode<Fma>(d, t);
}
void rcp(Decoder &d) {
  Type t = d.type();
  if (!d.has("approx"))
    decode<Rcp>(d, t);
  else if (t == Double)
    d.has("ftz"), decode<RcpGross>(d, t);
  else
    decode<RcpApprox>(d, t);
}
void sqrt(Decoder &d) {
  Type t = d.type();
  if (d.has("approx"))
    decode<SqrtApprox>(d, t);
  else
    decode<Sqrt>(d, t);
}
void rsqrt(Decoder &d) {
  Type t = d.type();
  if (!d.has("approx"))
    d.refuse("'.approx' is missing");
  if (t == Double && d.has("ftz"))
    decode<RsqrtGross>(d, t);
  else
    decode<Rsqrt>(d, t);
}
template <int Op> void approximation(Decoder &d) {
  Type t = d.type();
  if (!d.has("approx"))
    d.refuse("'.approx' is missing");
  decode<Op>(d, t);
}

template <class T> void copySign(Warp &w, const Inst &i, uint32_t lanes) {
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  constexpr T sign = T(1) << (sizeof(T) * 8 - 1);
  each(lanes, [=](unsigned l) { d[l] = (a[l] & sign) | (b[l] & ~sign); });
}
void copysign(Decoder &d) {
  Type t = d.type();
  int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, t);
  Inst &n = d.emit(t == Double ? copySign<uint64_t> : copySign<uint32_t>);
  n.d = to, n.a = a, n.b = b;
}

enum Test { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <class T> void runTest(Warp &w, const Inst &i, uint32_t lanes) {
  const T *a = w.in<T>(i.a);
  uint32_t out = 0;
  for (uint32_t m = lanes; m; m &= m - 1) {
    T v = a[__builtin_ctz(m)];
    bool is = false;
    switch (Test(i.small)) {
    case Finite:
      is = std::isfinite(v);
      break;
    case Infinite:
      is = std::isinf(v);
      break;
    case Number:
      is = v == v;
      break;
    case NotANumber:
      is = v != v;
      break;
    case Normal:
      is = std::isnormal(v);
      break;
    case Subnormal:
      is = std::fpclassify(v) == FP_SUBNORMAL;
      break;
    }
    if (is)
      out |= m & -m;
  }
  w.setPredicate(i.d, out, lanes);
}
void testp(Decoder &d) {
  int what = d.oneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (what < 0)
    d.refuse("what to test for is missing");
  Type t = d.type();
  int32_t to = d.outPredicate(d.operand(0).index), a = d.in(1, t);
  Inst &n = d.emit(t == Double ? runTest<double> : runTest<float>);
  n.d = to, n.a = a, n.small = uint8_t(what);
}

PTX_OPCODES({"fma", fma}, {"rcp", rcp}, {"sqrt", sqrt}, {"rsqrt", rsqrt},
            {"sin", approximation<Sin>}, {"cos", approximation<Cos>},
            {"lg2", approximation<Lg2>}, {"ex2", approximation<Ex2>},
            {"tanh", approximation<Tanh>}, {"copysign", copysign},
            {"testp", testp})

} // namespace

/// The floating-point forms of what integer.cpp registers.
void decodeFloating(Decoder &d, Type t) {
  std::string_view name = d.opcode();
  if (name == "add")
    return decode<Add>(d, t);
  if (name == "sub")
    return decode<Sub>(d, t);
  if (name == "mul")
    return decode<Mul>(d, t);
  if (name == "mad")
    return decode<Fma>(d, t);
  if (name == "div") {
    if (d.oneOf({"approx", "full"}) >= 0)
      return decode<DivApprox>(d, t);
    return decode<Div>(d, t);
  }
  if (name == "abs")
    return decode<Abs>(d, t);
  if (name == "neg")
    return decode<Neg>(d, t);
  bool naN = d.has("NaN");
  if (name == "min")
    return naN ? decode<MinNaN>(d, t) : decode<Min>(d, t);
  if (name == "max")
    return naN ? decode<MaxNaN>(d, t) : decode<Max>(d, t);
  d.refuse("a type that the instruction does not have");
}

} // namespace ptx
