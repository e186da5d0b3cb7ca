// rand and related functions for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequences of the GNU C library. random() is an additive generator with
// lags 31 and 3 (D. E. Knuth, The Art of Computer Programming, vol. 2, 3.2.2).
// A Lehmer generator fills its table, and the first 310 results are skipped.
// The drand48 family is POSIX's linear congruential generator of 48 bits. All
// threads of the device share one state. Threads that call at the same time get
// different numbers of the sequence, in any order.

#include "../lock.h"

namespace {
constexpr int Long = 31, Short = 3, Skipped = 310;

struct Additive {
  unsigned table[Long];
  int at; ///< index of the sum 31 calls ago

  void seed(unsigned start) {
    int word = int(start ? start : 1);
    table[0] = unsigned(word);
    for (int i = 1; i != Long; ++i) {
      // 16807 x mod 2^31 - 1 within 32 bits (Schrage's method)
      word = int(16807L * (word % 127773) - 2836L * (word / 127773));
      if (word < 0)
        word += 2147483647;
      table[i] = unsigned(word);
    }
    at = Short;
    for (int i = 0; i != Skipped; ++i)
      next();
  }
  int next() {
    unsigned sum = table[at] += table[(at + Long - Short) % Long];
    at = (at + 1) % Long;
    return int(sum >> 1);
  }
};

xcc::Lock lock; ///< of the state below
Additive state;
bool seeded;

constexpr unsigned long Multiplier = 0x5deece66d, Mask = (1ul << 48) - 1;
unsigned long state48, multiplier48 = Multiplier;
unsigned short addend48 = 0xb;

unsigned long step48(unsigned long x) {
  return (x * multiplier48 + addend48) & Mask;
}
unsigned long packed(const unsigned short *x) {
  return x[0] | (unsigned long)x[1] << 16 | (unsigned long)x[2] << 32;
}
void unpack(unsigned short *to, unsigned long x) {
  for (int i = 0; i != 3; ++i)
    to[i] = (unsigned short)(x >> 16 * i);
}
unsigned long stepped(unsigned short *x) {
  unsigned long next = step48(packed(x));
  unpack(x, next);
  return next;
}
/// The next state of all threads' generator.
unsigned long next48() {
  unsigned long before = __atomic_load_n(&state48, __ATOMIC_RELAXED), next;
  do
    next = step48(before);
  while (!__atomic_compare_exchange_n(&state48, &before, next, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return next;
}
double asDouble(unsigned long x) { return double(x) * 0x1p-48; }
long asNatural(unsigned long x) { return long(x >> 17); }
long asSigned(unsigned long x) { return int(x >> 16); }
} // namespace

extern "C" {
void srandom(unsigned seed) {
  lock.hold([=] {
    state.seed(seed);
    seeded = true;
  });
}
long random() {
  int next = 0;
  lock.hold([&] {
    if (!seeded)
      state.seed(1);
    seeded = true;
    next = state.next();
  });
  return next;
}
void srand(unsigned seed) { srandom(seed); }
int rand() { return int(random()); }
int rand_r(unsigned *seed) {
  unsigned result = 0;
  const int bits[] = {11, 10, 10}, masks[] = {2047, 1023, 1023};
  for (int i = 0; i != 3; ++i) {
    *seed = *seed * 1103515245 + 12345;
    result = result << bits[i] ^ (*seed >> 16 & unsigned(masks[i]));
  }
  return int(result);
}

void srand48(long seed) {
  state48 = (unsigned long)(unsigned)seed << 16 | 0x330e;
  multiplier48 = Multiplier;
  addend48 = 0xb;
}
unsigned short *seed48(const unsigned short *seed) {
  static unsigned short before[3];
  unpack(before, state48);
  state48 = packed(seed);
  multiplier48 = Multiplier;
  addend48 = 0xb;
  return before;
}
void lcong48(const unsigned short *parameters) {
  state48 = packed(parameters);
  multiplier48 = packed(parameters + 3);
  addend48 = parameters[6];
}
double drand48() { return asDouble(next48()); }
long lrand48() { return asNatural(next48()); }
long mrand48() { return asSigned(next48()); }
double erand48(unsigned short *x) { return asDouble(stepped(x)); }
long nrand48(unsigned short *x) { return asNatural(stepped(x)); }
long jrand48(unsigned short *x) { return asSigned(stepped(x)); }
}
