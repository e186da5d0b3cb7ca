// The standard library in kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <span>
#include <string_view>
#include <tuple>
#include <variant>

namespace {
constexpr unsigned N = 500;

/// A number that looks random, the same on host and device.
constexpr unsigned mix(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ i >> 16;
}

template <class T, unsigned Size> std::array<T, Size> numbers(unsigned seed) {
  std::array<T, Size> a{};
  for (unsigned k = 0; k < Size; ++k)
    a[k] = T(mix(seed * Size + k) % 1000);
  return a;
}
template <class A> unsigned hash_of(const A &values) {
  unsigned h = 17;
  for (const auto &v : values)
    h = h * 31 + unsigned(v);
  return h;
}

/// Whether device and host agree to within a few units in the last place.
template <class F> void close(const char *what, F f) {
  const auto values = on_device(N, f);
  using T = typename decltype(values)::value_type;
  for (unsigned i = 0; i < N; ++i) {
    const T expected = f(i);
    const T bound =
        64 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected));
    if (!(std::abs(values[i] - expected) <= bound))
      conformance::stop("%s(%u): %.17g on the device, %.17g on the host", what,
                        i, double(values[i]), double(expected));
  }
}
#define CLOSE(...)                                                             \
  close(#__VA_ARGS__, [](unsigned i) {                                         \
    [[maybe_unused]] const double x = double(i + 1) / 64;                      \
    return __VA_ARGS__;                                                        \
  });                                                                          \
  close(#__VA_ARGS__ " float", [](unsigned i) {                                \
    [[maybe_unused]] const float x = float(i + 1) / 64;                        \
    return __VA_ARGS__;                                                        \
  })

constexpr std::string_view Words[] = {"kernel", "grid", "block", "thread"};
} // namespace

TEST(sort_a_local_array, needs(execution)) {
  same("std::sort", N, [](unsigned i) {
    auto a = numbers<int, 33>(i);
    std::sort(a.begin(), a.end());
    return hash_of(a);
  });
  same("std::sort, greater", N, [](unsigned i) {
    auto a = numbers<short, 20>(i);
    std::sort(a.begin(), a.end(), std::greater<>());
    return hash_of(a);
  });
}

TEST(heap_and_nth_element, needs(execution)) {
  same("heap", N, [](unsigned i) {
    auto a = numbers<int, 40>(i);
    std::make_heap(a.begin(), a.end());
    std::pop_heap(a.begin(), a.end());
    std::sort_heap(a.begin(), a.end() - 1);
    return hash_of(a);
  });
  same("nth_element", N, [](unsigned i) {
    auto a = numbers<int, 25>(i);
    std::nth_element(a.begin(), a.begin() + 12, a.end());
    return a[12];
  });
}

TEST(searches, needs(execution)) {
  same("searches", N, [](unsigned i) {
    auto a = numbers<int, 30>(i);
    unsigned h = unsigned(std::find(a.begin(), a.end(), a[i % 30]) - a.begin());
    h = h * 31 + unsigned(std::count_if(a.begin(), a.end(),
                                        [](int v) { return v % 3 == 0; }));
    const auto [least, most] = std::minmax_element(a.begin(), a.end());
    h = h * 31 + unsigned(*least + *most * 7);
    std::sort(a.begin(), a.end());
    h = h * 31 + unsigned(std::lower_bound(a.begin(), a.end(), 500) -
                          std::upper_bound(a.begin(), a.end(), 200));
    return h * 2 + std::binary_search(a.begin(), a.end(), a[5]);
  });
}

TEST(rearrangements, needs(execution)) {
  same("rearrangements", N, [](unsigned i) {
    auto a = numbers<int, 24>(i);
    std::rotate(a.begin(), a.begin() + i % 24, a.end());
    std::reverse(a.begin() + 3, a.end());
    auto middle =
        std::partition(a.begin(), a.end(), [](int v) { return v % 2 == 0; });
    std::swap_ranges(a.begin(), a.begin() + 5, a.begin() + 10);
    auto last = std::unique(a.begin(), a.end());
    std::next_permutation(a.begin(), last);
    return hash_of(a) + unsigned(middle - a.begin());
  });
}

TEST(numeric, needs(execution)) {
  same("numeric", N, [](unsigned i) {
    auto a = numbers<unsigned, 16>(i), b = numbers<unsigned, 16>(i + 1);
    unsigned h = std::accumulate(a.begin(), a.end(), 0u);
    h = h * 31 + std::inner_product(a.begin(), a.end(), b.begin(), 0u);
    std::partial_sum(a.begin(), a.end(), b.begin());
    std::iota(a.begin(), a.end(), i);
    h = h * 31 + std::reduce(a.begin(), a.end());
    h = h * 31 + std::gcd(i + 12, 360u) + std::lcm(i + 1, 12u);
    return h + hash_of(b);
  });
}

