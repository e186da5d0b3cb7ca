// Kernels of AMD GPUs that call the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock's kernels call with the protocol's own client, so what is answered
// here was answered by the server that the runtime started.

#include "../../../mock/caller.h"
#include "child.h"
#include "devices/context.h"
#include "hsa/driver/driver.h"
#include "hsa_unit.h"
#include "services/host_services.h"

#include <sched.h>

using namespace xcc::test;
using namespace xcc::services;
namespace rt = xcc::rt;

namespace {

/// "call", "large" and "wide" may call, "quiet" may not.
std::string callingSection(bool variables = true) {
  std::vector<TestKernel> kernels = {
      {"call", 0, 0, 0, 0, 0, false, "wave=32\tcalls=1"},
      {"large", 1000, 1000, 0, 0, 0, false, "calls=1"},
      {"wide", 0, 0, 0, 0, 0, false, "wave=128\tcalls=1"},
      {"quiet", 8, 8, 0, 0, 0, false, "wave=32"}};
  std::string code = codeObject(kernels);
  if (variables)
    code += "__xcc_rpc 40 0 0 0\n__xcc_trap_report 8 0 0 0\n";
  return amdSection("gfx90a", kernels, code) +
         amdSection("gfx1100", kernels, code);
}

xcc_launch_config at(uint32_t line) {
  return {{2, 3, 4}, {32, 1, 1}, 0, nullptr, "saxpy.cpp", line};
}

void *variable(const char *name, int gpu = 0) {
  return Mock::get<mock_hsa_variable_fn>("mock_hsa_variable")(name, gpu);
}

xcc_rpc_image imageOn(int gpu) {
  xcc_rpc_image out{};
  if (void *v = variable("__xcc_rpc", gpu))
    memcpy(&out, v, sizeof(out));
  return out;
}

uint32_t calling() {
  rt::Device *d = nullptr;
  EXPECT_EQ(rt::findDevice(-1, d), XCC_SUCCESS);
  return rt::callingKernels(*d);
}

/// The library tells of a kernel's end in a thread of its own.
void waitUntilNobodyCalls() {
  while (calling())
    sched_yield();
}

Answer seen;
uint32_t seenCalling;

void askForTheEnvironment(const void *, const mock_dispatch *) {
  seenCalling = calling();
  seen = ask(variable("__xcc_rpc"), ServiceEnvironment, {0, 0, 0}, "ANSWER");
}

void allocateSome(const void *, const mock_dispatch *) {
  seen = ask(variable("__xcc_rpc"), ServiceAllocate, {1000, 16, 0});
  if (seen.head.result > 0)
    ask(variable("__xcc_rpc"), ServiceFree, {uint64_t(seen.head.result), 0, 0});
}

class HsaCalls : public ::testing::Test {
protected:
  HsaCalls() {
    setenv("XCC_DEVICE", "hsa", 1);
    setenv("ANSWER", "yes, I hear you", 1);
  }
  void TearDown() override {
    EXPECT_EQ(Mock::violation(), "");
    for (const char *name : {"k_call", "k_large", "k_quiet"})
      Mock::body(name, nullptr);
  }
  Unit u{callingSection()};
};
/// Leaves the GPU unusable, or needs another set-up: run in a child.
class DISABLED_HsaCalls : public HsaCalls {};

} // namespace

