// Spheres that a ray hits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it, and the host checks with it.

#ifndef XCC_BENCH_CODEGEN_RAYS_H
#define XCC_BENCH_CODEGEN_RAYS_H

#include "../suite.h"
#include <cmath>

namespace suite {

/// Whether the ray from `o` in direction `d`, which has length 1, meets the
/// sphere within `reach`.
SUITE_INLINE bool hits(const Ball &s, float ox, float oy, float oz, float dx,
                       float dy, float dz, float reach) {
  float x = s.x - ox, y = s.y - oy, z = s.z - oz;
  float along = x * dx + y * dy + z * dz;
  float apart = x * x + y * y + z * z - along * along;
  float inside = s.radius * s.radius - apart;
  if (inside < 0)
    return false;
  float half = sqrtf(inside);
  float t = along - half > 0 ? along - half : along + half;
  return t > 0 && t < reach;
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_RAYS_H
