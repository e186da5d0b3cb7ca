// The vector unit's floating point
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximations (rcp, rsq, sqrt, exp, log, sin, cos) are computed in double
// and rounded, which is as good as or better than what the hardware promises;
// those of float know no denormals, as there.

#include "handlers.h"
#include "semantics.h"

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;

namespace {

float f(Half h) { return floatFromHalf(h.bits); }
Half h(double d) { return Half{halfFromDouble(d)}; }

/// Whether that is so of all active lanes.
template <unsigned Lanes, class Predicate>
[[gnu::target("arch=x86-64-v3"), gnu::always_inline]] inline bool
allActive(const Wave &w, Predicate predicate) {
  alignas(32) uint8_t holds[Lanes];
  for (unsigned l = 0; l != Lanes; ++l)
    holds[l] = predicate(l);
  return !(w.exec() & ~bitsOfBytes<Lanes>(holds));
}

/// "v_div_scale dst, carry-out, src0, src1, src2".
template <class T> struct DivScale {
  static void run(Wave &w, const Instruction &i) {
    alignas(64) T a[64], b[64], c[64], out[64];
    const T *x = source(w, i, 2, a), *y = source(w, i, 3, b),
            *z = source(w, i, 4, c);
    u64 mask = 0;
    for (u64 m = w.exec(); m; m &= m - 1) {
      auto l = unsigned(__builtin_ctzll(m));
      bool scaled;
      out[l] = divScale(x[l], y[l], z[l], scaled);
      mask |= u64(scaled) << l;
    }
    result(w, i, 0, out);
    setMaskValue(w, i.op[1], mask);
  }
  template <unsigned Lanes>
  XCC_SIMULATOR_WIDE static void lanes(Wave &w, const Instruction &i) {
    Room<Lanes> a, b, c;
    const PlainSource<T, Lanes> value(w, i.op[2], a), den(w, i.op[3], b),
        num(w, i.op[4], c);
    if (!allActive<Lanes>(w, [&](unsigned l) __attribute__((always_inline)) {
          return isUsualQuotient(den[l], num[l]);
        }))
      return run(w, i);
    plainResult<T, Lanes>(w, i, [&](unsigned l) __attribute__((always_inline)) {
      return value[l];
    });
    setMaskValue(w, i.op[1], 0);
  }
  static Semantics semantics() {
    return {run,
            {typeOf<T>(), Type::Any, typeOf<T>(), typeOf<T>(), typeOf<T>()},
            0,
            2,
            forLanes<lanes<32>, lanes<64>>};
  }
};

/// "v_div_fmas dst, src0, src1, src2", with VCC.
template <class T> struct DivFmas {
  static void run(Wave &w, const Instruction &i) {
    alignas(64) T a[64], b[64], c[64], out[64];
    const T *x = source(w, i, 1, a), *y = source(w, i, 2, b),
            *z = source(w, i, 3, c);
    u64 scaled = w.vcc();
    for (u64 m = w.exec(); m; m &= m - 1) {
      auto l = unsigned(__builtin_ctzll(m));
      out[l] = divFmas(x[l], y[l], z[l], scaled >> l & 1);
    }
    result(w, i, 0, out);
  }
  static constexpr auto unscaled = [](T a, T b, T c) {
    return arith(std::fma(a, b, c));
  };
  static Semantics semantics() {
    return {run,
            {typeOf<T>(), typeOf<T>(), typeOf<T>(), typeOf<T>()},
            ModClamp | ModOmod,
            1,
            [](Wave &w, const Instruction &i) {
              if (w.vcc() & w.exec())
                run(w, i);
              else
                Plain<unscaled, run, T, T, T, T>::template run<1, 2, 3>(w, i);
            }};
  }
};

/// "v_div_fixup dst, src0, src1, src2".
template <class T> struct DivFixup {
  static constexpr auto any = [](T a, T b, T c) { return divFixup(a, b, c); };
  using General = VectorOf<any, true>;
  template <unsigned Lanes>
  XCC_SIMULATOR_WIDE static void lanes(Wave &w, const Instruction &i) {
    Room<Lanes> a, b, c;
    const PlainSource<T, Lanes> quotient(w, i.op[1], a), den(w, i.op[2], b),
        num(w, i.op[3], c);
    if (!allActive<Lanes>(w, [&](unsigned l) __attribute__((always_inline)) {
          return isUsualQuotient(den[l], num[l]) && quotient[l] == quotient[l];
        }))
      return General::run(w, i);
    plainResult<T, Lanes>(w, i, [&](unsigned l) __attribute__((always_inline)) {
      const bool minus = std::signbit(den[l]) != std::signbit(num[l]);
      return std::copysign(quotient[l], minus ? T(-1) : T(1));
    });
  }
  static Semantics semantics() {
    Semantics s = vectorSlow<any>();
    s.plain = forLanes<lanes<32>, lanes<64>>;
    return s;
  }
};

/// v_sin and v_cos take turns, not radians.
double turns(double a) { return (a - std::floor(a)) * 6.283185307179586477; }

float fract(float a) {
  return std::isinf(a) ? asFloat(0x7fc00000)
                       : std::fmin(a - std::floor(a), 0x1.fffffep-1f);
}
double fract(double a) {
  return std::isinf(a) ? asDouble(0x7ff8000000000000)
                       : std::fmin(a - std::floor(a), 0x1.fffffffffffffp-1);
}

template <class T> T mantissa(T a) {
  if (!std::isfinite(a))
    return a;
  int e;
  return std::frexp(a, &e);
}
template <class T> i32 exponent(T a) {
  if (!std::isfinite(a) || a == 0)
    return 0;
  int e;
  std::frexp(a, &e);
  return e;
}

template <class T> T loadExponent(T a, i32 b) {
  return std::ldexp(a, std::clamp(b, -4000, 4000));
}

} // namespace

