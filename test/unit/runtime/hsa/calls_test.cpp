// Kernels of AMD GPUs that call the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock's kernels call with the protocol's own client, so what is answered
// here was answered by the server that the runtime started.

#include "../../../mock/caller.h"
#include "child.h"
#include "hsa_unit.h"
#include "src/context.h"
#include "src/services/host_services.h"
#include "src/hsa/driver.h"

#include <sched.h>

using namespace xcc::test;
using namespace xcc::services;
namespace rt = xcc::rt;

namespace {

/// "call", "large" and "wide" may call, "quiet" may not.
std::string callingSection(bool Variables = true) {
  std::vector<TestKernel> Kernels = {
      {"call", 0, 0, 0, 0, 0, false, "wave=32\tcalls=1"},
      {"large", 1000, 1000, 0, 0, 0, false, "calls=1"},
      {"wide", 0, 0, 0, 0, 0, false, "wave=128\tcalls=1"},
      {"quiet", 8, 8, 0, 0, 0, false, "wave=32"}};
  std::string Code = codeObject(Kernels);
  if (Variables)
    Code += "__xcc_rpc 40 0 0 0\n__xcc_trap_report 8 0 0 0\n";
  return amdSection("gfx90a", Kernels, Code) +
         amdSection("gfx1100", Kernels, Code);
}

xcc_launch_config at(uint32_t Line) {
  return {{2, 3, 4}, {32, 1, 1}, 0, nullptr, "saxpy.cpp", Line};
}

void *variable(const char *Name, int Gpu = 0) {
  return Mock::get<mock_hsa_variable_fn>("mock_hsa_variable")(Name, Gpu);
}

xcc_rpc_image imageOn(int Gpu) {
  xcc_rpc_image Out{};
  if (void *V = variable("__xcc_rpc", Gpu))
    memcpy(&Out, V, sizeof(Out));
  return Out;
}

uint32_t calling() {
  rt::Device *D = nullptr;
  EXPECT_EQ(rt::findDevice(-1, D), XCC_SUCCESS);
  return rt::callingKernels(*D);
}

/// The library tells of a kernel's end in a thread of its own.
void waitUntilNobodyCalls() {
  while (calling())
    sched_yield();
}

Answer Seen;
uint32_t SeenCalling;

void askForTheEnvironment(const void *, const mock_dispatch *) {
  SeenCalling = calling();
  Seen = ask(variable("__xcc_rpc"), ServiceEnvironment, {0, 0, 0}, "ANSWER");
}

void allocateSome(const void *, const mock_dispatch *) {
  Seen = ask(variable("__xcc_rpc"), ServiceAllocate, {1000, 16, 0});
  if (Seen.Head.Result > 0)
    ask(variable("__xcc_rpc"), ServiceFree, {uint64_t(Seen.Head.Result), 0, 0});
}

class HsaCalls : public ::testing::Test {
protected:
  HsaCalls() {
    setenv("XCC_DEVICE", "hsa", 1);
    setenv("ANSWER", "yes, I hear you", 1);
  }
  void TearDown() override {
    EXPECT_EQ(Mock::violation(), "");
    for (const char *Name : {"k_call", "k_large", "k_quiet"})
      Mock::body(Name, nullptr);
  }
  Unit U{callingSection()};
};
/// Leaves the GPU unusable, or needs another set-up: run in a child.
class DISABLED_HsaCalls : public HsaCalls {};

} // namespace

