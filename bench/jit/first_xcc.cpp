// What the first launch of saxpy takes, until its result is there; devices are
// known and memory is allocated.
#include "first.h"
#include <vector>
#include <xcc/xcc.h>

static void saxpy(int n, float a, const float *x, float *y) {
  if (std::size_t i = xcc::global_id(); i < std::size_t(n))
    y[i] += a * x[i];
}

int main() {
  std::vector<float> ones(Count, 1.0f);
  xcc::buffer<float> x(Count), y(Count);
  x.copy_from(ones.data(), Count);
  y.copy_from(ones.data(), Count);
  measure([&] {
    xcc::launch({{Count / 256}, {256}}, saxpy, Count, 2.0f, x.data(), y.data());
    xcc::synchronize();
  });
  y.copy_to(ones.data(), Count);
  return ones[Count - 1] != 3;
}