static void addSingle(Table &t) {
  t.add("v_add_f32", vector<[](float a, float b) { return arith(a + b); }>());
  t.add("v_sub_f32", vector<[](float a, float b) { return arith(a - b); }>());
  t.add("v_subrev_f32",
        vector<[](float a, float b) { return arith(b - a); }>());
  t.add("v_mul_f32", vector<[](float a, float b) { return arith(a * b); }>());
  t.add("v_mul_legacy_f32 v_mul_dx9_zero_f32", vector<[](float a, float b) {
          return a == 0 || b == 0 ? 0.0f : arith(a * b);
        }>());
  t.add("v_fma_f32", vector<[](float a, float b, float c) {
          return arith(std::fma(a, b, c));
        }>());
  t.add("v_fmac_f32", accumulate<float, [](float a, float b, float c) {
          return arith(std::fma(a, b, c));
        }>());
  // Two roundings, and no denormals whatever the mode.
  auto mad = [](float a, float b, float c) {
    return arith(flushed(flushed(flushed(a) * flushed(b)) + flushed(c)));
  };
  t.add("v_mac_f32", accumulate<float, mad>());
  t.add("v_mad_f32", vector<mad>());
  t.add("v_madak_f32", vector<mad>());
  t.add("v_madmk_f32", vector<[](float a, float k, float b) {
          return arith(flushed(flushed(flushed(a) * flushed(k)) + flushed(b)));
        }>());
  t.add("v_fmaak_f32", vector<[](float a, float b, float k) {
          return arith(std::fma(a, b, k));
        }>());
  t.add("v_fmamk_f32", vector<[](float a, float k, float b) {
          return arith(std::fma(a, k, b));
        }>());
  t.add("v_min_f32 v_min_num_f32",
        vector<[](float a, float b) { return minNum(a, b); }>());
  t.add("v_max_f32 v_max_num_f32",
        vector<[](float a, float b) { return maxNum(a, b); }>());
  t.add("v_floor_f32", vector<[](float a) { return std::floor(a); }>());
  t.add("v_ceil_f32", vector<[](float a) { return std::ceil(a); }>());
  t.add("v_trunc_f32", vector<[](float a) { return std::trunc(a); }>());
  t.add("v_rndne_f32",
        vector<[](float a) { return __builtin_roundevenf(a); }>());
  t.add("v_fract_f32", vector<[](float a) { return fract(a); }>());
  t.add("v_ldexp_f32",
        vectorSlow<[](float a, i32 b) { return loadExponent(a, b); }>());
  t.add("v_frexp_mant_f32", vectorSlow<[](float a) { return mantissa(a); }>());
  t.add("v_frexp_exp_i32_f32",
        vectorSlow<[](float a) { return exponent(a); }>());
  t.add("v_rcp_f32 v_rcp_iflag_f32",
        vector<[](float a) { return arith(flushed(1 / flushed(a))); }>());
  t.add("v_rsq_f32", vector<[](float a) {
          return arith(float(1 / std::sqrt(double(flushed(a)))));
        }>());
  t.add("v_sqrt_f32",
        vector<[](float a) { return arith(std::sqrt(flushed(a))); }>());
  t.add("v_exp_f32", vectorSlow<[](float a) {
          return flushed(float(std::exp2(double(flushed(a)))));
        }>());
  t.add("v_log_f32", vectorSlow<[](float a) {
          return arith(float(std::log2(double(flushed(a)))));
        }>());
  t.add("v_sin_f32", vectorSlow<[](float a) {
          return std::isinf(a) ? asFloat(0x7fc00000)
                               : float(std::sin(turns(double(a))));
        }>());
  t.add("v_cos_f32", vectorSlow<[](float a) {
          return std::isinf(a) ? asFloat(0x7fc00000)
                               : float(std::cos(turns(double(a))));
        }>());
  t.add("v_div_scale_f32", DivScale<float>::semantics());
  t.add("v_div_fmas_f32", DivFmas<float>::semantics());
  t.add("v_div_fixup_f32", DivFixup<float>::semantics());
}

