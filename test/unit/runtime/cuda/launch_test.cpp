// What a launch asks of the driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <thread>

using namespace xcc::test;

static mock_launch seen;
static std::string seenBytes;
static void see(const void *kernarg, const mock_launch *l) {
  seen = *l;
  seenBytes.assign(static_cast<const char *>(kernarg), l->kernarg_size);
}

TEST(CudaLaunch, FindingDevicesUsesNone) {
  CudaUnit u;
  int count = 0;
  ASSERT_EQ(xcc_device_count(&count), XCC_SUCCESS);
  EXPECT_EQ(count, 2); // the GPU and the host
  EXPECT_EQ(mock::count("cuInit"), 1u);
  EXPECT_EQ(mock::count("cuDevicePrimaryCtxRetain"), 0u);
  EXPECT_EQ(mock::count("cuModuleLoadDataEx"), 0u);
}

TEST(CudaLaunch, FirstAndSecond) {
  CudaUnit u;
  ASSERT_STREQ(xcc::device::current().id(), "cuda:0");
  mock::clear();
  ASSERT_EQ(launch(u.kernel("nothing"), config(2, 32)), XCC_SUCCESS)
      << xcc_error_last();
  EXPECT_EQ(mock::calls(), "cuDevicePrimaryCtxRetain(0)\n"
                           "cuCtxSetCurrent()\n"
                           "cuStreamCreate(1)\n"
                           "cuModuleLoadDataEx(2)\n"
                           "cuModuleGetFunction(k_nothing)\n"
                           "cuFuncGetAttribute(1)\n"
                           "cuFuncGetAttribute(3)\n"
                           "cuFuncGetAttribute(0)\n"
                           "cuLaunchKernel(k_nothing, 2, 1, 1, 32, 1, 1, 0, "
                           "0)\n");
  mock::clear();
  ASSERT_EQ(launch(u.kernel("nothing"), config(3, 64)), XCC_SUCCESS);
  EXPECT_EQ(mock::calls(),
            "cuLaunchKernel(k_nothing, 3, 1, 1, 64, 1, 1, 0, 0)\n");
  xcc::synchronize();
}

TEST(CudaLaunch, ArgumentsAndShape) {
  CudaUnit u;
  xcc::stream s;
  mock::setKernel("k_add", see);
  struct {
    uint64_t a;
    double b;
    uint32_t c, d;
  } args{0x0123456789abcdef, 1.5, 7, 8};
  xcc_launch_config c{{5, 6, 7}, {8, 4, 2}, 1000, s.handle(), "l.cpp", 12};
  ASSERT_EQ(launch(u.kernel("add", 24), c, args), XCC_SUCCESS)
      << xcc_error_last();
  EXPECT_EQ(seenBytes,
            std::string(reinterpret_cast<char *>(&args), sizeof(args)));
  for (int i = 0; i != 3; ++i) {
    EXPECT_EQ(seen.grid[i], c.grid[i]);
    EXPECT_EQ(seen.block[i], c.block[i]);
  }
  EXPECT_EQ(seen.shared, 1000u);
}

