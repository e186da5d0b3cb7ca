// The letters of a book, counted
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     histogram book.txt
//
// Compile with -std=c++20 for std::atomic_ref. Each block counts in memory
// that its threads share and adds its counts to the total once, at the end.

#include <xcc/xcc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

void histogram(const char *text, std::size_t n, unsigned *total) {
  static xcc::block_shared<unsigned[256]> count;
  for (unsigned c = xcc::thread_idx().x; c < 256; c += xcc::block_dim().x)
    count[c] = 0;
  xcc::sync_block();

  for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size())
    std::atomic_ref(count[static_cast<unsigned char>(text[i])])
        .fetch_add(1, std::memory_order_relaxed);
  xcc::sync_block();

  for (unsigned c = xcc::thread_idx().x; c < 256; c += xcc::block_dim().x)
    if (count[c])
      std::atomic_ref(total[c]).fetch_add(count[c], std::memory_order_relaxed);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: histogram book.txt\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file || text.empty()) {
    std::fprintf(stderr, "histogram: cannot read '%s'\n", argv[1]);
    return 1;
  }

  xcc::buffer<char> device_text(text.size());
  xcc::buffer<unsigned> device_total(256);
  device_text.copy_from(text.data(), text.size());
  device_total.fill(0);
  xcc::launch({{64}, {256}}, histogram, device_text.data(), text.size(),
              device_total.data());
  std::array<unsigned, 256> total, expected = {};
  device_total.copy_to(total.data(), 256);

  for (unsigned char c : text)
    ++expected[c];
  std::printf("histogram of '%s', %zu bytes, on %s: %s\n", argv[1], text.size(),
              xcc::device::current().name(),
              total == expected ? "correct" : "WRONG");

  std::string letters = "abcdefghijklmnopqrstuvwxyz";
  std::sort(letters.begin(), letters.end(),
            [&](char a, char b) { return total[a] > total[b]; });
  for (char c : letters.substr(0, 5))
    std::printf("  %c %6u %s\n", c, total[c],
                std::string(total[c] * 60 / total[letters[0]], '#').c_str());
  return total == expected ? 0 : 1;
}
