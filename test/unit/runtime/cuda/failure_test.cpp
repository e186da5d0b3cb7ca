// What is said when CUDA fails
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

using namespace xcc::test;
using namespace xcc::rt::cuda;

static xcc_launch_config at(uint32_t Line, xcc_stream *S = nullptr) {
  return {{2, 3, 4}, {32, 1, 1}, 0, S, "saxpy.cpp", Line};
}

/// The calling thread's last failure: kernel, file, line and device.
static void expectSite(const char *Kernel, const char *File, uint32_t Line) {
  xcc_error *E = xcc_error_capture();
  EXPECT_STREQ(xcc_error_kernel(E), Kernel);
  EXPECT_STREQ(xcc_error_file(E), File);
  EXPECT_EQ(xcc_error_line(E), Line);
  EXPECT_EQ(xcc_error_device(E), 0);
  xcc_error_release(E);
}

/// Codes that end the context, as the API reference says.
static const int Faults[] = {214, 220, 700, 702, 709, 710,
                             714, 715, 716, 717, 718, 719};

TEST(CudaFailure, EveryCodeAtALaunch) {
  // All but success; whatever it is, kernel, place and device are named.
  CudaUnit U;
  ASSERT_EQ(launch(U.kernel("nothing"), at(1)), XCC_SUCCESS);
  for (int Code : {1, 2, 46, 100, 200, 209, 300, 304, 401, 500, 701, 703, 720,
                   800, 801, 900, 999, 12345}) {
    mock::fail("cuLaunchKernel", 1, Code);
    EXPECT_NE(launch(U.kernel("nothing"), at(7)), XCC_SUCCESS) << Code;
    EXPECT_SAYS("launch of 'nothing' (saxpy.cpp:7) failed on device 0 "
                "(cuda:0): ");
    expectSite("nothing", "saxpy.cpp", 7);
  }
  EXPECT_EQ(launch(U.kernel("nothing"), at(8)), XCC_SUCCESS);
}

