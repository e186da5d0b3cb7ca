// Memory and copies of CUDA devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <numeric>

using namespace xcc::test;

TEST(CudaMemory, CopiesAndFills) {
  CudaUnit u;
  xcc::stream s;
  std::vector<int> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 0);
  xcc::buffer<int> a(1000), b(1000);
  a.copy_from(in.data(), 1000);
  ASSERT_EQ(xcc_memory_copy(b.data(), a.data(), 4000), XCC_SUCCESS);
  b.copy_to(out.data(), 1000);
  EXPECT_EQ(in, out);
  b.fill_bytes(1);
  ASSERT_EQ(xcc_memory_copy_async(out.data(), b.data(), 4000, s.handle()),
            XCC_SUCCESS);
  s.synchronize();
  EXPECT_EQ(out, std::vector<int>(1000, 0x01010101));
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 4u);
  EXPECT_EQ(mock::count("cuMemsetD8Async"), 1u);
  EXPECT_EQ(mock::count("cuMemAlloc_v2"), 2u);
}

TEST(CudaMemory, HostToHost) {
  CudaUnit u;
  int from = 5, to = 0;
  ASSERT_EQ(xcc_memory_copy(&to, &from, sizeof(to)), XCC_SUCCESS);
  EXPECT_EQ(to, 5);
  // The driver's fill takes no host memory; ours does.
  ASSERT_EQ(xcc_memory_fill(&to, 0xff, sizeof(to)), XCC_SUCCESS)
      << xcc_error_last();
  EXPECT_EQ(to, -1);
  EXPECT_EQ(mock::count("cuLaunchHostFunc"), 1u);
}

TEST(CudaMemory, RowsAreOneCopy) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  xcc::pitched_buffer<char> a(100, 20, 3), b(100, 20, 3);
  EXPECT_EQ(a.pitch(), 256u);
  std::vector<char> in(6000), out(6000);
  std::iota(in.begin(), in.end(), 0);
  mock::clear();
  a.copy_from(in.data());
  b.copy_from(a);
  b.copy_to(out.data());
  EXPECT_EQ(in, out);
  EXPECT_EQ(mock::count("cuMemcpy3DAsync_v2"), 3u);
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 0u);
  // Slices that are no whole number of rows apart, and what the driver refuses.
  const xcc_extent extent = {10, 4, 2};
  const xcc_pitch odd = {20, 90}, close = {10, 0};
  ASSERT_EQ(xcc_memory_copy_pitched(a.data(), &odd, in.data(), &close, &extent),
            XCC_SUCCESS);
  EXPECT_EQ(mock::count("cuMemcpy3DAsync_v2"), 3u);
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 8u);
  std::vector<char> back(80);
  ASSERT_EQ(
      xcc_memory_copy_pitched(back.data(), &close, a.data(), &odd, &extent),
      XCC_SUCCESS);
  EXPECT_EQ(back, std::vector<char>(in.begin(), in.begin() + 80));
  mock::fail("cuMemcpy3DAsync_v2", 1, 1);
  a.fill(0);
  a.copy_from(b);
  out.assign(6000, 0);
  a.copy_to(out.data());
  EXPECT_EQ(in, out);
  mock::fail("cuMemcpy3DAsync_v2", 1, 999);
  EXPECT_THROW(b.copy_from(a), xcc::error);
  EXPECT_SAYS("the copy of 60 rows of 100 bytes");
  // Between devices the driver copies each row.
  xcc::device::get(1).set_current();
  xcc::pitched_buffer<char> other(100, 20, 3);
  mock::clear();
  other.copy_from(b);
  EXPECT_EQ(mock::count("cuMemcpyPeerAsync"), 60u);
  out.assign(6000, 0);
  other.copy_to(out.data());
  EXPECT_EQ(in, out);
}

TEST(CudaMemory, ManagedAndRegistered) {
  CudaUnit u;
  {
    xcc::managed_buffer<int> m(100);
    EXPECT_TRUE(says("cuMemAllocManaged(400, 1)", mock::calls()));
    std::vector<int> host(100);
    xcc::host_registration locked(host);
    EXPECT_TRUE(says("cuMemHostRegister_v2(400, 3)", mock::calls()));
    EXPECT_EQ(xcc_memory_free_host(host.data()), XCC_ERROR_INVALID_VALUE);
    EXPECT_EQ(mock::count("cuMemFreeHost"), 0u);
  }
  EXPECT_EQ(mock::count("cuMemHostUnregister"), 1u);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 1u);
  // What the driver refuses is an error, and nothing is remembered.
  std::vector<int> host(100);
  mock::fail("cuMemHostRegister_v2", 1, 1);
  EXPECT_EQ(xcc_memory_register(host.data(), 400), XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("page-locking memory of the host failed");
  EXPECT_EQ(xcc_memory_unregister(host.data()), XCC_ERROR_INVALID_VALUE);
}

