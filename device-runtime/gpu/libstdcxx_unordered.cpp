// Numbers of buckets on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When std::unordered_map and its kin grow, and to how many buckets: a prime.
// libstdc++ takes primes from a table in its library; here the next one is
// searched, so that the order of elements may be another than the host's.

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
  mutable size_t next_resize; ///< elements at which the container grows

  size_t _M_next_bkt(size_t count) const;
  pair<bool, size_t> _M_need_rehash(size_t buckets, size_t elements,
                                    size_t more) const;
};

size_t _Prime_rehash_policy::_M_next_bkt(size_t count) const {
  // A container that was just made: the first element makes it grow.
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
