// What a launch asks of the driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <thread>

using namespace xcc::test;

static mock_launch Seen;
static std::string SeenBytes;
static void see(const void *Kernarg, const mock_launch *L) {
  Seen = *L;
  SeenBytes.assign(static_cast<const char *>(Kernarg), L->kernarg_size);
}

TEST(CudaLaunch, FindingDevicesUsesNone) {
  CudaUnit U;
  int Count = 0;
  ASSERT_EQ(xcc_device_count(&Count), XCC_SUCCESS);
  EXPECT_EQ(Count, 2); // the GPU and the host
  EXPECT_EQ(mock::count("cuInit"), 1u);
  EXPECT_EQ(mock::count("cuDevicePrimaryCtxRetain"), 0u);
  EXPECT_EQ(mock::count("cuModuleLoadDataEx"), 0u);
}

TEST(CudaLaunch, FirstAndSecond) {
  CudaUnit U;
  ASSERT_STREQ(xcc::device::current().id(), "cuda:0");
  mock::clear();
  ASSERT_EQ(launch(U.kernel("nothing"), config(2, 32)), XCC_SUCCESS)
      << xcc_last_error();
  EXPECT_EQ(mock::calls(), "cuDevicePrimaryCtxRetain(0)\n"
                           "cuCtxSetCurrent()\n"
                           "cuStreamCreate(1)\n"
                           "cuModuleLoadDataEx(2)\n"
                           "cuModuleGetGlobal_v2(__xcc_rpc)\n"
                           "cuModuleGetGlobal_v2(__xcc_trap_report)\n"
                           "cuModuleGetFunction(k_nothing)\n"
                           "cuFuncGetAttribute(1)\n"
                           "cuFuncGetAttribute(3)\n"
                           "cuFuncGetAttribute(0)\n"
                           "cuLaunchKernel(k_nothing, 2, 1, 1, 32, 1, 1, 0, "
                           "0)\n");
  mock::clear();
  ASSERT_EQ(launch(U.kernel("nothing"), config(3, 64)), XCC_SUCCESS);
  EXPECT_EQ(mock::calls(),
            "cuLaunchKernel(k_nothing, 3, 1, 1, 64, 1, 1, 0, 0)\n");
  xcc::synchronize();
}

TEST(CudaLaunch, ArgumentsAndShape) {
  CudaUnit U;
  xcc::stream S;
  mock::setKernel("k_add", see);
  struct {
    uint64_t A;
    double B;
    uint32_t C, D;
  } Args{0x0123456789abcdef, 1.5, 7, 8};
  xcc_launch_config C{{5, 6, 7}, {8, 4, 2}, 1000, S.handle(), "l.cpp", 12};
  ASSERT_EQ(launch(U.kernel("add", 24), C, Args), XCC_SUCCESS)
      << xcc_last_error();
  EXPECT_EQ(SeenBytes,
            std::string(reinterpret_cast<char *>(&Args), sizeof(Args)));
  for (int I = 0; I != 3; ++I) {
    EXPECT_EQ(Seen.grid[I], C.grid[I]);
    EXPECT_EQ(Seen.block[I], C.block[I]);
  }
  EXPECT_EQ(Seen.shared, 1000u);
}

