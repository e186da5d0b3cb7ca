// What the C++ in documents speaks of
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <immintrin.h>
#include <string>
#include <string_view>
#include <vector>
#include <xcc/algorithm.h>
#include <xcc/jit.h>
#include <xcc/source.h>
#include <xcc/xcc.h>

struct Tree {
  int *nodes;
  std::size_t count;
};

#define LOCALS_OF_algorithms std::size_t n, xcc::stream &stream
#define LOCALS_OF_jit float *x, float *y, float *to, int n, int degree, float by, xcc::launch_config shape
#define LOCALS_OF_language_kernels float *x, std::size_t n
#define LOCALS_OF_language_globals float *x, int *counts
#define LOCALS_OF_language_warps float *x, float *y
#define LOCALS_OF_language_limits int *counts
#define LOCALS_OF_mapping std::size_t n, std::vector<float> v, std::vector<float> x, std::vector<float> y, float a, int sum
#define LOCALS_OF_runtime                                                                                              \
  xcc::stream &s, xcc::buffer<float> &in, xcc::buffer<float> &out, xcc::buffer<float> &x, xcc::buffer<float> &y,       \
      xcc::host_buffer<float> &host, unsigned blocks, unsigned threads, int n, std::string text,                       \
      std::string text_of_a_header

namespace of_jit {
inline void horner(const float *, float *, int, int, float) {}
} // namespace of_jit

namespace of_runtime {
inline void advance(const float *, float *, float) {}
} // namespace of_runtime
