// Digests, checksums, bits, random numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../codegen/kernels/monte_carlo.h"
#include "../codegen/kernels/sha256.h"
#include "case.h"

namespace {

std::vector<std::uint32_t> shaOf(std::uint32_t (&block)[16]) {
  std::uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  suite::shaBlock(block, h);
  return {h, h + 8};
}

/// Message 0 is "abc", padded: the first example of FIPS 180-4.
Case sha256(Size size) {
  const int n = size == Size::Check ? 1'003 : 1 << 22;
  auto message =
      Array<std::uint32_t>(std::size_t(16) * n)
          .fill([=](std::size_t i) -> std::uint32_t {
            if (i % n)
              return hashOf(i);
            return i == 0 ? 0x61626380 : i == std::size_t(15) * n ? 24 : 0;
          });
  auto digest = Array<std::uint32_t>(std::size_t(8) * n).fill(hashOf);
  return {[=] { suite::sha256(n, message.data(), digest.data()); },
          [=]() -> std::string {
            const auto result = digest.read();
            const std::uint32_t abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de,
                                          0x5dae2223, 0xb00361a3, 0x96177a9c,
                                          0xb410ff61, 0xf20015ad};
            for (int i = 0; i < n; ++i) {
              std::uint32_t block[16];
              for (int k = 0; k < 16; ++k)
                block[k] = message[std::size_t(k) * n + i];
              const auto expected = shaOf(block);
              for (int k = 0; k < 8; ++k) {
                const auto word = result[std::size_t(k) * n + i];
                if (word != expected[k] || (i == 0 && word != abc[k]))
                  return "word " + std::to_string(k) + " of digest " +
                         std::to_string(i) + " is wrong";
              }
            }
            return "";
          }};
}

/// The reference is a table of bytes; row 0 begins with "123456789", whose
/// checksum everybody knows.
Case crc32(Size size) {
  const int rows = size == Size::Check ? 501 : 1 << 18, bytes = 256;
  auto text = Array<std::uint32_t>(std::size_t(rows) * bytes / 4).fill(hashOf);
  auto crc = Array<std::uint32_t>(rows).fill(hashOf);
  return {[=] { suite::crc32(rows, bytes, text.data(), crc.data()); },
          [=]() -> std::string {
            std::uint32_t table[256];
            for (std::uint32_t b = 0; b < 256; ++b) {
              table[b] = b;
              for (int k = 0; k < 8; ++k)
                table[b] =
                    table[b] & 1 ? table[b] / 2 ^ 0xedb88320 : table[b] / 2;
            }
            auto checksum = [&](const unsigned char *p, int length) {
              std::uint32_t sum = ~0u;
              for (int i = 0; i < length; ++i)
                sum = table[(sum ^ p[i]) & 255] ^ (sum >> 8);
              return ~sum;
            };
            if (checksum(reinterpret_cast<const unsigned char *>("123456789"),
                         9) != 0xcbf43926)
              return "the reference is wrong";
            return compare(crc.read(), 0, [&](std::size_t row) {
              return checksum(reinterpret_cast<const unsigned char *>(
                                  &text[row * bytes / 4]),
                              bytes);
            });
          }};
}

/// One bit at a time.
std::uint64_t bitsOf(std::uint32_t a, std::uint32_t b) {
  std::uint64_t code = 0;
  std::uint32_t mixed = 0, count = 0, leading = 0, trailing = 0;
  for (int k = 0; k < 32; ++k) {
    code |= std::uint64_t(a >> k & 1) << (2 * k);
    code |= std::uint64_t(b >> k & 1) << (2 * k + 1);
    mixed |= (a >> k & 1) << (31 - k);
  }
  for (int k = 0; k < 32; ++k)
    mixed ^= (b >> k & 1) << ((k + 7) % 32);
  for (int k = 0; k < 32; ++k)
    count += mixed >> k & 1;
  while (!((a | 1) >> (31 - leading) & 1))
    ++leading;
  while (!((b | 256) >> trailing & 1))
    ++trailing;
  code += count * leading;
  const std::uint32_t swapped =
      mixed << 24 | (mixed & 0xff00) << 8 | (mixed >> 8 & 0xff00) | mixed >> 24;
  return code ^ std::uint64_t(swapped) << trailing;
}

Case bits(Size size) {
  const int n = size == Size::Check ? 20'011 : 1 << 26;
  auto x = Array<std::uint32_t>(n).fill(
      [](std::size_t i) { return hashOf(i) >> hashOf(i + 1) % 32; });
  auto y = Array<std::uint32_t>(n).fill(
      [](std::size_t i) { return hashOf(~i) << hashOf(i + 1) % 32; });
  auto out = Array<std::uint64_t>(n).fill(hashOf);
  return {[=] { suite::bits(n, x.data(), y.data(), out.data()); },
          [=]() -> std::string {
            const auto result = out.read();
            for (int i = 0; i < n; ++i)
              if (result[i] != bitsOf(x[i], y[i]))
                return "element " + std::to_string(i) + " is wrong";
            return "";
          },
          16.0 * n};
}

Case monteCarlo(Size size) {
  const int threads = size == Size::Check ? 1'001 : 1 << 18;
  const int samples = size == Size::Check ? 500 : 4096;
  auto inside = Array<std::uint32_t>(threads).fill(hashOf);
  return {[=] { suite::monteCarlo(threads, samples, 42, inside.data()); },
          [=]() -> std::string {
            const auto result = inside.read();
            std::uint64_t sum = 0, different = 0;
            for (int i = 0; i < threads; ++i) {
              sum += result[i];
              different += result[i] != suite::pointsInside(42, i, samples);
            }
            // A fused multiply-add may move a point across the circle.
            if (different > 2 + std::uint64_t(threads) / 1000)
              return std::to_string(different) + " counts differ";
            const double pi = 4.0 * double(sum) / threads / samples;
            return std::fabs(pi - 3.14159) < 0.02
                       ? ""
                       : "pi is " + std::to_string(pi);
          }};
}

} // namespace

std::vector<CaseEntry> integerCases() {
  return {{"sha256", sha256},
          {"crc32", crc32},
          {"bits", bits},
          {"monte_carlo", monteCarlo}};
}
