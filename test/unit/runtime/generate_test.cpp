// Code that is generated as the program runs, by a generator of the tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test is a process of its own: which generator there is, and where its
// results are kept, a process learns once.

#include "command.h"
#include "unit.h"

#include <barrier>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

namespace xcc::test {
namespace {

constexpr unsigned Threads = 32;

/// A unit with a portable image alone, whose two kernels are generated apart.
std::string portableSection() {
  std::string bitcode = "no bitcode that anybody looks at";
  return writeOffloadBinary(
      bitcode,
      {{"triple", "x86_64-pc-linux-gnu"},
       {"arch", "generic:x86_64"},
       {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
       {"xcc.hash", hashText(bitcode)},
       {"xcc.digest", hashText(bitcode)},
       {"xcc.kernels",
        kernelRows(
            {{.symbol = "k_nothing", .name = "nothing", .columns = "group=0"},
             {.symbol = "k_increment",
              .name = "increment",
              .kernargSize = 8,
              .columns = "group=1"},
             {.symbol = "k_append",
              .name = "append",
              .kernargSize = 16,
              .columns = "group=2"}})}},
      /*imageKind=*/2); // bitcode
}

std::string settingsFor(const std::string &more) {
  return "XCC_DEVICE=host XCC_CACHE_SIZE=0 "
         "XCC_JIT_LIBRARY='" XCC_TEST_GENERATOR_LIBRARY "' " +
         more;
}

#define EXPECT_PASSES(ended)                                                   \
  {                                                                            \
    Ended e = ended;                                                           \
    EXPECT_EQ(e.status, 0) << e.output;                                        \
  }

unsigned generated() {
  void *library = dlopen(XCC_TEST_GENERATOR_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  auto count =
      library
          ? reinterpret_cast<unsigned (*)()>(dlsym(library, "test_generated"))
          : nullptr;
  return count ? count() : 0;
}

template <class F> void inThreads(F each) {
  std::barrier start(Threads);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != Threads; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      each(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// One that works on one number after the other, which it is given as a value
/// that code may know.
struct Numbers {
  std::vector<uint32_t> data = std::vector<uint32_t>(64);
  uint32_t *at(size_t i) { return data.data() + i; }
};

/// The descriptor, with its argument marked: for each address other code.
xcc_kernel_info &marked(Unit &unit) {
  static const xcc_argument_place place = {0, 8};
  xcc_kernel_info &kernel = unit.kernel("increment", 8);
  kernel.specialized = &place;
  kernel.specialized_count = 1;
  return kernel;
}

TEST(Generating, DISABLED_Threads) {
  Unit unit(portableSection());
  auto &nothing = unit.kernel("nothing"),
       &increment = unit.kernel("increment", 8);
  Numbers numbers;
  inThreads([&](unsigned i) {
    for (int round = 0; round != 4; ++round) {
      EXPECT_EQ(launch(nothing, config(1, 1)), XCC_SUCCESS);
      EXPECT_EQ(launch(increment, config(1, 1), numbers.at(i)), XCC_SUCCESS);
    }
  });
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  for (unsigned i = 0; i != Threads; ++i)
    EXPECT_EQ(numbers.data[i], 4u);
  // Two groups, once each.
  EXPECT_EQ(generated(), 2u);
}

TEST(Generating, OnceForAllThreads) {
  EXPECT_PASSES(runThisTest("Generating.DISABLED_Threads", settingsFor("")));
}

TEST(Generating, DISABLED_Values) {
  Unit unit(portableSection());
  auto &kernel = marked(unit);
  Numbers numbers;
  inThreads([&](unsigned i) {
    for (unsigned round = 0; round != 8; ++round)
      EXPECT_EQ(launch(kernel, config(1, 1), numbers.at((i + round) % 4 * 16)),
                XCC_SUCCESS);
  });
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  for (unsigned i = 0; i != 4; ++i)
    EXPECT_EQ(numbers.data[i * 16], Threads * 2);
  // The generic code, which each launch is checked against, and four others.
  EXPECT_EQ(generated(), 5u);
  // Beyond a number of values the generic code runs.
  std::vector<uint32_t> many(1000);
  for (uint32_t &each : many)
    EXPECT_EQ(launch(kernel, config(1, 1), &each), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  for (uint32_t each : many)
    EXPECT_EQ(each, 1u);
  EXPECT_EQ(generated(), 65u);
}

TEST(Generating, EachValueOnce) {
  EXPECT_PASSES(runThisTest("Generating.DISABLED_Values", settingsFor("")));
}

/// A unit whose kernels and variants are generated goes, and comes again.
TEST(Generating, DISABLED_Unloaded) {
  for (unsigned round = 1; round != 4; ++round) {
    Unit unit(portableSection());
    auto &kernel = marked(unit);
    Numbers numbers;
    inThreads([&](unsigned i) {
      EXPECT_EQ(launch(kernel, config(1, 1), numbers.at(i % 2)), XCC_SUCCESS);
    });
    EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
    EXPECT_EQ(numbers.data[0] + numbers.data[1], Threads);
    EXPECT_EQ(generated(), round * 3);
  }
}

TEST(Generating, OfAUnitThatGoes) {
  EXPECT_PASSES(runThisTest("Generating.DISABLED_Unloaded", settingsFor("")));
  EXPECT_PASSES(runThisTest("Generating.DISABLED_Unloaded",
                            settingsFor("XCC_JIT=adaptive")));
}

/// Threads launch with numbers that stay the same for a while: they are guessed,
/// given up, and guessed anew.
TEST(Generating, DISABLED_Guesses) {
  Unit unit(portableSection());
  static const xcc_param_info params[] = {
      {"list", "unsigned int *", 8, 8, 0, XCC_PARAM_POINTER},
      {"value", "unsigned int", 4, 4, 8, XCC_PARAM_VALUE}};
  xcc_kernel_info &append = unit.kernel("append", 16);
  append.params = params;
  append.param_count = 2;
  struct Arguments {
    uint32_t *list;
    uint32_t value;
  };
  constexpr unsigned values = 4, rounds = 50;
  inThreads([&](unsigned i) {
    void *memory = nullptr;
    ASSERT_EQ(xcc_memory_alloc((rounds * values + 1) * 4, &memory),
              XCC_SUCCESS);
    auto *list = static_cast<uint32_t *>(memory);
    *list = 0;
    for (unsigned value = 0; value != values; ++value)
      for (unsigned round = 0; round != rounds; ++round)
        EXPECT_EQ(launch(append, config(1, 1), Arguments{list, value}),
                  XCC_SUCCESS);
    EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
    EXPECT_EQ(list[0], rounds * values);
    for (unsigned at = 0; at != rounds * values; ++at)
      EXPECT_EQ(list[1 + at], at / rounds) << i;
    EXPECT_EQ(xcc_memory_free(memory), XCC_SUCCESS);
  });
  // And by one thread, where guesses are certain.
  uint32_t list[1 + 2 * rounds] = {};
  for (unsigned round = 0; round != 2 * rounds; ++round)
    EXPECT_EQ(launch(append, config(1, 1), Arguments{list, 9}), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  EXPECT_EQ(list[0], 2 * rounds);
  // The generic code, and what was guessed.
  EXPECT_GE(generated(), 2u);
  EXPECT_LE(generated(), 5u);
}

TEST(Generating, GuessesInThreads) {
  EXPECT_PASSES(runThisTest("Generating.DISABLED_Guesses",
                            settingsFor("XCC_JIT=adaptive")));
}

/// The generator cannot make special code: the error is nobody's.
TEST(Generating, DISABLED_NoVariants) {
  Unit unit(portableSection());
  auto &kernel = marked(unit);
  Numbers numbers;
  inThreads([&](unsigned i) {
    for (int round = 0; round != 3; ++round)
      EXPECT_EQ(launch(kernel, config(1, 1), numbers.at(i % 4)), XCC_SUCCESS);
  });
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  EXPECT_EQ(numbers.data[0], Threads / 4 * 3);
  xcc_jit_options how{};
  how.size = sizeof(how);
  how.opt_level = 2;
  const xcc_kernel_info *made;
  EXPECT_EQ(xcc_kernel_generate(&kernel, &how, &made), XCC_ERROR_INVALID_IMAGE);
  EXPECT_NE(strstr(xcc_error_last(), "'increment'"), nullptr);
  EXPECT_NE(strstr(xcc_error_last(), "it was asked not to"), nullptr);
}

TEST(Generating, GenericCodeRunsOn) {
  EXPECT_PASSES(runThisTest("Generating.DISABLED_NoVariants",
                            settingsFor("XCC_TEST_GENERATOR=refuse-variants")));
}

TEST(Generating, DISABLED_Increments) {
  Unit unit(portableSection());
  uint32_t number = 0;
  ASSERT_EQ(launch(unit.kernel("increment", 8), config(1, 1), &number),
            XCC_SUCCESS)
      << xcc_error_last();
  ASSERT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  ASSERT_EQ(number, 1u);
  printf("%u generated\n", generated());
}

/// Earlier processes left an image that is whole and does not load here.
TEST(Generating, AnewWhatDoesNotLoad) {
  std::filesystem::path cache = std::filesystem::temp_directory_path() /
                                ("xcc-test-" + std::to_string(getpid()));
  auto run = [&](const std::string &what) {
    return runThisTest("Generating.DISABLED_Increments",
                       settingsFor("XCC_CACHE_SIZE=1G XCC_CACHE_DIR='" +
                                   cache.string() +
                                   "' XCC_TEST_GENERATOR=" + what));
  };
  Ended broken = run("unloadable");
  EXPECT_NE(broken.status, 0) << broken.output;
  EXPECT_NE(broken.output.find("cannot run"), std::string::npos)
      << broken.output;
  Ended anew = run("nothing-wrong");
  EXPECT_EQ(anew.status, 0) << anew.output;
  EXPECT_NE(anew.output.find("1 generated"), std::string::npos) << anew.output;
  // What was made anew is found.
  Ended found = run("refuse");
  EXPECT_EQ(found.status, 0) << found.output;
  EXPECT_NE(found.output.find("0 generated"), std::string::npos)
      << found.output;
  std::filesystem::remove_all(cache);
}

} // namespace
} // namespace xcc::test
