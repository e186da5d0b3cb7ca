// Texture and surface objects of arrays, linear and pitched memory: filters, addressing, normalized coordinates, copies of arrays in two and three dimensions.
// RUN: %xcc -foffload-cuda -O0 -x cuda %s -o %t && %t | FileCheck %s
// RUN: %xcc -foffload-cuda -O2 -x cuda %s -o %t && %t | FileCheck %s
// CHECK: PASS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
__global__ void volume(cudaTextureObject_t t, float *out, int n) {
  int i = threadIdx.x;
  out[i] = tex3D<float>(t, (i + 0.25f) / n, 0.5f, 0.75f);
}
__global__ void bytes(cudaTextureObject_t t, cudaTextureObject_t raw, uchar4 *o,
                      float4 *f) {
  int i = threadIdx.x;
  o[i] = tex2D<uchar4>(raw, i - 1, 1);
  f[i] = tex2D<float4>(t, i + 0.5f, 0.5f);
}
__global__ void wraps(cudaTextureObject_t w, cudaTextureObject_t m,
                      cudaTextureObject_t b, float *o) {
  int i = threadIdx.x;
  float x = (i - 8 + 0.5f) / 4;
  o[i] =
      tex1D<float>(w, x) + 10 * tex1D<float>(m, x) + 100 * tex1D<float>(b, x);
}
__global__ void paint(cudaSurfaceObject_t s, int w) {
  int x = threadIdx.x, y = blockIdx.x;
  float v;
  surf2Dread(&v, s, x * 4, y);
  surf2Dwrite(v + 100 * y + x, s, x * 4, y, cudaBoundaryModeTrap);
  if (x == 0)
    surf2Dwrite(5.f, s, w * 4, y, cudaBoundaryModeZero);
}
static cudaTextureObject_t make(cudaArray_t a, cudaTextureAddressMode mode,
                                cudaTextureFilterMode filter,
                                cudaTextureReadMode read, bool norm) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc d;
  memset(&d, 0, sizeof d);
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
  d.filterMode = filter;
  d.readMode = read;
  d.normalizedCoords = norm;
  d.borderColor[0] = 9;
  cudaTextureObject_t t = 0;
  if (cudaCreateTextureObject(&t, &r, &d, NULL) != cudaSuccess)
    printf("create: %s\n", cudaGetErrorString(cudaGetLastError()));
  return t;
}
__global__ void fetches(cudaTextureObject_t linear, cudaTextureObject_t pitched,
                        float4 *out, short2 *pairs) {
  out[threadIdx.x] = tex1Dfetch<float4>(linear, threadIdx.x);
  pairs[threadIdx.x] = tex2D<short2>(pitched, threadIdx.x, 1);
}
static bool linear_memory() {
  float4 *from, *out;
  short2 *rows, *pairs;
  size_t pitch;
  cudaMallocManaged(&from, 4 * sizeof *from);
  cudaMallocManaged(&out, 5 * sizeof *out);
  cudaMallocManaged(&pairs, 5 * sizeof *pairs);
  short2 host[2][3] = {{{1, -1}, {2, -2}, {3, -3}},
                       {{4, -4}, {5, -5}, {6, -6}}};
  cudaMallocPitch(&rows, &pitch, sizeof host[0], 2);
  cudaMemcpy2D(rows, pitch, host, sizeof host[0], sizeof host[0], 2,
               cudaMemcpyHostToDevice);
  for (int i = 0; i < 4; ++i)
    from[i] = make_float4(i, 2 * i, 3, 4);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = from;
  r.res.linear.desc = cudaCreateChannelDesc<float4>();
  r.res.linear.sizeInBytes = 4 * sizeof(float4);
  cudaTextureDesc d = {};
  cudaTextureObject_t linear, pitched;
  cudaCreateTextureObject(&linear, &r, &d, nullptr);
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = rows;
  r.res.pitch2D.desc = cudaCreateChannelDesc<short2>();
  r.res.pitch2D.width = 3;
  r.res.pitch2D.height = 2;
  r.res.pitch2D.pitchInBytes = pitch;
  d.addressMode[0] = cudaAddressModeClamp;
  cudaCreateTextureObject(&pitched, &r, &d, nullptr);
  fetches<<<1, 5>>>(linear, pitched, out, pairs);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 5; ++i) {
    good &= out[i].y == (i < 4 ? 2 * i : 0) && out[i].w == (i < 4 ? 4 : 0);
    good &= pairs[i].x == (i < 3 ? 4 + i : 6) && pairs[i].y == -pairs[i].x;
  }
  // Filters are of numbers with a fraction.
  d.filterMode = cudaFilterModeLinear;
  good &= cudaCreateTextureObject(&pitched, &r, &d, nullptr) ==
          cudaErrorInvalidValue;
  cudaGetLastError();
  cudaDestroyTextureObject(linear);
  return good;
}
int main() {
  const int n = 4;
  bool good = true;
  float h[n * n * n];
  for (int i = 0; i < n * n * n; ++i)
    h[i] = i;
  cudaExtent size = make_cudaExtent(n, n, n);
  cudaArray *a;
  cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
  good &= cudaMalloc3DArray(&a, &c, size) == cudaSuccess;
  cudaMemcpy3DParms p = {0};
  p.srcPtr = make_cudaPitchedPtr(h, n * sizeof(float), n, n);
  p.dstArray = a;
  p.extent = size;
  p.kind = cudaMemcpyHostToDevice;
  good &= cudaMemcpy3D(&p) == cudaSuccess;
  float *o;
  cudaMallocManaged(&o, 64 * 4);
  volume<<<1, n>>>(make(a, cudaAddressModeClamp, cudaFilterModeLinear,
                        cudaReadModeElementType, true),
                   o, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    float x = i + 0.25f - 0.5f;
    if (x < 0)
      x = 0;
    float want = x + 4 * 1.5f + 16 * 2.5f;
    if (fabs(o[i] - want) > 1e-4) {
      good = false;
      printf("3D %d: %g, not %g\n", i, o[i], want);
    }
  }
  uchar4 hb[12];
  for (int i = 0; i < 12; ++i)
    hb[i] = make_uchar4(i, 255, 51, 2 * i);
  cudaArray_t ab;
  cudaChannelFormatDesc cb = cudaCreateChannelDesc<uchar4>();
  good &= cudaMallocArray(&ab, &cb, 4, 3) == cudaSuccess;
  good &= cudaMemcpy2DToArray(ab, 0, 0, hb, 4 * 4, 4 * 4, 3,
                              cudaMemcpyHostToDevice) == cudaSuccess;
  uchar4 *ob;
  float4 *of;
  cudaMallocManaged(&ob, 24);
  cudaMallocManaged(&of, 16 * 6);
  bytes<<<1, 6>>>(make(ab, cudaAddressModeBorder, cudaFilterModePoint,
                       cudaReadModeNormalizedFloat, false),
                  make(ab, cudaAddressModeClamp, cudaFilterModePoint,
                       cudaReadModeElementType, false),
                  ob, of);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) {
    int x = i < 1 ? 0 : i > 4 ? 3 : i - 1;
    good &= ob[i].x == 4 + x && ob[i].w == 2 * (4 + x) && ob[i].y == 255;
    good &= i < 4 ? of[i].y == 1 && fabs(of[i].z - 0.2f) < 1e-6 &&
                        fabs(of[i].x - i / 255.0f) < 1e-6
                  : of[i].x == 9;
  }
  cudaArray_t a1;
  good &= cudaMallocArray(&a1, &c, 4) == cudaSuccess;
  good &=
      cudaMemcpyToArray(a1, 0, 0, h, 16, cudaMemcpyHostToDevice) == cudaSuccess;
  wraps<<<1, 16>>>(make(a1, cudaAddressModeWrap, cudaFilterModePoint,
                        cudaReadModeElementType, true),
                   make(a1, cudaAddressModeMirror, cudaFilterModePoint,
                        cudaReadModeElementType, true),
                   make(a1, cudaAddressModeBorder, cudaFilterModePoint,
                        cudaReadModeElementType, true),
                   o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i) {
    int x = i - 8, w = ((x % 4) + 4) % 4, m8 = ((x % 8) + 8) % 8,
        m = m8 < 4 ? m8 : 7 - m8, b = x >= 0 && x < 4 ? x : 9;
    if (o[i] != w + 10 * m + 100 * b) {
      good = false;
      printf("wrap %d: %g not %d\n", i, o[i], w + 10 * m + 100 * b);
    }
  }
  cudaArray_t s;
  good &=
      cudaMallocArray(&s, &c, 8, 4, cudaArraySurfaceLoadStore) == cudaSuccess;
  good &=
      cudaMemcpyToArray(s, 0, 0, h, 128, cudaMemcpyHostToDevice) == cudaSuccess;
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = s;
  cudaSurfaceObject_t so;
  good &= cudaCreateSurfaceObject(&so, &r) == cudaSuccess;
  paint<<<4, 8>>>(so, 8);
  float back[32];
  good &= cudaMemcpy2DFromArray(back, 32, s, 0, 0, 32, 4,
                                cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    good &= back[i] == h[i] + 100 * (i / 8) + i % 8;
  good &= cudaMemcpyToArray(s, 0, 0, h, 129, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue;
  cudaGetLastError();
  good &= linear_memory();
  puts(good ? "PASS" : "FAIL");
}
