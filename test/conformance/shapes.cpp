// Grids and blocks of all shapes, and those refused
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

namespace {

/// Every thread counts itself where its indices say; each place must get one.
void count_all(xcc::dim3 grid, xcc::dim3 block) {
  const std::size_t threads =
      std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
  xcc::buffer<unsigned> counts(threads);
  counts.fill(0);
  xcc::launch({grid, block}, [p = counts.data(), grid, block] {
    const xcc::dim3 t = xcc::thread_idx(), b = xcc::block_idx();
    if (xcc::grid_dim() != grid || xcc::block_dim() != block)
      return;
    const std::size_t in_block = t.x + block.x * (t.y + block.y * t.z);
    const std::size_t in_grid =
        b.x + grid.x * (b.y + std::size_t(grid.y) * b.z);
    ++p[in_grid * block.x * block.y * block.z + in_block];
  });
  const auto back = read(counts);
  for (std::size_t i = 0; i < threads; ++i)
    if (back[i] != 1)
      conformance::stop("grid %u,%u,%u block %u,%u,%u: thread %zu ran %u times",
                        grid.x, grid.y, grid.z, block.x, block.y, block.z, i,
                        back[i]);
}

xcc_status launch_status(xcc::launch_config config, std::string *what) {
  return status_of([&] { xcc::launch(config, [] {}); }, what);
}

/// A launch that is refused at the call with a message that names `word`.
void refused(xcc::launch_config config, const char *word) {
  std::string what;
  const xcc_status status = launch_status(config, &what);
  if (status != XCC_ERROR_INVALID_LAUNCH)
    conformance::stop("%s %u,%u,%u/%u,%u,%u: %s, not refused", word,
                      config.grid.x, config.grid.y, config.grid.z,
                      config.block.x, config.block.y, config.block.z,
                      xcc_status_name(status));
  if (what.find(word) == std::string::npos)
    conformance::stop("no word of '%s' in '%s'", word, what.c_str());
}
} // namespace

TEST(one_dimension, needs(execution)) {
  for (unsigned block : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 256u})
    for (unsigned grid : {1u, 2u, 3u, 17u, 1000u})
      count_all({grid}, {block});
}

TEST(two_dimensions, needs(execution)) {
  count_all({3, 5}, {7, 9});
  count_all({1, 100}, {1, 64});
  count_all({100, 1}, {64, 1});
  count_all({13, 11}, {16, 16});
  count_all({2, 3}, {1, 1});
}

TEST(any_integers, needs(execution)) {
  enum { blocks = 3, rows = 2, threads = 32 };
  enum : unsigned char { few = 5 };
  const long wide = 2;
  const unsigned short narrow = 7;
  count_all({blocks}, {threads});
  count_all(blocks, threads);
  count_all({blocks, rows}, {few, wide, narrow});
  count_all({std::size_t(blocks), wide}, {narrow, 3});
  const auto status = [](xcc::launch_config config) {
    return launch_status(config, nullptr);
  };
  if (status({{blocks}, {threads}}) || status({blocks, threads}) ||
      status({wide, narrow, 64}))
    conformance::stop("a launch of enumerators or narrow numbers failed");
  static_assert(xcc::dim3(-1).x == ~0u && xcc::dim3(1ll << 32).x == ~0u &&
                xcc::dim3(1, -1l).y == ~0u && xcc::dim3(-1, 2, 3).x == ~0u &&
                xcc::dim3(1, 2, ~0ull).z == ~0u && xcc::dim3(~0u).x == ~0u);
}

TEST(three_dimensions, needs(execution)) {
  count_all({2, 3, 4}, {5, 6, 7});
  count_all({1, 1, 9}, {1, 1, 64});
  count_all({4, 4, 4}, {4, 4, 4});
  count_all({3, 1, 5}, {11, 1, 3});
}

