// xcc::in, out, inout and keep as arguments of a launch, and of scopes whose
// objects are neighbours.
// RUN: %everywhere
// RUN: %xcc -std=c++20 -O0 -offload-arch=host %s -o %t-0 && env XCC_CPU_SEPARATE=1 %t-0 consts
#include "Inputs/check.h"

#include <array>
#include <span>
#include <string>
#include <vector>

struct Table {
  std::vector<int> values;
  int total = 0;
};

static void addTo(const std::vector<int> &from, std::vector<int> &to, int by) {
  auto i = xcc::thread_idx().x;
  to[i] = from[i] + by;
}
static void total(Table &t, const Table &other) {
  t.total = 0;
  for (int v : t.values)
    t.total += v;
  for (int v : other.values)
    t.total += 100 * v;
}

/// What kernels write through a const that was cast away comes back; what they only read may be constant.
static const int fixed[4] = {1, 2, 3, 4};
struct Cache {
  int value = 1;
};
/// A counter beside addresses: without optimisation nothing says that it is none.
struct Counted {
  std::vector<int> values{4, 5};
  int uses = 0;
  int operator[](std::size_t i) const {
    ++const_cast<Counted *>(this)->uses;
    return values[i];
  }
};
static void set(const std::vector<int> &v, std::size_t i) { const_cast<std::vector<int> &>(v)[i] = 7; }
static void castsAway() {
  std::vector<int> v(100, 1), large(10000, 1);
  Cache cache;
  int number = 1, sum = 0;
  const std::vector<int> &seen = v, &seenLarge = large;
  const Cache &seenCache = cache;
  const int &seenNumber = number;
  const int (&table)[4] = fixed;
  xcc::parallel_for(100, [&](std::size_t i) {
    set(seen, i);
    set(seenLarge, i);
    if (i == 0) {
      const_cast<Cache &>(seenCache).value = 5;
      const_cast<int &>(seenNumber) = table[1];
      sum = table[3];
    }
  });
  xcc::synchronize();
  CHECK(v[0] == 7 && v[99] == 7 && large[99] == 7 && large[100] == 1 && cache.value == 5 && number == 2 && sum == 4);
  {
    xcc::map scope(v);
    xcc::parallel_for(100, [it = v.cbegin()](std::size_t i) { const_cast<int &>(it[i]) = 8; });
  }
  CHECK(v[50] == 8);
}

static void counts() {
  Counted counted;
  const Counted &seen = counted;
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] { sum = seen[0] + seen[1]; });
  xcc::synchronize();
  CHECK(sum == 9 && counted.uses == 2);
}

/// Neighbours, of which the launch names one as const.
static void constBesideWritten() {
  struct {
    int first = 1, second = 1;
  } both;
  const int &seen = both.first;
  int &other = both.second;
  xcc::launch({{1}, {1}}, [&seen, &other] {
    const_cast<int &>(seen) = 5;
    other = 6;
  });
  xcc::synchronize();
  CHECK(both.first == 5 && both.second == 6);
}

static void functions() {
  std::vector<int> from(8, 1), to(8, -1);
  xcc::launch({{1}, {8}}, addTo, xcc::in(from), xcc::out(to), 4);
  xcc::synchronize();
  CHECK(to == std::vector<int>(8, 5));
  xcc::launch({{1}, {8}}, addTo, from, xcc::keep(to), 40);
  xcc::synchronize();
  CHECK(to == std::vector<int>(8, separate() ? 5 : 41));
  Table t{{1, 2, 3}}, other{{4}};
  xcc::launch({{1}, {1}}, total, xcc::inout(t), xcc::in(other));
  xcc::synchronize();
  CHECK(t.total == 406 && t.values[2] == 3);
}

static void closures() {
  std::vector<int> from(8, 2), to(8, 0), seen(8, 0);
  int by = 3;
  xcc::launch(
      {{1}, {8}},
      [by, &seen](const std::vector<int> &from, std::vector<int> &to) {
        auto i = xcc::thread_idx().x;
        to[i] = from[i] * by;
        seen[i] = 1;
      },
      xcc::in(from), xcc::out(to));
  xcc::synchronize();
  CHECK(to == std::vector<int>(8, 6) && seen == std::vector<int>(8, 1));
  // What is captured is stated by a scope.
  {
    xcc::map ways(xcc::in(from), xcc::out(to), xcc::keep(seen));
    xcc::parallel_for(8, [&](std::size_t i) {
      seen[i] = from[i] * 10;
      to[i] = seen[i] + 1;
      from[i] = -1;
    });
  }
  CHECK(to == std::vector<int>(8, 21));
  if (separate())
    CHECK(from == std::vector<int>(8, 2) && seen == std::vector<int>(8, 1));
}

