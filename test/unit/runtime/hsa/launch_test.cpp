// Packets and arguments, byte by byte
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa_unit.h"

#include <atomic>
#include <thread>

using namespace xcc::test;
using namespace xcc::rt;

namespace {
class HsaLaunch : public Hsa {
protected:
  aql::DispatchPacket packetOf(const mock_record &r) {
    aql::DispatchPacket p;
    memcpy(&p, r.packet, sizeof(p));
    return p;
  }
};
} // namespace

TEST_F(HsaLaunch, PacketFields) {
  struct {
    uint64_t a, b, c;
  } arguments{1, 2, 3};
  xcc_launch_config c{{5, 3, 2}, {32, 4, 2}, 1024, nullptr, "test.cpp", 7};
  size_t before = Mock::records();
  ASSERT_OK(xcc_kernel_launch(&u.kernel("all_hidden", 24), &c, &arguments, 24));
  ASSERT_OK(xcc_device_synchronize(-1));
  ASSERT_EQ(Mock::records(), before + 1);
  mock_record r = Mock::record(before);
  EXPECT_STREQ(r.symbol, "k_all_hidden");
  EXPECT_EQ(r.agent, 0);
  aql::DispatchPacket p = packetOf(r);
  // Kernel dispatch, barrier bit, both fences of system scope.
  EXPECT_EQ(p.header, 2 | 1 << 8 | 2 << 9 | 2 << 11);
  EXPECT_EQ(p.setup, 3);
  EXPECT_EQ(p.workgroupSize[0], 32);
  EXPECT_EQ(p.workgroupSize[1], 4);
  EXPECT_EQ(p.workgroupSize[2], 2);
  EXPECT_EQ(p.gridSize[0], 160u);
  EXPECT_EQ(p.gridSize[1], 12u);
  EXPECT_EQ(p.gridSize[2], 4u);
  EXPECT_EQ(p.groupSegmentSize, 512u + 1024u);
  EXPECT_EQ(p.privateSegmentSize, 64u);
  EXPECT_EQ(p.reserved0, 0);
  EXPECT_EQ(p.reserved2, 0u);
  EXPECT_EQ(p.completionSignal, 0u);
  EXPECT_NE(p.kernelObject, 0u);
  ASSERT_EQ(r.kernarg_size, 24u + 256u);
  EXPECT_EQ(memcmp(r.kernarg, &arguments, 24), 0);
  auto word = [&](size_t at) {
    uint32_t w;
    memcpy(&w, r.kernarg + 24 + at, 4);
    return w;
  };
  EXPECT_EQ(word(0), 5u);
  EXPECT_EQ(word(4), 3u);
  EXPECT_EQ(word(8), 2u);
  EXPECT_EQ(word(12), 32u | 4u << 16);
  EXPECT_EQ(word(16), 2u);
  EXPECT_EQ(word(64), 3u);
  EXPECT_EQ(word(120), 1024u);
  EXPECT_EQ(word(192), 0x00020000u) << "private aperture";
  EXPECT_EQ(word(196), 0x00010000u) << "group aperture";
  uint64_t heap, queue, hostcall;
  memcpy(&heap, r.kernarg + 24 + 96, 8);
  memcpy(&queue, r.kernarg + 24 + 200, 8);
  memcpy(&hostcall, r.kernarg + 24 + 80, 8);
  ASSERT_NE(heap, 0u);
  EXPECT_NE(queue, 0u);
  EXPECT_EQ(hostcall, 0u);
  // The device heap's block is cleared.
  auto *bytes = reinterpret_cast<const unsigned char *>(heap);
  for (size_t i = 0; i != 128 * 1024; ++i)
    ASSERT_EQ(bytes[i], 0);
}

TEST_F(HsaLaunch, DimensionsAndNoArguments) {
  size_t before = Mock::records();
  ASSERT_OK(launch(u.kernel("nothing"), config(7, 100)));
  xcc_launch_config flat{{2, 9, 1}, {1, 1, 1}, 0, nullptr, "test.cpp", 7};
  ASSERT_OK(launch(u.kernel("nothing"), flat));
  ASSERT_OK(xcc_device_synchronize(-1));
  ASSERT_EQ(Mock::records(), before + 2);
  aql::DispatchPacket one = packetOf(Mock::record(before));
  EXPECT_EQ(one.setup, 1);
  EXPECT_EQ(one.gridSize[0], 700u);
  EXPECT_EQ(one.groupSegmentSize, 0u);
  aql::DispatchPacket two = packetOf(Mock::record(before + 1));
  EXPECT_EQ(two.setup, 2);
  EXPECT_EQ(two.gridSize[1], 9u);
}

