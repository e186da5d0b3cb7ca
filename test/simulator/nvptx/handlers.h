// How instructions work on lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_HANDLERS_H
#define XCC_SIMULATOR_NVPTX_HANDLERS_H

#include "decode.h"
#include "machine.h"

namespace ptx {

/// F(lane) for each of the lanes.
template <class Fn>
[[gnu::always_inline]] inline void each(uint32_t lanes, Fn f) {
  if (lanes == AllLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l != WarpSize; ++l)
      f(l);
  } else {
    for (; lanes; lanes &= lanes - 1)
      f(unsigned(__builtin_ctz(lanes)));
  }
}

/// d = Op(a), d = Op(a, b), d = Op(a, b, c): R is the result's type.
template <class R, class T, auto Op>
void unary(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  each(lanes, [=](unsigned l) { d[l] = R(Op(a[l])); });
}
template <class R, class T, auto Op, class U = T>
void binary(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  const U *b = w.in<U>(i.b);
  each(lanes, [=](unsigned l) { d[l] = R(Op(a[l], b[l])); });
}
template <class R, class T, auto Op, class U = T, class V = T>
void ternary(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  const U *b = w.in<U>(i.b);
  const V *c = w.in<V>(i.c);
  each(lanes, [=](unsigned l) { d[l] = R(Op(a[l], b[l], c[l])); });
}

/// Calls F<T>() with the C++ type of an integer type of PTX; isSigned says how
/// .b types are to be taken.
template <class Fn> auto withInteger(Decoder &d, Type t, Fn f) {
  bool isSigned = t.of == Type::S;
  if (t.packed == 1)
    switch (t.elementBits) {
    case 16:
      return isSigned ? f.template operator()<int16_t>()
                      : f.template operator()<uint16_t>();
    case 32:
      return isSigned ? f.template operator()<int32_t>()
                      : f.template operator()<uint32_t>();
    case 64:
      return isSigned ? f.template operator()<int64_t>()
                      : f.template operator()<uint64_t>();
    }
  d.refuse("a type that the instruction does not have");
}

inline bool isInteger(Type t) {
  return t.of == Type::U || t.of == Type::S || t.of == Type::B;
}

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_HANDLERS_H
