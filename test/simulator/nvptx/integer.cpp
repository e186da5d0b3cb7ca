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
void decodeFloating(Decoder &D, Type T);

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
void decodeBinary(Decoder &D, Type T, Handler H) {
  int32_t To = D.out(0, T.bytes()), L = D.in(1, T), R = D.in(2, T);
  Inst &N = D.emit(H);
  N.D = To, N.A = L, N.B = R;
}
void decodeUnary(Decoder &D, Type T, Handler H) {
  int32_t To = D.out(0, T.bytes()), A = D.in(1, T);
  Inst &N = D.emit(H);
  N.D = To, N.A = A;
}

/// Each 16-bit half by itself.
template <class T, auto Op> uint32_t halves(uint32_t A, uint32_t B) {
  return uint32_t(uint16_t(Op(T(A), T(B)))) |
         uint32_t(uint16_t(Op(T(A >> 16), T(B >> 16)))) << 16;
}
void decodePacked(Decoder &D, Type T) {
  std::string_view Name = D.opcode();
  auto Choose = [&]<class I>() -> Handler {
    if (Name == "add")
      return binary<uint32_t, uint32_t,
                    halves<I, [](I A, I B) { return I(A + B); }>>;
    if (Name == "min")
      return binary<uint32_t, uint32_t,
                    halves<I, [](I A, I B) { return A < B ? A : B; }>>;
    if (Name == "max")
      return binary<uint32_t, uint32_t,
                    halves<I, [](I A, I B) { return A > B ? A : B; }>>;
    D.refuse("a type that the instruction does not have");
  };
  decodeBinary(D, T,
               T.Of == Type::S ? Choose.template operator()<int16_t>()
                               : Choose.template operator()<uint16_t>());
}

//===--- Sums -------------------------------------------------------------===//

/// The carry is a bit of each lane, in a word that all code has at the start of
/// its frame's predicates: Inst::P.
enum Carry { CarryOut = 1, CarryIn = 2 };

template <class T, bool Minus, int Flags>
void addCarry(Warp &W, const Inst &I, uint32_t Lanes) {
  using U = Unsigned<T>;
  U *D = W.out<U>(I.D);
  const U *A = W.in<U>(I.A), *B = W.in<U>(I.B);
  uint32_t CC = *W.in<uint32_t>(I.P), New = 0;
  each(Lanes, [&](unsigned L) {
    U C = Flags & CarryIn ? U(CC >> L & 1) : U(0);
    unsigned __int128 Sum = Minus ? (unsigned __int128)(A[L]) - B[L] - C
                                  : (unsigned __int128)(A[L]) + B[L] + C;
    New |= uint32_t(Sum >> Bits<T> & 1) << L;
    D[L] = U(Sum);
  });
  if (Flags & CarryOut)
    W.setPredicate(I.P, New, Lanes);
}

