// Floating-point arithmetic
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.3 to 9.7.5. Approximations are computed as well as the host can:
// their error is the one thing that is not simulated.

#include "handlers.h"
#include "numbers.h"

#include <type_traits>

namespace ptx {
namespace {

/// How an instruction rounds and treats denormals: Inst::Small.
enum Flags : uint8_t { Ftz = 1, Sat = 2, RoundingShift = 2 };

Rounding roundingOf(const Inst &I) {
  return Rounding(I.Small >> RoundingShift);
}

enum Operation {
  Add,
  Sub,
  Mul,
  Fma,
  Div,
  Abs,
  Neg,
  Min,
  Max,
  MinNaN,
  MaxNaN,
  Rcp,
  Sqrt,
  // Approximations.
  DivApprox,
  RcpApprox,
  RcpGross,
  SqrtApprox,
  Rsqrt,
  RsqrtGross,
  Sin,
  Cos,
  Lg2,
  Ex2,
  Tanh
};
constexpr int operandsOf(int Op) {
  return Op == Fma                                                     ? 3
         : Op <= Div || (Op >= Min && Op <= MaxNaN) || Op == DivApprox ? 2
                                                                       : 1;
}

template <int Op, class T> T least(T A, T B) {
  constexpr bool Most = Op == Max || Op == MaxNaN;
  if (A != A || B != B) {
    if (Op == MinNaN || Op == MaxNaN || (A != A && B != B))
      return std::numeric_limits<T>::quiet_NaN();
    return A != A ? B : A;
  }
  if (A == B) // -0 is less than +0
    return std::signbit(A) == Most ? B : A;
  return (A < B) == Most ? B : A;
}

/// Only the upper half of the result is there.
inline double gross(double V) {
  if (std::fpclassify(V) == FP_SUBNORMAL)
    V = std::copysign(0.0, V);
  return std::bit_cast<double>(std::bit_cast<uint64_t>(V) & ~uint64_t(0) << 32);
}
inline double flushDouble(double V) {
  return std::fpclassify(V) == FP_SUBNORMAL ? std::copysign(0.0, V) : V;
}

template <int Op, class T> T compute(T A, T B, T C) {
  if constexpr (Op == Add)
    return A + B;
  if constexpr (Op == Sub)
    return A - B;
  if constexpr (Op == Mul)
    return A * B;
  if constexpr (Op == Fma)
    return std::fma(A, B, C);
  if constexpr (Op == Div)
    return A / B;
  if constexpr (Op == Abs)
    return std::fabs(A);
  if constexpr (Op == Neg)
    return -A;
  if constexpr (Op >= Min && Op <= MaxNaN)
    return least<Op, T>(A, B);
  if constexpr (Op == Rcp)
    return T(1) / A;
  if constexpr (Op == Sqrt)
    return std::sqrt(A);
  if constexpr (Op == DivApprox)
    return T(double(A) / double(B));
  if constexpr (Op == RcpApprox)
    return T(1 / double(A));
  if constexpr (Op == RcpGross)
    return T(gross(1 / flushDouble(A)));
  if constexpr (Op == SqrtApprox)
    return T(std::sqrt(double(A)));
  if constexpr (Op == Rsqrt)
    return T(1 / std::sqrt(double(A)));
  if constexpr (Op == RsqrtGross)
    return T(gross(1 / std::sqrt(flushDouble(A))));
  if constexpr (Op == Sin)
    return T(std::sin(double(A)));
  if constexpr (Op == Cos)
    return T(std::cos(double(A)));
  if constexpr (Op == Lg2)
    return T(std::log2(double(A)));
  if constexpr (Op == Ex2)
    return T(std::exp2(double(A)));
  if constexpr (Op == Tanh)
    return T(std::tanh(double(A)));
}

template <int Op, class T> void run(Warp &W, const Inst &I, uint32_t Lanes) {
  constexpr int Count = operandsOf(Op);
  T *D = W.out<T>(I.D);
  const T *A = W.in<T>(I.A), *B = Count > 1 ? W.in<T>(I.B) : A,
          *C = Count > 2 ? W.in<T>(I.C) : A;
  RoundingScope Scope(roundingOf(I));
  if (!(I.Small & (Ftz | Sat))) {
    each(Lanes, [=](unsigned L) {
      T V = compute<Op, T>(A[L], B[L], C[L]);
      D[L] = Op == Abs || Op == Neg ? V : canonical(V);
    });
    return;
  }
  bool Flush = I.Small & Ftz, Clamp = I.Small & Sat;
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    T X = A[L], Y = B[L], Z = C[L];
    if constexpr (std::is_same_v<T, float>)
      if (Flush)
        X = flush(X), Y = flush(Y), Z = flush(Z);
    T V = canonical(compute<Op, T>(X, Y, Z));
    if constexpr (std::is_same_v<T, float>)
      if (Flush)
        V = flush(V);
    D[L] = Clamp ? saturate(V) : V;
  }
}

/// The short formats, one or two in a register: in double, rounded once.
template <class Format, int Op>
uint16_t shortly(uint16_t A, uint16_t B, uint16_t C, uint8_t Small) {
  if constexpr (Op == Abs)
    return uint16_t(A & ~Format::Sign);
  if constexpr (Op == Neg)
    return uint16_t(A ^ Format::Sign);
  auto Flush = [&](uint16_t V) {
    double W = Format::wide(V);
    return Small & Ftz && std::is_same_v<Format, Half> && std::fabs(W) < 0x1p-14
               ? std::copysign(0.0, W)
               : W;
  };
  double X = Flush(A), Y = Flush(B), Z = Flush(C), V;
  if constexpr (Op == Fma)
    V = fusedToOdd(X, Y, Z);
  else
    V = compute<Op, double>(X, Y, Z);
  if (Small & Sat)
    V = saturate(V);
  uint16_t Out = Format::of(V);
  if (Small & Ftz && std::is_same_v<Format, Half> &&
      std::fabs(Format::wide(Out)) < 0x1p-14)
    Out &= Format::Sign;
  return Out;
}
template <class Format, int Op, class T>
void runShort(Warp &W, const Inst &I, uint32_t Lanes) {
  T *D = W.out<T>(I.D);
  constexpr int Count = operandsOf(Op);
  const T *A = W.in<T>(I.A), *B = Count > 1 ? W.in<T>(I.B) : A,
          *C = Count > 2 ? W.in<T>(I.C) : A;
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    uint32_t Out = shortly<Format, Op>(uint16_t(A[L]), uint16_t(B[L]),
                                       uint16_t(C[L]), I.Small);
    if constexpr (sizeof(T) == 4)
      Out |= uint32_t(shortly<Format, Op>(uint16_t(A[L] >> 16),
                                          uint16_t(B[L] >> 16),
                                          uint16_t(C[L] >> 16), I.Small))
             << 16;
    D[L] = T(Out);
  }
}

