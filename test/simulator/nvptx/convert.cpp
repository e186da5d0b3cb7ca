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

/// What the handler must know: Inst::Small, and the registers' bytes in Imm.
enum : uint8_t { Sat = 1, Ftz = 2, Whole = 4, RoundShift = 3 };

struct Brain16 {};
struct Half16 {};
/// A number of 32 bits whose mantissa is short.
struct Tensor32 {};

/// Which C++ type goes with T; Half16 and Brain16 for the short formats.
template <class Fn> auto withType(Decoder &D, Type T, Fn F) {
  if (T.Packed != 1)
    D.refuse("a type that the instruction does not have");
  if (isInteger(T)) {
    if (T.Bits == 8)
      return T.Of == Type::S ? F.template operator()<int8_t>()
                             : F.template operator()<uint8_t>();
    return withInteger(D, T, F);
  }
  if (T.Of == Type::BF)
    return F.template operator()<Brain16>();
  if (T.Of == Type::TF)
    return F.template operator()<Tensor32>();
  if (T.Of == Type::F && T.Bits == 16)
    return F.template operator()<Half16>();
  if (T.Of == Type::F && T.Bits == 32)
    return F.template operator()<float>();
  if (T.Of == Type::F && T.Bits == 64)
    return F.template operator()<double>();
  D.refuse("a type that the instruction does not have");
}

template <class T>
using Storage = std::conditional_t<
    std::is_same_v<T, Half16> || std::is_same_v<T, Brain16>, uint16_t,
    std::conditional_t<std::is_same_v<T, Tensor32>, uint32_t, T>>;
template <class T> constexpr bool isShort = !std::is_arithmetic_v<T>;
template <class T>
constexpr bool isFloat = isShort<T> || std::is_floating_point_v<T>;

template <class T> auto load(Storage<T> V) {
  if constexpr (std::is_same_v<T, Half16>)
    return Half::wide(V);
  else if constexpr (std::is_same_v<T, Brain16>)
    return Brain::wide(V);
  else if constexpr (std::is_same_v<T, Tensor32>)
    return double(std::bit_cast<float>(V));
  else
    return V;
}

/// From a floating-point number; what is out of range becomes the nearest.
template <class To, class From> To toInteger(From V, Rounding R) {
  constexpr int Bits = sizeof(To) * 8;
  if (V != V)
    return sizeof(From) == 8 || Bits == 64 ? To(uint64_t(1) << (Bits - 1))
                                           : To(0);
  double W = roundWhole(double(V), R);
  constexpr bool Signed = std::is_signed_v<To>;
  const double Top = std::ldexp(1.0, Signed ? Bits - 1 : Bits);
  if (W >= Top)
    return std::numeric_limits<To>::max();
  if (W < (Signed ? -Top : 0.0))
    return std::numeric_limits<To>::min();
  return To(W);
}

template <class To, class From> To clampInteger(From V) {
  using Wide = __int128;
  Wide W = Wide(V);
  Wide Low = std::numeric_limits<To>::min(),
       High = std::numeric_limits<To>::max();
  return To(W < Low ? Low : W > High ? High : W);
}

template <class To, class From>
Storage<To> convert(Storage<From> In, uint8_t Small) {
  Rounding R = Rounding(Small >> RoundShift);
  auto V = load<From>(In);
  if constexpr (std::is_same_v<From, float>)
    if (Small & Ftz)
      V = flush(V);
  if constexpr (!isFloat<To> && !isFloat<From>) {
    return Small & Sat ? clampInteger<To>(V) : To(V);
  } else if constexpr (!isFloat<To>) {
    // double for what the value is in; its size decides about NaN.
    if constexpr (isShort<From>)
      return toInteger<To>(float(V), R);
    else
      return toInteger<To>(V, R);
  } else if constexpr (isShort<To>) {
    double W;
    if constexpr (isFloat<From>)
      W = double(V);
    else
      W = double((long double)(V)); // 64-bit ones: to odd is not needed
    if (Small & Sat)
      W = saturate(W);
    if constexpr (std::is_same_v<To, Half16>)
      return Half::of(W, R);
    else if constexpr (std::is_same_v<To, Brain16>)
      return Brain::of(W, R);
    else
      return narrow<8, 10>(W, R) << 13;
  } else {
    To Out;
    if constexpr (isFloat<From>) {
      if (Small & Whole)
        Out = To(roundWhole(double(V), R));
      else
        Out = To(V); // as the host rounds now
    } else if constexpr (sizeof(From) == 8) {
      volatile long double Exact = (long double)(V);
      Out = To(Exact);
    } else {
      volatile From Exact = V;
      Out = To(From(Exact));
    }
    if (Small & Sat)
      Out = saturate(Out);
    if constexpr (std::is_same_v<To, float>) {
      if (Small & Ftz)
        Out = flush(Out);
      if constexpr (isFloat<From>)
        Out = canonical(Out);
    }
    return Out;
  }
}

