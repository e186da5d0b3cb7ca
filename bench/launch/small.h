// Short kernels, as loops of OpenMP's.
#pragma once

struct Numbers {
  int n;
  float *x, *y;
};
void emptyOpenMP();
void saxpyOpenMP(const Numbers &a);
/// Eight multiplications and additions for each number.
void polynomialOpenMP(const Numbers &a);
