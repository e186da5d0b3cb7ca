// Streams and events of CUDA devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <chrono>
#include <thread>

using namespace xcc::test;
using namespace xcc::rt::cuda;

TEST(CudaStream, AreNonBlockingAndRecycled) {
  CudaUnit u;
  for (int i = 0; i != 5; ++i) {
    xcc::stream s;
    ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1, s.handle())),
              XCC_SUCCESS);
    s.synchronize();
    EXPECT_TRUE(s.query());
  }
  EXPECT_TRUE(says("cuStreamCreate(1)", mock::calls()));
  EXPECT_EQ(mock::count("cuStreamCreate"), 1u);
}

TEST(CudaStream, Priorities) {
  CudaUnit u;
  const auto device = xcc::device::current();
  EXPECT_EQ(device.least_priority(), 0);
  EXPECT_EQ(device.greatest_priority(), -5);
  for (int i = 0; i != 3; ++i) {
    xcc::stream urgent(-3), usual(0);
  }
  // A stream has the driver's of its own priority.
  EXPECT_TRUE(says("cuStreamCreateWithPriority(1, &)", mock::calls()));
  EXPECT_EQ(mock::count("cuStreamCreateWithPriority"), 1u);
  EXPECT_EQ(mock::count("cuStreamCreate"), 1u);
  EXPECT_THROW(xcc::stream(-6), xcc::error);
  EXPECT_SAYS(
      "device 0 (cuda:0) has no streams of priority -6; the most urgent "
      "is -5, the least 0");
}

TEST(CudaStream, Query) {
  CudaUnit u;
  xcc::stream s;
  mock::fail("cuStreamQuery", 1, NotReady);
  EXPECT_FALSE(s.query());
  EXPECT_TRUE(s.query());
}

TEST(CudaStream, TellsOfACooperativeKernelThatDoesNotEnd) {
  setenv("XCC_NOTICE_AFTER", "0", 1);
  CudaUnit u;
  xcc::stream s;
  xcc_launch_config c = config(2, 32, s.handle());
  c.flags = XCC_LAUNCH_COOPERATIVE;
  ASSERT_EQ(launch(u.kernel("nothing"), c), XCC_SUCCESS) << xcc_error_last();
  for (int i = 1; i != 4; ++i)
    mock::fail("cuStreamQuery", i, NotReady);
  testing::internal::CaptureStderr();
  s.synchronize();
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(says("kernel 'nothing' launched at test.cpp:7 (a grid of (2, 1, "
                   "1) with blocks of (32, 1, 1)) has not ended on device 0 "
                   "(cuda:0) after 0 s",
                   said))
      << said;
  EXPECT_EQ(said.find("has not ended"), said.rfind("has not ended")) << said;
  // Of others nothing can be said, and the driver waits.
  mock::clear();
  ASSERT_EQ(launch(u.kernel("nothing"), config(2, 32, s.handle())),
            XCC_SUCCESS);
  s.synchronize();
  EXPECT_EQ(mock::count("cuStreamQuery"), 0u);
  EXPECT_EQ(mock::count("cuStreamSynchronize"), 1u);
}

TEST(CudaStream, BelongsToItsDevice) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  xcc::device::get(1).set_current();
  xcc::stream s;
  xcc::device::get(0).set_current();
  ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1, s.handle())), XCC_SUCCESS)
      << xcc_error_last();
  EXPECT_TRUE(says("cuDevicePrimaryCtxRetain(1)", mock::calls()));
  EXPECT_FALSE(says("cuDevicePrimaryCtxRetain(0)", mock::calls()));
  xcc::event e; // of device 0
  EXPECT_EQ(xcc_event_record(e.handle(), s.handle()), XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("the event belongs to device 0 (cuda:0), the stream to device 1 "
              "(cuda:1)");
}

TEST(CudaEvent, OrdersStreamsAndTellsTime) {
  CudaUnit u;
  xcc::stream a, b;
  xcc::event from, to;
  b.wait(from); // never recorded
  EXPECT_TRUE(from.query());
  from.synchronize();
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 0u);
  from.record(a);
  a.wait(from); // in order anyway
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 0u);
  b.wait(from);
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 1u);
  mock::fail("cuEventQuery", 1, NotReady);
  EXPECT_FALSE(from.query());
  EXPECT_TRUE(from.query());
  to.record(b);
  EXPECT_GE(from.elapsed<std::chrono::microseconds>(to).count(), 0);
  EXPECT_EQ(mock::count("cuEventElapsedTime"), 1u);
  EXPECT_TRUE(says("cuEventCreate(0)", mock::calls())); // with timing
}

TEST(CudaEvent, LeavesTheErrorOfAnotherStream) {
  CudaUnit u;
  xcc::event old, fresh;
  {
    xcc::stream gone;
    old.record(gone);
  }
  xcc::stream s; // in the same queue
  fresh.record(s);
  EXPECT_EQ(mock::count("cuStreamCreate"), 1u);
  mock::fail("cuEventQuery", 1, OutOfMemory);
  EXPECT_TRUE(fresh.query());
  EXPECT_EQ(xcc_event_synchronize(old.handle()), XCC_SUCCESS);
  EXPECT_EQ(xcc_stream_synchronize(s.handle()), XCC_ERROR_OUT_OF_MEMORY);
}

TEST(CudaEvent, FromAThreadWithoutAContext) {
  CudaUnit u;
  xcc::event e;
  e.record();
  std::thread([&] { EXPECT_TRUE(e.query()); }).join();
  std::thread([&] { EXPECT_EQ(xcc_event_synchronize(e.handle()), 0); }).join();
  auto own = std::make_unique<xcc::event>();
  std::thread([&] { own.reset(); }).join();
}

TEST(CudaEvent, AcrossDevices) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  xcc::stream a;
  xcc::event e;
  e.record(a);
  xcc::device::get(1).set_current();
  xcc::stream b;
  b.wait(e);
  EXPECT_EQ(mock::count("cuStreamWaitEvent"), 1u);
  xcc::event f;
  f.record(b);
  double time;
  EXPECT_EQ(xcc_event_elapsed(e.handle(), f.handle(), &time),
            XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("clocks do not agree");
  // A stream of another kind: this thread waits.
  xcc::device::get(2).set_current();
  xcc::stream host;
  host.wait(e);
  EXPECT_EQ(mock::count("cuEventSynchronize"), 1u);
}

TEST(CudaEvent, DestroyedWithTheirDeviceInUse) {
  CudaUnit u;
  xcc::stream s;
  for (int i = 0; i != 10; ++i) {
    xcc::event e;
    e.record(s);
  }
  EXPECT_EQ(mock::count("cuEventDestroy_v2"), 10u);
}
