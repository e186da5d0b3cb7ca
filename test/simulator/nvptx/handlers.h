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
[[gnu::always_inline]] inline void each(uint32_t Lanes, Fn F) {
  if (Lanes == AllLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned L = 0; L != WarpSize; ++L)
      F(L);
  } else {
    for (; Lanes; Lanes &= Lanes - 1)
      F(unsigned(__builtin_ctz(Lanes)));
  }
}

/// D = Op(A), D = Op(A, B), D = Op(A, B, C): R is the result's type.
template <class R, class T, auto Op>
void unary(Warp &W, const Inst &I, uint32_t Lanes) {
  R *D = W.out<R>(I.D);
  const T *A = W.in<T>(I.A);
  each(Lanes, [=](unsigned L) { D[L] = R(Op(A[L])); });
}
template <class R, class T, auto Op, class U = T>
void binary(Warp &W, const Inst &I, uint32_t Lanes) {
  R *D = W.out<R>(I.D);
  const T *A = W.in<T>(I.A);
  const U *B = W.in<U>(I.B);
  each(Lanes, [=](unsigned L) { D[L] = R(Op(A[L], B[L])); });
}
template <class R, class T, auto Op, class U = T, class V = T>
void ternary(Warp &W, const Inst &I, uint32_t Lanes) {
  R *D = W.out<R>(I.D);
  const T *A = W.in<T>(I.A);
  const U *B = W.in<U>(I.B);
  const V *C = W.in<V>(I.C);
  each(Lanes, [=](unsigned L) { D[L] = R(Op(A[L], B[L], C[L])); });
}

/// Calls F<T>() with the C++ type of an integer type of PTX; Signed says how
/// .b types are to be taken.
template <class Fn> auto withInteger(Decoder &D, Type T, Fn F) {
  bool Signed = T.Of == Type::S;
  if (T.Packed == 1)
    switch (T.Bits) {
    case 16:
      return Signed ? F.template operator()<int16_t>()
                    : F.template operator()<uint16_t>();
    case 32:
      return Signed ? F.template operator()<int32_t>()
                    : F.template operator()<uint32_t>();
    case 64:
      return Signed ? F.template operator()<int64_t>()
                    : F.template operator()<uint64_t>();
    }
  D.refuse("a type that the instruction does not have");
}

inline bool isInteger(Type T) {
  return T.Of == Type::U || T.Of == Type::S || T.Of == Type::B;
}

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_HANDLERS_H
