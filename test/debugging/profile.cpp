// XCC_PROFILE=1 prints a table of kernels and copies when the program ends: launches, times, blocks and threads, what
// was mapped and copied for them and how often they called the host.
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: env XCC_PROFILE=1 %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,HOST
// RUN: env XCC_PROFILE=1 XCC_CPU_SEPARATE=2 %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,MAPPED
// RUN: %t 2>&1 | %FileCheck %s --check-prefix=OFF
// RUN: env XCC_PROFILE=0 %t 2>&1 | %FileCheck %s --check-prefix=OFF
// RUN: env XCC_PROFILE=yes %t 2>&1 | %FileCheck %s --check-prefix=WRONG
// A tool that lists devices is none whose kernels run.
// RUN: env XCC_PROFILE=1 %xcc-info 2>&1 | %FileCheck %s --check-prefix=OFF
// OFF-NOT: profile
// WRONG: XCC_PROFILE=yes: expected 1, for a table on standard error, or the name of a file such as yes.json
// WRONG-NOT: share
// CHECK: done
// CHECK: xcc profile: {{.*}} from the first use of a device to the end
// CHECK: xcc profile: device 0 ({{.*}}): kernels {{[0-9.]+ [mun]?s$}}
// CHECK: share  launches {{.*}} host calls  kernel
// HOST-DAG: {{%.* 5 .*[0-9] [mun]s .* 40 +256 +0 B +0 B +0 B +0  saxpy}}
// HOST-DAG: {{%.* 1 .*[0-9] [mun]s .* 2 +8 +0 B +0 B +0 B +3  tells}}
// MAPPED-DAG: {{%.* 5 .*[0-9] [mun]s .* 40 +256 +390.6 KiB +78.1 KiB +39.1 KiB +0  saxpy}}
// MAPPED-DAG: {{%.* 1 .*[0-9] [mun]s .* 2 +8 .* 3  tells}}
// CHECK: count {{.*}} bandwidth  copies
// CHECK: {{[0-9.]+ GB/s}}
#include <cstdio>
#include <span>
#include <vector>
#include <xcc/xcc.h>

void note(int) {}

void saxpy(int n, float a, std::span<const float> x, std::span<float> y) {
  int i = int(xcc::global_id());
  if (i < n)
    y[i] += a * x[i];
}

void tells(int n) {
  if (int(xcc::global_id()) < n)
    xcc::host_call(note, 3);
}

int main() {
  const int n = 10000;
  std::vector<float> x(n, 1), y(n, 2);
  for (int i = 0; i != 5; ++i)
    xcc::launch({{(n + 255) / 256}, {256}}, saxpy, n, 2.0f, x, y);
  xcc::synchronize();
  xcc::launch({{2}, {8}}, tells, 3);
  xcc::synchronize();
  xcc::buffer<float> b(n);
  b.copy_from(x.data(), n);
  b.copy_to(x.data(), n);
  if (y[n - 1] != 12)
    return 1;
  printf("done\n");
  fflush(stdout);
}