TEST_F(HsaLaunch, DynamicStack) {
  size_t before = Mock::records();
  uint64_t argument = 0;
  ASSERT_OK(launch(u.kernel("deep", 8), config(1, 1), argument));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(packetOf(Mock::record(before)).privateSegmentSize, 16u * 1024u);
}

TEST_F(HsaLaunch, ArgumentsLargerThanTheirPlace) {
  std::vector<unsigned char> arguments(1000);
  for (size_t i = 0; i != arguments.size(); ++i)
    arguments[i] = static_cast<unsigned char>(i * 7);
  xcc_launch_config c = config(3, 64);
  size_t before = Mock::records();
  ASSERT_OK(
      xcc_kernel_launch(&u.kernel("big", 1000), &c, arguments.data(), 1000));
  ASSERT_OK(xcc_device_synchronize(-1));
  mock_record r = Mock::record(before);
  ASSERT_EQ(r.kernarg_size, 1256u);
  EXPECT_EQ(memcmp(r.kernarg, arguments.data(), 1000), 0);
  // Their memory goes back with the synchronisation.
  size_t now = Mock::allocated();
  for (int i = 0; i != 10; ++i)
    ASSERT_OK(
        xcc_kernel_launch(&u.kernel("big", 1000), &c, arguments.data(), 1000));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(Mock::allocated(), now);
}

/// More launches than places: nothing is lost or overwritten, from one thread
/// and from several.
static std::atomic<uint64_t> sum{0}, ran{0};
static void addArgument(const void *kernarg, const mock_dispatch *) {
  sum += *static_cast<const uint64_t *>(kernarg);
  ++ran;
}

TEST_F(HsaLaunch, QueueFull) {
  Mock::body("k_increment", addArgument);
  const xcc_kernel_info &k = u.kernel("increment", 8);
  sum = ran = 0;
  constexpr uint64_t n = 3000; // the queue has 1024 places
  for (uint64_t i = 1; i <= n; ++i)
    ASSERT_OK(launch(k, config(1, 1), i));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(ran, n);
  EXPECT_EQ(sum, n * (n + 1) / 2);
}

TEST_F(HsaLaunch, QueueFullAndLateRead) {
  Mock::readLate(true);
  Mock::body("k_increment", addArgument);
  sum = ran = 0;
  for (uint64_t i = 1; i <= 2500; ++i)
    ASSERT_OK(launch(u.kernel("increment", 8), config(1, 1), i));
  ASSERT_OK(xcc_device_synchronize(-1));
  Mock::readLate(false);
  EXPECT_EQ(sum, 2500u * 2501 / 2);
}

TEST_F(HsaLaunch, SeveralProducers) {
  Mock::body("k_increment", addArgument);
  const xcc_kernel_info &k = u.kernel("increment", 8);
  ASSERT_OK(xcc_kernel_prepare(&k, nullptr));
  sum = ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (uint64_t i = 1; i <= 600; ++i) {
        EXPECT_OK(launch(k, config(1, 1), i));
        if (i % 97 == 0)
          EXPECT_OK(xcc_device_synchronize(-1));
      }
    });
  for (std::thread &t : threads)
    t.join();
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(ran, 4u * 600u);
  EXPECT_EQ(sum, 4u * 600u * 601u / 2);
}

/// With a queue of four and of eight places; MOCK_HSA_QUEUE_SIZE is set by
/// ctest for tests of this name.
TEST_F(HsaLaunch, TinyQueue) {
  Mock::body("k_increment", addArgument);
  sum = ran = 0;
  xcc_stream *s;
  ASSERT_OK(xcc_stream_create(&s));
  xcc_event *e;
  ASSERT_OK(xcc_event_create(&e));
  uint64_t *p;
  ASSERT_OK(xcc_memory_alloc(64, reinterpret_cast<void **>(&p)));
  for (uint64_t i = 1; i <= 200; ++i) {
    ASSERT_OK(launch(u.kernel("increment", 8), config(1, 1, s), i));
    if (i % 3 == 0)
      ASSERT_OK(xcc_event_record(e, s));
    if (i % 5 == 0)
      ASSERT_OK(xcc_memory_fill_async(p, 1, 64, s));
    if (i % 7 == 0)
      (void)xcc_stream_query(s);
  }
  ASSERT_OK(xcc_stream_synchronize(s));
  EXPECT_EQ(ran, 200u);
  EXPECT_EQ(sum, 200u * 201 / 2);
  ASSERT_OK(xcc_memory_free(p));
  ASSERT_OK(xcc_event_destroy(e));
  ASSERT_OK(xcc_stream_destroy(s));
}

