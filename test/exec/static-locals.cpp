// Static variables of functions are initialised by the first thread that comes
// to them; others wait for it.
// RUN: %xcc -Wno-offload-globals -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -Wno-offload-globals -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <atomic>
#include <string>
#include <vector>

std::atomic<int> constructions{0};
struct slow {
  int values[64];
  explicit slow(int from) {
    ++constructions;
    for (int i = 0; i < 64; ++i)
      values[i] = from + i;
  }
};
int table(int i, int from) {
  static const slow values(from);
  return values.values[i % 64];
}
// Lanes of a warp come by different ways, some not at all.
int divergent(int i) {
  if (i % 3 == 0)
    return table(i, 1000);
  if (i % 3 == 1)
    return table(i, 1000) + 1;
  return 0;
}
template <class T> T &instance() {
  static T object{1, 2, 3};
  return object;
}
inline int nested(int i) {
  static const int outer = divergent(3) + [] {
    static const std::vector<int> inner{4, 5, 6};
    return inner[1];
  }();
  return outer + i;
}
int counted() {
  static int next = table(0, 1000);
  return next;
}

void in_loops(int *out) {
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    static const std::string text(40, 'x');
    sum += text[i] + divergent(i);
    xcc::sync_block();
  }
  out[xcc::global_id()] = sum;
}
void read_count(int *out) { *out = constructions.load(); }

int main() {
  same("one for all", 10000, [](std::size_t i) { return divergent(int(i)); });
  same("of templates", 100, [](std::size_t i) {
    return instance<std::vector<int>>()[i % 3] +
           int(instance<std::vector<float>>()[1]);
  });
  same("nested", 300, [](std::size_t i) { return nested(int(i)); });
  same("counted", 100, [](std::size_t) { return counted(); });
  xcc::buffer<int> out(512);
  xcc::launch({4, 128}, in_loops, out.data());
  int here[512], sum = 0;
  out.copy_to(here, 512);
  for (int i = 0; i < 512; ++i)
    sum += here[i];
  int one = 0;
  for (int i = 0; i < 5; ++i)
    one += 'x' + divergent(i);
  std::printf("with barriers: %d\n", sum - 512 * one);
  xcc::launch({1, 1}, read_count, out.data());
  out.copy_to(here, 1);
  std::printf("constructed: %d\n", here[0]);
}
// CHECK: one for all: same
// CHECK: of templates: same
// CHECK: nested: same
// CHECK: counted: same
// CHECK: with barriers: 0
// CHECK: constructed: 1
