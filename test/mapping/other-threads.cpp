// A thread that waits for a kernel before it can map, or for what comes back, keeps no other from launching and waiting
// with other objects; those that want the same ones wait.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=1 %t
// RUN: env XCC_CPU_SEPARATE=2 %t
#include "Inputs/check.h"

#include <atomic>
#include <new>
#include <span>
#include <thread>
#include <vector>

static void othersGoOn(int *flag) {
  std::vector<int> a(1000, 1), b(1000, 1);
  std::thread first([&] {
    xcc::stream s, t;
    std::span<int> part(a.data(), 10);
    xcc::launch({{1}, {1}, 0, &s}, [part, flag] {
      while (!std::atomic_ref(*flag).load())
        ;
      part[0] = 2;
    });
    // Of more than what is there, once that is back.
    xcc::launch({{1}, {1}, 0, &t}, [&a] { a[999] = a[0] + 1; });
    t.synchronize();
    CHECK(a[0] == 2 && a[999] == 3);
  });
  std::thread second([&] {
    xcc::stream s;
    xcc::launch({{1}, {1}, 0, &s}, [&b] { b[1] = 3; });
    xcc::launch({{1}, {1}, 0, &s}, [flag] { std::atomic_ref(*flag).store(1); });
    s.synchronize();
    CHECK(b[1] == 3);
  });
  first.join();
  second.join();
}

// Threads that launch and wait on one stream, with objects of their own and one in common.
static void oneStream() {
  xcc::stream s;
  std::vector<int> common(64, 1);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int round = 0; round < 50; ++round) {
        std::vector<int> own(64, k);
        xcc::launch({{1}, {64}, 0, &s}, [&own, &common, round] {
          auto i = xcc::thread_idx().x;
          own[i] += common[i] + round;
        });
        s.synchronize();
        for (int v : own)
          CHECK(v == k + 1 + round);
      }
    });
  for (std::thread &t : threads)
    t.join();
}

// Scopes that come and go in several threads, which hold the same objects.
static void scopes() {
  std::vector<int> common(64, 1);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int round = 0; round < 30; ++round) {
        std::vector<int> own(100, k);
        xcc::map scope(own, xcc::in(common));
        xcc::launch({{1}, {64}}, [&own, &common] { own[xcc::thread_idx().x] += common[xcc::thread_idx().x]; });
        scope.to_host(own);
        CHECK(own[63] == k + 1 && own[64] == k);
        xcc::launch({{1}, {64}}, [&own] { own[xcc::thread_idx().x] *= 2; });
        scope.end();
        CHECK(own[63] == 2 * k + 2 && own[64] == k);
      }
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(common[0] == 1);
}

int main() {
  // Where launches wait for their kernels, one cannot wait for another.
  if (*std::getenv("XCC_CPU_SEPARATE") == '2') {
    void *flag = nullptr;
    CHECK(xcc_memory_alloc_host(sizeof(int), &flag) == XCC_SUCCESS);
    othersGoOn(new (flag) int(0));
    CHECK(xcc_memory_free_host(flag) == XCC_SUCCESS);
  }
  oneStream();
  scopes();
}