template <class T> T saturatedAdd(T A, T B) {
  T R;
  if (!__builtin_add_overflow(A, B, &R))
    return R;
  return A < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T> T saturatedSub(T A, T B) {
  T R;
  if (!__builtin_sub_overflow(A, B, &R))
    return R;
  return A < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

template <bool Minus> void add(Decoder &D) {
  Type T = D.type();
  if (T.Packed == 2 && isInteger(T))
    return decodePacked(D, T);
  if (!isInteger(T))
    return decodeFloating(D, T);
  bool Out = D.has("cc"), Saturate = D.has("sat");
  withInteger(D, T, [&]<class I>() {
    if (Out) {
      decodeBinary(D, T, addCarry<I, Minus, CarryOut>);
      D.C.Insts.back().P = D.carry();
    } else if (Saturate) {
      if constexpr (std::is_same_v<I, int32_t>)
        decodeBinary(D, T,
                     Minus ? binary<I, I, saturatedSub<I>>
                           : binary<I, I, saturatedAdd<I>>);
      else
        D.refuse("'.sat' is for .s32 alone");
    } else {
      using U = Unsigned<I>;
      if (Minus)
        decodeBinary(D, T, binary<U, U, [](U A, U B) { return U(A - B); }>);
      else
        decodeBinary(D, T, binary<U, U, [](U A, U B) { return U(A + B); }>);
    }
  });
}
template <bool Minus> void addWithCarry(Decoder &D) {
  bool Out = D.has("cc");
  Type T = D.type();
  withInteger(D, T, [&]<class I>() {
    decodeBinary(D, T,
                 Out ? addCarry<I, Minus, CarryIn | CarryOut>
                     : addCarry<I, Minus, CarryIn>);
    D.C.Insts.back().P = D.carry();
  });
}

//===--- Products ---------------------------------------------------------===//

template <class T> T high(T A, T B) {
  return T((Wider<T>(A) * Wider<T>(B)) >> Bits<T>);
}

template <class T> void decodeWide(Decoder &D, Type From, bool Plus) {
  if constexpr (sizeof(T) == 8) {
    D.refuse("'.wide' has no 64-bit operands");
  } else {
    using W = Wider<T>;
    Type To = From;
    To.Bits = uint16_t(From.Bits * 2);
    int32_t Out = D.out(0, sizeof(W)), A = D.in(1, From), B = D.in(2, From);
    int32_t C = Plus ? D.in(3, To) : 0;
    Inst &N = D.emit(Plus ? ternary<W, T,
                                    [](T A, T B, W C) {
                                      return W(Unsigned<W>(W(A) * W(B)) +
                                               Unsigned<W>(C));
                                    },
                                    T, W>
                          : binary<W, T, [](T A, T B) { return W(A) * W(B); }>);
    N.D = Out, N.A = A, N.B = B, N.C = C;
  }
}

void mul(Decoder &D) {
  Type T = D.type();
  if (!isInteger(T))
    return decodeFloating(D, T);
  int Part = D.oneOf({"lo", "hi", "wide"});
  withInteger(D, T, [&]<class I>() {
    using U = Unsigned<I>;
    if (Part == 0)
      decodeBinary(
          D, T,
          binary<U, U, [](U A, U B) { return U(uint64_t(A) * uint64_t(B)); }>);
    else if (Part == 1)
      decodeBinary(D, T, binary<I, I, high<I>>);
    else if (Part == 2)
      decodeWide<I>(D, T, false);
    else
      D.refuse("'.lo', '.hi' or '.wide' is missing");
  });
}

template <class T, bool High, int Flags>
void madCarry(Warp &W, const Inst &I, uint32_t Lanes) {
  using U = Unsigned<T>;
  U *D = W.out<U>(I.D);
  const T *A = W.in<T>(I.A), *B = W.in<T>(I.B);
  const U *C = W.in<U>(I.C);
  uint32_t CC = *W.in<uint32_t>(I.P), New = 0;
  each(Lanes, [&](unsigned L) {
    U Product =
        High ? U(high(A[L], B[L])) : U(uint64_t(U(A[L])) * uint64_t(U(B[L])));
    unsigned __int128 Sum = (unsigned __int128)(Product) + C[L] +
                            (Flags & CarryIn ? CC >> L & 1 : 0);
    New |= uint32_t(Sum >> Bits<T> & 1) << L;
    D[L] = U(Sum);
  });
  if (Flags & CarryOut)
    W.setPredicate(I.P, New, Lanes);
}

template <bool WithCarry> void mad(Decoder &D) {
  Type T = D.type();
  if (!isInteger(T))
    return decodeFloating(D, T);
  int Part = D.oneOf({"lo", "hi", "wide"});
  bool Out = D.has("cc"), Saturate = D.has("sat");
  if (Part < 0)
    D.refuse("'.lo', '.hi' or '.wide' is missing");
  if (Saturate)
    D.refuse("'.sat' is not supported");
  withInteger(D, T, [&]<class I>() {
    if (Part == 2)
      return decodeWide<I>(D, T, true);
    int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, T),
            C = D.in(3, T);
    Handler H;
    using U = Unsigned<I>;
    if (WithCarry || Out)
      H = Part == 1 ? (WithCarry ? (Out ? madCarry<I, true, CarryIn | CarryOut>
                                        : madCarry<I, true, CarryIn>)
                                 : madCarry<I, true, CarryOut>)
                    : (WithCarry ? (Out ? madCarry<I, false, CarryIn | CarryOut>
                                        : madCarry<I, false, CarryIn>)
                                 : madCarry<I, false, CarryOut>);
    else if (Part == 1)
      H = ternary<U, I, [](I A, I B, I C) { return U(U(high(A, B)) + U(C)); }>;
    else
      H = ternary<U, U, [](U A, U B, U C) {
        return U(uint64_t(A) * uint64_t(B) + uint64_t(C));
      }>;
    Inst &N = D.emit(H);
    N.D = To, N.A = A, N.B = B, N.C = C;
    if (WithCarry || Out)
      N.P = D.carry();
  });
}

template <class T> T low24(T A) {
  return std::is_signed_v<T> ? T(int32_t(uint32_t(A) << 8) >> 8)
                             : T(A & 0xffffff);
}
template <bool Plus> void mul24(Decoder &D) {
  int Part = D.oneOf({"lo", "hi"});
  Type T = D.type();
  auto Decode = [&]<class I>() {
    int32_t To = D.out(0, 4), A = D.in(1, T), B = D.in(2, T);
    int32_t C = Plus ? D.in(3, T) : D.constant(0, 4);
    Inst &N = D.emit(
        Part == 1
            ? ternary<I, I,
                      [](I A, I B, I C) {
                        return I(
                            uint32_t((Wider<I>(low24(A)) * low24(B)) >> 16) +
                            uint32_t(C));
                      }>
            : ternary<I, I, [](I A, I B, I C) {
                return I(uint32_t(Wider<I>(low24(A)) * low24(B)) + uint32_t(C));
              }>);
    N.D = To, N.A = A, N.B = B, N.C = C;
  };
  if (T.bits() != 32 || Part < 0)
    D.refuse("'.lo' or '.hi' and a 32-bit type are needed");
  if (T.Of == Type::S)
    Decode.template operator()<int32_t>();
  else
    Decode.template operator()<uint32_t>();
}

//===--- Quotients --------------------------------------------------------===//

// By zero the result is unspecified; this is what GPUs give.
template <class T> T quotient(T A, T B) {
  if (B == 0)
    return T(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (B == -1)
      return T(-Unsigned<T>(A));
  return T(A / B);
}
template <class T> T remainder(T A, T B) {
  if (B == 0)
    return A;
  if constexpr (std::is_signed_v<T>)
    if (B == -1)
      return 0;
  return T(A % B);
}
void div(Decoder &D) {
  Type T = D.type();
  if (!isInteger(T))
    return decodeFloating(D, T);
  withInteger(
      D, T, [&]<class I>() { decodeBinary(D, T, binary<I, I, quotient<I>>); });
}
void rem(Decoder &D) {
  Type T = D.type();
  withInteger(
      D, T, [&]<class I>() { decodeBinary(D, T, binary<I, I, remainder<I>>); });
}

//===--- One operand, minimum and maximum ---------------------------------===//

void abs(Decoder &D) {
  Type T = D.type();
  if (!isInteger(T))
    return decodeFloating(D, T);
  withInteger(D, T, [&]<class I>() {
    decodeUnary(
        D, T, unary<I, I, [](I A) { return A < 0 ? I(-Unsigned<I>(A)) : A; }>);
  });
}
void neg(Decoder &D) {
  Type T = D.type();
  if (!isInteger(T))
    return decodeFloating(D, T);
  withInteger(D, T, [&]<class I>() {
    decodeUnary(D, T, unary<I, I, [](I A) { return I(-Unsigned<I>(A)); }>);
  });
}
template <bool Most> void minMax(Decoder &D) {
  Type T = D.type();
  if (T.Packed == 2 && isInteger(T))
    return decodePacked(D, T);
  if (!isInteger(T))
    return decodeFloating(D, T);
  if (D.has("relu"))
    D.refuse("'.relu' is not supported");
  withInteger(D, T, [&]<class I>() {
    decodeBinary(D, T, binary<I, I, [](I A, I B) {
                   return Most ? (A > B ? A : B) : (A < B ? A : B);
                 }>);
  });
}
void sad(Decoder &D) {
  Type T = D.type();
  withInteger(D, T, [&]<class I>() {
    int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, T),
            C = D.in(3, T);
    using U = Unsigned<I>;
    Inst &N = D.emit(ternary<I, I, [](I A, I B, I C) {
      return I(U(C) + (A < B ? U(U(B) - U(A)) : U(U(A) - U(B))));
    }>);
    N.D = To, N.A = A, N.B = B, N.C = C;
  });
}

//===--- Logic and shifts -------------------------------------------------===//

template <auto Op> void logicPredicate(Warp &W, const Inst &I, uint32_t Lanes) {
  W.setPredicate(
      I.D, Op(W.predicate(I.A, I.Small & 1), W.predicate(I.B, I.Small & 2)),
      Lanes);
}
template <class Op> void logic(Decoder &D) {
  Type T = D.type();
  if (T.Of == Type::Pred) {
    bool NotA, NotB;
    int32_t To = D.outPredicate(D.operand(0).Index), A = D.inPredicate(1, NotA),
            B = D.inPredicate(2, NotB);
    Inst &N = D.emit(
        logicPredicate<[](uint32_t A, uint32_t B) { return Op()(A, B); }>);
    N.D = To, N.A = A, N.B = B, N.Small = uint8_t(NotA | NotB << 1);
    return;
  }
  withInteger(D, T, [&]<class I>() {
    decodeBinary(D, T, binary<I, I, [](I A, I B) { return I(Op()(A, B)); }>);
  });
}
struct And {
  template <class T> T operator()(T A, T B) { return A & B; }
};
struct Or {
  template <class T> T operator()(T A, T B) { return A | B; }
};
struct Xor {
  template <class T> T operator()(T A, T B) { return A ^ B; }
};

void notPredicate(Warp &W, const Inst &I, uint32_t Lanes) {
  W.setPredicate(I.D, ~W.predicate(I.A, I.Small & 1), Lanes);
}
void bitNot(Decoder &D) {
  Type T = D.type();
  if (T.Of == Type::Pred) {
    bool Not;
    int32_t To = D.outPredicate(D.operand(0).Index), A = D.inPredicate(1, Not);
    Inst &N = D.emit(notPredicate);
    N.D = To, N.A = A, N.Small = Not;
    return;
  }
  withInteger(D, T, [&]<class I>() {
    decodeUnary(D, T, unary<I, I, [](I A) { return I(~A); }>);
  });
}
void cnot(Decoder &D) {
  Type T = D.type();
  withInteger(D, T, [&]<class I>() {
    decodeUnary(D, T, unary<I, I, [](I A) { return I(A == 0); }>);
  });
}

constexpr Type Word32{Type::U, 1, 32};

template <class T> T shiftLeft(T A, uint32_t N) {
  return N >= uint32_t(Bits<T>) ? T(0) : T(Unsigned<T>(A) << N);
}
template <class T> T shiftRight(T A, uint32_t N) {
  if (N >= uint32_t(Bits<T>))
    N = std::is_signed_v<T> ? Bits<T> - 1 : Bits<T>;
  return N == uint32_t(Bits<T>) ? T(0) : T(A >> N);
}
template <bool Left> void shift(Decoder &D) {
  Type T = D.type();
  withInteger(D, T, [&]<class I>() {
    int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, Word32);
    Inst &N = D.emit(Left ? binary<I, I, shiftLeft<I>, uint32_t>
                          : binary<I, I, shiftRight<I>, uint32_t>);
    N.D = To, N.A = A, N.B = B;
  });
}

