// Everything that an argument can be
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>

namespace {

template <class T> void store_all(T a, T b, T *out) {
  out[0] = a;
  out[1] = b;
}

/// Two values of a type, through the arguments and back.
template <class T> void round_trip(T a, T b) {
  xcc::buffer<T> out(2);
  xcc::launch({{1}, {1}}, store_all<T>, a, b, out.data());
  const auto back = read(out);
  CHECK(back[0] == a && back[1] == b);
}

enum class colour : unsigned short { red = 7, blue = 0xfffe };
enum plain { few = 3, many = 100000 };

struct packed {
  char c;
  double d;
  short s;
  float f[3];
  bool operator==(const packed &) const = default;
};
struct alignas(64) line {
  int first;
  double rest[7];
  bool operator==(const line &) const = default;
};
struct nested {
  char tag;
  packed inner[2];
  std::array<short, 5> list;
  bool operator==(const nested &) const = default;
};

void mixed(char a, long long b, short c, float d, bool e, double f,
           unsigned char g, int h, double *out) {
  out[0] = a, out[1] = double(b), out[2] = c, out[3] = d;
  out[4] = e, out[5] = f, out[6] = g, out[7] = h;
}

template <std::size_t N> struct bytes { unsigned char at[N]; };
template <std::size_t N> void sum_bytes(bytes<N> b, unsigned *out) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < N; ++i)
    sum = sum * 31 + b.at[i];
  *out = sum;
}
template <std::size_t N> void big() {
  bytes<N> b;
  unsigned expected = 0;
  for (std::size_t i = 0; i < N; ++i) {
    b.at[i] = static_cast<unsigned char>(i * 7 + i / 256);
    expected = expected * 31 + b.at[i];
  }
  xcc::buffer<unsigned> out(1);
  xcc::launch({{1}, {1}}, sum_bytes<N>, b, out.data());
  EQUAL(read(out)[0], expected);
}

/// Function object with state and several arguments.
struct scale {
  double by;
  int offset;
  void operator()(const double *in, double *out, int n) const {
    if (const std::size_t i = xcc::global_id(); i < std::size_t(n))
      out[i] = in[i] * by + offset;
  }
};

__extension__ typedef __int128 int128;
} // namespace

TEST(scalars_of_every_size, needs(execution)) {
  round_trip<bool>(true, false);
  round_trip<char>('a', -3);
  round_trip<signed char>(-128, 127);
  round_trip<unsigned char>(255, 1);
  round_trip<short>(-32768, 12345);
  round_trip<unsigned short>(65535, 3);
  round_trip<int>(-2147483647, 5);
  round_trip<unsigned>(0xdeadbeef, 6);
  round_trip<long>(-(1L << 62), 7);
  round_trip<unsigned long long>(~0ull - 1, 1ull << 63);
  round_trip<char16_t>(u'x', 0xabcd);
  round_trip<char32_t>(U'x', 0x12345);
  round_trip<wchar_t>(L'x', 77);
  round_trip<float>(1.5f, -0.0f);
  round_trip<double>(1e300, -2.5e-300);
  round_trip<int128>(int128(1) << 100, -5);
  round_trip<colour>(colour::red, colour::blue);
  round_trip<plain>(few, many);
  round_trip<std::nullptr_t *>(nullptr, nullptr);
}

TEST(structures, needs(execution)) {
  packed p{};
  p.c = 'q', p.d = 3.25, p.s = -9, p.f[2] = 1.5f;
  packed q{};
  q.d = -1;
  round_trip(p, q);
  nested n{};
  n.tag = 1, n.inner[1] = p, n.list[4] = 44;
  round_trip(n, nested{});
}