/// What is stated of a capture, also within an object, holds for it.
static void captures() {
  std::vector<int> from(8, 2), to(8, 9), seen(8, 5);
  xcc::parallel_for(8, [from = xcc::in(from), to = xcc::out(to),
                        seen = xcc::keep(seen)](std::size_t i) {
    std::vector<int> &mine = seen;
    mine[i] = from.object[i] * 10;
    if (i % 2 == 0)
      to.object[i] = mine[i] + 1;
    const_cast<int &>(from.object[i]) = -1;
  });
  xcc::synchronize();
  for (std::size_t i = 0; i != 8; ++i) {
    CHECK(from[i] == (separate() ? 2 : -1));
    CHECK(seen[i] == (separate() ? 5 : 20));
    CHECK(i % 2 == 1 || to[i] == 21);
  }
  struct Job {
    xcc::directed<std::vector<int>, XCC_MAP_OUT> to;
    int by;
  } job{xcc::out(to), 3};
  // What the host has is not there.
  int differs = 0;
  xcc::launch({{1}, {1}}, [job, &differs, from = xcc::inout(from)] {
    differs = job.to.object[1] != 9;
    job.to.object[1] = job.by;
    from.object[0] = 4;
  });
  xcc::synchronize();
  CHECK(to[1] == 3 && from[0] == 4);
  if (separate() && std::strcmp(xcc::device::current().kind(), "host") == 0)
    CHECK(differs);
}

static void constants() {
  const std::vector<int> from(4, 7);
  std::array<int, 4> to{};
  const Table t{{1}, 5};
  xcc::launch(
      {{1}, {4}},
      [](const std::vector<int> &from, std::array<int, 4> &to, const Table &t) {
        to[xcc::thread_idx().x] = from[xcc::thread_idx().x] + t.total;
      },
      xcc::in(from), xcc::inout(to), xcc::in(t));
  xcc::synchronize();
  CHECK(to[0] == 12 && to[3] == 12);
}

/// Each has its own ways, however near they are.
static void neighbours() {
  struct {
    int in[4] = {1, 1, 1, 1};
    int out[4] = {2, 2, 2, 2};
    int kept[4] = {3, 3, 3, 3};
    int both[4] = {4, 4, 4, 4};
  } all;
  auto &[in, out, kept, both] = all;
  std::span<int> ins(in), outs(out), keeps(kept);
  for (int way = 0; way != 2; ++way) {
    {
      xcc::map scope(xcc::in(all.in), xcc::out(all.out), xcc::keep(all.kept),
                     all.both);
      int *p = &all.in[0];
      xcc::launch({{1}, {4}}, [p] {
        for (int k = 0; k != 4; ++k) {
          int &at = p[4 * k + xcc::thread_idx().x];
          at = k == 3 ? at + 10 : 20 + k;
        }
      });
    }
    CHECK(all.out[1] == 21 && all.both[3] == 14 + 10 * way);
    if (separate())
      CHECK(all.in[0] == 1 && all.kept[3] == 3);
  }
}

/// Each of two scopes has a half.
static void halves() {
  std::vector<int> both(20, 1);
  std::span<int> low = std::span(both).first(10),
                 high = std::span(both).subspan(10);
  struct Parts {
    std::span<int> low, high;
  } parts{low, high};
  for (int turn = 0; turn != 2; ++turn) {
    xcc::map first(turn ? xcc::inout(high) : xcc::inout(low));
    xcc::map second(turn ? low : high, parts);
    xcc::parallel_for(10, [low, high, &parts](std::size_t i) {
      low[i] += 1;
      parts.high[i] += int(high.size());
      if (parts.low.end() - parts.low.begin() != 10)
        high[i] = -1;
    });
    xcc::synchronize();
    first.end();
    second.end();
    CHECK(both[9] == 2 + turn && both[10] == 11 + 10 * turn);
  }
  // A pointer may be the one or the other.
  alignas(64) static int memory[64];
  std::span<int> behind(memory + 16, 16);
  xcc::map first(behind);
  int *p = memory + 16;
  CHECK(fails(
      [&] {
        std::span<int> before(memory, 16);
        xcc::map second(before);
        xcc::launch({{1}, {1}}, [p] { *p = 1; });
      },
      "points to the end of"));
}

static int absolute(int n) { return n < 0 ? -n : n; }

/// A pointer leads to all of an array of which the launch also names a part.
static void pointerBesidePart() {
  int grid[3][4] = {};
  auto &row = grid[1];
  int(*all)[4] = grid;
  std::vector<int> v(8);
  std::span<int> part(v.data(), 2);
  int *first = v.data();
  {
    xcc::map scope(grid, v);
    xcc::parallel_for(4, [&row, all, part, first](std::size_t i) {
      row[i] = 1;
      all[2][i] = 2;
      part[i % 2] = 3;
      first[4 + i] = 4;
    });
  }
  CHECK(grid[0][3] == 0 && grid[1][3] == 1 && grid[2][0] == 2 && grid[2][3] == 2);
  CHECK(v[0] == 3 && v[1] == 3 && v[2] == 0 && v[4] == 4 && v[7] == 4);
  // The same in a kernel of which it is not known what it writes.
  {
    xcc::map scope(grid);
    xcc::launch({{1}, {1}}, [&row, all] {
      row[0] = xcc::host_call(absolute, -5);
      all[2][1] = 6;
    });
  }
  CHECK(grid[1][0] == 5 && grid[2][1] == 6);
}

int main(int argc, char **) {
  counts();
  castsAway();
  constBesideWritten();
  if (argc > 1)
    return 0;
  pointerBesidePart();
  functions();
  closures();
  captures();
  constants();
  neighbours();
  halves();
}
