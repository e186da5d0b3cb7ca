// Complex numbers on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang calls some of these functions for complex multiplication and division
// (C's annex G: an infinite operand gives an infinite result, not a NaN).
// <complex> calls C's functions of complex numbers. Those use textbook
// formulas: they are accurate for finite arguments of moderate size, but not in
// all special cases of annex G.

// Overloads in a namespace, so that Clang does not treat them as its builtins,
// which not all GPU back ends can generate.
#define XCC_REAL_1(name)                                                       \
  float name(float) __asm__(#name "f");                                        \
  double name(double) __asm__(#name);
#define XCC_REAL_2(name)                                                       \
  float name(float, float) __asm__(#name "f");                                 \
  double name(double, double) __asm__(#name);

namespace real {
XCC_REAL_2(atan2)
XCC_REAL_2(hypot)
XCC_REAL_1(asinh)
XCC_REAL_1(cos)
XCC_REAL_1(cosh)
XCC_REAL_1(exp)
XCC_REAL_1(log)
XCC_REAL_1(log1p)
XCC_REAL_1(sin)
XCC_REAL_1(sinh)
XCC_REAL_1(tan)
} // namespace real

namespace {
using namespace real;

template <class T> struct Complex {
  T re, im;
};

template <class T> bool isNan(T x) { return x != x; }
template <class T> bool isInf(T x) {
  return x == T(__builtin_inf()) || x == -T(__builtin_inf());
}
template <class T> bool isFinite(T x) { return x - x == 0; }
template <class T> T sqrt(T x) { return __builtin_elementwise_sqrt(x); }
template <class T> T magnitude(T x) { return __builtin_elementwise_abs(x); }
template <class T> T sign(T size, T of) {
  return __builtin_elementwise_copysign(size, of);
}
template <class T> T larger(T x, T y) {
  return __builtin_elementwise_maxnum(magnitude(x), magnitude(y));
}

/// +-1 for an infinity, else +-0.
template <class T> T box(T x) { return sign(isInf(x) ? T(1) : T(0), x); }
template <class T> T withoutNan(T x) { return isNan(x) ? sign(T(0), x) : x; }

template <class T> Complex<T> multiply(T a, T b, T c, T d) {
  T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  Complex<T> r{ac - bd, ad + bc};
  if (!isNan(r.re) || !isNan(r.im))
    return r;
  bool again = false;
  if (isInf(a) || isInf(b)) {
    a = box(a), b = box(b), c = withoutNan(c), d = withoutNan(d);
    again = true;
  }
  if (isInf(c) || isInf(d)) {
    c = box(c), d = box(d), a = withoutNan(a), b = withoutNan(b);
    again = true;
  }
  if (!again && (isInf(ac) || isInf(bd) || isInf(ad) || isInf(bc))) {
    a = withoutNan(a), b = withoutNan(b);
    c = withoutNan(c), d = withoutNan(d);
    again = true;
  }
  const T infinity = T(__builtin_inf());
  if (again)
    r = {infinity * (a * c - b * d), infinity * (a * d + b * c)};
  return r;
}

/// A power of two near the larger of |x| and |y|; 1 if there is none.
template <class T> T scaleOf(T x, T y);
template <> float scaleOf(float x, float y) {
  unsigned b = __builtin_bit_cast(unsigned, larger(x, y)) & 0x7f800000u;
  // Exclude both ends, because their reciprocals are not normal.
  return b == 0 || b >= 0x7f000000u ? 1 : __builtin_bit_cast(float, b);
}
template <> double scaleOf(double x, double y) {
  unsigned long b =
      __builtin_bit_cast(unsigned long, larger(x, y)) & 0x7ff0000000000000ul;
  return b == 0 || b >= 0x7fe0000000000000ul ? 1
                                             : __builtin_bit_cast(double, b);
}

template <class T> Complex<T> divide(T a, T b, T c, T d) {
  // Scale the divisor near 1, so that its square neither overflows nor
  // vanishes.
  T scale = 1 / scaleOf(c, d);
  T sc = c * scale, sd = d * scale, size = sc * sc + sd * sd;
  Complex<T> r{(a * sc + b * sd) / size * scale,
               (b * sc - a * sd) / size * scale};
  if (!isNan(r.re) || !isNan(r.im))
    return r;
  const T infinity = T(__builtin_inf());
  if (c == 0 && d == 0 && (!isNan(a) || !isNan(b)))
    return {sign(infinity, c) * a, sign(infinity, c) * b};
  if ((isInf(a) || isInf(b)) && isFinite(c) && isFinite(d)) {
    a = box(a), b = box(b);
    return {infinity * (a * c + b * d), infinity * (b * c - a * d)};
  }
  if ((isInf(c) || isInf(d)) && isFinite(a) && isFinite(b)) {
    c = box(c), d = box(d);
    return {0 * (a * c + b * d), 0 * (b * c - a * d)};
  }
  return r;
}

template <class T> Complex<T> exponential(Complex<T> z) {
  T e = exp(z.re);
  if (z.im == 0)
    return {e, z.im};
  if (isInf(z.re) && !isFinite(z.im)) // the angle is unknown
    return {e, z.re < 0 ? T(0) : z.im - z.im};
  return {e * cos(z.im), e * sin(z.im)};
}

template <class T> Complex<T> logarithm(Complex<T> z) {
  T arg = atan2(z.im, z.re), big = larger(z.re, z.im);
  // Near the unit circle log|z| is small, so |z| - 1 has to be exact.
  if (!isNan(arg) && big > T(0.5) && big < T(2)) {
    T small = magnitude(z.re) < magnitude(z.im) ? z.re : z.im;
    return {log1p((big - 1) * (big + 1) + small * small) / 2, arg};
  }
  return {log(hypot(z.re, z.im)), arg};
}

template <class T> Complex<T> root(Complex<T> z) {
  if (z.re == 0 && z.im == 0)
    return {0, z.im};
  if (isInf(z.im))
    return {magnitude(z.im), z.im};
  if (isInf(z.re) || isNan(z.re) || isNan(z.im)) {
    if (z.re > 0 && isInf(z.re))
      return {z.re, isNan(z.im) ? z.im : sign(T(0), z.im)};
    if (isInf(z.re))
      return {isNan(z.im) ? z.im : T(0), sign(-z.re, z.im)};
    return {z.re + z.im, z.re + z.im};
  }
  // Scale by a quarter or by four, so that neither end of the range overflows.
  T scale = larger(z.re, z.im) > 1 ? T(0.25) : T(4),
    back = scale > 1 ? T(0.5) : T(2);
  z = {z.re * scale, z.im * scale};
  T t = sqrt((magnitude(z.re) + hypot(z.re, z.im)) / 2);
  Complex<T> r = z.re >= 0
                     ? Complex<T>{t, z.im / (2 * t)}
                     : Complex<T>{magnitude(z.im) / (2 * t), sign(t, z.im)};
  return {r.re * back, r.im * back};
}

template <class T> Complex<T> hyperbolicSine(Complex<T> z) {
  if (z.im == 0)
    return {sinh(z.re), z.im};
  return {sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im)};
}
template <class T> Complex<T> hyperbolicCosine(Complex<T> z) {
  if (z.im == 0)
    return {cosh(z.re), z.re * z.im};
  return {cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im)};
}
template <class T> Complex<T> hyperbolicTangent(Complex<T> z) {
  // For larger arguments tanh is +-1 in T, and only e^-2x remains in the
  // imaginary part.
  if (magnitude(z.re) > T(22))
    return {sign(T(1), z.re),
            4 * sin(z.im) * cos(z.im) * exp(-2 * magnitude(z.re))};
  T t = tan(z.im), s = sinh(z.re), c = cosh(z.re);
  T beta = 1 + t * t, denominator = 1 + beta * s * s;
  if (isInf(t))
    return {c / s, 1 / t};
  return {beta * c * s / denominator, t / denominator};
}

template <class T> Complex<T> timesI(Complex<T> z) { return {-z.im, z.re}; }
template <class T> Complex<T> timesMinusI(Complex<T> z) {
  return {z.im, -z.re};
}

// The inverse functions follow W. Kahan, "Branch Cuts for Complex Elementary
// Functions" (1987), without the handling of overflow.
template <class T> Complex<T> arcSine(Complex<T> z) {
  Complex<T> a = root(Complex<T>{1 - z.re, -z.im}),
             b = root(Complex<T>{1 + z.re, z.im});
  return {atan2(z.re, a.re * b.re - a.im * b.im),
          asinh(a.re * b.im - a.im * b.re)};
}
template <class T> Complex<T> arcCosine(Complex<T> z) {
  Complex<T> a = root(Complex<T>{1 - z.re, -z.im}),
             b = root(Complex<T>{1 + z.re, z.im});
  return {2 * atan2(a.re, b.re), asinh(b.re * a.im - b.im * a.re)};
}
template <class T> Complex<T> areaTangent(Complex<T> z) {
  // The function is odd. The sum in the logarithm must not cancel.
  T x = magnitude(z.re), y = z.im;
  T below = (1 - x) * (1 - x) + y * y;
  return {sign(log1p(4 * x / below) / 4, z.re),
          atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2};
}
template <class T> Complex<T> areaSine(Complex<T> z) {
  return timesMinusI(arcSine(timesI(z)));
}
template <class T> Complex<T> areaCosine(Complex<T> z) {
  Complex<T> a = root(Complex<T>{z.re - 1, z.im}),
             b = root(Complex<T>{z.re + 1, z.im});
  return {asinh(a.re * b.re + a.im * b.im), 2 * atan2(a.im, b.re)};
}
template <class T> Complex<T> arcTangent(Complex<T> z) {
  return timesMinusI(areaTangent(timesI(z)));
}
/// Infinity for all numbers with an infinite part, as on the Riemann sphere.
template <class T> Complex<T> projection(Complex<T> z) {
  if (isInf(z.re) || isInf(z.im))
    return {T(__builtin_inf()), sign(T(0), z.im)};
  return z;
}
template <class T> Complex<T> power(Complex<T> x, Complex<T> y) {
  if (x.re == 0 && x.im == 0)
    return y.re > 0 ? Complex<T>{0, 0} : Complex<T>{1, 0};
  Complex<T> l = logarithm(x);
  return exponential(multiply(y.re, y.im, l.re, l.im));
}

template <class C, class T> C pack(Complex<T> z) {
  C result;
  __real__ result = z.re;
  __imag__ result = z.im;
  return result;
}

} // namespace

#define XCC_COMPLEX_1(name, function, T, s)                                    \
  _Complex T c##name##s(_Complex T z) {                                        \
    return pack<_Complex T>(function(Complex<T>{__real__ z, __imag__ z}));     \
  }
#define XCC_COMPLEX(T, s)                                                      \
  XCC_COMPLEX_1(acos, arcCosine, T, s)                                         \
  XCC_COMPLEX_1(acosh, areaCosine, T, s)                                       \
  XCC_COMPLEX_1(asin, arcSine, T, s)                                           \
  XCC_COMPLEX_1(asinh, areaSine, T, s)                                         \
  XCC_COMPLEX_1(atan, arcTangent, T, s)                                        \
  XCC_COMPLEX_1(atanh, areaTangent, T, s)                                      \
  XCC_COMPLEX_1(cosh, hyperbolicCosine, T, s)                                  \
  XCC_COMPLEX_1(exp, exponential, T, s)                                        \
  XCC_COMPLEX_1(log, logarithm, T, s)                                          \
  XCC_COMPLEX_1(proj, projection, T, s)                                        \
  XCC_COMPLEX_1(sinh, hyperbolicSine, T, s)                                    \
  XCC_COMPLEX_1(sqrt, root, T, s)                                              \
  XCC_COMPLEX_1(tanh, hyperbolicTangent, T, s)                                 \
  _Complex T ccos##s(_Complex T z) {                                           \
    return pack<_Complex T>(                                                   \
        hyperbolicCosine(timesI(Complex<T>{__real__ z, __imag__ z})));         \
  }                                                                            \
  _Complex T csin##s(_Complex T z) {                                           \
    return pack<_Complex T>(timesMinusI(                                       \
        hyperbolicSine(timesI(Complex<T>{__real__ z, __imag__ z}))));          \
  }                                                                            \
  _Complex T ctan##s(_Complex T z) {                                           \
    return pack<_Complex T>(timesMinusI(                                       \
        hyperbolicTangent(timesI(Complex<T>{__real__ z, __imag__ z}))));       \
  }                                                                            \
  _Complex T cpow##s(_Complex T x, _Complex T y) {                             \
    return pack<_Complex T>(power(Complex<T>{__real__ x, __imag__ x},          \
                                  Complex<T>{__real__ y, __imag__ y}));        \
  }                                                                            \
  T cabs##s(_Complex T z) { return hypot(__real__ z, __imag__ z); }            \
  T carg##s(_Complex T z) { return atan2(__imag__ z, __real__ z); }

extern "C" {
XCC_COMPLEX(float, f)
XCC_COMPLEX(double, )

_Complex float __mulsc3(float a, float b, float c, float d) {
  return pack<_Complex float>(multiply(a, b, c, d));
}
_Complex double __muldc3(double a, double b, double c, double d) {
  return pack<_Complex double>(multiply(a, b, c, d));
}
_Complex float __divsc3(float a, float b, float c, float d) {
  return pack<_Complex float>(divide(a, b, c, d));
}
_Complex double __divdc3(double a, double b, double c, double d) {
  return pack<_Complex double>(divide(a, b, c, d));
}
}
