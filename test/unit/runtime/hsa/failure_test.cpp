// What can go wrong on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault leaves the GPU unusable for the process, so each of those tests runs
// in a child of its own.

#include "child.h"
#include "hsa_unit.h"

using namespace xcc::test;

namespace {
class HsaFailure : public Hsa {};
/// Runs in a child process only.
class DISABLED_HsaFault : public Hsa {};

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}
#define EXPECT_HAS(text, part)                                                 \
  EXPECT_TRUE(has(text, part)) << "no '" << (part) << "' in: " << (text)
} // namespace

//===----------------------------------------------------------------------===//
// Calls that fail
//===----------------------------------------------------------------------===//

TEST_F(HsaFailure, EachCallOfALoad) {
  struct {
    const char *Call;
    int Status;
    xcc_status Expected;
    const char *Says;
    unsigned Nth = 1;
  } Cases[] = {
      {"hsa_code_object_reader_create_from_memory", 0x1010,
       XCC_ERROR_INVALID_IMAGE, "hsa_code_object_reader_create_from_memory"},
      {"hsa_executable_create_alt", 0x1008, XCC_ERROR_OUT_OF_MEMORY,
       "hsa_executable_create_alt"},
      {"hsa_executable_load_agent_code_object", 0x1010, XCC_ERROR_INVALID_IMAGE,
       "INVALID_CODE_OBJECT"},
      {"hsa_executable_freeze", 0x1012, XCC_ERROR_INVALID_IMAGE,
       "hsa_executable_freeze"},
      {"hsa_executable_get_symbol_by_name", 0x1013, XCC_ERROR_INVALID_IMAGE,
       "k_nothing.kd", 3}, // after two variables
      {"hsa_executable_get_symbol_by_name", 0x1000, XCC_ERROR_SYSTEM,
       "hsa_executable_get_symbol_by_name"},
      {"hsa_executable_symbol_get_info", 0x1001, XCC_ERROR_INVALID_IMAGE,
       "hsa_executable_symbol_get_info"}};
  for (auto &C : Cases) {
    Unit Fresh(usualSection());
    Mock::fail(C.Call, C.Nth, C.Status);
    EXPECT_EQ(launch(Fresh.kernel("nothing"), config(1, 1)), C.Expected)
        << C.Call;
    EXPECT_HAS(xcc_last_error(), C.Says);
    EXPECT_OK(launch(Fresh.kernel("nothing"), config(1, 1))) << C.Call;
    ASSERT_OK(xcc_device_synchronize(-1));
  }
}

TEST_F(HsaFailure, DeviceHeap) {
  // The heap is made once in a process, by the first kernel that asks.
  struct {
    uint64_t A[3];
  } Arguments{};
  Mock::fail("hsa_amd_memory_fill", 1, 0x1000);
  xcc_status S = launch(U.kernel("all_hidden", 24), config(1, 1), Arguments);
  if (Mock::calls("hsa_amd_memory_fill") == 1) {
    EXPECT_EQ(S, XCC_ERROR_SYSTEM);
    EXPECT_HAS(xcc_last_error(), "the device heap");
  }
  EXPECT_OK(launch(U.kernel("all_hidden", 24), config(1, 1), Arguments));
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaFailure, Queues) {
  ASSERT_OK(launch(U.kernel("nothing"), config(1, 1)));
  // Streams that hold every queue there is, so that the next makes one.
  std::vector<xcc_stream *> Streams;
  size_t Made = Mock::calls("hsa_queue_create");
  while (Mock::calls("hsa_queue_create") == Made) {
    Streams.emplace_back();
    ASSERT_OK(xcc_stream_create(&Streams.back()));
  }
  size_t Before = Mock::allocated();
  xcc_stream *S = nullptr;
  for (const char *Call :
       {"hsa_queue_create", "hsa_signal_create", "hsa_amd_agents_allow_access",
        "hsa_amd_memory_pool_allocate"}) {
    Mock::fail(Call, 1, 0x1008);
    EXPECT_EQ(xcc_stream_create(&S), XCC_ERROR_OUT_OF_MEMORY) << Call;
    EXPECT_NE(std::string(xcc_last_error()), "");
    EXPECT_EQ(Mock::allocated(), Before) << Call;
  }
  // Time stamps are optional.
  Mock::fail("hsa_amd_profiling_set_profiler_enabled", 1, 0x1000);
  EXPECT_OK(xcc_stream_create(&S));
  Streams.push_back(S);
  for (xcc_stream *Old : Streams)
    ASSERT_OK(xcc_stream_destroy(Old));
}

