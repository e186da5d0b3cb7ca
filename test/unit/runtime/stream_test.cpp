// Streams, events and copies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace xcc::test;

TEST(Stream, RunAtTheSameTime) {
  // Each stream's kernel waits for a flag that only the host sets after it saw
  // the other stream's work end.
  Unit U;
  xcc::stream A, B;
  uint32_t Flag = 0, Counter = 0, *FlagP = &Flag, *CounterP = &Counter;
  ASSERT_EQ(launch(U.kernel("wait_for", 8), config(1, 1, A.handle()), FlagP),
            XCC_SUCCESS);
  ASSERT_EQ(launch(U.kernel("count", 8), config(10, 1, B.handle()), CounterP),
            XCC_SUCCESS);
  B.synchronize();
  EXPECT_EQ(Counter, 10u);
  EXPECT_FALSE(A.idle());
  __atomic_store_n(&Flag, 1, __ATOMIC_RELEASE);
  A.synchronize();
  EXPECT_TRUE(A.idle());
}

TEST(Stream, Move) {
  xcc::stream A, B;
  xcc_stream *Handle = A.handle();
  B = std::move(A);
  EXPECT_EQ(B.handle(), Handle);
  xcc::stream C(std::move(B));
  EXPECT_EQ(C.handle(), Handle);
  C.synchronize();
}

TEST(Event, OrdersStreams) {
  Unit U;
  xcc_kernel_info &Append = U.kernel("append", 16);
  struct {
    uint32_t *List;
    uint32_t Value;
  } Args;
  std::vector<uint32_t> List(2001);
  xcc::stream A, B;
  xcc::event AtA, AtB;
  for (uint32_t I = 0; I != 1000; ++I) {
    Args = {List.data(), 2 * I};
    A.wait(AtB);
    ASSERT_EQ(launch(Append, config(1, 1, A.handle()), Args), XCC_SUCCESS);
    AtA.record(A);
    B.wait(AtA);
    Args.Value = 2 * I + 1;
    ASSERT_EQ(launch(Append, config(1, 1, B.handle()), Args), XCC_SUCCESS);
    AtB.record(B);
  }
  AtB.synchronize();
  ASSERT_EQ(List[0], 2000u);
  for (uint32_t I = 0; I != 2000; ++I)
    ASSERT_EQ(List[I + 1], I);
}

TEST(Event, BlocksUntilRecorded) {
  Unit U;
  uint32_t Flag = 0, Counter = 0, *FlagP = &Flag, *CounterP = &Counter;
  xcc::stream A, B;
  xcc::event E;
  ASSERT_EQ(launch(U.kernel("wait_for", 8), config(1, 1, A.handle()), FlagP),
            XCC_SUCCESS);
  E.record(A);
  B.wait(E);
  ASSERT_EQ(launch(U.kernel("count", 8), config(10, 1, B.handle()), CounterP),
            XCC_SUCCESS);
  EXPECT_FALSE(E.reached());
  EXPECT_FALSE(B.idle());
  __atomic_store_n(&Flag, 1, __ATOMIC_RELEASE);
  B.synchronize();
  EXPECT_EQ(Counter, 10u);
  EXPECT_TRUE(E.reached());
}

TEST(Event, SynchroniseReportsTheStreamsFailure) {
  Unit U;
  xcc::stream S;
  xcc::event E;
  ASSERT_EQ(launch(U.kernel("bad_write"), config(1, 1, S.handle())),
            XCC_SUCCESS);
  E.record(S);
  EXPECT_THROW(E.synchronize(), xcc::error);
  E.synchronize();
}

TEST(Event, Elapsed) {
  xcc::event A, B;
  double Time = -1;
  EXPECT_EQ(xcc_event_elapsed(A.handle(), B.handle(), &Time),
            XCC_ERROR_INVALID_VALUE);
  A.record();
  B.record();
  EXPECT_GE(B.since(A), 0.0);
}

TEST(Event, NeverRecordedHoldsNothingUp) {
  xcc::stream S;
  xcc::event E;
  S.wait(E);
  S.synchronize();
  E.synchronize();
  EXPECT_TRUE(E.reached());
}

