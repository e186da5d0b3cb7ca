// Arithmetic with a direction, of float and double: every bit is what the host's processor computes in that rounding mode, for random and for edge values.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>
#include <xcc/cuda.h>

constexpr int Operations = 7;

#define OF_DIRECTION(suffix)                                                   \
  __host__ __device__ inline void compute_##suffix(float *r, float a, float b, \
                                                   float c) {                  \
    r[0] = __fadd_##suffix(a, b), r[1] = __fsub_##suffix(a, b),                \
    r[2] = __fmul_##suffix(a, b);                                              \
    r[3] = __fdiv_##suffix(a, b), r[4] = __fsqrt_##suffix(a),                  \
    r[5] = __fmaf_##suffix(a, b, c);                                           \
    r[6] = __frcp_##suffix(b);                                                 \
  }                                                                            \
  __host__ __device__ inline void compute_##suffix(double *r, double a,        \
                                                   double b, double c) {       \
    r[0] = __dadd_##suffix(a, b), r[1] = __dsub_##suffix(a, b),                \
    r[2] = __dmul_##suffix(a, b);                                              \
    r[3] = __ddiv_##suffix(a, b), r[4] = __dsqrt_##suffix(a),                  \
    r[5] = __fma_##suffix(a, b, c);                                            \
    r[6] = __drcp_##suffix(b);                                                 \
  }
OF_DIRECTION(rz)
OF_DIRECTION(rd)
OF_DIRECTION(ru)

template <class T> struct triple {
  T a, b, c;
};
template <class T> __global__ void compute(const triple<T> *in, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T *r = out + i * 3 * Operations;
  compute_rz(r, in[i].a, in[i].b, in[i].c);
  compute_rd(r + Operations, in[i].a, in[i].b, in[i].c);
  compute_ru(r + 2 * Operations, in[i].a, in[i].b, in[i].c);
}

// Volatile, so that the processor computes each where it stands.
template <class T>
void expect(T *r, volatile T a, volatile T b, volatile T c, int mode) {
  std::fesetround(mode);
  volatile T made[Operations];
  made[0] = a + b, made[1] = a - b, made[2] = a * b, made[3] = a / b;
  made[4] = std::sqrt(T(a)), made[5] = std::fma(T(a), T(b), T(c)),
  made[6] = T(1) / b;
  std::fesetround(FE_TONEAREST);
  for (int i = 0; i < Operations; ++i)
    r[i] = made[i];
}
template <class T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T, class Word> int wrong(const char *name, int random_count) {
  using limits = std::numeric_limits<T>;
  const T edges[] = {0,
                     -0.0,
                     1,
                     -1,
                     3,
                     limits::min(),
                     limits::max(),
                     -limits::max(),
                     limits::denorm_min(),
                     -limits::denorm_min(),
                     limits::infinity(),
                     -limits::infinity(),
                     limits::quiet_NaN(),
                     limits::epsilon() / 2,
                     1 + limits::epsilon(),
                     limits::min() - limits::denorm_min()};
  std::vector<triple<T>> in;
  for (T a : edges)
    for (T b : edges)
      in.push_back({a, b, edges[in.size() % 16]}),
          in.push_back({a, b, T(-a * b)});
  std::mt19937_64 random(7);
  auto any = [&] {
    const Word word = static_cast<Word>(random());
    T made;
    std::memcpy(&made, &word, sizeof made);
    return made;
  };
  for (int i = 0; i < random_count; ++i) {
    const T a = any(), near = T(random() % 1000) / 16 - 20;
    in.push_back({a, any(), any()});
    in.push_back({near, a, T(-near * a)});
    in.push_back({T(a * near), T(-a), a});
    in.push_back({near, T(1) / near, T(-1)});
  }
  const int n = int(in.size());
  triple<T> *from;
  T *out;
  cudaMallocManaged(&from, n * sizeof *from);
  cudaMallocManaged(&out, n * 3 * Operations * sizeof(T));
  std::memcpy(from, in.data(), n * sizeof *from);
  xcc::cuda::configure((n + 63) / 64, 64), compute(from, out, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return -1;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    for (int mode = 0; mode < 3; ++mode) {
      T wanted[Operations];
      expect(wanted, in[i].a, in[i].b, in[i].c, modes[mode]);
      for (int at = 0; at < Operations; ++at) {
        const T got = out[(i * 3 + mode) * Operations + at];
        if (!same(got, wanted[at]) && ++count < 10)
          printf("%s mode %d operation %d of %a %a %a: %a, not %a\n", name,
                 mode, at, double(in[i].a), double(in[i].b), double(in[i].c),
                 double(got), double(wanted[at]));
      }
    }
  }
  cudaFree(from), cudaFree(out);
  return count;
}
__global__ void roots(const float *in, float *out) {
  out[threadIdx.x] = __frsqrt_rn(in[threadIdx.x]);
}

int main(int count, char **args) {
  const int random_count = count > 1 ? atoi(args[1]) : 40;
  printf("%d\n",
         wrong<float, unsigned>("float", random_count)); // CHECK: {{^}}0
  printf("%d\n", wrong<double, unsigned long long>(
                     "double", random_count)); // CHECK: {{^}}0
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  for (int i = 0; i < 64; ++i)
    in[i] = i < 60 ? 0.1f + 1.7f * i : 1e-44f * (63 - i);
  xcc::cuda::configure(1, 64), roots(in, out);
  cudaDeviceSynchronize();
  int good = 0;
  for (int i = 0; i < 64; ++i)
    good += out[i] == static_cast<float>(1 / sqrtl(in[i]));
  printf("%d\n", good); // CHECK: 64
}