TEST(functional, needs(execution)) {
  same("functional", N, [](unsigned i) {
    const auto add = [](int a, int b) { return a + b * 2; };
    const auto bound = std::bind(add, std::placeholders::_2, int(i));
    return std::invoke(add, 3, int(i)) + bound(4, 5) + std::plus<>()(1, int(i));
  });
}

TEST(ranges, needs(execution)) {
  same("ranges", N, [](unsigned i) {
    auto a = numbers<int, 20>(i);
    std::ranges::sort(a, std::ranges::greater());
    unsigned h = 0;
    for (int v : a | std::views::filter([](int x) { return x % 2; }) |
                     std::views::transform([](int x) { return x * 3; }) |
                     std::views::take(5))
      h = h * 31 + unsigned(v);
    for (unsigned v : std::views::iota(0u, i % 10))
      h += v;
    return h + unsigned(std::ranges::max(a));
  });
}

TEST(array_and_span, needs(execution)) {
  same("array and span", N, [](unsigned i) {
    std::array<int, 9> a{};
    a.fill(int(i));
    std::array<std::array<char, 3>, 2> grid{{{1, 2, 3}, {4, 5, 6}}};
    std::span<int> all(a);
    all.subspan(2, 4)[1] = 5;
    all.last<2>()[0] = int(all.size());
    auto [x, y] = std::array{1, 2};
    return hash_of(a) + unsigned(grid[i % 2][i % 3] + x + y) +
           unsigned(std::as_bytes(all).size());
  });
}

TEST(bits, needs(execution)) {
  same("bits", N, [](unsigned i) {
    const unsigned v = mix(i);
    unsigned h = unsigned(std::popcount(v)) + 37u * std::countl_zero(v);
    h = h * 31 + unsigned(std::countr_zero(v | 0x1000000));
    h = h * 31 + std::rotl(v, int(i % 32)) + std::rotr(v, int(i % 7));
    h = h * 31 + std::bit_ceil(v >> 2) + std::bit_floor(v) + std::bit_width(v);
    h = h * 31 + std::has_single_bit(i);
    h = h * 31 + unsigned(std::countl_zero((unsigned short)(i)));
    const auto l = (unsigned long long)(v) << 29;
    h = h * 31 + unsigned(std::popcount(l) + std::countl_zero(l));
    return h + std::bit_cast<unsigned>(float(i));
  });
}

TEST(bitset, needs(execution)) {
  same("bitset", N, [](unsigned i) {
    std::bitset<100> b(mix(i));
    b <<= 50;
    b.set(i % 100).flip(3);
    return unsigned(b.count()) * 100 + unsigned(b._Find_first());
  });
}

TEST(optional, needs(execution)) {
  same("optional", N, [](unsigned i) {
    const auto half = [](unsigned v) {
      return v % 2 ? std::nullopt : std::optional(v / 2);
    };
    std::optional<unsigned> o = half(i);
    unsigned h = o.value_or(1000) + (o == std::nullopt);
    o = 5;
    o.reset();
    o.emplace(i);
    return h + *o * 3;
  });
}

TEST(variant, needs(execution)) {
  same("variant", N, [](unsigned i) {
    std::variant<int, float, std::array<char, 5>> v;
    switch (i % 3) {
    case 0:
      v = int(i);
      break;
    case 1:
      v = float(i);
      break;
    default:
      v = std::array<char, 5>{1, 2, 3, 4, 5};
    }
    const unsigned visited = std::visit(
        [](const auto &held) -> unsigned {
          if constexpr (std::is_class_v<std::decay_t<decltype(held)>>)
            return hash_of(held);
          else
            return unsigned(held) * 2;
        },
        v);
    unsigned h = visited + unsigned(v.index()) * 1000;
    if (const int *held = std::get_if<int>(&v))
      h += unsigned(*held);
    return h + std::holds_alternative<float>(v);
  });
}

TEST(visit_two_variants, needs(execution)) {
  same("visit", N, [](unsigned i) {
    using V = std::variant<int, double>;
    V a = int(i), b = double(i) / 2;
    if (i % 2)
      std::swap(a, b);
    return std::visit([](auto x, auto y) { return double(x) - double(y); }, a,
                      b);
  });
}

