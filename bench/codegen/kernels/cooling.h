// A gas that cools
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it, and the host checks with it.

#ifndef XCC_BENCH_CODEGEN_COOLING_H
#define XCC_BENCH_CODEGEN_COOLING_H

#include "../suite.h"
#include <cmath>

namespace suite {

/// The rate at which gas of a temperature and density cools, from a table over
/// the logarithm of the temperature.
SUITE_INLINE double coolingRate(const double *table, int entries, double kelvin,
                                double density) {
  double at = (log10(kelvin) - 4) * (entries - 1) / 5;
  int k = at < 0 ? 0 : at > entries - 2 ? entries - 2 : int(at);
  double part = at - k;
  double lambda = table[k] + part * (table[k + 1] - table[k]);
  return pow(10.0, lambda) * density * density;
}

/// The energy after a time step, by an implicit step that bisects.
SUITE_INLINE double cool(const double *table, int entries, double energy,
                         double density, double step) {
  double low = energy * 0.01, high = energy;
  for (int k = 0; k < 60 && high - low > 1e-6 * energy; ++k) {
    double middle = 0.5 * (low + high);
    double rate = coolingRate(table, entries, middle * 8000, density);
    if (middle - energy + rate * step > 0)
      high = middle;
    else
      low = middle;
  }
  return 0.5 * (low + high);
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_COOLING_H
