// Memory and copies of CUDA devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <numeric>

using namespace xcc::test;

TEST(CudaMemory, CopiesAndFills) {
  CudaUnit U;
  xcc::stream S;
  std::vector<int> In(1000), Out(1000);
  std::iota(In.begin(), In.end(), 0);
  xcc::buffer<int> A(1000), B(1000);
  A.copy_from(In.data(), 1000);
  ASSERT_EQ(xcc_copy(B.data(), A.data(), 4000), XCC_SUCCESS);
  B.copy_to(Out.data(), 1000);
  EXPECT_EQ(In, Out);
  B.fill(1);
  ASSERT_EQ(xcc_copy_async(Out.data(), B.data(), 4000, S.handle()),
            XCC_SUCCESS);
  S.synchronize();
  EXPECT_EQ(Out, std::vector<int>(1000, 0x01010101));
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 4u);
  EXPECT_EQ(mock::count("cuMemsetD8Async"), 1u);
  EXPECT_EQ(mock::count("cuMemAlloc_v2"), 2u);
}

TEST(CudaMemory, HostToHost) {
  CudaUnit U;
  int From = 5, To = 0;
  ASSERT_EQ(xcc_copy(&To, &From, sizeof(To)), XCC_SUCCESS);
  EXPECT_EQ(To, 5);
  // The driver's fill takes no host memory; ours does.
  ASSERT_EQ(xcc_fill(&To, 0xff, sizeof(To)), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(To, -1);
  EXPECT_EQ(mock::count("cuLaunchHostFunc"), 1u);
}

TEST(CudaMemory, OverlappingRanges) {
  // The driver's copies of such ranges are undefined; the mock refuses them.
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit U;
  std::vector<int> In(100), Out(100);
  for (int Current : {0, 1}) {
    std::iota(In.begin(), In.end(), 0);
    xcc::device::get(0).set_current();
    xcc::buffer<int> A(100);
    A.copy_from(In.data(), 100);
    xcc::device::get(Current).set_current();
    for (int Step : {1, -1, 0}) {
      int *To = Step < 0 ? A.data() : A.data() + 1;
      int *From = Step > 0 ? A.data() : A.data() + 1;
      ASSERT_EQ(xcc_copy(To, From, 396), XCC_SUCCESS) << xcc_last_error();
    }
    A.copy_to(Out.data(), 100);
    std::iota(In.begin(), In.end(), 0);
    In[99] = 98;
    EXPECT_EQ(In, Out);
    std::iota(In.begin(), In.end(), 0);
    ASSERT_EQ(xcc_copy(In.data() + 1, In.data(), 396), XCC_SUCCESS);
    EXPECT_EQ(In[99], 98);
  }
}

TEST(CudaMemory, BadRangesAreErrors) {
  CudaUnit U;
  xcc::buffer<uint32_t> B(100);
  std::vector<uint32_t> Host(200);
  mock::clear();
  EXPECT_EQ(xcc_copy(B.data(), Host.data(), 404), XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("past the end of an allocation of 400 bytes");
  EXPECT_SAYS("cuda:0");
  EXPECT_EQ(xcc_fill(B.data() + 99, 0, 8), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_free(Host.data()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_free(B.data() + 1), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_free_host(B.data()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 0u);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 0u);
}

TEST(CudaMemory, RunsOut) {
  CudaUnit U;
  xcc::buffer<char> B(1 << 20);
  void *Pointer = nullptr;
  EXPECT_EQ(xcc_alloc(size_t(2) << 30, &Pointer), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_SAYS("cannot allocate 2147483648 bytes on device 0 (cuda:0); "
              "1072693248 of 1073741824 bytes are free");
  EXPECT_EQ(Pointer, nullptr);
  EXPECT_EQ(xcc_alloc_host(size_t(2) << 30, &Pointer), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(xcc_alloc_async(size_t(2) << 30, nullptr, &Pointer),
            XCC_ERROR_OUT_OF_MEMORY);
}

TEST(CudaMemory, ThePoolGivesBackWhatItKeeps) {
  CudaUnit U;
  void *P = nullptr;
  mock::fail("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(xcc_alloc(64, &P), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(mock::count("cuMemPoolTrimTo"), 0u); // no pool in use
  ASSERT_EQ(xcc_alloc_async(64, nullptr, &P), XCC_SUCCESS);
  ASSERT_EQ(xcc_free_async(P, nullptr), XCC_SUCCESS);
  mock::fail("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(xcc_alloc(64, &P), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(mock::count("cuMemPoolTrimTo"), 1u);
  EXPECT_EQ(xcc_free(P), XCC_SUCCESS);
}

TEST(CudaMemory, PageLocked) {
  CudaUnit U;
  {
    xcc::host_buffer<int> H(100);
    xcc::buffer<int> D(100);
    std::iota(H.begin(), H.end(), 0);
    D.copy_from(H.data(), 100);
    H[5] = 77;
    D.copy_to(H.data(), 100);
    EXPECT_EQ(H[5], 5);
    EXPECT_TRUE(says("cuMemHostAlloc(400, 3)", mock::calls()));
    EXPECT_EQ(xcc_fill(H.data(), 0, 404), XCC_ERROR_INVALID_VALUE);
    EXPECT_SAYS("host memory of cuda:0");
    EXPECT_EQ(xcc_free(H.data()), XCC_ERROR_INVALID_VALUE);
  }
  EXPECT_EQ(mock::count("cuMemFreeHost"), 1u);
}

TEST(CudaMemory, InStreamOrder) {
  CudaUnit U;
  xcc::stream S;
  void *P = nullptr;
  int Value = 3, Back = 0;
  for (int I = 0; I != 3; ++I) {
    ASSERT_EQ(xcc_alloc_async(64, S.handle(), &P), XCC_SUCCESS)
        << xcc_last_error();
    ASSERT_EQ(xcc_copy_async(P, &Value, 4, S.handle()), XCC_SUCCESS);
    ASSERT_EQ(xcc_copy_async(&Back, P, 4, S.handle()), XCC_SUCCESS);
    ASSERT_EQ(xcc_free_async(P, S.handle()), XCC_SUCCESS);
  }
  S.synchronize();
  EXPECT_EQ(Back, 3);
  EXPECT_EQ(mock::count("cuMemAllocAsync"), 3u);
  EXPECT_EQ(mock::count("cuMemFreeAsync"), 3u);
  EXPECT_EQ(mock::count("cuMemPoolSetAttribute"), 1u);
  EXPECT_EQ(xcc_free_async(P, S.handle()), XCC_ERROR_INVALID_VALUE);
  // Either way of freeing takes what either way of allocating gave.
  ASSERT_EQ(xcc_alloc_async(64, S.handle(), &P), XCC_SUCCESS);
  EXPECT_EQ(xcc_free(P), XCC_SUCCESS);
  ASSERT_EQ(xcc_alloc(64, &P), XCC_SUCCESS);
  EXPECT_EQ(xcc_free_async(P, S.handle()), XCC_SUCCESS);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 2u);
}

TEST(CudaMemory, InStreamOrderWithoutPools) {
  setenv("MOCK_CUDA_POOLS", "0", 1);
  CudaUnit U;
  xcc::stream S;
  void *P = nullptr;
  ASSERT_EQ(xcc_alloc_async(64, S.handle(), &P), XCC_SUCCESS);
  ASSERT_EQ(xcc_free_async(P, S.handle()), XCC_SUCCESS);
  EXPECT_EQ(mock::count("cuMemAllocAsync"), 0u);
  EXPECT_EQ(mock::count("cuMemAlloc_v2"), 1u);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 1u);
}

TEST(CudaMemory, BetweenDevices) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit U;
  std::vector<int> In(100), Out(100);
  std::iota(In.begin(), In.end(), 0);
  xcc::buffer<int> A(100);
  A.copy_from(In.data(), 100);
  xcc::device::get(1).set_current();
  xcc::buffer<int> B(100);
  for (int I = 0; I != 2; ++I)
    ASSERT_EQ(xcc_copy(B.data(), A.data(), 400), XCC_SUCCESS)
        << xcc_last_error();
  EXPECT_EQ(mock::count("cuMemcpyPeerAsync"), 2u);
  EXPECT_EQ(mock::count("cuCtxEnablePeerAccess"), 1u); // once for the pair
  EXPECT_EQ(mock::count("cuMemPoolSetAccess"), 1u);    // a right of its own
  // Another device's memory, from the host and to it.
  xcc::device::get(0).set_current();
  B.copy_to(Out.data(), 100);
  EXPECT_EQ(In, Out);
  B.fill(0);
  B.copy_to(Out.data(), 100);
  EXPECT_EQ(Out, std::vector<int>(100, 0));
}

TEST(CudaMemory, BetweenTheHostDeviceAndAGpu) {
  CudaUnit U;
  xcc::buffer<int> Gpu(10);
  std::vector<int> In(10, 4), Out(10);
  // The host device's queue cannot reach the GPU; the GPU's does the copy.
  xcc::device::get(1).set_current();
  ASSERT_STREQ(xcc::device::current().kind(), "host");
  xcc::buffer<int> Host(10);
  Host.copy_from(In.data(), 10);
  xcc::stream S;
  ASSERT_EQ(xcc_copy(Gpu.data(), Host.data(), 40), XCC_SUCCESS)
      << xcc_last_error();
  ASSERT_EQ(xcc_fill(Host.data(), 0, 40), XCC_SUCCESS);
  ASSERT_EQ(xcc_copy_async(Host.data(), Gpu.data(), 40, S.handle()),
            XCC_SUCCESS);
  S.synchronize();
  Host.copy_to(Out.data(), 10);
  EXPECT_EQ(In, Out);
  Gpu.fill(0);
  ASSERT_EQ(xcc_fill_async(Gpu.data(), 2, 4, S.handle()), XCC_SUCCESS);
  Gpu.copy_to(Out.data(), 10);
  EXPECT_EQ(Out[0], 0x02020202);
  EXPECT_EQ(Out[1], 0);
}

TEST(CudaMemory, FreeWaitsForTheDevice) {
  CudaUnit U;
  void *P = nullptr;
  ASSERT_EQ(xcc_alloc(64, &P), XCC_SUCCESS);
  xcc::stream S;
  mock::clear();
  ASSERT_EQ(xcc_free(P), XCC_SUCCESS);
  EXPECT_TRUE(says("cuStreamSynchronize()\ncuMemFree_v2()", mock::calls()));
}
