// The library's small types: array, span, tuple, pair, optional, variant,
// string_view, bitset, initializer_list, and kernels that take them.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

std::optional<int> root(int square) {
  for (int i = 0; i * i <= square; ++i)
    if (i * i == square)
      return i;
  return std::nullopt;
}

struct circle {
  float radius;
};
struct rectangle {
  float width, height;
};
using shape = std::variant<circle, rectangle, int>;

template <class... F> struct overloaded : F... {
  using F::operator()...;
};
template <class... F> overloaded(F...) -> overloaded<F...>;

void kernel(std::span<const int> in, std::span<int, 4> out,
            std::array<int, 2> factors, std::tuple<int, short> more,
            std::optional<int> maybe, shape s) {
  if (xcc::global_id() != 0)
    return;
  int sum = 0;
  for (int x : in.subspan(1))
    sum += x;
  out[0] = sum;
  out[1] = factors[0] * factors.back();
  out[2] = std::get<0>(more) + std::get<short>(more) + maybe.value_or(1000);
  out[3] = int(std::get<rectangle>(s).width);
}

int main() {
  same("optional", 50, [](std::size_t i) {
    auto r = root(int(i)).value_or(-1);
    return r;
  });
  same("variant", 60, [](std::size_t i) {
    shape s = i % 3 == 0 ? shape(circle{float(i)})
              : i % 3 == 1 ? shape(rectangle{float(i), 2})
                           : shape(int(i));
    return std::visit(overloaded{[](circle c) { return c.radius * 3; },
                                 [](rectangle r) { return r.width * r.height; },
                                 [](int n) { return float(-n); }},
                      s);
  });
  same("tuple", 50, [](std::size_t i) {
    auto [a, b, c] = std::tuple(int(i), 2.5, 'x');
    auto both = std::tuple_cat(std::tuple(a, b), std::pair(c, 7));
    return std::apply([](auto... x) { return (double(x) + ...); }, both);
  });
  same("string_view", 30, [](std::size_t i) {
    std::string_view text = "the quick brown fox jumps over the lazy dog";
    auto word = text.substr(i, 9);
    return int(word.find('o')) + 100 * word.starts_with("o") +
           int(text.find("lazy")) * 1000 + (word.compare("m") < 0);
  });
  same("bitset", 30, [](std::size_t i) {
    std::bitset<100> bits;
    bits.set(i).set(2 * i).flip(3);
    return (bits << 5).count() * 1000 + bits.test(i);
  });
  same("initializer_list", 30, [](std::size_t i) {
    int sum = 0;
    for (int x : {1, 2, int(i)})
      sum += x;
    return sum + std::max({3, int(i), 9});
  });

  const int in[] = {5, 6, 7};
  xcc::buffer<int> device_in(3), out(4);
  device_in.copy_from(in, 3);
  xcc::launch({{1}, {32}}, kernel, std::span<const int>(device_in.data(), 3),
              std::span<int, 4>(out.data(), 4), std::array{6, 7},
              std::tuple(1, short(2)), std::optional(3), rectangle{8, 9});
  int host[4];
  out.copy_to(host, 4);
  std::printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
}
// CHECK-NOT: FAILED
// CHECK: 13 42 6 8