template <class To, class From>
void run(Warp &W, const Inst &I, uint32_t Lanes) {
  unsigned OutBytes = unsigned(I.Imm & 255), InBytes = unsigned(I.Imm >> 8);
  Rounding R = Rounding(I.Small >> RoundShift);
  constexpr bool HostRounds =
      (std::is_same_v<To, float> || std::is_same_v<To, double>);
  RoundingScope Scope(HostRounds && !(I.Small & Whole) ? R : Rounding::Nearest);
  using S = Storage<From>;
  using O = Storage<To>;
  auto One = [&](unsigned L) {
    S V;
    if (I.A >= 0)
      V = *reinterpret_cast<const S *>(W.Data + I.A + L * InBytes);
    else
      V = *reinterpret_cast<const S *>(W.Pool + ~I.A + L * InBytes);
    O Out = convert<To, From>(V, I.Small);
    char *D = W.Data + I.D + L * OutBytes;
    if (OutBytes == sizeof(O)) {
      *reinterpret_cast<O *>(D) = Out;
      return;
    }
    // To the register's width, with the sign or zeros.
    uint64_t Wide;
    if constexpr (std::is_integral_v<O>)
      Wide = std::is_signed_v<To> && !isShort<To> ? uint64_t(int64_t(Out))
                                                  : uint64_t(Out);
    else
      Wide = 0;
    __builtin_memcpy(D, &Wide, OutBytes);
  };
  each(Lanes, One);
}

/// The usual ones, when registers have the types' sizes.
template <class To, class From>
void quick(Warp &W, const Inst &I, uint32_t Lanes) {
  To *D = W.out<To>(I.D);
  const From *A = W.in<From>(I.A);
  each(Lanes, [=](unsigned L) { D[L] = To(A[L]); });
}

int32_t source(Decoder &D, size_t At, Type From, unsigned &Bytes) {
  Bytes = From.bytes();
  if (D.isRegister(At)) {
    int32_t A = D.anyRegister(D.operand(At), Bytes);
    if (Bytes < From.bytes())
      D.refuse("a register that is smaller than the type");
    return A;
  }
  return D.in(At, From);
}

/// cvt.rn.f16x2.f32 d, a, b: a in the upper half.
template <class Format> void runTwo(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t *D = W.out<uint32_t>(I.D);
  const float *A = W.in<float>(I.A), *B = W.in<float>(I.B);
  Rounding R = Rounding(I.Small >> RoundShift);
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    auto One = [&](float V) {
      return uint32_t(Format::of(I.Small & Sat ? saturate(V) : V, R));
    };
    D[L] = One(A[L]) << 16 | One(B[L]);
  }
}