TEST(over_aligned, needs(execution)) {
  line a{}, b{};
  a.first = 4, a.rest[6] = 2.5, b.rest[0] = -1;
  round_trip(a, b);
  xcc::buffer<int> out(1);
  xcc::launch(
      {{1}, {1}},
      [](char before, line l, char after, int *o) {
        *o = before * 10000 + after * 100 + l.first + int(l.rest[6] * 2) +
             int(reinterpret_cast<std::uintptr_t>(&l) % alignof(line));
      },
      char(1), a, char(2), out.data());
  EQUAL(read(out)[0], 10000 + 200 + 4 + 5);
}

TEST(mixed_alignments, needs(execution)) {
  xcc::buffer<double> out(8);
  xcc::launch({{1}, {1}}, mixed, char(1), 1ll << 40, short(-3), 0.5f, true,
              2.25, static_cast<unsigned char>(200), -8, out.data());
  const double expected[] = {1, 1099511627776.0, -3, 0.5, 1, 2.25, 200, -8};
  const auto back = read(out);
  for (int i = 0; i < 8; ++i)
    EQUAL(back[i], expected[i]);
}

TEST(conversions_as_in_a_call, needs(execution)) {
  xcc::buffer<double> out(8);
  xcc::launch({{1}, {1}}, mixed, 65, 7, 8, 9, 1, 10, 11, 12.75, out.data());
  const auto back = read(out);
  EQUAL(back[0], 65);
  EQUAL(back[3], 9);
  EQUAL(back[7], 12);
}

TEST(pointers, needs(execution)) {
  xcc::buffer<int> data(3);
  const int values[] = {10, 20, 30};
  data.copy_from(values, 3);
  xcc::buffer<int> out(4);
  xcc::launch(
      {{1}, {1}},
      [](const int *a, void *b, int *const *none, const volatile int *c,
         int *o) {
        o[0] = a[0], o[1] = *static_cast<int *>(b), o[2] = none == nullptr;
        o[3] = *c;
      },
      data.data(), data.data() + 1, nullptr, data.data() + 2, out.data());
  const auto back = read(out);
  CHECK(back[0] == 10 && back[1] == 20 && back[2] == 1 && back[3] == 30);
}

TEST(references_to_device_memory, needs(execution)) {
  xcc::buffer<packed> b(1);
  b.fill_bytes(0);
  xcc::buffer<int> n(1);
  n.fill_bytes(0);
  xcc::launch(
      {{1}, {64}},
      [](packed &p, int &count) {
        if (xcc::global_id() == 0)
          p.d = 8.5;
        __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
      },
      *b.data(), *n.data());
  EQUAL(read(b)[0].d, 8.5);
  EQUAL(read(n)[0], 64);
}

TEST(spans, needs(execution)) {
  xcc::buffer<float> b(100);
  b.fill_bytes(0);
  xcc::launch(
      {{2}, {64}},
      [](std::span<float> s, std::span<float, 50> front) {
        if (const std::size_t i = xcc::global_id(); i < s.size()) {
          s[i] = float(i);
          if (i < front.size())
            front[i] += 1000;
        }
      },
      std::span(b.data(), 100), std::span<float, 50>(b.data(), 50));
  const auto back = read(b);
  EQUAL(back[49], 1049);
  EQUAL(back[99], 99);
}

TEST(library_types, needs(execution)) {
  xcc::buffer<int> out(3);
  xcc::launch(
      {{1}, {1}},
      [](std::tuple<char, int, double> t, std::optional<int> some,
         std::optional<int> none, std::pair<short, long> p, int *o) {
        o[0] = std::get<0>(t) + std::get<1>(t) + int(std::get<2>(t));
        o[1] = some.value_or(-1) * 10 + none.value_or(3);
        o[2] = int(p.first + p.second);
      },
      std::tuple(char(1), 20, 300.5), std::optional(4), std::optional<int>(),
      std::pair(short(5), 600L), out.data());
  const auto back = read(out);
  EQUAL(back[0], 321);
  EQUAL(back[1], 43);
  EQUAL(back[2], 605);
}

TEST(none, needs(execution)) {
  xcc::launch({{3}, {5}}, [] {});
  xcc::launch(
      {{1}, {1}}, +[] {});
  xcc::synchronize();
}

