// Atomic variables that are a thread's own: by value, by reference, and by a
// pointer that may lead to a variable of the thread or to memory of all.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <atomic>

[[gnu::noinline]] int add(std::atomic<int> *p, int v) {
  return p->fetch_add(v);
}
[[gnu::noinline]] bool swap(std::atomic<int> *p, int expected, int v) {
  return p->compare_exchange_strong(expected, v);
}

template <class T> int own(T v) {
  std::atomic<T> a;
  T expected = 3;
  a = v;
  bool same = a.compare_exchange_strong(expected, T(9));
  int sum = int(a.load() + expected) + same;
  sum = sum * 3 + int(a.exchange(T(2)));
  a.compare_exchange_weak(expected = 2, T(v + 5), std::memory_order_release,
                          std::memory_order_relaxed);
  if constexpr (std::is_integral_v<T>) {
    sum = sum * 3 + int(a.fetch_add(4));
    a |= 8;
    sum += int(a++) + int(--a);
    sum = sum * 3 + int(__atomic_fetch_max(reinterpret_cast<T *>(&a), T(20),
                                           __ATOMIC_ACQ_REL));
  } else {
    sum = sum * 3 + int(a.fetch_add(T(1.5)));
  }
  return sum * 3 + int(a.load(std::memory_order_acquire));
}

struct Counters {
  std::atomic<int> mine;
  std::atomic<int> *where;
};

constexpr int n = 64;
void kernel(int *out, std::atomic<int> *all) {
  const int t = xcc::thread_idx().x;
  std::atomic<int> mine{t};
  // Which it is only the thread knows.
  std::atomic<int> *p = t % 2 ? &mine : all;
  int old = add(p, 1);
  if (t % 2)
    out[t] = old;
  Counters counters{{5}, p};
  counters.where->fetch_add(1, std::memory_order_relaxed);
  swap(&counters.mine, 5, 6);
  out[n + t] = mine + 100 * counters.mine;
  swap(all + 1 + t, 0, t);
}

int main() {
  same("int", 40, [](std::size_t i) { return own<int>(int(i)); });
  same("long", 40, [](std::size_t i) { return own<long>(long(i)); });
  same("short", 40, [](std::size_t i) { return own<short>(short(i)); });
  same("unsigned char", 40,
       [](std::size_t i) { return own<unsigned char>(i); });
  same("float", 40, [](std::size_t i) { return own<float>(float(i)); });
  same("double", 40, [](std::size_t i) { return own<double>(double(i)); });

  xcc::buffer<int> out(2 * n);
  xcc::buffer<std::atomic<int>> all(n + 1);
  xcc_memory_fill(all.data(), 0, sizeof(int) * (n + 1));
  xcc::launch({{1}, {n}}, kernel, out.data(), all.data());
  int host[2 * n], shared[n + 1];
  out.copy_to(host, 2 * n);
  xcc_memory_copy(shared, all.data(), sizeof shared);
  check(shared[0] == n, "shared");
  for (int t = 0; t < n; ++t) {
    check(t % 2 == 0 || host[t] == t, "own");
    check(host[n + t] == t + (t % 2 ? 2 : 0) + 600, "through a pointer");
    check(shared[1 + t] == t, "swapped");
  }
  std::puts("all counted"); // CHECK: all counted
}
