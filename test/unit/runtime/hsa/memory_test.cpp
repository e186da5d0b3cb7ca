// Allocations and copies on mock GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa_unit.h"

#include <numeric>

using namespace xcc::test;

namespace {
class HsaMemory : public Hsa {
protected:
  static std::vector<unsigned char> pattern(size_t Bytes, unsigned Seed) {
    std::vector<unsigned char> V(Bytes);
    for (size_t I = 0; I != Bytes; ++I)
      V[I] = static_cast<unsigned char>((I * 31 + Seed) ^ (I >> 9));
    return V;
  }
  void *allocate(size_t Bytes) {
    void *P = nullptr;
    EXPECT_OK(xcc_alloc(Bytes, &P));
    return P;
  }
};
} // namespace

/// Through the pinned buffer, over several of its halves, and locked.
TEST_F(HsaMemory, RoundTrips) {
  for (size_t Bytes : {size_t(1), size_t(1000), size_t(1) << 20,
                       (size_t(5) << 20) / 2 + 7, (size_t(6) << 20) + 1}) {
    auto In = pattern(Bytes, 1);
    std::vector<unsigned char> Out(Bytes);
    void *P = allocate(Bytes);
    ASSERT_OK(xcc_copy(P, In.data(), Bytes));
    ASSERT_OK(xcc_copy(Out.data(), P, Bytes));
    EXPECT_EQ(In, Out) << Bytes;
    ASSERT_OK(xcc_free(P));
    EXPECT_EQ(Mock::locked(), 0u);
  }
}

TEST_F(HsaMemory, LargeCopiesLock) {
  constexpr size_t Bytes = size_t(8) << 20;
  auto In = pattern(Bytes, 2);
  void *P = allocate(Bytes);
  size_t Locks = Mock::calls("hsa_amd_memory_lock");
  ASSERT_OK(xcc_copy(P, In.data(), Bytes));
  EXPECT_EQ(Mock::calls("hsa_amd_memory_lock"), Locks + 1);
  EXPECT_EQ(Mock::locked(), 0u);
  // Pages that cannot be locked go through the buffer.
  Mock::fail("hsa_amd_memory_lock", 1, 0x1008);
  std::vector<unsigned char> Out(Bytes);
  ASSERT_OK(xcc_copy(Out.data(), P, Bytes));
  EXPECT_EQ(In, Out);
  ASSERT_OK(xcc_free(P));
}

TEST_F(HsaMemory, PinnedCopiesAreOne) {
  constexpr size_t Bytes = size_t(3) << 20;
  auto In = pattern(Bytes, 3);
  void *Host, *P = allocate(Bytes);
  ASSERT_OK(xcc_alloc_host(Bytes, &Host));
  memcpy(Host, In.data(), Bytes);
  size_t Copies = Mock::calls("hsa_amd_memory_async_copy");
  ASSERT_OK(xcc_copy_async(P, Host, Bytes, nullptr));
  EXPECT_EQ(Mock::calls("hsa_amd_memory_async_copy"), Copies + 1);
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(memcmp(P, In.data(), Bytes), 0); // the mock's memory is the host's
  memset(Host, 0, Bytes);
  ASSERT_OK(xcc_copy(Host, P, Bytes));
  EXPECT_EQ(memcmp(Host, In.data(), Bytes), 0);
  // Host to host, pinned and not.
  std::vector<unsigned char> Out(Bytes);
  ASSERT_OK(xcc_copy(Out.data(), Host, Bytes));
  EXPECT_EQ(Out, In);
  ASSERT_OK(xcc_free_host(Host));
  ASSERT_OK(xcc_free(P));
}

TEST_F(HsaMemory, Fills) {
  constexpr size_t Bytes = (size_t(3) << 20) + 13;
  auto *P = static_cast<unsigned char *>(allocate(Bytes));
  for (auto [Offset, Size] :
       std::vector<std::pair<size_t, size_t>>{{0, Bytes},
                                              {1, 5},
                                              {3, (size_t(2) << 20) + 2},
                                              {2, (size_t(2) << 20) + 5},
                                              {0, 1}}) {
    ASSERT_OK(xcc_fill(P, 0x11, Bytes));
    ASSERT_OK(xcc_fill(P + Offset, 0xa5, Size));
    std::vector<unsigned char> Out(Bytes), Expected(Bytes, 0x11);
    std::fill_n(Expected.begin() + static_cast<ptrdiff_t>(Offset), Size, 0xa5);
    ASSERT_OK(xcc_copy(Out.data(), P, Bytes));
    EXPECT_EQ(Out, Expected) << Offset << " " << Size;
  }
  ASSERT_OK(xcc_free(P));
  std::vector<unsigned char> Host(100, 1);
  ASSERT_OK(xcc_fill(Host.data(), 2, Host.size()));
  EXPECT_EQ(Host, std::vector<unsigned char>(100, 2));
}

TEST_F(HsaMemory, OverlappingCopy) {
  constexpr size_t Bytes = 100000;
  auto In = pattern(Bytes, 4);
  auto *P = static_cast<unsigned char *>(allocate(Bytes));
  ASSERT_OK(xcc_copy(P, In.data(), Bytes));
  size_t Before = Mock::allocated();
  ASSERT_OK(xcc_copy(P + 100, P, Bytes - 100));
  EXPECT_EQ(Mock::allocated(), Before);
  memmove(&In[100], &In[0], Bytes - 100);
  std::vector<unsigned char> Out(Bytes);
  ASSERT_OK(xcc_copy(Out.data(), P, Bytes));
  EXPECT_EQ(In, Out);
  ASSERT_OK(xcc_free(P));
}

