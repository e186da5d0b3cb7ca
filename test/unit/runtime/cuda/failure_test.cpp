// What is said when CUDA fails
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

using namespace xcc::test;
using namespace xcc::rt::cuda;

static xcc_launch_config at(uint32_t line, xcc_stream *s = nullptr) {
  return {{2, 3, 4}, {32, 1, 1}, 0, s, "saxpy.cpp", line};
}

/// The calling thread's last failure: kernel, file, line and device.
static void expectSite(const char *kernel, const char *file, uint32_t line) {
  xcc_error *e = xcc_error_capture();
  EXPECT_STREQ(xcc_error_kernel(e), kernel);
  EXPECT_STREQ(xcc_error_file(e), file);
  EXPECT_EQ(xcc_error_line(e), line);
  EXPECT_EQ(xcc_error_device(e), 0);
  xcc_error_release(e);
}

/// Codes that end the context, as the API reference says.
static const int Faults[] = {214, 220, 700, 702, 709, 710,
                             714, 715, 716, 717, 718, 719};

TEST(CudaFailure, EveryCodeAtALaunch) {
  // All but success; whatever it is, kernel, place and device are named.
  CudaUnit u;
  ASSERT_EQ(launch(u.kernel("nothing"), at(1)), XCC_SUCCESS);
  for (int code : {1, 2, 46, 100, 200, 209, 300, 304, 401, 500, 701, 703, 720,
                   800, 801, 900, 999, 12345}) {
    mock::fail("cuLaunchKernel", 1, code);
    EXPECT_NE(launch(u.kernel("nothing"), at(7)), XCC_SUCCESS) << code;
    EXPECT_SAYS("launch of 'nothing' (saxpy.cpp:7) failed on device 0 "
                "(cuda:0): ");
    expectSite("nothing", "saxpy.cpp", 7);
  }
  EXPECT_EQ(launch(u.kernel("nothing"), at(8)), XCC_SUCCESS);
}