void cvt(Decoder &D) {
  int R = D.oneOf({"rn", "rz", "rm", "rp", "rna"});
  int Integral = D.oneOf({"rni", "rzi", "rmi", "rpi"});
  uint8_t Small = uint8_t((R > 0          ? R
                           : Integral > 0 ? Integral
                                          : 0)
                          << RoundShift);
  if (Integral >= 0)
    Small |= Whole;
  if (D.has("sat"))
    Small |= Sat;
  if (D.has("ftz"))
    Small |= Ftz;
  if (D.has("relu"))
    D.refuse("'.relu' is not supported");
  Type To = D.type(), From = D.type();
  if (To.Packed == 2) {
    if (!(From == Type{Type::F, 1, 32}) || isInteger(To))
      D.refuse("a conversion that is not supported");
    int32_t Out = D.out(0, 4), A = D.in(1, From), B = D.in(2, From);
    Inst &N = D.emit(To.Of == Type::BF ? runTwo<Brain> : runTwo<Half>);
    N.D = Out, N.A = A, N.B = B, N.Small = Small;
    return;
  }
  unsigned OutBytes, InBytes;
  int32_t Out = D.anyRegister(D.operand(0), OutBytes);
  int32_t A = source(D, 1, From, InBytes);
  if (OutBytes < To.bytes())
    D.refuse("a register that is smaller than the type");
  bool Exact = OutBytes == To.bytes() && InBytes == From.bytes() && !Small;
  Handler H = withType(D, To, [&]<class T>() {
    return withType(D, From, [&]<class S>() -> Handler {
      if constexpr (std::is_integral_v<T> && std::is_integral_v<S>)
        if (Exact)
          return quick<T, S>;
      return run<T, S>;
    });
  });
  bool ToFloat = !isInteger(To), FromFloat = !isInteger(From);
  bool Loses =
      (ToFloat && !FromFloat) || (ToFloat && FromFloat && To.Bits < From.Bits);
  if (FromFloat && !ToFloat && Integral < 0)
    D.refuse("a rounding to whole numbers is missing");
  if (Loses && R < 0)
    D.refuse("a rounding is missing");
  Inst &N = D.emit(H);
  N.D = Out, N.A = A, N.Small = Small, N.Imm = OutBytes | InBytes << 8;
}

//===--- Addresses --------------------------------------------------------===//

void toGeneric(Warp &W, const Inst &I, uint32_t Lanes) {
  uint64_t *D = W.out<uint64_t>(I.D);
  const uint64_t *A = W.in<uint64_t>(I.A);
  each(Lanes, [=, Plus = I.Imm](unsigned L) { D[L] = A[L] + Plus; });
}
void cvta(Decoder &D) {
  bool To = D.has("to");
  uint64_t Window = 0;
  const Windows &W = windows();
  switch (D.oneOf({"global", "const", "shared", "local", "param", "shared::cta",
                   "param::entry"})) {
  case 0:
  case 1:
    break;
  case 2:
  case 5:
    Window = W.Shared;
    break;
  case 3:
    Window = W.Local;
    break;
  case 4:
  case 6:
    Window = W.Param;
    break;
  default:
    D.refuse("the space is missing");
  }
  Type T = D.type();
  if (T.bits() != 64)
    D.refuse("addresses must have 64 bits");
  int32_t Out = D.out(0, 8), A = D.in(1, T);
  Inst &N = D.emit(toGeneric);
  N.D = Out, N.A = A, N.Imm = To ? -Window : Window;
}

void runInSpace(Warp &W, const Inst &I, uint32_t Lanes) {
  const uint64_t *A = W.in<uint64_t>(I.A);
  const Windows &Win = windows();
  uint32_t Out = 0;
  each(Lanes, [&](unsigned L) {
    bool Is;
    if (I.Imm)
      Is = A[L] - I.Imm < Windows::Size;
    else
      Is = A[L] - Win.Shared >= Windows::Size &&
           A[L] - Win.Local >= Windows::Size &&
           A[L] - Win.Param >= Windows::Size;
    Out |= uint32_t(Is) << L;
  });
  W.setPredicate(I.D, Out, Lanes);
}
void isspacep(Decoder &D) {
  int S = D.oneOf({"global", "shared", "local", "param", "shared::cta"});
  const Windows &W = windows();
  if (S < 0)
    D.refuse("a space that is not supported");
  int32_t To = D.outPredicate(D.operand(0).Index),
          A = D.in(1, {Type::B, 1, 64});
  Inst &N = D.emit(runInSpace);
  N.D = To, N.A = A;
  N.Imm = S == 1 || S == 4 ? W.Shared : S == 2 ? W.Local : S == 3 ? W.Param : 0;
}

PTX_OPCODES({"cvt", cvt}, {"cvta", cvta}, {"isspacep", isspacep})

} // namespace
} // namespace ptx
