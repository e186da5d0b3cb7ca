// A photograph, blurred
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     blur in.png out.png [sigma]
//
// A Gaussian blur is separable: blur along the rows, then along the columns.
// The kernel blurs along rows and writes its result transposed, so running it
// twice does both and leaves the picture the right way up. The pixels a block
// reads lie in memory that its threads share, read once instead of 2r+1 times.

#include <xcc/xcc.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 128, max_radius = 32;

struct rgb {
  float r, g, b;
};

/// Half of a symmetric filter; passed to the kernel by value.
struct gaussian {
  int radius;
  float weight[max_radius + 1];

  explicit gaussian(float sigma)
      : radius(std::min(int(std::ceil(3 * sigma)), max_radius)) {
    float sum = 0;
    for (int i = 0; i <= radius; ++i) {
      weight[i] = std::exp(-float(i * i) / (2 * sigma * sigma));
      sum += i == 0 ? weight[i] : 2 * weight[i];
    }
    for (int i = 0; i <= radius; ++i)
      weight[i] /= sum;
  }
};

/// One block blurs `threads` neighbouring pixels of one row; beyond the edges
/// the outermost pixel goes on.
void blur_rows(const rgb *in, rgb *out, int width, int height,
               const gaussian filter) {
  static xcc::block_shared<rgb[threads + 2 * max_radius]> tile;
  const int t = xcc::thread_idx().x, y = xcc::block_idx().y;
  const int first = int(xcc::block_idx().x) * threads, x = first + t;

  for (int i = t; i < threads + 2 * filter.radius; i += threads)
    tile[i] =
        in[y * width + std::clamp(first + i - filter.radius, 0, width - 1)];
  xcc::sync_block();
  if (x >= width)
    return;

  rgb sum = {0, 0, 0};
  for (int i = -filter.radius; i <= filter.radius; ++i) {
    const rgb p = tile[t + filter.radius + i];
    const float w = filter.weight[std::abs(i)];
    sum = {sum.r + w * p.r, sum.g + w * p.g, sum.b + w * p.b};
  }
  out[x * height + y] = sum;
}

void blur(const rgb *in, rgb *between, rgb *out, int width, int height,
          const gaussian &filter) {
  auto blocks = [](int n) { return (n + threads - 1) / threads; };
  xcc::launch({{blocks(width), height}, {threads}}, blur_rows, in, between,
              width, height, filter);
  xcc::launch({{blocks(height), width}, {threads}}, blur_rows, between, out,
              height, width, filter);
}

/// The same on the host, plainly: the farthest any value of `out` is off.
float largest_error(const std::vector<rgb> &in, const std::vector<rgb> &out,
                    int width, int height, const gaussian &filter) {
  float largest = 0;
  for (int channel = 0; channel < 3; ++channel) {
    auto at = [&](const std::vector<rgb> &picture, int x, int y) {
      const rgb &p = picture[std::clamp(y, 0, height - 1) * width +
                             std::clamp(x, 0, width - 1)];
      return channel == 0 ? p.r : channel == 1 ? p.g : p.b;
    };
    std::vector<float> rows(in.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int i = -filter.radius; i <= filter.radius; ++i)
          rows[y * width + x] += filter.weight[std::abs(i)] * at(in, x + i, y);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        float sum = 0;
        for (int i = -filter.radius; i <= filter.radius; ++i)
          sum += filter.weight[std::abs(i)] *
                 rows[std::clamp(y + i, 0, height - 1) * width + x];
        largest = std::max(largest, std::abs(sum - at(out, x, y)));
      }
  }
  return largest;
}

int main(int argc, char **argv) {
  const float sigma = argc > 3 ? std::strtof(argv[3], nullptr) : 4;
  if (argc < 3 || argc > 4 || !(sigma > 0)) {
    std::fprintf(stderr, "usage: blur in.png out.png [sigma]\n");
    return 2;
  }
  int width, height;
  unsigned char *bytes = stbi_load(argv[1], &width, &height, nullptr, 3);
  if (!bytes) {
    std::fprintf(stderr, "blur: cannot read '%s': %s\n", argv[1],
                 stbi_failure_reason());
    return 1;
  }
  const std::size_t n = std::size_t(width) * height;
  std::vector<rgb> picture(n), result(n);
  for (std::size_t i = 0; i < n; ++i)
    picture[i] = {float(bytes[3 * i]), float(bytes[3 * i + 1]),
                  float(bytes[3 * i + 2])};

  const gaussian filter(sigma);
  xcc::buffer<rgb> in(n), between(n), out(n);
  in.copy_from(picture.data(), n);
  blur(in.data(), between.data(), out.data(), width, height, filter);
  out.copy_to(result.data(), n);

  const int runs = 20;
  xcc::event start, stop;
  start.record();
  for (int i = 0; i < runs; ++i)
    blur(in.data(), between.data(), out.data(), width, height, filter);
  stop.record();
  const double milliseconds =
      start.elapsed<std::chrono::duration<double, std::milli>>(stop).count() /
      runs;

  for (std::size_t i = 0; i < n; ++i) {
    bytes[3 * i] = static_cast<unsigned char>(result[i].r + 0.5f);
    bytes[3 * i + 1] = static_cast<unsigned char>(result[i].g + 0.5f);
    bytes[3 * i + 2] = static_cast<unsigned char>(result[i].b + 0.5f);
  }
  if (!stbi_write_png(argv[2], width, height, 3, bytes, 3 * width)) {
    std::fprintf(stderr, "blur: cannot write '%s'\n", argv[2]);
    return 1;
  }
  stbi_image_free(bytes);

  const xcc::device device = xcc::device::current();
  std::printf("blur: '%s', %d x %d pixels, sigma %g (%d x %d pixels each)\n",
              argv[1], width, height, sigma, 2 * filter.radius + 1,
              2 * filter.radius + 1);
  std::printf("device: %s (%s, %s, %u cores)\n", device.name(), device.kind(),
              device.arch(), device.cores());
  std::printf("time: %.3f ms, %.1f Mpixel/s (mean of %d runs)\n", milliseconds,
              n / milliseconds / 1e3, runs);
  const float error = largest_error(picture, result, width, height, filter);
  const bool correct = error < 0.01f;
  std::printf("check: differs from the host's by at most %.5f of 255: %s\n",
              error, correct ? "correct" : "WRONG");
  std::printf("picture: %s\n", argv[2]);
  return correct ? 0 : 1;
}
