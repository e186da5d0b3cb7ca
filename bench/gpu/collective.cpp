// Sums, scans, histograms, sparse rows
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../codegen/suite.h"
#include "case.h"

namespace {

Case reduce(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 26;
  const int blocks = size == Size::Check ? 13 : 1056;
  auto in = Array<float>(n).fill(randomFloat);
  auto sums = Array<float>(blocks).fill(randomFloat);
  return {[=] { suite::reduce(blocks, n, in.data(), sums.data()); },
          [=] {
            return compare(sums.read(), 1e-5, [&](std::size_t block) {
              double sum = 0;
              constexpr int threads = suite::ReduceThreads;
              for (int i = int(block) * threads; i < n; i += blocks * threads)
                for (int k = i; k < i + threads && k < n; ++k)
                  sum += in[k];
              return sum;
            });
          },
          4.0 * n};
}

Case scan(Size size) {
  const int tiles = size == Size::Check ? 37 : 1 << 16;
  const int n = tiles * suite::ScanTile;
  auto in = Array<int>(n).fill(
      [](std::size_t i) { return int(hashOf(i) % 1000) - 400; });
  auto out = Array<int>(n).fill(hashOf),
       totals = Array<int>(tiles).fill(hashOf);
  return {[=] { suite::scan(n, in.data(), out.data(), totals.data()); },
          [=] {
            std::vector<int> expected(n);
            for (int i = 0; i < n; ++i)
              expected[i] = in[i] + (i % suite::ScanTile ? expected[i - 1] : 0);
            std::string wrong = compare(
                out.read(), 0, [&](std::size_t i) { return expected[i]; });
            if (!wrong.empty())
              return wrong;
            return compare(totals.read(), 0, [&](std::size_t tile) {
              return expected[(tile + 1) * suite::ScanTile - 1];
            });
          },
          8.0 * n};
}

Case histogram(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 28;
  const int blocks = size == Size::Check ? 7 : 1056;
  auto text = Array<std::uint8_t>(n).fill(
      [](std::size_t i) { return hashOf(i) % 96 + 32; });
  auto bins = Array<std::uint32_t>(256).fill([](std::size_t) { return 0; });
  return {[=] { suite::histogram(blocks, n, text.data(), bins.data()); },
          [=] {
            std::vector<std::uint32_t> expected(256);
            for (int i = 0; i < n; ++i)
              ++expected[text[i]];
            return compare(bins.read(), 0,
                           [&](std::size_t i) { return expected[i]; });
          },
          1.0 * n};
}

/// Rows of 0 to 63 elements.
Case spmv(Size size, void (*kernel)(int, const int *, const int *,
                                    const float *, const float *, float *)) {
  const int rows = size == Size::Check ? 5'003 : 1 << 21;
  int elements = 0;
  auto start = Array<int>(rows + 1).fill([&](std::size_t row) {
    const int at = elements;
    elements += hashOf(row) % 64;
    return at;
  });
  elements = start[rows];
  auto column = Array<int>(elements + 1).fill([=](std::size_t i) {
    return int(hashOf(i + 7) % rows);
  });
  auto value = Array<float>(elements + 1).fill(randomFloat);
  auto x = Array<float>(rows).fill(randomFloat);
  auto y = Array<float>(rows).fill(randomFloat);
  return {[=] {
            kernel(rows, start.data(), column.data(), value.data(), x.data(),
                   y.data());
          },
          [=] {
            return compare(y.read(), 1e-5, [&](std::size_t row) {
              double sum = 0;
              for (int i = start[row]; i < start[row + 1]; ++i)
                sum += double(value[i]) * x[column[i]];
              return sum;
            });
          }};
}
Case spmvScalar(Size size) { return spmv(size, suite::spmvScalar); }
Case spmvWarp(Size size) { return spmv(size, suite::spmvWarp); }

Case reduceTree(Size size) {
  const int threads = size == Size::Check ? 64 : 256;
  const int n = size == Size::Check ? 100'003 : 1 << 26;
  auto in = Array<int>(n).fill([](std::size_t i) { return hashOf(i) % 1000; });
  auto sums = Array<int>((n + threads - 1) / threads).fill(hashOf);
  return {[=] { suite::reduceTree(threads, n, in.data(), sums.data()); },
          [=] {
            return compare(sums.read(), 0, [&](std::size_t block) {
              int sum = 0;
              for (int i = int(block) * threads; i < n; ++i)
                if (i < int(block + 1) * threads)
                  sum += in[i];
                else
                  break;
              return sum;
            });
          },
          4.0 * n};
}

Case argmax(Size size) {
  const int rows = size == Size::Check ? 37 : 1 << 14;
  const int columns = size == Size::Check ? 501 : 1 << 12;
  auto in = Array<float>(rows * columns).fill(randomFloat);
  auto where = Array<int>(rows).fill(hashOf);
  return {[=] { suite::argmax(128, rows, columns, in.data(), where.data()); },
          [=] {
            // Of equal elements, any.
            const auto result = where.read();
            for (int row = 0; row < rows; ++row)
              for (int i = 0; i < columns; ++i)
                if (unsigned(result[row]) >= unsigned(columns) ||
                    in[row * columns + i] > in[row * columns + result[row]])
                  return "row " + std::to_string(row) +
                         " has a larger one at " + std::to_string(i);
            return std::string();
          },
          4.0 * rows * columns};
}

Case softmaxBlock(Size size) {
  const int rows = size == Size::Check ? 37 : 1 << 14;
  const int columns = size == Size::Check ? 501 : 1 << 12;
  auto in = Array<float>(rows * columns).fill(randomFloat);
  auto out = Array<float>(rows * columns).fill(randomFloat);
  return {
      [=] { suite::softmaxBlock(128, rows, columns, in.data(), out.data()); },
      [=] {
        std::vector<double> sums(rows);
        for (int i = 0; i < rows * columns; ++i)
          sums[i / columns] += std::exp(double(in[i]));
        return compare(out.read(), 1e-5, [&](std::size_t i) {
          return std::exp(double(in[i])) / sums[i / columns];
        });
      },
      8.0 * rows * columns};
}

} // namespace

std::vector<CaseEntry> collectiveCases() {
  return {{"reduce", reduce},       {"scan", scan},
          {"histogram", histogram}, {"spmv_scalar", spmvScalar},
          {"spmv_warp", spmvWarp},  {"reduce_tree", reduceTree},
          {"argmax", argmax},       {"softmax_block", softmaxBlock}};
}
