// Kernels of NVIDIA GPUs that call the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock's kernels call with the protocol's own client, so what is answered
// here was answered by the server that the runtime started.

#include "../../../mock/caller.h"
#include "cuda_unit.h"
#include "src/context.h"
#include "src/services/host_services.h"

using namespace xcc::test;
using namespace xcc::services;
namespace rt = xcc::rt;
using namespace xcc::rt::cuda;

namespace {

constexpr const char *Both = " __xcc_rpc __xcc_trap_report";

/// k_call may call, k_quiet may not.
std::string callingImage(const std::string &Variables = Both,
                         const std::string &Arch = "sm_90") {
  std::string Data = "k_call k_quiet of " + Arch + Variables + '\0';
  return writeOffloadBinary(
      Data,
      {{"triple", "nvptx64-nvidia-cuda"},
       {"arch", Arch},
       {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
       {"xcc.hash", hashText(Data)},
       {"xcc.kernels",
        kernelRows(
            {{.symbol = "k_call", .name = "call", .columns = "x=1\tcalls=1"},
             {.symbol = "k_quiet", .name = "quiet", .columns = "calls=10"}})}},
      Cubin);
}

struct CallingUnit : Unit {
  explicit CallingUnit(const std::string &Section = callingImage())
      : Unit(Section) {}
};

xcc_launch_config at(uint32_t Line) {
  return {{2, 3, 4}, {32, 1, 1}, 0, nullptr, "saxpy.cpp", Line};
}

void *variable(const char *Name, int Device = 0) {
  return reinterpret_cast<decltype(&mock_cuda_variable)>(
      mock::find("mock_cuda_variable"))(Name, Device);
}

xcc_rpc_image imageOn(int Device) {
  xcc_rpc_image Out{};
  if (void *V = variable("__xcc_rpc", Device))
    memcpy(&Out, V, sizeof(Out));
  return Out;
}

uint32_t calling(int Ordinal = 0) {
  rt::Device *D = nullptr;
  EXPECT_EQ(rt::findDevice(Ordinal, D), XCC_SUCCESS);
  return rt::callingKernels(*D);
}

/// What the last kernel saw.
Answer Seen;
uint32_t SeenCalling;

void askForTheEnvironment(const void *, const mock_launch *) {
  SeenCalling = calling();
  Seen = ask(variable("__xcc_rpc"), ServiceEnvironment, {0, 0, 0}, "ANSWER");
}

/// A function of the host that adds one to what it is given.
void addOne(xcc_segment *S) { ++*static_cast<int *>(S[0].data); }
const xcc_host_entry Entries[] = {{42, addOne, "addOne"}};
xcc_host_table Table{nullptr, Entries, 1};

void callTheHost(const void *, const mock_launch *) {
  SegmentHeader H{sizeof(int), SegmentIn | SegmentOut};
  int Value = 41;
  std::string Rest(reinterpret_cast<const char *>(&H), sizeof(H));
  Rest.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
  Seen = ask(variable("__xcc_rpc"), ServiceHostCall, {42, 1, 0}, Rest);
}

void printIt(const void *, const mock_launch *) {
  Seen = ask(variable("__xcc_rpc"), ServiceWrite, {FileOut, 0, 0},
             "words of a kernel\n");
}

void allocateSome(const void *, const mock_launch *) {
  Seen = ask(variable("__xcc_rpc"), ServiceAllocate, {1000, 16, 0});
  if (Seen.Head.Result > 0)
    ask(variable("__xcc_rpc"), ServiceFree, {uint64_t(Seen.Head.Result), 0, 0});
}

void trap(const void *, const mock_launch *) {
  leaveWord(variable("__xcc_trap_report"), XCC_CPU_TRAP_ASSERT, "i < n",
            "a.cpp", 7);
  mock::fault(LaunchFailed);
}

} // namespace

TEST(CudaCalls, TheVariablesAreWritten) {
  CallingUnit U;
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS) << xcc_last_error();
  xcc_rpc_image I = imageOn(0);
  EXPECT_NE(I.shared, 0u);
  EXPECT_NE(I.local, 0u);
  EXPECT_EQ(I.ports, 64u); // 16 for each of 4 multiprocessors
  EXPECT_EQ(I.lanes, 32u);
  EXPECT_EQ(I.heap_size, 64u << 20);
  EXPECT_NE(I.heap_base, 0u);
  xcc_trap_record *Record, Zero{};
  memcpy(&Record, variable("__xcc_trap_report"), sizeof(Record));
  ASSERT_NE(Record, nullptr);
  EXPECT_EQ(memcmp(Record, &Zero, sizeof(Zero)), 0);
  // Before the kernel, and waited for.
  std::string Calls = mock::calls();
  size_t Copy = Calls.rfind("cuMemcpyAsync"),
         Wait = Calls.find("cuStreamSynchronize", Copy),
         Launch = Calls.find("cuLaunchKernel");
  EXPECT_LT(Copy, Wait);
  EXPECT_LT(Wait, Launch);
}