TEST(CudaMemory, WithoutManaged) {
  setenv("MOCK_CUDA_MANAGED", "0", 1);
  CudaUnit u;
  void *p = nullptr;
  EXPECT_EQ(xcc_memory_alloc_managed(64, &p), XCC_ERROR_INVALID_DEVICE);
  EXPECT_SAYS("device 0 (cuda:0) has no managed memory");
}

TEST(CudaMemory, Pools) {
  CudaUnit u;
  const auto device = xcc::device::current();
  void *p = nullptr;
  ASSERT_EQ(xcc_memory_alloc_async(1000, nullptr, &p), XCC_SUCCESS);
  EXPECT_EQ(device.pool().used, 1000u);
  EXPECT_EQ(device.pool().limit, UINT64_MAX);
  ASSERT_EQ(xcc_memory_free_async(p, nullptr), XCC_SUCCESS);
  EXPECT_EQ(device.pool().used, 0u);
  EXPECT_EQ(device.pool().kept, 1000u);
  device.set_pool_limit(10);
  EXPECT_EQ(device.pool().limit, 10u);
  device.trim_pool(100);
  EXPECT_EQ(device.pool().kept, 100u);
  EXPECT_TRUE(says("cuMemPoolTrimTo(100)", mock::calls()));
}

TEST(CudaMemory, OverlappingRanges) {
  // The driver's copies of such ranges are undefined; the mock refuses them.
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  std::vector<int> in(100), out(100);
  for (int current : {0, 1}) {
    std::iota(in.begin(), in.end(), 0);
    xcc::device::get(0).set_current();
    xcc::buffer<int> a(100);
    a.copy_from(in.data(), 100);
    xcc::device::get(current).set_current();
    for (int step : {1, -1, 0}) {
      int *to = step < 0 ? a.data() : a.data() + 1;
      int *from = step > 0 ? a.data() : a.data() + 1;
      ASSERT_EQ(xcc_memory_copy(to, from, 396), XCC_SUCCESS)
          << xcc_error_last();
    }
    a.copy_to(out.data(), 100);
    std::iota(in.begin(), in.end(), 0);
    in[99] = 98;
    EXPECT_EQ(in, out);
    std::iota(in.begin(), in.end(), 0);
    ASSERT_EQ(xcc_memory_copy(in.data() + 1, in.data(), 396), XCC_SUCCESS);
    EXPECT_EQ(in[99], 98);
  }
}

