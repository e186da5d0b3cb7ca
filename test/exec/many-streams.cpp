// A stream of the CPU device keeps little memory when it has gone, whether it had
// little work or much: the next one takes what is there.
// RUN: %xcc -O2 %s -o %t && env XCC_DEVICE=host %t | FileCheck %s
// DEVICES: host, because memory of the process is measured
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

static void add(int *sum) { __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED); }

static long kilobytes() {
  long result = 0;
  char line[256];
  FILE *status = std::fopen("/proc/self/status", "r");
  while (std::fgets(line, sizeof(line), status))
    if (std::sscanf(line, "VmRSS: %ld", &result) == 1)
      break;
  std::fclose(status);
  return result;
}

static int sum;
static void use(int streams, int launches) {
  std::vector<xcc::stream> all(streams);
  for (xcc::stream &s : all)
    for (int i = 0; i < launches; ++i)
      xcc::launch({{1}, {1}, 0, s}, add, &sum);
  for (xcc::stream &s : all)
    s.synchronize();
}

int main() {
  use(1, 1);
  const long before = kilobytes();
  use(2000, 1);
  std::printf("small: %d\n", (kilobytes() - before) / 2000 < 40);
  use(100, 3000);
  std::printf("sum: %d\n", sum);
  std::printf("still small: %d\n", (kilobytes() - before) / 2000 < 40);
}
// CHECK: small: 1
// CHECK-NEXT: sum: 302001
// CHECK-NEXT: still small: 1