/// Copies stand in the stream's order, between the kernels.
static void increment(const void *Kernarg, const mock_dispatch *L) {
  unsigned *P = *static_cast<unsigned *const *>(Kernarg);
  for (unsigned I = 0; I != L->grid[0] * L->block[0]; ++I)
    ++P[I];
}

TEST_F(HsaMemory, StreamOrder) {
  Mock::body("k_increment", increment);
  constexpr size_t N = 1000, Bytes = N * sizeof(unsigned);
  std::vector<unsigned> In(N), Out(N);
  std::iota(In.begin(), In.end(), 0u);
  void *Pinned;
  ASSERT_OK(xcc_alloc_host(Bytes, &Pinned));
  auto *P = static_cast<unsigned *>(allocate(Bytes));
  auto *Q = static_cast<unsigned *>(allocate(Bytes));
  xcc_stream *S;
  ASSERT_OK(xcc_stream_create(&S));
  for (int Round = 0; Round != 20; ++Round) {
    Mock::pause(true);
    ASSERT_OK(xcc_copy_async(P, In.data(), Bytes, S));
    ASSERT_OK(launch(U.kernel("increment", 8), config(10, 100, S), P));
    ASSERT_OK(xcc_copy_async(Q, P, Bytes, S));
    ASSERT_OK(launch(U.kernel("increment", 8), config(10, 100, S), Q));
    ASSERT_OK(launch(U.kernel("increment", 8), config(10, 100, S), Q));
    ASSERT_OK(xcc_copy_async(Pinned, Q, Bytes, S));
    ASSERT_OK(xcc_fill_async(Q, 0, Bytes, S));
    Mock::pause(false);
    ASSERT_OK(xcc_stream_synchronize(S));
    for (size_t I = 0; I != N; ++I)
      ASSERT_EQ(static_cast<unsigned *>(Pinned)[I], I + 3);
    ASSERT_EQ(Q[5], 0u);
  }
  ASSERT_OK(xcc_stream_destroy(S));
  ASSERT_OK(xcc_free(P));
  ASSERT_OK(xcc_free(Q));
  ASSERT_OK(xcc_free_host(Pinned));
}

TEST_F(HsaMemory, BetweenGpus) {
  // ctest runs this also with GPUs that do not see each other.
  constexpr size_t Bytes = (size_t(2) << 20) + 100;
  auto In = pattern(Bytes, 5);
  std::vector<unsigned char> Out(Bytes);
  void *First = allocate(Bytes);
  ASSERT_OK(xcc_device_set_current(1));
  void *Second = allocate(Bytes);
  ASSERT_OK(xcc_device_set_current(0));
  ASSERT_OK(xcc_copy(First, In.data(), Bytes));
  ASSERT_OK(xcc_copy(Second, First, Bytes));
  ASSERT_OK(xcc_copy(Out.data(), Second, Bytes));
  EXPECT_EQ(In, Out);
  size_t Calls = Mock::calls("hsa_amd_agents_allow_access");
  ASSERT_OK(xcc_copy(Second, First, Bytes));
  EXPECT_EQ(Mock::calls("hsa_amd_agents_allow_access"), Calls);
  ASSERT_OK(xcc_free(First));
  ASSERT_OK(xcc_free(Second));
}

TEST_F(HsaMemory, PastTheEnd) {
  void *P = allocate(100);
  char Byte[200];
  EXPECT_EQ(xcc_copy(P, Byte, 101), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_free(Byte), XCC_ERROR_INVALID_VALUE);
  ASSERT_OK(xcc_free(P));
  EXPECT_EQ(xcc_free(P), XCC_ERROR_INVALID_VALUE);
}

TEST_F(HsaMemory, OutOfMemory) {
  void *P;
  EXPECT_EQ(xcc_alloc(size_t(1) << 40, &P), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(std::string(xcc_last_error()).find("1099511627776 bytes"),
            std::string::npos)
      << xcc_last_error();
  EXPECT_NE(std::string(xcc_last_error()).find("hsa:0"), std::string::npos);
  EXPECT_EQ(P, nullptr);
}

TEST_F(HsaMemory, Async) {
  Mock::body("k_increment", increment);
  xcc_stream *S;
  ASSERT_OK(xcc_stream_create(&S));
  size_t Before = Mock::allocated();
  unsigned *P;
  ASSERT_OK(xcc_alloc_async(400, S, reinterpret_cast<void **>(&P)));
  ASSERT_OK(xcc_fill_async(P, 0, 400, S));
  ASSERT_OK(launch(U.kernel("increment", 8), config(1, 100, S), P));
  unsigned Out[100];
  ASSERT_OK(xcc_copy_async(Out, P, 400, S));
  ASSERT_OK(xcc_free_async(P, S));
  ASSERT_OK(xcc_stream_synchronize(S));
  EXPECT_EQ(Out[99], 1u);
  EXPECT_LE(Mock::allocated(), Before + (size_t(2) << 20)); // staging
  ASSERT_OK(xcc_stream_destroy(S));
}
