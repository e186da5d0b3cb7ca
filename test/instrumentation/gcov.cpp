// gcov counts what kernels of the CPU device do: notes and counts are files
// beside the host's, and tools that read all of a folder show both.
// DEFINE: %{gcov} = %llvm/bin/llvm-cov gcov -t
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %xcc -Werror -O0 --coverage %s -o app && ./app
// RUN: %{gcov} app-gcov.cpu.gcda 2>&1 | %FileCheck %s
// RUN: %{gcov} app-gcov.gcda 2>&1 | %FileCheck %s --check-prefix=HOST
// Counts of several runs are added.
// RUN: ./app && %{gcov} app-gcov.cpu.gcda 2>&1 | %FileCheck %s --check-prefix=AGAIN
// AGAIN: {{ 1024: .*return i / 2;}}
// RUN: rm app-gcov* && %xcc -Werror -O2 --coverage %s -o app && ./app
// RUN: %{gcov} app-gcov.cpu.gcda 2>&1 | %FileCheck %s
// Units have files of their own, compiled and linked apart, and so has a shared
// library.
// RUN: %xcc -Werror -DUNIT --coverage -c %s -o unit.o
// RUN: %xcc -Werror -DCALLS --coverage -c %s -o calls.o
// RUN: %xcc --coverage calls.o unit.o -o two && ./two
// RUN: %{gcov} unit.cpu.gcda 2>&1 | %FileCheck %s --check-prefix=UNIT
// RUN: %{gcov} calls.cpu.gcda 2>&1 | %FileCheck %s --check-prefix=CALLS
// RUN: rm unit.gc* unit.cpu.gc* && %xcc -Werror -DUNIT --coverage -fPIC -shared %s -o libunit.so
// RUN: %xcc --coverage calls.o ./libunit.so -o two && ./two
// RUN: %{gcov} libunit.so-gcov.cpu.gcda 2>&1 | %FileCheck %s --check-prefix=UNIT
#include <xcc/xcc.h>

#if defined(UNIT) || defined(CALLS)
void unit(int *p);
#ifdef UNIT
void unit(int *p) {
  // UNIT: {{ 32: .*xcc::launch.*thread_idx}}
  xcc::launch({{1}, {32}}, [=] { p[xcc::thread_idx().x] = 3; });
  xcc::synchronize();
}
#else
int main() {
  int out[32];
  int *p = out;
  // CALLS: {{ 4: .*xcc::launch.*thread_idx}}
  xcc::launch({{1}, {4}}, [=](auto v) { p[xcc::thread_idx().x] = v; }, 5);
  xcc::synchronize();
  unit(p);
}
#endif
#else

int half(int i) {
  if (i > 100000)
    // CHECK: {{##### *: .*return -1;|-: .*return -1;|#####: .*return -1;}}
    return -1;
  // CHECK: {{ 512: .*return i / 2;}}
  return i / 2;
}

// Many blocks, on many cores, and threads that meet.
// HOST: {{#####: .*static void kernel}}
static void kernel(int *out) {
  // CHECK: {{ 1024: .*unsigned i = xcc}}
  unsigned i = xcc::block_idx().x * 64 + xcc::thread_idx().x;
  xcc::sync_block();
  if (i % 2)
    // CHECK: {{ 512: .*out.i. = half}}
    out[i] = half(int(i));
  xcc::sync_block();
}

// HOST: {{ 1: .*int main}}
int main() {
  int out[1024];
  int *p = out;
  xcc::launch({{16}, {64}}, kernel, p);
  xcc::synchronize();
}
#endif