TEST(CudaCalls, NoVariablesNoServer) {
  CallingUnit U(callingImage(""));
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
  EXPECT_EQ(mock::count("cuMemHostAlloc"), 0u);
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 0u);
}

TEST(CudaCalls, OnlyATrapReport) {
  CallingUnit U(callingImage(" __xcc_trap_report"));
  mock::setKernel("k_quiet", trap);
  ASSERT_EQ(launch(U.kernel("quiet"), at(3)), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("assertion failed: i < n (a.cpp:7)");
}

TEST(CudaCalls, AKernelIsAnswered) {
  setenv("ANSWER", "yes, I hear you", 1);
  CallingUnit U;
  mock::setKernel("k_call", askForTheEnvironment);
  for (int I = 0; I != 3; ++I) {
    Seen = {};
    ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
    EXPECT_TRUE(Seen.Called);
    EXPECT_EQ(Seen.Bytes, "yes, I hear you");
    EXPECT_EQ(SeenCalling, 1u);
    EXPECT_EQ(calling(), 0u); // its end was told
  }
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
}

TEST(CudaCalls, AFunctionOfTheHost) {
  xcc_host_table_register(&Table);
  CallingUnit U;
  mock::setKernel("k_call", callTheHost);
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  ASSERT_EQ(Seen.Bytes.size(), sizeof(int));
  int Value;
  memcpy(&Value, Seen.Bytes.data(), sizeof(Value));
  EXPECT_EQ(Value, 42);
  xcc_host_table_unregister(&Table);
}

TEST(CudaCalls, DISABLED_Prints) {
  CallingUnit U;
  mock::setKernel("k_call", printIt);
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
}
TEST(CudaCalls, Prints) {
  EXPECT_TRUE(
      says("words of a kernel\n", runTest("CudaCalls.DISABLED_Prints", "A=1")));
}

TEST(CudaCalls, KernelsThatDoNotCallPayNothing) {
  CallingUnit U;
  mock::setKernel("k_quiet", [](const void *, const mock_launch *) {
    SeenCalling = calling();
  });
  ASSERT_EQ(launch(U.kernel("quiet"), at(1)), XCC_SUCCESS);
  mock::clear();
  SeenCalling = 7;
  ASSERT_EQ(launch(U.kernel("quiet"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(SeenCalling, 0u);
  EXPECT_EQ(mock::count(nullptr), 1u);
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  mock::clear();
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_TRUE(says("cuLaunchHostFunc", mock::calls()));
}

TEST(CudaCalls, ALaunchThatFailsEndsItsCalls) {
  CallingUnit U;
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  mock::fail("cuLaunchKernel", 1, 999);
  EXPECT_NE(launch(U.kernel("call"), at(2)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, AnEndThatIsNotTold) {
  CallingUnit U;
  mock::setKernel("k_call", askForTheEnvironment);
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  mock::fail("cuLaunchHostFunc", 1, 2);
  ASSERT_EQ(launch(U.kernel("call"), at(2)), XCC_SUCCESS);
  mock::fail("cuLaunchHostFunc", 1, 2);
  ASSERT_EQ(launch(U.kernel("call"), at(2)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 2u);
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
  mock::fail("cuLaunchHostFunc", 1, 2);
  ASSERT_EQ(launch(U.kernel("call"), at(2)), XCC_SUCCESS);
  EXPECT_EQ(xcc_stream_query(nullptr), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, ATrapSaysWhy) {
  CallingUnit U;
  mock::setKernel("k_call", trap);
  ASSERT_EQ(launch(U.kernel("quiet"), at(2)), XCC_SUCCESS);
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  // The mock's kernel has ended when the launch returns, and the context with
  // it: the host function behind it is refused.
  EXPECT_EQ(launch(U.kernel("call"), at(3)), XCC_ERROR_LAUNCH_FAILED);
  const char *Said = "kernel 'call' (saxpy.cpp:3) of a grid of (2, 3, 4) with "
                     "blocks of (32, 1, 1) failed on device 0 (cuda:0): "
                     "assertion failed: i < n (a.cpp:7), in thread (1, 0, 0) "
                     "of block (2, 0, 0) (CUDA_ERROR_LAUNCH_FAILED)";
  EXPECT_SAYS(Said);
  EXPECT_EQ(calling(), 0u);
  EXPECT_NE(launch(U.kernel("call"), at(4)), XCC_SUCCESS);
  EXPECT_SAYS("is unusable since kernel 'call'");
  EXPECT_SAYS("assertion failed: i < n (a.cpp:7)");
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, WithoutWordTheDriverSpeaks) {
  CallingUnit U;
  mock::setKernel("k_quiet", [](const void *, const mock_launch *) {
    mock::fault(LaunchFailed);
  });
  ASSERT_EQ(launch(U.kernel("quiet"), at(3)), XCC_SUCCESS);
  EXPECT_NE(xcc_device_synchronize(-1), XCC_SUCCESS);
  EXPECT_SAYS("unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)");
}

TEST(CudaCalls, EachNewCallOfTheDriver) {
  struct {
    const char *Call;
    const char *Says;
  } Cases[] = {
      {"cuStreamCreate", "making a stream failed"},
      {"cuModuleGetGlobal_v2", "looking up a variable of an image failed"},
      {"cuMemHostGetDevicePointer_v2", "mapping host memory for the device"},
      {"cuMemHostAlloc", "allocating page-locked host memory failed"},
      {"cuMemAlloc_v2", "allocating memory failed"},
      {"cuMemsetD8Async", "the fill of"},
      {"cuMemcpyAsync", "the copy of 40 bytes failed"}};
  CallingUnit First; // for which devices are looked for
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS); // has its stream
  for (auto &C : Cases) {
    CallingUnit U;
    mock::fail(C.Call, 1, 999);
    EXPECT_NE(launch(U.kernel("call"), at(1)), XCC_SUCCESS) << C.Call;
    EXPECT_TRUE(says(C.Says, xcc_last_error())) << C.Call;
  }
  CallingUnit U;
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, AnOldDriver) {
  CallingUnit U;
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS); // the table is filled in
  auto Had = TheDriver;
  TheDriver.ModuleGetGlobal = nullptr;
  EXPECT_EQ(launch(U.kernel("quiet"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(launch(U.kernel("call"), at(1)), XCC_ERROR_INVALID_DEVICE);
  EXPECT_SAYS("kernel 'call' calls the host, for which the NVIDIA driver lacks "
              "cuModuleGetGlobal_v2");
  TheDriver.ModuleGetGlobal = Had.ModuleGetGlobal;
  TheDriver.MemHostGetDevicePointer = nullptr;
  CallingUnit Other;
  setenv("ANSWER", "still", 1);
  mock::setKernel("k_call", askForTheEnvironment);
  EXPECT_EQ(launch(Other.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(Seen.Bytes, "still");
}

TEST(CudaCalls, DISABLED_Heap) {
  CallingUnit U;
  const char *Wanted = getenv("EXPECTED");
  xcc_status S = launch(U.kernel("call"), at(1));
  if (Wanted[0] < '0' || Wanted[0] > '9') {
    EXPECT_NE(S, XCC_SUCCESS);
    EXPECT_SAYS(Wanted);
    return;
  }
  ASSERT_EQ(S, XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(imageOn(0).heap_size, strtoull(Wanted, nullptr, 10));
  EXPECT_EQ(imageOn(0).heap_base == 0, imageOn(0).heap_size == 0);
}

TEST(CudaCalls, TheHeapsSize) {
  auto Try = [](const char *Value, const char *Expected) {
    runTest("CudaCalls.DISABLED_Heap", std::string("XCC_DEVICE_HEAP='") +
                                           Value + "' EXPECTED='" + Expected +
                                           "'");
  };
  Try("", "67108864");
  Try("0", "0");
  Try("4096", "4096");
  for (const char *Bad : {"-1", "4k", "1e9", "99999999999999"})
    Try(Bad, (std::string("XCC_DEVICE_HEAP=") + Bad +
              ": expected a number of bytes from 0 to 1099511627776")
                 .c_str());
  Try("1099511627776", "XCC_DEVICE_HEAP is how many bytes it gets, "
                       "1099511627776 as things are");
}

TEST(CudaCalls, MoreMemoryThanTheHeap) {
  CallingUnit U;
  mock::setKernel("k_call", allocateSome);
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_GT(Seen.Head.Result, 0);
  // With nothing that waits for a kernel.
  std::string Calls = mock::calls();
  size_t From = Calls.find("cuLaunchKernel");
  EXPECT_NE(Calls.find("cuMemAllocAsync(1000", From), std::string::npos);
  EXPECT_NE(Calls.find("cuMemFreeAsync", From), std::string::npos);
  EXPECT_EQ(Calls.find("cuMemFree_v2", From), std::string::npos);
}

TEST(CudaCalls, DISABLED_NoPools) {
  CallingUnit U;
  mock::setKernel("k_call", allocateSome);
  ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_LE(Seen.Head.Result, 0);
  EXPECT_TRUE(Seen.Called);
}
TEST(CudaCalls, NoMoreMemoryWithoutPools) {
  runTest("CudaCalls.DISABLED_NoPools", "MOCK_CUDA_POOLS=0");
}

TEST(CudaCalls, ImagesOfADeviceShareAServer) {
  CallingUnit A, B;
  ASSERT_EQ(launch(A.kernel("call"), at(1)), XCC_SUCCESS);
  xcc_rpc_image First = imageOn(0);
  size_t Allocated = mock::count("cuMemHostAlloc");
  ASSERT_EQ(launch(B.kernel("call"), at(1)), XCC_SUCCESS);
  xcc_rpc_image Second = imageOn(0);
  EXPECT_EQ(memcmp(&First, &Second, sizeof(First)), 0);
  EXPECT_EQ(mock::count("cuMemHostAlloc"), Allocated);
}

TEST(CudaCalls, DISABLED_TwoDevices) {
  CallingUnit U;
  for (int D : {0, 1}) {
    xcc::device::get(D).set_current();
    ASSERT_EQ(launch(U.kernel("call"), at(1)), XCC_SUCCESS);
  }
  EXPECT_NE(imageOn(0).shared, imageOn(1).shared);
  EXPECT_NE(imageOn(0).local, imageOn(1).local);
  EXPECT_NE(imageOn(1).shared, 0u);
}
TEST(CudaCalls, TwoDevicesHaveTwoServers) {
  runTest("CudaCalls.DISABLED_TwoDevices", "MOCK_CUDA_DEVICES=sm_90,sm_90");
}

TEST(CudaCalls, DISABLED_Exit) {
  CallingUnit U;
  mock::setKernel("k_call", [](const void *, const mock_launch *) {
    printf("[  PASSED  ] 1 test\n");
    fflush(stdout);
    ask(variable("__xcc_rpc"), ServiceExit, {0, ExitNormal, 0});
    printf("came back\n");
  });
  (void)launch(U.kernel("call"), at(1));
  FAIL() << "exit returned";
}
TEST(CudaCalls, DeviceCodeEndsTheProcess) {
  // Its kernel never ends, so nothing may wait for it.
  std::string Output = runTest("CudaCalls.DISABLED_Exit", "A=1");
  EXPECT_EQ(Output.find("came back"), std::string::npos) << Output;
}