static void addDouble(Table &t) {
  t.add("v_add_f64", vector<[](double a, double b) { return arith(a + b); }>());
  t.add("v_mul_f64", vector<[](double a, double b) { return arith(a * b); }>());
  t.add("v_fma_f64", vector<[](double a, double b, double c) {
          return arith(std::fma(a, b, c));
        }>());
  t.add("v_fmac_f64", accumulate<double, [](double a, double b, double c) {
          return arith(std::fma(a, b, c));
        }>());
  t.add("v_min_f64 v_min_num_f64",
        vector<[](double a, double b) { return minNum(a, b); }>());
  t.add("v_max_f64 v_max_num_f64",
        vector<[](double a, double b) { return maxNum(a, b); }>());
  t.add("v_floor_f64", vector<[](double a) { return std::floor(a); }>());
  t.add("v_ceil_f64", vector<[](double a) { return std::ceil(a); }>());
  t.add("v_trunc_f64", vector<[](double a) { return std::trunc(a); }>());
  t.add("v_rndne_f64",
        vector<[](double a) { return __builtin_roundeven(a); }>());
  t.add("v_fract_f64", vector<[](double a) { return fract(a); }>());
  t.add("v_ldexp_f64",
        vectorSlow<[](double a, i32 b) { return loadExponent(a, b); }>());
  t.add("v_frexp_mant_f64", vectorSlow<[](double a) { return mantissa(a); }>());
  t.add("v_frexp_exp_i32_f64",
        vectorSlow<[](double a) { return exponent(a); }>());
  t.add("v_rcp_f64", vector<[](double a) { return arith(1 / a); }>());
  t.add("v_rsq_f64",
        vector<[](double a) { return arith(1 / std::sqrt(a)); }>());
  t.add("v_sqrt_f64", vector<[](double a) { return arith(std::sqrt(a)); }>());
  t.add("v_div_scale_f64", DivScale<double>::semantics());
  t.add("v_div_fmas_f64", DivFmas<double>::semantics());
  t.add("v_div_fixup_f64", DivFixup<double>::semantics());
}