template <int Op> Handler handlerFor(Decoder &D, Type T) {
  constexpr bool Short = Op <= MaxNaN && Op != Div;
  constexpr bool ShortApprox = Op == Tanh || Op == Ex2;
  if (T == Type{Type::F, 1, 32}) {
    if constexpr (Op != RcpGross && Op != RsqrtGross)
      return run<Op, float>;
  } else if (T == Type{Type::F, 1, 64}) {
    if constexpr (Op < DivApprox || Op == RcpGross || Op == RsqrtGross ||
                  Op == Rsqrt)
      return run<Op, double>;
  } else if constexpr (Short || ShortApprox) {
    if (T == Type{Type::F, 1, 16})
      return runShort<Half, Op, uint16_t>;
    if (T == Type{Type::F, 2, 16})
      return runShort<Half, Op, uint32_t>;
    if (T == Type{Type::BF, 1, 16})
      return runShort<Brain, Op, uint16_t>;
    if (T == Type{Type::BF, 2, 16})
      return runShort<Brain, Op, uint32_t>;
  }
  D.refuse("a type that the instruction does not have");
}

template <int Op> void decode(Decoder &D, Type T) {
  uint8_t Small = 0;
  if (D.has("ftz"))
    Small |= Ftz;
  if (D.has("sat"))
    Small |= Sat;
  int R = D.oneOf({"rn", "rz", "rm", "rp"});
  if (R > 0 && (T.Bits == 16 || Op >= DivApprox))
    D.refuse("a rounding that the instruction does not have");
  Small |= uint8_t((R < 0 ? 0 : R) << RoundingShift);
  int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = 0, C = 0;
  if (operandsOf(Op) > 1)
    B = D.in(2, T);
  if (operandsOf(Op) > 2)
    C = D.in(3, T);
  Inst &N = D.emit(handlerFor<Op>(D, T));
  N.D = To, N.A = A, N.B = B, N.C = C, N.Small = Small;
}

constexpr Type Double{Type::F, 1, 64};

