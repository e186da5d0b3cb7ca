// The first program: vectors, a scalar, and [&], on every device.
// RUN: %everywhere
#include "Inputs/check.h"

#include <vector>

int main() {
  const std::size_t n = 1000;
  std::vector<float> x(n, 1), y(n, 2);
  float a = 2;
  xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
  // Nothing comes back in between.
  xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
  xcc::synchronize();
  for (float value : y)
    CHECK(value == 6);
  // What the host changes then is seen.
  y[7] = 100;
  a = 1;
  xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
  xcc::synchronize();
  CHECK(y[7] == 101 && y[8] == 7 && a == 1);
}
