// Short kernels beside OpenMP's loops: the fastest of many, each with its wait.
// usage: small_xcc [CALLS]
// A side makes all calls of a turn, then both sleep: OpenMP's threads spin for
// 200 ms after a loop, and would take the cores from xcc's.
#include "small.h"
#include <xcc/xcc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static void nothing() {}
static void saxpy(int n, const float *x, float *y) {
  if (int i = int(xcc::global_id()); i < n)
    y[i] = 0.5f * x[i] + y[i];
}
static void polynomial(int n, float *y) {
  if (int i = int(xcc::global_id()); i < n) {
    float v = y[i];
    for (int k = 0; k < 8; ++k)
      v = v * 0.5f + 1;
    y[i] = v;
  }
}

/// The tenth percentile of the calls' times is of those the system disturbs
/// least.
struct Times {
  std::vector<double> all;
  template <class F> void turn(int calls, F call) {
    using clock = std::chrono::steady_clock;
    for (int i = 0; i != calls; ++i) {
      const auto start = clock::now();
      call();
      all.push_back(
          std::chrono::duration<double>(clock::now() - start).count() * 1e6);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  double at(double part) {
    std::sort(all.begin(), all.end());
    return all[size_t(part * double(all.size() - 1))];
  }
};

static int calls = 1000;

template <class Own, class Other>
static void compare(const char *name, int n, Own own, Other other) {
  Times mine, theirs;
  for (int turn = 0; turn != 6; ++turn) {
    mine.turn(calls, own);
    theirs.turn(calls, other);
  }
  std::printf("%-10s %7d  least: OpenMP %7.2f us, xcc %7.2f us, %5.2f"
              "   tenth: %7.2f %7.2f %5.2f\n",
              name, n, theirs.at(0), mine.at(0), theirs.at(0) / mine.at(0),
              theirs.at(.1), mine.at(.1), theirs.at(.1) / mine.at(.1));
  std::fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc > 1)
    calls = std::atoi(argv[1]);
  compare(
      "empty", 0,
      [] {
        xcc::launch({{2}, {1}}, nothing);
        xcc::synchronize();
      },
      emptyOpenMP);
  for (int n : {1000, 5000, 10000, 20000, 50000, 100000, 400000}) {
    std::vector<float> x(n, 1), y(n, 2), other(n, 2);
    const Numbers all{n, x.data(), other.data()};
    const unsigned blocks = unsigned(n + 255) / 256;
    compare(
        "saxpy", n,
        [&] {
          xcc::launch({{blocks}, {256}}, saxpy, n, x.data(), y.data());
          xcc::synchronize();
        },
        [&] { saxpyOpenMP(all); });
    compare(
        "polynomial", n,
        [&] {
          xcc::launch({{blocks}, {256}}, polynomial, n, y.data());
          xcc::synchronize();
        },
        [&] { polynomialOpenMP(all); });
    if (y != other) {
      std::puts("different results");
      return 1;
    }
  }
}
