// A static variable's initialiser that fails, or comes to itself, ends its
// launch, and the next thread that comes there tries again.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <stdexcept>
#include <xcc/xcc.h>

int attempt(int fails) {
  if (fails == 1)
    throw std::runtime_error("refused");
  if (fails == 2)
    __builtin_trap();
  return 42;
}
int value(int fails) {
  static int made = attempt(fails);
  return made;
}
void uses(int *out, int fails) {
  // In each of many blocks.
  out[xcc::block_idx().x] = value(fails);
}

int again(int n);
[[gnu::noinline]] int inner(int n) { return n ? again(n - 1) : 0; }
int again(int n) {
  static int made = inner(n) + 1;
  return made;
}
void recurses(int *out) { *out = again(3); }

int main() {
  constexpr int blocks = 200;
  xcc::buffer<int> out(blocks);
  auto launch = [&](int fails) {
    try {
      xcc::launch({blocks, 1}, uses, out.data(), fails);
      xcc::synchronize();
      std::printf("ran\n");
    } catch (const xcc::error &e) {
      std::printf("%s\n", e.what());
    }
  };
  launch(1); // CHECK: an exception left the kernel: {{.*}}runtime_error
  launch(2); // CHECK: illegal instruction
  launch(0); // CHECK: ran
  int values[blocks], sum = 0;
  out.copy_to(values, blocks);
  for (int v : values)
    sum += v;
  std::printf("%d\n", sum); // CHECK: 8400
  try {
    xcc::launch({1, 1}, recurses, out.data());
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
  // CHECK: kernel 'recurses'{{.*}} a static variable's initialiser uses the variable itself
}
