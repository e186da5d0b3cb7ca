// A curve through points: the interface of a shared library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EXAMPLES_SHARED_CURVE_H
#define EXAMPLES_SHARED_CURVE_H

namespace curve {

/// How many points there are; at() knows values from 0 to Points - 1.
constexpr int Points = 6;
/// Of all points: each side, the host and every device, has one.
extern float scale;
/// The curve's height at a place between the points.
float at(float x);

} // namespace curve

#endif // EXAMPLES_SHARED_CURVE_H
