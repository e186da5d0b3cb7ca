// The suite as OpenMP loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same arithmetic as kernels_xcc.cpp, as an OpenMP programmer writes it.

#include "suite.h"
#include <cmath>

static void saxpy(int n, float a, const float *x, float *y) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

static void triad(int n, const float *a, const float *b, float s, float *c) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + s * b[i];
}

static void stencil(int side, const float *in, float *out) {
#pragma omp parallel for
  for (int y = 1; y < side - 1; ++y)
    for (int x = 1; x < side - 1; ++x) {
      int i = y * side + x;
      out[i] =
          0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
    }
}

static void nbody(int n, const Body *bodies, float *force) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    Body self = bodies[i];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; ++j) {
      float dx = bodies[j].x - self.x;
      float dy = bodies[j].y - self.y;
      float dz = bodies[j].z - self.z;
      float r = dx * dx + dy * dy + dz * dz + 1e-3f;
      float w = bodies[j].mass / (r * std::sqrt(r));
      fx += dx * w;
      fy += dy * w;
      fz += dz * w;
    }
    force[3 * i] = fx;
    force[3 * i + 1] = fy;
    force[3 * i + 2] = fz;
  }
}

// Each side has the tile that suits it best: 16 here, 32 for xcc.
constexpr int Tile = 16;

static void matmul(int n, const float *a, const float *b, float *c) {
#pragma omp parallel for collapse(2)
  for (int by = 0; by < n; by += Tile)
    for (int bx = 0; bx < n; bx += Tile) {
      float as[Tile][Tile], bs[Tile][Tile], sum[Tile][Tile] = {};
      for (int t = 0; t < n; t += Tile) {
        for (int ty = 0; ty < Tile; ++ty)
          for (int tx = 0; tx < Tile; ++tx) {
            as[ty][tx] = a[(by + ty) * n + t + tx];
            bs[ty][tx] = b[(t + ty) * n + bx + tx];
          }
        for (int ty = 0; ty < Tile; ++ty)
          for (int tx = 0; tx < Tile; ++tx)
            for (int k = 0; k < Tile; ++k)
              sum[ty][tx] += as[ty][k] * bs[k][tx];
      }
      for (int ty = 0; ty < Tile; ++ty)
        for (int tx = 0; tx < Tile; ++tx)
          c[(by + ty) * n + bx + tx] = sum[ty][tx];
    }
}

static void reduce(int n, const float *in, float *out) {
  // With simd, the compiler may reorder the sum as the kernel's tree does.
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += in[i];
  *out = sum;
}

static void countIf(int n, const float *in, std::uint32_t *out) {
  std::uint32_t count = 0;
#pragma omp parallel for simd reduction(+ : count)
  for (int i = 0; i < n; ++i)
    count += in[i] > 0.5f;
  *out = count;
}

static void dot(int n, const float *a, const float *b, float *out) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  *out = sum;
}

static void histogram(int n, const std::uint8_t *text, std::uint32_t *bins) {
#pragma omp parallel for reduction(+ : bins[ : Bins])
  for (int i = 0; i < n; ++i)
    ++bins[text[i]];
}

static void uneven(int n, int work, const float *in, float *out) {
#pragma omp parallel for schedule(dynamic)
  for (int first = 0; first < n; first += 256)
    for (int i = first; i < first + 256; ++i) {
      float x = in[i];
      if (i < work)
        for (int k = 0; k < UnevenSteps; ++k)
          x = x * 0.5f + std::sqrt(x);
      out[i] = x;
    }
}

static void rows(int w, int h, const float *in, float *out) {
#pragma omp parallel for
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      out[y * w + x] = 2 * in[y * w + x] + 1;
}

static void through(int n, const float *in, float *out) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i] + 1;
}

static void warpRows(int count, int width, const float *in, float *out) {
#pragma omp parallel for
  for (int row = 0; row < count; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < width; ++i)
      sum += in[row * width + i];
    out[row] = sum;
  }
}

static void blockRows(int count, int width, const float *in, float *out) {
#pragma omp parallel for
  for (int row = 0; row < count; ++row) {
    const float *x = in + row * width;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (int i = 0; i < width; ++i) {
      sum += x[i];
      squares += x[i] * x[i];
    }
    float mean = sum / width,
          each = 1 / std::sqrt(squares / width - mean * mean);
#pragma omp simd
    for (int i = 0; i < width; ++i)
      out[row * width + i] = (x[i] - mean) * each;
  }
}

static void product(int n, const float *a, const float *b, float *c) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    float *to = c + row * n;
    for (int col = 0; col < n; ++col)
      to[col] = 0;
    for (int k = 0; k < n; ++k) {
      const float times = a[row * n + k];
#pragma omp simd
      for (int col = 0; col < n; ++col)
        to[col] += times * b[k * n + col];
    }
  }
}

static void planes(int n, const float *in, float *out) {
#pragma omp parallel for collapse(2)
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
#pragma omp simd
      for (int x = 1; x < n - 1; ++x) {
        int i = (z * n + y) * n + x;
        out[i] =
            0.5f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] +
                                   in[i + n] + in[i - n * n] + in[i + n * n]);
      }
}

static void rootIf(int n, const float *a, const float *b, float *c) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    c[i] = a[i] > 0.5f ? float(std::sqrt(double(a[i]) + b[i])) : b[i];
}

static void exponentials(int n, const float *in, float *out) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = std::exp(-in[i]);
}

void run(Kernel kernel, const Data &d) {
  constexpr int n = VectorLength;
  switch (kernel) {
  case Saxpy:
    return saxpy(n, 2.0f, d.a, d.b);
  case Triad:
    return triad(n, d.a, d.b, 3.0f, d.c);
  case Stencil:
    return stencil(GridSide, d.a, d.b);
  case NBody:
    return nbody(Bodies, d.bodies, d.force);
  case MatMul:
    return matmul(MatrixSide, d.a, d.b, d.c);
  case Reduce:
    return reduce(ReduceLength, d.reduceIn, d.reduceOut);
  case Dot:
    return dot(n, d.a, d.b, d.reduceOut);
  case Histogram:
    for (int i = 0; i < Bins; ++i)
      d.bins[i] = 0;
    return histogram(Text, d.text, d.bins);
  case Uneven:
    return uneven(UnevenLength, UnevenWork, d.a, d.c);
  case Rows:
    return rows(GridSide, GridSide, d.a, d.b);
  case Through:
  case Mixed:
    return through(n, d.a, d.b);
  case SumInt:
    return reduce(ReduceLength, d.reduceIn, d.reduceOut);
  case WarpRows:
    return warpRows(RowsOfWarps, RowWidth, d.reduceIn, d.c);
  case BlockRows:
    return blockRows(RowsOfBlocks, RowWidth, d.a, d.c);
  case Product:
    return product(MatrixSide, d.a, d.b, d.c);
  case Planes:
    return planes(CubeSide, d.a, d.b);
  case CountIf:
    return countIf(ReduceLength, d.reduceIn, d.bins);
  case RootIf:
    return rootIf(n, d.a, d.b, d.c);
  case Exp:
    return exponentials(n, d.a, d.c);
  case Kernels:
    return;
  }
}
