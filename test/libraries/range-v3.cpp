// range-v3: views, algorithms, conversions to containers.
//
// REQUIRES: range-v3, simulators
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %gpus %s -o %t && %on-nvidia %t && %on-amd %t
#include "Inputs/both.h"
#include <range/v3/all.hpp>

int main() {
  both("ranges", std::vector<int>{5, 3, 8, 1, 9, 2, 7, 0, 0, 0, 0, 0, 0},
       [](int *p) {
         auto squares = ranges::views::iota(0, 50) |
                        ranges::views::filter([](int i) { return i % 3 == 0; }) |
                        ranges::views::transform([](int i) { return i * i; }) |
                        ranges::views::take(10);
         p[8] = ranges::accumulate(squares, 0);
         auto part = ranges::make_subrange(p, p + 8);
         ranges::sort(part);
         for (auto &&[x, y] : ranges::views::zip(part, ranges::views::iota(1)))
           p[9] += x * y;
         p[10] = *ranges::max_element(part);
         std::vector<int> all = squares | ranges::to<std::vector>();
         p[11] = all.back() + int(ranges::distance(squares));
         for (auto group : ranges::views::chunk(part, 3))
           p[12] += *ranges::begin(group);
       });
}
