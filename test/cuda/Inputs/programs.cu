// Nine programs of the usual shapes in CUDA, which xcc-cudaify ports
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <stdio.h>
#include <vector>
#define N 64
#define TILE 16
__constant__ float coef[9];
__global__ void matmul(float *C, const float *A, const float *B, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float acc = 0.f;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[y * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      acc = fmaf(As[threadIdx.y][k], Bs[k][threadIdx.x], acc);
    __syncthreads();
  }
  C[y * n + x] = acc;
}
__global__ void histogram(unsigned *bins, const unsigned char *data, int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    atomicAdd(&local[data[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i])
      atomicAdd(bins + i, local[i]);
}
__global__ void filter(uchar4 *out, const uchar4 *in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float3 s = make_float3(0.f, 0.f, 0.f);
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
      int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), h - 1);
      uchar4 p = in[yy * w + xx];
      float c = coef[(j + 1) * 3 + i + 1];
      s.x += c * p.x;
      s.y += c * p.y;
      s.z += c * p.z;
    }
  out[y * w + x] = make_uchar4((unsigned char)s.x, (unsigned char)s.y,
                               (unsigned char)s.z, 255);
}
__global__ void setup(curandState *state, unsigned long long seed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    curand_init(seed, i, 0, &state[i]);
}
__global__ void pi(curandState *state, unsigned long long *hits, int tries) {
  curandState s = state[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned in = 0;
  for (int i = 0; i < tries; ++i) {
    float x = curand_uniform(&s), y = curand_uniform(&s);
    in += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, (unsigned long long)in);
  state[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void bitonic(int *v, int j, int k) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x, o = i ^ j;
  if (o > i) {
    bool up = (i & k) == 0;
    if ((v[i] > v[o]) == up) {
      int t = v[i];
      v[i] = v[o];
      v[o] = t;
    }
  }
}
__global__ void haxpy(int n, half a, const half2 *x, half2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}
__global__ void bodies(float4 *a, const float4 *p, int n) {
  extern __shared__ float4 sh[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float3 acc = {0, 0, 0};
  for (int t = 0; t < gridDim.x; ++t) {
    sh[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      float dx = sh[k].x - me.x, dy = sh[k].y - me.y, dz = sh[k].z - me.z,
            r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-2f),
            s = sh[k].w * r * r * r;
      acc.x += dx * s;
      acc.y += dy * s;
      acc.z += dz * s;
    }
    __syncthreads();
  }
  a[i] = make_float4(acc.x, acc.y, acc.z, 0);
}
struct Node {
  int start, count;
};
__global__ void bfs(const Node *nodes, const int *edges, bool *mask, bool *next,
                    bool *seen, int *cost, int n, bool *again) {
  int t = blockIdx.x * 64 + threadIdx.x;
  if (t < n && mask[t]) {
    mask[t] = false;
    for (int i = nodes[t].start; i < nodes[t].start + nodes[t].count; ++i) {
      int id = edges[i];
      if (!seen[id]) {
        cost[id] = cost[t] + 1;
        next[id] = true;
        *again = true;
      }
    }
  }
}
__global__ void scan(int *out, const int *in, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x, off = 1;
  temp[2 * t] = in[2 * t];
  temp[2 * t + 1] = in[2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
      temp[b] += temp[a];
    }
    off *= 2;
  }
  if (t == 0)
    temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) {
      int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1;
      int x = temp[a];
      temp[a] = temp[b];
      temp[b] += x;
    }
  }
  __syncthreads();
  out[2 * t] = temp[2 * t];
  out[2 * t + 1] = temp[2 * t + 1];
}
template <class T> T *dev(const std::vector<T> &h) {
  T *d;
  cudaMalloc((void **)&d, h.size() * sizeof(T));
  cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> std::vector<T> back(const T *d, size_t n) {
  std::vector<T> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return h;
}
int failures = 0;
void expect(bool ok, const char *what) {
  if (!ok) {
    ++failures;
    printf("FAIL %s\n", what);
  }
}
int main(int argc, char *argv[]) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  {
    std::vector<float> A(N * N), B(N * N);
    for (int i = 0; i < N * N; ++i)
      A[i] = i % 5, B[i] = i % 3;
    float *a = dev(A), *b = dev(B), *c;
    cudaMalloc(&c, N * N * sizeof(float));
    dim3 block(TILE, TILE), grid(N / TILE, N / TILE);
    cudaEventRecord(start);
    matmul<<<grid, block>>>(c, a, b, N);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    auto C = back(c, N * N);
    bool ok = true;
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x) {
        float s = 0;
        for (int k = 0; k < N; ++k)
          s += A[y * N + k] * B[k * N + x];
        ok &= s == C[y * N + x];
      }
    expect(ok, "matmul");
  }
  {
    std::vector<unsigned char> d(4000);
    for (size_t i = 0; i < d.size(); ++i)
      d[i] = i * 7;
    std::vector<unsigned> z(256), w(256);
    for (auto v : d)
      ++w[v];
    unsigned *bins = dev(z);
    histogram<<<4, 128>>>(bins, dev(d), d.size());
    expect(back(bins, 256) == w, "histogram");
  }
  {
    float k[9] = {0, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0};
    cudaMemcpyToSymbol(coef, k, sizeof(k));
    std::vector<uchar4> im(20 * 10);
    for (int i = 0; i < 200; ++i)
      im[i] = make_uchar4(i, 2 * (i % 100), 10, 0);
    uchar4 *in = dev(im), *out = dev(im);
    dim3 b(8, 8);
    filter<<<dim3((20 + b.x - 1) / b.x, (10 + b.y - 1) / b.y), b>>>(out, in, 20,
                                                                    10);
    auto r = back(out, 200);
    expect(r[5].x == 5 && r[19].x == 19 && r[5].y == 11 && r[5].w == 255,
           "filter");
  }
  {
    curandState *st;
    cudaMalloc((void **)&st, 256 * sizeof(curandState));
    unsigned long long *h;
    cudaMallocManaged(&h, 8);
    *h = 0;
    setup<<<2, 128>>>(st, 1234ULL, 256);
    pi<<<2, 128>>>(st, h, 100);
    cudaDeviceSynchronize();
    double p = 4.0 * *h / 25600;
    expect(p > 3.05 && p < 3.25, "pi");
  }
  {
    std::vector<int> v(256);
    for (int i = 0; i < 256; ++i)
      v[i] = (i * 97) % 256;
    int *d = dev(v);
    for (int k = 2; k <= 256; k <<= 1)
      for (int j = k >> 1; j > 0; j >>= 1)
        bitonic<<<2, 128>>>(d, j, k);
    std::sort(v.begin(), v.end());
    expect(back(d, 256) == v, "bitonic");
  }
  {
    std::vector<half2> x(64, __floats2half2_rn(1.f, 2.f)),
        y(64, __float2half2_rn(0.5f));
    half2 *dy = dev(y);
    haxpy<<<1, 64>>>(64, __float2half(2.0f), dev(x), dy);
    auto r = back(dy, 64);
    expect(__low2float(r[9]) == 2.5f && __high2float(r[9]) == 4.5f, "haxpy");
  }
  {
    std::vector<float4> p(128);
    for (int i = 0; i < 128; ++i)
      p[i] = make_float4(i % 4, i / 4 % 4, i / 16, 1);
    float4 *a;
    cudaMalloc(&a, 128 * sizeof(float4));
    bodies<<<2, 64, 64 * sizeof(float4)>>>(a, dev(p), 128);
    auto r = back(a, 128);
    float sx = 0;
    for (auto &v : r)
      sx += v.x;
    expect(sx > -1e-2f && sx < 1e-2f && r[0].x > 0, "bodies");
  }
  {
    int n = 100;
    std::vector<Node> g(n);
    std::vector<int> e;
    for (int i = 0; i < n; ++i) {
      g[i] = {(int)e.size(), 2};
      e.push_back((i + 1) % n);
      e.push_back((i * 2) % n);
    }
    bool *mask, *next, *seen, *again;
    int *cost;
    cudaMallocManaged(&mask, n);
    cudaMallocManaged(&next, n);
    cudaMallocManaged(&seen, n);
    cudaMallocManaged(&again, 1);
    cudaMallocManaged(&cost, n * 4);
    for (int i = 0; i < n; ++i)
      mask[i] = next[i] = seen[i] = false, cost[i] = -1;
    mask[1] = seen[1] = true;
    cost[1] = 0;
    Node *dn = dev(g);
    int *de = dev(e);
    do {
      *again = false;
      bfs<<<(n + 63) / 64, 64>>>(dn, de, mask, next, seen, cost, n, again);
      cudaDeviceSynchronize();
      for (int i = 0; i < n; ++i)
        if (next[i]) {
          seen[i] = mask[i] = true;
          next[i] = false;
        }
    } while (*again);
    expect(cost[2] == 1 && cost[4] == 2 && cost[64] == 6 && cost[99] > 0,
           "bfs");
  }
  {
    std::vector<int> v(64);
    for (int i = 0; i < 64; ++i)
      v[i] = i + 1;
    int *d = dev(v), *o = dev(v);
    scan<<<1, 32, 64 * sizeof(int)>>>(o, d, 64);
    auto r = back(o, 64);
    expect(r[0] == 0 && r[63] == 63 * 64 / 2, "scan");
  }
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  expect(ms >= 0, "events");
  expect(cudaGetLastError() == cudaSuccess, "errors");
  printf("%s\n", failures ? "FAIL" : "PASS");
  return failures;
}
