// Lanes of a warp take a lock from each other: what a lane does while it has the lock belongs to the
// iteration of the loop in which it took it. Before, on GPUs, it came behind the loop, where lanes
// wait for all lanes of the loop, and so for ever.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <xcc/xcc.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace {

constexpr unsigned blocks = 2, threads = 64, all = blocks * threads;

struct spinlock {
  std::atomic<int> taken{0};
  bool try_take() { return taken.exchange(1, std::memory_order_acquire) == 0; }
  void give() { taken.store(0, std::memory_order_release); }
  void lock() {
    while (!try_take()) {
    }
  }
  void unlock() { give(); }
};
struct account {
  spinlock own;
  int money = 0;
};

template <class F> void count(const char *name, F body) {
  spinlock one;
  int sum = 0;
  xcc::launch({blocks, threads}, [&] { body(one, sum); });
  xcc::synchronize();
  std::printf("%s: %s\n", name, sum == all ? "all" : "not all");
}

void forms() {
  count("a flag", [](spinlock &one, int &sum) {
    bool done = false;
    while (!done)
      if (one.try_take()) {
        ++sum;
        one.give();
        done = true;
      }
  });
  count("a flag behind the loop's body", [](spinlock &one, int &sum) {
    bool waits = true;
    do {
      if (__atomic_exchange_n(reinterpret_cast<int *>(&one), 1, __ATOMIC_ACQUIRE) == 0) {
        ++sum;
        __atomic_exchange_n(reinterpret_cast<int *>(&one), 0, __ATOMIC_RELEASE);
        waits = false;
      }
    } while (waits);
  });
  count("break", [](spinlock &one, int &sum) {
    for (;;) {
      int free = 0;
      if (!one.taken.compare_exchange_strong(free, 1))
        continue;
      ++sum;
      one.taken = 0;
      break;
    }
  });
  count("return", [](spinlock &one, int &sum) {
    while (true)
      if (one.try_take()) {
        ++sum;
        one.give();
        return;
      }
  });
  count("a section behind the loop", [](spinlock &one, int &sum) {
    while (!one.try_take()) {
    }
    if (sum % 2)
      sum += 3;
    else
      sum += 1;
    sum -= sum % 2 ? 0 : 2;
    ++sum;
    --sum;
    one.give();
    xcc::sync_block();
  });
  count("std::lock_guard", [](spinlock &one, int &sum) {
    std::lock_guard guard(one);
    if (sum >= 0)
      ++sum;
  });
  count("with one lane of each warp", [](spinlock &one, int &sum) {
    const unsigned count = unsigned(__builtin_popcountll(xcc::ballot(true)));
    if (xcc::lane_id() == 0) {
      one.lock();
      sum += int(count);
      one.unlock();
    }
  });
  count("some lanes, one group after the other", [](spinlock &one, int &sum) {
    for (unsigned group = 0; group < 3; ++group)
      if (xcc::thread_idx().x % 3 == group)
        for (bool has = false; !has;)
          if (has = one.try_take(); has) {
            ++sum;
            one.give();
          }
  });
}

/// Each thread moves money from one account to another, and takes both locks.
void transfers() {
  std::vector<account> accounts(5);
  for (account &a : accounts)
    a.money = 1000;
  xcc::launch({blocks, threads}, [&] {
    const unsigned i = xcc::global_id(), from = i % 5, to = (i * 7 + 1) % 5;
    if (from == to)
      return;
    account &first = accounts[from < to ? from : to], &second = accounts[from < to ? to : from];
    for (bool done = false; !done;) {
      if (!first.own.try_take())
        continue;
      if (second.own.try_take()) {
        accounts[from].money -= int(i);
        accounts[to].money += int(i);
        second.own.give();
        done = true;
      }
      first.own.give();
    }
  });
  xcc::synchronize();
  int expected[5] = {1000, 1000, 1000, 1000, 1000};
  for (unsigned i = 0; i != all; ++i) {
    expected[i % 5] -= int(i);
    expected[(i * 7 + 1) % 5] += int(i);
  }
  bool right = true;
  for (unsigned a = 0; a != 5; ++a)
    right &= accounts[a].money == expected[a];
  std::printf("transfers: %s\n", right ? "right" : "wrong");
}

/// A mapped container grows under a lock.
void growth() {
  spinlock one;
  std::vector<unsigned> numbers;
  xcc::launch({blocks, threads}, [&] {
    for (bool done = false; !done;)
      if (one.try_take()) {
        numbers.push_back(unsigned(xcc::global_id()));
        one.give();
        done = true;
      }
  });
  xcc::synchronize();
  std::vector<bool> seen(all);
  for (unsigned n : numbers)
    seen[n] = true;
  unsigned count = 0;
  for (bool s : seen)
    count += s;
  std::printf("numbers: %u of %zu\n", count, numbers.size());
}

