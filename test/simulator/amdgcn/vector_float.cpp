// The vector unit's floating point
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximations (rcp, rsq, sqrt, exp, log, sin, cos) are computed in double
// and rounded, which is as good as or better than what the hardware promises;
// those of float know no denormals, as there.

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;

namespace {

float f(Half H) { return floatFromHalf(H.Bits); }
Half h(double D) { return Half{halfFromDouble(D)}; }

/// "v_op dst, src0, src1", where the destination is a source too.
template <class T, auto F> Semantics accumulate() {
  Semantics S{[](Wave &W, const Instruction &I) {
                alignas(64) T A[64], B[64], C[64], Out[64];
                FloatMode Mode(W, std::is_same_v<T, float>);
                const T *X = source(W, I, 1, A), *Y = source(W, I, 2, B);
                // The addend has no modifiers, and is not permuted.
                Instruction Plain;
                Plain.Op[0] = I.Op[0];
                const T *Z = source(W, Plain, 0, C);
                for (unsigned L = 0; L != W.Lanes; ++L)
                  Out[L] = F(X[L], Y[L], Z[L]);
                result(W, I, 0, Out);
              },
              {typeOf<T>(), typeOf<T>(), typeOf<T>()},
              ModDpp | ModClamp | ModOmod | ModSdwa | ModOpSel,
              1};
  return S;
}

/// "v_div_scale dst, carry-out, src0, src1, src2".
template <class T> Semantics divScaleOf() {
  return {[](Wave &W, const Instruction &I) {
            alignas(64) T A[64], B[64], C[64], Out[64];
            const T *X = source(W, I, 2, A), *Y = source(W, I, 3, B),
                    *Z = source(W, I, 4, C);
            u64 Mask = 0;
            for (u64 M = W.exec(); M; M &= M - 1) {
              auto L = unsigned(__builtin_ctzll(M));
              bool Scaled;
              Out[L] = divScale(X[L], Y[L], Z[L], Scaled);
              Mask |= u64(Scaled) << L;
            }
            result(W, I, 0, Out);
            setMaskValue(W, I.Op[1], Mask);
          },
          {typeOf<T>(), Type::Any, typeOf<T>(), typeOf<T>(), typeOf<T>()},
          0,
          2};
}

/// "v_div_fmas dst, src0, src1, src2", with VCC.
template <class T> Semantics divFmasOf() {
  return {[](Wave &W, const Instruction &I) {
            alignas(64) T A[64], B[64], C[64], Out[64];
            const T *X = source(W, I, 1, A), *Y = source(W, I, 2, B),
                    *Z = source(W, I, 3, C);
            u64 Scaled = W.vcc();
            for (u64 M = W.exec(); M; M &= M - 1) {
              auto L = unsigned(__builtin_ctzll(M));
              Out[L] = divFmas(X[L], Y[L], Z[L], Scaled >> L & 1);
            }
            result(W, I, 0, Out);
          },
          {typeOf<T>(), typeOf<T>(), typeOf<T>(), typeOf<T>()},
          ModClamp | ModOmod,
          1};
}

/// v_sin and v_cos take turns, not radians.
double turns(double A) { return (A - std::floor(A)) * 6.283185307179586477; }

float fract(float A) {
  return std::isinf(A) ? asFloat(0x7fc00000)
                       : std::fmin(A - std::floor(A), 0x1.fffffep-1f);
}
double fract(double A) {
  return std::isinf(A) ? asDouble(0x7ff8000000000000)
                       : std::fmin(A - std::floor(A), 0x1.fffffffffffffp-1);
}

template <class T> T mantissa(T A) {
  if (!std::isfinite(A))
    return A;
  int E;
  return std::frexp(A, &E);
}
template <class T> i32 exponent(T A) {
  if (!std::isfinite(A) || A == 0)
    return 0;
  int E;
  std::frexp(A, &E);
  return E;
}

template <class T> T median(T A, T B, T C) {
  if (std::isnan(A) || std::isnan(B) || std::isnan(C))
    return minNum(minNum(A, B), C);
  return maxNum(minNum(A, B), minNum(maxNum(A, B), C));
}

template <class T> T loadExponent(T A, i32 B) {
  return std::ldexp(A, std::clamp(B, -4000, 4000));
}

} // namespace

