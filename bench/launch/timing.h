// The median time of one call, after a warm-up: both sides measure alike.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

template <class F> void print_median(F call) {
  using clock = std::chrono::steady_clock;
  for (int i = 0; i < 2000; ++i)
    call();
  std::vector<double> seconds(20000);
  for (double &s : seconds) {
    auto start = clock::now();
    call();
    s = std::chrono::duration<double>(clock::now() - start).count();
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2,
                   seconds.end());
  std::printf("%.12f\n", seconds[seconds.size() / 2]);
}
