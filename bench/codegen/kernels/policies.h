// A functor made of policies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_CODEGEN_POLICIES_H
#define XCC_BENCH_CODEGEN_POLICIES_H

#include "../suite.h"

namespace suite {

/// Reads element i of two arrays as a pair.
struct LoadPair {
  const float *a, *b;
  struct Pair {
    float a, b;
  };
  SUITE_INLINE Pair operator()(int i) const { return {a[i], b[i]}; }
};

/// A pair's weighted difference.
struct Weigh {
  float scale;
  SUITE_INLINE float operator()(LoadPair::Pair p) const {
    return scale * p.a - p.b;
  }
};

struct Clamp {
  float low, high;
  SUITE_INLINE float operator()(float v) const {
    return v < low ? low : v > high ? high : v;
  }
};

/// The polynomial with these coefficients, highest power first.
template <int... Coefficients> struct Polynomial {
  SUITE_INLINE float operator()(float x) const {
    float sum = 0;
    ((sum = sum * x + Coefficients), ...);
    return sum;
  }
};

struct Store {
  float *out;
  SUITE_INLINE void operator()(int i, float v) const { out[i] = v; }
};

template <class F, class... Rest> struct Chain {
  F first;
  Chain<Rest...> rest;
  template <class T> SUITE_INLINE auto operator()(T v) const {
    return rest(first(v));
  }
};
template <class F> struct Chain<F> {
  F first;
  template <class T> SUITE_INLINE auto operator()(T v) const {
    return first(v);
  }
};

template <class Source, class Transform, class Sink> struct Pipeline {
  Source source;
  Transform transform;
  Sink sink;
  SUITE_INLINE void operator()(int i) const { sink(i, transform(source(i))); }
};

using Policies =
    Pipeline<LoadPair, Chain<Weigh, Clamp, Polynomial<3, -5, 2, 7, -1>>, Store>;

SUITE_INLINE Policies makePolicies(float scale, float low, float high,
                                   const float *a, const float *b, float *out) {
  return {{a, b}, {{scale}, {{low, high}, {{}}}}, {out}};
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_POLICIES_H
