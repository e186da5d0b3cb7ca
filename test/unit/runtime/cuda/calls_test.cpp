// Kernels of NVIDIA GPUs that call the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock's kernels call with the protocol's own client, so what is answered
// here was answered by the server that the runtime started.

#include "../../../mock/caller.h"
#include "cuda_unit.h"
#include "devices/context.h"
#include "services/host_services.h"

using namespace xcc::test;
using namespace xcc::services;
namespace rt = xcc::rt;
using namespace xcc::rt::cuda;

namespace {

constexpr const char *Both = " __xcc_rpc __xcc_trap_report";

/// k_call may call, k_quiet may not.
std::string callingImage(const std::string &variables = Both,
                         const std::string &arch = "sm_90") {
  std::string data = "k_call k_quiet of " + arch + variables + '\0';
  return writeOffloadBinary(
      data,
      {{"triple", "nvptx64-nvidia-cuda"},
       {"arch", arch},
       {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
       {"xcc.hash", hashText(data)},
       {"xcc.kernels",
        kernelRows(
            {{.symbol = "k_call", .name = "call", .columns = "x=1\tcalls=1"},
             {.symbol = "k_quiet", .name = "quiet", .columns = "calls=10"}})}},
      Cubin);
}

struct CallingUnit : Unit {
  explicit CallingUnit(const std::string &section = callingImage())
      : Unit(section) {}
};

xcc_launch_config at(uint32_t line) {
  return {{2, 3, 4}, {32, 1, 1}, 0, nullptr, "saxpy.cpp", line};
}

void *variable(const char *name, int device = 0) {
  return reinterpret_cast<decltype(&mock_cuda_variable)>(
      mock::find("mock_cuda_variable"))(name, device);
}

xcc_rpc_image imageOn(int device) {
  xcc_rpc_image out{};
  if (void *v = variable("__xcc_rpc", device))
    memcpy(&out, v, sizeof(out));
  return out;
}

uint32_t calling(int ordinal = 0) {
  rt::Device *d = nullptr;
  EXPECT_EQ(rt::findDevice(ordinal, d), XCC_SUCCESS);
  return rt::callingKernels(*d);
}

/// What the last kernel saw.
Answer seen;
uint32_t seenCalling;

void askForTheEnvironment(const void *, const mock_launch *) {
  seenCalling = calling();
  seen = ask(variable("__xcc_rpc"), ServiceEnvironment, {0, 0, 0}, "ANSWER");
}

/// A function of the host that adds one to what it is given.
void addOne(xcc_segment *s) { ++*static_cast<int *>(s[0].data); }
const xcc_host_entry Entries[] = {{42, addOne, "addOne"}};
xcc_host_table table{nullptr, Entries, 1};

void callTheHost(const void *, const mock_launch *) {
  SegmentHeader h{sizeof(int), SegmentIn | SegmentOut};
  int value = 41;
  std::string rest(reinterpret_cast<const char *>(&h), sizeof(h));
  rest.append(reinterpret_cast<const char *>(&value), sizeof(value));
  seen = ask(variable("__xcc_rpc"), ServiceHostCall, {42, 1, 0}, rest);
}

void printIt(const void *, const mock_launch *) {
  seen = ask(variable("__xcc_rpc"), ServiceWrite, {FileOut, 0, 0},
             "words of a kernel\n");
}

void allocateSome(const void *, const mock_launch *) {
  seen = ask(variable("__xcc_rpc"), ServiceAllocate, {1000, 16, 0});
  if (seen.head.result > 0)
    ask(variable("__xcc_rpc"), ServiceFree, {uint64_t(seen.head.result), 0, 0});
}

void trap(const void *, const mock_launch *) {
  leaveWord(variable("__xcc_trap_report"), XCC_CPU_TRAP_ASSERT, "i < n",
            "a.cpp", 7);
  mock::fault(LaunchFailed);
}

} // namespace

TEST(CudaCalls, TheVariablesAreWritten) {
  CallingUnit u;
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS) << xcc_error_last();
  xcc_rpc_image i = imageOn(0);
  EXPECT_NE(i.shared, 0u);
  EXPECT_NE(i.local, 0u);
  EXPECT_EQ(i.ports, 64u); // 16 for each of 4 multiprocessors
  EXPECT_EQ(i.lanes, 32u);
  EXPECT_EQ(i.heap_size, 64u << 20);
  EXPECT_NE(i.heap_base, 0u);
  xcc_trap_record *record, zero{};
  memcpy(&record, variable("__xcc_trap_report"), sizeof(record));
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(memcmp(record, &zero, sizeof(zero)), 0);
  // Before the kernel, and waited for.
  std::string calls = mock::calls();
  size_t copy = calls.rfind("cuMemcpyAsync"),
         wait = calls.find("cuStreamSynchronize", copy),
         launch = calls.find("cuLaunchKernel");
  EXPECT_LT(copy, wait);
  EXPECT_LT(wait, launch);
}

