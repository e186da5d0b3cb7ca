// Conversions of the vector unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "handlers.h"
#include "semantics.h"

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using i16 = int16_t;
using i32 = int32_t;

static float f(Half h) { return floatFromHalf(h.bits); }
static Half h(double d) { return Half{halfFromDouble(d)}; }

/// Rounded towards zero, as packing conversions do.
static u16 halfTowardsZero(float f) {
  if (std::isnan(f))
    return halfFromDouble(f);
  u16 h = halfFromDouble(f);
  if (std::fabs(floatFromHalf(h)) > std::fabs(f) && std::isfinite(f))
    --h;
  return h;
}

static u32 unorm(float f, u32 max) {
  if (!(f > 0))
    return 0;
  return f >= 1 ? max : u32(std::nearbyint(f * float(max)));
}

static float snorm(float f) {
  return std::isnan(f) ? 0 : std::nearbyint(std::clamp(f, -1.0f, 1.0f) * 32767);
}

static u32 shorts(i32 a, i32 b) {
  return u32(u16(std::clamp(a, -32768, 32767))) |
         u32(u16(std::clamp(b, -32768, 32767))) << 16;
}

static u32 bytes(i32 a, i32 b, i32 least, i32 most) {
  return (u32(std::clamp(a, least, most)) & 0xff) |
         (u32(std::clamp(b, least, most)) & 0xff) << 8;
}

/// To parts of 1.
static void addNormal(Table &t) {
  t.add("v_cvt_pknorm_u16_f32 v_cvt_pk_norm_u16_f32",
        vectorSlow<[](float a, float b) {
          return unorm(a, 65535) | unorm(b, 65535) << 16;
        }>());
  t.add("v_cvt_pknorm_i16_f32 v_cvt_pk_norm_i16_f32",
        vectorSlow<[](float a, float b) {
          return shorts(i32(snorm(a)), i32(snorm(b)));
        }>());
  t.add("v_cvt_pknorm_u16_f16 v_cvt_pk_norm_u16_f16",
        vectorSlow<[](Half a, Half b) {
          return unorm(f(a), 65535) | unorm(f(b), 65535) << 16;
        }>());
  t.add("v_cvt_pknorm_i16_f16 v_cvt_pk_norm_i16_f16",
        vectorSlow<[](Half a, Half b) {
          return shorts(i32(snorm(f(a))), i32(snorm(f(b))));
        }>());
  t.add("v_cvt_norm_u16_f16",
        vectorSlow<[](Half a) { return u16(unorm(f(a), 65535)); }>());
  t.add("v_cvt_norm_i16_f16",
        vectorSlow<[](Half a) { return i16(snorm(f(a))); }>());
}

/// Two bytes, as near as they get.
static void addBytes(Table &t) {
  t.add("v_sat_pk_u8_i16", vectorSlow<[](u32 a) {
          return u16(bytes(i16(a), i16(a >> 16), 0, 255));
        }>());
  t.add("v_ashr_pk_u8_i32", vectorSlow<[](i32 a, i32 b, u32 by) {
          return u16(bytes(a >> (by & 31), b >> (by & 31), 0, 255));
        }>());
  t.add("v_ashr_pk_i8_i32", vectorSlow<[](i32 a, i32 b, u32 by) {
          return u16(bytes(a >> (by & 31), b >> (by & 31), -128, 127));
        }>());
}

