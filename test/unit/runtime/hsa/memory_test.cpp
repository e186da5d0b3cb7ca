// Allocations and copies on mock GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa_unit.h"
#include "xcc/host.h"

#include <numeric>

using namespace xcc::test;

namespace {
class HsaMemory : public Hsa {
protected:
  static std::vector<unsigned char> pattern(size_t bytes, unsigned seed) {
    std::vector<unsigned char> v(bytes);
    for (size_t i = 0; i != bytes; ++i)
      v[i] = static_cast<unsigned char>((i * 31 + seed) ^ (i >> 9));
    return v;
  }
  void *allocate(size_t bytes) {
    void *p = nullptr;
    EXPECT_OK(xcc_memory_alloc(bytes, &p));
    return p;
  }
};
} // namespace

/// Through the pinned buffer, over several of its halves, and locked.
TEST_F(HsaMemory, RoundTrips) {
  for (size_t bytes : {size_t(1), size_t(1000), size_t(1) << 20,
                       (size_t(5) << 20) / 2 + 7, (size_t(6) << 20) + 1}) {
    auto in = pattern(bytes, 1);
    std::vector<unsigned char> out(bytes);
    void *p = allocate(bytes);
    ASSERT_OK(xcc_memory_copy(p, in.data(), bytes));
    ASSERT_OK(xcc_memory_copy(out.data(), p, bytes));
    EXPECT_EQ(in, out) << bytes;
    ASSERT_OK(xcc_memory_free(p));
    EXPECT_EQ(Mock::locked(), 0u);
  }
}

/// By one command, if it is of words; else each row by itself.
TEST_F(HsaMemory, Rows) {
  const char *rect = "hsa_amd_memory_async_copy_rect";
  const char *plain = "hsa_amd_memory_async_copy";
  xcc::pitched_buffer<char> a(100, 20, 3), b(100, 20, 3);
  auto in = pattern(6000, 3);
  std::vector<unsigned char> out(6000);
  auto *from = reinterpret_cast<char *>(in.data());
  auto *to = reinterpret_cast<char *>(out.data());
  size_t rects = Mock::calls(rect), copies = Mock::calls(plain);
  a.copy_from(from);
  b.copy_from(a);
  b.copy_to(to);
  EXPECT_EQ(in, out);
  EXPECT_EQ(Mock::calls(rect), rects + 3);
  EXPECT_EQ(Mock::calls(plain), copies);
  EXPECT_EQ(Mock::locked(), 0u);
  // Odd rows, pages that cannot be locked, what the library refuses.
  out.assign(6000, 0);
  b.part(1, 0, 99, 20).copy_to(to + 1, 99);
  EXPECT_EQ(Mock::calls(rect), rects + 3);
  for (size_t i = 0; i != 99; ++i)
    EXPECT_EQ(out[1 + 99 + i], in[100 + 1 + i]);
  Mock::fail("hsa_amd_memory_lock", 1, 0x1008);
  b.fill(0);
  b.copy_from(from);
  EXPECT_EQ(Mock::calls(rect), rects + 3);
  Mock::fail(rect, 1, 0x1001);
  a.fill(0);
  a.copy_from(b);
  EXPECT_EQ(Mock::calls(rect), rects + 4);
  out.assign(6000, 0);
  a.copy_to(to);
  EXPECT_EQ(in, out);
  EXPECT_EQ(Mock::locked(), 0u);
}

/// Copies of what is locked already lock nothing.
TEST_F(HsaMemory, Registered) {
  constexpr size_t bytes = size_t(8) << 20;
  auto in = pattern(bytes, 4);
  std::vector<unsigned char> out(bytes);
  void *p = allocate(bytes);
  {
    xcc::host_registration locked(in.data(), bytes);
    EXPECT_EQ(Mock::locked(), 1u);
    size_t locks = Mock::calls("hsa_amd_memory_lock");
    ASSERT_OK(xcc_memory_copy(p, in.data(), bytes));
    EXPECT_EQ(Mock::calls("hsa_amd_memory_lock"), locks);
    EXPECT_EQ(Mock::locked(), 1u);
  }
  EXPECT_EQ(Mock::locked(), 0u);
  ASSERT_OK(xcc_memory_copy(out.data(), p, bytes));
  EXPECT_EQ(in, out);
  ASSERT_OK(xcc_memory_free(p));
  Mock::fail("hsa_amd_memory_lock", 1, 0x1008);
  EXPECT_NE(xcc_memory_register(in.data(), bytes), XCC_SUCCESS);
  EXPECT_NE(strstr(xcc_error_last(), "hsa_amd_memory_lock"), nullptr);
}

