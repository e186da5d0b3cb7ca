// Source-based coverage counts what kernels of the CPU device do: their counts
// are in a file beside the program's, and llvm-cov shows both.
// DEFINE: %{show} = %llvm/bin/llvm-profdata merge -o profdata cpu*.profraw host.profraw && %llvm/bin/llvm-cov show app -instr-profile=profdata 2>&1
// DEFINE: %{run} = env LLVM_PROFILE_FILE=host.profraw ./app
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %xcc -Werror -fprofile-instr-generate -fcoverage-mapping %s -o app
// RUN: %{run} && %{show} | %FileCheck %s
// RUN: %xcc -Werror -O0 -fprofile-instr-generate -fcoverage-mapping %s -o app
// RUN: %{run} && %{show} | %FileCheck %s
// A function of several units is counted once, and a shared library's kernels in
// a file of their own.
// RUN: %xcc -Werror -DUNIT -fprofile-instr-generate -fcoverage-mapping -c %s -o unit.o
// RUN: %xcc -Werror -DCALLS -fprofile-instr-generate -fcoverage-mapping -c %s -o calls.o
// RUN: %xcc -fprofile-instr-generate calls.o unit.o -o app 2>&1 | count 0
// RUN: %{run} && %{show} | %FileCheck %s --check-prefix=TWO
// RUN: %xcc -Werror -DUNIT -fprofile-instr-generate -fcoverage-mapping -fPIC -shared %s -o libunit.so
// RUN: %xcc -fprofile-instr-generate calls.o ./libunit.so -o app
// RUN: %{run} && ls cpu0.host.profraw cpu1.host.profraw && %{show} -object libunit.so | %FileCheck %s --check-prefix=TWO
// Where the link does without, the program says that counts are lost.
// RUN: %xcc -c -fprofile-instr-generate %s -o %t.o
// RUN: %xcc %t.o -o app && ./app 2>&1 | %FileCheck %s --check-prefix=LOST
// Nor are they written as they are counted.
// RUN: %xcc -fprofile-instr-generate %s -o app && env LLVM_PROFILE_FILE=%%c.profraw ./app 2>&1 | %FileCheck %s --check-prefix=CONTINUOUS
#include <xcc/xcc.h>

#if defined(UNIT) || defined(CALLS)
template <class T> inline T twice(T v) {
  // TWO: {{ 36\| .*return v . v;}}
  return v + v;
}
void unit(int *p);
#ifdef UNIT
void unit(int *p) {
  xcc::launch({{1}, {32}}, [=] { p[xcc::thread_idx().x] = twice(3); });
  xcc::synchronize();
}
#else
int main() {
  int out[32];
  int *p = out;
  // Of a template's call operator too.
  xcc::launch({{1}, {4}}, [=](auto v) { p[xcc::thread_idx().x] = twice(v); }, 5);
  xcc::synchronize();
  unit(p);
}
#endif
#else

// LOST: kernels count for -fprofile-instr-generate, but the program is not linked with it: their counts are lost

// CONTINUOUS: in continuous mode (-fprofile-continuous, %c) only the host's code writes counts: the kernels' are lost

// CHECK: {{ 512\|int half}}
int half(int i) {
  if (i > 100000)
    // CHECK: {{ 0\| .*return -1;}}
    return -1;
  // CHECK: {{ 512\| .*return i / 2;}}
  return i / 2;
}

// Many blocks, on many cores, and threads that meet.
// CHECK: {{ 1\.02k\|static void kernel}}
static void kernel(int *out) {
  unsigned i = xcc::block_idx().x * 64 + xcc::thread_idx().x;
  xcc::sync_block();
  if (i % 2)
    // CHECK: {{ 512\| .*out.i. = half}}
    out[i] = half(int(i));
  xcc::sync_block();
}

int main() {
  int out[1024];
  int *p = out;
  xcc::launch({{16}, {64}}, kernel, p);
  xcc::synchronize();
  // CHECK: {{ 4\| .*unsigned i = xcc}}
  // CHECK: {{ 3\| .*p.i. = 1;}}
  xcc::launch({{1}, {4}}, [=] {
    unsigned i = xcc::thread_idx().x;
    if (i)
      p[i] = 1;
  });
  xcc::synchronize();
}
#endif
