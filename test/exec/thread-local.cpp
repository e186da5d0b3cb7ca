// thread_local variables are each device thread's own, from its first use of
// them to its end: what kernels compute with them is what as many new threads
// of the host compute.
// RUN: rm -rf %t && mkdir %t
// RUN: %xcc -O2 -foffload-export -c %S/Inputs/thread-local.cpp -o %t/other.o
// RUN: %xcc -O2 -foffload-export -x c -c %S/Inputs/thread-local.c -o %t/c.o
// RUN: %llvm/bin/llvm-ar rc %t/lib.a %t/other.o %t/c.o
// RUN: %xcc -std=c++20 -O0 %s %t/lib.a -o %t/0 && %t/0 | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s %t/other.o %t/c.o -o %t/2 && %t/2 | FileCheck %s
// DEVICES: host, because its kernels use thread_local variables
#include "Inputs/same.h"
#include "Inputs/thread-local.h"
#include <barrier>
#include <memory>
#include <string>
#include <thread>

thread_local int zero, three = 3;
thread_local struct {
  char text[12];
  double half;
} record = {"own", 0.5};
thread_local std::string *nowhere = nullptr;
static thread_local int initialised = three * 2;
struct Class {
  static thread_local int member;
  static inline thread_local std::string text = "a text that is too long for it";
};
thread_local int Class::member = 17;
template <class T> thread_local T of_type = T(1.5);
alignas(64) thread_local char aligned[100];

/// Where the threads of one kernel or of one host program meet.
struct Device {
  void wait() const { xcc::sync_block(); }
};
struct Host {
  std::barrier<> *barrier;
  void wait() const { barrier->arrive_and_wait(); }
};

int once(int i) {
  thread_local int calls = i * 100;
  return ++calls;
}
template <class T> T &static_of() {
  static thread_local T value{};
  return value;
}

// What a thread does. `shared` is the group's.
auto scalars = [](auto, int i, int *) {
  zero += i;
  three *= i;
  record.text[0] += i % 20;
  record.half += i;
  Class::member += zero;
  of_type<double> += i;
  of_type<int> += i;
  return zero + three + record.text[0] * 7 + int(record.half * 2) +
         Class::member + int(of_type<double> * 2) + of_type<int> + initialised +
         (nowhere == nullptr) + (reinterpret_cast<size_t>(aligned) % 64 == 0);
};
auto functions = [](auto, int i, int *) {
  int sum = 0;
  for (int n = 0; n < i % 5 + 1; ++n)
    sum += once(i + n);
  static_of<int>() += i;
  static_of<std::string>() += "ab";
  return sum + static_of<int>() + int(static_of<std::string>().size());
};
auto text = [](auto, int i, int *) {
  Class::text += std::to_string(i);
  return int(Class::text.size()) + Class::text.back();
};
auto units = [](auto, int i, int *) {
  elsewhere::constant += i;
  *elsewhere::address() += 1;
  of_c[1] += i;
  next_of_c();
  return elsewhere::made.value + in_header * 3 + next_of_c() +
         (elsewhere::address() == &elsewhere::constant);
};
auto waits = [](auto group, int i, int *shared) {
  three += i;
  group.wait();
  once(i);
  shared[i] = three;
  group.wait();
  const int others = shared[(i + 1) % 40];
  const int *mine = &zero;
  for (int n = 0; n < 3; ++n) {
    zero += once(0) + others;
    group.wait();
  }
  return *mine + three;
};
auto uneven = [](auto group, int i, int *) {
  if (i % 2)
    return three += i;
  three *= i + 2;
  for (int n = 0; n < 1 + i % 3; ++n)
    zero += once(n);
  group.wait();
  return three + zero;
};
auto recursive = [](auto group, int i, int *) {
  struct Depth {
    static int of(int n) { return n == 0 ? zero : of(n - 1) + ++zero; }
  };
  int (*function)(int) = i < 1000 ? Depth::of : once;
  const int before = function(i % 7);
  group.wait();
  return before + zero;
};
auto others = [](auto group, int i, int *shared) {
  // An address is good while its thread lives, for others too.
  int **places = reinterpret_cast<int **>(shared);
  zero = i;
  places[i] = &zero;
  group.wait();
  const int theirs = *places[(i + 7) % 40];
  group.wait();
  *places[(i + 3) % 40] += 100;
  group.wait();
  return theirs + zero;
};
auto ends = [](auto, int i, int *shared) {
  // Counted when the thread ends.
  thread_local Counted own(i);
  own.ended = shared;
  elsewhere::made.ended = shared;
  return own.value;
};