/// shf: a 64-bit value of two registers; the low (r) or high (l) word of it.
void funnel(Decoder &D) {
  bool Left = D.oneOf({"r", "l"}) == 1, Clamp = D.oneOf({"wrap", "clamp"}) == 1;
  D.type();
  int32_t To = D.out(0, 4), A = D.in(1, Word32), B = D.in(2, Word32),
          C = D.in(3, Word32);
  static constexpr auto Bits64 = [](uint32_t A, uint32_t B) {
    return uint64_t(B) << 32 | A;
  };
  Handler H;
  if (Left)
    H = Clamp ? ternary<uint32_t, uint32_t,
                        [](uint32_t A, uint32_t B, uint32_t C) {
                          return uint32_t(Bits64(A, B) << (C < 32 ? C : 32) >>
                                          32);
                        }>
              : ternary<uint32_t, uint32_t,
                        [](uint32_t A, uint32_t B, uint32_t C) {
                          return uint32_t(Bits64(A, B) << (C & 31) >> 32);
                        }>;
  else
    H = Clamp ? ternary<uint32_t, uint32_t,
                        [](uint32_t A, uint32_t B, uint32_t C) {
                          return uint32_t(Bits64(A, B) >> (C < 32 ? C : 32));
                        }>
              : ternary<uint32_t, uint32_t,
                        [](uint32_t A, uint32_t B, uint32_t C) {
                          return uint32_t(Bits64(A, B) >> (C & 31));
                        }>;
  Inst &N = D.emit(H);
  N.D = To, N.A = A, N.B = B, N.C = C;
}