TEST(CudaMemory, BadRangesAreErrors) {
  CudaUnit u;
  xcc::buffer<uint32_t> b(100);
  std::vector<uint32_t> host(200);
  mock::clear();
  EXPECT_EQ(xcc_memory_copy(b.data(), host.data(), 404),
            XCC_ERROR_INVALID_VALUE);
  EXPECT_SAYS("past the end of an allocation of 400 bytes");
  EXPECT_SAYS("cuda:0");
  EXPECT_EQ(xcc_memory_fill(b.data() + 99, 0, 8), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_free(host.data()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_free(b.data() + 1), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_free_host(b.data()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 0u);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 0u);
}

TEST(CudaMemory, RunsOut) {
  CudaUnit u;
  xcc::buffer<char> b(1 << 20);
  void *pointer = nullptr;
  EXPECT_EQ(xcc_memory_alloc(size_t(2) << 30, &pointer),
            XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_SAYS("cannot allocate 2147483648 bytes on device 0 (cuda:0); "
              "1072693248 of 1073741824 bytes are free");
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(xcc_memory_alloc_host(size_t(2) << 30, &pointer),
            XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(xcc_memory_alloc_async(size_t(2) << 30, nullptr, &pointer),
            XCC_ERROR_OUT_OF_MEMORY);
}

TEST(CudaMemory, ThePoolGivesBackWhatItKeeps) {
  CudaUnit u;
  void *p = nullptr;
  mock::fail("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(xcc_memory_alloc(64, &p), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(mock::count("cuMemPoolTrimTo"), 0u); // no pool in use
  ASSERT_EQ(xcc_memory_alloc_async(64, nullptr, &p), XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_free_async(p, nullptr), XCC_SUCCESS);
  mock::fail("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(xcc_memory_alloc(64, &p), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(mock::count("cuMemPoolTrimTo"), 1u);
  EXPECT_EQ(xcc_memory_free(p), XCC_SUCCESS);
}

TEST(CudaMemory, PageLocked) {
  CudaUnit u;
  {
    xcc::host_buffer<int> h(100);
    xcc::buffer<int> d(100);
    std::iota(h.begin(), h.end(), 0);
    d.copy_from(h.data(), 100);
    h[5] = 77;
    d.copy_to(h.data(), 100);
    EXPECT_EQ(h[5], 5);
    EXPECT_TRUE(says("cuMemHostAlloc(400, 3)", mock::calls()));
    EXPECT_EQ(xcc_memory_fill(h.data(), 0, 404), XCC_ERROR_INVALID_VALUE);
    EXPECT_SAYS("host memory of cuda:0");
    EXPECT_EQ(xcc_memory_free(h.data()), XCC_ERROR_INVALID_VALUE);
  }
  EXPECT_EQ(mock::count("cuMemFreeHost"), 1u);
}

TEST(CudaMemory, InStreamOrder) {
  CudaUnit u;
  xcc::stream s;
  void *p = nullptr;
  int value = 3, back = 0;
  for (int i = 0; i != 3; ++i) {
    ASSERT_EQ(xcc_memory_alloc_async(64, s.handle(), &p), XCC_SUCCESS)
        << xcc_error_last();
    ASSERT_EQ(xcc_memory_copy_async(p, &value, 4, s.handle()), XCC_SUCCESS);
    ASSERT_EQ(xcc_memory_copy_async(&back, p, 4, s.handle()), XCC_SUCCESS);
    ASSERT_EQ(xcc_memory_free_async(p, s.handle()), XCC_SUCCESS);
  }
  s.synchronize();
  EXPECT_EQ(back, 3);
  EXPECT_EQ(mock::count("cuMemAllocAsync"), 3u);
  EXPECT_EQ(mock::count("cuMemFreeAsync"), 3u);
  EXPECT_EQ(mock::count("cuMemPoolSetAttribute"), 1u);
  EXPECT_EQ(xcc_memory_free_async(p, s.handle()), XCC_ERROR_INVALID_VALUE);
  // Either way of freeing takes what either way of allocating gave.
  ASSERT_EQ(xcc_memory_alloc_async(64, s.handle(), &p), XCC_SUCCESS);
  EXPECT_EQ(xcc_memory_free(p), XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_alloc(64, &p), XCC_SUCCESS);
  EXPECT_EQ(xcc_memory_free_async(p, s.handle()), XCC_SUCCESS);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 2u);
}

TEST(CudaMemory, InStreamOrderWithoutPools) {
  setenv("MOCK_CUDA_POOLS", "0", 1);
  CudaUnit u;
  xcc::stream s;
  void *p = nullptr;
  ASSERT_EQ(xcc_memory_alloc_async(64, s.handle(), &p), XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_free_async(p, s.handle()), XCC_SUCCESS);
  EXPECT_EQ(mock::count("cuMemAllocAsync"), 0u);
  EXPECT_EQ(mock::count("cuMemAlloc_v2"), 1u);
  EXPECT_EQ(mock::count("cuMemFree_v2"), 1u);
}

TEST(CudaMemory, BetweenDevices) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  std::vector<int> in(100), out(100);
  std::iota(in.begin(), in.end(), 0);
  xcc::buffer<int> a(100);
  a.copy_from(in.data(), 100);
  xcc::device::get(1).set_current();
  xcc::buffer<int> b(100);
  for (int i = 0; i != 2; ++i)
    ASSERT_EQ(xcc_memory_copy(b.data(), a.data(), 400), XCC_SUCCESS)
        << xcc_error_last();
  EXPECT_EQ(mock::count("cuMemcpyPeerAsync"), 2u);
  EXPECT_EQ(mock::count("cuCtxEnablePeerAccess"), 1u); // once for the pair
  EXPECT_EQ(mock::count("cuMemPoolSetAccess"), 1u);    // a right of its own
  // Another device's memory, from the host and to it.
  xcc::device::get(0).set_current();
  b.copy_to(out.data(), 100);
  EXPECT_EQ(in, out);
  b.fill(0);
  b.copy_to(out.data(), 100);
  EXPECT_EQ(out, std::vector<int>(100, 0));
}

TEST(CudaMemory, BetweenTheHostDeviceAndAGpu) {
  CudaUnit u;
  xcc::buffer<int> gpu(10);
  std::vector<int> in(10, 4), out(10);
  // The host device's queue cannot reach the GPU; the GPU's does the copy.
  xcc::device::get(1).set_current();
  ASSERT_STREQ(xcc::device::current().kind(), "host");
  xcc::buffer<int> host(10);
  host.copy_from(in.data(), 10);
  xcc::stream s;
  ASSERT_EQ(xcc_memory_copy(gpu.data(), host.data(), 40), XCC_SUCCESS)
      << xcc_error_last();
  ASSERT_EQ(xcc_memory_fill(host.data(), 0, 40), XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_copy_async(host.data(), gpu.data(), 40, s.handle()),
            XCC_SUCCESS);
  s.synchronize();
  host.copy_to(out.data(), 10);
  EXPECT_EQ(in, out);
  gpu.fill(0);
  ASSERT_EQ(xcc_memory_fill_async(gpu.data(), 2, 4, s.handle()), XCC_SUCCESS);
  gpu.copy_to(out.data(), 10);
  EXPECT_EQ(out[0], 0x02020202);
  EXPECT_EQ(out[1], 0);
}

TEST(CudaMemory, FreeWaitsForTheDevice) {
  CudaUnit u;
  void *p = nullptr;
  ASSERT_EQ(xcc_memory_alloc(64, &p), XCC_SUCCESS);
  xcc::stream s;
  mock::clear();
  ASSERT_EQ(xcc_memory_free(p), XCC_SUCCESS);
  EXPECT_TRUE(says("cuStreamSynchronize()\ncuMemFree_v2()", mock::calls()));
}