constexpr int n = 40;
int failures = 0;

template <class F> void compare(const char *name, F f) {
  struct Result {
    int of[n];
    alignas(8) int shared[2 * n];
  };
  auto host = std::make_unique<Result>();
  auto device = std::make_unique<Result>();
  {
    std::barrier meeting(n);
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i)
      threads.emplace_back([&, i] {
        host->of[i] = f(Host{&meeting}, i, host->shared);
        meeting.arrive_and_drop();
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  xcc::buffer<Result> result(1);
  // Twice, in blocks of whose threads nothing is left for the next.
  for (int turn = 0; turn < 2; ++turn) {
    result.fill_bytes(0);
    xcc::launch({{1}, {n}}, [f, r = result.data()] {
      const int i = int(xcc::thread_idx().x);
      r->of[i] = f(Device(), i, r->shared);
    });
    result.copy_to(device.get(), 1);
    for (int i = 0; i < n; ++i)
      if (device->of[i] != host->of[i] && !failures++)
        std::printf("%s of %d: %d, not %d\n", name, i, device->of[i],
                    host->of[i]);
    if (name[0] == 'e' && device->shared[0] != host->shared[0] && !failures++)
      std::printf("ended: %d, not %d\n", device->shared[0], host->shared[0]);
  }
}

/// A thread that a kernel starts has variables like any other.
void starts(int *sum) {
  zero = 50;
  thread_local Counted own(7);
  std::thread other([sum] {
    thread_local Counted own(1000);
    own.ended = sum;
    *sum = ++zero + three;
  });
  other.join();
  *sum += zero + own.value;
}

/// Each block's threads are new ones.
void blocks(int *sum) {
  thread_local int calls = 0;
  zero += ++calls;
  xcc::sync_block();
  __atomic_fetch_add(sum, zero + once(int(xcc::thread_idx().x)),
                     __ATOMIC_RELAXED);
}

thread_local int in_initialiser = 5;
int global = in_initialiser *= 2; // of the thread that initialises

int main() {
  zero = three = 1000; // the host's
  compare("scalars", scalars);
  compare("functions", functions);
  compare("text", text);
  compare("units", units);
  compare("waits", waits);
  compare("uneven", uneven);
  compare("recursive", recursive);
  compare("others", others);
  compare("ends", ends);
  xcc::buffer<int> sum(1);
  sum.fill_bytes(0);
  xcc::launch({{50}, {8}}, blocks, sum.data());
  int total = 0;
  sum.copy_to(&total, 1);
  check(total == 50 * (8 * 2 + 28 * 100), "blocks");
  xcc::launch({{1}, {1}}, starts, sum.data());
  sum.copy_to(&total, 1);
  check(total == 4 + 1000 + 57, "started");
  sum.fill_bytes(0);
  xcc::parallel_for(3, [p = sum.data()](int i) {
    if (i == 1)
      *p = global * 100 + in_initialiser;
  });
  sum.copy_to(&total, 1);
  check(total == 1005 && in_initialiser == 10, "initialiser");
  check(zero == 1000 && three == 1000, "the host's own");
  std::printf("%d failures\n", failures); // CHECK: {{^}}0 failures
}