TEST(CudaFailure, TooManyRegisters) {
  CudaUnit U;
  mock::fail("cuLaunchKernel", 1, LaunchOutOfResources);
  EXPECT_EQ(launch(U.kernel("nothing"), at(7)), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS(
      "(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES); a block of that size needs "
      "more registers than there are");
  EXPECT_EQ(launch(U.kernel("nothing"), at(7)), XCC_SUCCESS);
}

/// A fault of one kernel, found by a wait.
static void faultOf(int Code) {
  CudaUnit U;
  xcc::stream S;
  ASSERT_EQ(launch(U.kernel("nothing"), at(3, S.handle())), XCC_SUCCESS);
  S.synchronize();
  struct {
    char Bytes[16];
  } Args{};
  ASSERT_EQ(launch(U.kernel("fill", 16), at(5, S.handle()), Args), XCC_SUCCESS);
  mock::fault(Code);
  EXPECT_EQ(xcc_stream_synchronize(S.handle()), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("kernel 'fill' (saxpy.cpp:5) of a grid of (2, 3, 4) with blocks "
              "of (32, 1, 1) failed on device 0 (cuda:0): ");
  expectSite("fill", "saxpy.cpp", 5);
}

TEST(CudaFailure, DISABLED_Fault) { faultOf(atoi(getenv("FAULT"))); }

TEST(CudaFailure, EveryFaultNamesItsKernel) {
  for (int Code : Faults)
    runTest("CudaFailure.DISABLED_Fault", "FAULT=" + std::to_string(Code));
}

TEST(CudaFailure, TheDeviceIsUnusableAfterwards) {
  faultOf(IllegalAddress);
  EXPECT_SAYS("an illegal memory access was encountered "
              "(CUDA_ERROR_ILLEGAL_ADDRESS)");
  const char *Dead = "device 0 (cuda:0) is unusable since kernel 'fill' "
                     "(saxpy.cpp:5) of a grid of (2, 3, 4) with blocks of "
                     "(32, 1, 1) failed: an illegal memory access was "
                     "encountered (CUDA_ERROR_ILLEGAL_ADDRESS); restart the "
                     "program";
  CudaUnit U;
  EXPECT_NE(launch(U.kernel("nothing"), at(9)), XCC_SUCCESS);
  EXPECT_SAYS(Dead);
  EXPECT_NE(xcc_device_synchronize(-1), XCC_SUCCESS);
  EXPECT_SAYS(Dead);
  EXPECT_NE(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_SAYS(Dead);
  EXPECT_NE(xcc_stream_query(nullptr), XCC_SUCCESS);
  EXPECT_SAYS(Dead);
  void *P = nullptr;
  EXPECT_NE(xcc_alloc(16, &P), XCC_SUCCESS);
  EXPECT_SAYS(Dead);
  int A = 0, B = 0;
  EXPECT_NE(xcc_copy(&A, &B, 4), XCC_SUCCESS);
  EXPECT_SAYS(Dead);
  // The host goes on.
  xcc::device::get(1).set_current();
  EXPECT_EQ(xcc_copy(&A, &B, 4), XCC_SUCCESS);
}

TEST(CudaFailure, LaunchAfterAFault) {
  CudaUnit U;
  ASSERT_EQ(launch(U.kernel("nothing"), at(3)), XCC_SUCCESS);
  mock::fault(IllegalAddress);
  EXPECT_EQ(launch(U.kernel("nothing"), at(4)), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("launch of 'nothing' (saxpy.cpp:4) was refused: kernel 'nothing' "
              "(saxpy.cpp:3) of a grid");
}

TEST(CudaFailure, SeveralThatMayHaveDoneIt) {
  CudaUnit U;
  xcc::stream A, B;
  for (uint32_t I = 0; I != 6; ++I)
    ASSERT_EQ(launch(U.kernel("nothing"), at(10 + I, (I % 2 ? A : B).handle())),
              XCC_SUCCESS);
  mock::fault(LaunchFailed);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("one of these launches: 'nothing' (saxpy.cpp:15), 'nothing' "
              "(saxpy.cpp:14), 'nothing' (saxpy.cpp:13), 'nothing' "
              "(saxpy.cpp:12) and 2 before them (CUDA_LAUNCH_BLOCKING=1 tells "
              "which) failed on device 0 (cuda:0)");
  expectSite("", "", 0);
}

TEST(CudaFailure, MoreThanAreRemembered) {
  CudaUnit U;
  for (uint32_t I = 0; I != 1000; ++I)
    ASSERT_EQ(launch(U.kernel("nothing"), at(I)), XCC_SUCCESS);
  mock::fault(LaunchFailed);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("'nothing' (saxpy.cpp:999), ");
  EXPECT_SAYS("and 996 before them");
}

TEST(CudaFailure, AnEventNarrowsItDown) {
  CudaUnit U;
  xcc::event E;
  ASSERT_EQ(launch(U.kernel("nothing"), at(1)), XCC_SUCCESS);
  E.record();
  ASSERT_EQ(launch(U.kernel("nothing"), at(2)), XCC_SUCCESS);
  E.synchronize();
  mock::fault(IllegalAddress);
  EXPECT_THROW(E.synchronize(), xcc::error);
  EXPECT_SAYS("kernel 'nothing' (saxpy.cpp:2) of a grid");
}

TEST(CudaFailure, AQueryFindsIt) {
  CudaUnit U;
  ASSERT_EQ(launch(U.kernel("nothing"), at(1)), XCC_SUCCESS);
  mock::fault(IllegalAddress);
  EXPECT_EQ(xcc_stream_query(nullptr), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("kernel 'nothing' (saxpy.cpp:1)");
}

TEST(CudaFailure, OtherCalls) {
  // Each call, when the driver refuses it, is an error that names the device.
  CudaUnit U;
  xcc::stream S;
  xcc::event E, F;
  E.record(S);
  F.record(S);
  xcc::buffer<int> B(4);
  int Host[4] = {};
  void *P = nullptr;
  xcc_stream *NewStream;
  xcc_event *NewEvent;
  double Time;
  uint32_t Block;
  auto Try = [](const char *Function, auto Call) {
    mock::fail(Function, 1, 999);
    EXPECT_NE(Call(), XCC_SUCCESS) << Function;
    EXPECT_TRUE(says("device 0 (cuda:0", xcc_last_error())) << Function;
    EXPECT_TRUE(says("(CUDA error 999)", xcc_last_error())) << Function;
  };
  Try("cuStreamCreate", [&] { return xcc_stream_create(&NewStream); });
  Try("cuEventCreate", [&] { return xcc_event_create(&NewEvent); });
  Try("cuEventRecord",
      [&] { return xcc_event_record(E.handle(), S.handle()); });
  Try("cuStreamWaitEvent",
      [&] { return xcc_stream_wait_event(nullptr, E.handle()); });
  Try("cuEventElapsedTime",
      [&] { return xcc_event_elapsed(E.handle(), F.handle(), &Time); });
  Try("cuEventSynchronize", [&] { return xcc_event_synchronize(E.handle()); });
  Try("cuStreamSynchronize",
      [&] { return xcc_stream_synchronize(S.handle()); });
  Try("cuStreamQuery", [&] { return xcc_stream_query(S.handle()); });
  Try("cuMemAlloc_v2", [&] { return xcc_alloc(4, &P); });
  Try("cuMemHostAlloc", [&] { return xcc_alloc_host(4, &P); });
  Try("cuMemAllocAsync", [&] { return xcc_alloc_async(4, nullptr, &P); });
  Try("cuMemcpyAsync", [&] { return xcc_copy(B.data(), Host, 4); });
  Try("cuMemsetD8Async", [&] { return xcc_fill(B.data(), 0, 4); });
  Try("cuLaunchHostFunc", [&] { return xcc_fill(Host, 0, 4); });
  Try("cuModuleLoadDataEx",
      [&] { return xcc_kernel_prepare(&U.kernel("nothing"), nullptr); });
  Try("cuModuleGetFunction",
      [&] { return xcc_kernel_prepare(&U.kernel("nothing"), nullptr); });
  Try("cuFuncGetAttribute",
      [&] { return xcc_kernel_prepare(&U.kernel("nothing"), nullptr); });
  Try("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    return xcc_kernel_suggest_block(&U.kernel("nothing"), 0, &Block);
  });
  xcc_launch_config C = at(1);
  C.shared_bytes = 100 * 1024;
  Try("cuFuncSetAttribute", [&] { return launch(U.kernel("nothing"), C); });
}

TEST(CudaFailure, AContextThatIsRefused) {
  CudaUnit U;
  mock::fail("cuDevicePrimaryCtxRetain", 1, DeviceUnavailable);
  EXPECT_NE(launch(U.kernel("nothing"), at(1)), XCC_SUCCESS);
  EXPECT_SAYS("device 0 (cuda:0) cannot be used: ");
  EXPECT_SAYS("another process has it to itself");
  EXPECT_EQ(launch(U.kernel("nothing"), at(1)), XCC_SUCCESS);
}

//===----------------------------------------------------------------------===//
// Images that the driver refuses
//===----------------------------------------------------------------------===//

static xcc_status loadWith(int Code, uint16_t Kind) {
  CudaUnit U(cudaImage("sm_90", Kind));
  mock::fail("cuModuleLoadDataEx", 1, Code);
  return xcc_kernel_prepare(&U.kernel("nothing"), nullptr);
}

TEST(CudaFailure, Images) {
  EXPECT_EQ(loadWith(UnsupportedPtxVersion, Ptx), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("the sm_90 image (PTX) cannot be loaded on device 0 (cuda:0, "
              "sm_90): ");
  EXPECT_SAYS("the driver supports CUDA 13.0: install a newer driver, or "
              "rebuild with -offload-arch=sm_90");
  EXPECT_EQ(loadWith(NoBinaryForGpu, Cubin), XCC_ERROR_NO_IMAGE);
  EXPECT_SAYS("the sm_90 image (cubin) cannot be loaded");
  EXPECT_SAYS("; rebuild with -offload-arch=sm_90");
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
  CudaUnit U(cudaImage("sm_90", Ptx, "#error line 3; Unknown symbol 'f'"));
  EXPECT_EQ(xcc_kernel_prepare(&U.kernel("nothing"), nullptr),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS(
      "(CUDA_ERROR_INVALID_PTX); the driver's compiler refuses the PTX");
  EXPECT_SAYS("the driver says: line 3; Unknown symbol 'f'");
}

//===----------------------------------------------------------------------===//
// The process's end
//===----------------------------------------------------------------------===//

TEST(CudaFailure, DISABLED_LeavesAFault) {
  static CudaUnit U; // unloads after the runtime has ended
  static xcc::buffer<int> B(4);
  ASSERT_EQ(launch(U.kernel("nothing"), at(6)), XCC_SUCCESS);
  if (getenv("FAULT"))
    mock::fault(IllegalAddress);
  if (getenv("GONE")) // before our own handler runs
    (void)xcc_stream_query(nullptr);
  if (getenv("TOLD"))
    EXPECT_NE(xcc_device_synchronize(-1), XCC_SUCCESS);
}

TEST(CudaFailure, AtTheEnd) {
  std::string Test = "CudaFailure.DISABLED_LeavesAFault";
  std::string Words = "nothing synchronised with it: kernel 'nothing' "
                      "(saxpy.cpp:6)";
  EXPECT_FALSE(says("warning", runTest(Test, "A=1")));
  EXPECT_TRUE(says(Words, runTest(Test, "FAULT=1")));
  EXPECT_FALSE(says("warning", runTest(Test, "FAULT=1 TOLD=1")));
}

TEST(CudaFailure, DriverGoneAtTheEnd) {
  // Everything after exit's handlers finds the driver taken down.
  std::string Out = runTest("CudaFailure.DISABLED_LeavesAFault",
                            "MOCK_CUDA_FAIL=cuStreamSynchronize:1:4");
  EXPECT_FALSE(says("warning", Out));
  Out = runTest("CudaFailure.DISABLED_LeavesAFault",
                "GONE=1 MOCK_CUDA_FAIL=cuStreamQuery:1:4");
  EXPECT_FALSE(says("warning", Out));
}
