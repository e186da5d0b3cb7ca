// The same program for the host alone.
#include <cstdio>
#include <vector>

void saxpy(int n, float a, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

int main() {
  int n = 100000;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  saxpy(n, 3.0f, x.data(), y.data());
  for (float v : y)
    if (v != 5.0f)
      return std::printf("wrong: %f\n", v), 1;
  std::puts("right");
}
