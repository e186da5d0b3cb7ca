// Launches from many host threads at once, with more of them than cores, in
// streams of their own and in the default stream.
// RUN: %xcc -O2 -std=c++20 -pthread %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <atomic>
#include <thread>

void add(int *sums, int n, int value) {
  static xcc::block_shared<int[32]> part;
  const unsigned t = xcc::thread_idx().x;
  part[t] = value;
  xcc::sync_block();
  int sum = 0;
  for (int x : part.get())
    sum += x;
  if (int i = xcc::global_id(); i < n)
    sums[i] += sum / 32;
}

int main() {
  constexpr int threads = 12, launches = 200, n = 100;
  std::vector<std::thread> pool;
  std::atomic<int> right = 0;
  for (int k = 0; k < threads; ++k)
    pool.emplace_back([=, &right] {
      xcc::buffer<int> sums(n);
      sums.fill(0);
      xcc::stream mine;
      for (int i = 0; i < launches; ++i)
        xcc::launch({{4}, {32}, 0, k % 2 ? &mine : nullptr}, add, sums.data(),
                    n, k);
      mine.synchronize();
      int host[n];
      sums.copy_to(host, n);
      int good = 0;
      for (int x : host)
        good += x == launches * k;
      right += good == n;
    });
  for (std::thread &t : pool)
    t.join();
  std::printf("%d threads right\n", right.load()); // CHECK: 12 threads right
}