static void addSingle(Table &T) {
  T.add("v_add_f32", vector<[](float A, float B) { return arith(A + B); }>());
  T.add("v_sub_f32", vector<[](float A, float B) { return arith(A - B); }>());
  T.add("v_subrev_f32",
        vector<[](float A, float B) { return arith(B - A); }>());
  T.add("v_mul_f32", vector<[](float A, float B) { return arith(A * B); }>());
  T.add("v_mul_legacy_f32 v_mul_dx9_zero_f32", vector<[](float A, float B) {
          return A == 0 || B == 0 ? 0.0f : arith(A * B);
        }>());
  T.add("v_fma_f32", vector<[](float A, float B, float C) {
          return arith(std::fma(A, B, C));
        }>());
  T.add("v_fmac_f32", accumulate<float, [](float A, float B, float C) {
          return arith(std::fma(A, B, C));
        }>());
  // Two roundings, and no denormals whatever the mode.
  auto Mad = [](float A, float B, float C) {
    return arith(flushed(flushed(flushed(A) * flushed(B)) + flushed(C)));
  };
  T.add("v_mac_f32", accumulate<float, Mad>());
  T.add("v_mad_f32", vector<Mad>());
  T.add("v_madak_f32", vector<Mad>());
  T.add("v_madmk_f32", vector<[](float A, float K, float B) {
          return arith(flushed(flushed(flushed(A) * flushed(K)) + flushed(B)));
        }>());
  T.add("v_fmaak_f32", vector<[](float A, float B, float K) {
          return arith(std::fma(A, B, K));
        }>());
  T.add("v_fmamk_f32", vector<[](float A, float K, float B) {
          return arith(std::fma(A, K, B));
        }>());
  T.add("v_min_f32 v_min_num_f32",
        vector<[](float A, float B) { return minNum(A, B); }>());
  T.add("v_max_f32 v_max_num_f32",
        vector<[](float A, float B) { return maxNum(A, B); }>());
  T.add("v_min3_f32 v_min3_num_f32", vector<[](float A, float B, float C) {
          return minNum(minNum(A, B), C);
        }>());
  T.add("v_max3_f32 v_max3_num_f32", vector<[](float A, float B, float C) {
          return maxNum(maxNum(A, B), C);
        }>());
  T.add("v_med3_f32 v_med3_num_f32",
        vector<[](float A, float B, float C) { return median(A, B, C); }>());
  T.add("v_maxmin_f32 v_maxmin_num_f32", vector<[](float A, float B, float C) {
          return minNum(maxNum(A, B), C);
        }>());
  T.add("v_minmax_f32 v_minmax_num_f32", vector<[](float A, float B, float C) {
          return maxNum(minNum(A, B), C);
        }>());
  T.add("v_floor_f32", vector<[](float A) { return std::floor(A); }>());
  T.add("v_ceil_f32", vector<[](float A) { return std::ceil(A); }>());
  T.add("v_trunc_f32", vector<[](float A) { return std::trunc(A); }>());
  T.add("v_rndne_f32",
        vector<[](float A) { return __builtin_roundevenf(A); }>());
  T.add("v_fract_f32", vector<[](float A) { return fract(A); }>());
  T.add("v_ldexp_f32",
        vectorSlow<[](float A, i32 B) { return loadExponent(A, B); }>());
  T.add("v_frexp_mant_f32", vectorSlow<[](float A) { return mantissa(A); }>());
  T.add("v_frexp_exp_i32_f32",
        vectorSlow<[](float A) { return exponent(A); }>());
  T.add("v_rcp_f32 v_rcp_iflag_f32",
        vector<[](float A) { return arith(flushed(1 / flushed(A))); }>());
  T.add("v_rsq_f32", vector<[](float A) {
          return arith(float(1 / std::sqrt(double(flushed(A)))));
        }>());
  T.add("v_sqrt_f32",
        vector<[](float A) { return arith(std::sqrt(flushed(A))); }>());
  T.add("v_exp_f32", vectorSlow<[](float A) {
          return flushed(float(std::exp2(double(flushed(A)))));
        }>());
  T.add("v_log_f32", vectorSlow<[](float A) {
          return arith(float(std::log2(double(flushed(A)))));
        }>());
  T.add("v_sin_f32", vectorSlow<[](float A) {
          return std::isinf(A) ? asFloat(0x7fc00000)
                               : float(std::sin(turns(double(A))));
        }>());
  T.add("v_cos_f32", vectorSlow<[](float A) {
          return std::isinf(A) ? asFloat(0x7fc00000)
                               : float(std::cos(turns(double(A))));
        }>());
  T.add("v_div_scale_f32", divScaleOf<float>());
  T.add("v_div_fmas_f32", divFmasOf<float>());
  T.add("v_div_fixup_f32", vectorSlow<[](float A, float B, float C) {
          return divFixup(A, B, C);
        }>());
}

