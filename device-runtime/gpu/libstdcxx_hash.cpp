// std::hash of bytes on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libstdc++'s headers call for std::hash of texts and of floating point
// and for type_info::hash_code, and define in the library. The values are the
// host's: MurmurHash64A (A. Appleby, public domain), with a step of mixing
// less where less than a word is left, as libstdc++ has it.

using size_t = decltype(sizeof 0);

namespace {
constexpr size_t Factor = 0xc6a4a7935bd1e995;

size_t mix(size_t x) { return x ^ x >> 47; }

/// Up to eight bytes as a number, the first one lowest.
size_t load(const unsigned char *bytes, size_t count) {
  size_t number = 0;
  while (count--)
    number = number << 8 | bytes[count];
  return number;
}
} // namespace

namespace std {
size_t _Hash_bytes(const void *data, size_t size, size_t seed) {
  const auto *at = static_cast<const unsigned char *>(data);
  size_t hash = seed ^ size * Factor;
  for (; size >= 8; size -= 8, at += 8)
    hash = (hash ^ mix(load(at, 8) * Factor) * Factor) * Factor;
  if (size)
    hash = (hash ^ load(at, size)) * Factor;
  return mix(mix(hash) * Factor);
}
} // namespace std
