// Kernels that fail are reported
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/faults/faults.h"
#include "unit.h"
#include "xcc/host.h"

#include <condition_variable>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

using namespace xcc::test;

/// The message of the failure that a launch leads to.
template <class... Args>
static std::string failureOf(const char *name, xcc_launch_config c,
                             Args... argument) {
  Unit u;
  EXPECT_EQ(
      launch(u.kernel(name, sizeof...(Args) ? sizeof(std::tuple<Args...>) : 0),
             c, argument...),
      XCC_SUCCESS)
      << xcc_error_last();
  std::string text;
  try {
    xcc::synchronize();
  } catch (const xcc::error &e) {
    EXPECT_EQ(e.status(), XCC_ERROR_LAUNCH_FAILED);
    EXPECT_STREQ(e.kernel(), name);
    EXPECT_STREQ(e.file(), "test.cpp");
    EXPECT_EQ(e.line(), 7u);
    EXPECT_EQ(e.device(), 0);
    text = e.what();
  }
  // Reported once; then the stream is usable.
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  uint32_t counter = 0, *pointer = &counter;
  EXPECT_EQ(launch(u.kernel("count", 8), config(100, 1), pointer), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(counter, 100u);
  return text;
}

static testing::AssertionResult contains(const std::string &text,
                                         const char *part) {
  if (text.find(part) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "'" << text << "' does not contain '" << part << "'";
}

TEST(Failure, TrapNamesEverything) {
  std::string text = failureOf("trap", config(100, 4), XCC_CPU_TRAP_ASSERT);
  EXPECT_TRUE(contains(text, "kernel 'trap' launched at test.cpp:7"));
  EXPECT_TRUE(contains(text, "assertion failed: n > 0 (kernel.cpp:42)"));
  EXPECT_TRUE(contains(text, "block (3, 0, 0)"));
  EXPECT_TRUE(contains(text, "grid of (100, 1, 1) with blocks of (4, 1, 1)"));
}

TEST(Failure, ExceptionsAreDemangled) {
  std::string text = failureOf("trap", config(4, 1), XCC_CPU_TRAP_EXCEPTION);
  EXPECT_TRUE(contains(text, "std::runtime_error"));
}

TEST(Failure, OtherTraps) {
  EXPECT_TRUE(
      contains(failureOf("trap", config(4, 1), XCC_CPU_TRAP_ABORT), "aborted"));
  EXPECT_TRUE(contains(failureOf("trap", config(4, 1), XCC_CPU_TRAP_PURE_CALL),
                       "pure virtual"));
}

TEST(Failure, BadAddress) {
  EXPECT_TRUE(contains(failureOf("bad_write", config(4, 1)),
                       "invalid memory access at address 0x40"));
}

TEST(Failure, DivisionByZero) {
  uint32_t zero = 0, *pointer = &zero;
  EXPECT_TRUE(contains(failureOf("divide", config(1, 1), pointer),
                       "integer division by zero"));
}

TEST(Failure, IllegalInstruction) {
  EXPECT_TRUE(
      contains(failureOf("illegal", config(1, 1)), "illegal instruction"));
}

TEST(Failure, StackOverflow) {
  for (int i = 0; i != 3; ++i)
    EXPECT_TRUE(
        contains(failureOf("overflow", config(2, 1)), "stack overflow"));
}

TEST(Failure, OnAFibersStack) {
  EXPECT_TRUE(contains(
      failureOf("fiber_trap", config(4, 64), XCC_CPU_TRAP_ASSERT),
      "assertion failed: n > 0 (kernel.cpp:42); block (1, 0, 0), thread (5, 0, "
      "0)"));
  EXPECT_TRUE(contains(failureOf("fiber_trap", config(4, 64), 100),
                       "invalid memory access at address 0x40"));
  EXPECT_TRUE(
      contains(failureOf("fiber_trap", config(4, 64), 101), "stack overflow"));
}

TEST(Failure, BelongsToItsStream) {
  Unit u;
  xcc::stream good, bad;
  uint32_t counter = 0, *pointer = &counter;
  ASSERT_EQ(launch(u.kernel("bad_write"), config(1, 1, bad.handle())),
            XCC_SUCCESS);
  ASSERT_EQ(launch(u.kernel("count", 8), config(10, 1, good.handle()), pointer),
            XCC_SUCCESS);
  good.synchronize();
  EXPECT_EQ(counter, 10u);
  EXPECT_THROW(bad.synchronize(), xcc::error);
  bad.synchronize();
}

namespace {
/// A thread that does one thing after the other, as it is told.
class Actor {
public:
  Actor() : thread([this] { run(); }) {}
  ~Actor() {
    tell(nullptr);
    thread.join();
  }
  /// Returns when it is done.
  void tell(std::function<void()> what) {
    bool ends = !what;
    {
      std::lock_guard lock(mutex);
      next = std::move(what);
      asked = true;
    }
    changed.notify_all();
    std::unique_lock lock(mutex);
    if (!ends)
      changed.wait(lock, [this] { return !asked; });
  }

private:
  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return asked; });
      if (!next)
        return;
      next();
      asked = false;
      changed.notify_all();
    }
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> next;
  bool asked = false;
  std::thread thread;
};

