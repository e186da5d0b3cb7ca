// Variables of integers that have no type of their own in machine code: what
// the optimiser makes of bit-fields, _BitInt, and vectors of bool.
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

int main() {
  auto found =
      on_device(1, [](std::size_t i) { return work(unsigned(i) + 1); });
  if (found[0] == work(1))
    std::puts("every bit"); // CHECK: every bit
}
