// Integer arithmetic, logic, shifts, bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.1, 9.7.2 and 9.7.8.

#include "handlers.h"

#include <limits>
#include <type_traits>

namespace ptx {

/// Floating-point forms of the same opcodes: floating.cpp's.
void decodeFloating(Decoder &d, Type t);

namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> struct WiderOf;
template <> struct WiderOf<int16_t> {
  using Is = int32_t;
};
template <> struct WiderOf<uint16_t> {
  using Is = uint32_t;
};
template <> struct WiderOf<int32_t> {
  using Is = int64_t;
};
template <> struct WiderOf<uint32_t> {
  using Is = uint64_t;
};
template <> struct WiderOf<int64_t> {
  using Is = __int128;
};
template <> struct WiderOf<uint64_t> {
  using Is = unsigned __int128;
};
template <class T> using Wider = typename WiderOf<T>::Is;
template <class T> constexpr int Bits = sizeof(T) * 8;

/// d = Op(a, b), d = Op(a).
void decodeBinary(Decoder &d, Type t, Handler h) {
  int32_t to = d.out(0, t.bytes()), l = d.in(1, t), r = d.in(2, t);
  Inst &n = d.emit(h);
  n.d = to, n.a = l, n.b = r;
}
void decodeUnary(Decoder &d, Type t, Handler h) {
  int32_t to = d.out(0, t.bytes()), a = d.in(1, t);
  Inst &n = d.emit(h);
  n.d = to, n.a = a;
}

/// Each 16-bit half by itself.
template <class T, auto Op> uint32_t halves(uint32_t a, uint32_t b) {
  return uint32_t(uint16_t(Op(T(a), T(b)))) |
         uint32_t(uint16_t(Op(T(a >> 16), T(b >> 16)))) << 16;
}
void decodePacked(Decoder &d, Type t) {
  std::string_view name = d.opcode();
  auto choose = [&]<class I>() -> Handler {
    if (name == "add")
      return binary<uint32_t, uint32_t,
                    halves<I, [](I a, I b) { return I(a + b); }>>;
    if (name == "min")
      return binary<uint32_t, uint32_t,
                    halves<I, [](I a, I b) { return a < b ? a : b; }>>;
    if (name == "max")
      return binary<uint32_t, uint32_t,
                    halves<I, [](I a, I b) { return a > b ? a : b; }>>;
    d.refuse("a type that the instruction does not have");
  };
  decodeBinary(d, t,
               t.of == Type::S ? choose.template operator()<int16_t>()
                               : choose.template operator()<uint16_t>());
}

//===--- Sums -------------------------------------------------------------===//

/// The carry is a bit of each lane, in a word that all code has at the start of
/// its frame's predicates: Inst::p.
enum Carry { CarryOut = 1, CarryIn = 2 };

template <class T, bool Minus, int Flags>
void addCarry(Warp &w, const Inst &i, uint32_t lanes) {
  using U = Unsigned<T>;
  U *d = w.out<U>(i.d);
  const U *a = w.in<U>(i.a), *b = w.in<U>(i.b);
  uint32_t cc = *w.in<uint32_t>(i.p), out = 0;
  eachInOrder(lanes, [&](unsigned l) {
    U c = Flags & CarryIn ? U(cc >> l & 1) : U(0);
    unsigned __int128 sum = Minus ? (unsigned __int128)(a[l]) - b[l] - c
                                  : (unsigned __int128)(a[l]) + b[l] + c;
    out |= uint32_t(sum >> Bits<T> & 1) << l;
    d[l] = U(sum);
  });
  if (Flags & CarryOut)
    w.setPredicate(i.p, out, lanes);
}

template <class T> T saturatedAdd(T a, T b) {
  T r;
  if (!__builtin_add_overflow(a, b, &r))
    return r;
  return a < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T> T saturatedSub(T a, T b) {
  T r;
  if (!__builtin_sub_overflow(a, b, &r))
    return r;
  return a < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

template <bool Minus> void add(Decoder &d) {
  Type t = d.type();
  if (t.packed == 2 && isInteger(t))
    return decodePacked(d, t);
  if (!isInteger(t))
    return decodeFloating(d, t);
  bool out = d.has("cc"), saturate = d.has("sat");
  withInteger(d, t, [&]<class I>() {
    if (out) {
      decodeBinary(d, t, addCarry<I, Minus, CarryOut>);
      d.c.insts.back().p = d.carry();
    } else if (saturate) {
      if constexpr (std::is_same_v<I, int32_t>)
        decodeBinary(d, t,
                     Minus ? binary<I, I, saturatedSub<I>>
                           : binary<I, I, saturatedAdd<I>>);
      else
        d.refuse("'.sat' is for .s32 alone");
    } else {
      using U = Unsigned<I>;
      if (Minus)
        decodeBinary(d, t, binary<U, U, [](U a, U b) { return U(a - b); }>);
      else
        decodeBinary(d, t, binary<U, U, [](U a, U b) { return U(a + b); }>);
    }
  });
}
template <bool Minus> void addWithCarry(Decoder &d) {
  bool out = d.has("cc");
  Type t = d.type();
  withInteger(d, t, [&]<class I>() {
    decodeBinary(d, t,
                 out ? addCarry<I, Minus, CarryIn | CarryOut>
                     : addCarry<I, Minus, CarryIn>);
    d.c.insts.back().p = d.carry();
  });
}

//===--- Products ---------------------------------------------------------===//

template <class T> T high(T a, T b) {
  return T((Wider<T>(a) * Wider<T>(b)) >> Bits<T>);
}

template <class T> void decodeWide(Decoder &d, Type from, bool plus) {
  if constexpr (sizeof(T) == 8) {
    d.refuse("'.wide' has no 64-bit operands");
  } else {
    using W = Wider<T>;
    Type to = from;
    to.elementBits = uint16_t(from.elementBits * 2);
    int32_t out = d.out(0, sizeof(W)), a = d.in(1, from), b = d.in(2, from);
    int32_t c = plus ? d.in(3, to) : 0;
    Inst &n = d.emit(plus ? ternary<W, T,
                                    [](T a, T b, W c) {
                                      return W(Unsigned<W>(W(a) * W(b)) +
                                               Unsigned<W>(c));
                                    },
                                    T, W>
                          : binary<W, T, [](T a, T b) { return W(a) * W(b); }>);
    n.d = out, n.a = a, n.b = b, n.c = c;
  }
}

void mul(Decoder &d) {
  Type t = d.type();
  if (!isInteger(t))
    return decodeFloating(d, t);
  int part = d.oneOf({"lo", "hi", "wide"});
  withInteger(d, t, [&]<class I>() {
    using U = Unsigned<I>;
    if (part == 0)
      decodeBinary(
          d, t,
          binary<U, U, [](U a, U b) { return U(uint64_t(a) * uint64_t(b)); }>);
    else if (part == 1)
      decodeBinary(d, t, binary<I, I, high<I>>);
    else if (part == 2)
      decodeWide<I>(d, t, false);
    else
      d.refuse("'.lo', '.hi' or '.wide' is missing");
  });
}

template <class T, bool High, int Flags>
void madCarry(Warp &w, const Inst &i, uint32_t lanes) {
  using U = Unsigned<T>;
  U *d = w.out<U>(i.d);
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  const U *c = w.in<U>(i.c);
  uint32_t cc = *w.in<uint32_t>(i.p), out = 0;
  eachInOrder(lanes, [&](unsigned l) {
    U product =
        High ? U(high(a[l], b[l])) : U(uint64_t(U(a[l])) * uint64_t(U(b[l])));
    unsigned __int128 sum = (unsigned __int128)(product) + c[l] +
                            (Flags & CarryIn ? cc >> l & 1 : 0);
    out |= uint32_t(sum >> Bits<T> & 1) << l;
    d[l] = U(sum);
  });
  if (Flags & CarryOut)
    w.setPredicate(i.p, out, lanes);
}

template <bool WithCarry> void mad(Decoder &d) {
  Type t = d.type();
  if (!isInteger(t))
    return decodeFloating(d, t);
  int part = d.oneOf({"lo", "hi", "wide"});
  bool out = d.has("cc"), saturate = d.has("sat");
  if (part < 0)
    d.refuse("'.lo', '.hi' or '.wide' is missing");
  if (saturate)
    d.refuse("'.sat' is not supported");
  withInteger(d, t, [&]<class I>() {
    if (part == 2)
      return decodeWide<I>(d, t, true);
    int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, t),
            c = d.in(3, t);
    Handler h;
    using U = Unsigned<I>;
    if (WithCarry || out)
      h = part == 1 ? (WithCarry ? (out ? madCarry<I, true, CarryIn | CarryOut>
                                        : madCarry<I, true, CarryIn>)
                                 : madCarry<I, true, CarryOut>)
                    : (WithCarry ? (out ? madCarry<I, false, CarryIn | CarryOut>
                                        : madCarry<I, false, CarryIn>)
                                 : madCarry<I, false, CarryOut>);
    else if (part == 1)
      h = ternary<U, I, [](I a, I b, I c) { return U(U(high(a, b)) + U(c)); }>;
    else
      h = ternary<U, U, [](U a, U b, U c) {
        return U(uint64_t(a) * uint64_t(b) + uint64_t(c));
      }>;
    Inst &n = d.emit(h);
    n.d = to, n.a = a, n.b = b, n.c = c;
    if (WithCarry || out)
      n.p = d.carry();
  });
}

template <class T> T low24(T a) {
  return std::is_signed_v<T> ? T(int32_t(uint32_t(a) << 8) >> 8)
                             : T(a & 0xffffff);
}
template <bool Plus> void mul24(Decoder &d) {
  int part = d.oneOf({"lo", "hi"});
  Type t = d.type();
  auto decode = [&]<class I>() {
    int32_t to = d.out(0, 4), a = d.in(1, t), b = d.in(2, t);
    int32_t c = Plus ? d.in(3, t) : d.constant(0, 4);
    Inst &n = d.emit(
        part == 1
            ? ternary<I, I,
                      [](I a, I b, I c) {
                        return I(
                            uint32_t((Wider<I>(low24(a)) * low24(b)) >> 16) +
                            uint32_t(c));
                      }>
            : ternary<I, I, [](I a, I b, I c) {
                return I(uint32_t(Wider<I>(low24(a)) * low24(b)) + uint32_t(c));
              }>);
    n.d = to, n.a = a, n.b = b, n.c = c;
  };
  if (t.bits() != 32 || part < 0)
    d.refuse("'.lo' or '.hi' and a 32-bit type are needed");
  if (t.of == Type::S)
    decode.template operator()<int32_t>();
  else
    decode.template operator()<uint32_t>();
}

//===--- Quotients --------------------------------------------------------===//

// By zero the result is unspecified; this is what GPUs give.
template <class T> T quotient(T a, T b) {
  if (b == 0)
    return T(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return T(-Unsigned<T>(a));
  return T(a / b);
}
template <class T> T remainder(T a, T b) {
  if (b == 0)
    return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return 0;
  return T(a % b);
}
void div(Decoder &d) {
  Type t = d.type();
  if (!isInteger(t))
    return decodeFloating(d, t);
  withInteger(
      d, t, [&]<class I>() { decodeBinary(d, t, binary<I, I, quotient<I>>); });
}
void rem(Decoder &d) {
  Type t = d.type();
  withInteger(
      d, t, [&]<class I>() { decodeBinary(d, t, binary<I, I, remainder<I>>); });
}

//===--- One operand, minimum and maximum ---------------------------------===//

void abs(Decoder &d) {
  Type t = d.type();
  if (!isInteger(t))
    return decodeFloating(d, t);
  withInteger(d, t, [&]<class I>() {
    decodeUnary(
        d, t, unary<I, I, [](I a) { return a < 0 ? I(-Unsigned<I>(a)) : a; }>);
  });
}
void neg(Decoder &d) {
  Type t = d.type();
  if (!isInteger(t))
    return decodeFloating(d, t);
  withInteger(d, t, [&]<class I>() {
    decodeUnary(d, t, unary<I, I, [](I a) { return I(-Unsigned<I>(a)); }>);
  });
}
template <bool Most> void minMax(Decoder &d) {
  Type t = d.type();
  if (t.packed == 2 && isInteger(t))
    return decodePacked(d, t);
  if (!isInteger(t))
    return decodeFloating(d, t);
  if (d.has("relu"))
    d.refuse("'.relu' is not supported");
  withInteger(d, t, [&]<class I>() {
    decodeBinary(d, t, binary<I, I, [](I a, I b) {
                   return Most ? (a > b ? a : b) : (a < b ? a : b);
                 }>);
  });
}
void sad(Decoder &d) {
  Type t = d.type();
  withInteger(d, t, [&]<class I>() {
    int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, t),
            c = d.in(3, t);
    using U = Unsigned<I>;
    Inst &n = d.emit(ternary<I, I, [](I a, I b, I c) {
      return I(U(c) + (a < b ? U(U(b) - U(a)) : U(U(a) - U(b))));
    }>);
    n.d = to, n.a = a, n.b = b, n.c = c;
  });
}

//===--- Logic and shifts -------------------------------------------------===//

template <auto Op> void logicPredicate(Warp &w, const Inst &i, uint32_t lanes) {
  w.setPredicate(
      i.d, Op(w.predicate(i.a, i.small & 1), w.predicate(i.b, i.small & 2)),
      lanes);
}
template <class Op> void logic(Decoder &d) {
  Type t = d.type();
  if (t.of == Type::Pred) {
    bool notA, notB;
    int32_t to = d.outPredicate(d.operand(0).index), a = d.inPredicate(1, notA),
            b = d.inPredicate(2, notB);
    Inst &n = d.emit(
        logicPredicate<[](uint32_t a, uint32_t b) { return Op()(a, b); }>);
    n.d = to, n.a = a, n.b = b, n.small = uint8_t(notA | notB << 1);
    return;
  }
  withInteger(d, t, [&]<class I>() {
    decodeBinary(d, t, binary<I, I, [](I a, I b) { return I(Op()(a, b)); }>);
  });
}
struct And {
  template <class T> T operator()(T a, T b) { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) { return a ^ b; }
};

void notPredicate(Warp &w, const Inst &i, uint32_t lanes) {
  w.setPredicate(i.d, ~w.predicate(i.a, i.small & 1), lanes);
}
void bitNot(Decoder &d) {
  Type t = d.type();
  if (t.of == Type::Pred) {
    bool negated;
    int32_t to = d.outPredicate(d.operand(0).index),
            a = d.inPredicate(1, negated);
    Inst &n = d.emit(notPredicate);
    n.d = to, n.a = a, n.small = negated;
    return;
  }
  withInteger(d, t, [&]<class I>() {
    decodeUnary(d, t, unary<I, I, [](I a) { return I(~a); }>);
  });
}
void cnot(Decoder &d) {
  Type t = d.type();
  withInteger(d, t, [&]<class I>() {
    decodeUnary(d, t, unary<I, I, [](I a) { return I(a == 0); }>);
  });
}

constexpr Type Word32{Type::U, 1, 32};

template <class T> T shiftLeft(T a, uint32_t n) {
  return n >= uint32_t(Bits<T>) ? T(0) : T(Unsigned<T>(a) << n);
}
template <class T> T shiftRight(T a, uint32_t n) {
  if (n >= uint32_t(Bits<T>))
    n = std::is_signed_v<T> ? Bits<T> - 1 : Bits<T>;
  return n == uint32_t(Bits<T>) ? T(0) : T(a >> n);
}
template <bool Left> void shift(Decoder &d) {
  Type t = d.type();
  withInteger(d, t, [&]<class I>() {
    int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, Word32);
    Inst &n = d.emit(Left ? binary<I, I, shiftLeft<I>, uint32_t>
                          : binary<I, I, shiftRight<I>, uint32_t>);
    n.d = to, n.a = a, n.b = b;
  });
}

/// shf: a 64-bit value of two registers; the low (r) or high (l) word of it.
void funnel(Decoder &d) {
  bool left = d.oneOf({"r", "l"}) == 1, clamp = d.oneOf({"wrap", "clamp"}) == 1;
  d.type();
  int32_t to = d.out(0, 4), a = d.in(1, Word32), b = d.in(2, Word32),
          c = d.in(3, Word32);
  static constexpr auto bits64 = [](uint32_t a, uint32_t b) {
    return uint64_t(b) << 32 | a;
  };
  Handler h;
  if (left)
    h = clamp ? ternary<uint32_t, uint32_t,
                        [](uint32_t a, uint32_t b, uint32_t c) {
                          return uint32_t(bits64(a, b) << (c < 32 ? c : 32) >>
                                          32);
                        }>
              : ternary<uint32_t, uint32_t,
                        [](uint32_t a, uint32_t b, uint32_t c) {
                          return uint32_t(bits64(a, b) << (c & 31) >> 32);
                        }>;
  else
    h = clamp ? ternary<uint32_t, uint32_t,
                        [](uint32_t a, uint32_t b, uint32_t c) {
                          return uint32_t(bits64(a, b) >> (c < 32 ? c : 32));
                        }>
              : ternary<uint32_t, uint32_t,
                        [](uint32_t a, uint32_t b, uint32_t c) {
                          return uint32_t(bits64(a, b) >> (c & 31));
                        }>;
  Inst &n = d.emit(h);
  n.d = to, n.a = a, n.b = b, n.c = c;
}

//===--- Bits -------------------------------------------------------------===//

template <auto Op32, auto Op64> void count(Decoder &d) {
  Type t = d.type();
  int32_t to = d.out(0, 4), a = d.in(1, t);
  if (t.bits() != 32 && t.bits() != 64)
    d.refuse("a type that the instruction does not have");
  Inst &n = d.emit(t.bits() == 32 ? unary<uint32_t, uint32_t, Op32>
                                  : unary<uint32_t, uint64_t, Op64>);
  n.d = to, n.a = a;
}
constexpr auto Ones32 = [](uint32_t a) { return __builtin_popcount(a); };
constexpr auto Ones64 = [](uint64_t a) { return __builtin_popcountll(a); };
constexpr auto Zeros32 = [](uint32_t a) { return a ? __builtin_clz(a) : 32; };
constexpr auto Zeros64 = [](uint64_t a) { return a ? __builtin_clzll(a) : 64; };

void brev(Decoder &d) {
  Type t = d.type();
  if (t.bits() == 32)
    decodeUnary(d, t, unary<uint32_t, uint32_t, [](uint32_t a) {
                  return __builtin_bitreverse32(a);
                }>);
  else if (t.bits() == 64)
    decodeUnary(d, t, unary<uint64_t, uint64_t, [](uint64_t a) {
                  return __builtin_bitreverse64(a);
                }>);
  else
    d.refuse("a type that the instruction does not have");
}

template <class T, bool Amount> uint32_t findHighest(T a) {
  using U = Unsigned<T>;
  U value = std::is_signed_v<T> && a < T(0) ? U(~a) : U(a);
  if (!value)
    return ~0u;
  uint32_t at = uint32_t(63 - __builtin_clzll(uint64_t(value)));
  return Amount ? uint32_t(Bits<T>) - 1 - at : at;
}
void bfind(Decoder &d) {
  bool amount = d.has("shiftamt");
  Type t = d.type();
  withInteger(d, t, [&]<class I>() {
    int32_t to = d.out(0, 4), a = d.in(1, t);
    Inst &n = d.emit(amount ? unary<uint32_t, I, findHighest<I, true>>
                            : unary<uint32_t, I, findHighest<I, false>>);
    n.d = to, n.a = a;
  });
}

template <class T> T extract(T a, uint32_t at, uint32_t length) {
  at &= 255;
  length &= 255;
  if (!length)
    return 0;
  const uint32_t top = Bits<T> - 1;
  using U = Unsigned<T>;
  bool sign = std::is_signed_v<T> &&
              U(a) >> (at + length - 1 < top ? at + length - 1 : top) & 1;
  U out = at > top ? U(0) : U(U(a) >> at);
  uint32_t have = at > top ? 0 : top + 1 - at;
  uint32_t keep = length < have ? length : have;
  U mask = keep >= uint32_t(Bits<T>) ? U(~U(0)) : U((U(1) << keep) - 1);
  return T(sign ? U((out & mask) | U(~mask)) : U(out & mask));
}
template <class T> T insert(T a, T b, uint32_t at, uint32_t length) {
  at &= 255;
  length &= 255;
  for (uint32_t n = 0; n != length && at + n < uint32_t(Bits<T>); ++n)
    b = T((b & ~(T(1) << (at + n))) | ((a >> n & 1) << (at + n)));
  return b;
}
void bfe(Decoder &d) {
  Type t = d.type();
  withInteger(d, t, [&]<class I>() {
    int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, Word32),
            c = d.in(3, Word32);
    Inst &n = d.emit(ternary<I, I, extract<I>, uint32_t, uint32_t>);
    n.d = to, n.a = a, n.b = b, n.c = c;
  });
}
template <class T> void insertBits(Warp &w, const Inst &i, uint32_t lanes) {
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  const uint32_t *at = w.in<uint32_t>(i.c), *length = w.in<uint32_t>(i.p);
  each(lanes, [=](unsigned l) { d[l] = insert(a[l], b[l], at[l], length[l]); });
}
void bfi(Decoder &d) {
  Type t = d.type();
  int32_t to = d.out(0, t.bytes()), a = d.in(1, t), b = d.in(2, t),
          at = d.in(3, Word32), length = d.in(4, Word32);
  Inst &n =
      d.emit(t.bits() == 64 ? insertBits<uint64_t> : insertBits<uint32_t>);
  n.d = to, n.a = a, n.b = b, n.c = at, n.p = length;
}
void bmsk(Decoder &d) {
  bool clamp = d.oneOf({"clamp", "wrap"}) == 0;
  Type t = d.type();
  int32_t to = d.out(0, 4), a = d.in(1, t), b = d.in(2, t);
  auto mask = [](uint64_t at, uint64_t length) {
    if (at > 31)
      return 0u;
    uint64_t m = length > 31 ? 0xffffffffu : (uint64_t(1) << length) - 1;
    return uint32_t(m << at);
  };
  static constexpr auto m = decltype(mask)();
  Inst &n =
      d.emit(clamp ? binary<uint32_t, uint32_t,
                            [](uint32_t a, uint32_t b) { return m(a, b); }>
                   : binary<uint32_t, uint32_t, [](uint32_t a, uint32_t b) {
                       return m(a & 31, b & 31);
                     }>);
  n.d = to, n.a = a, n.b = b;
}

