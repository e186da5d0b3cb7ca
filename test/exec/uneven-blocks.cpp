// Blocks that nobody has begun are anybody's: with all work in the first of
// many, as many threads as there are run those. And one thread is one thread.
// RUN: %xcc -O1 -std=c++20 %s -o %t
// RUN: env XCC_CPU_THREADS=3 %t meet | FileCheck --check-prefix=MEET %s
// RUN: env XCC_CPU_THREADS=1 %t alone | FileCheck --check-prefix=ALONE %s
// MEET: front 3, back 3
// ALONE: at most 1 of 4096
#include <xcc/xcc.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

struct Counts {
  std::atomic<int> arrived, inside, most, blocks;
  std::atomic<bool> late;
};

/// Three blocks next to each other wait until all have been begun.
void meet(Counts *c, unsigned first) {
  unsigned b = xcc::block_idx().x;
  if (b < first || b >= first + 3)
    return;
  c->arrived.fetch_add(1);
  while (c->arrived.load() != 3 && !c->late.load())
    ;
}

static int meeting(unsigned first) {
  auto c = std::make_unique<Counts>();
  // No time is asserted: this is for where they never meet.
  std::atomic<bool> ended = false;
  std::thread limit([&] {
    for (int i = 0; i < 3000 && !ended; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    c->late = !ended;
  });
  Counts *p = c.get();
  xcc::launch({{391}, {1}}, meet, p, first);
  xcc::synchronize();
  ended = true;
  limit.join();
  return c->late.load() ? 0 : c->arrived.load();
}

/// How many blocks run at a time.
void count(Counts *c) {
  int now = c->inside.fetch_add(1) + 1;
  int most = c->most.load();
  while (now > most && !c->most.compare_exchange_weak(most, now))
    ;
  for (int i = 0; i < 2000; ++i)
    c->late.load();
  c->inside.fetch_sub(1);
  c->blocks.fetch_add(1);
}

int main(int, char **argv) {
  if (!std::strcmp(argv[1], "meet")) {
    int front = meeting(0), back = meeting(388);
    std::printf("front %d, back %d\n", front, back);
    return 0;
  }
  auto c = std::make_unique<Counts>();
  Counts *p = c.get();
  auto work = [&] {
    xcc::stream s;
    for (int i = 0; i < 8; ++i)
      xcc::launch({{256}, {1}, 0, &s}, count, p);
    s.synchronize();
  };
  std::thread other(work);
  work();
  other.join();
  std::printf("at most %d of %d\n", c->most.load(), c->blocks.load());
}
