// What many measurements say, by algorithms over device memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     algorithms [COUNT]
//
// <xcc/algorithm.h> has the standard's algorithms for memory of any device.
// This program removes failed measurements, finds extremes and the median, adds
// up, sorts and counts. Only the results are copied to the host.

#include <xcc/algorithm.h>
#include <xcc/xcc.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  const std::size_t count =
      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  if (!count) {
    std::fprintf(stderr, "usage: algorithms [COUNT], at least 1\n");
    return 1;
  }
  // Sums of four random numbers below 1 form roughly a bell curve. Every
  // hundredth measurement has failed.
  xcc::buffer<float> taken(count);
  xcc::parallel_for(count, [at = taken.data()](std::size_t i) {
    std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    bits ^= bits >> 32;
    float sum = 0;
    for (int part = 0; part < 4; ++part)
      sum += float(bits >> 16 * part & 0xffff) / 65536;
    at[i] = i % 100 == 99 ? -1 : sum;
  });

  const std::size_t left = xcc::remove_if(taken, [](float v) { return v < 0; });
  const auto samples = taken.part(0, left);
  std::printf("%zu of %zu measurements failed\n", count - left, count);

  const double sum = xcc::reduce(samples, 0.0);
  const double mean = sum / double(left);
  const double squares =
      xcc::transform_reduce(samples, 0.0, std::plus<double>(), [mean](float v) {
        return (v - mean) * (v - mean);
      });
  std::printf("mean %.4f, deviation %.4f\n", mean,
              std::sqrt(squares / double(left)));

  // The first smallest element, and the first largest.
  const std::size_t lowest = xcc::min_index(samples);
  const std::size_t highest = xcc::max_index(samples);

  xcc::buffer<unsigned> counts(16);
  xcc::histogram(samples, counts, xcc::even_bins(0.0f, 4.0f, counts.size()));

  const auto value = [&](std::size_t at) {
    return samples.part(at, 1).to_vector()[0];
  };
  const float least = value(lowest), most = value(highest);
  xcc::sort(samples);
  std::printf("least %.4f, median %.4f, largest %.4f\n", least, value(left / 2),
              most);

  const auto bins = counts.to_vector();
  unsigned largest = 1, all = 0;
  for (unsigned bin : bins) {
    largest = bin > largest ? bin : largest;
    all += bin;
  }
  for (std::size_t bin = 0; bin < bins.size(); ++bin)
    std::printf("%4.2f %.*s\n", double(bin) / 4,
                int(std::size_t(bins[bin]) * 50 / largest),
                "##################################################");

  // Compares with the known values.
  const bool right = left == count - count / 100 && all == left &&
                     least == value(0) && most == value(left - 1);
  std::printf("%s\n", right ? "right" : "WRONG");
  return !right;
}
