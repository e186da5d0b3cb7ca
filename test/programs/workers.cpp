// Threads, locks, conditions, futures and atomics of a program
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-pthread
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<int> queue;
static bool ended;
static std::atomic<long> total{0};

static void work() {
  for (;;) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ended || !queue.empty(); });
    if (queue.empty())
      return;
    int job = queue.front();
    queue.pop_front();
    lock.unlock();
    total += job * job;
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i)
    workers.emplace_back(work);
  for (int i = 1; i <= 1000; ++i) {
    std::lock_guard lock(mutex);
    queue.push_back(i);
    changed.notify_one();
  }
  {
    std::lock_guard lock(mutex);
    ended = true;
  }
  changed.notify_all();
  for (std::thread &worker : workers)
    worker.join();
  std::printf("%ld\n", total.load());
  auto later = std::async(std::launch::async, [](int n) -> int {
    if (n > 3)
      throw std::domain_error("too many");
    return n;
  }, 5);
  try {
    later.get();
  } catch (const std::domain_error &e) {
    std::printf("%s\n", e.what());
  }
  return 0;
}
