// Thrust and CUB, with an allocator that keeps memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     nvcc -O3 -std=c++17 -arch=sm_90 --extended-lambda algorithms_thrust.cu
//     xcc -O3 -std=c++20 --offload-arch=sm_90 -DALGORITHMS_ON_GPU algorithms_xcc.cpp

#include "suite.h"
#include <cub/cub.cuh>
#include <map>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

/// suite::item for both sides.
struct item {
  std::int64_t key;
  double weight;
  item() = default;
  __host__ __device__ item(int f) : key(f), weight(f) {}
  __host__ __device__ bool operator<(const item &o) const {
    return key < o.key;
  }
  __host__ __device__ bool operator==(const item &o) const {
    return key == o.key;
  }
  friend __host__ __device__ item operator+(const item &a, const item &b) {
    item s;
    s.key = std::int64_t(std::uint64_t(a.key) + std::uint64_t(b.key));
    s.weight = a.weight + b.weight;
    return s;
  }
};
/// Memory by its size.
struct cache {
  using value_type = char;
  std::multimap<std::ptrdiff_t, char *> free_;
  std::map<char *, std::ptrdiff_t> used;
  char *allocate(std::ptrdiff_t n) {
    auto f = free_.find(n);
    char *p;
    if (f != free_.end()) {
      p = f->second;
      free_.erase(f);
    } else
      cudaMalloc((void **)&p, n);
    used[p] = n;
    return p;
  }
  void deallocate(char *p, size_t) {
    free_.emplace(used[p], p);
    used.erase(p);
  }
};
static cache pool;
template <class Type> void run(const char *type, std::size_t count) {
  const auto given_ = suite::numbers<Type>(count);
  const auto groups_ = suite::groups<Type>(count);
  thrust::device_vector<Type> x(given_.begin(), given_.end()), y(x), given(x),
      groups(groups_.begin(), groups_.end());
  const Type one(1);
  const Type zero(0);
  const auto above = [zero] __device__(const Type &v) { return zero < v; };
  volatile std::size_t number;
  Type sum;
  auto par = thrust::cuda::par(pool);
  const auto nothing = [] { cudaDeviceSynchronize(); };
  const auto again = [&] {
    thrust::copy(given.begin(), given.end(), y.begin());
    cudaDeviceSynchronize();
  };
#define MEASURE(name, before, ...)                                             \
  suite::measure(name, type, count, before, [&] {                              \
    __VA_ARGS__;                                                               \
    cudaDeviceSynchronize();                                                   \
  })
  MEASURE("transform", nothing,
          thrust::transform(par, x.begin(), x.end(), y.begin(),
                            [=] __device__(const Type &v) { return v + one; }));
  MEASURE("fill", nothing, thrust::fill(par, y.begin(), y.end(), one));
  MEASURE("reduce", nothing,
          sum = thrust::reduce(par, x.begin(), x.end(), Type(0));
          asm volatile("" : : "r"(&sum) : "memory"));
  MEASURE("count_if", nothing,
          number = thrust::count_if(par, x.begin(), x.end(), above));
  MEASURE("min_element", nothing,
          number = thrust::min_element(par, x.begin(), x.end()) - x.begin());
  MEASURE("inclusive_scan", nothing,
          thrust::inclusive_scan(par, x.begin(), x.end(), y.begin()));
  MEASURE("exclusive_scan", nothing,
          thrust::exclusive_scan(par, x.begin(), x.end(), y.begin(), Type(0)));
  MEASURE("copy_if", nothing,
          thrust::copy_if(par, x.begin(), x.end(), y.begin(), above));
  MEASURE("remove_if", again,
          number =
              thrust::remove_if(par, y.begin(), y.end(), above) - y.begin());
  MEASURE(
      "unique",
      [&] {
        thrust::copy(groups.begin(), groups.end(), y.begin());
        cudaDeviceSynchronize();
      },
      number = thrust::unique(par, y.begin(), y.end()) - y.begin());
  MEASURE("partition", again,
          number = thrust::stable_partition(par, y.begin(), y.end(), above) -
                   y.begin());
  MEASURE("sort", again, thrust::sort(par, y.begin(), y.end()));
  MEASURE("stable_sort", again, thrust::stable_sort(par, y.begin(), y.end()));
}
struct low {
  __host__ __device__ unsigned operator()(int v) const {
    return unsigned(v) & 255;
  }
};
void histogram(std::size_t count) {
  const auto h = suite::numbers<int>(count);
  thrust::device_vector<int> x(h.begin(), h.end());
  thrust::device_vector<unsigned> counts(256);
  auto in = thrust::make_transform_iterator(thrust::raw_pointer_cast(x.data()),
                                            low());
  void *t = nullptr;
  size_t bytes = 0;
  cub::DeviceHistogram::HistogramEven(t, bytes, in,
                                      thrust::raw_pointer_cast(counts.data()),
                                      257, 0u, 256u, int(count));
  cudaMalloc(&t, bytes);
  suite::measure(
      "histogram", "int", count, [] { cudaDeviceSynchronize(); },
      [&] {
        cub::DeviceHistogram::HistogramEven(
            t, bytes, in, thrust::raw_pointer_cast(counts.data()), 257, 0u,
            256u, int(count));
        cudaDeviceSynchronize();
      });
}
int main(int argc, char **argv) {
  for (std::size_t count : {100000, 10000000}) {
    auto asks = [&](const char *type) {
      return suite::asks(argc, argv, type, count);
    };
    if (asks("int")) {
      run<int>("int", count);
      histogram(count);
    }
    if (asks("float"))
      run<float>("float", count);
    if (asks("double"))
      run<double>("double", count);
    if (asks("struct"))
      run<item>("struct", count);
  }
}
