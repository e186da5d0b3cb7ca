// Allocate, copy and fill
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <cstdint>
#include <numeric>

namespace {
constexpr std::size_t Sizes[] = {1,    2,    3,     7,       64,     65,
                                 1000, 4096, 65537, 1 << 20, 9999991};

std::vector<unsigned char> pattern(std::size_t n, unsigned seed) {
  std::vector<unsigned char> bytes(n);
  for (std::size_t i = 0; i < n; ++i)
    bytes[i] = static_cast<unsigned char>((i * 2654435761u + seed) >> 13);
  return bytes;
}

struct free_later {
  void *pointer;
  ~free_later() { (void)xcc_memory_free(pointer); }
};
} // namespace

TEST(alloc_sizes_and_alignment) {
  for (std::size_t size : Sizes) {
    void *p = nullptr;
    EQUAL(xcc_memory_alloc(size, &p), XCC_SUCCESS);
    free_later f{p};
    CHECK(p != nullptr);
    EQUAL(reinterpret_cast<std::uintptr_t>(p) % 64, 0u);
  }
}

TEST(alloc_nothing) {
  void *p = &p;
  EQUAL(xcc_memory_alloc(0, &p), XCC_SUCCESS);
  CHECK(p == nullptr);
  EQUAL(xcc_memory_free(nullptr), XCC_SUCCESS);
  xcc::buffer<int> none(0), empty;
  CHECK(none.data() == nullptr && none.size() == 0 && empty.size() == 0);
}

TEST(alloc_too_much) {
  std::string what;
  EQUAL(status_of([] { xcc::buffer<double> b(std::size_t(1) << 58); }, &what),
        XCC_ERROR_OUT_OF_MEMORY);
  CHECK(!what.empty());
  std::size_t most = SIZE_MAX; // as a constant it is an error of the compiler
  EQUAL(status_of([&] { xcc::buffer<double> b(most); }),
        XCC_ERROR_OUT_OF_MEMORY);
  xcc::buffer<int> small(10); // it still works
  small.fill(1);
}

TEST(alloc_many) {
  std::vector<xcc::buffer<int>> all;
  for (int i = 0; i < 500; ++i) {
    all.emplace_back(i % 50 + 1);
    all.back().copy_from(&i, 1);
  }
  for (int i = 0; i < 500; ++i)
    EQUAL(read(all[i], 1)[0], i);
}

TEST(free_foreign) {
  int on_stack = 0;
  EQUAL(xcc_memory_free(&on_stack), XCC_ERROR_INVALID_VALUE);
  void *p = nullptr;
  EQUAL(xcc_memory_alloc(100, &p), XCC_SUCCESS);
  EQUAL(xcc_memory_free(static_cast<char *>(p) + 64), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_free(p), XCC_SUCCESS);
}

TEST(free_twice) {
  void *p = nullptr;
  EQUAL(xcc_memory_alloc(100, &p), XCC_SUCCESS);
  EQUAL(xcc_memory_free(p), XCC_SUCCESS);
  EQUAL(xcc_memory_free(p), XCC_ERROR_INVALID_VALUE);
}

TEST(copy_there_and_back) {
  for (std::size_t size : Sizes) {
    const auto bytes = pattern(size, 1);
    xcc::buffer<unsigned char> b(size);
    b.copy_from(bytes.data(), size);
    CHECK(read(b) == bytes);
  }
}

TEST(copy_at_every_offset) {
  constexpr std::size_t n = 300;
  xcc::buffer<unsigned char> b(n);
  for (std::size_t to = 0; to < 17; ++to)
    for (std::size_t from = 0; from < 17; from += 3) {
      const auto bytes = pattern(n, unsigned(to * 20 + from));
      b.fill(0x5a);
      EQUAL(xcc_memory_copy(b.data() + to, bytes.data() + from, 200), XCC_SUCCESS);
      const auto back = read(b);
      for (std::size_t i = 0; i < n; ++i)
        EQUAL(back[i], i >= to && i < to + 200 ? bytes[i - to + from] : 0x5a);
    }
}

TEST(copy_within_device) {
  const auto bytes = pattern(10000, 3);
  xcc::buffer<unsigned char> a(10000), b(10000);
  a.copy_from(bytes.data(), 10000);
  b.fill(0);
  EQUAL(xcc_memory_copy(b.data() + 5, a.data() + 11, 9000), XCC_SUCCESS);
  const auto back = read(b);
  CHECK(back[4] == 0 && back[9005] == 0);
  CHECK(std::equal(bytes.begin() + 11, bytes.begin() + 9011, back.begin() + 5));
}

TEST(copy_host_to_host) {
  const auto bytes = pattern(5000, 4);
  std::vector<unsigned char> other(5000);
  EQUAL(xcc_memory_copy(other.data(), bytes.data(), 5000), XCC_SUCCESS);
  CHECK(other == bytes);
}