//===--- Bits -------------------------------------------------------------===//

template <auto Op32, auto Op64> void count(Decoder &D) {
  Type T = D.type();
  int32_t To = D.out(0, 4), A = D.in(1, T);
  if (T.bits() != 32 && T.bits() != 64)
    D.refuse("a type that the instruction does not have");
  Inst &N = D.emit(T.bits() == 32 ? unary<uint32_t, uint32_t, Op32>
                                  : unary<uint32_t, uint64_t, Op64>);
  N.D = To, N.A = A;
}
constexpr auto Ones32 = [](uint32_t A) { return __builtin_popcount(A); };
constexpr auto Ones64 = [](uint64_t A) { return __builtin_popcountll(A); };
constexpr auto Zeros32 = [](uint32_t A) { return A ? __builtin_clz(A) : 32; };
constexpr auto Zeros64 = [](uint64_t A) { return A ? __builtin_clzll(A) : 64; };

void brev(Decoder &D) {
  Type T = D.type();
  if (T.bits() == 32)
    decodeUnary(D, T, unary<uint32_t, uint32_t, [](uint32_t A) {
                  return __builtin_bitreverse32(A);
                }>);
  else if (T.bits() == 64)
    decodeUnary(D, T, unary<uint64_t, uint64_t, [](uint64_t A) {
                  return __builtin_bitreverse64(A);
                }>);
  else
    D.refuse("a type that the instruction does not have");
}

