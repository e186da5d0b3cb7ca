// <xcc/random.h>: the numbers of C++26's philox_engine, on the host and in
// kernels, alone and through the standard's distributions.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <cmath>
#include <random>
#include <sstream>
#include <xcc/random.h>

using small = xcc::philox_engine<std::uint_fast32_t, 32, 2, 10, 0xD256D193,
                                 0x9E3779B9>;
// Words that fill none of the machine's.
using odd = xcc::philox_engine<std::uint64_t, 20, 4, 7, 0xE8D57, 0x779B9,
                               0x11F53, 0x7AE85>;

template <class Engine> std::uint64_t after(Engine engine, unsigned count) {
  for (unsigned at = 1; at < count; ++at)
    engine();
  return engine();
}

// The known answers of Random123 (tests/kat_vectors): counter, key, numbers.
template <class Engine>
bool encrypts(std::array<typename Engine::result_type, 4> counter,
              std::array<std::uint32_t, 4> key,
              std::array<typename Engine::result_type, 4> numbers) {
  struct {
    std::array<std::uint32_t, 4> key;
    void generate(std::uint_least32_t *begin, std::uint_least32_t *end) {
      for (unsigned at = 0; begin != end; ++begin, ++at)
        *begin = key[at];
    }
  } keys{key};
  Engine engine(keys);
  engine.set_counter({counter[3], counter[2], counter[1], counter[0]});
  bool same = true;
  for (auto number : numbers)
    same &= engine() == number;
  return same;
}

bool known(std::size_t which) {
  using four = xcc::philox4x32;
  using eight = xcc::philox4x64;
  const std::uint64_t all = ~std::uint64_t(0);
  switch (which) {
  case 0: // [rand.predef]
    return after(four(), 10000) == 1955073260;
  case 1:
    return after(eight(), 10000) == 3409172418970261260;
  case 2:
    return encrypts<four>({0, 0, 0, 0}, {0, 0},
                          {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  case 3:
    return encrypts<four>({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u},
                          {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  case 4:
    return encrypts<four>({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                          {0xa4093822, 0x299f31d0},
                          {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  case 5:
    return encrypts<eight>({0, 0, 0, 0}, {0, 0, 0, 0},
                           {0x16554d9eca36314c, 0xdb20fe9d672d0fdc,
                            0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  case 6:
    return encrypts<eight>({all, all, all, all}, {~0u, ~0u, ~0u, ~0u},
                           {0x87b092c3013fe90b, 0x438c3c67be8d0224,
                            0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
  }
  return true;
}

template <class Engine> std::uint64_t discards(std::size_t count) {
  Engine stepped(7), far(7);
  // One number before the lowest word of the counter overflows.
  const auto edge = Engine::max();
  std::array<typename Engine::result_type, Engine::word_count> counter = {};
  counter[Engine::word_count - 1] = edge;
  stepped.set_counter(counter);
  far.set_counter(counter);
  for (std::size_t first = 0; first < count % 5; ++first) {
    stepped();
    far();
  }
  for (std::size_t at = 0; at < count; ++at)
    stepped();
  far.discard(count);
  return stepped == far && stepped() == far() && stepped == far;
}

static void texts() {
  for (unsigned count = 0; count < 9; ++count) {
    xcc::philox4x64 engine(3), read;
    engine.discard(count);
    std::stringstream text;
    text << std::hex << engine;
    text >> read;
    check(engine == read && engine() == read() && engine == read, "text");
  }
}

int main() {
  static_assert(sizeof(xcc::philox4x32) == 44 && sizeof(xcc::philox4x64) == 88);
  static_assert(xcc::philox4x32::word_size == 32 &&
                xcc::philox4x32::word_count == 4 &&
                xcc::philox4x32::round_count == 10 &&
                xcc::philox4x32::multipliers[0] == 0xCD9E8D57 &&
                xcc::philox4x32::round_consts[1] == 0xBB67AE85 &&
                xcc::philox4x32::max() == 0xffffffff && odd::max() == 0xfffff);
  for (std::size_t which = 0; which < 7; ++which)
    check(known(which), "known answer on the host");
  auto device = on_device(7, [](std::size_t which) { return known(which); });
  for (std::size_t which = 0; which < 7; ++which)
    check(device[which], "known answer on the device");
  std::puts("known answers");

  same("discard", 40, [](std::size_t i) {
    return discards<xcc::philox4x32>(i) + discards<xcc::philox4x64>(i) +
           discards<small>(i) + discards<odd>(i);
  });
  for (std::size_t i = 0; i < 40; ++i)
    check(discards<xcc::philox4x32>(i) && discards<xcc::philox4x64>(i) &&
              discards<small>(i) && discards<odd>(i),
          "discard");
  xcc::philox4x32 far(1), near(1);
  far.discard(~0ull), far.discard(1);
  near.set_counter({0, 1, 0, 0}); // 2^64 counters of four numbers
  for (int i = 0; i < 3; ++i)
    far.discard(~0ull), far.discard(1);
  check(far() == near(), "discard of 2^66");

  same("ranges of threads", 100, [](std::size_t i) {
    xcc::philox4x64 engine(99);
    engine.set_counter({i, 0, 0, 0});
    std::uint64_t sum = 0;
    for (int count = 0; count < 10; ++count)
      sum = sum * 3 + engine();
    return sum;
  });
  same("uniform_int_distribution", 100, [](std::size_t i) {
    xcc::philox4x32 engine(5);
    engine.set_counter({0, i, 0, 0});
    std::uniform_int_distribution<int> dice(1, 6);
    return dice(engine) * 6 + dice(engine);
  });
  same("uniform_real_distribution", 100, [](std::size_t i) {
    xcc::philox4x32 engine(5);
    engine.set_counter({0, i, 0, 0});
    return std::uniform_real_distribution<float>(-1, 1)(engine) +
           std::uniform_real_distribution<double>()(engine);
  });
  auto normal = [](std::size_t i) {
    xcc::philox4x32 engine(5);
    engine.set_counter({0, i, 0, 0});
    std::normal_distribution<double> height(170, 10);
    return height(engine) + height(engine);
  };
  auto heights = on_device(100, normal);
  for (std::size_t i = 0; i < 100; ++i)
    check(std::abs(heights[i] - normal(i)) < 1e-9, "normal_distribution");
  std::puts("normal_distribution");

  xcc::philox4x32 engine(17);
  std::seed_seq sequence{1, 2, 3};
  xcc::philox4x32 seeded(sequence), again;
  again.seed(sequence);
  check(seeded == again && seeded != engine, "seed");
  texts();
  std::puts("done");
}
// CHECK: known answers
// CHECK-NEXT: discard: same
// CHECK-NEXT: ranges of threads: same
// CHECK-NEXT: uniform_int_distribution: same
// CHECK-NEXT: uniform_real_distribution: same
// CHECK-NEXT: normal_distribution
// CHECK-NEXT: done