TEST(copy_nothing) {
  xcc::buffer<int> b(4);
  EQUAL(xcc_memory_copy(b.data(), nullptr, 0), XCC_SUCCESS);
  EQUAL(xcc_memory_copy(nullptr, b.data(), 0), XCC_SUCCESS);
  EQUAL(xcc_memory_fill(nullptr, 0, 0), XCC_SUCCESS);
}

TEST(copy_past_the_end) {
  xcc::buffer<int> b(100);
  std::vector<int> host(200, 7);
  b.fill(0);
  EQUAL(status_of([&] { b.copy_from(host.data(), 101); }),
        XCC_ERROR_INVALID_VALUE);
  EQUAL(status_of([&] { b.copy_to(host.data(), 101); }),
        XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_copy(b.data() + 99, host.data(), 8), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_copy(b.data(), host.data(), SIZE_MAX), XCC_ERROR_INVALID_VALUE);
  CHECK(std::strlen(xcc_error_last()) > 10);
  for (int value : read(b)) // nothing was done by halves
    EQUAL(value, 0);
}

TEST(copy_null) {
  xcc::buffer<int> b(4);
  EQUAL(xcc_memory_copy(nullptr, b.data(), 4), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_copy(b.data(), nullptr, 4), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_alloc(1, nullptr), XCC_ERROR_INVALID_VALUE);
}

TEST(fill_bytes) {
  for (std::size_t size : Sizes) {
    xcc::buffer<unsigned char> b(size);
    b.fill(0);
    EQUAL(xcc_memory_fill(b.data() + size / 3, 0x1a5, size / 3), XCC_SUCCESS);
    const auto back = read(b);
    for (std::size_t i = 0; i < size; ++i)
      EQUAL(back[i], i >= size / 3 && i < size / 3 * 2 ? 0xa5 : 0);
  }
}

namespace {
template <std::size_t Bytes> struct element {
  unsigned char bytes[Bytes];
  friend bool operator==(const element &, const element &) = default;
};

/// Elements of all sizes and alignments, and what lies beside them.
template <class Element> void fill_elements_of() {
  Element value;
  std::memcpy(&value, pattern(sizeof value, 7).data(), sizeof value);
  for (std::size_t count : {1, 2, 3, 1000, 70001}) {
    xcc::buffer<Element> b(count + 2);
    b.fill_bytes(0x5a);
    b.part(1, count).fill(value);
    const auto back = read(b);
    for (std::size_t i = 1; i <= count; ++i)
      CHECK(back[i] == value);
    Element beside;
    std::memset(&beside, 0x5a, sizeof beside);
    CHECK(back[0] == beside && back[count + 1] == beside);
    xcc::stream s;
    b.fill(value, s);
    value.bytes[0]++; // was read before the call returned
    s.synchronize();
    CHECK(read(b)[count / 2] != value);
  }
}
} // namespace

TEST(fill_elements) {
  fill_elements_of<element<2>>();
  fill_elements_of<element<3>>();
  fill_elements_of<element<4>>();
  fill_elements_of<element<8>>();
  fill_elements_of<element<12>>();
  fill_elements_of<element<16>>();
  fill_elements_of<element<65>>();
  fill_elements_of<element<1024>>();
  xcc::buffer<double> numbers(1000);
  numbers.fill(0.1);
  for (double number : numbers.to<std::vector>())
    EQUAL(number, 0.1);
  std::vector<float> on_host(100);
  const float value = 2.5f;
  EQUAL(xcc_memory_fill_elements(on_host.data(), &value, sizeof value, 100),
        XCC_SUCCESS);
  EQUAL(on_host[99], value);
}

TEST(fill_elements_wrongly) {
  xcc::buffer<int> b(100);
  b.fill(3);
  const int value = 4;
  EQUAL(xcc_memory_fill_elements(b.data(), &value, 4, 101), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_fill_elements(b.data(), &value, 0, 1), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_fill_elements(b.data(), nullptr, 4, 1), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_fill_elements(b.data(), &value, 4, SIZE_MAX / 2),
        XCC_ERROR_INVALID_VALUE);
  for (int number : read(b))
    EQUAL(number, 3);
}

TEST(parts_and_containers) {
  const std::vector<int> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  xcc::buffer b(numbers);
  static_assert(std::is_same_v<decltype(b), xcc::buffer<int>>);
  xcc::buffer<int> other(8);
  other.copy_from(b);
  CHECK(other.to<std::vector>() == numbers);
  CHECK(other.to<std::vector<int>>() == numbers);
  std::vector<int> three(3);
  b.subspan(2, 3).copy_to(three);
  CHECK((three == std::vector{3, 4, 5}));
  xcc::stream s;
  other.subspan(5).part(0, 3).copy_from(three, s);
  s.copy(other.data(), b.data() + 7, 1);
  s.synchronize();
  CHECK((other.to<std::vector>() == std::vector{8, 2, 3, 4, 5, 3, 4, 5}));
  std::string what;
  EQUAL(status_of([&] { b.part(7, 2); }, &what), XCC_ERROR_INVALID_VALUE);
  CHECK(what.find("2 objects are more than there is room for: 1") !=
        std::string::npos);
  EQUAL(status_of([&] { b.copy_to(three); }), XCC_ERROR_INVALID_VALUE);
  EQUAL(status_of([&] { b.part(0, 2).copy_from(three); }),
        XCC_ERROR_INVALID_VALUE);
}