void fma(Decoder &D) {
  Type T = D.type();
  if (D.has("relu"))
    D.refuse("'.relu' is not supported");
  decode<Fma>(D, T);
}
void rcp(Decoder &D) {
  Type T = D.type();
  if (!D.has("approx"))
    decode<Rcp>(D, T);
  else if (T == Double)
    D.has("ftz"), decode<RcpGross>(D, T);
  else
    decode<RcpApprox>(D, T);
}
void sqrt(Decoder &D) {
  Type T = D.type();
  if (D.has("approx"))
    decode<SqrtApprox>(D, T);
  else
    decode<Sqrt>(D, T);
}
void rsqrt(Decoder &D) {
  Type T = D.type();
  if (!D.has("approx"))
    D.refuse("'.approx' is missing");
  if (T == Double && D.has("ftz"))
    decode<RsqrtGross>(D, T);
  else
    decode<Rsqrt>(D, T);
}
template <int Op> void approximation(Decoder &D) {
  Type T = D.type();
  if (!D.has("approx"))
    D.refuse("'.approx' is missing");
  decode<Op>(D, T);
}

template <class T> void copySign(Warp &W, const Inst &I, uint32_t Lanes) {
  T *D = W.out<T>(I.D);
  const T *A = W.in<T>(I.A), *B = W.in<T>(I.B);
  constexpr T Sign = T(1) << (sizeof(T) * 8 - 1);
  each(Lanes, [=](unsigned L) { D[L] = (A[L] & Sign) | (B[L] & ~Sign); });
}
void copysign(Decoder &D) {
  Type T = D.type();
  int32_t To = D.out(0, T.bytes()), A = D.in(1, T), B = D.in(2, T);
  Inst &N = D.emit(T == Double ? copySign<uint64_t> : copySign<uint32_t>);
  N.D = To, N.A = A, N.B = B;
}

enum Test { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <class T> void runTest(Warp &W, const Inst &I, uint32_t Lanes) {
  const T *A = W.in<T>(I.A);
  uint32_t Out = 0;
  for (uint32_t M = Lanes; M; M &= M - 1) {
    T V = A[__builtin_ctz(M)];
    bool Is = false;
    switch (Test(I.Small)) {
    case Finite:
      Is = std::isfinite(V);
      break;
    case Infinite:
      Is = std::isinf(V);
      break;
    case Number:
      Is = V == V;
      break;
    case NotANumber:
      Is = V != V;
      break;
    case Normal:
      Is = std::isnormal(V);
      break;
    case Subnormal:
      Is = std::fpclassify(V) == FP_SUBNORMAL;
      break;
    }
    if (Is)
      Out |= M & -M;
  }
  W.setPredicate(I.D, Out, Lanes);
}
void testp(Decoder &D) {
  int What = D.oneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (What < 0)
    D.refuse("what to test for is missing");
  Type T = D.type();
  int32_t To = D.outPredicate(D.operand(0).Index), A = D.in(1, T);
  Inst &N = D.emit(T == Double ? runTest<double> : runTest<float>);
  N.D = To, N.A = A, N.Small = uint8_t(What);
}

PTX_OPCODES({"fma", fma}, {"rcp", rcp}, {"sqrt", sqrt}, {"rsqrt", rsqrt},
            {"sin", approximation<Sin>}, {"cos", approximation<Cos>},
            {"lg2", approximation<Lg2>}, {"ex2", approximation<Ex2>},
            {"tanh", approximation<Tanh>}, {"copysign", copysign},
            {"testp", testp})

} // namespace

/// The floating-point forms of what integer.cpp registers.
void decodeFloating(Decoder &D, Type T) {
  std::string_view Name = D.opcode();
  if (Name == "add")
    return decode<Add>(D, T);
  if (Name == "sub")
    return decode<Sub>(D, T);
  if (Name == "mul")
    return decode<Mul>(D, T);
  if (Name == "mad")
    return decode<Fma>(D, T);
  if (Name == "div") {
    if (D.oneOf({"approx", "full"}) >= 0)
      return decode<DivApprox>(D, T);
    return decode<Div>(D, T);
  }
  if (Name == "abs")
    return decode<Abs>(D, T);
  if (Name == "neg")
    return decode<Neg>(D, T);
  bool NaN = D.has("NaN");
  if (Name == "min")
    return NaN ? decode<MinNaN>(D, T) : decode<Min>(D, T);
  if (Name == "max")
    return NaN ? decode<MaxNaN>(D, T) : decode<Max>(D, T);
  D.refuse("a type that the instruction does not have");
}

} // namespace ptx
