// Algorithms beside OpenMP: as an OpenMP programmer writes them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "others.h"

#include <algorithm>
#include <cmath>
#include <vector>

static void histogram(Arrays d) {
  std::fill_n(d.io, Bins, 0);
#pragma omp parallel
  {
    int own[Bins] = {};
#pragma omp for
    for (int i = 0; i < Length; ++i)
      ++own[d.keys[i] & (Bins - 1)];
    for (int i = 0; i < Bins; ++i)
#pragma omp atomic
      d.io[i] += own[i];
  }
}

static void assign(Arrays d) {
#pragma omp parallel for
  for (int i = 0; i < Length; ++i) {
    float least = 1e30f;
    int best = 0;
    for (int k = 0; k < Means; ++k) {
      float x = d.a[i] - d.c[2 * k], y = d.b[i] - d.c[2 * k + 1];
      float r = x * x + y * y;
      if (r < least)
        least = r, best = k;
    }
    d.io[i] = best;
  }
}

static void spmv(Arrays d) {
#pragma omp parallel for
  for (int row = 0; row < SparseRows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = d.rows[row]; k < d.rows[row + 1]; ++k)
      sum += d.a[k] * d.b[d.columns[k]];
    d.o[row] = sum;
  }
}

static void digits(Arrays d) {
#pragma omp parallel for
  for (int block = 0; block < Length / 2048; ++block) {
    int counts[16] = {};
    for (int i = 0; i < 2048; ++i)
      ++counts[d.keys[block * 2048 + i] >> 8 & 15];
    for (int i = 0; i < 16; ++i)
      d.io[i * (Length / 2048) + block] = counts[i];
  }
}

static void blelloch(Arrays d) {
#pragma omp parallel for
  for (int block = 0; block < Length / (2 * BlockLength); ++block) {
    int sum = 0;
    for (int i = 0; i < 2 * BlockLength; ++i) {
      d.io[block * 2 * BlockLength + i] = sum;
      sum += d.keys[block * 2 * BlockLength + i];
    }
  }
}

static void convolution(Arrays d) {
#pragma omp parallel for
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Width; ++x) {
      float sum = 0;
      for (int dy = -Radius; dy <= Radius; ++dy)
        for (int dx = -Radius; dx <= Radius; ++dx) {
          int v = y + dy, u = x + dx;
          if (v >= 0 && v < Height && u >= 0 && u < Width)
            sum += d.a[v * Width + u] *
                   d.c[(dy + Radius) * (2 * Radius + 1) + dx + Radius];
        }
      d.o[y * Width + x] = sum;
    }
}

static void box(Arrays d) {
#pragma omp parallel for simd
  for (int x = 0; x < Width; ++x) {
    float sum = d.a[x] * (Radius + 1);
    for (int y = 0; y < Radius; ++y)
      sum += d.a[y * Width + x];
    for (int y = 0; y < Height; ++y) {
      sum += d.a[std::min(y + Radius, Height - 1) * Width + x];
      d.o[y * Width + x] = sum / (2 * Radius + 1);
      sum -= d.a[std::max(y - Radius, 0) * Width + x];
    }
  }
}

static void gauss(Arrays d) {
  const int k = 5;
#pragma omp parallel for
  for (int i = k + 1; i < Side; ++i) {
    float by = d.a[i * Side + k] / (d.a[k * Side + k] + 2);
#pragma omp simd
    for (int j = k; j < Side; ++j)
      d.o[i * Side + j] = d.a[i * Side + j] - by * d.a[k * Side + j];
  }
}

static void floyd(Arrays d) {
  const int k = 7;
#pragma omp parallel for
  for (int i = 0; i < Side; ++i)
#pragma omp simd
    for (int j = 0; j < Side; ++j)
      d.io[i * Side + j] = std::min(
          d.keys[i * Side + j], d.keys[i * Side + k] + d.keys[k * Side + j]);
}

static void panel(Arrays d) {
#pragma omp parallel for
  for (int i = 16; i < Side; ++i) {
    float row[16];
    for (int k = 0; k < 16; ++k)
      row[k] = d.a[i * Side + k];
    for (int k = 0; k < 16; ++k) {
      row[k] /= d.a[k * Side + k] + 2;
#pragma omp simd
      for (int j = k + 1; j < 16; ++j)
        row[j] -= row[k] * d.a[k * Side + j];
    }
    for (int k = 0; k < 16; ++k)
      d.o[i * Side + k] = row[k];
  }
}

static void match(Arrays d) {
  int count = 0;
#pragma omp parallel for reduction(+ : count)
  for (int i = 0; i < Length - PatternLength; ++i) {
    int k = 0;
    while (k < PatternLength && d.text[i + k] == d.text[1000 + k])
      ++k;
    count += k == PatternLength;
  }
  d.io[0] = count;
}

static void crc(Arrays d) {
#pragma omp parallel for
  for (int chunk = 0; chunk < Length / ChunkLength; ++chunk) {
    std::uint32_t crc = ~0u;
    for (int i = 0; i < ChunkLength; ++i)
      crc = crc >> 8 ^ d.table[(crc ^ d.text[chunk * ChunkLength + i]) & 255];
    d.io[chunk] = int(~crc);
  }
}

static void binomial(Arrays d) {
#pragma omp parallel for
  for (int i = 0; i < 4096; ++i) {
    float v[Steps + 1];
    for (int k = 0; k <= Steps; ++k)
      v[k] = std::max(0.0f, 50 + 50 * d.a[i] +
                                float(2 * k - Steps) * (1 + d.b[i]) - 60);
    for (int n = Steps; n > 0; --n)
#pragma omp simd
      for (int k = 0; k < n; ++k)
        v[k] = 0.499f * v[k] + 0.5f * v[k + 1];
    d.o[i] = v[0];
  }
}

static void pi(Arrays d) {
#pragma omp parallel for simd
  for (int i = 0; i < 16384; ++i) {
    std::uint32_t s = std::uint32_t(i) * 2654435761u + 1;
    int in = 0;
    for (int k = 0; k < 256; ++k) {
      s = s * 1664525u + 1013904223u;
      float x = float(s >> 8) * (1.0f / 16777216);
      s = s * 1664525u + 1013904223u;
      float y = float(s >> 8) * (1.0f / 16777216);
      in += x * x + y * y < 1;
    }
    d.io[i] = in;
  }
}

static void systems(Arrays d) {
#pragma omp parallel for
  for (int s = 0; s < Systems; ++s) {
    float cp[SystemLength], dp[SystemLength];
    float before = 0, last = 0;
    for (int k = 0; k < SystemLength; ++k) {
      float a = d.a[k * Systems + s], r = d.b[k * Systems + s];
      float m = 1 / (4 - a * before);
      before = cp[k] = m;
      last = dp[k] = (r - a * last) * m;
    }
    for (int k = SystemLength - 2; k >= 0; --k)
      dp[k] -= cp[k] * dp[k + 1];
    for (int k = 0; k < SystemLength; ++k)
      d.o[k * Systems + s] = dp[k];
  }
}

#define BENCH_ENTRY(name) name,
extern "C" const Table BENCH_TABLE;
const Table BENCH_TABLE = {BENCH_OTHERS(BENCH_ENTRY)};
