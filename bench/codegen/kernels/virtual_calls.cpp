// Areas of shapes, through their tables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

struct Shape {
  virtual float area(float x) const = 0;
};
struct Square : Shape {
  float area(float x) const override { return x * x; }
};
struct Circle : Shape {
  float area(float x) const override { return 3.14159265f * x * x; }
};
struct Triangle : Shape {
  float area(float x) const override { return 0.4330127f * x * x; }
};

static void virtualCallsKernel(int n, const int *kind, const float *size,
                               float *out) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  Square square;
  Circle circle;
  Triangle triangle;
  const Shape *shapes[] = {&square, &circle, &triangle};
  out[i] = shapes[kind[i] % 3u]->area(size[i]);
}

void suite::virtualCalls(int n, const int *kind, const float *size,
                         float *out) {
  xcc::launch({{(n + 255) / 256}, {256}}, virtualCallsKernel, n, kind, size,
              out);
}
