// xcc::half and xcc::bfloat16: numbers of 16 bits give in each operation on the
// device what they give in host code, and both round once.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>
#include <xcc/half.h>
#include <xcc/xcc.h>

using xcc::bfloat16;
using xcc::half;

template <class Short> struct results {
  Short number[14];
  int flags;
};

template <class Short> results<Short> compute(unsigned i) {
  const Short a = Short::from_bits(std::uint16_t(i)),
              b = Short::from_bits(std::uint16_t(i * 40503u >> 3)),
              c = Short::from_bits(std::uint16_t(i * 2654435761u >> 16));
  results<Short> r{};
  Short *at = r.number;
  *at++ = a + b, *at++ = a - b, *at++ = a * b, *at++ = a / b;
  *at++ = sqrt(a), *at++ = fma(a, b, c), *at++ = -a, *at++ = a + 1;
  *at++ = Short(float(a) * 1.1f), *at++ = Short(double(a) * 1.000000001);
  *at++ = Short(static_cast<long long>(i) << (i % 45));
  *at = a, *at += b, *at *= 2, *at -= 0.25f, ++*at, (*at++)++;
  *at++ = floor(a), *at++ = copysign(abs(b), c);
  r.flags = (a < b) + 2 * (a == c) + 4 * isnan(a) + 8 * (a > 1) +
            16 * (1.5f <= a) + 32 * isinf(a) + 64 * signbit(a) +
            128 * isfinite(b);
  return r;
}

template <class Short> void everyNumber(const char *name, unsigned stride) {
  const unsigned count = (1 << 16) / stride;
  std::vector<results<Short>> all(count);
  xcc::parallel_for(count, [&](std::size_t i) {
    all[i] = compute<Short>(unsigned(i) * stride);
  });
  xcc::synchronize();
  int wrong = 0;
  unsigned long long sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    const results<Short> host = compute<Short>(i * stride);
    wrong += host.flags != all[i].flags;
    for (int k = 0; k < 14; ++k) {
      const Short want = host.number[k], got = all[i].number[k];
      wrong += want.bits() != got.bits() && !(isnan(want) && isnan(got));
      sum = sum * 31 + (isnan(want) ? 1 : want.bits());
    }
  }
  std::printf("%s: %d wrong of %u\n", name, wrong, count);
}

template <class Short> void limits() {
  using of = std::numeric_limits<Short>;
  std::ostringstream text;
  text << of::max() << ' ' << of::min() << ' ' << of::epsilon() << ' '
       << of::denorm_min() << ' ' << of::digits << ' ' << of::max_digits10
       << ' ' << of::max_exponent << ' ' << of::infinity();
  std::puts(text.str().c_str());
}

int main() {
  // CHECK: half: 0 wrong of 21845
  everyNumber<half>("half", 3);
  // CHECK-NEXT: bfloat16: 0 wrong of 21845
  everyNumber<bfloat16>("bfloat16", 3);
  // CHECK-NEXT: 65504 6.10352e-05 0.000976562 5.96046e-08 11 5 16 inf
  limits<half>();
  // CHECK-NEXT: 3.38953e+38 1.17549e-38 0.0078125 9.18355e-41 8 4 128 inf
  limits<bfloat16>();

  // Ties, and what lies a little beyond them: nothing is rounded twice.
  const half sum = fma(half(1.03125), half(1.015625), half::from_bits(1));
  // CHECK-NEXT: 3c31 4000 3c00 3c01 3f80 3f81
  std::printf("%04x %04x %04x %04x %04x %04x\n", sum.bits(), half(2).bits(),
              half(1.00048828125).bits(), half(1.00048828126).bits(),
              bfloat16(1.00390625).bits(), bfloat16(1.00390625000001).bits());
  // CHECK-NEXT: 5b80 7bff 7c00 5f00
  std::printf("%04x %04x %04x %04x\n", bfloat16(0x100000000000001).bits() + 0,
              half(65519.99).bits(), half(65520).bits(),
              bfloat16(0x8000000000000000u).bits());
  half read;
  std::istringstream("2.5") >> read;
  std::unordered_set<half> set = {read, half(2.5f), half(1)};
  static_assert(std::is_same_v<decltype(read + 1), half> &&
                std::is_same_v<decltype(1.0f * read), float> &&
                std::is_same_v<decltype(read - 1.0), double>);
  // CHECK-NEXT: 2.5 2 3.5 7
  std::printf("%g %zu %g %g\n", float(read), set.size(), float(read + 1),
              read * 2.8f);
}
