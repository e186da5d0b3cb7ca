// The CPU device shares the host's memory: captures by reference, `this`, and
// pointers to variables of the host's work.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

struct counter {
  int value = 1;
  void bump() {
    xcc::launch({{1}, {1}}, [this] { value += 8; });
    xcc::synchronize();
  }
};

void add(int &to, const int &what) { to += what; }

int main() {
  int x = 1;
  xcc::launch({{1}, {1}}, [&] { x += 41; });
  xcc::synchronize();
  std::printf("%d\n", x); // CHECK: 42

  int array[3] = {1, 2, 3};
  xcc::launch({{1}, {3}}, [array](int *out) {
    out[xcc::thread_idx().x] += array[xcc::thread_idx().x];
  }, &array[0]);
  xcc::synchronize();
  std::printf("%d %d %d\n", array[0], array[1], array[2]); // CHECK: 2 4 6

  counter c;
  c.bump();
  xcc::launch({{1}, {1}}, add, c.value, x);
  xcc::synchronize();
  std::printf("%d\n", c.value); // CHECK: 51

  // A mutable closure is each thread's own.
  std::vector<int> seen(100);
  xcc::launch({{1}, {100}}, [n = 5](int *out) mutable {
    n += xcc::thread_idx().x;
    out[xcc::thread_idx().x] = n;
  }, seen.data());
  xcc::synchronize();
  std::printf("%d %d\n", seen[0], seen[99]); // CHECK: 5 104
}
