// Kernels that fail are reported
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/cpu/faults.h"
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
static std::string failureOf(const char *Name, xcc_launch_config C,
                             Args... Argument) {
  Unit U;
  EXPECT_EQ(
      launch(U.kernel(Name, sizeof...(Args) ? sizeof(std::tuple<Args...>) : 0),
             C, Argument...),
      XCC_SUCCESS)
      << xcc_last_error();
  std::string Text;
  try {
    xcc::synchronize();
  } catch (const xcc::error &E) {
    EXPECT_EQ(E.status(), XCC_ERROR_LAUNCH_FAILED);
    EXPECT_STREQ(E.kernel(), Name);
    EXPECT_STREQ(E.file(), "test.cpp");
    EXPECT_EQ(E.line(), 7u);
    EXPECT_EQ(E.device(), 0);
    Text = E.what();
  }
  // Reported once; then the stream is usable.
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  uint32_t Counter = 0, *Pointer = &Counter;
  EXPECT_EQ(launch(U.kernel("count", 8), config(100, 1), Pointer), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(Counter, 100u);
  return Text;
}

static testing::AssertionResult contains(const std::string &Text,
                                         const char *Part) {
  if (Text.find(Part) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "'" << Text << "' does not contain '" << Part << "'";
}

TEST(Failure, TrapNamesEverything) {
  std::string Text = failureOf("trap", config(100, 4), XCC_CPU_TRAP_ASSERT);
  EXPECT_TRUE(contains(Text, "kernel 'trap' launched at test.cpp:7"));
  EXPECT_TRUE(contains(Text, "assertion failed: n > 0 (kernel.cpp:42)"));
  EXPECT_TRUE(contains(Text, "block (3, 0, 0)"));
  EXPECT_TRUE(contains(Text, "grid of (100, 1, 1) with blocks of (4, 1, 1)"));
}

TEST(Failure, ExceptionsAreDemangled) {
  std::string Text = failureOf("trap", config(4, 1), XCC_CPU_TRAP_EXCEPTION);
  EXPECT_TRUE(contains(Text, "std::runtime_error"));
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
  uint32_t Zero = 0, *Pointer = &Zero;
  EXPECT_TRUE(contains(failureOf("divide", config(1, 1), Pointer),
                       "integer division by zero"));
}

TEST(Failure, IllegalInstruction) {
  EXPECT_TRUE(
      contains(failureOf("illegal", config(1, 1)), "illegal instruction"));
}

TEST(Failure, StackOverflow) {
  for (int I = 0; I != 3; ++I)
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
  Unit U;
  xcc::stream Good, Bad;
  uint32_t Counter = 0, *Pointer = &Counter;
  ASSERT_EQ(launch(U.kernel("bad_write"), config(1, 1, Bad.handle())),
            XCC_SUCCESS);
  ASSERT_EQ(launch(U.kernel("count", 8), config(10, 1, Good.handle()), Pointer),
            XCC_SUCCESS);
  Good.synchronize();
  EXPECT_EQ(Counter, 10u);
  EXPECT_THROW(Bad.synchronize(), xcc::error);
  Bad.synchronize();
}

namespace {
/// A thread that does one thing after the other, as it is told.
class Actor {
public:
  Actor() : Thread([this] { run(); }) {}
  ~Actor() {
    tell(nullptr);
    Thread.join();
  }
  /// Returns when it is done.
  void tell(std::function<void()> What) {
    bool Ends = !What;
    {
      std::lock_guard Lock(Mutex);
      Next = std::move(What);
      Asked = true;
    }
    Changed.notify_all();
    std::unique_lock Lock(Mutex);
    if (!Ends)
      Changed.wait(Lock, [this] { return !Asked; });
  }

private:
  void run() {
    std::unique_lock Lock(Mutex);
    while (true) {
      Changed.wait(Lock, [this] { return Asked; });
      if (!Next)
        return;
      Next();
      Asked = false;
      Changed.notify_all();
    }
  }
  std::mutex Mutex;
  std::condition_variable Changed;
  std::function<void()> Next;
  bool Asked = false;
  std::thread Thread;
};

/// Waits for a stream without asking for its errors.
void settle(xcc_stream *S) {
  xcc_event *E;
  ASSERT_EQ(xcc_event_create(&E), XCC_SUCCESS);
  ASSERT_EQ(xcc_event_record(E, S), XCC_SUCCESS);
  while (xcc_event_query(E) == XCC_ERROR_NOT_READY)
    std::this_thread::yield();
  xcc_event_destroy(E);
}
} // namespace

TEST(Failure, ACopyOfAnotherThreadDoesNotTakeIt) {
  Unit U;
  xcc_kernel_info &K = U.kernel("bad_write");
  xcc::stream Own;
  for (xcc_stream *S : {Own.handle(), (xcc_stream *)nullptr}) {
    Actor Other;
    Other.tell([&] { ASSERT_EQ(launch(K, config(1, 1, S)), XCC_SUCCESS); });
    settle(S);
    xcc::buffer<uint32_t> B(4);
    uint32_t Host[4] = {};
    EXPECT_NO_THROW(B.copy_from(Host, 4));
    EXPECT_NO_THROW(B.fill(1));
    EXPECT_NO_THROW(B.copy_to(Host, 4));
    // Its own is reported, whatever waits there.
    EXPECT_EQ(xcc_copy(reinterpret_cast<void *>(64), Host, 4),
              XCC_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(xcc_copy(B.data(), Host, 4), XCC_SUCCESS);
    Other.tell([&] {
      EXPECT_EQ(xcc_stream_synchronize(S), XCC_ERROR_LAUNCH_FAILED);
      EXPECT_EQ(xcc_stream_synchronize(S), XCC_SUCCESS);
    });
  }
}

TEST(Failure, AWaitForTheDeviceHearsItAndLeavesItToItsThread) {
  Unit U;
  xcc_kernel_info &K = U.kernel("bad_write");
  xcc::stream S;
  Actor Other;
  for (int I = 0; I != 3; ++I) {
    Other.tell(
        [&] { ASSERT_EQ(launch(K, config(1, 1, S.handle())), XCC_SUCCESS); });
    EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
    // The second time the next failure takes the place of one heard of.
    if (I == 1)
      continue;
    Other.tell([&] {
      EXPECT_EQ(xcc_stream_synchronize(S.handle()), XCC_ERROR_LAUNCH_FAILED);
      EXPECT_EQ(xcc_stream_synchronize(S.handle()), XCC_SUCCESS);
    });
  }
}

TEST(Failure, OfAThreadThatHasEnded) {
  Unit U;
  xcc_kernel_info &K = U.kernel("bad_write");
  std::thread([&K] { ASSERT_EQ(launch(K, config(1, 1)), XCC_SUCCESS); }).join();
  xcc::buffer<uint32_t> B(4);
  EXPECT_THROW(B.fill(1), xcc::error);
  EXPECT_NO_THROW(B.fill(1));
}

TEST(Failure, OfAStreamThatIsNoMore) {
  Unit U;
  for (int Copy = 0; Copy != 2; ++Copy) {
    {
      xcc::stream S;
      ASSERT_EQ(launch(U.kernel("bad_write"), config(1, 1, S.handle())),
                XCC_SUCCESS);
    }
    xcc::stream Next; // may be the same queue
    Next.synchronize();
    xcc::buffer<uint32_t> B(4);
    if (Copy)
      EXPECT_THROW(B.fill(1), xcc::error);
    else
      EXPECT_THROW(xcc::synchronize(), xcc::error);
    EXPECT_NO_THROW(xcc::synchronize());
  }
  xcc_stream *S;
  ASSERT_EQ(xcc_stream_create(&S), XCC_SUCCESS);
  ASSERT_EQ(launch(U.kernel("bad_write"), config(1, 1, S)), XCC_SUCCESS);
  EXPECT_EQ(xcc_stream_destroy(S), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
}

TEST(Failure, LaterWorkOfTheStreamRuns) {
  Unit U;
  uint32_t Counter = 0, *Pointer = &Counter;
  ASSERT_EQ(launch(U.kernel("bad_write"), config(1, 1)), XCC_SUCCESS);
  ASSERT_EQ(launch(U.kernel("count", 8), config(10, 1), Pointer), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(Counter, 10u);
}

TEST(Failure, ManyInARow) {
  Unit U;
  for (int I = 0; I != 200; ++I) {
    ASSERT_EQ(launch(U.kernel("bad_write"), config(3, 1)), XCC_SUCCESS);
    ASSERT_EQ(launch(U.kernel("fiber_trap", 4), config(3, 8), 1), XCC_SUCCESS);
    ASSERT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  }
}

TEST(Failure, InAThreadThatThenEnds) {
  Unit U;
  xcc_kernel_info &K = U.kernel("bad_write");
  for (int I = 0; I != 10; ++I)
    std::thread([&K] {
      ASSERT_EQ(launch(K, config(1, 1)), XCC_SUCCESS);
      EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
    }).join();
}

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
using FailureDeathTest = testing::Test;
static void badWrite() {
  volatile uintptr_t Address = 0x40; // not known to the compiler
  *reinterpret_cast<volatile int *>(Address) = 1;
}

TEST(FailureDeathTest, FaultsOfTheProgramAreItsOwn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Unit U;
        (void)launch(U.kernel("nothing"), config(1, 1));
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
        Unit U;
        (void)launch(U.kernel("nothing"), config(1, 1));
        (void)xcc_device_synchronize(-1);
        badWrite();
      },
      testing::ExitedWithCode(7), "");
}

/// Launches a kernel that faults; was it noticed?
static bool kernelFaults(Unit &U) {
  return launch(U.kernel("bad_write"), config(1, 1)) == XCC_SUCCESS &&
         xcc_device_synchronize(-1) == XCC_ERROR_LAUNCH_FAILED;
}

TEST(FailureDeathTest, LaterHandlersComeBeneath) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Unit U;
        bool Good = kernelFaults(U);
        // Not linked by xcc, so that it replaces ours.
        signal(SIGSEGV, [](int) { _exit(7); });
        xcc::rt::cpu::NextLook = 0;
        if (Good && kernelFaults(U))
          badWrite();
      },
      testing::ExitedWithCode(7), "");
}

TEST(FailureDeathTest, AHandlerThatPutsOursBackIsNotCalledAgain) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static struct sigaction Before;
        signal(SIGSEGV, [](int) { _exit(8); });
        Unit U;
        bool Good = kernelFaults(U);
        struct sigaction Later = {};
        Later.sa_handler = [](int) { sigaction(SIGSEGV, &Before, nullptr); };
        sigaction(SIGSEGV, &Later, &Before);
        xcc::rt::cpu::NextLook = 0;
        if (Good && kernelFaults(U))
          badWrite();
      },
      testing::ExitedWithCode(8), "");
}
#endif
