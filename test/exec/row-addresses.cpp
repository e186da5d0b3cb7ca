// Loops that are unrolled whole over rows, columns and tiles of arrays, upwards,
// downwards, with negative widths, indices of several types, conditions and
// early ends.
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <xcc/xcc.h>

constexpr int Size = 4096, Middle = Size / 2, Results = 10;

std::uint32_t rows(const std::uint32_t *p, int width, int x, int y) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    sum = sum * 3 + p[(y + j) * width + x];
  return sum;
}
std::uint32_t down(const std::uint32_t *p, int width, int x, int y) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int j = 7; j >= 0; --j)
    sum = sum * 3 + p[x - (y - j) * width] - p[x - (y - j) * width - 1];
  return sum;
}
std::uint32_t tiles(const std::uint32_t *p, int width, int x, int y) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int i = -1; i <= 1; ++i)
      sum = sum * 5 + p[(y + 2 * j) * width + (x + i) * 4 + j];
  return sum;
}
std::uint32_t small(const std::uint32_t *p, short width, signed char x, short y) {
  std::uint32_t sum = 0;
#pragma unroll
  for (short j = 0; j < 6; ++j)
    sum = sum * 3 + p[short(y + j) * width + x + 2 * j];
  return sum;
}
/// Indices that start again at zero, of 8 and 32 bits.
std::uint32_t wraps(const std::uint32_t *p, unsigned width, unsigned x) {
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 8; ++j)
    sum = sum * 3 + p[std::uint8_t(x + 40 * j)] +
          p[(x * 0x10000000u + j * 0x30000000u + width) % 1024u];
  return sum;
}
std::uint32_t wide(const std::uint32_t *p, int width, int x, std::size_t y) {
  std::uint32_t sum = 0;
#pragma unroll
  for (std::size_t j = 0; j < 5; ++j)
    sum = sum * 3 + p[(y + j) * width + x];
  return sum;
}
/// Not every turn reads, and some are not taken.
std::uint32_t some(const std::uint32_t *p, int width, int x, int y) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    if ((x ^ j) & 1)
      sum = sum * 3 + p[(y + j) * width + x];
    if (sum % 11 == 10)
      break;
    sum += p[(y + 3 * j) * width - x];
  }
  return sum;
}
struct pair {
  std::uint32_t first, second;
};
std::uint32_t pairs(const std::uint32_t *p, int width, int x, int y) {
  auto *q = reinterpret_cast<const pair *>(p);
  std::uint32_t sum = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    pair read = q[((y + j) * width + x) / 2 + j * 16];
    sum = sum * 3 + read.first - q[(y - j) * width / 4 + x].second;
  }
  return sum;
}
/// Read, changed and read again, one row behind the other.
std::uint32_t changed(std::uint32_t *p, int width, int x, int y) {
#pragma unroll
  for (int j = 1; j < 8; ++j)
    p[(y + j) * width + x] += 3 * p[(y + j - 1) * width + x];
  return p[(y + 7) * width + x];
}
/// The width is known in the loop alone.
std::uint32_t inside(const std::uint32_t *p, int width, int x, int y) {
  std::uint32_t sum = 0;
  for (int k = 0; k < width % 5; ++k)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      sum = sum * 3 + p[(y + j) * (width - k) + x * k];
  return sum;
}

void each(std::uint32_t *array, std::uint32_t *own, int i, std::uint32_t *out) {
  const std::uint32_t *middle = array + Middle;
  int width = i % 37 - 11, x = i % 13, y = i % 7 - 5;
  *out++ = rows(middle, width, x, y);
  *out++ = down(middle, width, x, y);
  *out++ = tiles(middle, width, x, y);
  *out++ = small(middle, short(width), (signed char)(x - 6), short(y));
  *out++ = wraps(array, unsigned(i), unsigned(x));
  *out++ = wide(middle, width < 0 ? -width : width, x, std::size_t(y + 5));
  *out++ = some(middle, width, x, y);
  *out++ = pairs(middle, width, x, y);
  *out++ = changed(own + 16, 1 + i % 3, x % 4, y % 2);
  *out++ = inside(middle, width < 0 ? -width : width, x, y);
}

void kernel(std::uint32_t *array, std::uint32_t *own, std::uint32_t *out) {
  int i = int(xcc::global_id());
  each(array, own + 64 * i, i, out + i * Results);
}

std::uint32_t array[Size], out[256 * Results];

int main() {
  for (int i = 0; i < Size; ++i)
    array[i] = std::uint32_t(i) * 2654435761u ^ std::uint32_t(i) << 7;
  xcc::buffer<std::uint32_t> from(Size), own(64 * 256), to(256 * Results);
  from.copy_from(array, Size);
  own.fill(7);
  xcc::launch({{4}, {64}}, kernel, from, own, to);
  to.copy_to(out, 256 * Results);
  int wrong = 0;
  for (int i = 0; i < 256; ++i) {
    std::uint32_t mine[64], expected[Results];
    for (std::uint32_t &value : mine)
      value = 7;
    each(array, mine, i, expected);
    for (int k = 0; k < Results; ++k)
      if (expected[k] != out[i * Results + k] && wrong++ < 10)
        std::printf("%d of %d: %x, not %x\n", k, i, out[i * Results + k],
                    expected[k]);
  }
  // CHECK: 0 wrong
  std::printf("%d wrong\n", wrong);
}
