// Conversions between types
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.9.21, cvt. A register may be wider than the type: what it holds
// above the type is not looked at, and is the sign or zero in a result.

#include "handlers.h"
#include "numbers.h"

#include <limits>
#include <type_traits>

namespace ptx {
namespace {

/// What the handler must know: Inst::small, and the registers' bytes in imm.
enum : uint8_t { Sat = 1, Ftz = 2, Whole = 4, RoundShift = 3 };

struct Brain16 {};
struct Half16 {};
/// A number of 32 bits whose mantissa is short.
struct Tensor32 {};

/// Which C++ type goes with T; Half16 and Brain16 for the short formats.
template <class Fn> auto withType(Decoder &d, Type t, Fn f) {
  if (t.packed != 1)
    d.refuse("a type that the instruction does not have");
  if (isInteger(t)) {
    if (t.elementBits == 8)
      return t.of == Type::S ? f.template operator()<int8_t>()
                             : f.template operator()<uint8_t>();
    return withInteger(d, t, f);
  }
  if (t.of == Type::BF)
    return f.template operator()<Brain16>();
  if (t.of == Type::TF)
    return f.template operator()<Tensor32>();
  if (t.of == Type::F && t.elementBits == 16)
    return f.template operator()<Half16>();
  if (t.of == Type::F && t.elementBits == 32)
    return f.template operator()<float>();
  if (t.of == Type::F && t.elementBits == 64)
    return f.template operator()<double>();
  d.refuse("a type that the instruction does not have");
}

template <class T>
using Storage = std::conditional_t<
    std::is_same_v<T, Half16> || std::is_same_v<T, Brain16>, uint16_t,
    std::conditional_t<std::is_same_v<T, Tensor32>, uint32_t, T>>;
template <class T> constexpr bool isShort = !std::is_arithmetic_v<T>;
template <class T>
constexpr bool isFloat = isShort<T> || std::is_floating_point_v<T>;

template <class T> auto load(Storage<T> v) {
  if constexpr (std::is_same_v<T, Half16>)
    return Half::wide(v);
  else if constexpr (std::is_same_v<T, Brain16>)
    return Brain::wide(v);
  else if constexpr (std::is_same_v<T, Tensor32>)
    return double(std::bit_cast<float>(v));
  else
    return v;
}

/// From a floating-point number; what is out of range becomes the nearest.
template <class To, class From> To toInteger(From v, Rounding r) {
  constexpr int bits = sizeof(To) * 8;
  if (v != v)
    return sizeof(From) == 8 || bits == 64 ? To(uint64_t(1) << (bits - 1))
                                           : To(0);
  double w = roundWhole(double(v), r);
  constexpr bool isSigned = std::is_signed_v<To>;
  const double top = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  if (w >= top)
    return std::numeric_limits<To>::max();
  if (w < (isSigned ? -top : 0.0))
    return std::numeric_limits<To>::min();
  return To(w);
}

template <class To, class From> To clampInteger(From v) {
  using Wide = __int128;
  Wide w = Wide(v);
  Wide low = std::numeric_limits<To>::min(),
       high = std::numeric_limits<To>::max();
  return To(w < low ? low : w > high ? high : w);
}

template <class To, class From>
Storage<To> convert(Storage<From> in, uint8_t small) {
  Rounding r = Rounding(small >> RoundShift);
  auto v = load<From>(in);
  if constexpr (std::is_same_v<From, float>)
    if (small & Ftz)
      v = flush(v);
  if constexpr (!isFloat<To> && !isFloat<From>) {
    return small & Sat ? clampInteger<To>(v) : To(v);
  } else if constexpr (!isFloat<To>) {
    // double for what the value is in; its size decides about NaN.
    if constexpr (isShort<From>)
      return toInteger<To>(float(v), r);
    else
      return toInteger<To>(v, r);
  } else if constexpr (isShort<To>) {
    double w;
    if constexpr (isFloat<From>)
      w = double(v);
    else
      w = double((long double)(v)); // 64-bit ones: to odd is not needed
    if (small & Whole)
      w = roundWhole(w, r);
    if (small & Sat)
      w = saturate(w);
    if constexpr (std::is_same_v<To, Half16>)
      return Half::of(w, r);
    else if constexpr (std::is_same_v<To, Brain16>)
      return Brain::of(w, r);
    else
      return narrow<8, 10>(w, r) << 13;
  } else {
    To out;
    if constexpr (isFloat<From>) {
      if (small & Whole)
        out = To(roundWhole(double(v), r));
      else
        out = To(v); // as the host rounds now
    } else if constexpr (sizeof(From) == 8) {
      volatile long double exact = (long double)(v);
      out = To(exact);
    } else {
      volatile From exact = v;
      out = To(From(exact));
    }
    if (small & Sat)
      out = saturate(out);
    if constexpr (std::is_same_v<To, float>) {
      if (small & Ftz)
        out = flush(out);
      if constexpr (isFloat<From>)
        out = canonical(out);
    }
    return out;
  }
}

template <class To, class From>
void run(Warp &w, const Inst &i, uint32_t lanes) {
  unsigned outBytes = unsigned(i.imm & 255), inBytes = unsigned(i.imm >> 8);
  Rounding r = Rounding(i.small >> RoundShift);
  constexpr bool hostRounds =
      (std::is_same_v<To, float> || std::is_same_v<To, double>);
  RoundingScope scope(hostRounds && !(i.small & Whole) ? r : Rounding::Nearest);
  using S = Storage<From>;
  using O = Storage<To>;
  auto one = [&](unsigned l) {
    S v;
    if (i.a >= 0)
      v = *reinterpret_cast<const S *>(w.data + i.a + l * inBytes);
    else
      v = *reinterpret_cast<const S *>(w.pool + ~i.a + l * inBytes);
    O out = convert<To, From>(v, i.small);
    char *d = w.data + i.d + l * outBytes;
    if (outBytes == sizeof(O)) {
      *reinterpret_cast<O *>(d) = out;
      return;
    }
    // To the register's width, with the sign or zeros.
    uint64_t wide;
    if constexpr (std::is_integral_v<O>)
      wide = std::is_signed_v<To> && !isShort<To> ? uint64_t(int64_t(out))
                                                  : uint64_t(out);
    else
      wide = 0;
    __builtin_memcpy(d, &wide, outBytes);
  };
  each(lanes, one);
}

/// The usual ones, when registers have the types' sizes.
template <class To, class From>
void quick(Warp &w, const Inst &i, uint32_t lanes) {
  To *d = w.out<To>(i.d);
  const From *a = w.in<From>(i.a);
  each(lanes, [=](unsigned l) { d[l] = To(a[l]); });
}

int32_t source(Decoder &d, size_t at, Type from, unsigned &bytes) {
  bytes = from.bytes();
  if (d.isRegister(at)) {
    int32_t a = d.anyRegister(d.operand(at), bytes);
    if (bytes < from.bytes())
      d.refuse("a register that is smaller than the type");
    return a;
  }
  return d.in(at, from);
}

/// cvt.rn.f16x2.f32 d, a, b: a in the upper half.
template <class Format> void runTwo(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t *d = w.out<uint32_t>(i.d);
  const float *a = w.in<float>(i.a), *b = w.in<float>(i.b);
  Rounding r = Rounding(i.small >> RoundShift);
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    auto one = [&](float v) {
      return uint32_t(Format::of(i.small & Sat ? saturate(v) : v, r));
    };
    d[l] = one(a[l]) << 16 | one(b[l]);
  }
}

void cvt(Decoder &d) {
  int r = d.oneOf({"rn", "rz", "rm", "rp", "rna"});
  int integral = d.oneOf({"rni", "rzi", "rmi", "rpi"});
  uint8_t small = uint8_t((r > 0          ? r
                           : integral > 0 ? integral
                                          : 0)
                          << RoundShift);
  if (integral >= 0)
    small |= Whole;
  if (d.has("sat"))
    small |= Sat;
  if (d.has("ftz"))
    small |= Ftz;
  if (d.has("relu"))
    d.refuse("'.relu' is not supported");
  Type to = d.type(), from = d.type();
  if (to.packed == 2) {
    if (!(from == Type{Type::F, 1, 32}) || isInteger(to))
      d.refuse("a conversion that is not supported");
    int32_t out = d.out(0, 4), a = d.in(1, from), b = d.in(2, from);
    Inst &n = d.emit(to.of == Type::BF ? runTwo<Brain> : runTwo<Half>);
    n.d = out, n.a = a, n.b = b, n.small = small;
    return;
  }
  unsigned outBytes, inBytes;
  int32_t out = d.anyRegister(d.operand(0), outBytes);
  int32_t a = source(d, 1, from, inBytes);
  if (outBytes < to.bytes())
    d.refuse("a register that is smaller than the type");
  bool exact = outBytes == to.bytes() && inBytes == from.bytes() && !small;
  Handler h = withType(d, to, [&]<class T>() {
    return withType(d, from, [&]<class S>() -> Handler {
      if constexpr (std::is_integral_v<T> && std::is_integral_v<S>)
        if (exact)
          return quick<T, S>;
      return run<T, S>;
    });
  });
  bool toFloat = !isInteger(to), fromFloat = !isInteger(from);
  bool loses = (toFloat && !fromFloat) ||
               (toFloat && fromFloat && to.elementBits < from.elementBits);
  if (fromFloat && !toFloat && integral < 0)
    d.refuse("a rounding to whole numbers is missing");
  if (loses && r < 0)
    d.refuse("a rounding is missing");
  Inst &n = d.emit(h);
  n.d = out, n.a = a, n.small = small, n.imm = outBytes | inBytes << 8;
}

//===--- Addresses --------------------------------------------------------===//

void toGeneric(Warp &w, const Inst &i, uint32_t lanes) {
  uint64_t *d = w.out<uint64_t>(i.d);
  const uint64_t *a = w.in<uint64_t>(i.a);
  each(lanes, [=, plus = i.imm](unsigned l) { d[l] = a[l] + plus; });
}
void cvta(Decoder &d) {
  bool to = d.has("to");
  uint64_t window = 0;
  const Windows &w = windows();
  switch (d.oneOf({"global", "const", "shared", "local", "param", "shared::cta",
                   "param::entry"})) {
  case 0:
  case 1:
    break;
  case 2:
  case 5:
    window = w.shared;
    break;
  case 3:
    window = w.local;
    break;
  case 4:
  case 6:
    window = w.param + parameterBase(d.p.capability);
    break;
  default:
    d.refuse("the space is missing");
  }
  Type t = d.type();
  if (t.bits() != 64)
    d.refuse("addresses must have 64 bits");
  int32_t out = d.out(0, 8), a = d.in(1, t);
  Inst &n = d.emit(toGeneric);
  n.d = out, n.a = a, n.imm = to ? -window : window;
}

void runInSpace(Warp &w, const Inst &i, uint32_t lanes) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  const Windows &win = windows();
  uint32_t out = 0;
  eachInOrder(lanes, [&](unsigned l) {
    bool is;
    if (i.imm)
      is = a[l] - i.imm < Windows::Size;
    else
      is = a[l] - win.shared >= Windows::Size &&
           a[l] - win.local >= Windows::Size &&
           a[l] - win.param >= Windows::Size;
    out |= uint32_t(is) << l;
  });
  w.setPredicate(i.d, out, lanes);
}
void isspacep(Decoder &d) {
  int s = d.oneOf({"global", "shared", "local", "param", "shared::cta"});
  const Windows &w = windows();
  if (s < 0)
    d.refuse("a space that is not supported");
  int32_t to = d.outPredicate(d.operand(0).index),
          a = d.in(1, {Type::B, 1, 64});
  Inst &n = d.emit(runInSpace);
  n.d = to, n.a = a;
  n.imm = s == 1 || s == 4 ? w.shared : s == 2 ? w.local : s == 3 ? w.param : 0;
}

PTX_OPCODES({"cvt", cvt}, {"cvta", cvta}, {"isspacep", isspacep})

} // namespace
} // namespace ptx
