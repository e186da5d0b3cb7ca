// Variables of integers that have no type of their own in machine code: what
// the optimiser makes of bit-fields, _BitInt, and vectors of bool; and calls
// that such vectors are passed to and come back from.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <cstdint>

// A unit of 24 bits, and one of 40, that a variable of their own is made of.
struct Fields {
  int first;
  unsigned a : 10;
  int b : 11;
  char c;
  std::uint64_t d : 20;
  std::int64_t e : 17;
  char f;
};
static Fields fields = {1, 5, -7, 'c', 77, -99, 'f'};
static Fields several[3] = {{1, 5, -7, 'c', 77, -99, 'f'},
                            {2, 6, -8, 'd', 78, -98, 'g'},
                            {3, 7, -9, 'e', 79, -97, 'h'}};

// What derives from it may use its eighth byte.
struct Open {
  int first;
  int second : 20;
  Open &operator=(const Open &) { return *this; }
};
static Open open = {1, -7};

static _BitInt(24) i24 = -3;
static unsigned _BitInt(40) i40 = 0xfffefdfcfb;
static _BitInt(65) i65 = -5;
static _BitInt(3) i3 = -3;
static _BitInt(24) a24[3] = {-1, -2, 3};
static unsigned _BitInt(40) a40[3] = {1, 0xffffffffff, 3};
static _BitInt(72) a72[3] = {1, -2, 3};
static _BitInt(127) a127[2] = {-1, 5};
static bool flags[3] = {true, false, true};

struct Mixed {
  _BitInt(24) a;
  char b;
  _BitInt(48) c;
  const char *text;
  _BitInt(65) d[2];
};
static Mixed mixed[2] = {{-5, 'x', -6, "text", {-7, 8}},
                         {5, 'y', 6, "more", {-9, 10}}};

typedef bool bool8 __attribute__((ext_vector_type(8)));
static bool8 bools = {1, 0, 1, 1, 0, 0, 0, 1};
static const bool8 both[2] = {{0, 1, 1, 0, 1, 0, 0, 1},
                              {1, 1, 1, 1, 0, 0, 0, 0}};

/// What they all hold, and hold after they are written to.
static std::uint64_t work(unsigned n) {
  std::uint64_t sum = 0;
  auto add = [&](auto value) { sum = sum * 31 + std::uint64_t(value); };
  auto add_fields = [&](Fields &of) {
    add(of.first), add(of.a), add(of.b), add(of.c);
    add(of.d), add(of.e), add(of.f);
  };
  for (unsigned round = 0; round < 2; ++round) {
    add_fields(fields);
    fields.first += n, fields.a += n, fields.b -= n, fields.c += n;
    fields.d += n, fields.e *= 3, fields.f -= n;
    add(open.first), add(open.second);
    open.first += n, open.second *= 3;
    for (Fields &each : several)
      add_fields(each);
    several[n].b += n;
    add(i24), add(i40), add(i65), add(i65 >> 62), add(i3);
    i24 += n, i40 += n, i65 += n, i3 += n;
    for (unsigned i = 0; i < 3; ++i)
      add(a24[i]), add(a40[i]), add(a72[i]), add(a72[i] >> 60), add(flags[i]);
    a24[n] += 3, a40[n] += 3, a72[n] += 3, flags[n] ^= n;
    for (auto each : a127)
      add(each), add(each >> 70);
    for (Mixed &each : mixed) {
      add(each.a), add(each.b), add(each.c), add(each.text[1]);
      for (auto d : each.d)
        add(d), add(d >> 62);
    }
    mixed[n].a += n, mixed[n].c -= n, mixed[n].d[n] -= n;
    for (unsigned i = 0; i < 8; ++i)
      add(bools[i]), add(both[n][i]), add(both[0][i]);
  }
  return sum;
}

template <unsigned N> using bools_of __attribute__((ext_vector_type(N))) = bool;

/// What is passed and comes back lies between numbers that stay as they are.
template <unsigned N> struct Around {
  int before;
  bools_of<N> bits;
  int behind;
};

template <unsigned N>
__attribute__((noinline)) bools_of<N> mixed_bits(int before, bools_of<N> a,
                                                 short between, bools_of<N> b,
                                                 int behind) {
  if (before + between == behind)
    return a ^ ~b;
  return a;
}

template <unsigned N>
__attribute__((noinline)) bools_of<N> other_bits(int, bools_of<N> a, short,
                                                 bools_of<N> b, int) {
  return a | b;
}

template <unsigned N>
__attribute__((noinline)) Around<N> mixed_around(Around<N> a, bools_of<N> b) {
  return {a.behind, a.bits & b, a.before};
}

template <unsigned N> static std::uint64_t bits_of(bools_of<N> bits) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < N; ++i)
    sum = sum * 3 + bits[i];
  return sum;
}

template <unsigned N>
__attribute__((noinline)) bools_of<N> bits_like(std::uint64_t from) {
  typedef unsigned char bytes __attribute__((ext_vector_type(N)));
  bytes all;
  for (unsigned i = 0; i < N; ++i)
    all[i] = (from >> i % 60) & 1;
  return __builtin_convertvector(all, bools_of<N>);
}

template <unsigned N> static std::uint64_t pass(unsigned n) {
  auto a = bits_like<N>(0x9e3779b97f4a7c15 * n);
  auto b = bits_like<N>(0xc2b2ae3d27d4eb4f * n);
  auto indirect = n % 2 ? mixed_bits<N> : other_bits<N>;
  auto c = mixed_bits<N>(n, a, 5, b, n + 5);
  auto d = indirect(n, c, 7, b, n);
  Around<N> e = mixed_around<N>({int(n), d, -1}, c);
  return bits_of<N>(c) * 5 + bits_of<N>(d) * 7 + bits_of<N>(e.bits) * 11 +
         std::uint64_t(e.before * 13 + e.behind);
}

typedef signed char char3 __attribute__((ext_vector_type(3)));
typedef _BitInt(32) int3 __attribute__((ext_vector_type(3)));
__attribute__((noinline)) static char3 turned(char3 a, int3 b, _BitInt(24) c) {
  return char3{a[2], a[0], a[1]} + (signed char)(b[2] + int(c));
}

static std::uint64_t calls(unsigned n) {
  char3 t = turned(char3{1, 2, (signed char)n}, int3{1, 2, int(n)}, n);
  return pass<2>(n) + pass<3>(n) * 3 + pass<4>(n) * 5 + pass<7>(n) * 7 +
         pass<8>(n) * 11 + pass<16>(n) * 13 + pass<31>(n) * 17 +
         pass<64>(n) * 19 + pass<80>(n) * 23 + t[0] + t[1] * 3 + t[2] * 5;
}

int main() {
  auto passed =
      on_device(50, [](std::size_t i) { return calls(3 * unsigned(i) + 1); });
  for (unsigned i = 0; i < passed.size(); ++i)
    check(passed[i] == calls(3 * i + 1), "vectors of bool in calls");
  auto found =
      on_device(1, [](std::size_t i) { return work(unsigned(i) + 1); });
  if (found[0] == work(1))
    std::puts("every bit"); // CHECK: every bit
}
