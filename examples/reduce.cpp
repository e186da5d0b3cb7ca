// The sum of an array: shared memory and barriers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block adds up its part in memory that its threads share, halving the
// number of busy threads from step to step; a second launch adds the blocks'
// sums. The kernel is a template, and each launch names a specialization.

#include <xcc/xcc.h>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr unsigned threads = 256;

template <class T> void reduce(const T *in, std::size_t n, T *sums) {
  static xcc::block_shared<T[threads]> partial;
  const unsigned t = xcc::thread_idx().x;

  T sum = 0;
  for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size())
    sum += in[i];
  partial[t] = sum;
  xcc::sync_block();

  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    xcc::sync_block();
  }
  if (t == 0)
    sums[xcc::block_idx().x] = partial[0];
}

template <class T> T device_sum(const std::vector<T> &values) {
  const unsigned blocks = 128;
  xcc::buffer<T> in(values.size()), sums(blocks), total(1);
  in.copy_from(values.data(), values.size());
  xcc::launch({{blocks}, {threads}}, reduce<T>, in.data(), values.size(),
              sums.data());
  xcc::launch({{1}, {threads}}, reduce<T>, sums.data(), blocks, total.data());
  T result;
  total.copy_to(&result, 1);
  return result;
}

int main() {
  std::vector<std::int64_t> values(5'000'000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::int64_t(i * 2654435761u % 1000) - 300;

  const std::int64_t sum = device_sum(values);
  const std::int64_t expected =
      std::accumulate(values.begin(), values.end(), std::int64_t(0));
  std::printf("reduce: the sum of %zu numbers on %s is %lld: %s\n",
              values.size(), xcc::device::current().name(), (long long)sum,
              sum == expected ? "correct" : "WRONG");
  return sum == expected ? 0 : 1;
}
