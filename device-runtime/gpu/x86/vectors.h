// Vector types and helpers for x86's intrinsics
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's intrinsics headers express most of x86's vector instructions by
// operations of Clang's vector extension, which every target supports. The
// other intrinsics are calls of __builtin_ia32_NAME. In GPU code they become
// calls of __xcc_ia32_NAME (frontend/kernels/check/HostInstructions.cpp), which
// the files here define. Each computes the result of Intel's Software
// Developer's Manual bit by bit, including minima of NaNs, conversions of
// numbers out of range, and shifts by more than the width. Two exceptions: the
// bits of a NaN are the GPU's, and approximate reciprocals are exact.
//
// test/simulator/x86.py compares each with the real instruction.

#ifndef XCC_DEVICE_RUNTIME_GPU_X86_VECTORS_H
#define XCC_DEVICE_RUNTIME_GPU_X86_VECTORS_H

template <class T, int N>
using Vector __attribute__((vector_size(N * sizeof(T)))) = T;

using V16c = Vector<char, 16>;
using V32c = Vector<char, 32>;
using V4s = Vector<short, 4>; // 8 bytes, from MMX
using V8s = Vector<short, 8>;
using V16s = Vector<short, 16>;
using V4i = Vector<int, 4>;
using V8i = Vector<int, 8>;
using V2q = Vector<long long, 2>;
using V4q = Vector<long long, 4>;
using V4f = Vector<float, 4>;
using V8f = Vector<float, 8>;
using V2d = Vector<double, 2>;
using V4d = Vector<double, 4>;
// The same types, unsigned
using V16uc = Vector<unsigned char, 16>;
using V32uc = Vector<unsigned char, 32>;
using V8us = Vector<unsigned short, 8>;
using V16us = Vector<unsigned short, 16>;
using V4ui = Vector<unsigned, 4>;
using V8ui = Vector<unsigned, 8>;
using V2uq = Vector<unsigned long long, 2>;
using V4uq = Vector<unsigned long long, 4>;

using U32 = unsigned;
using U64 = unsigned long long;
using I64 = long long;

template <class T> constexpr unsigned Bits = sizeof(T) * 8;
template <class V> using Element = __remove_cvref(decltype(V{}[0]));
template <class V> constexpr int Size = sizeof(V) / sizeof(Element<V>);
/// The elements of a lane. Most instructions on 32 bytes treat each half alike.
template <class V> constexpr int Lane = 16 / sizeof(Element<V>);

/// Begins the definition of an instruction that is inlined.
#define X86 extern "C" [[gnu::always_inline]]
/// Begins the definition of an instruction that is too long to inline.
#define X86_CALL extern "C"

/// A vector whose elements are f(0), f(1), ...
template <class V, class F> [[gnu::always_inline]] inline V each(F f) {
  V result;
#pragma clang loop unroll(full)
  for (int i = 0; i < Size<V>; ++i)
    result[i] = f(i);
  return result;
}

/// Applies f to neighbours; in each lane, results of a precede results of b.
template <class V, class F>
[[gnu::always_inline]] inline V pairs(V a, V b, F f) {
  return each<V>([&](int i) {
    constexpr int half = Lane<V> / 2;
    int lane = i / Lane<V> * Lane<V>, at = i % Lane<V>;
    const V &from = at < half ? a : b;
    int pair = lane + at % half * 2;
    return Element<V>(f(from[pair], from[pair + 1]));
  });
}

template <class To, class From> To bits(From value) {
  return __builtin_bit_cast(To, value);
}

template <class T, class Wide> T saturate(Wide value) {
  constexpr Wide most =
      T(-1) > T(0) ? Wide(T(~T(0))) : Wide((1ull << (sizeof(T) * 8 - 1)) - 1);
  constexpr Wide least = T(-1) > T(0) ? Wide(0) : Wide(-most - 1);
  return T(value < least ? least : value > most ? most : value);
}

#endif // XCC_DEVICE_RUNTIME_GPU_X86_VECTORS_H
