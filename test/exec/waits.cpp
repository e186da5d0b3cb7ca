// Threads of a block wait for each other in what the C++ library has for that, or
// by looking at a variable until it has changed, on the CPU device. While one
// waits, the others run.
// RUN: %xcc -std=c++20 -Wno-offload-host-code -Wno-offload-race -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-host-code -Wno-offload-race -O2 %s -o %t && %t | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: held while others wait: ok
// CHECK-NOT: FAILED
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>
#include <xcc/xcc.h>

struct spin_state { std::atomic<int> flag{0}, turn{0}; int data = 0; volatile int go = 0; std::atomic_flag f; };

int failures = 0;
template <class T> void check(const char *what, T got, T want) {
  std::printf("%s: %s\n", what, got == want ? "ok" : "FAILED");
  failures += got != want;
}
bool ready(const spin_state *s) { return s->flag.load(std::memory_order_acquire) != 0; }

int main() {
  constexpr int n = 64;
  std::vector<int> v(n), w(n);
  {
    std::barrier<> b(n);
    xcc::launch({{1}, {n}}, [&] {
      int i = xcc::thread_idx().x;
      v[i] = i;
      b.arrive_and_wait();
      w[i] = v[(i + 1) % n];
      for (int k = 0; k < 50; ++k) {
        b.arrive_and_wait();
        if (i == k) v[0] = k;
        b.arrive_and_wait();
        w[i] += v[0] == k;
      }
    });
    xcc::synchronize();
    int sum = 0; for (int x : w) sum += x;
    check("barrier", sum, n * (n - 1) / 2 + 50 * n);
  }
  {
    std::latch l(n);
    std::fill(w.begin(), w.end(), 0);
    xcc::launch({{1}, {n}}, [&] {
      int i = xcc::thread_idx().x;
      v[i] = 3 * i;
      if (i % 2) l.arrive_and_wait(); else { l.count_down(); l.wait(); }
      w[i] = v[n - 1 - i];
    });
    xcc::synchronize();
    bool good = true; for (int i = 0; i < n; ++i) good &= w[i] == 3 * (n - 1 - i);
    check("latch", good, true);
  }
  {
    std::counting_semaphore<> items(0);
    std::binary_semaphore m(1);
    int taken = 0;
    xcc::launch({{1}, {n}}, [&] {
      int i = xcc::thread_idx().x;
      if (i < n / 2) {
        items.acquire();
        m.acquire();
        ++taken;
        m.release();
      } else items.release();
    });
    xcc::synchronize();
    check("semaphore", taken, n / 2);
  }
  {
    std::mutex m; std::condition_variable c; int step = 0; std::vector<int> order;
    xcc::launch({{1}, {n}}, [&] {
      int i = n - 1 - xcc::thread_idx().x;
      std::unique_lock lock(m);
      c.wait(lock, [&] { return step == i; });
      order.push_back(i);
      ++step;
      c.notify_all();
    });
    xcc::synchronize();
    bool good = order.size() == n; for (int i = 0; i < int(order.size()); ++i) good &= order[i] == i;
    check("condition", good, true);
  }
  {
    std::mutex m; std::condition_variable_any c; int step = 0;
    xcc::launch({{1}, {n}}, [&] {
      int i = n - 1 - xcc::thread_idx().x;
      std::unique_lock lock(m);
      while (!c.wait_for(lock, std::chrono::seconds(100), [&] { return step == i; })) ;
      ++step;
      c.notify_all();
    });
    xcc::synchronize();
    check("condition any", step, n);
  }
  {
    std::atomic<int> a{0}; std::atomic<long> l{0}; std::atomic<short> s{0};
    xcc::launch({{1}, {n}}, [&] {
      int i = n - 1 - xcc::thread_idx().x;
      for (int x; (x = a.load()) != i;) a.wait(x);
      ++a; a.notify_all();
      for (long x; (x = l.load()) != i;) l.wait(x);
      ++l; l.notify_all();
      for (short x; (x = s.load()) != i;) s.wait(x);
      ++s; s.notify_all();
    });
    xcc::synchronize();
    check("atomic wait", a + int(l) + s, 3 * n);
  }
  {
    spin_state s;
    xcc::launch({{1}, {n}}, [&] {
      int i = xcc::thread_idx().x;
      if (i == n - 1) { s.data = 5; s.flag.store(1, std::memory_order_release); s.go = 1; s.f.test_and_set(); }
      else {
        while (!ready(&s)) ;
        while (!s.go) {}
        while (!s.f.test()) __builtin_ia32_pause();
        for (int spins = 0; !s.flag; ++spins) { for (int k = 0; k < spins; ++k) asm volatile("pause"); }
        int seen; do { seen = s.flag.load(); } while (seen != 1);
        w[i] = s.data;
      }
      while (s.turn.load() != n - 1 - i) ;
      s.turn.fetch_add(1);
      while (true) { if (s.turn.load() == n) break; }
    });
    xcc::synchronize();
    bool good = true; for (int i = 0; i < n - 1; ++i) good &= w[i] == 5;
    check("spin", good, true);
  }
  {
    std::atomic<int> a{0};
    xcc::launch({{1}, {n}}, [&] {
      int i = n - 1 - xcc::thread_idx().x;
      while (a != i) std::this_thread::yield();
      ++a;
      while (a < n) std::this_thread::sleep_for(std::chrono::microseconds(1));
    });
    xcc::synchronize();
    check("yield", a.load(), n);
  }
  {
    std::promise<int> p; std::shared_future<int> f = p.get_future().share();
    std::fill(w.begin(), w.end(), 0);
    xcc::launch({{1}, {n}}, [&] {
      int i = xcc::thread_idx().x;
      if (i == n - 1) p.set_value(7); else w[i] = std::shared_future<int>(f).get();
    });
    xcc::synchronize();
    int sum = 0; for (int x : w) sum += x;
    check("future", sum, 7 * (n - 1));
  }
  {
    std::mutex m; std::atomic_flag spin; int sum = 0, sum2 = 0; std::atomic<bool> l{false};
    xcc::launch({{50}, {n}}, [&] {
      { std::lock_guard g(m); ++sum; }
      while (spin.test_and_set(std::memory_order_acquire)) while (spin.test()) ;
      ++sum2;
      spin.clear(std::memory_order_release);
    });
    xcc::synchronize();
    check("locks", sum + sum2, 2 * 50 * n);
  }
  {
    // A thread holds a mutex while it waits at a barrier of its neighbours.
    std::mutex m; std::atomic<int> in{0}; int got = 0;
    xcc::launch({{1}, {n}}, [&] {
      int i = xcc::thread_idx().x;
      if (i == 0) { std::lock_guard g(m); while (in != n - 1) {} got = 1; }
      else { ++in; std::lock_guard g(m); got += 1; }
    });
    xcc::synchronize();
    check("held while others wait", got, n);
  }
  {
    // A thread of the host wakes them.
    std::atomic<int> go{0}, came{0};
    xcc::launch({{1}, {n}}, [&] { ++came; go.wait(0); came += 100; });
    while (came != n) std::this_thread::yield();
    go = 1;
    go.notify_all();
    xcc::synchronize();
    check("for the host", came.load(), 101 * n);
  }
  return failures;
}