TEST_F(HsaFailure, MemoryCalls) {
  void *P = nullptr, *Host = nullptr;
  Mock::fail("hsa_amd_memory_pool_allocate", 1, 0x1008);
  EXPECT_EQ(xcc_alloc(100, &P), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_HAS(xcc_last_error(), "HSA_STATUS_ERROR_OUT_OF_RESOURCES");
  Mock::fail("hsa_amd_memory_pool_allocate", 1, 0x1008);
  EXPECT_EQ(xcc_alloc_host(100, &Host), XCC_ERROR_OUT_OF_MEMORY);
  Mock::fail("hsa_amd_agents_allow_access", 1, 0x1000);
  EXPECT_NE(xcc_alloc_host(100, &Host), XCC_SUCCESS);
  EXPECT_HAS(xcc_last_error(), "hsa_amd_agents_allow_access");
  constexpr size_t Bytes = size_t(2) << 20;
  ASSERT_OK(xcc_alloc(Bytes, &P));
  std::vector<char> Data(Bytes);
  ASSERT_OK(xcc_copy(P, Data.data(), 10)); // makes the pinned buffer
  Mock::fail("hsa_amd_memory_async_copy", 1, 0x1001);
  EXPECT_EQ(xcc_copy(P, Data.data(), 10), XCC_ERROR_SYSTEM);
  EXPECT_HAS(xcc_last_error(), "hsa_amd_memory_async_copy");
  EXPECT_HAS(xcc_last_error(), "hsa:0");
  Mock::fail("hsa_amd_memory_fill", 1, 0x1000);
  EXPECT_EQ(xcc_fill(P, 1, Bytes), XCC_ERROR_SYSTEM);
  EXPECT_HAS(xcc_last_error(), "hsa_amd_memory_fill");
  EXPECT_OK(xcc_copy(P, Data.data(), Bytes));
  EXPECT_OK(xcc_fill(P, 1, Bytes));
  Mock::fail("hsa_amd_memory_pool_free", 1, 0x1000);
  EXPECT_EQ(xcc_free(P), XCC_ERROR_SYSTEM);
  EXPECT_HAS(xcc_last_error(), "hsa_amd_memory_pool_free");
}

TEST_F(HsaFailure, Times) {
  xcc_event *A, *B;
  ASSERT_OK(xcc_event_create(&A));
  ASSERT_OK(xcc_event_create(&B));
  ASSERT_OK(xcc_event_record(A, nullptr));
  ASSERT_OK(xcc_event_record(B, nullptr));
  ASSERT_OK(xcc_event_synchronize(B));
  Mock::fail("hsa_amd_profiling_get_dispatch_time", 1, 0x1000);
  double Milliseconds;
  EXPECT_EQ(xcc_event_elapsed(A, B, &Milliseconds), XCC_ERROR_SYSTEM);
  EXPECT_OK(xcc_event_elapsed(A, B, &Milliseconds));
  ASSERT_OK(xcc_event_destroy(A));
  ASSERT_OK(xcc_event_destroy(B));
}

/// A copy that fails while it runs is reported once, and the stream goes on.
TEST_F(HsaFailure, RunningCopy) {
  void *P, *Host;
  ASSERT_OK(xcc_alloc(1000, &P));
  ASSERT_OK(xcc_alloc_host(1000, &Host));
  Mock::failCopy(1);
  ASSERT_OK(xcc_copy_async(P, Host, 1000, nullptr));
  ASSERT_OK(launch(U.kernel("nothing"), config(1, 1)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_last_error(), "a copy failed");
  EXPECT_HAS(xcc_last_error(), "hsa:0");
  EXPECT_OK(xcc_device_synchronize(-1));
  EXPECT_OK(xcc_copy(P, Host, 1000));
  // Also when it is only asked after.
  Mock::failCopy(1);
  ASSERT_OK(xcc_copy_async(P, Host, 1000, nullptr));
  xcc_status S;
  while ((S = xcc_stream_query(nullptr)) == XCC_ERROR_NOT_READY)
    ;
  EXPECT_EQ(S, XCC_ERROR_LAUNCH_FAILED);
  // And through the pinned buffer.
  char Byte[100];
  Mock::failCopy(1);
  EXPECT_EQ(xcc_copy(Byte, P, 100), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_OK(xcc_copy(Byte, P, 100));
  ASSERT_OK(xcc_free(P));
  ASSERT_OK(xcc_free_host(Host));
}

//===----------------------------------------------------------------------===//
// Damaged programs
//===----------------------------------------------------------------------===//

TEST_F(HsaFailure, DamagedImages) {
  std::vector<TestKernel> Kernels = usualKernels();
  Unit NoCode(amdSection("gfx90a", Kernels, "this is no code object"));
  EXPECT_EQ(launch(NoCode.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_last_error(), "INVALID_CODE_OBJECT");
  EXPECT_HAS(xcc_last_error(), "gfx90a");

  Unit NoKernel(amdSection("gfx90a", Kernels, "MOCKHSA\nk_other 0 0 0 0\n"));
  EXPECT_EQ(launch(NoKernel.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_last_error(), "k_nothing.kd");

  Unit NoLine(amdSection("gfx90a", {{"other"}}, codeObject(Kernels)));
  EXPECT_EQ(launch(NoLine.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_last_error(), "not in the table");

  Kernels[0].Columns = "hidden=heap_v1:99999:8";
  Unit BadLine(amdSection("gfx90a", Kernels));
  EXPECT_EQ(launch(BadLine.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_last_error(), "'nothing'");

  Unit OtherArguments(usualSection());
  EXPECT_EQ(launch(OtherArguments.kernel("increment", 16), config(1, 1)),
            XCC_ERROR_INVALID_KERNEL);
  EXPECT_HAS(xcc_last_error(), "16 bytes on the host, 8 in the image");
}

TEST_F(HsaFailure, NoImageForThisGpu) {
  Unit Other(amdSection("gfx90a:xnack+", usualKernels()) +
             amdSection("gfx1030", usualKernels()));
  EXPECT_EQ(launch(Other.kernel("nothing"), config(1, 1)), XCC_ERROR_NO_IMAGE);
  EXPECT_HAS(xcc_last_error(), "gfx90a:xnack+ (needs xnack+");
  EXPECT_HAS(xcc_last_error(), "gfx1030");
  EXPECT_HAS(xcc_last_error(), "-offload-arch=gfx90a:sramecc+:xnack-");
}

TEST_F(HsaFailure, GenericImage) {
  // The second GPU takes the generic image, and says so when it cannot.
  Unit Generic(amdSection("gfx11-generic", usualKernels()));
  ASSERT_OK(xcc_device_set_current(1));
  EXPECT_OK(launch(Generic.kernel("nothing"), config(1, 1)));
  EXPECT_OK(xcc_device_synchronize(1));
  Unit Again(amdSection("gfx11-generic", usualKernels()));
  Mock::fail("hsa_executable_load_agent_code_object", 1, 0x1010);
  EXPECT_EQ(launch(Again.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_last_error(), "update ROCm");
  ASSERT_OK(xcc_device_set_current(0));
}

//===----------------------------------------------------------------------===//
// Kernels that fault
//===----------------------------------------------------------------------===//

/// The rest of the process: every call says what happened.
static void expectUnusable(const xcc_kernel_info &K, const char *Kernel) {
  void *P;
  for (xcc_status S :
       {launch(K, config(1, 1)), xcc_alloc(10, &P), xcc_device_synchronize(-1)})
    EXPECT_EQ(S, XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_last_error(), "unusable");
  EXPECT_HAS(xcc_last_error(), Kernel);
  EXPECT_HAS(xcc_last_error(), "restart the program");
}

TEST_F(DISABLED_HsaFault, OneLaunch) {
  Mock::failDispatch(1, 0x1016);
  xcc_launch_config C{{4, 2, 1}, {64, 1, 1}, 0, nullptr, "app.cpp", 42};
  ASSERT_OK(launch(U.kernel("nothing"), C));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_last_error(), "kernel 'nothing' launched at app.cpp:42");
  EXPECT_HAS(xcc_last_error(), "device 0 (hsa:0)");
  EXPECT_HAS(xcc_last_error(), "HSA_STATUS_ERROR_EXCEPTION");
  EXPECT_HAS(xcc_last_error(), "a grid of (4, 2, 1) with blocks of (64, 1, 1)");
  xcc_error *E = xcc_error_capture();
  EXPECT_STREQ(xcc_error_kernel(E), "nothing");
  EXPECT_STREQ(xcc_error_file(E), "app.cpp");
  EXPECT_EQ(xcc_error_line(E), 42u);
  EXPECT_EQ(xcc_error_device(E), 0);
  xcc_error_release(E);
  expectUnusable(U.kernel("nothing"), "'nothing'");
  // The other GPU works.
  ASSERT_OK(xcc_device_set_current(1));
  EXPECT_OK(launch(U.kernel("nothing"), config(1, 1)));
  EXPECT_OK(xcc_device_synchronize(1));
}
TEST(HsaFaults, OneLaunch) { runChild("DISABLED_HsaFault.OneLaunch"); }

TEST_F(DISABLED_HsaFault, TwoLaunches) {
  Mock::pause(true);
  Mock::failDispatch(1, 42);
  uint64_t Argument = 0;
  ASSERT_OK(launch(U.kernel("increment", 8), config(1, 1), Argument));
  ASSERT_OK(launch(U.kernel("nothing"), config(2, 2)));
  Mock::pause(false);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_last_error(), "one of these launches");
  EXPECT_HAS(xcc_last_error(), "'nothing'");
  EXPECT_HAS(xcc_last_error(), "'increment'");
  EXPECT_HAS(xcc_last_error(), "ILLEGAL_INSTRUCTION");
}
TEST(HsaFaults, TwoLaunches) { runChild("DISABLED_HsaFault.TwoLaunches"); }

TEST_F(DISABLED_HsaFault, AfterGoodOnes) {
  Mock::readLate(true);
  for (int I = 0; I != 5; ++I)
    ASSERT_OK(launch(U.kernel("nothing"), config(1, 1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  Mock::failDispatch(1, 41);
  uint64_t Argument = 0;
  ASSERT_OK(launch(U.kernel("increment", 8), config(1, 1), Argument));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_last_error(), "kernel 'increment'");
  EXPECT_FALSE(has(xcc_last_error(), "'nothing'"));
  EXPECT_HAS(xcc_last_error(), "APERTURE");
}
TEST(HsaFaults, AfterGoodOnes) { runChild("DISABLED_HsaFault.AfterGoodOnes"); }

TEST_F(DISABLED_HsaFault, MemoryFault) {
  Mock::fault(1, 0xdead000, 1);
  ASSERT_OK(launch(U.kernel("nothing"), config(1, 1)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_last_error(), "kernel 'nothing' launched at test.cpp:7");
  EXPECT_HAS(xcc_last_error(), "0xdead000");
  EXPECT_HAS(xcc_last_error(), "not mapped");
  expectUnusable(U.kernel("nothing"), "0xdead000");
}
TEST(HsaFaults, MemoryFault) { runChild("DISABLED_HsaFault.MemoryFault"); }

/// A fault ends every wait: of a full queue, of another stream, of an event, of
/// a copy.
TEST_F(DISABLED_HsaFault, NobodyHangs) {
  xcc_stream *Other;
  ASSERT_OK(xcc_stream_create(&Other));
  xcc_event *E;
  ASSERT_OK(xcc_event_create(&E));
  void *P;
  ASSERT_OK(xcc_alloc(5000000, &P));
  Mock::failDispatch(3, 0x1016);
  xcc_status S = XCC_SUCCESS;
  for (int I = 0; I != 3000 && S == XCC_SUCCESS; ++I) {
    S = launch(U.kernel("nothing"), config(1, 1));
    if (S == XCC_SUCCESS)
      S = xcc_event_record(E, nullptr);
    if (S == XCC_SUCCESS)
      S = xcc_stream_wait_event(Other, E);
  }
  EXPECT_EQ(S, XCC_ERROR_LAUNCH_FAILED);
  EXPECT_NE(xcc_stream_synchronize(Other), XCC_SUCCESS);
  EXPECT_NE(xcc_event_synchronize(E), XCC_SUCCESS);
  EXPECT_EQ(xcc_event_query(E), XCC_SUCCESS);
  std::vector<char> Data(5000000);
  EXPECT_NE(xcc_copy(P, Data.data(), Data.size()), XCC_SUCCESS);
  EXPECT_NE(xcc_fill_async(P, 0, 10, Other), XCC_SUCCESS);
  EXPECT_OK(xcc_event_destroy(E));
  (void)xcc_stream_destroy(Other);
  (void)xcc_free(P);
}
TEST(HsaFaults, NobodyHangs) { runChild("DISABLED_HsaFault.NobodyHangs"); }

TEST_F(DISABLED_HsaFault, AtExit) {
  Mock::failDispatch(1, 0x1016);
  ASSERT_OK(launch(U.kernel("nothing"), config(1, 1)));
}
TEST(HsaFaults, NobodyAsked) {
  EXPECT_HAS(runChild("DISABLED_HsaFault.AtExit"),
             "a kernel failed and nothing synchronised with it: kernel "
             "'nothing'");
}
