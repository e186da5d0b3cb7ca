// What GPU instructions do, on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// measure.py turns the intrinsics of NVPTX and AMDGPU in math libraries into
// calls of these. Rounded instructions are exact here. Of approximate ones
// only a bound of the error is known (PTX ISA, AMD's ISA documents, !fpmath):
// the result is off by that bound, up or down as the operand's bits have it, so
// that what is measured is near the worst that a library can come to.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#define SHIM(name) __asm__("shim." name)

namespace {
/// +-1 by the operand's bits; 0 if $SHIMS_BEST asks for the best case.
double coin(double x) {
  static const bool best = std::getenv("SHIMS_BEST") != nullptr;
  if (best)
    return 0;
  std::uint64_t b = std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u;
  return b >> 63 ? 1 : -1;
}
/// `exact` with a relative error of `bound`, rounded to float.
float off(double exact, double bound, double operand) {
  return float(exact * (1 + bound * coin(operand)));
}
float flushed(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}
/// What the conversion instructions do out of range.
int toInt(double x) {
  return x != x               ? 0
         : x >= 2147483647    ? 2147483647
         : x <= -2147483648.0 ? -2147483647 - 1
                              : int(x);
}
double seed(double exact) {
  // The upper word of the result, of which 20 bits are mantissa.
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(exact) &
                               0xffffffff00000000u);
}
/// Rounds x = a * b + c, known exactly as high + low, towards zero or down.
float fmaToward(float a, float b, float c, bool down) {
  // A product of floats is exact in double; two-sum makes the sum exact.
  double p = double(a) * b, s = p + c, t = s - p;
  double low = (p - (s - t)) + (c - t);
  float r = float(s);
  if (!std::isfinite(r) || !std::isfinite(s))
    return r;
  double rest = (s - r) + low;
  bool above = rest < 0; // r is above the exact sum
  bool below = rest > 0;
  if (down)
    return above ? std::nextafter(r, -INFINITY) : r;
  return (r > 0 && above) || (r < 0 && below) ? std::nextafter(r, 0.0f) : r;
}
} // namespace

