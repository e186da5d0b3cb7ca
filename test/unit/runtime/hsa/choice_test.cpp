// Finding AMD GPUs, and not finding them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "child.h"
#include "hsa_unit.h"

using namespace xcc::test;

namespace {
/// Writes what came of it; the parent looks at that.
class DISABLED_HsaChoice : public ::testing::Test {
protected:
  /// Images for the GPUs of the mock, and for the host.
  static std::string both() { return usualSection() + Unit::defaultSection(); }
  static void tell(xcc_status s) {
    printf("status %s: %s\n", xcc_status_name(s),
           s == XCC_SUCCESS ? "" : xcc_error_last());
  }
  static void tellCurrent() {
    int ordinal = -1, count = -1;
    xcc_status s = xcc_device_get_current(&ordinal);
    tell(s);
    if (s != XCC_SUCCESS)
      return;
    xcc_device_properties p;
    ASSERT_OK(xcc_device_get_properties(ordinal, &p));
    ASSERT_OK(xcc_device_count(&count));
    printf("device %d of %d: %s %s\n", ordinal, count, p.id, p.arch);
  }
};

#define EXPECT_HAS(text, part)                                                 \
  do {                                                                         \
    std::string Text = (text);                                                 \
    EXPECT_NE(Text.find(part), std::string::npos)                              \
        << "no '" << (part) << "' in: " << Text;                               \
  } while (false)
} // namespace

TEST_F(DISABLED_HsaChoice, Current) {
  Unit u(both());
  tellCurrent();
}
TEST_F(DISABLED_HsaChoice, HostOnly) {
  Unit u(Unit::defaultSection());
  tellCurrent();
}

TEST(HsaChoice, FirstGpu) {
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current", "-u XCC_DEVICE"),
             "device 0 of 3: hsa:0 gfx90a:sramecc+:xnack-");
}

TEST(HsaChoice, FirstThatSuits) {
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current",
                      "-u XCC_DEVICE MOCK_HSA_AGENTS=gfx803,gfx1100"),
             "device 1 of 3: hsa:1 gfx1100");
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current",
                      "-u XCC_DEVICE MOCK_HSA_AGENTS=gfx803"),
             ": host x86-64");
}

TEST(HsaChoice, Named) {
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current", "XCC_DEVICE=hsa:1"),
             "hsa:1 gfx1100");
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current", "XCC_DEVICE=host"),
             ": host x86-64");
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current", "XCC_DEVICE=hsa:2"),
             "status XCC_ERROR_INVALID_DEVICE: XCC_DEVICE=hsa:2");
  EXPECT_HAS(
      runChild("DISABLED_HsaChoice.Current", "XCC_DEVICE=hsa MOCK_HSA_AGENTS="),
      "status XCC_ERROR_INVALID_DEVICE: XCC_DEVICE=hsa");
}

TEST(HsaChoice, ProgramsWithoutAmdImagesDoNotLook) {
  // The library is not even opened.
  EXPECT_HAS(runChild("DISABLED_HsaChoice.HostOnly",
                      "-u XCC_DEVICE MOCK_HSA_FAIL=hsa_init:1=0x1008"),
             "device 0 of 1: host");
}

TEST(HsaChoice, NoKernelDriver) {
  // What hsa_init answers without /dev/kfd.
  const std::string broken = "MOCK_HSA_FAIL=hsa_init:1=0x1008 ";
  std::string silent =
      runChild("DISABLED_HsaChoice.Current", "-u XCC_DEVICE " + broken);
  EXPECT_HAS(silent, ": host x86-64");
  EXPECT_EQ(silent.find("kfd"), std::string::npos) << silent;
  std::string asked =
      runChild("DISABLED_HsaChoice.Current", "XCC_DEVICE=hsa " + broken);
  EXPECT_HAS(asked, "status XCC_ERROR_INVALID_DEVICE: XCC_DEVICE=hsa");
  EXPECT_HAS(asked, "is the amdgpu kernel driver loaded (/dev/kfd), and may "
                    "this user open it (group render)?");
  EXPECT_HAS(asked, "HSA_STATUS_ERROR_OUT_OF_RESOURCES");
}

