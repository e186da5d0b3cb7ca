// Statements, variables and data in kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <compare>
#include <initializer_list>

namespace {
constexpr unsigned N = 300;

struct ordered {
  int major, minor;
  auto operator<=>(const ordered &) const = default;
};
constexpr int Primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
const double Halves[4] = {0.5, 1.5, 2.5, 3.5};
inline int Inline = 11;
inline constexpr int InlineTable[3][2] = {{1, 2}, {3, 4}, {5, 6}};
int Counter = 100;
struct with_table {
  static constexpr unsigned char sbox[] = {9, 8, 7, 6, 5, 4, 3, 2};
  static inline int shared = 21;
};
struct flags {
  unsigned a : 3;
  unsigned b : 7;
  signed c : 5;
  unsigned long long d : 40;
  bool e : 1;
};
union view {
  float f;
  unsigned u;
  unsigned char bytes[4];
};

unsigned of_switch(unsigned i) {
  switch (i % 11) {
  case 0:
    return 5;
  case 1:
  case 2:
    return i;
  case 3:
    i += 7;
    [[fallthrough]];
  case 4:
    return i * 3;
  case 7:
    return 100;
  case 9:
    return i / 2;
  default:
    return 1;
  }
}
consteval int at_compile_time(int v) { return v * v; }
} // namespace

TEST(comparisons, needs(execution)) {
  same("<=>", N, [](unsigned i) {
    const ordered a{int(i % 3), int(i % 5)}, b{1, 2};
    return (a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * ((a <=> b) > 0);
  });
}

TEST(lambdas, needs(execution)) {
  same("lambdas", N, [](unsigned i) {
    int total = 0;
    auto add = [&total](auto v) { total += int(v); };
    add(i), add(1.5), add('a');
    auto counter = [n = int(i)]() mutable { return ++n; };
    counter();
    auto recursive = [](auto &&self, unsigned n) -> unsigned {
      return n ? n + self(self, n - 1) : 0;
    };
    return total + counter() + int(recursive(recursive, i % 20));
  });
}

TEST(switch_and_goto, needs(execution)) {
  same("switch", N, [](unsigned i) { return of_switch(i); });
  same("goto", N, [](unsigned i) {
    unsigned n = i, steps = 0;
  again:
    if (n <= 1)
      goto done;
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
    goto again;
  done:
    return steps;
  });
  same("duff", N, [](unsigned i) {
    unsigned sum = 0, left = (i + 3) / 4;
    if (i == 0)
      return sum;
    switch (i % 4) {
    case 0:
      do {
        sum += 1;
        [[fallthrough]];
      case 3:
        sum += 2;
        [[fallthrough]];
      case 2:
        sum += 3;
        [[fallthrough]];
      case 1:
        sum += 4;
      } while (--left);
    }
    return sum;
  });
}

TEST(loops, needs(execution)) {
  same("loops", N, [](unsigned i) {
    unsigned h = 0;
    for (unsigned a = 0; a < i % 13; ++a) {
      unsigned b = a;
      while (b < 20) {
        if (b % 7 == 5)
          break;
        if (++b % 3 == 0)
          continue;
        h = h * 31 + b;
      }
      do
        h ^= b--;
      while (b > 15);
    }
    for (int v : {1, 2, 3})
      h += unsigned(v);
    return h;
  });
}

TEST(constant_tables, needs(execution)) {
  same("tables", N, [](unsigned i) {
    static const short inside[] = {-1, -2, -3, -4, -5};
    static constexpr char text[] = "constant";
    const char *other = i % 2 ? "odd" : "even";
    return Primes[i % 8] + Halves[i % 4] + inside[i % 5] + text[i % 8] +
           other[i % 3] + InlineTable[i % 3][i % 2] + with_table::sbox[i % 8] +
           at_compile_time(9);
  });
}

TEST(inline_and_static_variables, needs(execution)) {
  // The device has its own, with the initialiser's value at first.
  same("inline", 10,
       [](unsigned i) { return Inline + with_table::shared + int(i); });
  xcc::buffer<int> out(2);
  xcc::launch({{1}, {1}}, [o = out.data()] { o[0] = Counter++; });
  xcc::launch({{1}, {1}}, [o = out.data()] { o[1] = Counter++; });
  const auto back = read(out);
  EQUAL(back[0], 100);
  EQUAL(back[1], 101);
  EQUAL(Counter, 100);
}

TEST(static_locals, needs(execution)) {
  xcc::buffer<int> out(3);
  for (int i = 0; i < 3; ++i)
    xcc::launch({{1}, {1}}, [o = out.data() + i] {
      static int calls = 5;
      *o = calls++;
    });
  EQUAL(read(out)[2], 7);
}

TEST(bit_fields, needs(execution)) {
  same("bit fields", N, [](unsigned i) {
    flags f{};
    f.a = i;
    f.b = i * 3;
    f.c = int(i % 16) - 8;
    f.d = i * 0x123456789ull;
    f.e = i % 2;
    ++f.a;
    f.d >>= 3;
    return f.a + f.b * 8ull + static_cast<unsigned long long>(f.c) * 5 +
           f.d * 7 + f.e;
  });
}

TEST(unions, needs(execution)) {
  same("unions", N, [](unsigned i) {
    view v;
    v.f = float(i) + 0.5f;
    const unsigned before = v.u; // as GCC and Clang define it
    v.bytes[0] = 1;
    return before + v.u;
  });
}

TEST(large_local_arrays, needs(execution)) {
  same("local", 64, [](unsigned i) {
    unsigned cells[1000];
    for (unsigned k = 0; k < 1000; ++k)
      cells[k] = k * i;
    unsigned h = 0;
    for (unsigned k = 0; k < 1000; ++k)
      h = h * 31 + cells[(k * 17 + i) % 1000];
    return h;
  });
}

TEST(local_matrices, needs(execution)) {
  same("matrices", 64, [](unsigned i) {
    int a[6][6], b[6][6] = {}, c[6][6] = {};
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 6; ++x) {
        a[y][x] = int(i) + y * x;
        b[x][y] = y - x;
      }
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 6; ++x)
        for (int k = 0; k < 6; ++k)
          c[y][x] += a[y][k] * b[k][x];
    return c[i % 6][i / 6 % 6];
  });
}