TEST(CudaLaunch, DynamicSharedMemoryIsAskedForOnce) {
  CudaUnit U;
  mock::setAttributes(1024, 16, 1024);
  xcc_launch_config C = config(1, 32);
  C.shared_bytes = 47 * 1024;
  ASSERT_EQ(launch(U.kernel("nothing"), C), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(mock::count("cuFuncSetAttribute"), 0u);
  C.shared_bytes = 100 * 1024;
  ASSERT_EQ(launch(U.kernel("nothing"), C), XCC_SUCCESS) << xcc_last_error();
  C.shared_bytes = 226 * 1024;
  ASSERT_EQ(launch(U.kernel("nothing"), C), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(mock::count("cuFuncSetAttribute"), 1u);
  C.shared_bytes = 226 * 1024 + 1;
  EXPECT_EQ(launch(U.kernel("nothing"), C), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("1024 static exceed the device's 232448");
}

TEST(CudaLaunch, Limits) {
  CudaUnit U;
  auto Try = [&](uint32_t GX, uint32_t GY, uint32_t GZ, uint32_t BX,
                 uint32_t BY, uint32_t BZ) {
    xcc_launch_config C{{GX, GY, GZ}, {BX, BY, BZ}, 0, nullptr, "f", 1};
    return launch(U.kernel("nothing"), C);
  };
  EXPECT_EQ(Try(0x7fffffff, 1, 1, 1, 1, 1), XCC_SUCCESS);
  EXPECT_EQ(Try(1, 65535, 65535, 1, 1, 1), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(Try(1, 65536, 1, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("grid.y is 65536 blocks, the device allows 65535");
  EXPECT_EQ(Try(1, 1, 65536, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(Try(1, 1, 1, 1, 1, 65), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(Try(1, 1, 1, 1025, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(Try(1, 1, 1, 64, 32, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(Try(0, 1, 1, 1, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(Try(1u << 22, 1, 1, 1024, 1, 1), XCC_ERROR_INVALID_LAUNCH);
  // The kernel's own bound, from the table.
  struct {
    char Bytes[24];
  } Args{};
  EXPECT_EQ(launch(U.kernel("add", 24), config(1, 257), Args),
            XCC_ERROR_INVALID_LAUNCH);
  EXPECT_SAYS("compiled for at most 256");
}

TEST(CudaLaunch, OtherUsersOfCudaInTheThread) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit U;
  ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
  for (int Theirs : {-1, 1}) {
    mock::switchContext(Theirs);
    mock::clear();
    ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
        << xcc_last_error();
    EXPECT_EQ(mock::count("cuCtxSetCurrent"), 1u);
    mock::switchContext(Theirs);
    xcc::synchronize();
  }
}

TEST(CudaLaunch, EachThreadEntersOnce) {
  CudaUnit U;
  xcc_kernel_info &K = U.kernel("nothing");
  ASSERT_EQ(launch(K, config(1, 1)), XCC_SUCCESS);
  mock::clear();
  std::vector<std::thread> Threads;
  for (int T = 0; T != 8; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I != 100; ++I)
        EXPECT_EQ(launch(K, config(1, 1)), XCC_SUCCESS);
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(mock::count("cuLaunchKernel"), 800u);
  EXPECT_EQ(mock::count("cuCtxSetCurrent"), 8u);
  EXPECT_EQ(mock::count("cuModuleLoadDataEx"), 0u);
}

TEST(CudaLaunch, TwoDevicesHaveModulesOfTheirOwn) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  CudaUnit U;
  for (int D : {0, 1, 0, 1}) {
    xcc::device::get(D).set_current();
    ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
        << xcc_last_error();
  }
  EXPECT_EQ(mock::count("cuModuleLoadDataEx"), 2u);
  EXPECT_EQ(mock::count("cuLaunchKernel"), 4u);
}

TEST(CudaLaunch, MoreDevicesThanSlots) {
  std::string Archs = "sm_90";
  for (int I = 0; I != 19; ++I)
    Archs += ",sm_90";
  setenv("MOCK_CUDA_DEVICES", Archs.c_str(), 1);
  CudaUnit U;
  xcc::device::get(18).set_current();
  for (int I = 0; I != 3; ++I)
    ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
        << xcc_last_error();
  EXPECT_EQ(mock::count("cuModuleGetFunction"), 1u);
}

TEST(CudaLaunch, KernelsThatDoNotMatch) {
  CudaUnit U;
  EXPECT_EQ(launch(U.kernel("absent"), config(1, 1)), XCC_ERROR_INVALID_IMAGE);
  EXPECT_SAYS("kernel 'absent' is not in the program's sm_90 image (no symbol "
              "k_absent)");
  EXPECT_EQ(xcc_kernel_prepare(&U.kernel("add", 16), nullptr),
            XCC_ERROR_INVALID_KERNEL);
  EXPECT_SAYS("16 bytes on the host, 24 in the image");
  xcc_kernel_info &Other = U.kernel("fill", 16);
  Other.fingerprint = 5;
  EXPECT_EQ(xcc_kernel_prepare(&Other, nullptr), XCC_ERROR_INVALID_KERNEL);
  EXPECT_SAYS("fingerprints");
}

TEST(CudaLaunch, Properties) {
  CudaUnit U;
  mock::setAttributes(2048, 40, 512);
  xcc_kernel_properties P;
  ASSERT_EQ(xcc_kernel_prepare(&U.kernel("nothing"), &P), XCC_SUCCESS);
  EXPECT_EQ(P.shared_size, 2048u);
  EXPECT_EQ(P.scratch_size, 40u);
  EXPECT_EQ(P.max_threads, 512u);
  uint32_t Block = 0;
  ASSERT_EQ(xcc_kernel_suggest_block(&U.kernel("nothing"), 64, &Block),
            XCC_SUCCESS);
  EXPECT_EQ(Block, 256u);
  EXPECT_TRUE(says("cuOccupancyMaxActiveBlocksPerMultiprocessor(256, 64)",
                   mock::calls()));
  // One block has room: as many threads as the kernel takes.
  ASSERT_EQ(xcc_kernel_suggest_block(&U.kernel("nothing"), 200 * 1024, &Block),
            XCC_SUCCESS);
  EXPECT_EQ(Block, 512u);
  EXPECT_EQ(mock::count("cuFuncSetAttribute"), 1u);
  xcc::device D = xcc::device::current();
  EXPECT_STREQ(D.kind(), "cuda");
  EXPECT_STREQ(D.arch(), "sm_90");
  EXPECT_STREQ(D.name(), "Mock GPU 0");
  EXPECT_EQ(D.shared_memory(), 227u * 1024);
  EXPECT_EQ(D.warp_size(), 32u);
  EXPECT_EQ(D.max_block(), 1024u);
}

TEST(CudaLaunch, UnloadsWithTheUnit) {
  {
    CudaUnit U;
    ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
  }
  EXPECT_EQ(mock::count("cuModuleUnload"), 1u);
}

TEST(CudaLaunch, PtxGetsItsZeroByte) {
  // Without one the driver would read on into what the mock refuses. Nothing
  // pads an image whose size is a multiple of 8.
  std::string Section, Data = "k_nothing";
  while ((Section = cudaImage("sm_70", Ptx, Data)).back() == 0)
    Data += ' ';
  CudaUnit U(Section + cudaImage("sm_60"));
  ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS)
      << xcc_last_error();
}
