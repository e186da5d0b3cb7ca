// Scopes: what is there moves when it is asked to.
// RUN: %everywhere
#include "Inputs/check.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

struct world {
  std::vector<float> a, b;
  std::vector<std::vector<int>> rows;
  int total = 0;
};

int main() {
  const std::size_t n = 1000;
  std::vector<float> x(n, 1), y(n, 2);
  float a = 2;
  {
    xcc::map scope(x, y);
    for (int turn = 0; turn < 10; ++turn)
      xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
    xcc::synchronize();
    CHECK(y[0] == (separate() ? 2 : 22));
    scope.to_host(y);
    CHECK(y[0] == 22 && y[n - 1] == 22);
    x[3] = 10;
    scope.to_device(x);
    xcc::parallel_for(n, [&](std::size_t i) { y[i] += x[i]; });
  }
  CHECK(y[3] == 32 && y[4] == 23);

  // Objects that own objects, and a scope within a scope.
  world w;
  w.a.assign(10, 1), w.b.assign(10, 2);
  for (int i = 0; i < 5; ++i)
    w.rows.push_back(std::vector<int>(std::size_t(i), i));
  {
    xcc::map outer(w);
    {
      xcc::map inner(w.a, w.total);
      xcc::parallel_for(10, [&](std::size_t i) {
        w.a[i] += w.b[i];
        if (i < w.rows.size())
          for (int &v : w.rows[i])
            v *= 2;
        if (i == 0)
          w.total = int(w.rows.size());
      });
    }
    xcc::map both(xcc::in(w.b), std::span(w.a));
    outer.end();
    CHECK(w.rows[4][3] == 8);
    if (separate())
      CHECK(w.a[0] == 1);
  }
  CHECK(w.a[9] == 3 && w.total == 5);

  // Which ways.
  std::vector<int> from(100, 1), to(100, -1), scratch(100, 7);
  {
    xcc::map scope(xcc::in(from), xcc::out(to), xcc::keep(scratch));
    xcc::parallel_for(100, [&](std::size_t i) {
      scratch[i] = from[i] + 1;
      to[i] = scratch[i] * 2;
      from[i] = 100;
    });
    xcc::synchronize();
  }
  CHECK(to[50] == 4);
  if (separate())
    CHECK(from[50] == 1 && scratch[50] == 7);

  // A plain pointer into what is mapped.
  {
    xcc::map scope(to);
    int *p = to.data() + 10;
    xcc::launch({{1}, {1}}, [p] { *p = 77; });
    xcc::synchronize();
  }
  CHECK(to[10] == 77 && to[11] == 4);

  // Swapped inside: the objects on the device follow with to_device.
  std::vector<int> one(4, 1), two(4, 2);
  {
    xcc::map scope(one, two);
    std::swap(one, two);
    scope.to_device(one, two);
    xcc::parallel_for(4, [&](std::size_t i) { one[i] += 10; });
  }
  CHECK(one[0] == 12 && two[0] == 1);

  // Any number of objects.
  std::vector<int> v[9];
  for (int i = 0; i < 9; ++i)
    v[i].assign(4, i);
  int sum = 0;
  {
    xcc::map scope(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], sum);
    xcc::launch({{1}, {1}}, [&] {
      for (auto &each : v)
        sum += each[3];
      v[8][0] = sum;
    });
    scope.to_host(v[8], v[7], v[6], v[5], v[4], v[3], v[2], v[1], sum);
    CHECK(sum == 36 && v[8][0] == 36);
  }

  // What is wrong.
  {
    std::vector<int> big(100);
    xcc::map half(std::span(big).first(50));
    CHECK(fails([&] { xcc::parallel_for(100, [&](std::size_t i) { big[i] = 1; }); },
                "'big' is 400 bytes", "of which only a part is mapped",
                "scopes.cpp:113"));
    CHECK(fails([&] { xcc::map all(big); }, "'big' is 400 bytes",
                "only a part is mapped"));
    CHECK(fails([&] { half.to_host(x); }, "'x'", "is not mapped"));
  }

  // Kernels that allocate use memory, but not its owner: nobody has freed it.
  const auto one_more = [](int n) { return *std::make_unique<int>(n + 1); };
  {
    struct view {
      std::vector<int> *owner;
      int *first;
    };
    std::vector<int> numbers(100, 1);
    view part{&numbers, numbers.data()};
    xcc::map owner(numbers);
    xcc::map scope(part);
    xcc::launch({{1}, {100}}, [first = part.first, one_more] {
      first[xcc::global_id()] = one_more(first[xcc::global_id()]);
    });
    scope.end();
    owner.end();
    CHECK(numbers[0] == 2 && numbers[99] == 2);
  }
  {
    std::vector<std::vector<int>> rows(4, std::vector<int>(100, 1));
    xcc::map all(rows);
    for (auto &row : rows)
      xcc::launch({{1}, {100}}, [first = row.begin(), one_more] {
        first[xcc::global_id()] = one_more(first[xcc::global_id()]);
      });
    all.end();
    for (auto &row : rows)
      CHECK(row[0] == 2 && row[99] == 2);
  }
  {
    std::vector<int> numbers(100, 1);
    std::span<int> part(numbers);
    xcc::map owner(numbers);
    xcc::map scope(part);
    owner.end();
    xcc::launch({{1}, {100}}, [part, one_more] {
      part[xcc::global_id()] = one_more(part[xcc::global_id()]);
    });
    scope.end();
    CHECK(numbers[0] == 2 && numbers[99] == 2);
  }
}