TEST(escaping_locals, needs(execution)) {
  same("escaping", N, [](unsigned i) {
    struct node {
      node *next;
      unsigned value;
    } nodes[10];
    for (unsigned k = 0; k < 10; ++k)
      nodes[k] = {k ? &nodes[k - 1] : nullptr, i + k};
    unsigned h = 0;
    for (const node *n = &nodes[9]; n; n = n->next)
      h = h * 3 + n->value;
    return h;
  });
}

TEST(structured_bindings_and_initialisers, needs(execution)) {
  same("bindings", N, [](unsigned i) {
    struct record {
      int a;
      double b;
    };
    auto [a, b] = record{.a = int(i), .b = 2};
    auto total = [](std::initializer_list<int> list) {
      int t = 0;
      for (int v : list)
        t += v;
      return t;
    };
    if (const int t = total({1, 2, a}); t % 2)
      return t + b;
    return a * b;
  });
}

TEST(strings, needs(execution)) {
  same("strings", N, [](unsigned i) {
    const char *words[] = {"", "a", "abc", "abcdefghij"};
    const char *w = words[i % 4];
    char copy[16];
    std::strcpy(copy, w);
    return std::strlen(w) + (std::strcmp(copy, w) == 0) * 10 +
           unsigned(std::strchr(w, 'c') != nullptr) * 100;
  });
}

TEST(memory_functions, needs(execution)) {
  same("memory", N, [](unsigned i) {
    unsigned char a[64], b[64];
    std::memset(a, int(i), sizeof a);
    std::memcpy(b, a, i % 65);
    std::memset(b + i % 65, 7, 64 - i % 65);
    std::memmove(b + 3, b, 50);
    unsigned h = 0;
    for (unsigned char c : b)
      h = h * 31 + c;
    return h + unsigned(std::memcmp(a, b, 64) == 0);
  });
}
