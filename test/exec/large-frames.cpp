// Frames of any size: what does not fit on a thread's stack is an error that
// says how much there is, never another thread's memory.
// RUN: %xcc -std=c++20 -Wno-vla-cxx-extension -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -Wno-vla-cxx-extension -O2 %s -o %t && %t
// RUN: env XCC_CPU_THREADS=1 %t
#include "Inputs/same.h"
#include <bit>
#include <string>

/// Reads and writes the ends of a frame of N bytes, through what no optimiser
/// sees.
template <int N> [[gnu::noinline]] int frame(int v) {
  char own[N];
  char *p = own;
  asm volatile("" : "+r"(p)::"memory");
  p[0] = v;
  asm volatile("" : "+r"(p)::"memory");
  return p[0];
}
[[gnu::noinline]] int variable(int bytes, int v) {
  char own[bytes];
  char *p = own;
  asm volatile("" : "+r"(p)::"memory");
  p[0] = v;
  asm volatile("" : "+r"(p)::"memory");
  return p[0];
}

/// Lanes that leave a loop at different iterations make threads wait each in its
/// own place.
inline int waits(int v) {
  const int t = xcc::thread_idx().x;
  for (int i = 0; i < (t & 3); ++i)
    v += std::popcount(xcc::ballot(true));
  xcc::sync_block();
  return v;
}

/// What waits() adds: 24 lanes run the loop's first iteration, then 16, then 8.
inline int added(int t) { return (t & 3) * 28 - (t & 3) * (t & 3) * 4; }

constexpr int blocks = 2, threads = 96;

/// What `body` gives for each thread, or the words of the error.
template <class F> std::string outcome(F body) {
  xcc::buffer<int> memory(blocks * threads);
  int *p = memory.data();
  auto kernel = [=] {
    const int t = xcc::thread_idx().x;
    p[xcc::block_idx().x * threads + t] = body(t);
  };
  try {
    xcc::launch({blocks, threads}, kernel);
    xcc::synchronize();
  } catch (const xcc::error &e) {
    return e.what();
  }
  int values[blocks * threads];
  memory.copy_to(values, blocks * threads);
  for (int i = 0; i < blocks * threads; ++i)
    if (values[i] != i % threads)
      return "wrong";
  return "right";
}
bool overflows(const std::string &words, const char *what) {
  return words.find(what) != words.npos;
}

int main() {
  // Each thread has a stack of its own: 256 KiB.
  check(outcome([](int t) {
          return waits(frame<100'000>(t)) - added(t);
        }) == "right",
        "100 KB");
  check(outcome([](int t) {
          return waits(frame<200'000>(t)) - added(t);
        }) == "right",
        "200 KB");
  for (int turn = 0; turn < 2; ++turn) {
    const char *words = "stack overflow: each thread of this kernel has 262144 "
                        "bytes (XCC_CPU_STACK=<bytes>)";
    check(overflows(outcome([](int t) { return waits(frame<300'000>(t)); }),
                    words),
          "300 KB");
    check(overflows(outcome([](int t) { return waits(frame<700'000>(t)); }),
                    words),
          "700 KB");
    check(overflows(outcome([](int t) { return waits(frame<100'000'000>(t)); }),
                    words),
          "100 MB");
    check(overflows(
              outcome([](int t) { return waits(variable(t + 300'000, t)); }),
              words),
          "variable");
  }
  // Threads in a loop use the stack of the one that runs them.
  check(outcome([](int t) { return frame<1'000'000>(t); }) == "right",
        "1 MB in a loop");
  check(overflows(outcome([](int t) { return frame<1'000'000'000>(t); }),
                  "stack overflow: the host's thread"),
        "1 GB in a loop");
}