extern "C" {
float addf(float a, float b) SHIM("nvvm.add.rn.f");
float addf(float a, float b) { return a + b; }
double addd(double a, double b) SHIM("nvvm.add.rn.d");
double addd(double a, double b) { return a + b; }
float mulf(float a, float b) SHIM("nvvm.mul.rn.f");
float mulf(float a, float b) { return a * b; }
double muld(double a, double b) SHIM("nvvm.mul.rn.d");
double muld(double a, double b) { return a * b; }
float addrz(float a, float b) SHIM("nvvm.add.rz.f");
float addrz(float a, float b) { return fmaToward(a, 1, b, false); }
float fmaf_(float a, float b, float c) SHIM("nvvm.fma.rn.f");
float fmaf_(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
double fmad(double a, double b, double c) SHIM("nvvm.fma.rn.d");
double fmad(double a, double b, double c) { return __builtin_fma(a, b, c); }
float fmarz(float a, float b, float c) SHIM("nvvm.fma.rz.f");
float fmarz(float a, float b, float c) { return fmaToward(a, b, c, false); }
float fmarm(float a, float b, float c) SHIM("nvvm.fma.rm.f");
float fmarm(float a, float b, float c) { return fmaToward(a, b, c, true); }
float divrn(float a, float b) SHIM("nvvm.div.rn.f");
float divrn(float a, float b) { return a / b; }
float sqrtf_(float a) SHIM("nvvm.sqrt.rn.f");
float sqrtf_(float a) { return __builtin_sqrtf(a); }
double sqrtd(double a) SHIM("nvvm.sqrt.rn.d");
double sqrtd(double a) { return __builtin_sqrt(a); }
float absf_(float a) SHIM("nvvm.fabs.f32");
float absf_(float a) { return __builtin_fabsf(a); }
double absd(double a) SHIM("nvvm.fabs.f64");
double absd(double a) { return __builtin_fabs(a); }
float floorf_(float a) SHIM("nvvm.floor.f");
float floorf_(float a) { return __builtin_floorf(a); }
double floord(double a) SHIM("nvvm.floor.d");
double floord(double a) { return __builtin_floor(a); }
float truncf_(float a) SHIM("nvvm.trunc.f");
float truncf_(float a) { return __builtin_truncf(a); }
double truncd(double a) SHIM("nvvm.trunc.d");
double truncd(double a) { return __builtin_trunc(a); }
// LLVM makes cvt.rni of it.
float roundf_(float a) SHIM("nvvm.round.f");
float roundf_(float a) { return __builtin_rintf(a); }
double roundd(double a) SHIM("nvvm.round.d");
double roundd(double a) { return __builtin_rint(a); }
double mind(double a, double b) SHIM("nvvm.fmin.d");
double mind(double a, double b) { return __builtin_fmin(a, b); }
float saturate(float a) SHIM("nvvm.saturate.f");
float saturate(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }
int d2irn(double a) SHIM("nvvm.d2i.rn");
int d2irn(double a) { return toInt(__builtin_rint(a)); }
int f2irn(float a) SHIM("nvvm.f2i.rn");
int f2irn(float a) { return toInt(__builtin_rintf(a)); }
int f2irz(float a) SHIM("nvvm.f2i.rz");
int f2irz(float a) { return toInt(__builtin_truncf(a)); }
int d2ihi(double a) SHIM("nvvm.d2i.hi");
int d2ihi(double a) { return int(std::bit_cast<std::uint64_t>(a) >> 32); }
int d2ilo(double a) SHIM("nvvm.d2i.lo");
int d2ilo(double a) { return int(std::bit_cast<std::uint64_t>(a)); }
double lohi(int lo, int hi) SHIM("nvvm.lohi.i2d");
double lohi(int lo, int hi) {
  return std::bit_cast<double>(std::uint64_t(std::uint32_t(hi)) << 32 |
                               std::uint32_t(lo));
}

// Approximate instructions of PTX, with the bounds of the PTX ISA.
float ex2(float a) SHIM("nvvm.ex2.approx.f32");
float ex2(float a) {
  // Powers of two are exact; libdevice counts on that.
  return off(std::exp2(double(a)), a == std::rint(a) ? 0 : 0x1p-22, a);
}
float ex2ftz(float a) SHIM("nvvm.ex2.approx.ftz.f32");
float ex2ftz(float a) { return flushed(ex2(flushed(a))); }
float lg2(float a) SHIM("nvvm.lg2.approx.f");
float lg2(float a) {
  double exact = std::log2(double(a));
  // Absolute near 1, where the result is small.
  return a > 0.5f && a < 2 ? float(exact + 0x1p-22 * coin(a))
                           : off(exact, 0x1p-22, a);
}
float lg2ftz(float a) SHIM("nvvm.lg2.approx.ftz.f");
float lg2ftz(float a) { return lg2(flushed(a)); }
float rsqrt(float a) SHIM("nvvm.rsqrt.approx.f");
float rsqrt(float a) { return off(1 / std::sqrt(double(a)), 1.28e-7, a); }
float rsqrtftz(float a) SHIM("nvvm.rsqrt.approx.ftz.f");
float rsqrtftz(float a) { return rsqrt(flushed(a)); }
float sqrtapprox(float a) SHIM("nvvm.sqrt.approx.f");
float sqrtapprox(float a) { return off(std::sqrt(double(a)), 0x1p-23, a); }
float divapprox(float a, float b) SHIM("nvvm.div.approx.f");
float divapprox(float a, float b) {
  // 2 units of the last place for 2^-126 <= |b| <= 2^126, 0 beyond.
  if (std::fabs(b) > 0x1p126f && std::isfinite(b))
    return std::isinf(a) ? NAN : std::copysign(0.0f, a) * b;
  return off(double(a) / b, 0x1p-23, double(a) + b);
}
float divftz(float a, float b) SHIM("nvvm.div.approx.ftz.f");
float divftz(float a, float b) {
  return flushed(divapprox(flushed(a), flushed(b)));
}
double rcp64(double a) SHIM("nvvm.rcp.approx.ftz.d");
double rcp64(double a) { return seed(1 / a); }
// In software, to a unit of the last place; .ftz.f64 is the seed of that.
double rsqrt64(double a) SHIM("nvvm.rsqrt.approx.d");
double rsqrt64(double a) { return 1 / std::sqrt(a) * (1 + 0x1p-53 * coin(a)); }
double rsqrtSeed(double a) SHIM("asm.rsqrt.f64");
double rsqrtSeed(double a) { return seed(1 / std::sqrt(a)); }

// Inline assembly of libdevice.
float rcp(float a) SHIM("asm.rcp.f32");
float rcp(float a) { return flushed(off(1 / double(flushed(a)), 0x1p-23, a)); }
float subrn(float a, float b) SHIM("asm.sub.f32");
float subrn(float a, float b) { return a - b; }
double selectEqual(double a, double b, double x, double y) SHIM("asm.select");
double selectEqual(double a, double b, double x, double y) {
  return a == b || a != a || b != b ? x : y;
}
struct Words {
  std::uint64_t low, high;
};
using Wide = unsigned __int128;
Wide join(std::uint64_t low, std::uint64_t high) {
  return Wide(high) << 64 | low;
}
Words split(Wide x) { return {std::uint64_t(x), std::uint64_t(x >> 64)}; }
using U = std::uint64_t;
Words add128(U a, U ah, U b, U bh) SHIM("asm.add128");
Words add128(U a, U ah, U b, U bh) { return split(join(a, ah) + join(b, bh)); }
Words sub128(U a, U ah, U b, U bh) SHIM("asm.sub128");
Words sub128(U a, U ah, U b, U bh) { return split(join(a, ah) - join(b, bh)); }
Words mul128(U a, U b) SHIM("asm.mul128");
Words mul128(U a, U b) { return split(Wide(a) * b); }
Words mad128(U a, U b, U c) SHIM("asm.mad128");
Words mad128(U a, U b, U c) { return split(Wide(a) * b + c); }

// AMD: v_rsq_f64 has 2^29 units of error; divisions and square roots that
// OpenCL lets be inexact.
double rsq64(double a) SHIM("amdgcn.rsq.f64");
double rsq64(double a) { return (1 / std::sqrt(a)) * (1 + 0x1p-24 * coin(a)); }
double amdRcp64(double a) SHIM("amdgcn.rcp.f64");
double amdRcp64(double a) { return (1 / a) * (1 + 0x1p-24 * coin(a)); }
// One unit.
float amdRcp(float a) SHIM("amdgcn.rcp.f32");
float amdRcp(float a) { return off(1 / double(a), 0x1p-24, a); }
float amdRsq(float a) SHIM("amdgcn.rsq.f32");
float amdRsq(float a) { return off(1 / std::sqrt(double(a)), 0x1p-24, a); }
float amdSqrt(float a) SHIM("amdgcn.sqrt.f32");
float amdSqrt(float a) { return off(std::sqrt(double(a)), 0x1p-24, a); }
float ldexpf_(float a, int n) SHIM("ldexp.f32.i32");
float ldexpf_(float a, int n) { return std::ldexp(a, n); }
double ldexpd(double a, int n) SHIM("ldexp.f64.i32");
double ldexpd(double a, int n) { return std::ldexp(a, n); }
float fdivFast(float a, float b) SHIM("fdiv.fpmath");
float fdivFast(float a, float b) {
  // Up to 2.5 units of the last place.
  return off(double(a) / b, 0x1p-23, double(a) + b);
}
float sqrtFast(float a) SHIM("sqrt.fpmath");
float sqrtFast(float a) { return off(std::sqrt(double(a)), 0x1p-24, a); }
}

/// What the C library's part for GPUs ends in; no function of <cmath> does.
extern "C" [[noreturn]] void __xcc_trap(unsigned, const char *, const char *,
                                        unsigned) noexcept {
  std::abort();
}
