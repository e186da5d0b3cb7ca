// Run-time source in threads: one compile for those that want the same, others
// beside it; a source goes while its kernel runs; a fork; many sources, one
// after another, leave nothing behind.
// RUN: rm -rf %t.cache && %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_DEVICE=host XCC_LOG=load XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: grep -c ": compiled same in" %t.out | FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}1{{$}}
// CHECK: same: 32 right
// CHECK: different: 8 right
// CHECK: gone while it runs: 1000
// CHECK: forked: {{.*}}this process was forked
// CHECK: bounded
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <xcc/source.h>
#include <xcc/xcc.h>

static int valueOf(const std::string &name, int value) {
  auto put = xcc::jit::compile_source(
                 "void put(int *to) { *to = " + std::to_string(value) + "; }",
                 {.name = name})
                 .kernel<void(int *)>("put");
  int host = 0;
  put({{1}, {1}}, &host);
  xcc::synchronize();
  return host;
}

template <class Run> static int inThreads(int count, Run run) {
  std::atomic<int> right{0};
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i != count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      right += run(i);
    });
  for (std::thread &thread : threads)
    thread.join();
  return right;
}

/// KiB of memory that the process has.
static long memory() {
  std::ifstream file("/proc/self/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4;
}

int main() {
  std::printf("same: %d right\n",
              inThreads(32, [](int) { return valueOf("same", 7) == 7; }));
  std::printf("different: %d right\n", inThreads(8, [](int i) {
                return valueOf("different", i) == i;
              }));
  static std::atomic<int> count{0};
  {
    auto slow = xcc::jit::compile_source(
        "void slow(int *count) { __atomic_fetch_add(count, 1, 5); }");
    slow.kernel("slow")({{1000}, {1}}, reinterpret_cast<int *>(&count));
  }
  std::printf("gone while it runs: %d\n", count.load());
  std::fflush(stdout);
  if (pid_t child = fork(); child == 0) {
    try {
      valueOf("child", 1);
    } catch (const xcc::error &e) {
      std::printf("forked: %s\n", e.what());
    }
    std::fflush(stdout);
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  // Heaps grow until everything was there once.
  for (int i = 0; i != 8; ++i)
    valueOf("warm", 100 + i);
  long before = memory();
  for (int i = 0; i != 40; ++i)
    valueOf("many", 200 + i);
  long more = memory() - before;
  if (more < 16 * 1024)
    std::printf("bounded\n");
  else
    std::printf("%ld KiB more\n", more);
}
