// _Float16 and __bf16 in what is written for any number: comparisons of vectors and
// scans by a largest one, sorts with NaNs, warps that match, atomics of one alone,
// and host code, which computes with both.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -shared-libxcc %s -o %t && %t | FileCheck %s
#include <atomic>
#include <cstdio>
#include <vector>
#include <xcc/algorithm.h>
#include <xcc/xcc.h>

template <class Number> __attribute__((noinline)) Number half_of(Number x) {
  return x * Number(0.5) + Number(1);
}

template <class Number> static void all(const char *name) {
  using four = Number __attribute__((vector_size(8)));
  const int n = 256;
  std::vector<Number> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[std::size_t(i)] = Number(float((i * 37) % 64) / 4 - 4);
  numbers[100] = Number(__builtin_nanf(""));
  numbers[7] = Number(__builtin_huge_valf());
  numbers[9] = Number(-__builtin_huge_valf());
  numbers[11] = Number(-0.0f);
  xcc::buffer<Number> x(numbers), y(n);

  // NaN last, and what is equal in its order.
  xcc::sort(x);
  auto sorted = x.to_vector();
  bool right = sorted[n - 1] != sorted[n - 1];
  for (int i = 1; i < n - 1; ++i)
    right &= sorted[std::size_t(i - 1)] <= sorted[std::size_t(i)];
  xcc::sort(x, std::greater<>());
  sorted = x.to_vector();
  right &= sorted[0] != sorted[0] && float(sorted[1]) == __builtin_huge_valf();

  for (int i = 0; i < n; ++i)
    numbers[std::size_t(i)] = Number(float((i * 37) % 64) / 4 - 4);
  x.copy_from(numbers);
  xcc::inclusive_scan(x, y, [](Number a, Number b) { return a > b ? a : b; });
  const auto largest = y.to_vector();
  Number most = numbers[0];
  for (std::size_t i = 0; i < n; ++i) {
    most = numbers[i] > most ? numbers[i] : most;
    right &= largest[i] == most;
  }

  xcc::buffer<Number> one(1);
  xcc::buffer<int> wrong(1), counts(4);
  one.fill(Number(0));
  wrong.fill(0);
  xcc::histogram(x, counts, xcc::even_bins<Number>(Number(-4), Number(12), 4));
  right &= counts.to_vector()[0] == n / 4;
  xcc::launch({{1}, {32}}, [](const Number *x, Number *one, int *wrong) {
    const unsigned lane = xcc::lane_id();
    if (xcc::match_any(Number(float(lane % 4))).count() != 8)
      *wrong = 1;
    four v = {x[lane], x[lane + 1], x[lane + 2], x[lane + 3]};
    const four above = v > Number(2) ? v : -v;
    for (int i = 0; i < 4; ++i)
      if (above[i] != (v[i] > Number(2) ? v[i] : Number(-v[i])))
        *wrong = 2;
    std::atomic_ref<Number> sum(*one);
    Number old = sum.load();
    while (!sum.compare_exchange_weak(old, Number(old + Number(1))))
      ;
  }, x, one, wrong);
  std::printf("%s %d %d %g %g\n", name, right, wrong.to_vector()[0],
              double(one.to_vector()[0]), double(half_of(numbers[0])));
}

int main() {
  all<_Float16>("_Float16"); // CHECK: _Float16 1 0 32 -1
  all<__bf16>("__bf16");     // CHECK-NEXT: __bf16 1 0 32 -1
}
