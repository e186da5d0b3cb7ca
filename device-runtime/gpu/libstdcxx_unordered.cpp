// Bucket counts of std::unordered_map on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides when std::unordered_map and its relatives grow, and to how many
// buckets: a prime. libstdc++ takes primes from a table in its library; this
// file searches the next one, so the order of elements may differ from the
// host's.

using size_t = decltype(sizeof 0);

namespace {
bool isPrime(size_t n) {
  if (n < 4)
    return n > 1;
  if (n % 2 == 0)
    return false;
  for (size_t i = 3; i <= n / i; i += 2)
    if (n % i == 0)
      return false;
  return true;
}
} // namespace

namespace std {
template <class A, class B> struct pair {
  A first;
  B second;
};

namespace __detail {
struct _Prime_rehash_policy {
  float max_load;
  mutable size_t next_resize; ///< the container grows beyond this many elements

  size_t _M_next_bkt(size_t count) const;
  pair<bool, size_t> _M_need_rehash(size_t buckets, size_t elements,
                                    size_t more) const;
};

size_t _Prime_rehash_policy::_M_next_bkt(size_t count) const {
  // A new container: it grows with its first element.
  if (count == 0)
    return 1;
  while (!isPrime(count))
    ++count;
  next_resize = size_t(double(count) * max_load);
  return count;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets,
                                                        size_t elements,
                                                        size_t more) const {
  size_t all = elements + more;
  if (all <= next_resize)
    return {false, 0};
  if (next_resize == 0 && all < 11)
    all = 11;
  double least = double(all) / max_load;
  if (least >= double(buckets)) {
    size_t wanted = size_t(least) + 1;
    return {true, _M_next_bkt(wanted > buckets * 2 ? wanted : buckets * 2)};
  }
  next_resize = size_t(double(buckets) * max_load);
  return {false, 0};
}
} // namespace __detail
} // namespace std