/// The nth set bit from a base, upwards or downwards.
uint32_t nthSet(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int64_t at = base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0)
      return uint32_t(at);
  return ~0u;
}
void fns(Decoder &d) {
  d.type();
  int32_t to = d.out(0, 4), a = d.in(1, Word32), b = d.in(2, Word32),
          c = d.in(3, Word32);
  Inst &n = d.emit(
      ternary<uint32_t, uint32_t,
              [](uint32_t a, uint32_t b, int32_t c) { return nthSet(a, b, c); },
              uint32_t, int32_t>);
  n.d = to, n.a = a, n.b = b, n.c = c;
}

//===--- Bytes ------------------------------------------------------------===//

enum PermuteMode { Index, F4E, B4E, RC8, ECL, ECR, RC16 };
template <int Mode> uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t out = 0;
  for (unsigned n = 0; n != 4; ++n) {
    unsigned which = c >> 4 * n & 15, s = c & 3;
    switch (Mode) {
    case F4E:
      which = n + s;
      break;
    case B4E:
      which = (s - n) & 7;
      break;
    case RC8:
      which = s;
      break;
    case ECL:
      which = n > s ? n : s;
      break;
    case ECR:
      which = n < s ? n : s;
      break;
    case RC16:
      which = (s & 1) * 2 + (n & 1);
      break;
    default:
      break;
    }
    uint32_t byte = uint32_t(bytes >> 8 * (which & 7)) & 255;
    if (which & 8)
      byte = byte & 128 ? 255 : 0;
    out |= byte << 8 * n;
  }
  return out;
}
void prmt(Decoder &d) {
  d.type();
  int mode = d.oneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1;
  int32_t to = d.out(0, 4), a = d.in(1, Word32), b = d.in(2, Word32),
          c = d.in(3, Word32);
  static constexpr Handler modes[] = {
      ternary<uint32_t, uint32_t, permute<Index>>,
      ternary<uint32_t, uint32_t, permute<F4E>>,
      ternary<uint32_t, uint32_t, permute<B4E>>,
      ternary<uint32_t, uint32_t, permute<RC8>>,
      ternary<uint32_t, uint32_t, permute<ECL>>,
      ternary<uint32_t, uint32_t, permute<ECR>>,
      ternary<uint32_t, uint32_t, permute<RC16>>};
  Inst &n = d.emit(modes[mode]);
  n.d = to, n.a = a, n.b = b, n.c = c;
}

