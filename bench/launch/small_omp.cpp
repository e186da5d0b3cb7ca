// Short kernels, as loops of OpenMP's.
#include "small.h"
#include <omp.h>

void emptyOpenMP() {
  const int threads = omp_get_max_threads();
#pragma omp parallel for
  for (int i = 0; i < threads; ++i)
    asm volatile("");
}

void saxpyOpenMP(const Numbers &a) {
  const int n = a.n;
  float *x = a.x, *y = a.y;
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = 0.5f * x[i] + y[i];
}

void polynomialOpenMP(const Numbers &a) {
  const int n = a.n;
  float *y = a.y;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float v = y[i];
    for (int k = 0; k < 8; ++k)
      v = v * 0.5f + 1;
    y[i] = v;
  }
}
