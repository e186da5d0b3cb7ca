// Quotients and remainders of short integers, and integers with their bytes
// reversed.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O1 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <utility>

// Numbers near each other's multiples, where a quotient is soonest off by one.
template <class T> long quotients(std::size_t i) {
  unsigned random = unsigned(i) * 2654435761u;
  long sum = 0;
  for (int k = 0; k < 40; ++k) {
    random = random * 1664525u + 1013904223u;
    T d = T(int(random) >> 16), q = T((random >> 8) % 200);
    if (d == 0)
      d = 1;
    T n = T(d * q - T(k % 3));
    sum = sum * 31 + n / d;
    sum = sum * 31 + n % d;
    sum = sum * 31 + long(n) / d + long(n) % d;
    sum = sum * 31 + unsigned(n) / unsigned(d) % 1000;
    sum = sum * 31 + T(d) / T(k + 1) + 30000 / d;
  }
  return sum;
}

// The least number of so many bits by -1 has one bit more.
template <unsigned bits> long least(long n, long d) {
  constexpr unsigned more = 64 - bits;
  long wideN = n << more >> more, wideD = d << more >> more;
  long sum = wideN / wideD * 3 + wideN % wideD;
  if constexpr (bits < 32) {
    int shortN = int(wideN), shortD = int(wideD);
    sum = sum * 31 + shortN / shortD * 5L + shortN % shortD;
    if constexpr (bits < 16)
      sum = sum * 31 + short(short(shortN) / short(shortD));
  }
  return sum;
}
template <unsigned... bits>
long leasts(std::integer_sequence<unsigned, bits...>, long n, long d) {
  long sum = 0;
  ((sum = sum * 31 + least<bits + 2>(n << (bits + 1), d)), ...);
  return sum;
}

// Of a dividend of 24 bits just below a multiple; quotients and remainders apart.
template <class T> [[gnu::noinline]] T quotient(T n, T d) {
  return (n & 0xffffff) / ((d & 15) + 1);
}
template <class T> [[gnu::noinline]] T remainder(T n, T d) {
  return (n & 0xffffff) % ((d & 0xffff) + 1);
}
template <class T> T long_quotients(std::size_t i) {
  T sum = 0;
  for (unsigned d = 1; d < 40; ++d) {
    const T n = 0xffffff / d * d - i % 50 * d - i % 2;
    sum = sum * 31 + quotient(n, T(d)) + remainder(n, T(d));
    sum = sum * 31 + remainder(T(0xbf2758 + i), T(0xbf2759 + i));
    const unsigned narrow = unsigned(n) >> (i % 8) << 8;
    sum = sum * 31 + (narrow >> 8) / d;
  }
  return sum;
}

// The same of vectors.
long vectors(std::size_t i) {
  using Chars = signed char __attribute__((ext_vector_type(4)));
  using Ints = int __attribute__((ext_vector_type(4)));
  const signed char n = (signed char)(i), d = i & 256 ? -1 : 1;
  const Chars a = {n, (signed char)-n, -128, 127}, b = {d, 1, d, (signed char)-d};
  const Ints q = __builtin_convertvector(a, Ints) / __builtin_convertvector(b, Ints),
             r = __builtin_convertvector(a, Ints) % __builtin_convertvector(b, Ints);
  return q[0] + 300L * q[1] + 90000L * q[2] + 27000000L * q[3] + r[0] + r[2];
}

unsigned long reversed(std::size_t i) {
  unsigned long x = (i + 1) * 0x123456789abcdef1ul;
  x ^= __builtin_bswap64(x);
  x += __builtin_bswap32(unsigned(x));
  return __builtin_bswap64(x + __builtin_bswap16((unsigned short)(x)));
}

int main() {
  same("short", 300, [](std::size_t i) { return quotients<short>(i); });
  same("unsigned short", 300,
       [](std::size_t i) { return quotients<unsigned short>(i); });
  same("signed char", 300,
       [](std::size_t i) { return quotients<signed char>(i); });
  same("int", 300, [](std::size_t i) { return quotients<int>(i); });
  same("least", 7, [](std::size_t i) {
    return leasts(std::make_integer_sequence<unsigned, 62>(),
                  i & 1 ? -1 : long(i) - 3, i & 2 ? 1 : -1);
  });
  same("unsigned", 300,
       [](std::size_t i) { return long_quotients<unsigned>(i); });
  same("unsigned long", 300,
       [](std::size_t i) { return long_quotients<unsigned long>(i); });
  same("vectors", 512, [](std::size_t i) { return vectors(i); });
  same("reversed", 300, [](std::size_t i) { return reversed(i); });
  std::puts("all same"); // CHECK: all same
}
