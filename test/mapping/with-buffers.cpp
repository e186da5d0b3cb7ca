// Mapped memory beside buffers; kernels that fail; closures in closures.
// RUN: %everywhere
#include "Inputs/check.h"

#include <vector>

static void buffers() {
  xcc::buffer<int> b(100);
  b.fill(0);
  std::vector<int> v(100, 5);
  int *p = b.data();
  xcc::parallel_for(100, [&v, p](std::size_t i) {
    p[i] = v[i] * 2;
    v[i] = 1;
  });
  std::vector<int> r(100);
  b.copy_to(r.data(), 100);
  for (int x : r)
    CHECK(x == 10);
  xcc::synchronize();
  for (int x : v)
    CHECK(x == 1);
}

static void hostBuffers() {
  xcc::host_buffer<int> h(64);
  for (auto &x : h)
    x = 2;
  int *p = h.data();
  xcc::parallel_for(64, [p](std::size_t i) { p[i] *= 3; });
  xcc::synchronize();
  for (auto x : h)
    CHECK(x == 6);
  xcc::parallel_for(64, [&h](std::size_t i) { h[i] += 1; });
  xcc::synchronize();
  for (auto x : h)
    CHECK(x == 7);
}

static void failure() {
  std::vector<int> v(10, 1);
  bool threw = false;
  try {
    xcc::launch({{1}, {1}}, [&] {
      v[0] = 2;
      if (v[1] == 1)
        __builtin_trap();
    });
    xcc::synchronize();
  } catch (const xcc::error &e) {
    threw = true;
  }
  CHECK(threw);
  CHECK(v.size() == 10 && v[9] == 1);
  // A trap is the end of a GPU's context.
  if (std::strcmp(xcc::device::current().kind(), "host") != 0)
    return;
  xcc::parallel_for(10, [&](std::size_t i) { v[i] = 3; });
  xcc::synchronize();
  for (int x : v)
    CHECK(x == 3);
}

static void closures() {
  std::vector<int> v(10, 1);
  int k = 4;
  auto inner = [&](std::size_t i) { v[i] += k; };
  auto outer = [&inner, &k](std::size_t i) {
    inner(i);
    inner(i);
    if (!i)
      k = 9;
  };
  xcc::launch({{1}, {1}}, [&] {
    for (int i = 9; i >= 0; --i)
      outer(i);
  });
  xcc::synchronize();
  for (int x : v)
    CHECK(x == 9);
  CHECK(k == 9);
}

static void scalars() {
  int sum = 5;
  double d = 1;
  bool flag = false;
  xcc::launch({{1}, {1}}, [&] {
    sum += 7;
    d *= 2.5;
    flag = true;
  });
  xcc::synchronize();
  CHECK(sum == 12);
  CHECK(d == 2.5);
  CHECK(flag);
}

int main() {
  buffers();
  hostBuffers();
  closures();
  scalars();
  failure();
}
