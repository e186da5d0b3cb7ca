// gdb stops in kernels by name and by line, on the CPU device: it sees the
// image's symbols and lines, though the image is a file in memory only.
// REQUIRES: gdb
// DEFINE: %{gdb} = gdb -nx -q -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on'
// RUN: %xcc -g -O0 %s -o %t
// RUN: %{gdb} -ex 'break square' -ex run -ex bt -ex 'print v >= 0' -ex next -ex 'print s == v * v' -ex 'delete' -ex continue %t 2>&1 | %FileCheck %s --check-prefixes=NAME,O0
// RUN: %{gdb} -ex 'break debugged.cpp:%(line+35)' -ex run -ex bt -ex 'delete' -ex continue %t 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: env XCC_CPU_THREADS=1 %{gdb} -ex 'break fill' -ex run -ex 'print n' -ex 'print thread_idx' -ex 'delete' -ex next -ex 'print i' -ex next -ex continue %t 2>&1 | %FileCheck %s --check-prefix=KERNEL
// RUN: %xcc -g -O2 %s -o %t
// RUN: %{gdb} -ex 'break square' -ex run -ex bt -ex 'delete' -ex continue %t 2>&1 | %FileCheck %s --check-prefix=NAME
//
// Tools that look at addresses when the process is gone get a file.
// RUN: rm -rf %t.images && env XCC_IMAGE_DIR=%t.images %t | %FileCheck %s --check-prefix=RESULT
// RUN: %llvm/bin/llvm-nm -C %t.images/debugged.cpp.tmp-*.so | %FileCheck %s --check-prefix=SYMBOL
// RUN: touch %t.file && env XCC_IMAGE_DIR=%t.file %t 2>&1 | %FileCheck %s --check-prefixes=UNUSABLE,RESULT
#include <cstdio>
#include <xcc/xcc.h>

// SYMBOL: square(int)
// UNUSABLE: XCC_IMAGE_DIR: cannot write {{.*}}.file/debugged.cpp.tmp-{{.*}}: Not a directory; this image has no file
// NAME: square (v={{[0-9]}}) at {{.*}}debugged.cpp:
[[gnu::noinline]] static int square(int v) {
  int s = v * v;
  return s;
}

// NAME: #1 {{.*}}fill<int> (out={{.*}}, n={{.*}}) at {{.*}}debugged.cpp:
// O0: = true
// O0: = true
// KERNEL: fill<int> (out=0x{{.*}}, n=8) at
// KERNEL: $1 = 8
// KERNEL: $2 = {x = 0, y = 0, z = 0}
// KERNEL: if (i < n)
// KERNEL: $3 = 0
// KERNEL: out[i] = square(i);
// KERNEL: exited normally
// LINE: fill<int> (out=0x{{.*}}, n=8) at {{.*}}debugged.cpp:[[#@LINE+5]]
// LINE: function_kernel
template <class T> void fill(T *out, int n) {
  int i = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  if (i < n)
    out[i] = square(i);
}

// RESULT: 0 1 4 9 16 25 36 49
// NAME: exited normally
// LINE: exited normally
int main() {
  int out[8] = {};
  xcc::launch({{1}, {8}}, fill<int>, (int *)out, 8);
  xcc::synchronize();
  for (int i = 0; i < 8; ++i)
    printf("%d%c", out[i], i < 7 ? ' ' : '\n');
}