TEST(HsaChoice, NoLibrary) {
  const std::string without = "LD_LIBRARY_PATH=" XCC_TEST_NO_HSA " ";
  if (dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD) == nullptr &&
      access("/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1", F_OK) == 0)
    GTEST_SKIP() << "the system has an HSA runtime";
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current", "-u XCC_DEVICE " + without),
             ": host x86-64");
  EXPECT_HAS(
      runChild("DISABLED_HsaChoice.Current", "XCC_DEVICE=hsa:0 " + without),
      "XCC_DEVICE=hsa:0: libhsa-runtime64.so.1 is not installed; install");
}

/// Each call of the search for devices may fail; nothing crashes, and who asked
/// for AMD GPUs hears which call it was.
TEST(HsaChoice, EachCallOfTheSearch) {
  for (const char *call :
       {"hsa_system_get_info", "hsa_iterate_agents", "hsa_agent_iterate_isas",
        "hsa_isa_get_info_alt", "hsa_amd_agent_iterate_memory_pools",
        "hsa_amd_memory_pool_get_info", "hsa_agent_get_info"})
    EXPECT_HAS(runChild("DISABLED_HsaChoice.Current",
                        std::string("XCC_DEVICE=hsa MOCK_HSA_FAIL=") + call +
                            ":1=0x1000"),
               std::string(call) + " failed");
  // Somebody else may have the system's event handler.
  EXPECT_HAS(runChild("DISABLED_HsaChoice.Current",
                      "XCC_DEVICE=hsa MOCK_HSA_FAIL="
                      "hsa_amd_register_system_event_handler:1=0x1000"),
             "device 0 of 3: hsa:0");
}

namespace {
class DISABLED_HsaStack : public Hsa {};
} // namespace
TEST_F(DISABLED_HsaStack, Launch) {
  uint64_t argument = 0;
  xcc_status s = launch(u.kernel("deep", 8), config(1, 1), argument);
  printf("status %s: %s\n", xcc_status_name(s),
         s == XCC_SUCCESS ? "" : xcc_error_last());
  if (s == XCC_SUCCESS) {
    ASSERT_OK(xcc_device_synchronize(-1));
    xcc::rt::aql::DispatchPacket p;
    memcpy(&p, Mock::record(0).packet, sizeof(p));
    printf("private %u\n", p.privateSegmentSize);
  }
  // The same for kernels of known use.
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1)), s);
  EXPECT_EQ(xcc_device_synchronize(-1), s);
}
TEST_F(DISABLED_HsaStack, Asked) {
  EXPECT_EQ(xcc_device_set_stack(-1, 1000), XCC_ERROR_INVALID_VALUE);
  EXPECT_HAS(xcc_error_last(), "from 1024 to 131072");
  ASSERT_OK(xcc_device_set_stack(-1, 50001));
  uint64_t argument = 0;
  ASSERT_OK(launch(u.kernel("deep", 8), config(1, 1), argument));
  ASSERT_OK(xcc_device_synchronize(-1));
  xcc::rt::aql::DispatchPacket p;
  memcpy(&p, Mock::record(0).packet, sizeof(p));
  printf("private %u\n", p.privateSegmentSize);
}
TEST(HsaChoice, StackSetting) {
  EXPECT_HAS(runChild("DISABLED_HsaStack.Asked", "XCC_HSA_STACK=20000"),
             "private 50016");
  EXPECT_HAS(runChild("DISABLED_HsaStack.Launch", "XCC_HSA_STACK=20000"),
             "private 20000");
  EXPECT_HAS(runChild("DISABLED_HsaStack.Launch", "XCC_HSA_STACK=lots"),
             "XCC_HSA_STACK=lots: expected a number of bytes");
  EXPECT_HAS(runChild("DISABLED_HsaStack.Launch", "XCC_HSA_STACK=16"),
             "from 1024 to 131072");
}

TEST(HsaChoice, TinyQueues) {
  for (const char *size : {"4", "8", "16"})
    runChild("HsaLaunch.TinyQueue", std::string("MOCK_HSA_QUEUE_SIZE=") + size);
}

TEST(HsaChoice, GpusThatDoNotSeeEachOther) {
  runChild("HsaMemory.BetweenGpus", "MOCK_HSA_NO_PEERS=1");
}

namespace {
class DISABLED_HsaSmall : public Hsa {};
} // namespace
TEST_F(DISABLED_HsaSmall, Queue) {
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_ERROR_SYSTEM);
  printf("%s\n", xcc_error_last());
}
TEST(HsaChoice, QueuesTooSmall) {
  EXPECT_HAS(runChild("DISABLED_HsaSmall.Queue", "MOCK_HSA_QUEUE_SIZE=2"),
             "queues of 2 packets");
}
