// Kernels that the compiler and a mock both know
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of one thread of each kernel, given where the thread is. A program's
// kernels call it on a device; on a mock driver bodies.cpp calls it with the
// argument bytes that came through the driver.

#ifndef XCC_TEST_WHOLE_PATH_H
#define XCC_TEST_WHOLE_PATH_H

struct place {
  unsigned block, thread, threads, blocks;
  unsigned id() const { return block * threads + thread; }
};

inline void saxpy_at(const place &p, int n, float a, const float *x, float *y) {
  if (int(p.id()) < n)
    y[p.id()] += a * x[p.id()];
}

/// Holes, an alignment of its own, and a size that is not a multiple of 8.
struct alignas(16) settings {
  char mode;
  double scale;
  short shift[3];
};
inline void mix_at(const place &p, char c, const settings &s, short h, double d,
                   long long *out) {
  out[p.id()] = c + s.mode * 10 + (long long)(s.scale * 100 + d) * 1000 +
                (s.shift[0] + s.shift[1] + s.shift[2]) * 1000000ll + h +
                p.blocks;
}

#endif // XCC_TEST_WHOLE_PATH_H