TEST(tuple_and_pair, needs(execution)) {
  same("tuple", N, [](unsigned i) {
    auto t = std::tuple_cat(std::tuple(int(i), 2.5), std::pair('a', short(4)));
    auto [a, b, c, d] = t;
    std::get<0>(t) += 5;
    const double sum =
        std::apply([](auto... v) { return (double(v) + ...); }, t);
    return sum + a + b + c + d + (std::tuple(1, i) < std::tuple(1, 100u)) +
           (std::pair(1, 2) == std::make_pair(1, int(i)));
  });
}

TEST(string_view, needs(execution)) {
  same("string_view", N, [](unsigned i) {
    std::string_view s = Words[i % 4];
    unsigned h = unsigned(s.size()) + unsigned(s.find('r')) * 10;
    h = h * 31 + hash_of(s.substr(1, 3));
    h = h * 31 + (s == "grid") + 2 * (s < "h") + 4 * s.starts_with("bl");
    return h + unsigned(std::string_view("a b c").rfind(' '));
  });
}

TEST(limits, needs(execution)) {
  same("limits", 1, [](unsigned) {
    return std::numeric_limits<int>::max() == 2147483647 &&
           std::numeric_limits<double>::infinity() > 1e308 &&
           std::isnan(std::numeric_limits<float>::quiet_NaN()) &&
           std::numeric_limits<unsigned char>::max() == 255;
  });
}

TEST(math, needs(execution)) {
  CLOSE(std::sqrt(x));
  CLOSE(std::sin(x));
  CLOSE(std::cos(x));
  CLOSE(std::exp(x));
  CLOSE(std::log(x));
  CLOSE(std::atan2(x, x + 1));
  CLOSE(std::tanh(x));
  CLOSE(std::cbrt(x));
  CLOSE(std::hypot(x, x * 2));
  CLOSE(std::erf(x / 2));
  CLOSE(std::fmod(x * 10, decltype(x)(0.75)));
  CLOSE(std::log2(x) + std::log10(x) + std::log1p(x));
  CLOSE(std::exp2(x) + std::expm1(x));
  CLOSE(std::asin(x / 10) + std::acos(x / 10) + std::atan(x));
}

TEST(math_pow, needs(execution)) {
  CLOSE(std::pow(x, decltype(x)(1.5)));
  CLOSE(std::pow(x, 3));
}

TEST(math_exact, needs(execution)) {
  same("exact", N, [](unsigned i) {
    const double x = (double(mix(i)) - 2e9) / 1000;
    double whole = 0;
    int exponent = 0;
    double h = std::floor(x) + std::ceil(x) + std::trunc(x) + std::round(x);
    h += std::rint(x) + std::nearbyint(x) + double(std::lround(x));
    h += std::fabs(x) + std::copysign(1, x) + std::fmax(x, 1) + std::fmin(x, 1);
    h += std::modf(x, &whole);
    h += whole;
    h += std::frexp(x, &exponent);
    h += exponent;
    h += std::ldexp(1.5, int(i % 50)) + std::ilogb(x) + std::signbit(x);
    return h + std::isfinite(x) + 2 * std::isnan(x - x) + std::fdim(x, 3);
  });
  same("fma", N,
       [](unsigned i) { return std::fma(double(i) + 0.1, 1.1, -0.11 * i); });
}

TEST(complex, needs(execution)) {
  same("complex, exact", N, [](unsigned i) {
    const std::complex<double> a(double(i), 2), b(3, double(i % 7));
    const auto c = a * b + std::conj(a) - b; // whole numbers
    return c.real() * 1000 + c.imag() + std::norm(b);
  });
  close("complex division", [](unsigned i) {
    const std::complex<double> a(double(i), 2), b(3, double(i % 7));
    return std::abs(a / b);
  });
  close("complex exp", [](unsigned i) {
    const auto c = std::polar(1.0f, float(i) * 0.01f);
    return (std::exp(c) * std::sqrt(c)).real();
  });
}

TEST(random_engines, needs(execution)) {
  same("minstd", N, [](unsigned i) {
    std::minstd_rand engine(i + 1);
    engine.discard(5);
    return unsigned(engine());
  });
  same("mt19937", 20, [](unsigned i) {
    std::mt19937 engine(i);
    engine.discard(700);
    std::uniform_int_distribution<int> dice(1, 6);
    return unsigned(engine()) + unsigned(dice(engine));
  });
}

TEST(numbers_of_the_library, needs(execution)) {
  same("numbers", 1, [](unsigned) {
    return std::numbers::pi_v<float> + std::numbers::e_v<float>;
  });
}
