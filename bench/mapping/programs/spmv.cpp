// A sparse matrix times a vector
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  constexpr std::size_t Rows = N / 4;
  std::vector<int> row(Rows + 1), column(4 * Rows);
  std::vector<double> value(4 * Rows, 0.5), x = ramp<double>(Rows), y(Rows, 1);
  for (std::size_t r = 0; r < Rows; ++r) {
    row[r + 1] = 4 * int(r + 1);
    for (std::size_t k = 0; k < 4; ++k)
      column[4 * r + k] = int((r * 7 + k * 131) % Rows);
  }
#ifdef _OPENMP
  int *rows = row.data(), *columns = column.data();
  double *vs = value.data(), *xs = x.data(), *ys = y.data();
#pragma omp target teams distribute parallel for map(                          \
        to : rows[ : Rows + 1], columns[ : 4 * Rows], vs[ : 4 * Rows],         \
            xs[ : Rows]) map(tofrom : ys[ : Rows])
  for (std::size_t r = 0; r < Rows; ++r)
    for (int k = rows[r]; k < rows[r + 1]; ++k)
      ys[r] += vs[k] * xs[columns[k]];
#else
  xcc::parallel_for(Rows, [&](std::size_t r) {
    for (int k = row[r]; k < row[r + 1]; ++k)
      y[r] += value[k] * x[column[k]];
  });
  xcc::synchronize();
#endif
  print(y);
}
