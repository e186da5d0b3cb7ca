// An empty parallel loop, one iteration for each core.
#include "timing.h"
#include <omp.h>

int main() {
  int n = omp_get_max_threads();
  print_median([n] {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      asm volatile("" ::: "memory");
  });
}
