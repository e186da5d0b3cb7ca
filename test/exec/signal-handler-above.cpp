// A handler above ours, set by a library that xcc did not link: faults of kernels
// reach ours again, and are not repeated for ever.
// RUN: %xcc -O1 %s -o %t && %t | FileCheck %s
// RUN: env XCC_CPU_THREADS=1 %t | FileCheck %s
// CHECK-COUNT-5: good
#include <xcc/xcc.h>
#include <csignal>
#include <cstdio>
#include <cstring>
extern "C" int __sigaction(int, const struct sigaction *, struct sigaction *) noexcept;
void fine(int *p) { *p = 1; }
static int *volatile wild = reinterpret_cast<int *>(64);
int main() {
  for (int i = 0; i < 5; ++i) {
    int x = 0;
    xcc::launch({{1}, {1}}, fine, &x); xcc::synchronize();
    struct sigaction a{};
    a.sa_handler = [](int) {};
    __sigaction(SIGSEGV, &a, nullptr);
    xcc::launch({{1}, {1}}, fine, (int *)wild);
    try { xcc::synchronize(); std::puts("?"); } catch (const xcc::error &e) { std::puts(std::strstr(e.what(), "invalid memory access") ? "good" : e.what()); }
  }
}
