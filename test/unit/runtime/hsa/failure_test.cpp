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

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
#define EXPECT_HAS(text, part)                                                 \
  EXPECT_TRUE(has(text, part)) << "no '" << (part) << "' in: " << (text)
} // namespace

//===----------------------------------------------------------------------===//
// Calls that fail
//===----------------------------------------------------------------------===//

TEST_F(HsaFailure, EachCallOfALoad) {
  struct {
    const char *call;
    int status;
    xcc_status expected;
    const char *says;
    unsigned nth = 1;
  } cases[] = {
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
  for (auto &c : cases) {
    Unit fresh(usualSection());
    Mock::fail(c.call, c.nth, c.status);
    EXPECT_EQ(launch(fresh.kernel("nothing"), config(1, 1)), c.expected)
        << c.call;
    EXPECT_HAS(xcc_error_last(), c.says);
    EXPECT_OK(launch(fresh.kernel("nothing"), config(1, 1))) << c.call;
    ASSERT_OK(xcc_device_synchronize(-1));
  }
}

TEST_F(HsaFailure, DeviceHeap) {
  // The heap is made once in a process, by the first kernel that asks.
  struct {
    uint64_t a[3];
  } arguments{};
  Mock::fail("hsa_amd_memory_fill", 1, 0x1000);
  xcc_status s = launch(u.kernel("all_hidden", 24), config(1, 1), arguments);
  if (Mock::calls("hsa_amd_memory_fill") == 1) {
    EXPECT_EQ(s, XCC_ERROR_SYSTEM);
    EXPECT_HAS(xcc_error_last(), "the device heap");
  }
  EXPECT_OK(launch(u.kernel("all_hidden", 24), config(1, 1), arguments));
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaFailure, Queues) {
  ASSERT_OK(launch(u.kernel("nothing"), config(1, 1)));
  // Streams that hold every queue there is, so that the next makes one.
  std::vector<xcc_stream *> streams;
  size_t made = Mock::calls("hsa_queue_create");
  while (Mock::calls("hsa_queue_create") == made) {
    streams.emplace_back();
    ASSERT_OK(xcc_stream_create(&streams.back()));
  }
  size_t before = Mock::allocated();
  xcc_stream *s = nullptr;
  for (const char *call :
       {"hsa_queue_create", "hsa_signal_create", "hsa_amd_agents_allow_access",
        "hsa_amd_memory_pool_allocate"}) {
    Mock::fail(call, 1, 0x1008);
    EXPECT_EQ(xcc_stream_create(&s), XCC_ERROR_OUT_OF_MEMORY) << call;
    EXPECT_NE(std::string(xcc_error_last()), "");
    EXPECT_EQ(Mock::allocated(), before) << call;
  }
  // Time stamps are optional.
  Mock::fail("hsa_amd_profiling_set_profiler_enabled", 1, 0x1000);
  EXPECT_OK(xcc_stream_create(&s));
  streams.push_back(s);
  for (xcc_stream *old : streams)
    ASSERT_OK(xcc_stream_destroy(old));
}

TEST_F(HsaFailure, MemoryCalls) {
  void *p = nullptr, *host = nullptr;
  Mock::fail("hsa_amd_memory_pool_allocate", 1, 0x1008);
  EXPECT_EQ(xcc_memory_alloc(100, &p), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_HAS(xcc_error_last(), "HSA_STATUS_ERROR_OUT_OF_RESOURCES");
  Mock::fail("hsa_amd_memory_pool_allocate", 1, 0x1008);
  EXPECT_EQ(xcc_memory_alloc_host(100, &host), XCC_ERROR_OUT_OF_MEMORY);
  Mock::fail("hsa_amd_agents_allow_access", 1, 0x1000);
  EXPECT_NE(xcc_memory_alloc_host(100, &host), XCC_SUCCESS);
  EXPECT_HAS(xcc_error_last(), "hsa_amd_agents_allow_access");
  constexpr size_t bytes = size_t(2) << 20;
  ASSERT_OK(xcc_memory_alloc(bytes, &p));
  std::vector<char> data(bytes);
  ASSERT_OK(xcc_memory_copy(p, data.data(), 10)); // makes the pinned buffer
  Mock::fail("hsa_amd_memory_async_copy", 1, 0x1001);
  EXPECT_EQ(xcc_memory_copy(p, data.data(), 10), XCC_ERROR_SYSTEM);
  EXPECT_HAS(xcc_error_last(), "hsa_amd_memory_async_copy");
  EXPECT_HAS(xcc_error_last(), "hsa:0");
  Mock::fail("hsa_amd_memory_fill", 1, 0x1000);
  EXPECT_EQ(xcc_memory_fill(p, 1, bytes), XCC_ERROR_SYSTEM);
  EXPECT_HAS(xcc_error_last(), "hsa_amd_memory_fill");
  EXPECT_OK(xcc_memory_copy(p, data.data(), bytes));
  EXPECT_OK(xcc_memory_fill(p, 1, bytes));
  Mock::fail("hsa_amd_memory_pool_free", 1, 0x1000);
  EXPECT_EQ(xcc_memory_free(p), XCC_ERROR_SYSTEM);
  EXPECT_HAS(xcc_error_last(), "hsa_amd_memory_pool_free");
}

TEST_F(HsaFailure, Times) {
  xcc_event *a, *b;
  ASSERT_OK(xcc_event_create(&a));
  ASSERT_OK(xcc_event_create(&b));
  ASSERT_OK(xcc_event_record(a, nullptr));
  ASSERT_OK(xcc_event_record(b, nullptr));
  ASSERT_OK(xcc_event_synchronize(b));
  Mock::fail("hsa_amd_profiling_get_dispatch_time", 1, 0x1000);
  double milliseconds;
  EXPECT_EQ(xcc_event_elapsed(a, b, &milliseconds), XCC_ERROR_SYSTEM);
  EXPECT_OK(xcc_event_elapsed(a, b, &milliseconds));
  ASSERT_OK(xcc_event_destroy(a));
  ASSERT_OK(xcc_event_destroy(b));
}

/// A copy that fails while it runs is reported once, and the stream goes on.
TEST_F(HsaFailure, RunningCopy) {
  void *p, *host;
  ASSERT_OK(xcc_memory_alloc(1000, &p));
  ASSERT_OK(xcc_memory_alloc_host(1000, &host));
  Mock::failCopy(1);
  ASSERT_OK(xcc_memory_copy_async(p, host, 1000, nullptr));
  ASSERT_OK(launch(u.kernel("nothing"), config(1, 1)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_error_last(), "a copy failed");
  EXPECT_HAS(xcc_error_last(), "hsa:0");
  EXPECT_OK(xcc_device_synchronize(-1));
  EXPECT_OK(xcc_memory_copy(p, host, 1000));
  // Also when it is only asked after.
  Mock::failCopy(1);
  ASSERT_OK(xcc_memory_copy_async(p, host, 1000, nullptr));
  xcc_status s;
  while ((s = xcc_stream_query(nullptr)) == XCC_ERROR_NOT_READY)
    ;
  EXPECT_EQ(s, XCC_ERROR_LAUNCH_FAILED);
  // And through the pinned buffer.
  char byte[100];
  Mock::failCopy(1);
  EXPECT_EQ(xcc_memory_copy(byte, p, 100), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_OK(xcc_memory_copy(byte, p, 100));
  ASSERT_OK(xcc_memory_free(p));
  ASSERT_OK(xcc_memory_free_host(host));
}

//===----------------------------------------------------------------------===//
// Damaged programs
//===----------------------------------------------------------------------===//

TEST_F(HsaFailure, DamagedImages) {
  std::vector<TestKernel> kernels = usualKernels();
  Unit noCode(amdSection("gfx90a", kernels, "this is no code object"));
  EXPECT_EQ(launch(noCode.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_error_last(), "INVALID_CODE_OBJECT");
  EXPECT_HAS(xcc_error_last(), "gfx90a");

  Unit noKernel(amdSection("gfx90a", kernels, "MOCKHSA\nk_other 0 0 0 0\n"));
  EXPECT_EQ(launch(noKernel.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_error_last(), "k_nothing.kd");

  Unit noLine(amdSection("gfx90a", {{"other"}}, codeObject(kernels)));
  EXPECT_EQ(launch(noLine.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_error_last(), "not in its table");

  kernels[0].columns = "hidden=heap_v1:99999:8";
  Unit badLine(amdSection("gfx90a", kernels));
  EXPECT_EQ(launch(badLine.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_error_last(), "'nothing'");

  Unit otherArguments(usualSection());
  EXPECT_EQ(launch(otherArguments.kernel("increment", 16), config(1, 1)),
            XCC_ERROR_INVALID_KERNEL);
  EXPECT_HAS(xcc_error_last(), "16 bytes on the host, 8 in the image");
}

TEST_F(HsaFailure, NoImageForThisGpu) {
  Unit other(amdSection("gfx90a:xnack+", usualKernels()) +
             amdSection("gfx1030", usualKernels()));
  EXPECT_EQ(launch(other.kernel("nothing"), config(1, 1)), XCC_ERROR_NO_IMAGE);
  EXPECT_HAS(xcc_error_last(), "gfx90a:xnack+ (needs xnack+");
  EXPECT_HAS(xcc_error_last(), "gfx1030");
  EXPECT_HAS(xcc_error_last(), "-offload-arch=gfx90a:sramecc+:xnack-");
}

TEST_F(HsaFailure, GenericImage) {
  // The second GPU takes the generic image, and says so when it cannot.
  Unit generic(amdSection("gfx11-generic", usualKernels()));
  ASSERT_OK(xcc_device_set_current(1));
  EXPECT_OK(launch(generic.kernel("nothing"), config(1, 1)));
  EXPECT_OK(xcc_device_synchronize(1));
  Unit again(amdSection("gfx11-generic", usualKernels()));
  Mock::fail("hsa_executable_load_agent_code_object", 1, 0x1010);
  EXPECT_EQ(launch(again.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_IMAGE);
  EXPECT_HAS(xcc_error_last(), "update ROCm");
  ASSERT_OK(xcc_device_set_current(0));
}

//===----------------------------------------------------------------------===//
// Kernels that fault
//===----------------------------------------------------------------------===//

/// The rest of the process: every call says what happened.
static void expectUnusable(const xcc_kernel_info &k, const char *kernel) {
  void *p;
  for (xcc_status s : {launch(k, config(1, 1)), xcc_memory_alloc(10, &p),
                       xcc_device_synchronize(-1)})
    EXPECT_EQ(s, XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_error_last(), "unusable");
  EXPECT_HAS(xcc_error_last(), kernel);
  EXPECT_HAS(xcc_error_last(), "restart the program");
}

TEST_F(DISABLED_HsaFault, OneLaunch) {
  Mock::failDispatch(1, 0x1016);
  xcc_launch_config c{{4, 2, 1}, {64, 1, 1}, 0, nullptr, "app.cpp", 42};
  ASSERT_OK(launch(u.kernel("nothing"), c));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_error_last(), "kernel 'nothing' launched at app.cpp:42");
  EXPECT_HAS(xcc_error_last(), "device 0 (hsa:0)");
  EXPECT_HAS(xcc_error_last(), "HSA_STATUS_ERROR_EXCEPTION");
  EXPECT_HAS(xcc_error_last(), "a grid of (4, 2, 1) with blocks of (64, 1, 1)");
  xcc_error *e = xcc_error_capture();
  EXPECT_STREQ(xcc_error_kernel(e), "nothing");
  EXPECT_STREQ(xcc_error_file(e), "app.cpp");
  EXPECT_EQ(xcc_error_line(e), 42u);
  EXPECT_EQ(xcc_error_device(e), 0);
  xcc_error_release(e);
  expectUnusable(u.kernel("nothing"), "'nothing'");
  // The other GPU works.
  ASSERT_OK(xcc_device_set_current(1));
  EXPECT_OK(launch(u.kernel("nothing"), config(1, 1)));
  EXPECT_OK(xcc_device_synchronize(1));
}
TEST(HsaFaults, OneLaunch) { runChild("DISABLED_HsaFault.OneLaunch"); }

TEST_F(DISABLED_HsaFault, TwoLaunches) {
  Mock::pause(true);
  Mock::failDispatch(1, 42);
  uint64_t argument = 0;
  ASSERT_OK(launch(u.kernel("increment", 8), config(1, 1), argument));
  ASSERT_OK(launch(u.kernel("nothing"), config(2, 2)));
  Mock::pause(false);
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_error_last(), "one of these launches");
  EXPECT_HAS(xcc_error_last(), "'nothing'");
  EXPECT_HAS(xcc_error_last(), "'increment'");
  EXPECT_HAS(xcc_error_last(), "ILLEGAL_INSTRUCTION");
}
TEST(HsaFaults, TwoLaunches) { runChild("DISABLED_HsaFault.TwoLaunches"); }

TEST_F(DISABLED_HsaFault, AfterGoodOnes) {
  Mock::readLate(true);
  for (int i = 0; i != 5; ++i)
    ASSERT_OK(launch(u.kernel("nothing"), config(1, 1)));
  ASSERT_OK(xcc_device_synchronize(-1));
  Mock::failDispatch(1, 41);
  uint64_t argument = 0;
  ASSERT_OK(launch(u.kernel("increment", 8), config(1, 1), argument));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_error_last(), "kernel 'increment'");
  EXPECT_FALSE(has(xcc_error_last(), "'nothing'"));
  EXPECT_HAS(xcc_error_last(), "APERTURE");
}
TEST(HsaFaults, AfterGoodOnes) { runChild("DISABLED_HsaFault.AfterGoodOnes"); }

TEST_F(DISABLED_HsaFault, MemoryFault) {
  Mock::fault(1, 0xdead000, 1);
  ASSERT_OK(launch(u.kernel("nothing"), config(1, 1)));
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_ERROR_LAUNCH_FAILED);
  EXPECT_HAS(xcc_error_last(), "kernel 'nothing' launched at test.cpp:7");
  EXPECT_HAS(xcc_error_last(), "0xdead000");
  EXPECT_HAS(xcc_error_last(), "not mapped");
  expectUnusable(u.kernel("nothing"), "0xdead000");
}
TEST(HsaFaults, MemoryFault) { runChild("DISABLED_HsaFault.MemoryFault"); }

/// A fault ends every wait: of a full queue, of another stream, of an event, of
/// a copy.
TEST_F(DISABLED_HsaFault, NobodyHangs) {
  xcc_stream *other;
  ASSERT_OK(xcc_stream_create(&other));
  xcc_event *e;
  ASSERT_OK(xcc_event_create(&e));
  void *p;
  ASSERT_OK(xcc_memory_alloc(5000000, &p));
  Mock::failDispatch(3, 0x1016);
  xcc_status s = XCC_SUCCESS;
  for (int i = 0; i != 3000 && s == XCC_SUCCESS; ++i) {
    s = launch(u.kernel("nothing"), config(1, 1));
    if (s == XCC_SUCCESS)
      s = xcc_event_record(e, nullptr);
    if (s == XCC_SUCCESS)
      s = xcc_stream_wait_event(other, e);
  }
  EXPECT_EQ(s, XCC_ERROR_LAUNCH_FAILED);
  EXPECT_NE(xcc_stream_synchronize(other), XCC_SUCCESS);
  EXPECT_NE(xcc_event_synchronize(e), XCC_SUCCESS);
  EXPECT_EQ(xcc_event_query(e), XCC_SUCCESS);
  std::vector<char> data(5000000);
  EXPECT_NE(xcc_memory_copy(p, data.data(), data.size()), XCC_SUCCESS);
  EXPECT_NE(xcc_memory_fill_async(p, 0, 10, other), XCC_SUCCESS);
  EXPECT_OK(xcc_event_destroy(e));
  (void)xcc_stream_destroy(other);
  (void)xcc_memory_free(p);
}
TEST(HsaFaults, NobodyHangs) { runChild("DISABLED_HsaFault.NobodyHangs"); }

TEST_F(DISABLED_HsaFault, AtExit) {
  Mock::failDispatch(1, 0x1016);
  ASSERT_OK(launch(u.kernel("nothing"), config(1, 1)));
}
TEST(HsaFaults, NobodyAsked) {
  EXPECT_HAS(runChild("DISABLED_HsaFault.AtExit"),
             "a kernel failed and nothing synchronised with it: kernel "
             "'nothing'");
}
