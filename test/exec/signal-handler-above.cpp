// A handler above ours, set by a library that xcc did not link: faults of kernels
// reach ours again, and are not repeated for ever.
// RUN: %xcc -O1 %s -o %t && %t | FileCheck %s
// RUN: env XCC_CPU_THREADS=1 %t | FileCheck %s
// CHECK-COUNT-6: good
#include <xcc/xcc.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" int __sigaction(int, const struct sigaction *, struct sigaction *) noexcept;
void fine(int *p) { *p = 1; }
void frees_twice(void **p) { std::free(*p); std::free(*p); }
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
  // One that xcc linked comes beneath ours: it does not see what a kernel aborts.
  std::signal(SIGABRT, [](int) { std::puts("the program's handler"); });
  void *block = std::malloc(24);
  xcc::launch({{1}, {1}}, frees_twice, &block);
  try { xcc::synchronize(); std::puts("?"); } catch (const xcc::error &e) { std::puts(std::strstr(e.what(), "free") ? "good" : e.what()); }
}