template <class T, bool Amount> uint32_t findHighest(T A) {
  using U = Unsigned<T>;
  U Value = std::is_signed_v<T> && A < T(0) ? U(~A) : U(A);
  if (!Value)
    return ~0u;
  uint32_t At = uint32_t(63 - __builtin_clzll(uint64_t(Value)));
  return Amount ? uint32_t(Bits<T>) - 1 - At : At;
}
void bfind(Decoder &D) {
  bool Amount = D.has("shiftamt");
  Type T = D.type();
  withInteger(D, T, [&]<class I>() {
    int32_t To = D.out(0, 4), A = D.in(1, T);
    Inst &N = D.emit(Amount ? unary<uint32_t, I, findHighest<I, true>>
                            : unary<uint32_t, I, findHighest<I, false>>);
    N.D = To, N.A = A;
  });
}

template <class T> T extract(T A, uint32_t At, uint32_t Length) {
  At &= 255;
  Length &= 255;
  if (!Length)
    return 0;
  const uint32_t Top = Bits<T> - 1;
  using U = Unsigned<T>;
  bool Sign = std::is_signed_v<T> &&
              U(A) >> (At + Length - 1 < Top ? At + Length - 1 : Top) & 1;
  U Out = At > Top ? U(0) : U(U(A) >> At);
  uint32_t Have = At > Top ? 0 : Top + 1 - At;
  uint32_t Keep = Length < Have ? Length : Have;
  U Mask = Keep >= uint32_t(Bits<T>) ? U(~U(0)) : U((U(1) << Keep) - 1);
  return T(Sign ? U((Out & Mask) | U(~Mask)) : U(Out & Mask));
}
template <class T> T insert(T A, T B, uint32_t At, uint32_t Length) {
  At &= 255;
  Length &= 255;
  for (uint32_t N = 0; N != Length && At + N < uint32_t(Bits<T>); ++N)
    B = T((B & ~(T(1) << (At + N))) | ((A >> N & 1) << (At + N)));
  return B;
}
void bfe(Decoder &D) {
  Type T = D.type();
  withInteger(D, T, [&]<class I>() {
    int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, Word32),
            C = D.in(3, Word32);
    Inst &N = D.emit(ternary<I, I, extract<I>, uint32_t, uint32_t>);
    N.D = To, N.A = A, N.B = B, N.C = C;
  });
}
template <class T> void insertBits(Warp &W, const Inst &I, uint32_t Lanes) {
  T *D = W.out<T>(I.D);
  const T *A = W.in<T>(I.A), *B = W.in<T>(I.B);
  const uint32_t *At = W.in<uint32_t>(I.C), *Length = W.in<uint32_t>(I.P);
  each(Lanes, [=](unsigned L) { D[L] = insert(A[L], B[L], At[L], Length[L]); });
}
void bfi(Decoder &D) {
  Type T = D.type();
  int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, T),
          At = D.in(3, Word32), Length = D.in(4, Word32);
  Inst &N =
      D.emit(T.bits() == 64 ? insertBits<uint64_t> : insertBits<uint32_t>);
  N.D = To, N.A = A, N.B = B, N.C = At, N.P = Length;
}
void bmsk(Decoder &D) {
  bool Clamp = D.oneOf({"clamp", "wrap"}) == 0;
  Type T = D.type();
  int32_t To = D.out(0, 4), A = D.in(1, T), B = D.in(2, T);
  auto Mask = [](uint64_t At, uint64_t Length) {
    if (At > 31)
      return 0u;
    uint64_t M = Length > 31 ? 0xffffffffu : (uint64_t(1) << Length) - 1;
    return uint32_t(M << At);
  };
  static constexpr auto M = decltype(Mask)();
  Inst &N =
      D.emit(Clamp ? binary<uint32_t, uint32_t,
                            [](uint32_t A, uint32_t B) { return M(A, B); }>
                   : binary<uint32_t, uint32_t, [](uint32_t A, uint32_t B) {
                       return M(A & 31, B & 31);
                     }>);
  N.D = To, N.A = A, N.B = B;
}

