// What is about the host's machine alone, in a file with kernels for any:
// several versions of a function, variables in registers that are named.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// CHECK: kernel 1103 42 7, host 1103 42 7
// CHECK: system call: yes
#include <cstdio>
#include <unistd.h>
#include <xcc/xcc.h>

__attribute__((target_clones("avx2", "default"))) int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
[[gnu::target_clones("arch=haswell", "default")]] static int more(const int *p,
                                                                  int n) {
  return sum(p, n) + 1000;
}
__attribute__((__target_clones__("sse4.2,popcnt", "default"))) int bits(int n) {
  return __builtin_popcount(unsigned(n));
}
// No kernel comes here.
static long systemCall(long number) {
  register long result asm("rax") = number;
  register long unused asm("r10") = 0;
  asm volatile("syscall" : "+r"(result) : "r"(unused) : "rcx", "r11", "memory");
  return result;
}
// Where there is no instruction, there is no register.
static int hidden(int x) {
  register int kept asm("ebx") = x;
  asm volatile("" : "+r"(kept));
  register int other asm("r12") = kept * 2;
  asm volatile("" ::"r"(other) : "memory", "rax", "cc");
  return other;
}

int main() {
  xcc::buffer<int> b(103);
  xcc::launch({{1}, {1}}, [p = b.data()] {
    for (int i = 0; i < 103; ++i)
      p[i] = 1;
    int s = more(p, 103), h = hidden(21), n = bits(0x7f);
    p[0] = s;
    p[1] = h;
    p[2] = n;
  });
  int is[103], ones[103];
  b.copy_to(is, 103);
  for (int &one : ones)
    one = 1;
  std::printf("kernel %d %d %d, host %d %d %d\n", is[0], is[1], is[2],
              more(ones, 103), hidden(21), bits(0x7f));
  std::printf("system call: %s\n", systemCall(39) == getpid() ? "yes" : "no");
}