TEST(CudaCalls, NoVariablesNoServer) {
  CallingUnit u(callingImage(""));
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
  EXPECT_EQ(mock::count("cuMemHostAlloc"), 0u);
  EXPECT_EQ(mock::count("cuMemcpyAsync"), 0u);
}

TEST(CudaCalls, OnlyATrapReport) {
  CallingUnit u(callingImage(" __xcc_trap_report"));
  mock::setKernel("k_quiet", trap);
  ASSERT_EQ(launch(u.kernel("quiet"), at(3)), XCC_SUCCESS);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_SAYS("assertion failed: i < n (a.cpp:7)");
}

TEST(CudaCalls, AKernelIsAnswered) {
  setenv("ANSWER", "yes, I hear you", 1);
  CallingUnit u;
  mock::setKernel("k_call", askForTheEnvironment);
  for (int i = 0; i != 3; ++i) {
    seen = {};
    ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
    EXPECT_TRUE(seen.called);
    EXPECT_EQ(seen.bytes, "yes, I hear you");
    EXPECT_EQ(seenCalling, 1u);
    EXPECT_EQ(calling(), 0u); // its end was told
  }
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
}

TEST(CudaCalls, AFunctionOfTheHost) {
  xcc_host_table_register(&table);
  CallingUnit u;
  mock::setKernel("k_call", callTheHost);
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  ASSERT_EQ(seen.bytes.size(), sizeof(int));
  int value;
  memcpy(&value, seen.bytes.data(), sizeof(value));
  EXPECT_EQ(value, 42);
  xcc_host_table_unregister(&table);
}

TEST(CudaCalls, DISABLED_Prints) {
  CallingUnit u;
  mock::setKernel("k_call", printIt);
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
}
TEST(CudaCalls, Prints) {
  EXPECT_TRUE(
      says("words of a kernel\n", runTest("CudaCalls.DISABLED_Prints", "A=1")));
}

