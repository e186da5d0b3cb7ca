// The Mandelbrot set as a picture
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     mandelbrot out.png
//
// std::complex in a two-dimensional grid. The function that computes a point
// is ordinary C++: the kernel calls it on the device, and main calls the very
// same function on the host to check.

#include <xcc/xcc.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

constexpr unsigned width = 900, height = 600, limit = 200;

struct pixel {
  unsigned char r, g, b;
};

/// How many steps the point of a pixel stays near the origin, up to `limit`.
unsigned steps(unsigned x, unsigned y) {
  const std::complex<double> c(-2.2 + 3.2 * x / width,
                               -1.0665 + 2.133 * y / height);
  std::complex<double> z = 0;
  unsigned n = 0;
  while (n < limit && std::norm(z) < 4) {
    z = z * z + c;
    ++n;
  }
  return n;
}

void mandelbrot(pixel *picture, unsigned *count) {
  const unsigned x = xcc::global_id();
  const unsigned y =
      xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x >= width || y >= height)
    return;
  const unsigned n = count[y * width + x] = steps(x, y);
  const float t = n == limit ? 0 : std::sqrt(float(n) / limit);
  picture[y * width + x] = {
      static_cast<unsigned char>(255 * t * t),
      static_cast<unsigned char>(255 * t),
      static_cast<unsigned char>(n == limit ? 0
                                            : 90 + 165 * std::sin(3.1f * t))};
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: mandelbrot out.png\n");
    return 2;
  }
  xcc::buffer<pixel> picture(width * height);
  xcc::buffer<unsigned> count(width * height);
  xcc::event start, stop;
  start.record();
  xcc::launch({{(width + 31) / 32, (height + 7) / 8}, {32, 8}}, mandelbrot,
              picture.data(), count.data());
  stop.record();
  std::vector<pixel> pixels(width * height);
  std::vector<unsigned> counts(width * height);
  picture.copy_to(pixels.data(), pixels.size());
  count.copy_to(counts.data(), counts.size());

  // At the edge of the set a rounding decides: a device that fuses a
  // multiplication and an addition may differ in a few points.
  std::size_t checked = 0, different = 0;
  for (unsigned y = 0; y < height; y += 5)
    for (unsigned x = 0; x < width; x += 5, ++checked)
      different += steps(x, y) != counts[y * width + x];
  const bool correct = different * 100 < checked;

  if (!stbi_write_png(argv[1], width, height, 3, pixels.data(), 3 * width)) {
    std::fprintf(stderr, "mandelbrot: cannot write '%s'\n", argv[1]);
    return 1;
  }
  std::printf(
      "mandelbrot: %u x %u points on %s: %.2f ms, %zu of %zu points "
      "differ from the host's: %s\npicture: %s\n",
      width, height, xcc::device::current().name(),
      start.elapsed<std::chrono::duration<double, std::milli>>(stop).count(),
      different, checked, correct ? "correct" : "WRONG", argv[1]);
  return correct ? 0 : 1;
}
