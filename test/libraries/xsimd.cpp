// xsimd, whose batches are the intrinsics' own: of SSE2, and of AVX2 and FMA.
//
// REQUIRES: xsimd, simulators
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %gpus %s -o %t && %on-nvidia %t && %on-amd %t
// RUN: %xcc -std=c++20 -O2 -march=haswell %gpus %s -o %t && %on-nvidia %t && %on-amd %t
#include "Inputs/both.h"
#include <xsimd/xsimd.hpp>

int main() {
  std::vector<float> numbers;
  for (int i = 0; i < 32; ++i)
    numbers.push_back(float(i) * 0.37f - 3);
  both("batches", numbers, [](float *p) {
    using batch = xsimd::batch<float>;
    constexpr int size = batch::size;
    for (int i = 0; i + size <= 32; i += size) {
      batch a = batch::load_unaligned(p + i);
      batch c = xsimd::sqrt(xsimd::abs(a)) + xsimd::exp(a * 0.1f) * xsimd::sin(a);
      c = xsimd::select(a > batch(2.0f), c, xsimd::min(a, c));
      c = xsimd::fma(c, a, batch(1.0f)) + xsimd::floor(a);
      c += xsimd::to_float(xsimd::to_int(a));
      c += batch(xsimd::hadd(a) * 0.001f);
      c.store_unaligned(p + i);
    }
  });
}