TEST(CudaCalls, KernelsThatDoNotCallPayNothing) {
  CallingUnit u;
  mock::setKernel("k_quiet", [](const void *, const mock_launch *) {
    seenCalling = calling();
  });
  ASSERT_EQ(launch(u.kernel("quiet"), at(1)), XCC_SUCCESS);
  mock::clear();
  seenCalling = 7;
  ASSERT_EQ(launch(u.kernel("quiet"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(seenCalling, 0u);
  EXPECT_EQ(mock::count(nullptr), 1u);
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  mock::clear();
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_TRUE(says("cuLaunchHostFunc", mock::calls()));
}

TEST(CudaCalls, ALaunchThatFailsEndsItsCalls) {
  CallingUnit u;
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  mock::fail("cuLaunchKernel", 1, 999);
  EXPECT_NE(launch(u.kernel("call"), at(2)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, AnEndThatIsNotTold) {
  CallingUnit u;
  mock::setKernel("k_call", askForTheEnvironment);
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  mock::fail("cuLaunchHostFunc", 1, 2);
  ASSERT_EQ(launch(u.kernel("call"), at(2)), XCC_SUCCESS);
  mock::fail("cuLaunchHostFunc", 1, 2);
  ASSERT_EQ(launch(u.kernel("call"), at(2)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 2u);
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
  mock::fail("cuLaunchHostFunc", 1, 2);
  ASSERT_EQ(launch(u.kernel("call"), at(2)), XCC_SUCCESS);
  EXPECT_EQ(xcc_stream_query(nullptr), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, ATrapSaysWhy) {
  CallingUnit u;
  mock::setKernel("k_call", trap);
  ASSERT_EQ(launch(u.kernel("quiet"), at(2)), XCC_SUCCESS);
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  // The mock's kernel has ended when the launch returns, and the context with
  // it: the host function behind it is refused. Who waits is told, as of a
  // kernel that fails later.
  EXPECT_EQ(launch(u.kernel("call"), at(3)), XCC_SUCCESS);
  EXPECT_EQ(calling(), 0u);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  const char *said = "kernel 'call' launched at saxpy.cpp:3 failed on device 0 "
                     "(cuda:0): assertion failed: i < n (a.cpp:7), in thread "
                     "(1, 0, 0) of block (2, 0, 0) (CUDA_ERROR_LAUNCH_FAILED); "
                     "a grid of (2, 3, 4) with blocks of (32, 1, 1)";
  EXPECT_SAYS(said);
  EXPECT_EQ(calling(), 0u);
  EXPECT_NE(launch(u.kernel("call"), at(4)), XCC_SUCCESS);
  EXPECT_SAYS("is unusable since a kernel failed there: kernel 'call'");
  EXPECT_SAYS("assertion failed: i < n (a.cpp:7)");
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, WithoutWordTheDriverSpeaks) {
  CallingUnit u;
  mock::setKernel("k_quiet", [](const void *, const mock_launch *) {
    mock::fault(LaunchFailed);
  });
  ASSERT_EQ(launch(u.kernel("quiet"), at(3)), XCC_SUCCESS);
  EXPECT_NE(xcc_device_synchronize(-1), XCC_SUCCESS);
  EXPECT_SAYS("unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)");
}

TEST(CudaCalls, EachNewCallOfTheDriver) {
  struct {
    const char *call;
    const char *says;
  } cases[] = {
      {"cuStreamCreate", "making a stream failed"},
      {"cuModuleGetGlobal_v2", "looking up a variable of an image failed"},
      {"cuMemHostGetDevicePointer_v2", "mapping host memory for the device"},
      {"cuMemHostAlloc", "allocating page-locked host memory failed"},
      {"cuMemAlloc_v2", "allocating memory failed"},
      {"cuMemsetD8Async", "the fill of"},
      {"cuMemcpyAsync", "the copy of 40 bytes failed"}};
  CallingUnit first; // for which devices are looked for
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS); // has its stream
  for (auto &c : cases) {
    CallingUnit u;
    mock::fail(c.call, 1, 999);
    EXPECT_NE(launch(u.kernel("call"), at(1)), XCC_SUCCESS) << c.call;
    EXPECT_TRUE(says(c.says, xcc_error_last())) << c.call;
  }
  CallingUnit u;
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(calling(), 0u);
}

TEST(CudaCalls, AnOldDriver) {
  CallingUnit u;
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS); // the table is filled in
  auto had = theDriver;
  theDriver.ModuleGetGlobal = nullptr;
  EXPECT_EQ(launch(u.kernel("quiet"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(launch(u.kernel("call"), at(1)), XCC_ERROR_INVALID_DEVICE);
  EXPECT_SAYS("kernel 'call' calls the host, for which the NVIDIA driver lacks "
              "cuModuleGetGlobal_v2");
  theDriver.ModuleGetGlobal = had.ModuleGetGlobal;
  theDriver.MemHostGetDevicePointer = nullptr;
  CallingUnit other;
  setenv("ANSWER", "still", 1);
  mock::setKernel("k_call", askForTheEnvironment);
  EXPECT_EQ(launch(other.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_EQ(seen.bytes, "still");
}

TEST(CudaCalls, DISABLED_Heap) {
  CallingUnit u;
  const char *wanted = getenv("EXPECTED");
  xcc_status s = launch(u.kernel("call"), at(1));
  if (wanted[0] < '0' || wanted[0] > '9') {
    EXPECT_NE(s, XCC_SUCCESS);
    EXPECT_SAYS(wanted);
    return;
  }
  ASSERT_EQ(s, XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(imageOn(0).heap_size, strtoull(wanted, nullptr, 10));
  EXPECT_EQ(imageOn(0).heap_base == 0, imageOn(0).heap_size == 0);
}

TEST(CudaCalls, TheHeapsSize) {
  auto attempt = [](const char *value, const char *expected) {
    runTest("CudaCalls.DISABLED_Heap", std::string("XCC_DEVICE_HEAP='") +
                                           value + "' EXPECTED='" + expected +
                                           "'");
  };
  attempt("", "67108864");
  attempt("0", "0");
  attempt("4096", "4096");
  for (const char *bad : {"-1", "4k", "1e9", "99999999999999"})
    attempt(bad, (std::string("XCC_DEVICE_HEAP=") + bad +
                  ": expected a number of bytes from 0 to 1099511627776")
                     .c_str());
  attempt("1099511627776", "XCC_DEVICE_HEAP sets its size, which is "
                           "1099511627776 bytes now");
}

TEST(CudaCalls, MoreMemoryThanTheHeap) {
  CallingUnit u;
  mock::setKernel("k_call", allocateSome);
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_GT(seen.head.result, 0);
  // With nothing that waits for a kernel.
  std::string calls = mock::calls();
  size_t from = calls.find("cuLaunchKernel");
  // 1000 bytes, and 16 in front of them.
  EXPECT_NE(calls.find("cuMemAllocAsync(1016", from), std::string::npos);
  EXPECT_NE(calls.find("cuMemFreeAsync", from), std::string::npos);
  EXPECT_EQ(calls.find("cuMemFree_v2", from), std::string::npos);
}

TEST(CudaCalls, DISABLED_NoPools) {
  CallingUnit u;
  mock::setKernel("k_call", allocateSome);
  ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  EXPECT_LE(seen.head.result, 0);
  EXPECT_TRUE(seen.called);
}
TEST(CudaCalls, NoMoreMemoryWithoutPools) {
  runTest("CudaCalls.DISABLED_NoPools", "MOCK_CUDA_POOLS=0");
}

TEST(CudaCalls, ImagesOfADeviceShareAServer) {
  CallingUnit a, b;
  ASSERT_EQ(launch(a.kernel("call"), at(1)), XCC_SUCCESS);
  xcc_rpc_image first = imageOn(0);
  size_t allocated = mock::count("cuMemHostAlloc");
  ASSERT_EQ(launch(b.kernel("call"), at(1)), XCC_SUCCESS);
  xcc_rpc_image second = imageOn(0);
  EXPECT_EQ(memcmp(&first, &second, sizeof(first)), 0);
  EXPECT_EQ(mock::count("cuMemHostAlloc"), allocated);
}

TEST(CudaCalls, DISABLED_TwoDevices) {
  CallingUnit u;
  for (int d : {0, 1}) {
    xcc::device::get(d).set_current();
    ASSERT_EQ(launch(u.kernel("call"), at(1)), XCC_SUCCESS);
  }
  EXPECT_NE(imageOn(0).shared, imageOn(1).shared);
  EXPECT_NE(imageOn(0).local, imageOn(1).local);
  EXPECT_NE(imageOn(1).shared, 0u);
}
TEST(CudaCalls, TwoDevicesHaveTwoServers) {
  runTest("CudaCalls.DISABLED_TwoDevices", "MOCK_CUDA_DEVICES=sm_90,sm_90");
}

TEST(CudaCalls, DISABLED_Exit) {
  CallingUnit u;
  mock::setKernel("k_call", [](const void *, const mock_launch *) {
    printf("[  PASSED  ] 1 test\n");
    fflush(stdout);
    ask(variable("__xcc_rpc"), ServiceExit, {0, ExitNormal, 0});
    printf("came back\n");
  });
  (void)launch(u.kernel("call"), at(1));
  FAIL() << "exit returned";
}
TEST(CudaCalls, DeviceCodeEndsTheProcess) {
  // Its kernel never ends, so nothing may wait for it.
  std::string output = runTest("CudaCalls.DISABLED_Exit", "A=1");
  EXPECT_EQ(output.find("came back"), std::string::npos) << output;
}
