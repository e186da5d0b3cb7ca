// What `xcc saxpy.cpp` compiles, for the host and for the CPU device.
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

void saxpy(int n, float a, const float *x, float *y) {
  if (int i = xcc::global_id(); i < n)
    y[i] += a * x[i];
}

int main() {
  int n = 100000;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  xcc::launch({{(n + 255) / 256}, {256}}, saxpy, n, 3.0f, x.data(), y.data());
  xcc::synchronize();
  for (float v : y)
    if (v != 5.0f)
      return std::printf("wrong: %f\n", v), 1;
  std::puts("right");
}
