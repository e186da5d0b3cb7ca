// OpenMP is for the host's threads: a GPU's pass reads its directives as
// comments, and has its macro, by which code and types may be chosen.
// RUN: %xcc -fopenmp -Wall -Werror -c --offload-arch=host,sm_90,gfx1100 -foffload-no-cubin %s -o %t.o
// RUN: %xcc -fopenmp -S -emit-llvm -foffload-host-only %s -o - | FileCheck --check-prefix=HOST %s
// RUN: %xcc -fopenmp -S -foffload-device-only --offload-arch=sm_90 %s -o - | FileCheck --check-prefix=GPU %s
// RUN: %xcc -fopenmp-simd -Werror -c -DSIMD --offload-arch=sm_90,gfx1100 -foffload-no-cubin %s -o %t.o
// HOST: call void {{.*}}@__kmpc_fork_call
// GPU-NOT: kmpc
// GPU: .entry
// GPU-NOT: kmpc
#include <vector>
#include <xcc/xcc.h>

#if defined(_OPENMP) == defined(SIMD)
#error "the macro is the host's"
#endif
#ifdef _OPENMP
struct Options {
  long n;
};
#else
struct Options {
  int n;
};
#endif

static thread_local int mine;
double sum(const std::vector<double> &v) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (std::size_t i = 0; i < v.size(); ++i) {
    __float128 wide = v[i];
    s += double(wide) + mine;
  }
#pragma omp simd
  for (int i = 0; i < 8; ++i)
    mine += i;
  return s;
}
void scale(double *p, Options options) {
#pragma omp simd
  for (long i = 0; i < options.n; ++i)
    p[i] *= 2;
}
void run(double *p) { xcc::launch({1, 1}, scale, p, Options{8}); }
