// Views of the standard library: they are made of other views, functions and numbers, by value or by reference.
// RUN: %everywhere
#include "Inputs/check.h"

#include <array>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace views = std::views;

/// Adds one to each element, twice.
template <class View> static void addTwo(View view) {
  const std::size_t n = view.size();
  xcc::parallel_for(n, [=](std::size_t i) mutable { view[i] += 1; });
  xcc::parallel_for(n, [&](std::size_t i) { view[i] += 1; });
  xcc::synchronize();
}

static void ofAVector() {
  std::vector<int> x(20, 1);
  addTwo(views::all(x));
  CHECK(x[0] == 3 && x[19] == 3);
  addTwo(x | views::take(5));
  CHECK(x[4] == 5 && x[5] == 3);
  addTwo(x | views::drop(15));
  CHECK(x[14] == 3 && x[15] == 5);
  addTwo(x | views::reverse | views::take(3));
  CHECK(x[16] == 5 && x[17] == 7);
  addTwo(std::ranges::subrange(x.begin() + 8, x.begin() + 10));
  CHECK(x[7] == 3 && x[8] == 5 && x[9] == 5 && x[10] == 3);
  addTwo(std::span(x) | views::take(1));
  CHECK(x[0] == 7 && x[1] == 5);
  {
    xcc::map scope(x);
    addTwo(views::all(x));
    addTwo(std::ranges::subrange(x.begin(), x.begin() + 1));
  }
  CHECK(x[0] == 11 && x[1] == 7);
}

static void read() {
  std::vector<int> x{1, 2, 3, 4, 5, 6, 7, 8}, y(8);
  int by = 10;
  auto copied = x | views::transform([by](int k) { return k + by; });
  auto referred = x | views::transform([&by](int k) { return k + by; });
  xcc::parallel_for(8, [=, &y](std::size_t i) { y[i] = copied[i]; });
  xcc::parallel_for(8, [&](std::size_t i) { y[i] += copied[i] + referred[i]; });
  xcc::synchronize();
  CHECK(y[0] == 33 && y[7] == 54);

  auto odd = x | views::filter([](int k) { return k % 2; });
  int sum = 0;
  for (int round = 0; round != 2; ++round) { // the host's begin() is kept in the view
    xcc::parallel_for(1, [&](std::size_t) {
      for (int k : odd)
        sum += k;
    });
    xcc::synchronize();
    CHECK(sum == 16 * (round + 1) && *odd.begin() == 1);
  }
  auto numbers = views::iota(3, 11);
  const std::string text = "views";
  auto letters = std::string_view(text) | views::drop(1);
  std::array<int, 4> four{1, 2, 3, 4};
  auto turned = four | views::reverse;
  xcc::parallel_for(4, [&](std::size_t i) { y[i] = numbers[i] + letters[i] + 1000 * turned[i]; });
  xcc::synchronize();
  CHECK(y[0] == 3 + 'i' + 4000 && y[3] == 6 + 's' + 1000);
}

static void owning() {
  auto own = views::all(std::vector<int>(8, 3));
  auto some = std::move(own) | views::drop(2);
  xcc::parallel_for(6, [&](std::size_t i) { some[i] += 1; });
  xcc::synchronize();
  CHECK(some[0] == 4 && some[5] == 4);
  std::vector<std::vector<int>> rows(3, std::vector<int>(4, 2));
  auto firsts = rows | views::transform([](auto &row) -> int & { return row[0]; });
  xcc::parallel_for(3, [&](std::size_t i) { firsts[i] += 1; });
  xcc::synchronize();
  CHECK(rows[2][0] == 3 && rows[2][1] == 2);
}

int main() {
  ofAVector();
  read();
  owning();
}
