// Large copies on a device begin at different places in their pages: a kernel that walks many in step has them in
// different lines of the cache. What has an alignment keeps it.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=2 %t
#include "Inputs/check.h"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <span>
#include <vector>

int main() {
  constexpr int Many = 20;
  std::vector<std::vector<float>> fields(Many);
  for (auto &field : fields)
    field.assign(100'000, 1);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::size_t> places(Many);
    xcc::launch({{1}, {1}}, [&] {
      for (int k = 0; k < Many; ++k) {
        places[k] = reinterpret_cast<std::uintptr_t>(fields[k].data()) % 4096;
        fields[k][99'999] += 1;
      }
    });
    xcc::synchronize();
    std::set<std::size_t> lines;
    for (int k = 0; k < Many; ++k) {
      CHECK(fields[k][99'999] == float(round + 2) && fields[k][0] == 1);
      lines.insert(places[k] / 64);
    }
    CHECK(lines.size() >= Many / 2);
  }
  auto *aligned = static_cast<float *>(std::aligned_alloc(4096, 1 << 20));
  std::size_t at = 1;
  for (int round = 0; round < 3; ++round) {
    std::span<float> all(aligned, (1 << 20) / sizeof(float));
    xcc::launch({{1}, {1}}, [&at, all] {
      at = reinterpret_cast<std::uintptr_t>(all.data()) % 4096;
      all.back() = 1;
    });
    xcc::synchronize();
    CHECK(at == 0 && all.back() == 1);
  }
  std::free(aligned);
}