TEST_F(HsaLaunch, FirstAndSecondLaunch) {
  Unit fresh(usualSection());
  const xcc_kernel_info &k = fresh.kernel("nothing");
  ASSERT_OK(launch(u.kernel("nothing"), config(1, 1))); // makes the queue
  ASSERT_OK(xcc_device_synchronize(-1));
  size_t loads = Mock::calls("hsa_executable_load_agent_code_object");
  ASSERT_OK(launch(k, config(1, 1)));
  EXPECT_EQ(Mock::calls("hsa_executable_load_agent_code_object"), loads + 1);
  // From now on a launch calls nothing that can fail, allocates nothing.
  static const char *const calls[] = {
      "hsa_amd_memory_pool_allocate",      "hsa_signal_create",
      "hsa_executable_get_symbol_by_name", "hsa_agent_get_info",
      "hsa_amd_agents_allow_access",       "hsa_queue_create"};
  std::vector<size_t> before;
  for (const char *c : calls)
    before.push_back(Mock::calls(c));
  for (int i = 0; i != 100; ++i)
    ASSERT_OK(launch(k, config(1, 1)));
  for (size_t i = 0; i != std::size(calls); ++i)
    EXPECT_EQ(Mock::calls(calls[i]), before[i]) << calls[i];
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaLaunch, Limits) {
  xcc_device_properties p;
  ASSERT_OK(xcc_device_get_properties(0, &p));
  EXPECT_STREQ(p.kind, "hsa");
  EXPECT_STREQ(p.arch, "gfx90a:sramecc+:xnack-");
  EXPECT_STREQ(p.name, "Mock gfx90a");
  EXPECT_EQ(p.warp_size, 64u);
  EXPECT_EQ(p.compute_units, 104u);
  EXPECT_EQ(p.shared_memory, 64u * 1024u);
  EXPECT_EQ(p.max_block, 1024u);
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1025)),
            XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(launch(u.kernel("nothing"), config(1u << 30, 256)),
            XCC_ERROR_INVALID_LAUNCH);
  xcc_launch_config shared = config(1, 1);
  shared.shared_bytes = 64 * 1024 + 1;
  EXPECT_EQ(launch(u.kernel("nothing"), shared), XCC_ERROR_INVALID_LAUNCH);
  // A kernel compiled for blocks of 256.
  struct {
    uint64_t a[3];
  } arguments{};
  EXPECT_EQ(launch(u.kernel("all_hidden", 24), config(1, 257), arguments),
            XCC_ERROR_INVALID_LAUNCH);
}

TEST_F(HsaLaunch, SuggestedBlock) {
  std::vector<TestKernel> kernels = {
      {"light", 0, 0, 0, 0, 0, false, "wave=64\tvgprs=24"},
      {"heavy", 0, 0, 0, 0, 0, false, "wave=64\tvgprs=512"},
      {"bound", 0, 0, 0, 0, 128, false, "wave=64\tvgprs=24"},
      {"shared", 0, 0, 40000, 0, 0, false, "wave=64\tvgprs=24"}};
  Unit other(amdSection("gfx90a", kernels));
  auto suggest = [&](const char *name, uint64_t dynamic = 0) {
    uint32_t block = 0;
    EXPECT_OK(xcc_kernel_suggest_block(&other.kernel(name), dynamic, &block));
    return block;
  };
  EXPECT_EQ(suggest("light"), 256u);
  EXPECT_EQ(suggest("heavy"), 256u); // one wavefront for each SIMD
  EXPECT_EQ(suggest("bound"), 128u);
  EXPECT_EQ(suggest("shared"), 1024u); // one block fits: the larger the better
  EXPECT_EQ(suggest("light", 30000), 1024u);
}
