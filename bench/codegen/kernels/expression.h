// Expression templates for short vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_CODEGEN_EXPRESSION_H
#define XCC_BENCH_CODEGEN_EXPRESSION_H

#include "../suite.h"
#include <cmath>

namespace suite {

template <class E> struct Expression {
  SUITE_INLINE const E &self() const { return static_cast<const E &>(*this); }
  SUITE_INLINE float operator[](int i) const { return self()[i]; }
};

template <int N> struct Vector : Expression<Vector<N>> {
  float v[N];
  Vector() = default;
  template <class E> SUITE_INLINE Vector(const Expression<E> &e) {
#pragma unroll
    for (int i = 0; i < N; ++i)
      v[i] = e.self()[i];
  }
  SUITE_INLINE float operator[](int i) const { return v[i]; }
};

struct Scalar : Expression<Scalar> {
  float value;
  SUITE_INLINE explicit Scalar(float value) : value(value) {}
  SUITE_INLINE float operator[](int) const { return value; }
};

template <class Op, class L, class R>
struct Binary : Expression<Binary<Op, L, R>> {
  const L &l;
  const R &r;
  SUITE_INLINE Binary(const L &l, const R &r) : l(l), r(r) {}
  SUITE_INLINE float operator[](int i) const { return Op::apply(l[i], r[i]); }
};

template <class Op, class E> struct Unary : Expression<Unary<Op, E>> {
  const E &e;
  SUITE_INLINE explicit Unary(const E &e) : e(e) {}
  SUITE_INLINE float operator[](int i) const { return Op::apply(e[i]); }
};

struct Add {
  SUITE_INLINE static float apply(float a, float b) { return a + b; }
};
struct Subtract {
  SUITE_INLINE static float apply(float a, float b) { return a - b; }
};
struct Multiply {
  SUITE_INLINE static float apply(float a, float b) { return a * b; }
};
struct Root {
  SUITE_INLINE static float apply(float a) { return std::sqrt(a); }
};
struct Absolute {
  SUITE_INLINE static float apply(float a) { return std::fabs(a); }
};

template <class L, class R>
SUITE_INLINE Binary<Add, L, R> operator+(const Expression<L> &l,
                                         const Expression<R> &r) {
  return {l.self(), r.self()};
}
template <class L, class R>
SUITE_INLINE Binary<Subtract, L, R> operator-(const Expression<L> &l,
                                              const Expression<R> &r) {
  return {l.self(), r.self()};
}
template <class L, class R>
SUITE_INLINE Binary<Multiply, L, R> operator*(const Expression<L> &l,
                                              const Expression<R> &r) {
  return {l.self(), r.self()};
}
template <class E> SUITE_INLINE Unary<Root, E> root(const Expression<E> &e) {
  return Unary<Root, E>(e.self());
}
template <class E>
SUITE_INLINE Unary<Absolute, E> absolute(const Expression<E> &e) {
  return Unary<Absolute, E>(e.self());
}

/// out = sqrt(|a b + s a|) - s b + a, for four elements from `first`.
SUITE_INLINE void combine(int first, float s, const float *__restrict a,
                          const float *__restrict b, float *__restrict out) {
  Vector<4> x, y;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    x.v[k] = a[first + k];
    y.v[k] = b[first + k];
  }
  const Scalar scale(s);
  const Vector<4> result = root(absolute(x * y + scale * x)) - scale * y + x;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[first + k] = result[k];
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_EXPRESSION_H
