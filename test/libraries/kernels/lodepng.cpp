// lodepng in a kernel: an image is encoded and decoded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <lodepng.h>

static void work(char *text, unsigned long size) {
  unsigned char pixels[16 * 16 * 4], *png = nullptr, *back = nullptr;
  for (unsigned i = 0; i < sizeof pixels; ++i)
    pixels[i] = static_cast<unsigned char>(i * 7 % 251);
  std::size_t bytes = 0;
  unsigned width = 0, height = 0;
  unsigned encoded = lodepng_encode32(&png, &bytes, pixels, 16, 16);
  unsigned decoded = lodepng_decode32(&back, &width, &height, png, bytes);
  unsigned sum = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    sum = sum * 31 + png[i];
  std::snprintf(text, size, "%u %u %u %u %u %d", encoded, decoded, width,
                height, sum, std::memcmp(pixels, back, sizeof pixels));
}
int main() { return compare<work>(); }
