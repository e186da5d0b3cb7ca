// UndefinedBehaviorSanitizer in kernels of the CPU device: as in the host's
// code, with the kernel's line.
// RUN: %xcc -g -fsanitize=undefined %s -o %t && %t ok | %FileCheck %s --check-prefix=GOOD
// RUN: %t kernel 2>&1 | %FileCheck %s --check-prefixes=KERNEL,ON
// RUN: %t host 2>&1 | %FileCheck %s --check-prefix=HOST
// RUN: %xcc -g -fsanitize=undefined -fno-sanitize-recover=all %s -o %t.ends && %not %t.ends kernel 2>&1 | %FileCheck %s --check-prefixes=KERNEL,ENDS
// RUN: %xcc -g -fsanitize=undefined -fsanitize-trap=all %s -o %t.traps && %not --crash %t.traps kernel 2>&1 | %FileCheck %s --check-prefix=TRAP
//
// Host code alone, and an image whose program has no runtime of it.
// RUN: %xcc -g -Xarch_host -fsanitize=undefined %s -o %t.host && %t.host kernel 2>&1 | %FileCheck %s --check-prefix=SILENT
// RUN: %t.host host 2>&1 | %FileCheck %s --check-prefix=HOST
// RUN: %xcc -c -foffload-device-only -fsanitize=undefined %s -o %t.so && %llvm/bin/llvm-readelf --dyn-syms %t.so | %FileCheck %s --check-prefix=ASKED
// RUN: %xcc -g -fsanitize=undefined -c %s -o %t.o && %clang -DHANDLERS -x c -c %s -o %t.handlers.o
// RUN: %xcc %t.o %t.handlers.o -o %t.without && %not --crash %t.without ok 2>&1 | %FileCheck %s --check-prefix=WITHOUT
#ifdef HANDLERS // of the host's code, which no image sees
void __ubsan_handle_add_overflow(void) {}
void __ubsan_handle_builtin_unreachable(void) {}
void __ubsan_handle_pointer_overflow(void) {}
void __ubsan_handle_type_mismatch_v1(void) {}
void __ubsan_handle_load_invalid_value(void) {}
void __ubsan_handle_out_of_bounds(void) {}
void __ubsan_handle_nonnull_arg(void) {}
#else
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

static void add(int *out, int n) {
  // KERNEL: undefined.cpp:[[@LINE+1]]:{{[0-9]+}}: runtime error: signed integer overflow: 2147483647 + 1
  out[xcc::global_id()] = n + int(xcc::global_id());
}
// ASKED: GLOBAL DEFAULT UND __ubsan_handle_add_overflow
// TRAP: kernel 'add' launched at {{.*}} failed {{.*}}illegal instruction
// GOOD-NOT: runtime error
// GOOD: end 3
// SILENT-NOT: runtime error
// SILENT: end
// ON: end
// ENDS-NOT: end
int main(int, char **argv) {
  int a[8] = {};
  int most = 0x7fffffff;
  xcc::launch({{1}, {8}}, add, a, !strcmp(argv[1], "kernel") ? most : 0);
  xcc::synchronize();
  if (!strcmp(argv[1], "host"))
    // HOST: undefined.cpp:[[@LINE+1]]:{{[0-9]+}}: runtime error: signed integer overflow
    a[0] += most + a[3];
  printf("end %d\n", a[3]);
}
#endif
// WITHOUT: kernels call '__ubsan_handle_{{.*}}', which the program does not have: link it with the -fsanitize= option that they were compiled with, or compile them with '-Xarch_host -fsanitize=...'