/// The nth set bit from a base, upwards or downwards.
uint32_t nthSet(uint32_t Mask, uint32_t Base, int32_t Offset) {
  if (Offset == 0)
    return Base < 32 && Mask >> Base & 1 ? Base : ~0u;
  int Step = Offset > 0 ? 1 : -1, Left = Offset > 0 ? Offset : -Offset;
  for (int64_t At = Base; At >= 0 && At < 32; At += Step)
    if (Mask >> At & 1 && --Left == 0)
      return uint32_t(At);
  return ~0u;
}
void fns(Decoder &D) {
  D.type();
  int32_t To = D.out(0, 4), A = D.in(1, Word32), B = D.in(2, Word32),
          C = D.in(3, Word32);
  Inst &N = D.emit(
      ternary<uint32_t, uint32_t,
              [](uint32_t A, uint32_t B, int32_t C) { return nthSet(A, B, C); },
              uint32_t, int32_t>);
  N.D = To, N.A = A, N.B = B, N.C = C;
}

//===--- Bytes ------------------------------------------------------------===//

enum PermuteMode { Index, F4E, B4E, RC8, ECL, ECR, RC16 };
template <int Mode> uint32_t permute(uint32_t A, uint32_t B, uint32_t C) {
  uint64_t Bytes = uint64_t(B) << 32 | A;
  uint32_t Out = 0;
  for (unsigned N = 0; N != 4; ++N) {
    unsigned Which = C >> 4 * N & 15, S = C & 3;
    switch (Mode) {
    case F4E:
      Which = N + S;
      break;
    case B4E:
      Which = (S - N) & 7;
      break;
    case RC8:
      Which = S;
      break;
    case ECL:
      Which = N > S ? N : S;
      break;
    case ECR:
      Which = N < S ? N : S;
      break;
    case RC16:
      Which = (S & 1) * 2 + (N & 1);
      break;
    default:
      break;
    }
    uint32_t Byte = uint32_t(Bytes >> 8 * (Which & 7)) & 255;
    if (Which & 8)
      Byte = Byte & 128 ? 255 : 0;
    Out |= Byte << 8 * N;
  }
  return Out;
}
void prmt(Decoder &D) {
  D.type();
  int Mode = D.oneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1;
  int32_t To = D.out(0, 4), A = D.in(1, Word32), B = D.in(2, Word32),
          C = D.in(3, Word32);
  static constexpr Handler Modes[] = {
      ternary<uint32_t, uint32_t, permute<Index>>,
      ternary<uint32_t, uint32_t, permute<F4E>>,
      ternary<uint32_t, uint32_t, permute<B4E>>,
      ternary<uint32_t, uint32_t, permute<RC8>>,
      ternary<uint32_t, uint32_t, permute<ECL>>,
      ternary<uint32_t, uint32_t, permute<ECR>>,
      ternary<uint32_t, uint32_t, permute<RC16>>};
  Inst &N = D.emit(Modes[Mode]);
  N.D = To, N.A = A, N.B = B, N.C = C;
}