void addVectorConvert(Table &t) {
  addNormal(t);
  addBytes(t);
  t.add("v_cvt_f32_i32", vector<[](i32 a) { return float(a); }>());
  t.add("v_cvt_f32_u32", vector<[](u32 a) { return float(a); }>());
  t.add("v_cvt_i32_f32", vectorSlow<[](float a) { return toInt32(a); }>());
  t.add("v_cvt_u32_f32", vectorSlow<[](float a) { return toUint32(a); }>());
  t.add("v_cvt_f64_i32", vector<[](i32 a) { return double(a); }>());
  t.add("v_cvt_f64_u32", vector<[](u32 a) { return double(a); }>());
  t.add("v_cvt_i32_f64", vectorSlow<[](double a) { return toInt32(a); }>());
  t.add("v_cvt_u32_f64", vectorSlow<[](double a) { return toUint32(a); }>());
  t.add("v_cvt_f32_f64", vector<[](double a) { return arith(float(a)); }>());
  t.add("v_cvt_f64_f32", vector<[](float a) { return arith(double(a)); }>());
  t.add("v_cvt_f32_f16", vectorSlow<[](Half a) { return f(a); }>());
  t.add("v_cvt_f16_f32", vectorSlow<[](float a) { return h(a); }>());
  t.add("v_cvt_f16_u16", vectorSlow<[](u16 a) { return h(a); }>());
  t.add("v_cvt_f16_i16", vectorSlow<[](i16 a) { return h(a); }>());
  t.add("v_cvt_u16_f16", vectorSlow<[](Half a) {
          return u16(std::min(toUint32(f(a)), 65535u));
        }>());
  t.add("v_cvt_i16_f16", vectorSlow<[](Half a) {
          return i16(std::clamp(toInt32(f(a)), -32768, 32767));
        }>());
  t.add("v_cvt_f32_ubyte0", vector<[](u32 a) { return float(a & 0xff); }>());
  t.add("v_cvt_f32_ubyte1",
        vector<[](u32 a) { return float(a >> 8 & 0xff); }>());
  t.add("v_cvt_f32_ubyte2",
        vector<[](u32 a) { return float(a >> 16 & 0xff); }>());
  t.add("v_cvt_f32_ubyte3", vector<[](u32 a) { return float(a >> 24); }>());
  t.add("v_cvt_i32_i16", vector<[](i16 a) { return i32(a); }>());
  t.add("v_cvt_u32_u16", vector<[](u16 a) { return u32(a); }>());
  t.add("v_cvt_flr_i32_f32 v_cvt_floor_i32_f32",
        vectorSlow<[](float a) { return toInt32(std::floor(a)); }>());
  t.add("v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32",
        vectorSlow<[](float a) { return toInt32(std::floor(a + 0.5)); }>());
  t.add("v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32",
        vectorSlow<[](float a, float b) {
          return u32(halfTowardsZero(a)) | u32(halfTowardsZero(b)) << 16;
        }>());
  t.add("v_cvt_pk_bf16_f32", vectorSlow<[](float a, float b) {
          auto brain = [](float v) {
            const u32 bits = std::bit_cast<u32>(v);
            // To the nearest, ties to even; a NaN stays one.
            return v != v ? bits >> 16 | 0x40
                          : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
          };
          return brain(a) | brain(b) << 16;
        }>());
  t.add("v_cvt_pk_u16_u32", vector<[](u32 a, u32 b) {
          return std::min(a, 0xffffu) | std::min(b, 0xffffu) << 16;
        }>());
  t.add("v_cvt_pk_i16_i32",
        vector<[](i32 a, i32 b) { return shorts(a, b); }>());
  t.add("v_cvt_pk_u16_f32", vectorSlow<[](float a, float b) {
          return std::min(toUint32(a), 0xffffu) | std::min(toUint32(b), 0xffffu)
                                                      << 16;
        }>());
  t.add("v_cvt_pk_i16_f32", vectorSlow<[](float a, float b) {
          return shorts(toInt32(a), toInt32(b));
        }>());
  t.add("v_cvt_pk_f16_f32", vectorSlow<[](float a, float b) {
          return u32(h(a).bits) | u32(h(b).bits) << 16;
        }>());
  t.add("v_cvt_f32_bf16",
        vectorSlow<[](u16 a) { return asFloat(u32(a) << 16); }>());
  t.add("v_cvt_pk_u8_f32", vectorSlow<[](float a, u32 b, u32 c) {
          u32 byte = std::min(toUint32(a), 255u), shift = 8 * (b & 3);
          return (c & ~(0xffu << shift)) | byte << shift;
        }>());
}

} // namespace amdgcn
