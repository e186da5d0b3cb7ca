// Launches of one kernel with the same objects, of which something changes from
// one to the next: what an earlier launch came to is used again where it is right,
// and only there.
// RUN: %everywhere
// RUN: env XCC_CPU_SEPARATE=2 %t-all
#include "Inputs/check.h"
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

constexpr int N = 8;
using Vector = std::vector<int>;

void add(Vector &to, const int *from) {
  for (int i = 0; i < N; ++i)
    to[i] += from ? from[i] : 1;
}

// A number among the arguments, and one that is captured.
void numbers() {
  Vector y(N);
  int total = 0;
  xcc::map scope(y, total);
  for (int step = 0; step < 10; ++step)
    xcc::launch({{1}, {1}}, [&, step] { total += step, y[step % N] += step; });
  scope.end();
  CHECK(total == 45 && y[0] == 8 && y[1] == 10 && y[7] == 7);
}

// The host changes what is mapped, between two synchronisations.
void contents() {
  std::optional<Vector> y;
  std::string text = "ab";
  int seen = 0, length = 0;
  for (int step = 0; step < 12; ++step) {
    if (step % 3 == 0)
      y.reset();
    if (step % 3 == 1)
      y = Vector(N, step);
    text += "xyz"; // no longer within the string itself, some day
    for (int again = 0; again < 3; ++again)
      xcc::launch({{1}, {1}}, [&] {
        seen = y ? ++(*y)[1] : -1;
        length += text[text.size() - 1] == 'z' ? int(text.size()) : 1000;
      });
    xcc::synchronize();
    CHECK(seen == (step % 3 == 0 ? -1 : step % 3 == 1 ? step + 3 : step + 5));
  }
  CHECK(length == 3 * (12 * 2 + 3 * 78));
}

// Objects of a scope exchange what they own.
void swapped() {
  Vector x(N, 1), y(N, 100);
  xcc::map scope(x, y);
  auto launch = [&] { xcc::launch({{1}, {1}}, [&] { x[0] += 1, y[0] += 10; }); };
  for (int i = 0; i < 4; ++i)
    launch();
  scope.to_host(x, y);
  CHECK(x[0] == 5 && y[0] == 140);
  std::swap(x, y);
  CHECK(fails(launch, "changed what"));
  scope.to_device(x, y);
  for (int i = 0; i < 4; ++i)
    launch();
  scope.to_host(x, y);
  CHECK(x[0] == 144 && y[0] == 45);
}

// A view of more and less.
void views() {
  Vector y(N);
  std::span<int> view(y);
  xcc::map scope(y, view);
  auto launch = [&](std::span<int> by) {
    xcc::launch({{1}, {1}}, [=] { by[by.size() - 1] += 1; });
  };
  for (int i = 0; i < 3; ++i)
    for (int size : {8, 4, 8, 8, 4, 4})
      launch({y.data(), std::size_t(size)});
  for (int i = 0; i < 3; ++i)
    launch({y.data() + 1, 3}), launch({y.data() + 2, 1});
  scope.end();
  CHECK(y[7] == 9 && y[3] == 12 && y[2] == 3 && y[0] == 0);
}

// The same kernel with the same argument, of which another thing is stated.
void bump(Vector &y) { y[0] += 1; }
void stated() {
  Vector y(N);
  for (int i = 0; i < 4; ++i)
    xcc::launch({{1}, {1}}, bump, y);
  xcc::synchronize();
  CHECK(y[0] == 4);
  // A launch that is said to read only brings nothing back.
  for (int i = 0; i < 4; ++i)
    xcc::launch({{1}, {1}}, [](const Vector &) {}, xcc::in(y));
  xcc::synchronize();
  CHECK(y[0] == 4);
  for (int i = 0; i < 3; ++i) {
    xcc::launch({{1}, {1}}, bump, xcc::inout(y));
    xcc::launch({{1}, {1}}, bump, y);
  }
  xcc::synchronize();
  CHECK(y[0] == 10);
}

