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

template <int Op, class T> bool holds(T A, T B) {
  constexpr bool Float = std::is_floating_point_v<T>;
  if constexpr (Float) {
    bool Unordered = A != A || B != B;
    if constexpr (Op == Num)
      return !Unordered;
    if constexpr (Op == Nan)
      return Unordered;
    if (Unordered)
      return Op >= Equ;
  }
  constexpr int Order = Op >= Equ ? Op - Equ : Op;
  return Order == Eq   ? A == B
         : Order == Ne ? A != B
         : Order == Lt ? A < B
         : Order == Le ? A <= B
         : Order == Gt ? A > B
                       : A >= B;
}

template <class T> T value(T V) { return V; }
/// Short formats are compared as what they stand for.
template <class F> struct Stored {
  uint16_t Bits;
};
template <class F> float value(Stored<F> V) { return float(F::wide(V.Bits)); }

enum { Ftz = 1, NotC = 2, CombineShift = 2 };
enum Combine { Alone, AndWith, OrWith, XorWith };

template <int Op, class T>
uint32_t compare(Warp &W, const Inst &I, uint32_t Lanes) {
  const T *A = W.in<T>(I.A), *B = W.in<T>(I.B);
  uint32_t Out = 0;
  if (I.Small & Ftz) {
    each(Lanes, [&](unsigned L) {
      auto X = value(A[L]), Y = value(B[L]);
      if constexpr (std::is_same_v<decltype(X), float>)
        X = flush(X), Y = flush(Y);
      Out |= uint32_t(holds<Op>(X, Y)) << L;
    });
  } else {
    each(Lanes, [&](unsigned L) {
      Out |= uint32_t(holds<Op>(value(A[L]), value(B[L]))) << L;
    });
  }
  return Out;
}
/// With another predicate; Imm has the second result's offset.
uint32_t combined(Warp &W, const Inst &I, uint32_t Result) {
  uint32_t C = W.predicate(I.C, I.Small & NotC);
  switch (I.Small >> CombineShift) {
  case AndWith:
    return Result & C;
  case OrWith:
    return Result | C;
  case XorWith:
    return Result ^ C;
  }
  return Result;
}
template <int Op, class T>
void setPredicates(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t Result = compare<Op, T>(W, I, Lanes);
  uint32_t First = combined(W, I, Result), Second = combined(W, I, ~Result);
  W.setPredicate(I.D, First, Lanes);
  if (I.P >= 0)
    W.setPredicate(I.P, Second, Lanes);
}
/// set: all bits or none; 1.0 or 0 for .f32.
template <int Op, class T>
void setNumber(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t Result = combined(W, I, compare<Op, T>(W, I, Lanes));
  uint32_t *D = W.out<uint32_t>(I.D);
  each(Lanes,
       [=](unsigned L) { D[L] = Result >> L & 1 ? uint32_t(I.Imm) : 0u; });
}

template <int Op, bool Number> Handler withType(Decoder &D, Type T) {
  auto Of = [&]<class C>() -> Handler {
    return Number ? setNumber<Op, C> : setPredicates<Op, C>;
  };
  if (isInteger(T)) {
    if constexpr (Op <= Ge)
      return withInteger(
          D, T, [&]<class I>() { return Of.template operator()<I>(); });
    D.refuse("a comparison that integers do not have");
  }
  if (T == Type{Type::F, 1, 32})
    return Of.template operator()<float>();
  if (T == Type{Type::F, 1, 64})
    return Of.template operator()<double>();
  if (T == Type{Type::F, 1, 16})
    return Of.template operator()<Stored<Half>>();
  if (T == Type{Type::BF, 1, 16})
    return Of.template operator()<Stored<Brain>>();
  D.refuse("a type that the instruction does not have");
}
template <bool Number, int... Ops>
Handler choose(Decoder &D, int Op, Type T, std::integer_sequence<int, Ops...>) {
  Handler H = nullptr;
  ((Op == Ops ? void(H = withType<Ops, Number>(D, T)) : void()), ...);
  return H;
}

