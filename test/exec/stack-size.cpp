// Recursion that needs more stack than a GPU's threads have by default; the program asks for it.
// RUN: %xcc -O0 %s -o %t && %t
// RUN: %xcc -O2 %s -o %t && %t
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

[[gnu::noinline]] unsigned deep(const unsigned *p, unsigned n) {
  volatile unsigned own[16];
  own[n % 16] = n;
  if (n == 0)
    return *p;
  return deep(p, n - 1) * 3 + own[n % 16];
}
void kernel(unsigned *p) { p[1] = deep(p, 250); }

int main() {
  const xcc::device device = xcc::device::current();
  if (std::strcmp(device.kind(), "host") != 0)
    device.set_stack(100'000);
  xcc::buffer<unsigned> memory(2);
  unsigned values[2] = {7, 0};
  memory.copy_from(values, 2);
  xcc::launch({{1}, {1}}, kernel, memory.data());
  memory.copy_to(values, 2);
  const unsigned should = deep(values, 250);
  if (values[1] != should)
    std::printf("%u instead of %u\n", values[1], should);
  return values[1] != should;
}
