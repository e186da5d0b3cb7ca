// Matrices that a warp multiplies (mma.h): shapes, layouts and types.
// RUN: %xcc -foffload-cuda -O2 -x cuda %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
#include <vector>
using namespace nvcuda;
template <int M, int N, int K, class T, class S, class LA, class LB>
__global__ void gemm(const T *a, const T *b, const S *c, S *d, int n, int k) {
  auto fa = wmma::fragment<wmma::matrix_a, M, N, K, T, LA>();
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, S> fc, sum;
  wmma::fill_fragment(sum, 0.0f);
  unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * M,
           col = (blockIdx.y * blockDim.y + threadIdx.y) * N;
  for (int i = 0; i < k; i += K) {
    constexpr bool ra = std::is_same_v<LA, wmma::row_major>,
                   rb = std::is_same_v<LB, wmma::row_major>;
    wmma::load_matrix_sync(fa, a + (ra ? row * k + i : row + i * 64),
                           ra ? k : 64);
    wmma::load_matrix_sync(fb, b + (rb ? i * n + col : col * k + i),
                           rb ? n : k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::load_matrix_sync(fc, c + row * n + col, n, wmma::mem_row_major);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] = S(2) * sum.x[i] + fc.x[i];
  wmma::store_matrix_sync(d + row * n + col, fc, n, wmma::mem_row_major);
}
template <int M, int N, int K, class T, class S, class LA, class LB>
int test() {
  const int m = 64, n = 64, k = 32;
  T *a, *b;
  S *c, *d;
  cudaMallocManaged(&a, m * k * sizeof(T));
  cudaMallocManaged(&b, n * k * sizeof(T));
  cudaMallocManaged(&c, m * n * sizeof(S));
  cudaMallocManaged(&d, m * n * sizeof(S));
  for (int i = 0; i < m * k; i++)
    a[i] = T(i * 7 % 13 - 6);
  for (int i = 0; i < n * k; i++)
    b[i] = T(i * 5 % 11 - 5);
  for (int i = 0; i < m * n; i++)
    c[i] = S(i % 9);
  gemm<M, N, K, T, S, LA, LB>
      <<<dim3(m / M / 2, n / N / 2), dim3(64, 2)>>>(a, b, c, d, n, k);
  cudaDeviceSynchronize();
  constexpr bool ra = std::is_same_v<LA, wmma::row_major>,
                 rb = std::is_same_v<LB, wmma::row_major>;
  int wrong = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int q = 0; q < k; q++)
        s += float(ra ? a[i * k + q] : a[i + q * m]) *
             float(rb ? b[q * n + j] : b[j * k + q]);
      wrong += float(d[i * n + j]) != 2 * s + float(c[i * n + j]);
    }
  return wrong;
}
int main() {
  using R = wmma::row_major;
  using C = wmma::col_major;
  printf("%d %d %d %d %d %d\n", test<16, 16, 16, half, float, R, C>(),
         test<16, 16, 16, half, half, C, R>(),
         test<32, 8, 16, half, float, R, R>(),
         test<8, 32, 16, half, float, R, C>(),
         test<16, 16, 16, signed char, int, R, C>(),
         test<8, 8, 4, double, double, R, C>());
}
// CHECK: 0 0 0 0 0 0