TEST(Event, ManyDestroyedWhilePending) {
  Unit U;
  uint32_t Flag = 0, *FlagP = &Flag;
  xcc::stream A, B;
  ASSERT_EQ(launch(U.kernel("wait_for", 8), config(1, 1, A.handle()), FlagP),
            XCC_SUCCESS);
  for (int I = 0; I != 100; ++I) {
    xcc::event E;
    E.record(A);
    B.wait(E);
  }
  __atomic_store_n(&Flag, 1, __ATOMIC_RELEASE);
  B.synchronize();
}

TEST(Memory, CopiesOfEverySize) {
  for (size_t Size : {1ul, 63ul, 4096ul, 262144ul, 262145ul, 3000001ul}) {
    std::vector<unsigned char> From(Size), To(Size);
    std::iota(From.begin(), From.end(), 1);
    xcc::buffer<unsigned char> B(Size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(B.data()) % 64, 0u);
    B.copy_from(From.data(), Size);
    B.copy_to(To.data(), Size);
    EXPECT_EQ(From, To);
    B.fill(7);
    B.copy_to(To.data(), Size);
    EXPECT_EQ(To, std::vector<unsigned char>(Size, 7));
  }
}

TEST(Memory, OverlappingCopy) {
  std::vector<uint32_t> Data(500000);
  std::iota(Data.begin(), Data.end(), 0u);
  ASSERT_EQ(xcc_copy(&Data[1], &Data[0], (Data.size() - 1) * 4), XCC_SUCCESS);
  for (uint32_t I = 1; I != Data.size(); ++I)
    ASSERT_EQ(Data[I], I - 1);
}

TEST(Memory, CopiesWaitForAllStreams) {
  Unit U;
  xcc::buffer<uint32_t> B(1 << 16);
  B.fill(0);
  xcc::stream S;
  uint32_t *Pointer = B.data();
  for (int I = 0; I != 10; ++I)
    ASSERT_EQ(launch(U.kernel("increment", 8), config(1 << 14, 4, S.handle()),
                     Pointer),
              XCC_SUCCESS);
  std::vector<uint32_t> Out(B.size());
  B.copy_to(Out.data(), Out.size());
  EXPECT_EQ(Out, std::vector<uint32_t>(B.size(), 10));
}

TEST(Memory, AsynchronousCopiesKeepOrder) {
  Unit U;
  xcc::stream S;
  std::vector<uint32_t> In(1 << 18, 5), Out(1 << 18);
  xcc::buffer<uint32_t> B(In.size());
  size_t Bytes = In.size() * 4;
  uint32_t *Pointer = B.data();
  ASSERT_EQ(xcc_copy_async(B.data(), In.data(), Bytes, S.handle()),
            XCC_SUCCESS);
  ASSERT_EQ(
      launch(U.kernel("increment", 8), config(1 << 16, 4, S.handle()), Pointer),
      XCC_SUCCESS);
  ASSERT_EQ(xcc_copy_async(Out.data(), B.data(), Bytes, S.handle()),
            XCC_SUCCESS);
  ASSERT_EQ(xcc_fill_async(B.data(), 0, Bytes, S.handle()), XCC_SUCCESS);
  S.synchronize();
  EXPECT_EQ(Out, std::vector<uint32_t>(In.size(), 6));
}

TEST(Memory, BadRangesAreErrors) {
  xcc::buffer<uint32_t> B(100);
  std::vector<uint32_t> Host(200);
  EXPECT_EQ(xcc_copy(B.data(), Host.data(), 404), XCC_ERROR_INVALID_VALUE);
  EXPECT_NE(strstr(xcc_last_error(), "past the end of an allocation of 400"),
            nullptr);
  EXPECT_EQ(xcc_copy(nullptr, Host.data(), 4), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_copy(B.data(), nullptr, 4), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_fill(B.data() + 99, 0, 8), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_copy(nullptr, nullptr, 0), XCC_SUCCESS);
  EXPECT_EQ(xcc_free(Host.data()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_free(nullptr), XCC_SUCCESS);
}

TEST(Memory, RunsOut) {
  void *Pointer = &Pointer;
  EXPECT_EQ(xcc_alloc(SIZE_MAX / 2, &Pointer), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Pointer, nullptr);
  EXPECT_THROW(xcc::buffer<double>(SIZE_MAX / 4), xcc::error);
}
