// Which device a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

using namespace xcc::test;

static std::string hostImage() { return Unit::defaultSection(); }
static std::string currentId() { return xcc::device::current().id(); }

/// The current device cannot be had; gives the message.
static std::string refused() {
  int d;
  EXPECT_NE(xcc_device_get_current(&d), XCC_SUCCESS);
  return xcc_error_last();
}

TEST(Choice, WithoutImagesTheHost) {
  EXPECT_EQ(currentId(), "host");
  // Nobody asked for CUDA: the driver was not even opened.
  EXPECT_EQ(mock::count("cuInit"), 0u);
  EXPECT_EQ(xcc::device::count(), 1);
}

TEST(Choice, HostImagesAlone) {
  Unit u;
  EXPECT_EQ(currentId(), "host");
  EXPECT_EQ(mock::count("cuInit"), 0u);
}

TEST(Choice, AGpuBeforeTheHost) {
  CudaUnit u(cudaImage("sm_90") + hostImage());
  EXPECT_EQ(currentId(), "cuda:0");
  EXPECT_EQ(xcc::device::count(), 2);
  EXPECT_STREQ(xcc::device::get(1).id(), "host");
}

TEST(Choice, TheFirstGpuThatSuits) {
  setenv("MOCK_CUDA_DEVICES", "sm_70,sm_90,sm_90", 1);
  CudaUnit u;
  EXPECT_EQ(currentId(), "cuda:1");
}

TEST(Choice, PtxSuitsNewerGpus) {
  setenv("MOCK_CUDA_DEVICES", "sm_121", 1);
  CudaUnit u(cudaImage("sm_90") + cudaImage("sm_90", Ptx) + hostImage());
  EXPECT_EQ(currentId(), "cuda:0");
}

TEST(Choice, EveryUnitHasToSuit) {
  CudaUnit a(cudaImage("sm_90") + hostImage());
  CudaUnit b(cudaImage("sm_80") + hostImage());
  EXPECT_EQ(currentId(), "host");
  EXPECT_EQ(launch(a.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
}

TEST(Choice, UnitsWithoutImagesDoNotMatter) {
  CudaUnit a;
  Unit empty{std::string()};
  Unit damaged{std::string(100, 'x')};
  EXPECT_EQ(currentId(), "cuda:0");
}

TEST(Choice, UnitsThatWereUnloadedDoNotMatter) {
  CudaUnit a;
  {
    CudaUnit b(cudaImage("sm_35"));
  }
  EXPECT_EQ(currentId(), "cuda:0");
}

TEST(Choice, NothingSuits) {
  setenv("MOCK_CUDA_DEVICES", "sm_70", 1);
  CudaUnit u(cudaImage("sm_90") + cudaImage("sm_80", Ptx));
  std::string why = refused();
  EXPECT_TRUE(says("it holds sm_80, sm_90;", why));
  EXPECT_TRUE(says("cuda:0 (Mock GPU 0, sm_70), host (", why));
  EXPECT_TRUE(says("-offload-arch=sm_70", why));
  void *p;
  EXPECT_EQ(xcc_memory_alloc(1, &p), XCC_ERROR_NO_IMAGE);
  // A device that was asked for works, as far as it goes.
  xcc::device::get(1).set_current();
  EXPECT_EQ(currentId(), "host");
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_ERROR_NO_IMAGE);
  EXPECT_SAYS("device 1 (host, ");
}

TEST(Choice, ALibraryMayBringWhatWasMissing) {
  CudaUnit a(cudaImage("sm_35"));
  refused();
  xcc_binary_unload(&a.binary);
  CudaUnit b;
  EXPECT_EQ(currentId(), "cuda:0");
}

TEST(Choice, IsMadeOnce) {
  CudaUnit a;
  EXPECT_EQ(currentId(), "cuda:0");
  CudaUnit late(hostImage());
  EXPECT_EQ(currentId(), "cuda:0");
  EXPECT_EQ(launch(late.kernel("nothing"), config(1, 1)), XCC_ERROR_NO_IMAGE);
  EXPECT_SAYS("rebuild with --offload-arch=sm_90");
}

TEST(Choice, BrokenDriversArePassedOver) {
  setenv("MOCK_CUDA_FAIL", "cuInit:1:999", 1);
  CudaUnit u(cudaImage("sm_90") + hostImage());
  EXPECT_EQ(currentId(), "host");
}

TEST(Choice, NoDevices) {
  setenv("MOCK_CUDA_DEVICES", "", 1);
  CudaUnit u(cudaImage("sm_90") + hostImage());
  EXPECT_EQ(currentId(), "host");
}

//===----------------------------------------------------------------------===//
// XCC_DEVICE
//===----------------------------------------------------------------------===//

TEST(Choice, TheSettingDecides) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90", 1);
  setenv("XCC_DEVICE", "cuda:1", 1);
  CudaUnit u;
  EXPECT_EQ(currentId(), "cuda:1");
}

TEST(Choice, TheSettingForTheHost) {
  setenv("XCC_DEVICE", "cpu", 1);
  CudaUnit u(cudaImage("sm_90") + hostImage());
  EXPECT_EQ(currentId(), "host");
}

