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
  aql::DispatchPacket packetOf(const mock_record &R) {
    aql::DispatchPacket P;
    memcpy(&P, R.packet, sizeof(P));
    return P;
  }
};
} // namespace

TEST_F(HsaLaunch, PacketFields) {
  struct {
    uint64_t A, B, C;
  } Arguments{1, 2, 3};
  xcc_launch_config C{{5, 3, 2}, {32, 4, 2}, 1024, nullptr, "test.cpp", 7};
  size_t Before = Mock::records();
  ASSERT_OK(xcc_launch(&U.kernel("all_hidden", 24), &C, &Arguments, 24));
  ASSERT_OK(xcc_device_synchronize(-1));
  ASSERT_EQ(Mock::records(), Before + 1);
  mock_record R = Mock::record(Before);
  EXPECT_STREQ(R.symbol, "k_all_hidden");
  EXPECT_EQ(R.agent, 0);
  aql::DispatchPacket P = packetOf(R);
  // Kernel dispatch, barrier bit, both fences of system scope.
  EXPECT_EQ(P.Header, 2 | 1 << 8 | 2 << 9 | 2 << 11);
  EXPECT_EQ(P.Setup, 3);
  EXPECT_EQ(P.WorkgroupSize[0], 32);
  EXPECT_EQ(P.WorkgroupSize[1], 4);
  EXPECT_EQ(P.WorkgroupSize[2], 2);
  EXPECT_EQ(P.GridSize[0], 160u);
  EXPECT_EQ(P.GridSize[1], 12u);
  EXPECT_EQ(P.GridSize[2], 4u);
  EXPECT_EQ(P.GroupSegmentSize, 512u + 1024u);
  EXPECT_EQ(P.PrivateSegmentSize, 64u);
  EXPECT_EQ(P.Reserved0, 0);
  EXPECT_EQ(P.Reserved2, 0u);
  EXPECT_EQ(P.CompletionSignal, 0u);
  EXPECT_NE(P.KernelObject, 0u);
  ASSERT_EQ(R.kernarg_size, 24u + 256u);
  EXPECT_EQ(memcmp(R.kernarg, &Arguments, 24), 0);
  auto Word = [&](size_t At) {
    uint32_t W;
    memcpy(&W, R.kernarg + 24 + At, 4);
    return W;
  };
  EXPECT_EQ(Word(0), 5u);
  EXPECT_EQ(Word(4), 3u);
  EXPECT_EQ(Word(8), 2u);
  EXPECT_EQ(Word(12), 32u | 4u << 16);
  EXPECT_EQ(Word(16), 2u);
  EXPECT_EQ(Word(64), 3u);
  EXPECT_EQ(Word(120), 1024u);
  EXPECT_EQ(Word(192), 0x00020000u) << "private aperture";
  EXPECT_EQ(Word(196), 0x00010000u) << "group aperture";
  uint64_t Heap, Queue, Hostcall;
  memcpy(&Heap, R.kernarg + 24 + 96, 8);
  memcpy(&Queue, R.kernarg + 24 + 200, 8);
  memcpy(&Hostcall, R.kernarg + 24 + 80, 8);
  ASSERT_NE(Heap, 0u);
  EXPECT_NE(Queue, 0u);
  EXPECT_EQ(Hostcall, 0u);
  // The device heap's block is cleared.
  auto *Bytes = reinterpret_cast<const unsigned char *>(Heap);
  for (size_t I = 0; I != 128 * 1024; ++I)
    ASSERT_EQ(Bytes[I], 0);
}

TEST_F(HsaLaunch, DimensionsAndNoArguments) {
  size_t Before = Mock::records();
  ASSERT_OK(launch(U.kernel("nothing"), config(7, 100)));
  xcc_launch_config Flat{{2, 9, 1}, {1, 1, 1}, 0, nullptr, "test.cpp", 7};
  ASSERT_OK(launch(U.kernel("nothing"), Flat));
  ASSERT_OK(xcc_device_synchronize(-1));
  ASSERT_EQ(Mock::records(), Before + 2);
  aql::DispatchPacket One = packetOf(Mock::record(Before));
  EXPECT_EQ(One.Setup, 1);
  EXPECT_EQ(One.GridSize[0], 700u);
  EXPECT_EQ(One.GroupSegmentSize, 0u);
  aql::DispatchPacket Two = packetOf(Mock::record(Before + 1));
  EXPECT_EQ(Two.Setup, 2);
  EXPECT_EQ(Two.GridSize[1], 9u);
}

