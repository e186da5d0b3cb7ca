// Source that is compiled as the program runs, by a compiler of the tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test is a process of its own: which compiler there is, and where its
// results are kept, a process learns once.

#include "command.h"
#include "unit.h"

#include <barrier>
#include <cmath>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>

namespace xcc::test {
namespace {

constexpr unsigned Threads = 32;

std::string settingsFor(const std::string &more) {
  return "XCC_DEVICE=host XCC_RTC_LIBRARY='" XCC_TEST_FRONT_END_LIBRARY "' "
         "XCC_JIT_LIBRARY='" XCC_TEST_GENERATOR_LIBRARY "' " +
         more;
}

void passes(const std::string &test, const std::string &settings) {
  Ended e = runThisTest("Source.DISABLED_" + test, settingsFor(settings));
  EXPECT_EQ(e.status, 0) << e.output;
}

/// With a folder of its own, which is empty.
void passesWithCache(const std::string &test) {
  std::filesystem::path cache =
      std::filesystem::temp_directory_path() /
      ("xcc-source-" + test + "-" + std::to_string(getpid()));
  passes(test, "XCC_CACHE_SIZE=1G XCC_CACHE_DIR='" + cache.string() + "'");
  std::filesystem::remove_all(cache);
}

unsigned compiled() {
  void *library = dlopen(XCC_TEST_FRONT_END_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  auto count =
      library
          ? reinterpret_cast<unsigned (*)()>(dlsym(library, "test_compiled"))
          : nullptr;
  return count ? count() : 0;
}

xcc_source_options options() {
  xcc_source_options how{};
  how.size = sizeof(how);
  return how;
}

/// A counted source, which may be null.
struct Source {
  xcc_source *raw = nullptr;
  xcc_status status;
  explicit Source(const std::string &text) {
    xcc_source_options how = options();
    status = xcc_source_compile(text.data(), text.size(), &how, &raw);
  }
  ~Source() { xcc_source_release(raw); }
  Source(const Source &) = delete;

  /// Adds one to a number by its kernel.
  void increment(uint32_t &number) {
    const xcc_source_type type = {"Pi", 8, 0};
    const xcc_kernel_info *kernel = nullptr;
    ASSERT_EQ(xcc_source_kernel(raw, "increment", &type, 1, &kernel),
              XCC_SUCCESS)
        << xcc_error_last();
    uint32_t *at = &number;
    ASSERT_EQ(launch(*kernel, config(1, 1), at), XCC_SUCCESS)
        << xcc_error_last();
  }
};

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

TEST(Source, DISABLED_Same) {
  std::vector<uint32_t> numbers(Threads);
  inThreads([&](unsigned i) {
    Source source("the same");
    ASSERT_EQ(source.status, XCC_SUCCESS) << xcc_error_last();
    source.increment(numbers[i]);
  });
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  EXPECT_EQ(numbers, std::vector<uint32_t>(Threads, 1));
  EXPECT_EQ(compiled(), 1u);
}

TEST(Source, OnceForAllThreads) { passesWithCache("Same"); }

TEST(Source, DISABLED_Different) {
  std::vector<uint32_t> numbers(Threads);
  inThreads([&](unsigned i) {
    for (int round = 0; round != 4; ++round) {
      Source source("text " + std::to_string(i));
      ASSERT_EQ(source.status, XCC_SUCCESS) << xcc_error_last();
      source.increment(numbers[i]);
    }
  });
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  EXPECT_EQ(numbers, std::vector<uint32_t>(Threads, 4));
}

TEST(Source, EachOfManyThreads) {
  passesWithCache("Different");
  passes("Different", "XCC_CACHE_SIZE=0");
}

/// Some are compiled, some are wrong, some crash the compiler, at once.
TEST(Source, DISABLED_Mixed) {
  std::vector<uint32_t> numbers(Threads);
  inThreads([&](unsigned i) {
    switch (i % 4) {
    case 0: {
      Source source("good " + std::to_string(i));
      ASSERT_EQ(source.status, XCC_SUCCESS) << xcc_error_last();
      source.increment(numbers[i]);
      return;
    }
    case 1: {
      Source source("wrong " + std::to_string(i));
      EXPECT_EQ(source.status, XCC_ERROR_INVALID_SOURCE);
      uint64_t count = 0;
      EXPECT_STREQ(xcc_source_log(source.raw, &count),
                   "wrong:1:1: error: it is\n");
      EXPECT_EQ(count, 1u);
      xcc_source_diagnostic said{};
      xcc_source_get_diagnostic(source.raw, 0, &said);
      EXPECT_STREQ(said.message, "it is");
      xcc_source_get_diagnostic(source.raw, 1, &said);
      EXPECT_EQ(said.line, 0u);
      return;
    }
    case 2: {
      Source source("refuse " + std::to_string(i));
      EXPECT_EQ(source.status, XCC_ERROR_INVALID_VALUE);
      EXPECT_NE(strstr(xcc_error_last(), "it was asked not to"), nullptr);
      return;
    }
    case 3: {
      Source source("crash " + std::to_string(i));
      EXPECT_EQ(source.status, XCC_ERROR_INVALID_SOURCE);
      EXPECT_NE(strstr(xcc_error_last(), "makes the compiler fail"), nullptr);
    }
    }
  });
  EXPECT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  for (unsigned i = 0; i != Threads; ++i)
    EXPECT_EQ(numbers[i], i % 4 == 0);
}

TEST(Source, ErrorsAreTheirTextsAlone) { passes("Mixed", "XCC_CACHE_SIZE=0"); }

/// Results that are cut short or changed are an error or what they say.
TEST(Source, DISABLED_Damaged) {
  for (unsigned at = 0; at != 400; ++at)
    for (const char *how : {"cut ", "turn "}) {
      Source source(how + std::to_string(at));
      if (source.status == XCC_SUCCESS) {
        const xcc_kernel_info *kernel = nullptr;
        (void)xcc_source_kernel(source.raw, "increment", nullptr, 0, &kernel);
        (void)xcc_source_variable(source.raw, "v", nullptr, &kernel);
        (void)xcc_source_log(source.raw, nullptr);
      } else {
        EXPECT_STRNE(xcc_error_last(), "");
      }
    }
}

TEST(Source, DamagedResults) { passes("Damaged", "XCC_CACHE_SIZE=0"); }

TEST(Source, DISABLED_Forked) {
  {
    Source source("before");
    ASSERT_EQ(source.status, XCC_SUCCESS) << xcc_error_last();
  }
  pid_t child = fork();
  if (child == 0) {
    Source source("child");
    _exit(source.status != XCC_SUCCESS &&
                  strstr(xcc_error_last(), "this process was forked")
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  Source source("after");
  EXPECT_EQ(source.status, XCC_SUCCESS) << xcc_error_last();
}

TEST(Source, NotInAChild) { passes("Forked", "XCC_CACHE_SIZE=0"); }

TEST(Source, WhatIsAskedIsChecked) {
  xcc_source *made = nullptr;
  auto compile = [&](const xcc_source_options &how, const char *text = "",
                     uint64_t size = 0) {
    return xcc_source_compile(text, size, &how, &made);
  };
  EXPECT_EQ(xcc_source_compile("", 0, nullptr, &made), XCC_ERROR_INVALID_VALUE);
  xcc_source_options how = options();
  EXPECT_EQ(xcc_source_compile("", 0, &how, nullptr), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(compile(how, nullptr, 1), XCC_ERROR_INVALID_VALUE);
  how.size = 8;
  EXPECT_EQ(compile(how), XCC_ERROR_INVALID_VALUE);
  EXPECT_NE(strstr(xcc_error_last(), "rebuild with one xcc"), nullptr);
  for (double seconds : {-1.0, -HUGE_VAL, std::nan("")}) {
    how = options();
    how.seconds = seconds;
    EXPECT_EQ(compile(how), XCC_ERROR_INVALID_VALUE) << seconds;
    EXPECT_NE(strstr(xcc_error_last(), "no number of seconds"), nullptr);
  }
  how = options();
  how.argument_count = 1;
  EXPECT_EQ(compile(how), XCC_ERROR_INVALID_VALUE);
  const char *none[] = {nullptr};
  how.arguments = none;
  EXPECT_EQ(compile(how), XCC_ERROR_INVALID_VALUE);
  how = options();
  how.kernel_count = 1;
  how.kernels = none;
  EXPECT_EQ(compile(how), XCC_ERROR_INVALID_VALUE);
  how = options();
  xcc_source_header header = {"a.h", nullptr, 1};
  how.header_count = 1;
  how.headers = &header;
  EXPECT_EQ(compile(how), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(made, nullptr);
  xcc_source_release(nullptr);
}

} // namespace
} // namespace xcc::test
