// AddressSanitizer in kernels of the CPU device: memory of the heap, a thread's
// arrays across a barrier, variables of the image, block-shared memory. Reports
// name the kernel and its line.
// DEFINE: %{run} = env ASAN_OPTIONS=external_symbolizer_path=%llvm/bin/llvm-symbolizer %t
// RUN: %xcc -g -fsanitize=address %s -o %t
// RUN: %{run} heap 0 && %{run} local 0 && %{run} global 0 && %{run} shared 0 && %{run} dynamic 0
// RUN: %not %{run} heap 4 2>&1 | %FileCheck %s --check-prefix=HEAP
// RUN: %not %{run} local 4 2>&1 | %FileCheck %s --check-prefix=LOCAL
// RUN: %not %{run} global 4 2>&1 | %FileCheck %s --check-prefix=GLOBAL
// RUN: %not %{run} shared 8 2>&1 | %FileCheck %s --check-prefix=SHARED
// RUN: %not %{run} dynamic 8 2>&1 | %FileCheck %s --check-prefix=DYNAMIC
// RUN: %not %{run} host 8 2>&1 | %FileCheck %s --check-prefix=HOST
// A loop over threads without optimisation, and kernels as they are by default.
// RUN: %xcc -g -O0 -fsanitize=address %s -o %t
// RUN: %{run} shared 0 && %not %{run} local 4 2>&1 | %FileCheck %s --check-prefix=LOCAL
// Behind a report the kernel goes on, if the host's code does.
// RUN: %xcc -g -fsanitize=address -fsanitize-recover=address %s -o %t
// RUN: env ASAN_OPTIONS=halt_on_error=0:external_symbolizer_path=%llvm/bin/llvm-symbolizer %t local 4 2>&1 | %FileCheck %s --check-prefix=LOCAL
#include <cstdlib>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

static void heap(int *a, int n) {
  int i = int(xcc::global_id());
  // HEAP: AddressSanitizer: heap-buffer-overflow
  // HEAP-NEXT: WRITE of size
  // HEAP-NEXT: #0 {{.*}} in heap(int*, int) {{.*}}address.cpp:[[@LINE+1]]
  a[i + n] = i;
}
static void local(int *a, int n) {
  int i = int(xcc::global_id());
  int own[4] = {n, n + 1, n + 2, n + 3};
  xcc::sync_block();
  // LOCAL: AddressSanitizer: stack-buffer-overflow
  // LOCAL: #0 {{.*}} in local(int*, int) {{.*}}address.cpp:[[@LINE+2]]
  // LOCAL: 'own'{{.*}} <== Memory access at offset {{[0-9]+}} overflows this variable
  a[i] = own[i % 4 + n];
}
int table[4] = {1, 2, 3, 4};
static void global(int *a, int n) {
  int i = int(xcc::global_id());
  // GLOBAL: AddressSanitizer: global-buffer-overflow
  // GLOBAL: #0 {{.*}} in global(int*, int) {{.*}}address.cpp:[[@LINE+2]]
  // GLOBAL: after global variable 'table'
  a[i] = table[i % 4 + n];
}
static void shared(int *a, int n) {
  static xcc::block_shared<int[8]> one, two;
  int i = int(xcc::thread_idx().x);
  one[i] = i;
  two[i] = i;
  xcc::sync_block();
  int *both = one;
  // SHARED: AddressSanitizer: use-after-poison
  // SHARED: #0 {{.*}} in shared(int*, int) {{.*}}address.cpp:[[@LINE+1]]
  a[i] = both[7 - i + n] + two[7 - i];
}
static void dynamic(int *a, int n) {
  int *mine = xcc::dynamic_shared<int>();
  int i = int(xcc::thread_idx().x);
  // DYNAMIC: AddressSanitizer: heap-buffer-overflow
  // DYNAMIC: #0 {{.*}} in dynamic(int*, int) {{.*}}address.cpp:[[@LINE+1]]
  mine[i + n] = i;
  xcc::sync_block();
  a[i] = mine[7 - i];
}
int main(int, char **argv) {
  int n = atoi(argv[2]);
  std::vector<int> memory(8);
  int *a = memory.data();
  auto is = [&](const char *name) { return !strcmp(argv[1], name); };
  if (is("heap"))
    xcc::launch({{2}, {4}}, heap, a, n);
  if (is("local"))
    xcc::launch({{2}, {4}}, local, a, n);
  if (is("global"))
    xcc::launch({{2}, {4}}, global, a, n);
  if (is("shared"))
    for (int i = 0; i != 3; ++i)
      xcc::launch({{1}, {8}}, shared, a, n);
  if (is("dynamic"))
    xcc::launch({{1}, {8}, 8 * sizeof(int)}, dynamic, a, n);
  xcc::synchronize();
  // HOST: AddressSanitizer: heap-buffer-overflow
  // HOST: #0 {{.*}} in main {{.*}}address.cpp:[[@LINE+1]]
  return is("host") ? a[n] : 0;
}