TEST_F(HsaLaunch, DynamicStack) {
  size_t Before = Mock::records();
  uint64_t Argument = 0;
  ASSERT_OK(launch(U.kernel("deep", 8), config(1, 1), Argument));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(packetOf(Mock::record(Before)).PrivateSegmentSize, 16u * 1024u);
}

TEST_F(HsaLaunch, ArgumentsLargerThanTheirPlace) {
  std::vector<unsigned char> Arguments(1000);
  for (size_t I = 0; I != Arguments.size(); ++I)
    Arguments[I] = static_cast<unsigned char>(I * 7);
  xcc_launch_config C = config(3, 64);
  size_t Before = Mock::records();
  ASSERT_OK(xcc_launch(&U.kernel("big", 1000), &C, Arguments.data(), 1000));
  ASSERT_OK(xcc_device_synchronize(-1));
  mock_record R = Mock::record(Before);
  ASSERT_EQ(R.kernarg_size, 1256u);
  EXPECT_EQ(memcmp(R.kernarg, Arguments.data(), 1000), 0);
  // Their memory goes back with the synchronisation.
  size_t Now = Mock::allocated();
  for (int I = 0; I != 10; ++I)
    ASSERT_OK(xcc_launch(&U.kernel("big", 1000), &C, Arguments.data(), 1000));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(Mock::allocated(), Now);
}

/// More launches than places: nothing is lost or overwritten, from one thread
/// and from several.
static std::atomic<uint64_t> Sum{0}, Ran{0};
static void addArgument(const void *Kernarg, const mock_dispatch *) {
  Sum += *static_cast<const uint64_t *>(Kernarg);
  ++Ran;
}

TEST_F(HsaLaunch, QueueFull) {
  Mock::body("k_increment", addArgument);
  const xcc_kernel_info &K = U.kernel("increment", 8);
  Sum = Ran = 0;
  constexpr uint64_t N = 3000; // the queue has 1024 places
  for (uint64_t I = 1; I <= N; ++I)
    ASSERT_OK(launch(K, config(1, 1), I));
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(Ran, N);
  EXPECT_EQ(Sum, N * (N + 1) / 2);
}

TEST_F(HsaLaunch, QueueFullAndLateRead) {
  Mock::readLate(true);
  Mock::body("k_increment", addArgument);
  Sum = Ran = 0;
  for (uint64_t I = 1; I <= 2500; ++I)
    ASSERT_OK(launch(U.kernel("increment", 8), config(1, 1), I));
  ASSERT_OK(xcc_device_synchronize(-1));
  Mock::readLate(false);
  EXPECT_EQ(Sum, 2500u * 2501 / 2);
}

TEST_F(HsaLaunch, SeveralProducers) {
  Mock::body("k_increment", addArgument);
  const xcc_kernel_info &K = U.kernel("increment", 8);
  ASSERT_OK(xcc_kernel_prepare(&K, nullptr));
  Sum = Ran = 0;
  std::vector<std::thread> Threads;
  for (int T = 0; T != 4; ++T)
    Threads.emplace_back([&] {
      for (uint64_t I = 1; I <= 600; ++I) {
        EXPECT_OK(launch(K, config(1, 1), I));
        if (I % 97 == 0)
          EXPECT_OK(xcc_device_synchronize(-1));
      }
    });
  for (std::thread &T : Threads)
    T.join();
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(Ran, 4u * 600u);
  EXPECT_EQ(Sum, 4u * 600u * 601u / 2);
}

/// With a queue of four and of eight places; MOCK_HSA_QUEUE_SIZE is set by
/// ctest for tests of this name.
TEST_F(HsaLaunch, TinyQueue) {
  Mock::body("k_increment", addArgument);
  Sum = Ran = 0;
  xcc_stream *S;
  ASSERT_OK(xcc_stream_create(&S));
  xcc_event *E;
  ASSERT_OK(xcc_event_create(&E));
  uint64_t *P;
  ASSERT_OK(xcc_alloc(64, reinterpret_cast<void **>(&P)));
  for (uint64_t I = 1; I <= 200; ++I) {
    ASSERT_OK(launch(U.kernel("increment", 8), config(1, 1, S), I));
    if (I % 3 == 0)
      ASSERT_OK(xcc_event_record(E, S));
    if (I % 5 == 0)
      ASSERT_OK(xcc_fill_async(P, 1, 64, S));
    if (I % 7 == 0)
      (void)xcc_stream_query(S);
  }
  ASSERT_OK(xcc_stream_synchronize(S));
  EXPECT_EQ(Ran, 200u);
  EXPECT_EQ(Sum, 200u * 201 / 2);
  ASSERT_OK(xcc_free(P));
  ASSERT_OK(xcc_event_destroy(E));
  ASSERT_OK(xcc_stream_destroy(S));
}

