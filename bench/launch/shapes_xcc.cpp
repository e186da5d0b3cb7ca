// Unlike blocks as a grid, beside OpenMP's loop: the fastest of many, in turns,
// each with its wait.
#include "shapes.h"
#include <xcc/xcc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void block(double *out, const long *turns) {
  const auto b = xcc::block_idx().x;
  out[b] = chain(out[b], turns[b]);
}

template <class F> static double microseconds(F call) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  call();
  return std::chrono::duration<double>(clock::now() - start).count() * 1e6;
}

int main(int argc, char **argv) {
  const int times = argc > 1 ? std::atoi(argv[1]) : 100;
  for (const Shape &s : shapes) {
    std::vector<double> out(s.blocks), other(s.blocks);
    std::vector<long> turns(s.blocks);
    for (long b = 0; b != s.blocks; ++b)
      turns[b] = s.turns(b);
    double own = 1e9, theirs = 1e9;
    for (int i = 0; i != times; ++i) {
      own = std::min(own, microseconds([&] {
                       xcc::launch({{unsigned(s.blocks)}, {1}}, block,
                                   out.data(), turns.data());
                       xcc::synchronize();
                     }));
      theirs = std::min(theirs, microseconds([&] {
                          runOpenMP(s, {other.data(), turns.data()});
                        }));
    }
    std::printf("%-28s OpenMP %8.1f us, xcc %8.1f us, %.2f\n", s.name, theirs,
                own, theirs / own);
  }
}