TEST_F(HsaMemory, LargeCopiesLock) {
  constexpr size_t bytes = size_t(8) << 20;
  auto in = pattern(bytes, 2);
  void *p = allocate(bytes);
  size_t locks = Mock::calls("hsa_amd_memory_lock");
  ASSERT_OK(xcc_memory_copy(p, in.data(), bytes));
  EXPECT_EQ(Mock::calls("hsa_amd_memory_lock"), locks + 1);
  EXPECT_EQ(Mock::locked(), 0u);
  // Pages that cannot be locked go through the buffer.
  Mock::fail("hsa_amd_memory_lock", 1, 0x1008);
  std::vector<unsigned char> out(bytes);
  ASSERT_OK(xcc_memory_copy(out.data(), p, bytes));
  EXPECT_EQ(in, out);
  ASSERT_OK(xcc_memory_free(p));
}

TEST_F(HsaMemory, PinnedCopiesAreOne) {
  constexpr size_t bytes = size_t(3) << 20;
  auto in = pattern(bytes, 3);
  void *host, *p = allocate(bytes);
  ASSERT_OK(xcc_memory_alloc_host(bytes, &host));
  memcpy(host, in.data(), bytes);
  size_t copies = Mock::calls("hsa_amd_memory_async_copy");
  ASSERT_OK(xcc_memory_copy_async(p, host, bytes, nullptr));
  EXPECT_EQ(Mock::calls("hsa_amd_memory_async_copy"), copies + 1);
  ASSERT_OK(xcc_device_synchronize(-1));
  EXPECT_EQ(memcmp(p, in.data(), bytes), 0); // the mock's memory is the host's
  memset(host, 0, bytes);
  ASSERT_OK(xcc_memory_copy(host, p, bytes));
  EXPECT_EQ(memcmp(host, in.data(), bytes), 0);
  // Host to host, pinned and not.
  std::vector<unsigned char> out(bytes);
  ASSERT_OK(xcc_memory_copy(out.data(), host, bytes));
  EXPECT_EQ(out, in);
  ASSERT_OK(xcc_memory_free_host(host));
  ASSERT_OK(xcc_memory_free(p));
}

TEST_F(HsaMemory, Fills) {
  constexpr size_t bytes = (size_t(3) << 20) + 13;
  auto *p = static_cast<unsigned char *>(allocate(bytes));
  for (auto [offset, size] :
       std::vector<std::pair<size_t, size_t>>{{0, bytes},
                                              {1, 5},
                                              {3, (size_t(2) << 20) + 2},
                                              {2, (size_t(2) << 20) + 5},
                                              {0, 1}}) {
    ASSERT_OK(xcc_memory_fill(p, 0x11, bytes));
    ASSERT_OK(xcc_memory_fill(p + offset, 0xa5, size));
    std::vector<unsigned char> out(bytes), expected(bytes, 0x11);
    std::fill_n(expected.begin() + static_cast<ptrdiff_t>(offset), size, 0xa5);
    ASSERT_OK(xcc_memory_copy(out.data(), p, bytes));
    EXPECT_EQ(out, expected) << offset << " " << size;
  }
  ASSERT_OK(xcc_memory_free(p));
  std::vector<unsigned char> host(100, 1);
  ASSERT_OK(xcc_memory_fill(host.data(), 2, host.size()));
  EXPECT_EQ(host, std::vector<unsigned char>(100, 2));
}

TEST_F(HsaMemory, OverlappingCopy) {
  constexpr size_t bytes = 100000;
  auto in = pattern(bytes, 4);
  auto *p = static_cast<unsigned char *>(allocate(bytes));
  ASSERT_OK(xcc_memory_copy(p, in.data(), bytes));
  size_t before = Mock::allocated();
  ASSERT_OK(xcc_memory_copy(p + 100, p, bytes - 100));
  EXPECT_EQ(Mock::allocated(), before);
  memmove(&in[100], &in[0], bytes - 100);
  std::vector<unsigned char> out(bytes);
  ASSERT_OK(xcc_memory_copy(out.data(), p, bytes));
  EXPECT_EQ(in, out);
  ASSERT_OK(xcc_memory_free(p));
}

/// Copies stand in the stream's order, between the kernels.
static void increment(const void *kernarg, const mock_dispatch *l) {
  unsigned *p = *static_cast<unsigned *const *>(kernarg);
  for (unsigned i = 0; i != l->grid[0] * l->block[0]; ++i)
    ++p[i];
}