TEST_F(HsaLaunch, FirstAndSecondLaunch) {
  Unit Fresh(usualSection());
  const xcc_kernel_info &K = Fresh.kernel("nothing");
  ASSERT_OK(launch(U.kernel("nothing"), config(1, 1))); // makes the queue
  ASSERT_OK(xcc_device_synchronize(-1));
  size_t Loads = Mock::calls("hsa_executable_load_agent_code_object");
  ASSERT_OK(launch(K, config(1, 1)));
  EXPECT_EQ(Mock::calls("hsa_executable_load_agent_code_object"), Loads + 1);
  // From now on a launch calls nothing that can fail, allocates nothing.
  static const char *const Calls[] = {
      "hsa_amd_memory_pool_allocate",      "hsa_signal_create",
      "hsa_executable_get_symbol_by_name", "hsa_agent_get_info",
      "hsa_amd_agents_allow_access",       "hsa_queue_create"};
  std::vector<size_t> Before;
  for (const char *C : Calls)
    Before.push_back(Mock::calls(C));
  for (int I = 0; I != 100; ++I)
    ASSERT_OK(launch(K, config(1, 1)));
  for (size_t I = 0; I != std::size(Calls); ++I)
    EXPECT_EQ(Mock::calls(Calls[I]), Before[I]) << Calls[I];
  ASSERT_OK(xcc_device_synchronize(-1));
}

TEST_F(HsaLaunch, Limits) {
  xcc_device_properties P;
  ASSERT_OK(xcc_device_get_properties(0, &P));
  EXPECT_STREQ(P.kind, "hsa");
  EXPECT_STREQ(P.arch, "gfx90a:sramecc+:xnack-");
  EXPECT_STREQ(P.name, "Mock gfx90a");
  EXPECT_EQ(P.warp_size, 64u);
  EXPECT_EQ(P.compute_units, 104u);
  EXPECT_EQ(P.shared_memory, 64u * 1024u);
  EXPECT_EQ(P.max_block, 1024u);
  EXPECT_EQ(launch(U.kernel("nothing"), config(1, 1025)),
            XCC_ERROR_INVALID_LAUNCH);
  EXPECT_EQ(launch(U.kernel("nothing"), config(1u << 30, 256)),
            XCC_ERROR_INVALID_LAUNCH);
  xcc_launch_config Shared = config(1, 1);
  Shared.shared_bytes = 64 * 1024 + 1;
  EXPECT_EQ(launch(U.kernel("nothing"), Shared), XCC_ERROR_INVALID_LAUNCH);
  // A kernel compiled for blocks of 256.
  struct {
    uint64_t A[3];
  } Arguments{};
  EXPECT_EQ(launch(U.kernel("all_hidden", 24), config(1, 257), Arguments),
            XCC_ERROR_INVALID_LAUNCH);
}

TEST_F(HsaLaunch, SuggestedBlock) {
  std::vector<TestKernel> Kernels = {
      {"light", 0, 0, 0, 0, 0, false, "wave=64\tvgprs=24"},
      {"heavy", 0, 0, 0, 0, 0, false, "wave=64\tvgprs=512"},
      {"bound", 0, 0, 0, 0, 128, false, "wave=64\tvgprs=24"},
      {"shared", 0, 0, 40000, 0, 0, false, "wave=64\tvgprs=24"}};
  Unit Other(amdSection("gfx90a", Kernels));
  auto Suggest = [&](const char *Name, uint64_t Dynamic = 0) {
    uint32_t Block = 0;
    EXPECT_OK(xcc_kernel_suggest_block(&Other.kernel(Name), Dynamic, &Block));
    return Block;
  };
  EXPECT_EQ(Suggest("light"), 256u);
  EXPECT_EQ(Suggest("heavy"), 256u); // one wavefront for each SIMD
  EXPECT_EQ(Suggest("bound"), 128u);
  EXPECT_EQ(Suggest("shared"), 1024u); // one block fits: the larger the better
  EXPECT_EQ(Suggest("light", 30000), 1024u);
}