TEST(four_kilobytes, needs(execution)) {
  big<1>();
  big<3>();
  big<100>();
  big<1023>();
  big<4096 - sizeof(void *)>();
}

TEST(copied_at_the_launch, needs(execution)) {
  xcc::buffer<int> out(1000);
  for (int i = 0; i < 1000; ++i) {
    int value = i;
    xcc::launch(
        {{1}, {1}}, [](int v, int *o) { *o = v; }, value, out.data() + i);
    value = -1;
  }
  const auto back = read(out);
  for (int i = 0; i < 1000; ++i)
    EQUAL(back[i], i);
}

TEST(closure_with_many_captures, needs(execution)) {
  const char a = 1;
  const short b = 2;
  const int c = 3;
  const long long d = 4;
  const float e = 5;
  const double f = 6;
  const bool g = true;
  const packed h{'h', 8, 9, {10, 11, 12}};
  const std::array<int, 20> i{1, 2, 3};
  const line j{13, {14}};
  const unsigned char k = 15;
  const int l[3] = {16, 17, 18};
  xcc::buffer<double> out(1);
  xcc::launch({{1}, {1}}, [=, o = out.data()] {
    *o = a + b + c + double(d) + e + f + g + h.c + h.d + h.s + h.f[2] + i[2] +
         j.first + j.rest[0] + k + l[0] + l[1] + l[2];
  });
  EQUAL(read(out)[0], 1 + 2 + 3 + 4 + 5 + 6 + 1 + 'h' + 8 + 9 + 12 + 3 + 13 +
                          14 + 15 + 16 + 17 + 18);
}

TEST(closure_and_arguments, needs(execution)) {
  xcc::buffer<int> out(64);
  char tag = 5;
  xcc::launch(
      {{1}, {64}},
      [tag](short a, double b, int *o) {
        o[xcc::global_id()] = tag + a + int(b) + int(xcc::global_id());
      },
      10, 100.5, out.data());
  EQUAL(read(out)[63], 5 + 10 + 100 + 63);
}

TEST(mutable_closure, needs(execution)) {
  // Each thread has a copy of its own, so counting starts anew in each.
  xcc::buffer<int> out(256);
  xcc::launch({{4}, {64}}, [count = 5, o = out.data()]() mutable {
    for (std::size_t i = 0; i < xcc::global_id() % 3; ++i)
      ++count;
    o[xcc::global_id()] = count;
  });
  const auto back = read(out);
  for (int i = 0; i < 256; ++i)
    EQUAL(back[i], 5 + i % 3);
}

TEST(empty_closure, needs(execution)) {
  xcc::buffer<int> out(1);
  xcc::launch(
      {{1}, {1}}, [](int *o) { *o = 3; }, out.data());
  EQUAL(read(out)[0], 3);
}

TEST(generic_closure, needs(execution)) {
  xcc::buffer<double> out(2);
  auto put = [](auto value, auto *o) { *o = value / 2; };
  xcc::launch({{1}, {1}}, put, 5, out.data());
  xcc::launch({{1}, {1}}, put, 5.0, out.data() + 1);
  const auto back = read(out);
  EQUAL(back[0], 2);
  EQUAL(back[1], 2.5);
}

TEST(function_object, needs(execution)) {
  xcc::buffer<double> in(10), out(10);
  std::vector<double> values(10, 2.0);
  in.copy_from(values.data(), 10);
  xcc::launch({{1}, {32}}, scale{1.5, 7}, in.data(), out.data(), 10);
  EQUAL(read(out)[9], 10);
}

TEST(kernel_from_a_template_parameter, needs(execution)) {
  auto start = []<auto Kernel>(auto... arguments) {
    xcc::launch({{1}, {1}}, Kernel, arguments...);
  };
  xcc::buffer<int> out(2);
  start.template operator()<store_all<int>>(4, 5, out.data());
  EQUAL(read(out)[1], 5);
}
