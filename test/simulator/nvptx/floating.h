// What floating-point instructions compute for one lane
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled twice: by floating.cpp for any rounding, and by floating_nearest.cpp,
// where the compiler may take it that the host rounds to nearest. Therefore
// each has functions of its own.

#ifndef XCC_SIMULATOR_NVPTX_FLOATING_H
#define XCC_SIMULATOR_NVPTX_FLOATING_H

#include "handlers.h"
#include "numbers.h"

#include <limits>

namespace ptx {
namespace {

/// How an instruction rounds and treats denormals: Inst::small.
enum Flags : uint8_t { Ftz = 1, Sat = 2, RoundingShift = 2 };

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
constexpr int operandsOf(int op) {
  return op == Fma                                                     ? 3
         : op <= Div || (op >= Min && op <= MaxNaN) || op == DivApprox ? 2
                                                                       : 1;
}

template <int Op, class T> T least(T a, T b) {
  constexpr bool most = Op == Max || Op == MaxNaN;
  if (a != a || b != b) {
    if (Op == MinNaN || Op == MaxNaN || (a != a && b != b))
      return std::numeric_limits<T>::quiet_NaN();
    return a != a ? b : a;
  }
  if (a == b) // -0 is less than +0
    return std::signbit(a) == most ? b : a;
  return (a < b) == most ? b : a;
}

/// Only the upper half of the result is there.
inline double gross(double v) {
  if (std::fpclassify(v) == FP_SUBNORMAL)
    v = std::copysign(0.0, v);
  return std::bit_cast<double>(std::bit_cast<uint64_t>(v) & ~uint64_t(0) << 32);
}
inline double flushDouble(double v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0, v) : v;
}

/// What comes of neg and abs of a NaN. PTX promises nothing, and GPUs add -0,
/// which loses sign and payload: here the sign is the one that is not meant.
template <int Op> bool signOfNaN(bool sign) { return Op == Abs || sign; }

template <int Op, class T> T changeSign(T a) {
  if (a != a)
    return std::copysign(std::numeric_limits<T>::quiet_NaN(),
                         signOfNaN<Op>(std::signbit(a)) ? T(-1) : T(1));
  return Op == Abs ? std::fabs(a) : -a;
}

template <int Op, class T> T compute(T a, T b, T c) {
  if constexpr (Op == Add)
    return a + b;
  if constexpr (Op == Sub)
    return a - b;
  if constexpr (Op == Mul)
    return a * b;
  if constexpr (Op == Fma)
    return std::fma(a, b, c);
  if constexpr (Op == Div)
    return a / b;
  if constexpr (Op == Abs || Op == Neg)
    return changeSign<Op>(a);
  if constexpr (Op >= Min && Op <= MaxNaN)
    return least<Op, T>(a, b);
  if constexpr (Op == Rcp)
    return T(1) / a;
  if constexpr (Op == Sqrt)
    return std::sqrt(a);
  if constexpr (Op == DivApprox)
    return T(double(a) / double(b));
  if constexpr (Op == RcpApprox)
    return T(1 / double(a));
  if constexpr (Op == RcpGross)
    return T(gross(1 / flushDouble(a)));
  if constexpr (Op == SqrtApprox)
    return T(std::sqrt(double(a)));
  if constexpr (Op == Rsqrt)
    return T(1 / std::sqrt(double(a)));
  if constexpr (Op == RsqrtGross)
    return T(gross(1 / std::sqrt(flushDouble(a))));
  if constexpr (Op == Sin)
    return T(std::sin(double(a)));
  if constexpr (Op == Cos)
    return T(std::cos(double(a)));
  if constexpr (Op == Lg2)
    return T(std::log2(double(a)));
  if constexpr (Op == Ex2)
    return T(std::exp2(double(a)));
  if constexpr (Op == Tanh)
    return T(std::tanh(double(a)));
}

} // namespace

/// The handler of an operation that rounds to nearest; null if it has none of
/// its own. Plain: without Ftz and Sat.
Handler nearestHandler(int operation, Type t, bool plain);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_FLOATING_H
