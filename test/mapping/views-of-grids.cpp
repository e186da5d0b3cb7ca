// What C++23 adds: a value or an error, each with memory of its own, in objects and captured; and a view of a grid as
// std::mdspan is one, whose address leads into what a scope or the launch has.
// RUN: %xcc -std=c++23 -O2 %s -o %t
// RUN: %t
// RUN: env XCC_CPU_SEPARATE=1 %t
#include "Inputs/check.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>
#include <version>
#ifdef __cpp_lib_expected
#include <expected>

struct Row {
  std::expected<std::vector<int>, std::string> read;
  int sum = 0;
};

static void valuesAndErrors() {
  const std::string text = "a text that is too long to be in the string";
  std::vector<Row> rows(4);
  for (int i = 0; i != 4; ++i)
    if (i % 2)
      rows[i].read = std::vector<int>(5, i);
    else
      rows[i].read = std::unexpected(text);
  std::expected<int, std::string> number = 3;
  std::expected<void, std::vector<int>> nothing =
      std::unexpected(std::vector<int>{1, 2, 3});
  xcc::parallel_for(4, [&](std::size_t i) {
    Row &row = rows[i];
    if (row.read) {
      for (int v : *row.read)
        row.sum += v;
      (*row.read)[0] = 100 + int(i);
    } else {
      row.sum = int(row.read.error().size());
      row.read.error()[0] = 'A';
    }
    if (i == 0) {
      *number += 4;
      nothing.error()[1] = 50;
    }
  });
  xcc::synchronize();
  CHECK(*number == 7 && nothing.error()[1] == 50);
  for (int i = 0; i != 4; ++i)
    if (i % 2)
      CHECK(rows[i].sum == 5 * i && (*rows[i].read)[0] == 100 + i);
    else
      CHECK(rows[i].sum == int(text.size()) && rows[i].read.error()[0] == 'A');
}
#else
static void valuesAndErrors() {}
#endif

/// As std::mdspan: an address, extents, and classes that hold nothing.
template <class T> class Grid {
public:
  Grid(T *first, std::size_t rows, std::size_t columns)
      : first(first), extents{rows, columns} {}
  T &operator[](std::size_t i, std::size_t j) const {
    return first[i * extents[1] + j];
  }

private:
  struct Layout {};
  T *first;
  std::size_t extents[2];
  [[no_unique_address]] Layout layout{};
};

int main() {
  valuesAndErrors();
  std::vector<double> elements(12, 1), other(12, 0);
  Grid<double> grid(elements.data(), 3, 4);
  Grid<const double> fixed(elements.data(), 4, 3);
  auto add = [&] {
    xcc::parallel_for(12, [grid, fixed, &elements, &other](std::size_t i) {
      grid[i / 4, i % 4] += double(i);
      other[i] = fixed[i / 3, i % 3] + double(elements.size());
    });
  };
  add();
  xcc::synchronize();
  CHECK(elements[11] == 12 && other[11] == 24);
  {
    xcc::map scope(elements);
    add();
  }
  CHECK(elements[11] == 23);
  xcc::synchronize();
  CHECK(other[11] == 35);
  CHECK(fails(
      [&] {
        xcc::parallel_for(1, [grid](std::size_t) { grid[0, 0] = 1; });
      },
      "'grid.first'", "not mapped"));
}