TEST(CudaFailure, TooManyRegisters) {
  CudaUnit u;
  // Two causes have one code.
  mock::fail("cuLaunchKernel", 1, LaunchOutOfResources);
  EXPECT_EQ(launch(u.kernel("nothing"), at(7)), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS(
      "(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES); either a block of 32 threads "
      "needs more registers than there are: launch fewer threads in a block "
      "(xcc_kernel_suggest_block); or the kernel takes arguments of another "
      "size than the 0 bytes of this launch");
  mock::setAttributes(0, 0, 16);
  mock::fail("cuLaunchKernel", 1, LaunchOutOfResources);
  EXPECT_EQ(launch(u.kernel("nothing"), at(7)), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("; a block of 32 threads needs more registers than there are, "
              "and one of 16 does not: launch fewer threads");
  EXPECT_EQ(launch(u.kernel("nothing"), at(7)), XCC_SUCCESS);
}

/// A fault of one kernel, found by a wait.
static void faultOf(int code) {
  CudaUnit u;
  xcc::stream s;
  ASSERT_EQ(launch(u.kernel("nothing"), at(3, s.handle())), XCC_SUCCESS);
  s.synchronize();
  struct {
    char bytes[16];
  } args{};
  ASSERT_EQ(launch(u.kernel("fill", 16), at(5, s.handle()), args), XCC_SUCCESS);
  mock::fault(code);
  EXPECT_EQ(xcc_stream_synchronize(s.handle()), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("kernel 'fill' launched at saxpy.cpp:5 failed on device 0 "
              "(cuda:0): ");
  EXPECT_SAYS("; a grid of (2, 3, 4) with blocks of (32, 1, 1)");
  expectSite("fill", "saxpy.cpp", 5);
}

TEST(CudaFailure, DISABLED_Fault) { faultOf(atoi(getenv("FAULT"))); }

TEST(CudaFailure, EveryFaultNamesItsKernel) {
  for (int code : Faults)
    runTest("CudaFailure.DISABLED_Fault", "FAULT=" + std::to_string(code));
}

TEST(CudaFailure, TheDeviceIsUnusableAfterwards) {
  faultOf(IllegalAddress);
  EXPECT_SAYS("an illegal memory access was encountered "
              "(CUDA_ERROR_ILLEGAL_ADDRESS)");
  const char *unusable =
      "device 0 (cuda:0) is unusable since a kernel failed there: kernel "
      "'fill' "
      "launched at saxpy.cpp:5 failed on device 0 (cuda:0): an illegal memory "
      "access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS); a grid of (2, 3, "
      "4) with blocks of (32, 1, 1); restart the program";
  CudaUnit u;
  EXPECT_NE(launch(u.kernel("nothing"), at(9)), XCC_SUCCESS);
  EXPECT_SAYS(unusable);
  EXPECT_NE(xcc_device_synchronize(-1), XCC_SUCCESS);
  EXPECT_SAYS(unusable);
  EXPECT_NE(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_SAYS(unusable);
  EXPECT_NE(xcc_stream_query(nullptr), XCC_SUCCESS);
  EXPECT_SAYS(unusable);
  void *p = nullptr;
  EXPECT_NE(xcc_memory_alloc(16, &p), XCC_SUCCESS);
  EXPECT_SAYS(unusable);
  int a = 0, b = 0;
  EXPECT_NE(xcc_memory_copy(&a, &b, 4), XCC_SUCCESS);
  EXPECT_SAYS(unusable);
  // The host goes on.
  xcc::device::get(1).set_current();
  EXPECT_EQ(xcc_memory_copy(&a, &b, 4), XCC_SUCCESS);
}

TEST(CudaFailure, LaunchAfterAFault) {
  CudaUnit u;
  ASSERT_EQ(launch(u.kernel("nothing"), at(3)), XCC_SUCCESS);
  mock::fault(IllegalAddress);
  EXPECT_EQ(launch(u.kernel("nothing"), at(4)), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("launch of 'nothing' (saxpy.cpp:4) was refused: kernel 'nothing' "
              "launched at saxpy.cpp:3 failed");
}

TEST(CudaFailure, SeveralThatMayHaveDoneIt) {
  CudaUnit u;
  xcc::stream a, b;
  for (uint32_t i = 0; i != 6; ++i)
    ASSERT_EQ(launch(u.kernel("nothing"), at(10 + i, (i % 2 ? a : b).handle())),
              XCC_SUCCESS);
  mock::fault(LaunchFailed);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("a kernel failed on device 0 (cuda:0): ");
  const char *shape = ", a grid of (2, 3, 4) with blocks of (32, 1, 1))";
  std::string launches;
  for (int line : {15, 14, 13, 12})
    launches = launches + (launches.empty() ? "" : ",") +
               " 'nothing' (saxpy.cpp:" + std::to_string(line) + shape;
  launches = "; one of these launches, the latest first:" + launches +
             " and 2 before them; CUDA_LAUNCH_BLOCKING=1 shows which";
  EXPECT_SAYS(launches.c_str());
  expectSite("", "", 0);
}

TEST(CudaFailure, MoreThanAreRemembered) {
  CudaUnit u;
  for (uint32_t i = 0; i != 1000; ++i)
    ASSERT_EQ(launch(u.kernel("nothing"), at(i)), XCC_SUCCESS);
  mock::fault(LaunchFailed);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("'nothing' (saxpy.cpp:999, a grid");
  EXPECT_SAYS("and 996 before them");
}

TEST(CudaFailure, AnEventNarrowsItDown) {
  CudaUnit u;
  xcc::event e;
  ASSERT_EQ(launch(u.kernel("nothing"), at(1)), XCC_SUCCESS);
  e.record();
  ASSERT_EQ(launch(u.kernel("nothing"), at(2)), XCC_SUCCESS);
  e.synchronize();
  mock::fault(IllegalAddress);
  EXPECT_THROW(e.synchronize(), xcc::error);
  EXPECT_SAYS("kernel 'nothing' launched at saxpy.cpp:2 failed");
}

TEST(CudaFailure, AQueryFindsIt) {
  CudaUnit u;
  ASSERT_EQ(launch(u.kernel("nothing"), at(1)), XCC_SUCCESS);
  mock::fault(IllegalAddress);
  EXPECT_EQ(xcc_stream_query(nullptr), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("kernel 'nothing' launched at saxpy.cpp:1 failed");
}

TEST(CudaFailure, OtherCalls) {
  // Each call, when the driver refuses it, is an error that names the device.
  CudaUnit u;
  xcc::stream s;
  xcc::event e, f;
  e.record(s);
  f.record(s);
  xcc::buffer<int> b(4);
  int host[4] = {};
  void *p = nullptr;
  xcc_stream *newStream;
  xcc_event *newEvent;
  double time;
  uint32_t block;
  auto attempt = [](const char *function, auto call) {
    mock::fail(function, 1, 999);
    EXPECT_NE(call(), XCC_SUCCESS) << function;
    EXPECT_TRUE(says("device 0 (cuda:0", xcc_error_last())) << function;
    EXPECT_TRUE(says("(CUDA error 999)", xcc_error_last())) << function;
  };
  attempt("cuStreamCreate", [&] { return xcc_stream_create(&newStream); });
  attempt("cuEventCreate", [&] { return xcc_event_create(&newEvent); });
  attempt("cuEventRecord",
          [&] { return xcc_event_record(e.handle(), s.handle()); });
  attempt("cuStreamWaitEvent",
          [&] { return xcc_stream_wait_event(nullptr, e.handle()); });
  attempt("cuEventElapsedTime",
          [&] { return xcc_event_elapsed(e.handle(), f.handle(), &time); });
  attempt("cuEventSynchronize",
          [&] { return xcc_event_synchronize(e.handle()); });
  attempt("cuStreamSynchronize",
          [&] { return xcc_stream_synchronize(s.handle()); });
  attempt("cuStreamQuery", [&] { return xcc_stream_query(s.handle()); });
  attempt("cuMemAlloc_v2", [&] { return xcc_memory_alloc(4, &p); });
  attempt("cuMemHostAlloc", [&] { return xcc_memory_alloc_host(4, &p); });
  attempt("cuMemAllocAsync",
          [&] { return xcc_memory_alloc_async(4, nullptr, &p); });
  attempt("cuMemcpyAsync", [&] { return xcc_memory_copy(b.data(), host, 4); });
  attempt("cuMemsetD8Async", [&] { return xcc_memory_fill(b.data(), 0, 4); });
  attempt("cuLaunchHostFunc", [&] { return xcc_memory_fill(host, 0, 4); });
  attempt("cuModuleLoadDataEx",
          [&] { return xcc_kernel_prepare(&u.kernel("nothing"), nullptr); });
  attempt("cuModuleGetFunction",
          [&] { return xcc_kernel_prepare(&u.kernel("nothing"), nullptr); });
  attempt("cuFuncGetAttribute",
          [&] { return xcc_kernel_prepare(&u.kernel("nothing"), nullptr); });
  attempt("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    return xcc_kernel_suggest_block(&u.kernel("nothing"), 0, &block);
  });
  xcc_launch_config c = at(1);
  c.shared_bytes = 100 * 1024;
  attempt("cuFuncSetAttribute", [&] { return launch(u.kernel("nothing"), c); });
}

TEST(CudaFailure, AContextThatIsRefused) {
  CudaUnit u;
  mock::fail("cuDevicePrimaryCtxRetain", 1, DeviceUnavailable);
  EXPECT_NE(launch(u.kernel("nothing"), at(1)), XCC_SUCCESS);
  EXPECT_SAYS("device 0 (cuda:0) cannot be used: ");
  EXPECT_SAYS("another process uses it exclusively");
  EXPECT_EQ(launch(u.kernel("nothing"), at(1)), XCC_SUCCESS);
}

//===----------------------------------------------------------------------===//
// Images that the driver refuses
//===----------------------------------------------------------------------===//

static xcc_status loadWith(int code, uint16_t kind) {
  CudaUnit u(cudaImage("sm_90", kind));
  mock::fail("cuModuleLoadDataEx", 1, code);
  return xcc_kernel_prepare(&u.kernel("nothing"), nullptr);
}

TEST(CudaFailure, Images) {
  EXPECT_EQ(loadWith(UnsupportedPtxVersion, Ptx), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("the sm_90 image (PTX) cannot be loaded on device 0 (cuda:0, "
              "sm_90): ");
  EXPECT_SAYS("the driver supports CUDA 13.0: install a newer driver, or "
              "rebuild with --offload-arch=sm_90");
  EXPECT_EQ(loadWith(NoBinaryForGpu, Cubin), XCC_ERROR_NO_IMAGE);
  EXPECT_SAYS("the sm_90 image (cubin) cannot be loaded");
  EXPECT_SAYS("; rebuild with --offload-arch=sm_90");
  EXPECT_EQ(loadWith(JitCompilerNotFound, Ptx), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("libnvidia-ptxjitcompiler.so");
  EXPECT_EQ(loadWith(JitCompilationDisabled, Ptx), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("CUDA_DISABLE_PTX_JIT");
  EXPECT_EQ(loadWith(OutOfMemory, Cubin), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_SAYS("free some device memory");
  EXPECT_EQ(loadWith(InvalidImage, Cubin), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("rebuild the program");
}

TEST(CudaFailure, TheCompilersWords) {
  CudaUnit u(cudaImage("sm_90", Ptx, "#error line 3; Unknown symbol 'f'"));
  EXPECT_EQ(xcc_kernel_prepare(&u.kernel("nothing"), nullptr),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS(
      "(CUDA_ERROR_INVALID_PTX); the driver's compiler refuses the PTX");
  EXPECT_SAYS("the driver says: line 3; Unknown symbol 'f'");
}

//===----------------------------------------------------------------------===//
// The process's end
//===----------------------------------------------------------------------===//

TEST(CudaFailure, DISABLED_LeavesAFault) {
  static CudaUnit u; // unloads after the runtime has ended
  static xcc::buffer<int> b(4);
  ASSERT_EQ(launch(u.kernel("nothing"), at(6)), XCC_SUCCESS);
  if (getenv("FAULT"))
    mock::fault(IllegalAddress);
  if (getenv("GONE")) // before our own handler runs
    (void)xcc_stream_query(nullptr);
  if (getenv("TOLD"))
    EXPECT_NE(xcc_device_synchronize(-1), XCC_SUCCESS);
}

TEST(CudaFailure, AtTheEnd) {
  std::string test = "CudaFailure.DISABLED_LeavesAFault";
  std::string words = "nothing synchronised with it: kernel 'nothing' "
                      "launched at saxpy.cpp:6";
  EXPECT_FALSE(says("warning", runTest(test, "A=1")));
  EXPECT_TRUE(says(words, runTest(test, "FAULT=1")));
  EXPECT_FALSE(says("warning", runTest(test, "FAULT=1 TOLD=1")));
}

TEST(CudaFailure, DriverGoneAtTheEnd) {
  // Everything after exit's handlers finds the driver taken down.
  std::string out = runTest("CudaFailure.DISABLED_LeavesAFault",
                            "MOCK_CUDA_FAIL=cuStreamSynchronize:1:4");
  EXPECT_FALSE(says("warning", out));
  out = runTest("CudaFailure.DISABLED_LeavesAFault",
                "GONE=1 MOCK_CUDA_FAIL=cuStreamQuery:1:4");
  EXPECT_FALSE(says("warning", out));
}
