// Streams that wait for each other very often: what the runtime remembers of that stays small, and what comes back is
// right, whoever is waited for in the end.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=2 %t
// RUN: %t
#include "Inputs/check.h"

#include <malloc.h>
#include <vector>

static std::size_t used() { return mallinfo2().uordblks; }

// To and fro, and nobody waits for one of the two.
static void oneIsNeverWaitedFor() {
  std::vector<int> a(10, 0), b(10, 0);
  xcc::stream s, t;
  xcc::event e, f;
  std::size_t before = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (i == 1000)
      before = used();
    if (i % 100 == 0) {
      xcc::launch({{1}, {1}, 0, &s}, [&a] { a[0] += 1; });
      xcc::launch({{1}, {1}, 0, &t}, [&b] { b[0] += 1; });
    }
    e.record(s);
    t.wait(e);
    f.record(t);
    s.wait(f);
    if (i % 500 == 0)
      s.synchronize();
  }
  CHECK(used() < before + 500'000);
  s.synchronize();
  CHECK(a[0] == 1000 && b[0] == 1000);
}

// All is in flight until the end.
static void allInFlight() {
  std::vector<int> a(10, 0), b(10, 0);
  xcc::stream s, t;
  xcc::event e;
  std::size_t before = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (i == 1000)
      before = used();
    xcc::launch({{1}, {1}, 0, &s}, [&a] { a[0] += 1; });
    e.record(s);
    t.wait(e);
    xcc::launch({{1}, {1}, 0, &t}, [&b] { b[0] += 1; });
  }
  CHECK(used() < before + 500'000);
  t.synchronize();
  CHECK(a[0] == 20'000 && b[0] == 20'000);
}

// A wait means what was recorded, and the event's number holds for both.
static void upToTheEvent() {
  std::vector<int> a(10, 1), b(10, 1);
  xcc::stream s, t, u;
  xcc::event e, f;
  xcc::launch({{1}, {1}, 0, &s}, [&a] { a[0] += 1; });
  e.record(s);
  t.wait(e);
  f.record(t);
  u.wait(f);
  xcc::launch({{1}, {1}, 0, &u}, [&b] { b[0] += 1; });
  u.synchronize();
  CHECK(a[0] == 2 && b[0] == 2);
}

int main() {
  oneIsNeverWaitedFor();
  allInFlight();
  upToTheEvent();
}