TEST(Choice, TheSettingNeedsNoImage) {
  setenv("XCC_DEVICE", "cuda", 1);
  Unit u;
  EXPECT_EQ(currentId(), "cuda:0");
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_ERROR_NO_IMAGE);
  EXPECT_SAYS("-offload-arch=sm_90");
}

TEST(Choice, TheSettingNamesTooMuch) {
  setenv("XCC_DEVICE", "cuda:1", 1);
  EXPECT_EQ(refused(), "XCC_DEVICE=cuda:1: this machine has 1 CUDA device, "
                       "cuda:0");
}

TEST(Choice, TheSettingNamesTooMuchOfMany) {
  setenv("MOCK_CUDA_DEVICES", "sm_90,sm_90,sm_90", 1);
  setenv("XCC_DEVICE", "cuda:3", 1);
  EXPECT_EQ(refused(), "XCC_DEVICE=cuda:3: this machine has 3 CUDA devices, "
                       "cuda:0 to cuda:2");
}

TEST(Choice, TheSettingNamesNone) {
  setenv("MOCK_CUDA_DEVICES", "", 1);
  setenv("XCC_DEVICE", "cuda", 1);
  EXPECT_EQ(refused(), "XCC_DEVICE=cuda: this machine has no CUDA device; "
                       "available: host");
}

TEST(Choice, DISABLED_BadSetting) {
  EXPECT_TRUE(says("no such device; available: ", refused()));
}

TEST(Choice, BadSettings) {
  for (const char *bad : {"cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0",
                          "cuda:99999999999", "nvidia", ":0", "host:x"})
    runTest("Choice.DISABLED_BadSetting", std::string("XCC_DEVICE=") + bad);
}

TEST(Choice, TheSettingAndADriverThatDoesNotStart) {
  setenv("MOCK_CUDA_FAIL", "cuInit:1:803", 1);
  setenv("XCC_DEVICE", "cuda", 1);
  std::string why = refused();
  EXPECT_TRUE(says("XCC_DEVICE=cuda: the NVIDIA driver does not start", why));
  EXPECT_TRUE(says("CUDA error 803", why));
  EXPECT_TRUE(says("restart the machine", why));
}

TEST(Choice, TheSettingAndADeviceThatDoesNotAnswer) {
  setenv("MOCK_CUDA_FAIL", "cuDeviceGetName:1:999", 1);
  setenv("XCC_DEVICE", "cuda", 1);
  EXPECT_TRUE(says("cuda:0 does not answer", refused()));
}

//===----------------------------------------------------------------------===//
// Without a driver, and with one that is too old
//===----------------------------------------------------------------------===//

TEST(Choice, DISABLED_PrintsWhyNot) {
  CudaUnit u(cudaImage("sm_90") + hostImage());
  int d;
  if (xcc_device_get_current(&d) == XCC_SUCCESS)
    printf("current: %s\n", xcc::device::current().id());
  else
    printf("refused: %s\n", xcc_error_last());
}

TEST(Choice, NoDriver) {
  std::string away = "LD_LIBRARY_PATH=" XCC_TEST_NO_CUDA " ";
  EXPECT_TRUE(
      says("current: host", runTest("Choice.DISABLED_PrintsWhyNot", away)));
  std::string out =
      runTest("Choice.DISABLED_PrintsWhyNot", away + "XCC_DEVICE=cuda:0");
  EXPECT_TRUE(says("refused: XCC_DEVICE=cuda:0: libcuda.so.1 is not installed; "
                   "install the NVIDIA driver",
                   out));
}

TEST(Choice, OldDriver) {
  std::string old = "LD_LIBRARY_PATH=" XCC_TEST_OLD_CUDA " ";
  EXPECT_TRUE(
      says("current: host", runTest("Choice.DISABLED_PrintsWhyNot", old)));
  std::string out =
      runTest("Choice.DISABLED_PrintsWhyNot", old + "XCC_DEVICE=cuda");
  EXPECT_TRUE(
      says("the NVIDIA driver is too old: it lacks cuGetErrorName", out));
}

TEST(Choice, TheLogSaysWhy) {
  std::string test = "Choice.DISABLED_PrintsWhyNot", log = "XCC_LOG=load ";
  EXPECT_TRUE(says("xcc: load: device 0 (cuda:0) chosen", runTest(test, log)));
  EXPECT_TRUE(says("device 0 (cuda:0) chosen by XCC_DEVICE=cuda",
                   runTest(test, log + "XCC_DEVICE=cuda")));
  std::string out = runTest(test, log + "MOCK_CUDA_DEVICES=sm_70");
  EXPECT_TRUE(says("device 0 (cuda:0) is skipped", out));
  EXPECT_TRUE(says("device 1 (host) chosen", out));
  out = runTest(test, log + "LD_LIBRARY_PATH=" XCC_TEST_NO_CUDA);
  EXPECT_TRUE(says("no CUDA device: libcuda.so.1 is not installed", out));
}