TEST_F(HsaCalls, TheVariablesAreWritten) {
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  xcc_rpc_image i = imageOn(0);
  EXPECT_NE(i.shared, 0u);
  EXPECT_NE(i.local, 0u);
  EXPECT_GE(i.ports, 64u);
  EXPECT_EQ(i.lanes, 64u);
  EXPECT_EQ(i.heap_size, 64u << 20);
  EXPECT_NE(i.heap_base, 0u);
  xcc_trap_record *record, zero{};
  memcpy(&record, variable("__xcc_trap_report"), sizeof(record));
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(memcmp(record, &zero, sizeof(zero)), 0);
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaCalls, NoVariablesNothingWritten) {
  Unit without(callingSection(false));
  size_t copies = Mock::calls("hsa_amd_memory_async_copy");
  ASSERT_OK(launch(without.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(Mock::calls("hsa_amd_memory_async_copy"), copies);
  waitUntilNobodyCalls();
}

TEST_F(HsaCalls, AKernelIsAnswered) {
  for (const char *name : {"call", "large"}) {
    Mock::body((std::string("k_") + name).c_str(), askForTheEnvironment);
    char arguments[1000] = {};
    size_t size = name[0] == 'l' ? sizeof(arguments) : 0;
    xcc_launch_config c = at(1);
    for (int i = 0; i != 3; ++i) {
      seen = {};
      ASSERT_OK(xcc_kernel_launch(&u.kernel(name, uint32_t(size)), &c,
                                  arguments, size));
      ASSERT_OK(xcc_device_synchronize(-1));
      EXPECT_TRUE(seen.called);
      EXPECT_EQ(seen.bytes, "yes, I hear you");
      EXPECT_GE(seenCalling, 1u);
    }
    waitUntilNobodyCalls();
  }
}

TEST_F(HsaCalls, TheHostListensWhileAKernelRuns) {
  uint64_t argument = 0;
  ASSERT_OK(launch(u.kernel("quiet", 8), at(1), argument));
  ASSERT_OK(xcc_device_synchronize(-1));
  size_t heard = Mock::calls("hsa_amd_signal_async_handler");
  Mock::pause(true);
  ASSERT_OK(launch(u.kernel("quiet", 8), at(1), argument));
  EXPECT_EQ(calling(), 0u);
  EXPECT_EQ(Mock::calls("hsa_amd_signal_async_handler"), heard);
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  ASSERT_OK(launch(u.kernel("call"), at(2)));
  EXPECT_EQ(calling(), 2u);
  Mock::pause(false);
  waitUntilNobodyCalls(); // though nobody has synchronised
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaCalls, AnEndThatIsNotTold) {
  Mock::body("k_call", askForTheEnvironment);
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  waitUntilNobodyCalls();
  Mock::fail("hsa_amd_signal_async_handler", 1, 0x1000);
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(calling(), 0u);
  auto had = rt::hsa::hsa.amd_signal_async_handler;
  rt::hsa::hsa.amd_signal_async_handler = nullptr;
  seen = {};
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_TRUE(seen.called);
  EXPECT_EQ(calling(), 0u);
  rt::hsa::hsa.amd_signal_async_handler = had;
}

TEST_F(HsaCalls, MoreThanAQueueHolds) {
  // Places are used again and again, whoever tells of the ends.
  for (bool told : {true, false}) {
    auto had = rt::hsa::hsa.amd_signal_async_handler;
    if (!told)
      rt::hsa::hsa.amd_signal_async_handler = nullptr;
    for (int i = 0; i != 3000; ++i)
      ASSERT_OK(launch(u.kernel("call"), at(1)));
    ASSERT_OK(xcc_device_synchronize(-1));
    rt::hsa::hsa.amd_signal_async_handler = had;
    waitUntilNobodyCalls();
  }
}

TEST_F(HsaCalls, TooWide) {
  EXPECT_EQ(launch(u.kernel("wide"), at(1)), XCC_ERROR_INVALID_KERNEL);
  EXPECT_NE(std::string(xcc_error_last())
                .find("'wide' calls the host in wavefronts of 128"),
            std::string::npos)
      << xcc_error_last();
}

TEST_F(HsaCalls, EachCallOfTheLibrary) {
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  struct {
    const char *call;
    unsigned nth;
  } cases[] = {{"hsa_executable_get_symbol_by_name", 1},
               {"hsa_executable_get_symbol_by_name", 2},
               {"hsa_executable_symbol_get_info", 1},
               {"hsa_executable_symbol_get_info", 2},
               {"hsa_amd_memory_async_copy", 1},
               {"hsa_amd_memory_async_copy", 2}};
  for (auto &c : cases) {
    Unit fresh(callingSection());
    Mock::fail(c.call, c.nth, 0x1000);
    EXPECT_NE(launch(fresh.kernel("call"), at(1)), XCC_SUCCESS)
        << c.call << " " << c.nth;
    EXPECT_NE(std::string(xcc_error_last()).find(c.call), std::string::npos)
        << xcc_error_last();
    EXPECT_OK(launch(fresh.kernel("call"), at(1)));
    ASSERT_OK(xcc_device_synchronize(-1));
  }
  waitUntilNobodyCalls();
}

TEST_F(HsaCalls, MoreMemoryThanTheHeap) {
  Mock::body("k_call", allocateSome);
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_GT(seen.head.result, 0);
}

TEST_F(HsaCalls, OneServerForADeviceAndOneForEach) {
  Unit other(callingSection());
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  xcc_rpc_image first = imageOn(0);
  ASSERT_OK(launch(other.kernel("call"), at(1)));
  xcc_rpc_image second = imageOn(0);
  EXPECT_EQ(memcmp(&first, &second, sizeof(first)), 0);
  ASSERT_OK(xcc_device_synchronize(-1));
  int was;
  ASSERT_OK(xcc_device_get_current(&was));
  ASSERT_OK(xcc_device_set_current(was + 1));
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  xcc_rpc_image third = imageOn(1);
  EXPECT_NE(third.shared, first.shared);
  EXPECT_NE(third.local, first.local);
  EXPECT_EQ(third.lanes, 64u);
  waitUntilNobodyCalls();
  ASSERT_OK(xcc_device_set_current(was));
}

TEST_F(DISABLED_HsaCalls, Trap) {
  ASSERT_OK(launch(u.kernel("call"), at(2)));
  ASSERT_OK(xcc_device_synchronize(-1));
  leaveWord(variable("__xcc_trap_report"), XCC_CPU_TRAP_ASSERT, "i < n",
            "a.cpp", 7);
  Mock::failDispatch(1, 0x1016);
  ASSERT_OK(launch(u.kernel("call"), at(3)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_STREQ(xcc_error_last(),
               "kernel 'call' launched at saxpy.cpp:3 failed on device 0 "
               "(hsa:0): assertion failed: i < n (a.cpp:7), in thread (1, 0, "
               "0) of block (2, 0, 0) (HSA_STATUS_ERROR_EXCEPTION); a grid of "
               "(2, 3, 4) with blocks of (32, 1, 1)");
  waitUntilNobodyCalls();
  EXPECT_NE(launch(u.kernel("call"), at(4)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
}
TEST(HsaCallsInChildren, ATrapSaysWhy) { runChild("DISABLED_HsaCalls.Trap"); }

TEST_F(DISABLED_HsaCalls, FaultWithoutWord) {
  ASSERT_OK(launch(u.kernel("call"), at(2)));
  ASSERT_OK(xcc_device_synchronize(-1));
  Mock::fault(1, 0x1000, 1);
  ASSERT_OK(launch(u.kernel("call"), at(3)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_NE(std::string(xcc_error_last()).find("invalid memory access"),
            std::string::npos);
  waitUntilNobodyCalls();
}
TEST(HsaCallsInChildren, AFaultWithoutWord) {
  runChild("DISABLED_HsaCalls.FaultWithoutWord");
}

TEST_F(DISABLED_HsaCalls, Heap) {
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  EXPECT_EQ(imageOn(0).heap_size, 4096u);
}
TEST(HsaCallsInChildren, TheHeapsSize) {
  runChild("DISABLED_HsaCalls.Heap", "XCC_DEVICE_HEAP=4096");
}

TEST_F(DISABLED_HsaCalls, Exit) {
  Mock::body("k_call", [](const void *, const mock_dispatch *) {
    printf("[  PASSED  ] 1 test\n");
    fflush(stdout);
    ask(variable("__xcc_rpc"), ServiceExit, {0, ExitNormal, 0});
    printf("came back\n");
  });
  ASSERT_OK(launch(u.kernel("call"), at(1)));
  (void)xcc_device_synchronize(-1);
  FAIL() << "exit returned";
}
TEST(HsaCallsInChildren, DeviceCodeEndsTheProcess) {
  // Its kernel never ends, so nothing may wait for it.
  std::string output = runChild("DISABLED_HsaCalls.Exit");
  EXPECT_EQ(output.find("came back"), std::string::npos) << output;
}
