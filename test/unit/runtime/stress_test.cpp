// Everything at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that launch, record, wait and synchronise at random on streams of
// their own. What it would show: a lost wake-up (the test hangs), a block run
// twice or never (the counts differ).

#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>

using namespace xcc::test;

namespace {
/// One thread's streams, events and expected count.
class Actor {
public:
  Actor(Unit &U, unsigned Seed)
      : Count(U.kernel("count", 8)), Reverse(U.kernel("reverse", 8)),
        Random(Seed), Data(64 * 8) {}

  void act() {
    unsigned A = Random() % 2;
    switch (Random() % 8) {
    case 0:
    case 1:
    case 2: {
      uint32_t Blocks = 1 + Random() % 300, *Pointer = &Counter;
      ASSERT_EQ(launch(Count,
                       config(Blocks, 1 + Random() % 64, Streams[A].handle()),
                       Pointer),
                XCC_SUCCESS);
      Expected += Blocks;
      break;
    }
    case 3: {
      uint32_t *Pointer = Data.data();
      ASSERT_EQ(launch(Reverse, config(8, 64, Streams[0].handle()), Pointer),
                XCC_SUCCESS);
      break;
    }
    case 4:
      Events[A].record(Streams[A]);
      break;
    case 5:
      Streams[A].wait(Events[1 - A]);
      break;
    case 6:
      if (Random() % 4 == 0)
        Events[A].synchronize();
      break;
    case 7:
      if (Random() % 8 == 0)
        check();
      else if (Random() % 64 == 0)
        Streams[A] = xcc::stream(); // the old one ends when its work has
      break;
    }
  }
  void check() {
    for (xcc::stream &S : Streams)
      S.synchronize();
    ASSERT_EQ(Counter, Expected);
  }

private:
  xcc_kernel_info &Count, &Reverse;
  std::mt19937 Random;
  std::vector<uint32_t> Data;
  uint32_t Counter = 0, Expected = 0;
  xcc::stream Streams[2];
  xcc::event Events[2];
};
} // namespace

TEST(Stress, StreamsAndEventsOnManyThreads) {
  Unit U;
  for (unsigned Threads : {1u, 4u, 12u}) {
    std::vector<std::thread> Running;
    for (unsigned T = 0; T != Threads; ++T) {
      // Descriptors are looked up here, one thread at a time.
      auto Own = std::make_unique<Actor>(U, T + Threads);
      Running.emplace_back([Own = std::move(Own), Threads] {
        for (unsigned I = 0; I != 3000 / Threads; ++I)
          Own->act();
        Own->check();
      });
    }
    for (std::thread &T : Running)
      T.join();
  }
}