struct node {
  int value;
  node *next;
};
struct owned {
  int value;
  std::shared_ptr<owned> next;
};
void add_one(int &sum) { ++sum; }
void add_two(int &sum) { sum += 2; }

/// What a lane does with the lock calls functions: of the heap, of the host, and through pointers.
void calls() {
  count("new and delete", [](spinlock &one, int &sum) {
    static node *last;
    std::lock_guard guard(one);
    node *before = last;
    last = new node{before ? before->value + 1 : 1, nullptr};
    delete before;
    sum = last->value;
  });
  count("a list, then a barrier", [](spinlock &one, int &sum) {
    static node *first;
    {
      std::lock_guard guard(one);
      first = new node{1, first};
    }
    xcc::sync_block();
    if (xcc::thread_idx().x != 0)
      return;
    int length = 0;
    std::lock_guard guard(one);
    for (node *n = first; n; n = n->next)
      length += n->value;
    sum = std::max(sum, length);
  });
  count("std::map", [](spinlock &one, int &sum) {
    static std::map<unsigned, int> counts;
    std::lock_guard guard(one);
    ++counts[xcc::thread_idx().x % 8];
    sum = 0;
    for (auto [_, n] : counts)
      sum += n;
  });
  count("std::shared_ptr, then a barrier", [](spinlock &one, int &sum) {
    static std::shared_ptr<owned> first;
    auto mine = std::make_shared<owned>();
    {
      std::lock_guard guard(one);
      mine->value = first ? first->value + 1 : 1;
      mine->next = first && first->value % 3 ? std::move(first) : nullptr;
      first = mine;
      sum = first->value;
    }
    xcc::sync_block();
  });
  count("a function pointer", [](spinlock &one, int &sum) {
    void (*f)(int &) = xcc::block_dim().x == threads ? add_one : add_two;
    std::lock_guard guard(one);
    f(sum);
  });
  count("std::function", [](spinlock &one, int &sum) {
    std::function<void(int)> f = [&](int n) { sum += n; };
    {
      std::lock_guard guard(one);
      f(1);
    }
    xcc::sync_block();
  });
  count("an exception", [](spinlock &one, int &sum) {
    try {
      std::lock_guard guard(one);
      if (++sum % 2)
        throw 1;
    } catch (int) {
    }
  });
  count("printf", [](spinlock &one, int &sum) {
    std::lock_guard guard(one);
    if (++sum == 70)
      std::printf("number %d\n", sum);
  });
}

/// Threads share the C library's generators: each gets other numbers of the sequence.
template <class Seed, class Next>
void sequence(const char *name, Seed seed, Next next) {
  constexpr unsigned each = 4, count = threads * each;
  std::vector<long> got(count), expected(count);
  xcc::launch({1, threads}, [&] {
    if (xcc::thread_idx().x == 0)
      seed();
    xcc::sync_block();
    for (unsigned i = 0; i < each; ++i)
      got[xcc::thread_idx().x * each + i] = next();
  });
  xcc::synchronize();
  seed();
  for (long &e : expected)
    e = next();
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  std::printf("%s: %s\n", name, got == expected ? "the sequence" : "other numbers");
}

} // namespace

int main() {
  forms();
  transfers();
  growth();
  calls();
  sequence("rand", [] { srand(5); }, [] { return long(rand()); });
  sequence("lrand48", [] { srand48(5); }, [] { return lrand48(); });
}
// CHECK: a flag: all
// CHECK-NEXT: a flag behind the loop's body: all
// CHECK-NEXT: break: all
// CHECK-NEXT: return: all
// CHECK-NEXT: a section behind the loop: all
// CHECK-NEXT: std::lock_guard: all
// CHECK-NEXT: with one lane of each warp: all
// CHECK-NEXT: some lanes, one group after the other: all
// CHECK-NEXT: transfers: right
// CHECK-NEXT: numbers: 128 of 128
// CHECK-NEXT: new and delete: all
// CHECK-NEXT: a list, then a barrier: all
// CHECK-NEXT: std::map: all
// CHECK-NEXT: std::shared_ptr, then a barrier: all
// CHECK-NEXT: a function pointer: all
// CHECK-NEXT: std::function: all
// CHECK-NEXT: an exception: all
// CHECK-NEXT: number 70
// CHECK-NEXT: printf: all
// CHECK-NEXT: rand: the sequence
// CHECK-NEXT: lrand48: the sequence