template <class T, class U, int Width>
uint32_t dot(uint32_t a, uint32_t b, uint32_t c, bool high) {
  constexpr unsigned terms = Width;
  for (unsigned n = 0; n != terms; ++n) {
    int64_t l = terms == 4            ? int64_t(T(a >> 8 * n))
                : std::is_signed_v<T> ? int64_t(int16_t(a >> 16 * n))
                                      : int64_t(uint16_t(a >> 16 * n));
    int64_t r = int64_t(U(b >> 8 * (n + (terms == 2 && high ? 2 : 0))));
    c += uint32_t(l * r);
  }
  return c;
}
template <int Terms> void dotProduct(Decoder &d) {
  bool high = Terms == 2 && d.oneOf({"lo", "hi"}) == 1;
  Type ta = d.type(), tb = d.type();
  int32_t to = d.out(0, 4), a = d.in(1, Word32), b = d.in(2, Word32),
          c = d.in(3, Word32);
  auto choose = [&]<class T, class U>() -> Handler {
    return high ? ternary<uint32_t, uint32_t,
                          [](uint32_t a, uint32_t b, uint32_t c) {
                            return dot<T, U, Terms>(a, b, c, true);
                          }>
                : ternary<uint32_t, uint32_t,
                          [](uint32_t a, uint32_t b, uint32_t c) {
                            return dot<T, U, Terms>(a, b, c, false);
                          }>;
  };
  bool sa = ta.of == Type::S, sb = tb.of == Type::S;
  Inst &n = d.emit(sa ? (sb ? choose.template operator()<int8_t, int8_t>()
                            : choose.template operator()<int8_t, uint8_t>())
                      : (sb ? choose.template operator()<uint8_t, int8_t>()
                            : choose.template operator()<uint8_t, uint8_t>()));
  n.d = to, n.a = a, n.b = b, n.c = c;
}

