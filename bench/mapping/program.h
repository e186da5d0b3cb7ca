// What the programs of this folder begin with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program is written twice in one file: for OpenMP, with the maps that its
// author has to state, and for xcc. Both print the same.

#ifndef XCC_BENCH_MAPPING_PROGRAM_H
#define XCC_BENCH_MAPPING_PROGRAM_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>
#ifndef _OPENMP
#include <xcc/xcc.h>
#endif

constexpr std::size_t N = 10000;

template <class T> std::vector<T> ramp(std::size_t n) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = T(i % 97);
  return all;
}

template <class T> void print(const std::vector<T> &all) {
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    sum += double(all[i]) * double(i % 13 + 1);
  std::printf("%.10g\n", sum);
}

#endif // XCC_BENCH_MAPPING_PROGRAM_H