TEST(fill_past_the_end) {
  xcc::buffer<int> b(100);
  b.fill(0);
  EQUAL(xcc_memory_fill(b.data(), 1, 401), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_fill(b.data() + 50, 1, 201), XCC_ERROR_INVALID_VALUE);
  for (int value : read(b))
    EQUAL(value, 0);
}

TEST(async_in_order) {
  constexpr std::size_t n = 50000;
  xcc::stream s;
  xcc::buffer<unsigned char> a(n), b(n);
  const auto bytes = pattern(n, 5);
  std::vector<unsigned char> back(n);
  EQUAL(xcc_memory_fill_async(a.data(), 9, n, s.handle()), XCC_SUCCESS);
  EQUAL(xcc_memory_copy_async(a.data() + 100, bytes.data(), n - 200, s.handle()),
        XCC_SUCCESS);
  EQUAL(xcc_memory_copy_async(b.data(), a.data(), n, s.handle()), XCC_SUCCESS);
  EQUAL(xcc_memory_fill_async(a.data(), 0, n, s.handle()), XCC_SUCCESS);
  EQUAL(xcc_memory_copy_async(back.data(), b.data(), n, s.handle()), XCC_SUCCESS);
  s.synchronize();
  for (std::size_t i = 0; i < n; ++i)
    EQUAL(back[i], i < 100 || i >= n - 100 ? 9 : bytes[i - 100]);
  EQUAL(read(a)[n / 2], 0);
}

TEST(async_past_the_end) {
  xcc::stream s;
  xcc::buffer<int> b(100);
  std::vector<int> host(200);
  EQUAL(xcc_memory_copy_async(b.data(), host.data(), 404, s.handle()),
        XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_memory_fill_async(b.data(), 0, 404, s.handle()), XCC_ERROR_INVALID_VALUE);
  s.synchronize();
}

TEST(buffer_moves) {
  xcc::buffer<int> a(3);
  const int values[] = {1, 2, 3};
  a.copy_from(values, 3);
  const int *where = a.data();
  xcc::buffer<int> b = std::move(a);
  CHECK(b.data() == where && b.size() == 3 && a.data() == nullptr);
  xcc::buffer<int> c(7);
  c = std::move(b);
  CHECK(c.data() == where && read(c)[2] == 3);
}

TEST(kernels_see_copies, needs(execution)) {
  constexpr int n = 100000;
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 1);
  xcc::buffer<int> in(n), out(n);
  in.copy_from(values.data(), n);
  xcc::parallel_for(n, [i = in.data(), o = out.data()](std::size_t at) {
    o[at] = 2 * i[n - 1 - at];
  });
  const auto back = read(out);
  for (int at = 0; at < n; ++at)
    EQUAL(back[at], 2 * (n - at));
}

TEST(kernels_see_fills, needs(execution)) {
  xcc::buffer<unsigned> b(1000);
  b.fill_bytes(0x11);
  every_thread({{10}, {100}}, [p = b.data()](notes n) {
    EXPECT(n, p[xcc::global_id()] == 0x11111111u);
  });
}

static void add_one(int *numbers, int count) {
  if (const std::size_t i = xcc::global_id(); i < std::size_t(count))
    ++numbers[i];
}

TEST(kernels_take_buffers, needs(execution)) {
  xcc::buffer<int> b(1000);
  b.fill(41);
  xcc::stream s;
  xcc::synchronize();
  xcc::launch({{4}, {256}, 0, s}, add_one, b, 1000);
  xcc::launch({{1}, {256}, 0, s}, add_one, b.part(10, 100), 100);
  s.synchronize();
  const auto back = read(b);
  for (int i = 0; i < 1000; ++i)
    EQUAL(back[i], i >= 10 && i < 110 ? 43 : 42);
}

TEST(alignment_in_kernels, needs(execution)) {
  struct alignas(64) line {
    double values[8];
  };
  xcc::buffer<line> lines(100);
  xcc::parallel_for(100, [p = lines.data()](std::size_t i) {
    for (int k = 0; k < 8; ++k)
      p[i].values[k] = double(i) * 8 + k;
  });
  const auto back = read(lines);
  for (int i = 0; i < 800; ++i)
    EQUAL(back[i / 8].values[i % 8], i);
}

TEST(free_waits_for_kernels, needs(execution)) {
  xcc::buffer<int> out(1);
  {
    xcc::buffer<int> b(1 << 20);
    b.fill(0);
    for (int i = 0; i < 10; ++i)
      xcc::parallel_for(1 << 20, [p = b.data()](std::size_t at) { ++p[at]; });
    xcc::launch({{1}, {1}},
                [p = b.data(), o = out.data()] { *o = p[(1 << 20) - 1]; });
  }
  EQUAL(read(out)[0], 10);
}