TEST_F(HsaCalls, TheVariablesAreWritten) {
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  xcc_rpc_image I = imageOn(0);
  EXPECT_NE(I.shared, 0u);
  EXPECT_NE(I.local, 0u);
  EXPECT_GE(I.ports, 64u);
  EXPECT_EQ(I.lanes, 64u);
  EXPECT_EQ(I.heap_size, 64u << 20);
  EXPECT_NE(I.heap_base, 0u);
  xcc_trap_record *Record, Zero{};
  memcpy(&Record, variable("__xcc_trap_report"), sizeof(Record));
  ASSERT_NE(Record, nullptr);
  EXPECT_EQ(memcmp(Record, &Zero, sizeof(Zero)), 0);
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaCalls, NoVariablesNothingWritten) {
  Unit Without(callingSection(false));
  size_t Copies = Mock::calls("hsa_amd_memory_async_copy");
  ASSERT_OK(launch(Without.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(Mock::calls("hsa_amd_memory_async_copy"), Copies);
  waitUntilNobodyCalls();
}

TEST_F(HsaCalls, AKernelIsAnswered) {
  for (const char *Name : {"call", "large"}) {
    Mock::body((std::string("k_") + Name).c_str(), askForTheEnvironment);
    char Arguments[1000] = {};
    size_t Size = Name[0] == 'l' ? sizeof(Arguments) : 0;
    xcc_launch_config C = at(1);
    for (int I = 0; I != 3; ++I) {
      Seen = {};
      ASSERT_OK(
          xcc_launch(&U.kernel(Name, uint32_t(Size)), &C, Arguments, Size));
      ASSERT_OK(xcc_device_synchronize(-1));
      EXPECT_TRUE(Seen.Called);
      EXPECT_EQ(Seen.Bytes, "yes, I hear you");
      EXPECT_GE(SeenCalling, 1u);
    }
    waitUntilNobodyCalls();
  }
}

TEST_F(HsaCalls, TheHostListensWhileAKernelRuns) {
  uint64_t Argument = 0;
  ASSERT_OK(launch(U.kernel("quiet", 8), at(1), Argument));
  ASSERT_OK(xcc_device_synchronize(-1));
  size_t Heard = Mock::calls("hsa_amd_signal_async_handler");
  Mock::pause(true);
  ASSERT_OK(launch(U.kernel("quiet", 8), at(1), Argument));
  EXPECT_EQ(calling(), 0u);
  EXPECT_EQ(Mock::calls("hsa_amd_signal_async_handler"), Heard);
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  ASSERT_OK(launch(U.kernel("call"), at(2)));
  EXPECT_EQ(calling(), 2u);
  Mock::pause(false);
  waitUntilNobodyCalls(); // though nobody has synchronised
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaCalls, AnEndThatIsNotTold) {
  Mock::body("k_call", askForTheEnvironment);
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  waitUntilNobodyCalls();
  Mock::fail("hsa_amd_signal_async_handler", 1, 0x1000);
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(calling(), 0u);
  auto Had = rt::hsa::Hsa.amd_signal_async_handler;
  rt::hsa::Hsa.amd_signal_async_handler = nullptr;
  Seen = {};
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_TRUE(Seen.Called);
  EXPECT_EQ(calling(), 0u);
  rt::hsa::Hsa.amd_signal_async_handler = Had;
}

TEST_F(HsaCalls, MoreThanAQueueHolds) {
  // Places are used again and again, whoever tells of the ends.
  for (bool Told : {true, false}) {
    auto Had = rt::hsa::Hsa.amd_signal_async_handler;
    if (!Told)
      rt::hsa::Hsa.amd_signal_async_handler = nullptr;
    for (int I = 0; I != 3000; ++I)
      ASSERT_OK(launch(U.kernel("call"), at(1)));
    ASSERT_OK(xcc_device_synchronize(-1));
    rt::hsa::Hsa.amd_signal_async_handler = Had;
    waitUntilNobodyCalls();
  }
}

TEST_F(HsaCalls, TooWide) {
  EXPECT_EQ(launch(U.kernel("wide"), at(1)), XCC_ERROR_INVALID_KERNEL);
  EXPECT_NE(std::string(xcc_last_error())
                .find("'wide' calls the host in wavefronts of 128"),
            std::string::npos)
      << xcc_last_error();
}

TEST_F(HsaCalls, EachCallOfTheLibrary) {
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  struct {
    const char *Call;
    unsigned Nth;
  } Cases[] = {{"hsa_executable_get_symbol_by_name", 1},
               {"hsa_executable_get_symbol_by_name", 2},
               {"hsa_executable_symbol_get_info", 1},
               {"hsa_executable_symbol_get_info", 2},
               {"hsa_amd_memory_async_copy", 1},
               {"hsa_amd_memory_async_copy", 2}};
  for (auto &C : Cases) {
    Unit Fresh(callingSection());
    Mock::fail(C.Call, C.Nth, 0x1000);
    EXPECT_NE(launch(Fresh.kernel("call"), at(1)), XCC_SUCCESS)
        << C.Call << " " << C.Nth;
    EXPECT_NE(std::string(xcc_last_error()).find(C.Call), std::string::npos)
        << xcc_last_error();
    EXPECT_OK(launch(Fresh.kernel("call"), at(1)));
    ASSERT_OK(xcc_device_synchronize(-1));
  }
  waitUntilNobodyCalls();
}

TEST_F(HsaCalls, MoreMemoryThanTheHeap) {
  Mock::body("k_call", allocateSome);
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_GT(Seen.Head.Result, 0);
}

TEST_F(HsaCalls, OneServerForADeviceAndOneForEach) {
  Unit Other(callingSection());
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  xcc_rpc_image First = imageOn(0);
  ASSERT_OK(launch(Other.kernel("call"), at(1)));
  xcc_rpc_image Second = imageOn(0);
  EXPECT_EQ(memcmp(&First, &Second, sizeof(First)), 0);
  ASSERT_OK(xcc_device_synchronize(-1));
  int Was;
  ASSERT_OK(xcc_device_get_current(&Was));
  ASSERT_OK(xcc_device_set_current(Was + 1));
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  xcc_rpc_image Third = imageOn(1);
  EXPECT_NE(Third.shared, First.shared);
  EXPECT_NE(Third.local, First.local);
  EXPECT_EQ(Third.lanes, 64u);
  waitUntilNobodyCalls();
  ASSERT_OK(xcc_device_set_current(Was));
}

TEST_F(DISABLED_HsaCalls, Trap) {
  ASSERT_OK(launch(U.kernel("call"), at(2)));
  ASSERT_OK(xcc_device_synchronize(-1));
  leaveWord(variable("__xcc_trap_report"), XCC_CPU_TRAP_ASSERT, "i < n",
            "a.cpp", 7);
  Mock::failDispatch(1, 0x1016);
  ASSERT_OK(launch(U.kernel("call"), at(3)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_STREQ(xcc_last_error(),
               "kernel 'call' launched at saxpy.cpp:3 failed on device 0 "
               "(hsa:0): assertion failed: i < n (a.cpp:7), in thread (1, 0, "
               "0) of block (2, 0, 0) (HSA_STATUS_ERROR_EXCEPTION); a grid of "
               "(2, 3, 4) with blocks of (32, 1, 1)");
  waitUntilNobodyCalls();
  EXPECT_NE(launch(U.kernel("call"), at(4)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
}
TEST(HsaCallsInChildren, ATrapSaysWhy) { runChild("DISABLED_HsaCalls.Trap"); }

TEST_F(DISABLED_HsaCalls, FaultWithoutWord) {
  ASSERT_OK(launch(U.kernel("call"), at(2)));
  ASSERT_OK(xcc_device_synchronize(-1));
  Mock::fault(1, 0x1000, 1);
  ASSERT_OK(launch(U.kernel("call"), at(3)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_NE(std::string(xcc_last_error()).find("invalid memory access"),
            std::string::npos);
  waitUntilNobodyCalls();
}
TEST(HsaCallsInChildren, AFaultWithoutWord) {
  runChild("DISABLED_HsaCalls.FaultWithoutWord");
}

TEST_F(DISABLED_HsaCalls, Heap) {
  ASSERT_OK(launch(U.kernel("call"), at(1)));
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
  ASSERT_OK(launch(U.kernel("call"), at(1)));
  (void)xcc_device_synchronize(-1);
  FAIL() << "exit returned";
}
TEST(HsaCallsInChildren, DeviceCodeEndsTheProcess) {
  // Its kernel never ends, so nothing may wait for it.
  std::string Output = runChild("DISABLED_HsaCalls.Exit");
  EXPECT_EQ(Output.find("came back"), std::string::npos) << Output;
}