TEST_F(HsaMemory, StreamOrder) {
  Mock::body("k_increment", increment);
  constexpr size_t n = 1000, bytes = n * sizeof(unsigned);
  std::vector<unsigned> in(n), out(n);
  std::iota(in.begin(), in.end(), 0u);
  void *pinned;
  ASSERT_OK(xcc_memory_alloc_host(bytes, &pinned));
  auto *p = static_cast<unsigned *>(allocate(bytes));
  auto *q = static_cast<unsigned *>(allocate(bytes));
  xcc_stream *s;
  ASSERT_OK(xcc_stream_create(&s));
  for (int round = 0; round != 20; ++round) {
    Mock::pause(true);
    ASSERT_OK(xcc_memory_copy_async(p, in.data(), bytes, s));
    ASSERT_OK(launch(u.kernel("increment", 8), config(10, 100, s), p));
    ASSERT_OK(xcc_memory_copy_async(q, p, bytes, s));
    ASSERT_OK(launch(u.kernel("increment", 8), config(10, 100, s), q));
    ASSERT_OK(launch(u.kernel("increment", 8), config(10, 100, s), q));
    ASSERT_OK(xcc_memory_copy_async(pinned, q, bytes, s));
    ASSERT_OK(xcc_memory_fill_async(q, 0, bytes, s));
    Mock::pause(false);
    ASSERT_OK(xcc_stream_synchronize(s));
    for (size_t i = 0; i != n; ++i)
      ASSERT_EQ(static_cast<unsigned *>(pinned)[i], i + 3);
    ASSERT_EQ(q[5], 0u);
  }
  ASSERT_OK(xcc_stream_destroy(s));
  ASSERT_OK(xcc_memory_free(p));
  ASSERT_OK(xcc_memory_free(q));
  ASSERT_OK(xcc_memory_free_host(pinned));
}

TEST_F(HsaMemory, BetweenGpus) {
  // ctest runs this also with GPUs that do not see each other.
  constexpr size_t bytes = (size_t(2) << 20) + 100;
  auto in = pattern(bytes, 5);
  std::vector<unsigned char> out(bytes);
  void *first = allocate(bytes);
  ASSERT_OK(xcc_device_set_current(1));
  void *second = allocate(bytes);
  ASSERT_OK(xcc_device_set_current(0));
  ASSERT_OK(xcc_memory_copy(first, in.data(), bytes));
  ASSERT_OK(xcc_memory_copy(second, first, bytes));
  ASSERT_OK(xcc_memory_copy(out.data(), second, bytes));
  EXPECT_EQ(in, out);
  size_t calls = Mock::calls("hsa_amd_agents_allow_access");
  ASSERT_OK(xcc_memory_copy(second, first, bytes));
  EXPECT_EQ(Mock::calls("hsa_amd_agents_allow_access"), calls);
  ASSERT_OK(xcc_memory_free(first));
  ASSERT_OK(xcc_memory_free(second));
}

TEST_F(HsaMemory, PastTheEnd) {
  void *p = allocate(100);
  char byte[200];
  EXPECT_EQ(xcc_memory_copy(p, byte, 101), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_free(byte), XCC_ERROR_INVALID_VALUE);
  ASSERT_OK(xcc_memory_free(p));
  EXPECT_EQ(xcc_memory_free(p), XCC_ERROR_INVALID_VALUE);
}

TEST_F(HsaMemory, OutOfMemory) {
  void *p;
  EXPECT_EQ(xcc_memory_alloc(size_t(1) << 40, &p), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(std::string(xcc_error_last()).find("1099511627776 bytes"),
            std::string::npos)
      << xcc_error_last();
  EXPECT_NE(std::string(xcc_error_last()).find("hsa:0"), std::string::npos);
  EXPECT_EQ(p, nullptr);
}

TEST_F(HsaMemory, Async) {
  Mock::body("k_increment", increment);
  xcc_stream *s;
  ASSERT_OK(xcc_stream_create(&s));
  size_t before = Mock::allocated();
  unsigned *p;
  ASSERT_OK(xcc_memory_alloc_async(400, s, reinterpret_cast<void **>(&p)));
  ASSERT_OK(xcc_memory_fill_async(p, 0, 400, s));
  ASSERT_OK(launch(u.kernel("increment", 8), config(1, 100, s), p));
  unsigned out[100];
  ASSERT_OK(xcc_memory_copy_async(out, p, 400, s));
  ASSERT_OK(xcc_memory_free_async(p, s));
  ASSERT_OK(xcc_stream_synchronize(s));
  EXPECT_EQ(out[99], 1u);
  EXPECT_LE(Mock::allocated(), before + (size_t(2) << 20)); // staging
  ASSERT_OK(xcc_stream_destroy(s));
}
