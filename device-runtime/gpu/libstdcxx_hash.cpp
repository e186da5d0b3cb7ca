// std::hash of bytes on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library function behind libstdc++'s std::hash of strings and of floating
// point, and behind type_info::hash_code. The values equal the host's:
// MurmurHash64A (A. Appleby, public domain), with libstdc++'s change that the
// last, incomplete word is mixed once less.

using size_t = decltype(sizeof 0);

namespace {
constexpr size_t Factor = 0xc6a4a7935bd1e995;

size_t mix(size_t x) { return x ^ x >> 47; }

/// Reads up to eight bytes as a little-endian number.
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
