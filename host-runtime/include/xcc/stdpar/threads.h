// Parallel algorithms on threads of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does not run on the device is divided into pieces of neighbouring
// elements. The threads wait for work until the program ends, and the caller
// takes pieces too. An algorithm that is called in a piece, or while another
// has the threads, runs in sequence.

#ifndef XCC_STDPAR_THREADS_H
#define XCC_STDPAR_THREADS_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace xcc {
namespace stdpar {

class thread_pool {
public:
  static thread_pool &shared() {
    static thread_pool pool;
    return pool;
  }
  std::size_t size() const { return workers.size() + 1; }

  /// Calls body(0) ... body(count - 1). False if the threads are not free:
  /// nothing was called then.
  template <class Body> bool run(std::size_t count, const Body &body) {
    if (in_piece())
      return false;
    const std::unique_lock<std::mutex> alone(caller, std::try_to_lock);
    if (!alone.owns_lock())
      return false;
    const auto call = [](const void *data, std::size_t piece) {
      (*static_cast<const Body *>(data))(piece);
    };
    {
      const std::lock_guard<std::mutex> held(lock);
      work = {call, &body, count};
      next.store(0, std::memory_order_relaxed);
      busy = workers.size();
      ++round;
    }
    started.notify_all();
    take(work);
    std::unique_lock<std::mutex> held(lock);
    ended.wait(held, [&] { return busy == 0; });
    return true;
  }

private:
  struct task {
    void (*call)(const void *data, std::size_t piece);
    const void *data;
    std::size_t count;
  };
  std::mutex caller, lock;
  std::condition_variable started, ended;
  task work{};
  std::atomic<std::size_t> next{0};
  std::size_t busy = 0, round = 0;
  bool ends = false;
  std::vector<std::thread> workers;

  static bool &in_piece() {
    static thread_local bool is = false;
    return is;
  }
  void take(const task &of) {
    in_piece() = true;
    for (;;) {
      const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= of.count)
        break;
      of.call(of.data, piece);
    }
    in_piece() = false;
  }
  void serve() {
    std::unique_lock<std::mutex> held(lock);
    for (std::size_t seen = 0;;) {
      started.wait(held, [&] { return ends || round != seen; });
      if (ends)
        return;
      seen = round;
      const task of = work;
      held.unlock();
      take(of);
      held.lock();
      if (--busy == 0)
        ended.notify_one();
    }
  }
  thread_pool() {
    try {
      for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
        workers.emplace_back([this] { serve(); });
    } catch (...) {
      // As many as there can be.
    }
  }
  ~thread_pool() {
    {
      const std::lock_guard<std::mutex> held(lock);
      ends = true;
    }
    started.notify_all();
    for (std::thread &worker : workers)
      worker.join();
  }
};

/// Neighbouring elements, several pieces for each thread.
struct pieces {
  std::size_t total, number;
  explicit pieces(std::size_t total) : total(total) {
    const std::size_t wanted = thread_pool::shared().size() * 4;
    number = wanted < total ? wanted : total;
  }
  std::size_t begin(std::size_t piece) const {
    return total / number * piece +
           (piece < total % number ? piece : total % number);
  }
  std::size_t end(std::size_t piece) const { return begin(piece + 1); }
};

} // namespace stdpar
} // namespace xcc

#endif // XCC_STDPAR_THREADS_H
