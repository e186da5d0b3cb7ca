// What kernels read and write of what their closures refer to, in the images' tables.
// RUN: %xcc %headers -std=c++20 -O2 -w -offload-arch=host,sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: %python %S/Inputs/access.py %xcc-info %s %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -w -offload-arch=host,sm_90 -foffload-no-cubin %s -o %t
// RUN: %python %S/Inputs/access.py %xcc-info %s %t --covers | FileCheck %s
// CHECK: checked, 0 wrong
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>
#include <xcc/xcc.h>

struct Pair {
  float x, y;
};
struct Spans {
  std::span<float> to, from;
  int n;
};

int main() {
  std::size_t n = 100;
  float a = 2;
  int sum = 0;
  std::vector<float> x(n), y(n);
  std::vector<std::vector<int>> rows(n);
  std::vector<std::string> words(n);
  std::vector<std::uint8_t> bytes(n), others(n);
  std::vector<Pair> pairs(n), more(n);
  std::vector<double> numbers(n);
  std::vector<long> longs(n);
  std::array<std::vector<int>, 3> three;
  std::unique_ptr<float[]> owned(new float[n]);
  std::optional<std::vector<int>> perhaps;
  std::tuple<int, std::vector<int>> both;
  std::atomic<int> count = 0;
  Spans spans{x, y, 3};

  // access: 0:r,8:r,16:r,0.0:rw,16.0:r
  xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
  // access: 0:r,8:r,0.0:w,8.0:r
  xcc::parallel_for(n, [&](std::size_t i) { y[i] = x[i]; });
  // access: 0:w,8:r
  xcc::parallel_for(n, [&](std::size_t) { a = y.size(); });
  // access: 0:r,0.0:r,0.0.*:rw
  xcc::parallel_for(n, [&](std::size_t i) { rows[i][2] += 1; });
  // access: 0:w,8:r,8.0:r
  xcc::parallel_for(n, [&](std::size_t i) { a = rows[i].size(); });
  // access: 0:r,0.0:r,0.0.*:w
  xcc::parallel_for(n, [&](std::size_t i) { words[i][0] = 'a'; });
  // access: 0:r,8:r,0.0:w,8.0:r,8.0.*+:rw
  xcc::parallel_for(n, [&](std::size_t i) { bytes[i] = others[i] + 1; });
  // access: 0:r,8:r,0.0:w,8.0:r
  xcc::parallel_for(n, [&](std::size_t i) { pairs[i] = {more[i].y, more[i].x}; });
  // access: 0:r,8:r,0.0:w,8.0:rw
  xcc::parallel_for(n, [&](std::size_t i) { numbers[i] = longs[i]++; });
  // access: 0:r,0.*:w
  xcc::parallel_for(n, [&](std::size_t i) { three[i % 3][i] = 1; });
  // access: 0:r,8:r,16:r,0.0:w,8.0:w,16.0:r
  xcc::parallel_for(n, [&](std::size_t i) { owned[i] = 1, (*perhaps)[i] = std::get<1>(both)[i]; });
  // access: 0:r,0.0:w,0.16:r
  xcc::parallel_for(n, [&](std::size_t i) { spans.to[i] = spans.from[i]; });
  // access: 0:w,16:r
  xcc::parallel_for(n, [=](std::size_t i) { spans.to[i] = spans.from[i]; });
  // access: 0:rw,8:rw
  xcc::parallel_for(n, [&](std::size_t) { std::atomic_ref(sum).fetch_add(1), ++count; });
  // access: 0:r,8:r,0.0:w,8.0:r
  xcc::parallel_for(n, [&](std::size_t i) { y.at(i) = x.at(i); });
  // access: 0:w,8:r,8.0:r
  xcc::parallel_for(n, [&](std::size_t) { a = std::accumulate(x.begin(), x.begin() + 9, 0.f); });
  // access: 0:w
  xcc::parallel_for(n, [&](std::size_t i) { std::vector<int> own(9, i); a = own[3]; });
}