template <class T, class U, int Width>
uint32_t dot(uint32_t A, uint32_t B, uint32_t C, bool High) {
  constexpr unsigned Terms = Width;
  for (unsigned N = 0; N != Terms; ++N) {
    int64_t L = Terms == 4            ? int64_t(T(A >> 8 * N))
                : std::is_signed_v<T> ? int64_t(int16_t(A >> 16 * N))
                                      : int64_t(uint16_t(A >> 16 * N));
    int64_t R = int64_t(U(B >> 8 * (N + (Terms == 2 && High ? 2 : 0))));
    C += uint32_t(L * R);
  }
  return C;
}
template <int Terms> void dotProduct(Decoder &D) {
  bool High = Terms == 2 && D.oneOf({"lo", "hi"}) == 1;
  Type TA = D.type(), TB = D.type();
  int32_t To = D.out(0, 4), A = D.in(1, Word32), B = D.in(2, Word32),
          C = D.in(3, Word32);
  auto Choose = [&]<class T, class U>() -> Handler {
    return High ? ternary<uint32_t, uint32_t,
                          [](uint32_t A, uint32_t B, uint32_t C) {
                            return dot<T, U, Terms>(A, B, C, true);
                          }>
                : ternary<uint32_t, uint32_t,
                          [](uint32_t A, uint32_t B, uint32_t C) {
                            return dot<T, U, Terms>(A, B, C, false);
                          }>;
  };
  bool SA = TA.Of == Type::S, SB = TB.Of == Type::S;
  Inst &N = D.emit(SA ? (SB ? Choose.template operator()<int8_t, int8_t>()
                            : Choose.template operator()<int8_t, uint8_t>())
                      : (SB ? Choose.template operator()<uint8_t, int8_t>()
                            : Choose.template operator()<uint8_t, uint8_t>()));
  N.D = To, N.A = A, N.B = B, N.C = C;
}

/// lop3: any function of three bits, by its table.
void logic3Lanes(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t *D = W.out<uint32_t>(I.D);
  const uint32_t *A = W.in<uint32_t>(I.A), *B = W.in<uint32_t>(I.B),
                 *C = W.in<uint32_t>(I.C);
  each(Lanes, [=, Table = uint32_t(I.Imm)](unsigned L) {
    uint32_t Out = 0;
    for (unsigned N = 0; N != 8; ++N)
      if (Table >> N & 1)
        Out |= (N & 4 ? A[L] : ~A[L]) & (N & 2 ? B[L] : ~B[L]) &
               (N & 1 ? C[L] : ~C[L]);
    D[L] = Out;
  });
}
void lop3(Decoder &D) {
  D.type();
  int32_t To = D.out(0, 4), A = D.in(1, Word32), B = D.in(2, Word32),
          C = D.in(3, Word32);
  if (D.operand(4).Is != Operand::Integer)
    D.refuse("the table must be a number");
  Inst &N = D.emit(logic3Lanes);
  N.D = To, N.A = A, N.B = B, N.C = C, N.Imm = D.operand(4).Bits;
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