TEST(largest_block, needs(execution)) {
  const xcc_device_properties p = xcc::device::current().properties();
  count_all({3}, {p.max_block});
  count_all({2, 2}, {p.max_block / 8, 8});
  for (int i = 0; i < 3; ++i) {
    unsigned shape[3] = {1, 1, 1};
    shape[i] =
        p.max_block_dim[i] < p.max_block ? p.max_block_dim[i] : p.max_block;
    count_all({2}, {shape[0], shape[1], shape[2]});
  }
}

TEST(many_blocks, needs(execution)) {
  count_all({1000003}, {1});
  count_all({1, 65535}, {2});
  count_all({2, 1, 65535}, {1});
}

TEST(global_id_and_size, needs(execution)) {
  every_thread({{7, 2}, {33, 3}}, [](notes n) {
    EXPECT(n, xcc::global_size() == 7 * 33);
    EXPECT(n,
           xcc::global_id() == xcc::block_idx().x * 33 + xcc::thread_idx().x);
  });
}

TEST(grid_stride_loop, needs(execution)) {
  xcc::buffer<int> b(100001);
  b.fill(0);
  xcc::launch({{13}, {96}}, [p = b.data(), n = b.size()] {
    for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size())
      p[i] += int(i);
  });
  const auto back = read(b);
  for (int i = 0; i < 100001; ++i)
    EQUAL(back[i], i);
}

TEST(parallel_for_sizes, needs(execution)) {
  for (std::size_t n : {0, 1, 2, 255, 256, 257, 100000}) {
    xcc::buffer<int> b(n + 1);
    b.fill(0);
    xcc::parallel_for(n, [p = b.data()](std::size_t i) { p[i] += 1; });
    const auto back = read(b);
    for (std::size_t i = 0; i <= n; ++i)
      EQUAL(back[i], i < n);
  }
}

TEST(zero_is_refused) {
  refused({{0}, {1}}, "grid");
  refused({{1, 0}, {1}}, "grid");
  refused({{1, 1, 0}, {1}}, "grid");
  refused({{1}, {0}}, "block");
  refused({{1}, {1, 0}}, "block");
  refused({{1}, {1, 1, 0}}, "block");
}

TEST(negative_is_refused) {
  const int n = -5;
  refused({{n}, {1}}, "grid");
  refused({{1}, {1, n}}, "block");
}

TEST(too_large_a_block_is_refused) {
  const xcc_device_properties p = xcc::device::current().properties();
  refused({{1}, {p.max_block + 1}}, "block");
  refused({{1}, {p.max_block, 2}}, "block");
  refused({{1}, {2, 2, p.max_block_dim[2] + 1}}, "block");
  refused({{1}, {1u << 31, 2}}, "block");
  refused({{1}, {1u << 16, 1u << 16}}, "block");
}

TEST(too_large_a_grid_is_refused) {
  refused({{1u << 31}, {1}}, "grid");
  refused({{1u << 24}, {256}}, "grid");
  refused({{1, 1u << 31}, {1}}, "grid");
  refused({{1, 1, 1u << 31}, {1}}, "grid");
}

TEST(too_much_shared_memory_is_refused) {
  const xcc::device d = xcc::device::current();
  refused({{1}, {1}, d.shared_memory() + 1}, "shared");
  refused({{1}, {1}, std::size_t(1) << 40}, "shared");
  refused({{1}, {1}, SIZE_MAX}, "shared");
}

TEST(a_refusal_names_the_kernel_and_its_place) {
  const unsigned line = __LINE__ + 2;
  try {
    xcc::launch({{0}, {1}}, [] {});
    CHECK(!"nothing thrown");
  } catch (const xcc::error &e) {
    EQUAL(e.line(), line);
    CHECK(std::strstr(e.file(), "shapes.cpp"));
    CHECK(*e.kernel());
  }
}

TEST(after_refusals_the_device_works, needs(execution)) {
  refused({{0}, {1}}, "grid");
  refused({{1}, {1}, std::size_t(1) << 40}, "shared");
  count_all({2}, {3});
}