/// Waits for a stream without asking for its errors.
void settle(xcc_stream *s) {
  xcc_event *e;
  ASSERT_EQ(xcc_event_create(&e), XCC_SUCCESS);
  ASSERT_EQ(xcc_event_record(e, s), XCC_SUCCESS);
  while (xcc_event_query(e) == XCC_ERROR_NOT_READY)
    std::this_thread::yield();
  xcc_event_destroy(e);
}
} // namespace

TEST(Failure, ACopyOfAnotherThreadDoesNotTakeIt) {
  Unit u;
  xcc_kernel_info &k = u.kernel("bad_write");
  xcc::stream own;
  for (xcc_stream *s : {own.handle(), (xcc_stream *)nullptr}) {
    Actor other;
    other.tell([&] { ASSERT_EQ(launch(k, config(1, 1, s)), XCC_SUCCESS); });
    settle(s);
    xcc::buffer<uint32_t> b(4);
    uint32_t host[4] = {};
    EXPECT_NO_THROW(b.copy_from(host, 4));
    EXPECT_NO_THROW(b.fill(1));
    EXPECT_NO_THROW(b.copy_to(host, 4));
    // Its own is reported, whatever waits there.
    EXPECT_EQ(xcc_memory_copy(reinterpret_cast<void *>(64), host, 4),
              XCC_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(xcc_memory_copy(b.data(), host, 4), XCC_SUCCESS);
    other.tell([&] {
      EXPECT_EQ(xcc_stream_synchronize(s), XCC_ERROR_LAUNCH_FAILED);
      EXPECT_EQ(xcc_stream_synchronize(s), XCC_SUCCESS);
    });
  }
}

TEST(Failure, AWaitForTheDeviceHearsItAndLeavesItToItsThread) {
  Unit u;
  xcc_kernel_info &k = u.kernel("bad_write");
  xcc::stream s;
  Actor other;
  for (int i = 0; i != 3; ++i) {
    other.tell(
        [&] { ASSERT_EQ(launch(k, config(1, 1, s.handle())), XCC_SUCCESS); });
    EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
    // The second time the next failure takes the place of one heard of.
    if (i == 1)
      continue;
    other.tell([&] {
      EXPECT_EQ(xcc_stream_synchronize(s.handle()), XCC_ERROR_LAUNCH_FAILED);
      EXPECT_EQ(xcc_stream_synchronize(s.handle()), XCC_SUCCESS);
    });
  }
}

TEST(Failure, OfAThreadThatHasEnded) {
  Unit u;
  xcc_kernel_info &k = u.kernel("bad_write");
  std::thread([&k] { ASSERT_EQ(launch(k, config(1, 1)), XCC_SUCCESS); }).join();
  xcc::buffer<uint32_t> b(4);
  EXPECT_THROW(b.fill(1), xcc::error);
  EXPECT_NO_THROW(b.fill(1));
}

TEST(Failure, OfAStreamThatIsNoMore) {
  Unit u;
  for (int copy = 0; copy != 2; ++copy) {
    {
      xcc::stream s;
      ASSERT_EQ(launch(u.kernel("bad_write"), config(1, 1, s.handle())),
                XCC_SUCCESS);
    }
    xcc::stream next; // may be the same queue
    next.synchronize();
    xcc::buffer<uint32_t> b(4);
    if (copy)
      EXPECT_THROW(b.fill(1), xcc::error);
    else
      EXPECT_THROW(xcc::synchronize(), xcc::error);
    EXPECT_NO_THROW(xcc::synchronize());
  }
  xcc_stream *s;
  ASSERT_EQ(xcc_stream_create(&s), XCC_SUCCESS);
  ASSERT_EQ(launch(u.kernel("bad_write"), config(1, 1, s)), XCC_SUCCESS);
  EXPECT_EQ(xcc_stream_destroy(s), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
}

TEST(Failure, LaterWorkOfTheStreamRuns) {
  Unit u;
  uint32_t counter = 0, *pointer = &counter;
  ASSERT_EQ(launch(u.kernel("bad_write"), config(1, 1)), XCC_SUCCESS);
  ASSERT_EQ(launch(u.kernel("count", 8), config(10, 1), pointer), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(counter, 10u);
}

TEST(Failure, ManyInARow) {
  Unit u;
  for (int i = 0; i != 200; ++i) {
    ASSERT_EQ(launch(u.kernel("bad_write"), config(3, 1)), XCC_SUCCESS);
    ASSERT_EQ(launch(u.kernel("fiber_trap", 4), config(3, 8), 1), XCC_SUCCESS);
    ASSERT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  }
}

TEST(Failure, InAThreadThatThenEnds) {
  Unit u;
  xcc_kernel_info &k = u.kernel("bad_write");
  for (int i = 0; i != 10; ++i)
    std::thread([&k] {
      ASSERT_EQ(launch(k, config(1, 1)), XCC_SUCCESS);
      EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
    }).join();
}

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
using FailureDeathTest = testing::Test;
static void badWrite() {
  volatile uintptr_t address = 0x40; // not known to the compiler
  *reinterpret_cast<volatile int *>(address) = 1;
}

TEST(FailureDeathTest, FaultsOfTheProgramAreItsOwn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Unit u;
        (void)launch(u.kernel("nothing"), config(1, 1));
        (void)xcc_device_synchronize(-1);
        badWrite();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(FailureDeathTest, EarlierHandlersAreCalled) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, [](int) { _exit(7); });
        Unit u;
        (void)launch(u.kernel("nothing"), config(1, 1));
        (void)xcc_device_synchronize(-1);
        badWrite();
      },
      testing::ExitedWithCode(7), "");
}