// What a trait asks is not seen by anybody else.
struct Pool {
  int *first;
};
int used = 1;
template <> struct xcc::transfer<Pool> {
  static void map(xcc::mapper &m, Pool &p) { m.range(p.first, used); }
};
void traits() {
  Vector y(N);
  Pool pool{y.data()};
  for (used = 1; used <= N; ++used) {
    for (int again = 0; again < 3; ++again)
      xcc::launch({{1}, {1}},
                  [&](int n) { for (int i = 0; i < n; ++i) pool.first[i] += 1; }, used);
    xcc::synchronize();
  }
  CHECK(y[0] == 24 && y[7] == 3);
}

// Memory that is no longer there.
void freed() {
  std::optional<xcc::buffer<int>> memory(std::in_place, N);
  memory->fill(0);
  int *p = memory->data();
  auto launch = [&] { xcc::launch({{1}, {1}}, [=] { p[0] += 1; }); };
  for (int i = 0; i < 5; ++i)
    launch();
  int first;
  memory->copy_to(&first, 1);
  CHECK(first == 5);
  memory.reset();
  CHECK(fails(launch, "not mapped"));
  // A part of something mapped, while it is.
  Vector y(N);
  p = y.data() + 2;
  {
    xcc::map scope(y);
    for (int i = 0; i < 5; ++i)
      launch();
  }
  CHECK(y[2] == 5);
  CHECK(fails(launch, "not mapped"));
}

// A vector that grows while it is mapped.
void resized() {
  Vector y(N);
  xcc::map scope(y);
  auto launch = [&] { xcc::launch({{1}, {1}}, [&] { y[0] += 1; }); };
  for (int i = 0; i < 4; ++i)
    launch();
  xcc::synchronize();
  CHECK(fails([&] { y.resize(1000), launch(); }, "changed what"));
  if (separate())
    y[0] = 4; // what kernels wrote is lost with the elements
  CHECK(fails([&] { scope.end(); }, "changed what"));
}

// Kernels change addresses; others then write by them.
void addresses() {
  Vector a(N), b(N);
  struct Two {
    int *p, *q;
  } two{a.data(), b.data()};
  xcc::map scope(two, a, b);
  auto exchange = [&] { xcc::launch({{1}, {1}}, [&] { std::swap(two.p, two.q); }); };
  auto write = [&] { xcc::launch({{1}, {1}}, [&] { two.p[0] += 1; }); };
  for (int i = 0; i < 4; ++i)
    write(); // a
  exchange();
  for (int i = 0; i < 3; ++i)
    write(); // b
  scope.to_host(two);
  CHECK(two.p == b.data() && two.q == a.data());
  for (int i = 0; i < 3; ++i)
    write(); // b
  exchange(), exchange(), exchange();
  for (int i = 0; i < 3; ++i)
    write(); // a
  scope.end();
  CHECK(two.p == a.data() && a[0] == 7 && b[0] == 6);
  xcc::map again(two, a, b);
  for (int i = 0; i < 4; ++i)
    write(); // a
  exchange();
  for (int i = 0; i < 3; ++i)
    write(); // b
  again.end();
  CHECK(two.p == b.data() && a[0] == 11 && b[0] == 9);
}

// In several streams and threads.
void threads() {
  Vector y(N);
  xcc::stream s, t;
  for (int i = 0; i < 20; ++i)
    xcc::launch({{1}, {1}, 0, i % 2 ? &s : &t}, bump, y);
  s.synchronize(), t.synchronize();
  CHECK(y[0] == 20);
  std::vector<Vector> all(4, Vector(N));
  std::vector<std::thread> running;
  for (Vector &mine : all)
    running.emplace_back([&mine] {
      xcc::stream own;
      for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 10; ++i)
          xcc::launch({{1}, {1}, 0, &own}, bump, mine);
        own.synchronize();
        CHECK(mine[0] == 10 * (round + 1));
      }
    });
  for (std::thread &r : running)
    r.join();
}

int main() {
  numbers();
  contents();
  swapped();
  views();
  stated();
  traits();
  freed();
  resized();
  addresses();
  threads();
}