template <bool Number> void set(Decoder &D) {
  int Op = D.oneOf({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
                    "leu", "gtu", "geu", "num", "nan"});
  Type To;
  if (Number)
    To = D.type();
  // lo, ls, hi, hs are the unsigned ones by other names.
  if (Op < 0) {
    int Other = D.oneOf({"lo", "ls", "hi", "hs"});
    if (Other < 0)
      D.refuse("the comparison is missing");
    Op = Lt + Other;
  }
  int With = D.oneOf({"and", "or", "xor"}) + 1;
  bool Flush = D.has("ftz"), NotC = false;
  Type T = D.type();
  if (Op > Ne && Op <= Ge && T.Of == Type::B)
    D.refuse("an order of bits without a sign or none");
  int32_t Out = Number ? D.out(0, 4) : D.outPredicate(D.operand(0).Index);
  int32_t Second = Number ? -1 : D.second(0);
  int32_t A = D.in(1, T), B = D.in(2, T);
  int32_t C = With ? D.inPredicate(3, NotC) : 0;
  Inst &N = D.emit(
      choose<Number>(D, Op, T, std::make_integer_sequence<int, Nan + 1>()));
  N.D = Out, N.P = Second, N.A = A, N.B = B;
  N.C = With ? C : Out >= 0 && !Number ? Out : D.constantPredicate(false);
  N.Small = uint8_t(Flush | (NotC ? 2 : 0) | With << CombineShift);
  if (Number)
    N.Imm = To.Of == Type::F ? 0x3f800000 : 0xffffffff;
}

template <class T> void select(Warp &W, const Inst &I, uint32_t Lanes) {
  T *D = W.out<T>(I.D);
  const T *A = W.in<T>(I.A), *B = W.in<T>(I.B);
  uint32_t P = W.predicate(I.P, I.Small & 1);
  each(Lanes, [=](unsigned L) { D[L] = P >> L & 1 ? A[L] : B[L]; });
}
void selp(Decoder &D) {
  Type T = D.type();
  bool Not;
  int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, T),
          P = D.inPredicate(3, Not);
  Inst &N = D.emit(T.bytes() == 2   ? select<uint16_t>
                   : T.bytes() == 4 ? select<uint32_t>
                                    : select<uint64_t>);
  N.D = To, N.A = A, N.B = B, N.P = P, N.Small = Not;
}

/// slct: by the sign of a number.
template <class T, class C>
void selectBySign(Warp &W, const Inst &I, uint32_t Lanes) {
  T *D = W.out<T>(I.D);
  const T *A = W.in<T>(I.A), *B = W.in<T>(I.B);
  const C *S = W.in<C>(I.C);
  bool Flush = I.Small;
  each(Lanes, [=](unsigned L) {
    C V = S[L];
    if constexpr (std::is_same_v<C, float>)
      if (Flush)
        V = flush(V);
    D[L] = V >= C(0) ? A[L] : B[L];
  });
}
void slct(Decoder &D) {
  bool Flush = D.has("ftz");
  Type T = D.type(), By = D.type();
  int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, T),
          C = D.in(3, By);
  bool Float = By.Of == Type::F;
  Handler H = T.bytes() == 2   ? (Float ? selectBySign<uint16_t, float>
                                        : selectBySign<uint16_t, int32_t>)
              : T.bytes() == 4 ? (Float ? selectBySign<uint32_t, float>
                                        : selectBySign<uint32_t, int32_t>)
                               : (Float ? selectBySign<uint64_t, float>
                                        : selectBySign<uint64_t, int32_t>);
  Inst &N = D.emit(H);
  N.D = To, N.A = A, N.B = B, N.C = C, N.Small = Flush;
}

PTX_OPCODES({"setp", set<false>}, {"set", set<true>}, {"selp", selp},
            {"slct", slct})

} // namespace
} // namespace ptx
