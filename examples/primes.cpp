// Global variables of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every device has global variables of its own. Their constructors run there,
// once, before the first kernel: here one that fills a table. The host accesses
// a device's variable by xcc::symbol. A shared_global is one object for all.

#include <xcc/xcc.h>

#include <atomic>
#include <bitset>
#include <cstdio>

constexpr int Limit = 20000;

/// The sieve of Eratosthenes.
struct Sieve {
  std::bitset<Limit> isPrime;
  Sieve() {
    isPrime.set();
    isPrime.reset(0).reset(1);
    for (int n = 2; n * n < Limit; ++n)
      if (isPrime[n])
        for (int m = n * n; m < Limit; m += n)
          isPrime.reset(m);
  }
};
const Sieve sieve;

int distance = 2;          // the host sets it
std::atomic<int> pairs{0}; // the device counts

struct Largest {
  std::atomic<int> prime{0};
};
xcc::shared_global<Largest> largest;

/// Counts primes n for which n + distance is one too.
void count() {
  const int n = int(xcc::global_id());
  if (n + distance >= Limit || !sieve.isPrime[n] ||
      !sieve.isPrime[n + distance])
    return;
  ++pairs;
  int known = largest->prime;
  while (known < n && !largest->prime.compare_exchange_weak(known, n))
    ;
}

int main() {
  bool correct = true;
  for (int step : {2, 4, 6}) {
    xcc::symbol(distance).copy_from(step);
    xcc::symbol(pairs).copy_from(0);
    largest->prime = 0;
    xcc::launch({{(Limit + 255) / 256}, {256}}, count);
    xcc::synchronize();
    std::atomic<int> found{0};
    xcc::symbol(pairs).copy_to(found);

    // The host has a sieve of its own.
    int expected = 0, last = 0;
    for (int n = 0; n + step < Limit; ++n)
      if (sieve.isPrime[n] && sieve.isPrime[n + step]) {
        ++expected;
        last = n;
      }
    std::printf(
        "%d pairs of primes with a distance of %d, the last %d and %d\n",
        int(found), step, int(largest->prime), largest->prime + step);
    correct &= found == expected && largest->prime == last;
  }
  std::puts(correct ? "correct" : "WRONG");
  return !correct;
}