/// Launches a kernel that faults; was it noticed?
static bool kernelFaults(Unit &u) {
  return launch(u.kernel("bad_write"), config(1, 1)) == XCC_SUCCESS &&
         xcc_device_synchronize(-1) == XCC_ERROR_LAUNCH_FAILED;
}

TEST(FailureDeathTest, LaterHandlersComeBeneath) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Unit u;
        bool good = kernelFaults(u);
        // Not linked by xcc, so that it replaces ours.
        signal(SIGSEGV, [](int) { _exit(7); });
        xcc::rt::cpu::nextCheck = 0;
        if (good && kernelFaults(u))
          badWrite();
      },
      testing::ExitedWithCode(7), "");
}

TEST(FailureDeathTest, AHandlerThatPutsOursBackIsNotCalledAgain) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static struct sigaction before;
        signal(SIGSEGV, [](int) { _exit(8); });
        Unit u;
        bool good = kernelFaults(u);
        struct sigaction later = {};
        later.sa_handler = [](int) { sigaction(SIGSEGV, &before, nullptr); };
        sigaction(SIGSEGV, &later, &before);
        xcc::rt::cpu::nextCheck = 0;
        if (good && kernelFaults(u))
          badWrite();
      },
      testing::ExitedWithCode(8), "");
}
#endif