static void addHalf(Table &t) {
  t.add("v_add_f16",
        vectorSlow<[](Half a, Half b) { return h(arith(f(a) + f(b))); }>());
  t.add("v_sub_f16",
        vectorSlow<[](Half a, Half b) { return h(arith(f(a) - f(b))); }>());
  t.add("v_subrev_f16",
        vectorSlow<[](Half a, Half b) { return h(arith(f(b) - f(a))); }>());
  t.add("v_mul_f16",
        vectorSlow<[](Half a, Half b) { return h(arith(f(a) * f(b))); }>());
  t.add(
      "v_pack_b32_f16",
      vector<[](Half a, Half b) { return uint32_t(b.bits) << 16 | a.bits; }>());
  t.add("v_fma_f16", vectorSlow<[](Half a, Half b, Half c) {
          return Half{halfFma(f(a), f(b), f(c))};
        }>());
  t.add("v_fmac_f16", accumulate<Half, [](Half a, Half b, Half c) {
          return Half{halfFma(f(a), f(b), f(c))};
        }>());
  static constexpr auto mad = [](Half a, Half b, Half c) {
    return h(arith(f(h(arith(f(a) * f(b)))) + f(c)));
  };
  t.add("v_fmaak_f16", vectorSlow<[](Half a, Half b, Half k) {
          return Half{halfFma(f(a), f(b), f(k))};
        }>());
  t.add("v_fmamk_f16", vectorSlow<[](Half a, Half k, Half b) {
          return Half{halfFma(f(a), f(k), f(b))};
        }>());
  t.add("v_madak_f16", vectorSlow<mad>());
  t.add("v_madmk_f16",
        vectorSlow<[](Half a, Half k, Half b) { return mad(a, k, b); }>());
  t.add("v_mac_f16", accumulate<Half, mad>());
  t.add("v_mad_f16 v_mad_legacy_f16", vectorSlow<mad>());
  t.add("v_min_f16 v_min_num_f16",
        vectorSlow<[](Half a, Half b) { return h(minNum(f(a), f(b))); }>());
  t.add("v_max_f16 v_max_num_f16",
        vectorSlow<[](Half a, Half b) { return h(maxNum(f(a), f(b))); }>());
  t.add("v_floor_f16",
        vectorSlow<[](Half a) { return h(std::floor(f(a))); }>());
  t.add("v_ceil_f16", vectorSlow<[](Half a) { return h(std::ceil(f(a))); }>());
  t.add("v_trunc_f16",
        vectorSlow<[](Half a) { return h(std::trunc(f(a))); }>());
  t.add("v_rndne_f16",
        vectorSlow<[](Half a) { return h(__builtin_roundevenf(f(a))); }>());
  t.add("v_fract_f16", vectorSlow<[](Half a) { return h(fract(f(a))); }>());
  t.add("v_rcp_f16", vectorSlow<[](Half a) { return h(arith(1 / f(a))); }>());
  t.add("v_rsq_f16", vectorSlow<[](Half a) {
          return h(arith(1 / std::sqrt(double(f(a)))));
        }>());
  t.add("v_sqrt_f16",
        vectorSlow<[](Half a) { return h(arith(std::sqrt(double(f(a))))); }>());
  t.add("v_exp_f16",
        vectorSlow<[](Half a) { return h(std::exp2(double(f(a)))); }>());
  t.add("v_log_f16",
        vectorSlow<[](Half a) { return h(arith(std::log2(double(f(a))))); }>());
  t.add("v_sin_f16", vectorSlow<[](Half a) {
          return std::isinf(f(a)) ? Half{0x7e00}
                                  : h(std::sin(turns(double(f(a)))));
        }>());
  t.add("v_cos_f16", vectorSlow<[](Half a) {
          return std::isinf(f(a)) ? Half{0x7e00}
                                  : h(std::cos(turns(double(f(a)))));
        }>());
  t.add("v_ldexp_f16", vectorSlow<[](Half a, int16_t b) {
          return h(std::ldexp(double(f(a)), b));
        }>());
  t.add("v_frexp_mant_f16",
        vectorSlow<[](Half a) { return h(mantissa(f(a))); }>());
  t.add("v_frexp_exp_i16_f16",
        vectorSlow<[](Half a) { return int16_t(exponent(f(a))); }>());
  t.add("v_div_fixup_f16", vectorSlow<[](Half q, Half d, Half n) {
          // Half's quotients neither overflow nor underflow in float.
          if (std::isfinite(f(d)) && std::isfinite(f(n)) && f(d) != 0 &&
              f(n) != 0 && !std::isnan(f(q)))
            return Half{u16((q.bits & 0x7fff) | ((d.bits ^ n.bits) & 0x8000))};
          return h(divFixup(f(q), f(d), f(n)));
        }>());
}

void addVectorFloat(Table &t) {
  addSingle(t);
  addDouble(t);
  addHalf(t);
}

} // namespace amdgcn
