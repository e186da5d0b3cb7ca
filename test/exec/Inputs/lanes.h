// Which lanes of a warp are where, in kernels and in what they must say
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
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

/// Runs a kernel that writes for each thread what is wrong (0: nothing), and ends
/// the program with the first thread for which something is. The kernel's other
/// parameter points to a 0 that the compiler does not see.
template <class F>
static void test(const char *what, F kernel, unsigned threads) {
  xcc::buffer<int> wrong(threads), zero(1);
  wrong.fill(1);
  zero.fill(0);
  xcc::launch({{1}, {threads}}, kernel, wrong.data(), zero.data());
  std::vector<int> host(threads);
  wrong.copy_to(host.data(), threads);
  for (unsigned t = 0; t < threads; ++t)
    if (host[t]) {
      std::printf("%s: thread %u of %u, %d\n", what, t, threads, host[t]);
      std::exit(1);
    }
}
