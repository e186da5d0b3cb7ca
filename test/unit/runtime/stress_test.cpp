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
  Actor(Unit &u, unsigned seed)
      : count(u.kernel("count", 8)), reverse(u.kernel("reverse", 8)),
        random(seed), data(64 * 8) {}

  void act() {
    unsigned a = random() % 2;
    switch (random() % 8) {
    case 0:
    case 1:
    case 2: {
      uint32_t blocks = 1 + random() % 300, *pointer = &counter;
      ASSERT_EQ(launch(count,
                       config(blocks, 1 + random() % 64, streams[a].handle()),
                       pointer),
                XCC_SUCCESS);
      expected += blocks;
      break;
    }
    case 3: {
      uint32_t *pointer = data.data();
      ASSERT_EQ(launch(reverse, config(8, 64, streams[0].handle()), pointer),
                XCC_SUCCESS);
      break;
    }
    case 4:
      events[a].record(streams[a]);
      break;
    case 5:
      streams[a].wait(events[1 - a]);
      break;
    case 6:
      if (random() % 4 == 0)
        events[a].synchronize();
      break;
    case 7:
      if (random() % 8 == 0)
        check();
      else if (random() % 64 == 0)
        streams[a] = xcc::stream(); // the old one ends when its work has
      break;
    }
  }
  void check() {
    for (xcc::stream &s : streams)
      s.synchronize();
    ASSERT_EQ(counter, expected);
  }

private:
  xcc_kernel_info &count, &reverse;
  std::mt19937 random;
  std::vector<uint32_t> data;
  uint32_t counter = 0, expected = 0;
  xcc::stream streams[2];
  xcc::event events[2];
};
} // namespace

TEST(Stress, StreamsAndEventsOnManyThreads) {
  Unit u;
  for (unsigned threads : {1u, 4u, 12u}) {
    std::vector<std::thread> running;
    for (unsigned t = 0; t != threads; ++t) {
      // Descriptors are looked up here, one thread at a time.
      auto own = std::make_unique<Actor>(u, t + threads);
      running.emplace_back([own = std::move(own), threads] {
        for (unsigned i = 0; i != 3000 / threads; ++i)
          own->act();
        own->check();
      });
    }
    for (std::thread &t : running)
      t.join();
  }
}
