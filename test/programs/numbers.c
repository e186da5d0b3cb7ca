// Primes, greatest common divisors, modular powers, random numbers of one's own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus) {
  unsigned __int128 result = 1, factor = base % modulus;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result * factor % modulus;
    factor = factor * factor % modulus;
  }
  return (uint64_t)result;
}
static int isPrime(uint64_t n) {
  if (n < 2)
    return 0;
  for (uint64_t p = 2; p < 40; ++p)
    if (n % p == 0)
      return n == p;
  uint64_t d = n - 1;
  int twos = 0;
  for (; !(d & 1); d >>= 1)
    ++twos;
  const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (unsigned i = 0; i < sizeof bases / sizeof *bases; ++i) {
    uint64_t x = power(bases[i], d, n);
    int composite = x != 1 && x != n - 1;
    for (int k = 1; composite && k < twos; ++k) {
      x = power(x, 2, n);
      composite = x != n - 1;
    }
    if (composite)
      return 0;
  }
  return 1;
}
static uint64_t state[2] = {1, 2};
static uint64_t next(void) {
  uint64_t a = state[0], b = state[1];
  state[0] = b;
  a ^= a << 23;
  state[1] = a ^ b ^ a >> 17 ^ b >> 26;
  return state[1] + b;
}

int main(void) {
  static unsigned char sieve[3000];
  int count = 0;
  for (int i = 2; i < 3000; ++i)
    if (!sieve[i]) {
      ++count;
      for (int j = i * i; j < 3000; j += i)
        sieve[j] = 1;
    }
  printf("%d primes below 3000\n", count);
  for (int i = 0; i < 3000; ++i)
    if (isPrime(i) != (i > 1 && !sieve[i]))
      return 1;
  for (uint64_t n = 18446744073709551557u; n > 18446744073709551500u; n -= 2)
    if (isPrime(n))
      printf("%llu is prime\n", (unsigned long long)n);
  uint64_t sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum ^= next() * (uint64_t)i;
  printf("%016llx\n", (unsigned long long)sum);
  return 0;
}
