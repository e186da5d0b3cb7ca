// Floating-point arithmetic that rounds to nearest, many lanes at a time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nearly all that programs do. The results are those of floating.cpp.

#include "floating.h"

#include <type_traits>

namespace ptx {
namespace {

template <int Op, class T, bool Plain, class Each>
[[gnu::always_inline]] inline void nearest(Warp &w, const Inst &i, Each each) {
  constexpr int count = operandsOf(Op);
  constexpr bool isFloat = std::is_same_v<T, float>;
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a), *b = count > 1 ? w.in<T>(i.b) : a,
          *c = count > 2 ? w.in<T>(i.c) : a;
  if constexpr (Plain) {
    each([=](unsigned l) {
      T v = compute<Op, T>(a[l], b[l], c[l]);
      d[l] = Op == Abs || Op == Neg ? v : canonical(v);
    });
    return;
  }
  const bool flushes = isFloat && i.small & Ftz, clamp = i.small & Sat;
  each([=](unsigned l) {
    T x = a[l], y = b[l], z = c[l];
    if constexpr (isFloat)
      if (flushes)
        x = flush(x), y = flush(y), z = flush(z);
    T v = canonical(compute<Op, T>(x, y, z));
    if constexpr (isFloat)
      if (flushes)
        v = flush(v);
    d[l] = clamp ? saturate(v) : v;
  });
}

template <int Op, class T, bool Plain>
XCC_SIMULATOR_WIDE void runWide(Warp &w, const Inst &i, uint32_t lanes) {
  nearest<Op, T, Plain>(w, i, [lanes](auto f) { eachVector(lanes, f); });
}
template <int Op, class T, bool Plain>
void run(Warp &w, const Inst &i, uint32_t lanes) {
  if (isWide(lanes))
    return runWide<Op, T, Plain>(w, i, lanes);
  nearest<Op, T, Plain>(w, i, [lanes](auto f) { eachPlain(lanes, f); });
}

template <class T, int... Ops>
Handler choose(int operation, bool plain, std::integer_sequence<int, Ops...>) {
  Handler h = nullptr;
  ((operation == Ops ? void(h = plain ? run<Ops, T, true> : run<Ops, T, false>)
                     : void()),
   ...);
  return h;
}

} // namespace

Handler nearestHandler(int operation, Type t, bool plain) {
  using Some = std::integer_sequence<int, Add, Sub, Mul, Fma, Div, Abs, Neg,
                                     Min, Max, MinNaN, MaxNaN, Rcp, Sqrt>;
  using Approximate =
      std::integer_sequence<int, DivApprox, RcpApprox, SqrtApprox, Rsqrt>;
  if (t == Type{Type::F, 1, 64})
    return choose<double>(operation, plain, Some());
  if (t != Type{Type::F, 1, 32})
    return nullptr;
  Handler h = choose<float>(operation, plain, Some());
  return h ? h : choose<float>(operation, plain, Approximate());
}

} // namespace ptx
