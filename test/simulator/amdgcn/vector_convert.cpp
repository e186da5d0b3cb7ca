// Conversions of the vector unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

namespace amdgcn {

using u16 = uint16_t;
using u32 = uint32_t;
using i16 = int16_t;
using i32 = int32_t;

static float f(Half H) { return floatFromHalf(H.Bits); }
static Half h(double D) { return Half{halfFromDouble(D)}; }

/// Rounded towards zero, as packing conversions do.
static u16 halfTowardsZero(float F) {
  if (std::isnan(F))
    return halfFromDouble(F);
  u16 H = halfFromDouble(F);
  if (std::fabs(floatFromHalf(H)) > std::fabs(F) && std::isfinite(F))
    --H;
  return H;
}

static u32 unorm(float F, u32 Max) {
  if (!(F > 0))
    return 0;
  return F >= 1 ? Max : u32(std::nearbyint(F * float(Max)));
}

void addVectorConvert(Table &T) {
  T.add("v_cvt_f32_i32", vector<[](i32 A) { return float(A); }>());
  T.add("v_cvt_f32_u32", vector<[](u32 A) { return float(A); }>());
  T.add("v_cvt_i32_f32", vectorSlow<[](float A) { return toInt32(A); }>());
  T.add("v_cvt_u32_f32", vectorSlow<[](float A) { return toUint32(A); }>());
  T.add("v_cvt_f64_i32", vector<[](i32 A) { return double(A); }>());
  T.add("v_cvt_f64_u32", vector<[](u32 A) { return double(A); }>());
  T.add("v_cvt_i32_f64", vectorSlow<[](double A) { return toInt32(A); }>());
  T.add("v_cvt_u32_f64", vectorSlow<[](double A) { return toUint32(A); }>());
  T.add("v_cvt_f32_f64", vector<[](double A) { return arith(float(A)); }>());
  T.add("v_cvt_f64_f32", vector<[](float A) { return arith(double(A)); }>());
  T.add("v_cvt_f32_f16", vectorSlow<[](Half A) { return f(A); }>());
  T.add("v_cvt_f16_f32", vectorSlow<[](float A) { return h(A); }>());
  T.add("v_cvt_f16_u16", vectorSlow<[](u16 A) { return h(A); }>());
  T.add("v_cvt_f16_i16", vectorSlow<[](i16 A) { return h(A); }>());
  T.add("v_cvt_u16_f16", vectorSlow<[](Half A) {
          return u16(std::min(toUint32(f(A)), 65535u));
        }>());
  T.add("v_cvt_i16_f16", vectorSlow<[](Half A) {
          return i16(std::clamp(toInt32(f(A)), -32768, 32767));
        }>());
  T.add("v_cvt_f32_ubyte0", vector<[](u32 A) { return float(A & 0xff); }>());
  T.add("v_cvt_f32_ubyte1",
        vector<[](u32 A) { return float(A >> 8 & 0xff); }>());
  T.add("v_cvt_f32_ubyte2",
        vector<[](u32 A) { return float(A >> 16 & 0xff); }>());
  T.add("v_cvt_f32_ubyte3", vector<[](u32 A) { return float(A >> 24); }>());
  T.add("v_cvt_i32_i16", vector<[](i16 A) { return i32(A); }>());
  T.add("v_cvt_u32_u16", vector<[](u16 A) { return u32(A); }>());
  T.add("v_cvt_flr_i32_f32 v_cvt_floor_i32_f32",
        vectorSlow<[](float A) { return toInt32(std::floor(A)); }>());
  T.add("v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32",
        vectorSlow<[](float A) { return toInt32(std::floor(A + 0.5)); }>());
  T.add("v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32",
        vectorSlow<[](float A, float B) {
          return u32(halfTowardsZero(A)) | u32(halfTowardsZero(B)) << 16;
        }>());
  T.add("v_cvt_pk_u16_u32", vector<[](u32 A, u32 B) {
          return std::min(A, 0xffffu) | std::min(B, 0xffffu) << 16;
        }>());
  T.add("v_cvt_pk_i16_i32", vector<[](i32 A, i32 B) {
          return u32(u16(std::clamp(A, -32768, 32767))) |
                 u32(u16(std::clamp(B, -32768, 32767))) << 16;
        }>());
  T.add("v_cvt_pknorm_u16_f32 v_cvt_pk_norm_u16_f32",
        vectorSlow<[](float A, float B) {
          return unorm(A, 65535) | unorm(B, 65535) << 16;
        }>());
  T.add("v_cvt_pk_u8_f32", vectorSlow<[](float A, u32 B, u32 C) {
          u32 Byte = std::min(toUint32(A), 255u), Shift = 8 * (B & 3);
          return (C & ~(0xffu << Shift)) | Byte << Shift;
        }>());
}

} // namespace amdgcn
