// What the kernels of whole-path.cpp do on a mock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mock drivers call these by the kernels' symbols, once for a launch, with the
// kernarg bytes as a device would find them. Arguments lie there as the fields
// of a structure do.

#include "whole_path.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// How mock_launch and mock_dispatch begin.
struct launch {
  unsigned grid[3], block[3];
  unsigned shared; ///< static and dynamic, or dynamic only
};

template <class F> static void forEach(const launch &l, F work) {
  for (unsigned b = 0; b != l.grid[0] * l.grid[1] * l.grid[2]; ++b)
    for (unsigned t = 0; t != l.block[0]; ++t)
      work(place{b, t, l.block[0], l.grid[0] * l.grid[1] * l.grid[2]});
}

/// On AMD GPUs implicit arguments follow. Their places are those of code object
/// versions 5 and 6, which whole-path.cpp compares with the code object's own.
[[maybe_unused]] static void checkHidden(const void *kernarg, size_t explicitly,
                                         const launch &l) {
#ifdef HIDDEN
  auto *base = static_cast<const char *>(kernarg) + (explicitly + 7) / 8 * 8;
  auto expect = [&](const char *what, size_t at, auto wanted) {
    decltype(wanted) found;
    memcpy(&found, base + at, sizeof found);
    if (found == wanted)
      return;
    printf("hidden %s: %lld, not %lld\n", what, (long long)found,
           (long long)wanted);
    exit(1);
  };
  for (int i = 0; i != 3; ++i) {
    expect("block_count", 4 * i, uint32_t(l.grid[i]));
    expect("group_size", 12 + 2 * i, uint16_t(l.block[i]));
    expect("remainder", 18 + 2 * i, uint16_t(0));
    expect("global_offset", 40 + 8 * i, uint64_t(0));
  }
  const int dims = l.grid[2] > 1 ? 3 : l.grid[1] > 1 ? 2 : 1;
  expect("grid_dims", 64, uint16_t(dims));
  expect("hostcall_buffer", 80, uint64_t(0));
#endif
}

#define BODY(name, symbol)                                                     \
  extern "C" void name(const void *, const launch *) __asm__(symbol);          \
  void name(const void *kernarg, const launch *l)

BODY(saxpy, KERNEL_saxpy) {
  struct {
    int n;
    float a;
    const float *x;
    float *y;
  } s;
  memcpy(&s, kernarg, sizeof s);
  checkHidden(kernarg, sizeof s, *l);
  forEach(*l, [&](const place &p) { saxpy_at(p, s.n, s.a, s.x, s.y); });
}

BODY(mix, KERNEL_mix) {
  struct {
    char c;
    settings s;
    short h;
    double d;
    long long *out;
  } s;
  memcpy(&s, kernarg, sizeof s);
  forEach(*l, [&](const place &p) { mix_at(p, s.c, s.s, s.h, s.d, s.out); });
}
