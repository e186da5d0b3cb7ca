// Stencils and pictures
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../codegen/suite.h"
#include "case.h"

namespace {

Case stencil2d(Size size) {
  const int width = size == Size::Check ? 301 : 8192;
  const int height = size == Size::Check ? 143 : 8192;
  const std::size_t n = std::size_t(width) * height;
  auto in = Array<float>(n).fill(randomFloat);
  auto out = Array<float>(n).fill([](std::size_t) { return -1.0f; });
  return {[=] { suite::stencil2d(width, height, in.data(), out.data()); },
          [=] {
            return compare(out.read(), 1e-5, [&](std::size_t i) {
              const int x = int(i % width), y = int(i / width);
              if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
                return -1.0;
              return 0.2 * (double(in[i]) + in[i - 1] + in[i + 1] +
                            in[i - width] + in[i + width]);
            });
          },
          8.0 * n};
}

Case stencil3d(Size size) {
  const int nx = size == Size::Check ? 61 : 512;
  const int ny = size == Size::Check ? 37 : 512;
  const int nz = size == Size::Check ? 19 : 256;
  const std::size_t n = std::size_t(nx) * ny * nz;
  auto in = Array<float>(n).fill(randomFloat);
  auto out = Array<float>(n).fill([](std::size_t) { return -1.0f; });
  return {[=] { suite::stencil3d(nx, ny, nz, in.data(), out.data()); },
          [=] {
            return compare(out.read(), 1e-5, [&](std::size_t i) {
              const int x = int(i % nx), y = int(i / nx % ny);
              const int z = int(i / nx / ny), plane = nx * ny;
              if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 ||
                  z == nz - 1)
                return -1.0;
              return 0.4 * in[i] +
                     0.1 * (double(in[i - 1]) + in[i + 1] + in[i - nx] +
                            in[i + nx] + in[i - plane] + in[i + plane]);
            });
          },
          8.0 * n};
}

/// Devices contract multiplications and additions differently, which moves
/// points at the border of the set: a few may differ.
Case mandelbrot(Size size) {
  const int width = size == Size::Check ? 233 : 4096;
  const int height = size == Size::Check ? 145 : 4096;
  const int limit = size == Size::Check ? 100 : 256;
  auto steps = Array<std::uint16_t>(std::size_t(width) * height).fill(hashOf);
  return {[=] { suite::mandelbrot(width, height, limit, steps.data()); },
          [=]() -> std::string {
            const auto result = steps.read();
            std::size_t different = 0;
            for (std::size_t i = 0; i < result.size(); ++i) {
              const float cr = -2.2f + 3.2f * (i % width) / width;
              const float ci = -1.2f + 2.4f * (i / width) / height;
              float zr = 0, zi = 0;
              int k = 0;
              for (; k < limit && zr * zr + zi * zi < 4; ++k) {
                const float next = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = next;
              }
              different += result[i] != k;
            }
            if (different > result.size() / 200)
              return std::to_string(different) + " of " +
                     std::to_string(result.size()) + " points differ";
            return "";
          }};
}

Case conv2d(Size size) {
  const int width = size == Size::Check ? 233 : 8192;
  const int height = size == Size::Check ? 145 : 8192;
  auto in = Array<float>(std::size_t(width) * height).fill(randomFloat);
  auto filter = Array<float>(25).fill(randomFloat);
  auto out = Array<float>(std::size_t(width) * height).fill(randomFloat);
  return {[=] {
            suite::conv2d(width, height, in.data(), filter.data(), out.data());
          },
          [=] {
            return compare(out.read(), 1e-5, [&](std::size_t at) {
              const int x = int(at % width), y = int(at / width);
              double sum = 0;
              for (int k = 0; k < 25; ++k) {
                const int px = x + k % 5 - 2, py = y + k / 5 - 2;
                if (px >= 0 && px < width && py >= 0 && py < height)
                  sum += double(in[std::size_t(py) * width + px]) * filter[k];
              }
              return sum;
            });
          },
          8.0 * width * height};
}

} // namespace

std::vector<CaseEntry> gridCases() {
  return {{"stencil2d", stencil2d},
          {"stencil3d", stencil3d},
          {"mandelbrot", mandelbrot},
          {"conv2d", conv2d}};
}
