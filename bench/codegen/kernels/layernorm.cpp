// Rows with mean 0 and variance 1, a block for each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <cmath>
#include <xcc/xcc.h>

static void layernormKernel(int columns, float epsilon,
                            const float *__restrict in,
                            const float *__restrict gain,
                            const float *__restrict bias,
                            float *__restrict out) {
  static xcc::block_shared<float[8]> sums;
  static xcc::block_shared<float[8]> squares;
  int t = xcc::thread_idx().x;
  std::size_t row = xcc::block_idx().x;
  const float *from = in + row * columns;
  float sum = 0, square = 0;
  for (int i = t; i < columns; i += 256) {
    float v = from[i];
    sum += v;
    square += v * v;
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    sum += xcc::shuffle_xor(sum, d);
    square += xcc::shuffle_xor(square, d);
  }
  if (t % 32 == 0) {
    sums[t / 32] = sum;
    squares[t / 32] = square;
  }
  xcc::sync_block();
  sum = square = 0;
#pragma unroll
  for (int w = 0; w < 8; ++w) {
    sum += sums[w];
    square += squares[w];
  }
  float mean = sum / columns,
        scale = 1 / sqrtf(square / columns - mean * mean + epsilon);
  for (int i = t; i < columns; i += 256)
    out[row * columns + i] = (from[i] - mean) * scale * gain[i] + bias[i];
}

void suite::layernorm(int rows, int columns, float epsilon, const float *in,
                      const float *gain, const float *bias, float *out) {
  xcc::launch({{rows}, {256}}, layernormKernel, columns, epsilon, in, gain,
              bias, out);
}
