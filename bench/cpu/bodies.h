// What one thread of an ordinary kernel does
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bodies.cpp launches each for all indices, bodies_omp.cpp has a loop over them.

#ifndef XCC_BENCH_CPU_BODIES_H
#define XCC_BENCH_CPU_BODIES_H

#include <cmath>
#include <cstdint>

struct Pixel {
  unsigned char r, g, b, a;
};
struct Particle {
  float x, y, z, m, vx, vy, vz;
  int kind;
};
/// Inputs, and outputs of the same types with an o.
struct Arrays {
  float *a, *b, *c, *o;
  double *da, *dd;
  int *ia, *ib, *io;
  unsigned *u, *uo;
  unsigned char *s, *so;
  short *h, *ho;
  Pixel *px, *pxo;
  Particle *p, *po;
  long long *la, *lo;
};

constexpr int Width = 1024, Height = 512, Count = Width * Height;

namespace bodies {
/// Conway's game of life on a torus of bytes.
inline void life(int i, Arrays d) {
  int x = i % Width, y = i / Width, n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        n += d.s[((y + dy + Height) % Height) * Width +
                 (x + dx + Width) % Width] &
             1;
  d.so[i] = n == 3 || (n == 2 && (d.s[i] & 1));
}
/// Edges of an image of bytes.
inline void sobel(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  if (x == 0 || y == 0 || x == Width - 1 || y == Height - 1) {
    d.so[i] = 0;
    return;
  }
  const unsigned char *p = d.s + i;
  int gx = -p[-Width - 1] - 2 * p[-1] - p[Width - 1] + p[-Width + 1] +
           2 * p[1] + p[Width + 1];
  int gy = -p[-Width - 1] - 2 * p[-Width] - p[-Width + 1] + p[Width - 1] +
           2 * p[Width] + p[Width + 1];
  int g = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
  d.so[i] = g > 255 ? 255 : g;
}
/// An image over another, by its alpha.
inline void blend(int i, Arrays d) {
  Pixel s = d.px[i], t = d.pxo[i];
  int a = s.a;
  t.r = (s.r * a + t.r * (255 - a)) / 255;
  t.g = (s.g * a + t.g * (255 - a)) / 255;
  t.b = (s.b * a + t.b * (255 - a)) / 255;
  d.pxo[i] = t;
}
/// An image without its colours.
inline void gray(int i, Arrays d) {
  Pixel s = d.px[i];
  d.so[i] = (unsigned char)(0.299f * s.r + 0.587f * s.g + 0.114f * s.b);
}
/// 32 rounds of mixing.
inline void hash(int i, Arrays d) {
  unsigned h = 2166136261u ^ d.u[i];
  for (int k = 0; k < 32; ++k) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
  }
  d.uo[i] = h;
}
/// A check sum of four bytes, bit by bit.
inline void checksum(int i, Arrays d) {
  unsigned c = ~0u;
  for (int k = 0; k < 4; ++k) {
    c ^= d.s[(i * 4 + k) & (Count - 1)];
    for (int b = 0; b < 8; ++b)
      c = (c >> 1) ^ (0xEDB88320u & -(c & 1));
  }
  d.uo[i] = ~c;
}
/// Bits that are set, one after the other.
inline void bits(int i, Arrays d) {
  unsigned v = d.u[i];
  int n = 0;
  while (v) {
    v &= v - 1;
    ++n;
  }
  d.io[i] = n;
}
/// Euclid's algorithm.
inline void gcd(int i, Arrays d) {
  unsigned x = d.u[i] % 10007 + 1, y = d.u[(i + 7) & (Count - 1)] % 10009 + 1;
  while (y) {
    unsigned t = x % y;
    x = y;
    y = t;
  }
  d.uo[i] = x;
}
/// A square root, bit by bit.
inline void root(int i, Arrays d) {
  unsigned v = d.u[i], r = 0;
  for (unsigned b = 1u << 30; b; b >>= 2) {
    if (v >= r + b) {
      v -= r + b;
      r = (r >> 1) + b;
    } else
      r >>= 1;
  }
  d.uo[i] = r;
}
/// The nearest of 16 centres.
inline void centres(int i, Arrays d) {
  float best = 1e30f;
  int at = 0;
  for (int k = 0; k < 16; ++k) {
    float dx = d.a[i] - d.c[2 * k], dy = d.b[i] - d.c[2 * k + 1];
    float q = dx * dx + dy * dy;
    if (q < best) {
      best = q;
      at = k;
    }
  }
  d.io[i] = at;
}
/// Forces between bodies, an array of structures.
inline void forces(int i, Arrays d) {
  if (i >= 2048)
    return;
  float ax = 0, ay = 0, az = 0;
  Particle q = d.p[i];
  for (int j = 0; j < 512; ++j) {
    float dx = d.p[j].x - q.x, dy = d.p[j].y - q.y, dz = d.p[j].z - q.z;
    float r = dx * dx + dy * dy + dz * dz + 0.01f;
    float inv = 1.0f / std::sqrt(r);
    float f = d.p[j].m * inv * inv * inv;
    ax += f * dx;
    ay += f * dy;
    az += f * dz;
  }
  d.po[i].vx = q.vx + ax;
  d.po[i].vy = q.vy + ay;
  d.po[i].vz = q.vz + az;
}
/// Bodies move and are reflected, an array of structures.
inline void move(int i, Arrays d) {
  if (i >= Count / 8)
    return;
  Particle q = d.p[i];
  q.x += q.vx * 0.1f;
  q.y += q.vy * 0.1f;
  q.z += q.vz * 0.1f;
  if (q.x < 0) {
    q.x = -q.x;
    q.vx = -q.vx;
  }
  d.po[i] = q;
}
/// A matrix of 4 by 4 for each thread, times a vector.
inline void matrix(int i, Arrays d) {
  if (i >= Count / 16)
    return;
  const float *m = d.a + i * 16;
  float v[4] = {d.b[i * 4], d.b[i * 4 + 1], d.b[i * 4 + 2], d.b[i * 4 + 3]};
  for (int r = 0; r < 4; ++r) {
    float s = 0;
    for (int k = 0; k < 4; ++k)
      s += m[r * 4 + k] * v[k];
    d.o[i * 4 + r] = s;
  }
}
/// A determinant of 3 by 3 for each thread.
inline void determinant(int i, Arrays d) {
  if (i >= Count / 16)
    return;
  const int S = Count / 16;
  float m[9];
  for (int k = 0; k < 9; ++k)
    m[k] = d.a[k * S + i];
  float det = m[0] * (m[4] * m[8] - m[5] * m[7]) -
              m[1] * (m[3] * m[8] - m[5] * m[6]) +
              m[2] * (m[3] * m[7] - m[4] * m[6]);
  float q = 1.0f / (det + 2.0f);
  for (int k = 0; k < 3; ++k)
    d.o[k * S + i] = q * (m[k] - m[k + 3] * m[k + 6]);
}
/// A tridiagonal system for each thread.
inline void tridiagonal(int i, Arrays d) {
  if (i >= Count / 32)
    return;
  const int S = Count / 32;
  float cp[32];
  float c = 0, x = 0;
  for (int k = 0; k < 32; ++k) {
    float m = 1.0f / (4.0f + d.a[k * S + i] - c);
    c = cp[k] = m;
    x = (d.b[k * S + i] + x) * m;
    d.o[k * S + i] = x;
  }
  for (int k = 30; k >= 0; --k)
    d.o[k * S + i] -= cp[k] * d.o[(k + 1) * S + i];
}
/// Runge and Kutta's method.
inline void runge(int i, Arrays d) {
  float y = d.a[i], t = 0, h = 0.01f;
  for (int s = 0; s < 16; ++s) {
    float k1 = y * (1 - y) + t,
          k2 = (y + h / 2 * k1) * (1 - (y + h / 2 * k1)) + t + h / 2,
          k3 = (y + h / 2 * k2) * (1 - (y + h / 2 * k2)) + t + h / 2,
          k4 = (y + h * k3) * (1 - (y + h * k3)) + t + h;
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
  }
  d.o[i] = y;
}
/// Random points in a circle.
inline void points(int i, Arrays d) {
  unsigned s = d.u[i] | 1;
  int in = 0;
  for (int k = 0; k < 32; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    float x = (s >> 8) * (1.0f / 16777216.0f);
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    float y = (s >> 8) * (1.0f / 16777216.0f);
    in += x * x + y * y < 1.0f;
  }
  d.io[i] = in;
}
/// An image at another scale.
inline void bilinear(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  float fx = x * 0.7f + 3.0f, fy = y * 0.7f + 2.0f;
  int x0 = (int)fx, y0 = (int)fy;
  float u = fx - x0, v = fy - y0;
  const float *p = d.a + y0 * Width + x0;
  d.o[i] = (1 - v) * ((1 - u) * p[0] + u * p[1]) +
           v * ((1 - u) * p[Width] + u * p[Width + 1]);
}
/// A filter of 5 by 5 with clamped borders.
inline void filter(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  float s = 0;
  for (int j = -2; j <= 2; ++j)
    for (int k = -2; k <= 2; ++k) {
      int yy = y + j < 0         ? 0
               : y + j >= Height ? Height - 1
                                 : y + j,
          xx = x + k < 0        ? 0
               : x + k >= Width ? Width - 1
                                : x + k;
      s += d.a[yy * Width + xx] * d.c[(j + 2) * 5 + k + 2];
    }
  d.o[i] = s;
}
/// The median of 3 by 3 bytes, in a local array.
inline void median(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  if (x == 0 || y == 0 || x == Width - 1 || y == Height - 1) {
    d.so[i] = d.s[i];
    return;
  }
  unsigned char v[9];
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k)
      v[j * 3 + k] = d.s[i + (j - 1) * Width + k - 1];
  for (int a = 0; a < 5; ++a)
    for (int b = a + 1; b < 9; ++b)
      if (v[b] < v[a]) {
        unsigned char t = v[a];
        v[a] = v[b];
        v[b] = t;
      }
  d.so[i] = v[4];
}
/// A transposed matrix.
inline void transpose(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  d.o[x * Height + y] = d.a[i];
}
/// Elements by a list.
inline void gather(int i, Arrays d) { d.o[i] = d.a[d.ia[i]] + d.b[i]; }
/// Elements to places of a list.
inline void scatter(int i, Arrays d) { d.o[d.ia[i]] = d.a[i]; }
/// Binary search.
inline void search(int i, Arrays d) {
  int key = d.ia[i], lo = 0, hi = 4096;
  while (lo < hi) {
    int m = (lo + hi) / 2;
    if (d.ib[m] < key)
      lo = m + 1;
    else
      hi = m;
  }
  d.io[i] = lo;
}
/// Eight cases.
inline void cases(int i, Arrays d) {
  float v = d.a[i];
  switch (d.u[i] & 7) {
  case 0:
    v += 1;
    break;
  case 1:
    v *= 2;
    break;
  case 2:
    v = -v;
    break;
  case 3:
    v = v * v;
    break;
  case 4:
    v = 1 / (v + 1);
    break;
  case 5:
    v -= 3;
    break;
  default:
    v = 0;
  }
  d.o[i] = v;
}
/// The Mandelbrot set in double precision.
inline void mandelbrot(int i, Arrays d) {
  double cx = (i % Width) * (3.0 / Width) - 2,
         cy = (i / Width) * (2.0 / Height) - 1, x = 0, y = 0;
  int n = 0;
  while (n < 50 && x * x + y * y < 4) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++n;
  }
  d.io[i] = n;
}
/// Sums that saturate.
inline void saturated(int i, Arrays d) {
  int v = d.h[i] * 3 + d.ho[i];
  d.ho[i] = v > 32767 ? 32767 : v < -32768 ? -32768 : v;
}
/// Remainders of 64 bits.
inline void remainders(int i, Arrays d) {
  long long v = d.la[i];
  d.lo[i] = v * v % 1000003 + (v >> 3);
}
/// Collatz's sequence in 64 bits.
inline void collatz(int i, Arrays d) {
  if (i >= Count / 8)
    return;
  long long v = i + 1;
  int n = 0;
  while (v != 1 && n < 100) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++n;
  }
  d.io[i] = n;
}
/// Sums of four neighbours.
inline void strided(int i, Arrays d) {
  if (i >= Count / 4)
    return;
  d.o[i] = d.a[4 * i] + d.a[4 * i + 1] + d.a[4 * i + 2] + d.a[4 * i + 3];
}
/// The order reversed.
inline void reverse(int i, Arrays d) { d.o[Count - 1 - i] = d.a[i]; }
/// A row for each thread.
inline void rows(int i, Arrays d) {
  if (i >= Height)
    return;
  float s = 0;
  for (int k = 0; k < Width; ++k)
    s += d.a[i * Width + k];
  d.o[i] = s;
}
/// A column for each thread.
inline void columns(int i, Arrays d) {
  if (i >= Width)
    return;
  float s = 0;
  for (int k = 0; k < Height; ++k)
    s += d.a[k * Width + i];
  d.o[i] = s;
}
/// Softmax of a row for each thread.
inline void softmax(int i, Arrays d) {
  if (i >= Height)
    return;
  float m = -1e30f;
  for (int k = 0; k < Width; ++k)
    m = d.a[i * Width + k] > m ? d.a[i * Width + k] : m;
  float s = 0;
  for (int k = 0; k < Width; ++k) {
    float e = std::exp(d.a[i * Width + k] - m);
    d.o[i * Width + k] = e;
    s += e;
  }
  for (int k = 0; k < Width; ++k)
    d.o[i * Width + k] /= s;
}
/// Edit distance of two words.
inline void distance(int i, Arrays d) {
  if (i >= Count / 64)
    return;
  const unsigned char *x = d.s + i * 16,
                      *y = d.s + ((i + 5) % (Count / 64)) * 16;
  int row[17];
  for (int k = 0; k <= 16; ++k)
    row[k] = k;
  for (int a = 1; a <= 16; ++a) {
    int diag = row[0];
    row[0] = a;
    for (int b = 1; b <= 16; ++b) {
      int t = row[b];
      int c = diag + ((x[a - 1] & 3) != (y[b - 1] & 3));
      if (row[b] + 1 < c)
        c = row[b] + 1;
      if (row[b - 1] + 1 < c)
        c = row[b - 1] + 1;
      row[b] = c;
      diag = t;
    }
  }
  d.io[i] = row[16];
}
/// A polynomial of degree 15.
inline void polynomial(int i, Arrays d) {
  float x = d.a[i], r = 0;
  for (int k = 15; k >= 0; --k)
    r = r * x + d.c[k];
  d.o[i] = r;
}
/// Option prices: exp, log, erfc.
inline void options(int i, Arrays d) {
  float s = 50 + d.a[i], k = 50 + d.b[i], t = 1.0f;
  float q = 0.3f * std::sqrt(t);
  float d1 = (std::log(s / k) + 0.06f * t) / q, d2 = d1 - q;
  float n1 = 0.5f * std::erfc(-d1 * 0.70710678f),
        n2 = 0.5f * std::erfc(-d2 * 0.70710678f);
  d.o[i] = s * n1 - k * std::exp(-0.02f * t) * n2;
}
/// A wave in two dimensions.
inline void wave(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  if (x && y && x < Width - 1 && y < Height - 1)
    d.o[i] = 2 * d.a[i] - d.b[i] +
             0.1f * (d.a[i - 1] + d.a[i + 1] + d.a[i - Width] + d.a[i + Width] -
                     4 * d.a[i]);
}
/// Sine and cosine.
inline void sincos(int i, Arrays d) {
  d.o[i] = std::sin(d.a[i]) * std::cos(d.b[i]);
}
/// A power in double precision.
inline void power(int i, Arrays d) { d.dd[i] = std::pow(1.0 + d.da[i], 1.7); }
/// Letters to upper case.
inline void upper(int i, Arrays d) {
  unsigned char c = d.s[i];
  d.so[i] = c >= 'a' && c <= 'z' ? c - 32 : c;
}
/// Letters of a line that are an e.
inline void letters(int i, Arrays d) {
  if (i >= Count / 64)
    return;
  int n = 0;
  for (int k = 0; k < 64; ++k)
    n += d.s[i * 64 + k] == 'e';
  d.io[i] = n;
}
/// Bytes as hexadecimal digits.
inline void hex(int i, Arrays d) {
  if (i >= Count / 2)
    return;
  const char *t = "0123456789abcdef";
  d.so[2 * i] = t[d.s[i] >> 4];
  d.so[2 * i + 1] = t[d.s[i] & 15];
}
/// Every second point, from its neighbours.
inline void parity(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  if ((x + y) % 2 == 0 && x && y && x < Width - 1 && y < Height - 1)
    d.o[i] =
        0.25f * (d.o[i - 1] + d.o[i + 1] + d.o[i - Width] + d.o[i + Width]);
}
/// A column of a triangle.
inline void triangle(int i, Arrays d) {
  if (i >= 1024)
    return;
  float s = 0;
  for (int k = 0; k <= i; ++k)
    s += d.a[k * 1024 % Count + i];
  d.o[i] = s;
}
/// Eight steps of shortest paths.
inline void paths(int i, Arrays d) {
  int x = i % Width, y = i / Width;
  for (int k = 0; k < 8; ++k) {
    int t = d.ia[y * Width + k] / 2 + d.ib[k * Width + x] / 2;
    if (t < d.io[i])
      d.io[i] = t;
  }
}
/// The first z of a line.
inline void first(int i, Arrays d) {
  if (i >= Count / 64)
    return;
  int at = -1;
  for (int k = 0; k < 64; ++k)
    if (d.s[i * 64 + k] == 'z') {
      at = k;
      break;
    }
  d.io[i] = at;
}
/// The largest of eight and where it is.
inline void largest(int i, Arrays d) {
  float m = d.a[i];
  int at = 0;
  for (int k = 1; k < 8; ++k) {
    float v = d.a[(i + k * 4096) & (Count - 1)];
    if (v > m)
      m = v, at = k;
  }
  d.o[i] = m;
  d.io[i] = at;
}
} // namespace bodies

// clang-format off
#define BENCH_BODIES(X) \
  X(life) X(sobel) X(blend) X(gray) X(hash) X(checksum) X(bits) X(gcd) \
  X(root) X(centres) X(forces) X(move) X(matrix) X(determinant) \
  X(tridiagonal) X(runge) X(points) X(bilinear) X(filter) X(median) \
  X(transpose) X(gather) X(scatter) X(search) X(cases) X(mandelbrot) \
  X(saturated) X(remainders) X(collatz) X(strided) X(reverse) X(rows) \
  X(columns) X(softmax) X(distance) X(polynomial) X(options) X(wave) \
  X(sincos) X(power) X(upper) X(letters) X(hex) X(parity) X(triangle) \
  X(paths) X(first) X(largest)
// clang-format on

#endif // XCC_BENCH_CPU_BODIES_H
