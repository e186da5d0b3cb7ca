// <cuComplex.h> of CUDA's toolkit, for -foffload-cuda
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_TOOLKIT_CUCOMPLEX_H
#define XCC_CUDA_TOOLKIT_CUCOMPLEX_H

#include <xcc/cuda.h>

#include <cmath>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// The names of float end in f, those of double in nothing.
#define XCC_CUDA_COMPLEX(complex, number, suffix, make)                        \
  inline number cuCreal##suffix(complex a) { return a.x; }                     \
  inline number cuCimag##suffix(complex a) { return a.y; }                     \
  inline complex make(number real, number imaginary) {                         \
    return {real, imaginary};                                                  \
  }                                                                            \
  inline complex cuConj##suffix(complex a) { return {a.x, -a.y}; }             \
  inline complex cuCadd##suffix(complex a, complex b) {                        \
    return {a.x + b.x, a.y + b.y};                                             \
  }                                                                            \
  inline complex cuCsub##suffix(complex a, complex b) {                        \
    return {a.x - b.x, a.y - b.y};                                             \
  }                                                                            \
  inline complex cuCmul##suffix(complex a, complex b) {                        \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                     \
  }                                                                            \
  /* Scaled, so that the sum of squares is in range. */                        \
  inline complex cuCdiv##suffix(complex a, complex b) {                        \
    const number scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                \
    const number ax = a.x * scale, ay = a.y * scale;                           \
    const number bx = b.x * scale, by = b.y * scale;                           \
    const number length = 1 / (bx * bx + by * by);                             \
    return {(ax * bx + ay * by) * length, (ay * bx - ax * by) * length};       \
  }                                                                            \
  inline number cuCabs##suffix(complex a) { return std::hypot(a.x, a.y); }     \
  inline complex cuCfma##suffix(complex a, complex b, complex c) {             \
    return cuCadd##suffix(cuCmul##suffix(a, b), c);                            \
  }
XCC_CUDA_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
XCC_CUDA_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef XCC_CUDA_COMPLEX
inline cuComplex make_cuComplex(float real, float imaginary) {
  return {real, imaginary};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return {a.x, a.y};
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {float(a.x), float(a.y)};
}

#endif // XCC_CUDA_TOOLKIT_CUCOMPLEX_H
