// Streams and events of CUDA devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <thread>

using namespace xcc::test;
using namespace xcc::rt::cuda;

TEST(CudaStream, AreNonBlockingAndRecycled) {
  CudaUnit U;
  for (int I = 0; I != 5; ++I) {
    xcc::stream S;
    ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1, S.handle())),
              XCC_SUCCESS);
    S.synchronize();
    EXPECT_TRUE(S.idle());
  }
  EXPECT_TRUE(says("cuStreamCreate(1)", mock::calls()));
  EXPECT_EQ(mock::count("cuStreamCreate"), 1u);
}

TEST(CudaStream, Query) {
  CudaUnit U;
  xcc::stream S;
  mock::fail("cuStreamQuery", 1, NotReady);
  EXPECT_FALSE(S.idle());
  EXPECT_TRUE(S.idle());
}

TEST(CudaStream, BelongsToItsDevice) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit U;
  xcc::device::get(1).set_current();
  xcc::stream S;
  xcc::device::get(0).set_current();
  ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1, S.handle())), XCC_SUCCESS)
      << xcc_last_error();
  EXPECT_TRUE(says("cuDevicePrimaryCtxRetain(1)", mock::calls()));
  EXPECT_FALSE(says("cuDevicePrimaryCtxRetain(0)", mock::calls()));
  xcc::event E; // of device 0
  EXPECT_EQ(xcc_event_record(E.handle(), S.handle()), XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("the event belongs to device 0 (cuda:0), the stream to device 1 "
              "(cuda:1)");
}

TEST(CudaEvent, OrdersStreamsAndTellsTime) {
  CudaUnit U;
  xcc::stream A, B;
  xcc::event From, To;
  B.wait(From); // never recorded
  EXPECT_TRUE(From.reached());
  From.synchronize();
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 0u);
  From.record(A);
  A.wait(From); // in order anyway
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 0u);
  B.wait(From);
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 1u);
  mock::fail("cuEventQuery", 1, NotReady);
  EXPECT_FALSE(From.reached());
  EXPECT_TRUE(From.reached());
  To.record(B);
  EXPECT_GE(To.since(From), 0.0);
  EXPECT_EQ(mock::count("cuEventElapsedTime"), 1u);
  EXPECT_TRUE(says("cuEventCreate(0)", mock::calls())); // with timing
}

TEST(CudaEvent, LeavesTheErrorOfAnotherStream) {
  CudaUnit U;
  xcc::event Old, New;
  {
    xcc::stream Gone;
    Old.record(Gone);
  }
  xcc::stream S; // in the same queue
  New.record(S);
  EXPECT_EQ(mock::count("cuStreamCreate"), 1u);
  mock::fail("cuEventQuery", 1, OutOfMemory);
  EXPECT_TRUE(New.reached());
  EXPECT_EQ(xcc_event_synchronize(Old.handle()), XCC_SUCCESS);
  EXPECT_EQ(xcc_stream_synchronize(S.handle()), XCC_ERROR_OUT_OF_MEMORY);
}

TEST(CudaEvent, FromAThreadWithoutAContext) {
  CudaUnit U;
  xcc::event E;
  E.record();
  std::thread([&] { EXPECT_TRUE(E.reached()); }).join();
  std::thread([&] { EXPECT_EQ(xcc_event_synchronize(E.handle()), 0); }).join();
  auto Own = std::make_unique<xcc::event>();
  std::thread([&] { Own.reset(); }).join();
}

TEST(CudaEvent, AcrossDevices) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit U;
  xcc::stream A;
  xcc::event E;
  E.record(A);
  xcc::device::get(1).set_current();
  xcc::stream B;
  B.wait(E);
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 1u);
  xcc::event F;
  F.record(B);
  double Time;
  EXPECT_EQ(xcc_event_elapsed(E.handle(), F.handle(), &Time),
            XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("clocks do not agree");
  // A stream of another kind: this thread waits.
  xcc::device::get(2).set_current();
  xcc::stream Host;
  Host.wait(E);
  EXPECT_EQ(mock::count("cuEventSynchronize"), 1u);
}

TEST(CudaEvent, DestroyedWithTheirDeviceInUse) {
  CudaUnit U;
  xcc::stream S;
  for (int I = 0; I != 10; ++I) {
    xcc::event E;
    E.record(S);
  }
  EXPECT_EQ(mock::count("cuEventDestroy_v2"), 10u);
}