/// lop3: any function of three bits, by its table.
void logic3Lanes(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t *d = w.out<uint32_t>(i.d);
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b),
                 *c = w.in<uint32_t>(i.c);
  each(lanes, [=, table = uint32_t(i.imm)](unsigned l) {
    uint32_t out = 0;
    for (unsigned n = 0; n != 8; ++n)
      if (table >> n & 1)
        out |= (n & 4 ? a[l] : ~a[l]) & (n & 2 ? b[l] : ~b[l]) &
               (n & 1 ? c[l] : ~c[l]);
    d[l] = out;
  });
}
void lop3(Decoder &d) {
  d.type();
  int32_t to = d.out(0, 4), a = d.in(1, Word32), b = d.in(2, Word32),
          c = d.in(3, Word32);
  if (d.operand(4).is != Operand::Integer)
    d.refuse("the table must be a number");
  Inst &n = d.emit(logic3Lanes);
  n.d = to, n.a = a, n.b = b, n.c = c, n.imm = d.operand(4).bits;
}

PTX_OPCODES({"add", add<false>}, {"sub", add<true>},
            {"addc", addWithCarry<false>}, {"subc", addWithCarry<true>},
            {"mul", mul}, {"mad", mad<false>}, {"madc", mad<true>},
            {"mul24", mul24<false>}, {"mad24", mul24<true>}, {"div", div},
            {"rem", rem}, {"abs", abs}, {"neg", neg}, {"min", minMax<false>},
            {"max", minMax<true>}, {"sad", sad}, {"and", logic<And>},
            {"or", logic<Or>}, {"xor", logic<Xor>}, {"not", bitNot},
            {"cnot", cnot}, {"shl", shift<true>}, {"shr", shift<false>},
            {"shf", funnel}, {"popc", count<Ones32, Ones64>},
            {"clz", count<Zeros32, Zeros64>}, {"brev", brev}, {"bfind", bfind},
            {"bfe", bfe}, {"bfi", bfi}, {"bmsk", bmsk}, {"fns", fns},
            {"prmt", prmt}, {"dp4a", dotProduct<4>}, {"dp2a", dotProduct<2>},
            {"lop3", lop3})

} // namespace
} // namespace ptx
