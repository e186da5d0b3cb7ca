// Which lanes of a warp are where, in kernels and in what they must say
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <xcc/xcc.h>

using mask = std::uint64_t;

static unsigned lanes() {
  const unsigned size = xcc::warp_size();
  const unsigned left = xcc::block_dim().x - xcc::thread_idx().x / size * size;
  return left < size ? left : size;
}
/// The lanes of the warp for which f(lane) holds.
template <class F> static mask those(F f) {
  mask m = 0;
  for (unsigned l = 0; l < lanes(); ++l)
    m |= mask(f(l) != 0) << l;
  return m;
}
static mask here() { return xcc::ballot(true); }
static mask all() {
  return those([](unsigned) { return true; });
}
