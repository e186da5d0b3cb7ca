// How instructions work on lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_HANDLERS_H
#define XCC_SIMULATOR_NVPTX_HANDLERS_H

#include "decode.h"
#include "machine.h"

namespace ptx {

/// Whether the processor has what XCC_SIMULATOR_WIDE code is compiled for. Such
/// code does what the plain code does, for more lanes at a time.
extern bool wide;
#ifdef __x86_64__
#define XCC_SIMULATOR_WIDE [[gnu::target("arch=x86-64-v3")]]
#else
#define XCC_SIMULATOR_WIDE
#endif
/// Before a loop over all lanes. Without unroll(disable) LLVM unrolls it before it
/// looks for vectors, and finds none.
// clang-format off
#define XCC_SIMULATOR_VECTORIZE                                                \
  _Pragma("clang loop vectorize(assume_safety) vectorize_width(8) interleave_count(4) unroll(disable)")
// clang-format on
/// A loop over lanes costs less with vectors than one by one from there on.
constexpr int FewLanes = 6;

[[gnu::always_inline]] inline bool areMany(uint32_t lanes) {
  if (lanes == AllLanes)
    return true;
  const bool isOne =
      !(lanes & (lanes - 1)); // frequent, and counting takes time
  return !isOne && __builtin_popcount(lanes) > FewLanes;
}
/// Whether vectors are worth it for so many lanes.
[[gnu::always_inline]] inline bool isWide(uint32_t lanes) {
  return areMany(lanes) && wide;
}

/// The loop with vectors, for code that is compiled for them.
template <class Fn>
[[gnu::always_inline]] inline void eachVector(uint32_t lanes, Fn f) {
  if (lanes == AllLanes) {
    XCC_SIMULATOR_VECTORIZE
    for (unsigned l = 0; l != WarpSize; ++l) {
      [[clang::always_inline]] f(l);
    }
  } else {
    XCC_SIMULATOR_VECTORIZE
    for (unsigned l = 0; l != WarpSize; ++l)
      if (lanes >> l & 1) {
        [[clang::always_inline]] f(l);
      }
  }
}
/// The loop for every processor.
template <class Fn>
[[gnu::always_inline]] inline void eachPlain(uint32_t lanes, Fn f) {
  if (lanes == AllLanes) {
    XCC_SIMULATOR_VECTORIZE
    for (unsigned l = 0; l != WarpSize; ++l)
      f(l);
  } else {
    for (; lanes; lanes &= lanes - 1)
      f(unsigned(__builtin_ctz(lanes)));
  }
}

template <class Fn> XCC_SIMULATOR_WIDE void eachWide(uint32_t lanes, Fn f) {
  eachVector(lanes, f);
}
/// F(lane) for each of the lanes, which do not depend on each other: nothing adds
/// up over them, and none reads what another one writes.
template <class Fn>
[[gnu::always_inline]] inline void each(uint32_t lanes, Fn f) {
  if (isWide(lanes))
    eachWide(lanes, f);
  else
    eachPlain(lanes, f);
}

/// F(lane) for one lane after the other.
template <class Fn>
[[gnu::always_inline]] inline void eachInOrder(uint32_t lanes, Fn f) {
  for (; lanes; lanes &= lanes - 1)
    f(unsigned(__builtin_ctz(lanes)));
}

/// A bit for each of the lanes for which F(lane) is true.
template <class Fn>
XCC_SIMULATOR_WIDE uint32_t lanesWhereWide(uint32_t lanes, Fn f) {
  uint32_t out = 0;
  XCC_SIMULATOR_VECTORIZE
  for (unsigned l = 0; l != WarpSize; ++l) {
    bool is;
    [[clang::always_inline]] is = f(l);
    out |= is ? uint32_t(1) << l : 0;
  }
  return out & lanes;
}
template <class Fn>
[[gnu::always_inline]] inline uint32_t lanesWhere(uint32_t lanes, Fn f) {
  if (isWide(lanes))
    return lanesWhereWide(lanes, f);
  uint32_t out = 0;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    out |= uint32_t(f(l)) << l;
  }
  return out;
}

/// The bits that F(lane) gives for any of the lanes.
template <class Fn>
XCC_SIMULATOR_WIDE uint64_t bitsOfAnyWide(uint32_t lanes, Fn f) {
  uint64_t out = 0;
  XCC_SIMULATOR_VECTORIZE
  for (unsigned l = 0; l != WarpSize; ++l) {
    uint64_t bits;
    [[clang::always_inline]] bits = f(l);
    out |= bits & -uint64_t(lanes >> l & 1);
  }
  return out;
}
template <class Fn>
[[gnu::always_inline]] inline uint64_t bitsOfAny(uint32_t lanes, Fn f) {
  if (isWide(lanes))
    return bitsOfAnyWide(lanes, f);
  uint64_t out = 0;
  for (; lanes; lanes &= lanes - 1)
    out |= f(unsigned(__builtin_ctz(lanes)));
  return out;
}

/// d = Op(a), d = Op(a, b), d = Op(a, b, c): R is the result's type. The second
/// of each is for many lanes.
template <class R, class T, auto Op>
XCC_SIMULATOR_WIDE void unaryWide(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  eachVector(lanes, [=](unsigned l) { d[l] = R(Op(a[l])); });
}
template <class R, class T, auto Op>
void unary(Warp &w, const Inst &i, uint32_t lanes) {
  if (isWide(lanes))
    return unaryWide<R, T, Op>(w, i, lanes);
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  eachPlain(lanes, [=](unsigned l) { d[l] = R(Op(a[l])); });
}
template <class R, class T, auto Op, class U = T>
XCC_SIMULATOR_WIDE void binaryWide(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  const U *b = w.in<U>(i.b);
  eachVector(lanes, [=](unsigned l) { d[l] = R(Op(a[l], b[l])); });
}
template <class R, class T, auto Op, class U = T>
void binary(Warp &w, const Inst &i, uint32_t lanes) {
  if (isWide(lanes))
    return binaryWide<R, T, Op, U>(w, i, lanes);
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  const U *b = w.in<U>(i.b);
  eachPlain(lanes, [=](unsigned l) { d[l] = R(Op(a[l], b[l])); });
}
template <class R, class T, auto Op, class U = T, class V = T>
XCC_SIMULATOR_WIDE void ternaryWide(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  const U *b = w.in<U>(i.b);
  const V *c = w.in<V>(i.c);
  eachVector(lanes, [=](unsigned l) { d[l] = R(Op(a[l], b[l], c[l])); });
}
template <class R, class T, auto Op, class U = T, class V = T>
void ternary(Warp &w, const Inst &i, uint32_t lanes) {
  if (isWide(lanes))
    return ternaryWide<R, T, Op, U, V>(w, i, lanes);
  R *d = w.out<R>(i.d);
  const T *a = w.in<T>(i.a);
  const U *b = w.in<U>(i.b);
  const V *c = w.in<V>(i.c);
  eachPlain(lanes, [=](unsigned l) { d[l] = R(Op(a[l], b[l], c[l])); });
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