static void addDouble(Table &T) {
  T.add("v_add_f64", vector<[](double A, double B) { return arith(A + B); }>());
  T.add("v_mul_f64", vector<[](double A, double B) { return arith(A * B); }>());
  T.add("v_fma_f64", vector<[](double A, double B, double C) {
          return arith(std::fma(A, B, C));
        }>());
  T.add("v_fmac_f64", accumulate<double, [](double A, double B, double C) {
          return arith(std::fma(A, B, C));
        }>());
  T.add("v_min_f64 v_min_num_f64",
        vector<[](double A, double B) { return minNum(A, B); }>());
  T.add("v_max_f64 v_max_num_f64",
        vector<[](double A, double B) { return maxNum(A, B); }>());
  T.add("v_floor_f64", vector<[](double A) { return std::floor(A); }>());
  T.add("v_ceil_f64", vector<[](double A) { return std::ceil(A); }>());
  T.add("v_trunc_f64", vector<[](double A) { return std::trunc(A); }>());
  T.add("v_rndne_f64",
        vector<[](double A) { return __builtin_roundeven(A); }>());
  T.add("v_fract_f64", vector<[](double A) { return fract(A); }>());
  T.add("v_ldexp_f64",
        vectorSlow<[](double A, i32 B) { return loadExponent(A, B); }>());
  T.add("v_frexp_mant_f64", vectorSlow<[](double A) { return mantissa(A); }>());
  T.add("v_frexp_exp_i32_f64",
        vectorSlow<[](double A) { return exponent(A); }>());
  T.add("v_rcp_f64", vector<[](double A) { return arith(1 / A); }>());
  T.add("v_rsq_f64",
        vector<[](double A) { return arith(1 / std::sqrt(A)); }>());
  T.add("v_sqrt_f64", vector<[](double A) { return arith(std::sqrt(A)); }>());
  T.add("v_div_scale_f64", divScaleOf<double>());
  T.add("v_div_fmas_f64", divFmasOf<double>());
  T.add("v_div_fixup_f64", vectorSlow<[](double A, double B, double C) {
          return divFixup(A, B, C);
        }>());
}

static void addHalf(Table &T) {
  T.add("v_add_f16",
        vectorSlow<[](Half A, Half B) { return h(arith(f(A) + f(B))); }>());
  T.add("v_sub_f16",
        vectorSlow<[](Half A, Half B) { return h(arith(f(A) - f(B))); }>());
  T.add("v_subrev_f16",
        vectorSlow<[](Half A, Half B) { return h(arith(f(B) - f(A))); }>());
  T.add("v_mul_f16",
        vectorSlow<[](Half A, Half B) { return h(arith(f(A) * f(B))); }>());
  T.add("v_fma_f16", vectorSlow<[](Half A, Half B, Half C) {
          return Half{halfFma(f(A), f(B), f(C))};
        }>());
  T.add("v_fmac_f16", accumulate<Half, [](Half A, Half B, Half C) {
          return Half{halfFma(f(A), f(B), f(C))};
        }>());
  auto Mad = [](Half A, Half B, Half C) {
    return h(arith(f(h(arith(f(A) * f(B)))) + f(C)));
  };
  T.add("v_mac_f16", accumulate<Half, Mad>());
  T.add("v_mad_f16 v_mad_legacy_f16", vectorSlow<Mad>());
  T.add("v_min_f16 v_min_num_f16",
        vectorSlow<[](Half A, Half B) { return h(minNum(f(A), f(B))); }>());
  T.add("v_max_f16 v_max_num_f16",
        vectorSlow<[](Half A, Half B) { return h(maxNum(f(A), f(B))); }>());
  T.add("v_floor_f16",
        vectorSlow<[](Half A) { return h(std::floor(f(A))); }>());
  T.add("v_ceil_f16", vectorSlow<[](Half A) { return h(std::ceil(f(A))); }>());
  T.add("v_trunc_f16",
        vectorSlow<[](Half A) { return h(std::trunc(f(A))); }>());
  T.add("v_rndne_f16",
        vectorSlow<[](Half A) { return h(__builtin_roundevenf(f(A))); }>());
  T.add("v_fract_f16", vectorSlow<[](Half A) { return h(fract(f(A))); }>());
  T.add("v_rcp_f16", vectorSlow<[](Half A) { return h(arith(1 / f(A))); }>());
  T.add("v_rsq_f16", vectorSlow<[](Half A) {
          return h(arith(1 / std::sqrt(double(f(A)))));
        }>());
  T.add("v_sqrt_f16",
        vectorSlow<[](Half A) { return h(arith(std::sqrt(double(f(A))))); }>());
  T.add("v_exp_f16",
        vectorSlow<[](Half A) { return h(std::exp2(double(f(A)))); }>());
  T.add("v_log_f16",
        vectorSlow<[](Half A) { return h(arith(std::log2(double(f(A))))); }>());
  T.add("v_ldexp_f16", vectorSlow<[](Half A, int16_t B) {
          return h(std::ldexp(double(f(A)), B));
        }>());
  T.add("v_frexp_mant_f16",
        vectorSlow<[](Half A) { return h(mantissa(f(A))); }>());
  T.add("v_frexp_exp_i16_f16",
        vectorSlow<[](Half A) { return int16_t(exponent(f(A))); }>());
  T.add("v_div_fixup_f16", vectorSlow<[](Half Q, Half D, Half N) {
          // Half's quotients neither overflow nor underflow in float.
          if (std::isfinite(f(D)) && std::isfinite(f(N)) && f(D) != 0 &&
              f(N) != 0 && !std::isnan(f(Q)))
            return Half{u16((Q.Bits & 0x7fff) | ((D.Bits ^ N.Bits) & 0x8000))};
          return h(divFixup(f(Q), f(D), f(N)));
        }>());
}

void addVectorFloat(Table &T) {
  addSingle(T);
  addDouble(T);
  addHalf(T);
}

} // namespace amdgcn
