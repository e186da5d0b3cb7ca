// Steps of shift registers, to both sides, of 8 to 64 bits, with polynomials that
// let many and few of them be one.
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <xcc/xcc.h>

template <class T, T Polynomial, int Steps> T right(T state) {
#pragma unroll
  for (int i = 0; i < Steps; ++i)
    state = T(state >> 1) ^ (state & 1 ? Polynomial : T(0));
  return state;
}
template <class T, T Polynomial, int Steps> T left(T state) {
#pragma unroll
  for (int i = 0; i < Steps; ++i)
    state = T(state << 1) ^ (state >> (sizeof(T) * 8 - 1) ? Polynomial : T(0));
  return state;
}
/// Each step has two constants, and one of its bits is wanted.
template <class T, T One, T Two, int Steps> T either(T state) {
  T bits = 0;
#pragma unroll
  for (int i = 0; i < Steps; ++i) {
    state = T(state >> 1) ^ (state & 4 ? One : Two);
    bits = T(bits << 1) | T(state >> 5 & 1);
  }
  return state ^ bits;
}
/// The state of each step is wanted.
template <class T, T Polynomial, int Steps> T summed(T state) {
  T sum = 0;
#pragma unroll
  for (int i = 0; i < Steps; ++i) {
    state = T(state >> 1) ^ (state & 1 ? Polynomial : T(0));
    sum = sum * 3 + state;
  }
  return sum;
}
/// A product in the field of 256 elements.
std::uint8_t product(std::uint8_t a, std::uint8_t b) {
  std::uint8_t sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (b >> i & 1)
      sum ^= a;
    a = std::uint8_t(a << 1) ^ (a & 0x80 ? 0x1b : 0);
  }
  return sum;
}

constexpr int Results = 14;
void each(std::uint64_t x, std::uint64_t *out) {
  auto w = std::uint32_t(x >> 13);
  auto h = std::uint16_t(x >> 7);
  *out++ = right<std::uint32_t, 0xedb88320u, 32>(w);
  *out++ = right<std::uint32_t, 0x80000057u, 32>(w);
  *out++ = right<std::uint32_t, 0x80000000u, 31>(w);
  *out++ = left<std::uint32_t, 0x04c11db7u, 32>(w);
  *out++ = left<std::uint32_t, 0x00000001u, 40>(w);
  *out++ = right<std::uint64_t, 0xc96c5795d7870f42u, 64>(x);
  *out++ = left<std::uint64_t, 0x42f0e1eba9ea3693u, 64>(x);
  *out++ = right<std::uint16_t, 0xa001, 16>(h);
  *out++ = left<std::uint16_t, 0x1021, 16>(h);
  *out++ = left<std::uint8_t, 0x07, 8>(std::uint8_t(x));
  *out++ = either<std::uint32_t, 0xedb88320u, 0x11000000u, 24>(w);
  *out++ = either<std::uint32_t, 0x00000060u, 0x00000100u, 24>(w);
  *out++ = summed<std::uint32_t, 0xedb88320u, 12>(w);
  *out++ = product(std::uint8_t(x), std::uint8_t(x >> 8));
}

void kernel(const std::uint64_t *in, std::uint64_t *out) {
  auto i = xcc::global_id();
  each(in[i], out + i * Results);
}

int main() {
  constexpr int Count = 256;
  std::uint64_t in[Count], out[Count * Results], x = 88172645463325252u;
  for (int i = 0; i < Count; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    in[i] = i < 64 ? std::uint64_t(1) << i : x;
  }
  xcc::buffer<std::uint64_t> from(Count), to(Count * Results);
  from.copy_from(in, Count);
  xcc::launch({{Count / 64}, {64}}, kernel, from, to);
  to.copy_to(out, Count * Results);
  int wrong = 0;
  for (int i = 0; i < Count; ++i) {
    std::uint64_t own[Results];
    each(in[i], own);
    for (int k = 0; k < Results; ++k)
      if (own[k] != out[i * Results + k] && wrong++ < 10)
        std::printf("%d of %llx: %llx, not %llx\n", k, (unsigned long long)in[i],
                    (unsigned long long)out[i * Results + k],
                    (unsigned long long)own[k]);
  }
  // CHECK: 0 wrong
  std::printf("%d wrong\n", wrong);
}
