// Launches in several streams and threads share what they map.
// RUN: %everywhere
#include "Inputs/check.h"

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

static void streams() {
  std::vector<int> a(100, 0), b(100, 0);
  xcc::stream s, t;
  for (int k = 0; k < 20; ++k) {
    xcc::launch({{1}, {100}, 0, &s}, [&a] { a[xcc::thread_idx().x] += 1; });
    xcc::launch({{1}, {100}, 0, &t}, [&b] { b[xcc::thread_idx().x] += 2; });
  }
  s.synchronize();
  for (int v : a)
    CHECK(v == 20);
  t.synchronize();
  for (int v : b)
    CHECK(v == 40);
}

static void events() {
  std::vector<int> a(100, 1);
  xcc::stream s, t;
  xcc::event e;
  xcc::launch({{1}, {100}, 0, &s}, [&a] { a[xcc::thread_idx().x] *= 3; });
  e.record(s);
  t.wait(e);
  xcc::launch({{1}, {100}, 0, &t}, [&a] { a[xcc::thread_idx().x] += 1; });
  t.synchronize();
  for (int v : a)
    CHECK(v == 4);
  xcc::launch({{1}, {100}, 0, &s}, [&a] { a[xcc::thread_idx().x] += 1; });
  e.record(s);
  e.synchronize();
  for (int v : a)
    CHECK(v == 5);
}

/// What a scope holds is in order, too: on devices with memory of their own, which know what launches use.
static void scopes() {
  if (!separate())
    return;
  std::vector<int> v(100, 1), w(100, 2);
  for (int round = 0; round < 10; ++round) {
    xcc::stream s[3];
    v.assign(100, 1);
    xcc::map scope(v);
    for (int k = 0; k < 6; ++k) {
      xcc::launch({{1}, {100}, 0, &s[k % 3]}, [&v] {
        unsigned slow = unsigned(v[xcc::thread_idx().x]);
        for (int i = 0; i < 300; ++i)
          slow = slow * 1664525 + 1013904223;
        v[xcc::thread_idx().x] += slow == 1 ? 7 : 1;
      });
      xcc::launch({{1}, {100}, 0, &s[(k + 1) % 3]}, [&v, &w] {
        v[xcc::thread_idx().x] = v[xcc::thread_idx().x] * 3 + w[xcc::thread_idx().x];
      });
    }
    scope.end();
    int wanted = 1;
    for (int k = 0; k < 6; ++k)
      wanted = (wanted + 1) * 3 + 2;
    CHECK(v[0] == wanted && v[99] == wanted);
  }
}

static void threads() {
  std::vector<int> in(256);
  std::iota(in.begin(), in.end(), 0);
  // What threads look at themselves is not hidden while a kernel of another
  // thread uses it (XCC_CPU_SEPARATE=1).
  const std::vector<int> same = in;
  std::vector<std::thread> ts;
  std::atomic<int> wrong{0};
  for (int k = 0; k < 8; ++k)
    ts.emplace_back([&, k] {
      xcc::stream s;
      std::vector<int> out(256);
      for (int r = 0; r < 20; ++r) {
        xcc::launch({{1}, {256}, 0, &s}, [&in, &out, k, r] {
          auto i = xcc::thread_idx().x;
          out[i] = in[i] * k + r;
        });
        s.synchronize();
        for (int i = 0; i < 256; ++i)
          if (out[i] != same[i] * k + r)
            ++wrong;
      }
    });
  for (auto &t : ts)
    t.join();
  CHECK(wrong == 0);
}

int main() {
  streams();
  events();
  scopes();
  threads();
}