TEST(CudaLaunch, ParametersAreWhereTheDriverHasThem) {
  CudaUnit u;
  const xcc_param_info params[] = {
      {"n", "int", 4, 4, 0, XCC_PARAM_VALUE},
      {"m", "matrix", 64, 64, 64, XCC_PARAM_VALUE}};
  struct {
    char bytes[24];
  } args{};
  // Padding in front of a parameter is its own.
  mock::addParameter("k_add", 0, 4);
  mock::addParameter("k_add", 16, 112);
  xcc_kernel_info &add = u.kernel("add", 24);
  add.params = params, add.param_count = 2;
  // The mock counts bytes as the driver does: 128, and the table says 24.
  EXPECT_EQ(launch(add, config(1, 32), args), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("size than the 24 bytes of this launch");
  EXPECT_EQ(mock::count("cuFuncGetParamInfo"), 2u);
  // Aligned where it is in the GPU's constant memory, it is somewhere else.
  mock::addParameter("k_fill", 0, 4);
  mock::addParameter("k_fill", 112, 64);
  xcc_kernel_info &fill = u.kernel("fill", 16);
  fill.params = params, fill.param_count = 2;
  EXPECT_EQ(launch(fill, config(1, 32), args), XCC_ERROR_INVALID_KERNEL);
  EXPECT_SAYS("kernel 'fill' takes parameter 2 from bytes 112 to 176 of its "
              "arguments on device 0 (cuda:0), and a launch puts it into bytes "
              "64 to 128; rebuild the program");
}

TEST(CudaLaunch, DynamicSharedMemoryIsAskedForOnce) {
  CudaUnit u;
  mock::setAttributes(1024, 16, 1024);
  xcc_launch_config c = config(1, 32);
  c.shared_bytes = 47 * 1024;
  ASSERT_EQ(launch(u.kernel("nothing"), c), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(mock::count("cuFuncSetAttribute"), 0u);
  c.shared_bytes = 100 * 1024;
  ASSERT_EQ(launch(u.kernel("nothing"), c), XCC_SUCCESS) << xcc_error_last();
  c.shared_bytes = 226 * 1024;
  ASSERT_EQ(launch(u.kernel("nothing"), c), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(mock::count("cuFuncSetAttribute"), 1u);
  c.shared_bytes = 226 * 1024 + 1;
  EXPECT_EQ(launch(u.kernel("nothing"), c), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("1024 static exceed the device's 232448");
}

TEST(CudaLaunch, Limits) {
  CudaUnit u;
  auto attempt = [&](uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx,
                     uint32_t by, uint32_t bz) {
    xcc_launch_config c{{gx, gy, gz}, {bx, by, bz}, 0, nullptr, "f", 1};
    return launch(u.kernel("nothing"), c);
  };
  EXPECT_EQ(attempt(0x7fffffff, 1, 1, 1, 1, 1), XCC_SUCCESS);
  EXPECT_EQ(attempt(1, 65535, 65535, 1, 1, 1), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(attempt(1, 65536, 1, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("grid.y is 65536 blocks, the device allows 65535");
  EXPECT_EQ(attempt(1, 1, 65536, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(attempt(1, 1, 1, 1, 1, 65), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(attempt(1, 1, 1, 1025, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(attempt(1, 1, 1, 64, 32, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(attempt(0, 1, 1, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(attempt(1u << 22, 1, 1, 1024, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  // The kernel's own bound, from the table.
  struct {
    char bytes[24];
  } args{};
  EXPECT_EQ(launch(u.kernel("add", 24), config(1, 257), args),
            XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("compiled for at most 256");
}

TEST(CudaLaunch, OtherUsersOfCudaInTheThread) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
  for (int theirs : {-1, 1}) {
    mock::switchContext(theirs);
    mock::clear();
    ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
        << xcc_error_last();
    EXPECT_EQ(mock::count("cuCtxSetCurrent"), 1u);
    mock::switchContext(theirs);
    xcc::synchronize();
  }
}

TEST(CudaLaunch, EachThreadEntersOnce) {
  CudaUnit u;
  xcc_kernel_info &k = u.kernel("nothing");
  ASSERT_EQ(launch(k, config(1, 1)), XCC_SUCCESS);
  mock::clear();
  std::vector<std::thread> threads;
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i != 100; ++i)
        EXPECT_EQ(launch(k, config(1, 1)), XCC_SUCCESS);
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(mock::count("cuLaunchKernel"), 800u);
  EXPECT_EQ(mock::count("cuCtxSetCurrent"), 8u);
  EXPECT_EQ(mock::count("cuModuleLoadDataEx"), 0u);
}

TEST(CudaLaunch, TwoDevicesHaveModulesOfTheirOwn) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit u;
  for (int d : {0, 1, 0, 1}) {
    xcc::device::get(d).set_current();
    ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
        << xcc_error_last();
  }
  EXPECT_EQ(mock::count("cuModuleLoadDataEx"), 2u);
  EXPECT_EQ(mock::count("cuLaunchKernel"), 4u);
}

TEST(CudaLaunch, MoreDevicesThanSlots) {
  std::string archs = "sm_90";
  for (int i = 0; i != 19; ++i)
    archs += ",sm_90";
  setenv("MOCK_CUDA_DEVICES", archs.c_str(), 1);
  CudaUnit u;
  xcc::device::get(18).set_current();
  for (int i = 0; i != 3; ++i)
    ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
        << xcc_error_last();
  EXPECT_EQ(mock::count("cuModuleGetFunction"), 1u);
}

TEST(CudaLaunch, KernelsThatDoNotMatch) {
  CudaUnit u;
  EXPECT_EQ(launch(u.kernel("absent"), config(1, 1)), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("kernel 'absent' is not in the program's sm_90 image (no symbol "
              "k_absent)");
  EXPECT_EQ(xcc_kernel_prepare(&u.kernel("add", 16), nullptr),
            XCC_ERROR_INVALID_KERNEL);
  EXPECT_SAYS("16 bytes on the host, 24 in the image");
  xcc_kernel_info &other = u.kernel("fill", 16);
  other.fingerprint = 5;
  EXPECT_EQ(xcc_kernel_prepare(&other, nullptr), XCC_ERROR_INVALID_KERNEL);
  EXPECT_SAYS("fingerprints");
}

TEST(CudaLaunch, Properties) {
  CudaUnit u;
  mock::setAttributes(2048, 40, 512);
  xcc_kernel_properties p;
  ASSERT_EQ(xcc_kernel_prepare(&u.kernel("nothing"), &p), XCC_SUCCESS);
  EXPECT_EQ(p.shared_size, 2048u);
  EXPECT_EQ(p.scratch_size, 40u);
  EXPECT_EQ(p.max_threads, 512u);
  uint32_t block = 0;
  ASSERT_EQ(xcc_kernel_suggest_block(&u.kernel("nothing"), 64, &block),
            XCC_SUCCESS);
  EXPECT_EQ(block, 256u);
  EXPECT_TRUE(says("cuOccupancyMaxActiveBlocksPerMultiprocessor(256, 64)",
                   mock::calls()));
  // One block has room: as many threads as the kernel takes.
  ASSERT_EQ(xcc_kernel_suggest_block(&u.kernel("nothing"), 200 * 1024, &block),
            XCC_SUCCESS);
  EXPECT_EQ(block, 512u);
  EXPECT_EQ(mock::count("cuFuncSetAttribute"), 1u);
  xcc::device d = xcc::device::current();
  EXPECT_STREQ(d.kind(), "cuda");
  EXPECT_STREQ(d.arch(), "sm_90");
  EXPECT_STREQ(d.name(), "Mock GPU 0");
  EXPECT_EQ(d.shared_memory(), 227u * 1024);
  EXPECT_EQ(d.warp_size(), 32u);
  EXPECT_EQ(d.max_block(), 1024u);
}

TEST(CudaLaunch, UnloadsWithTheUnit) {
  {
    CudaUnit u;
    ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
  }
  EXPECT_EQ(mock::count("cuModuleUnload"), 1u);
}

TEST(CudaLaunch, PtxGetsItsZeroByte) {
  // Without one the driver would read on into what the mock refuses. Nothing
  // pads an image whose size is a multiple of 8.
  std::string section, data = "k_nothing";
  while ((section = cudaImage("sm_70", Ptx, data)).back() == 0)
    data += ' ';
  CudaUnit u(section + cudaImage("sm_60"));
  ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
      << xcc_error_last();
}
