// Every thread of every block runs once and knows where it is.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

void visit(unsigned *visits, xcc::dim3 *grid, xcc::dim3 *block) {
  const auto [tx, ty, tz] = xcc::thread_idx();
  const auto [bx, by, bz] = xcc::block_idx();
  const auto [dx, dy, dz] = xcc::block_dim();
  const auto [gx, gy, gz] = xcc::grid_dim();
  const unsigned thread = tx + dx * (ty + dy * tz);
  const unsigned which = bx + gx * (by + gy * bz);
  visits[which * dx * dy * dz + thread] += 1 + thread;
  if (thread == 0 && which == 0) {
    *grid = xcc::grid_dim();
    *block = xcc::block_dim();
  }
}

void test(xcc::dim3 grid, xcc::dim3 block) {
  const unsigned threads = block.x * block.y * block.z;
  const unsigned n = threads * grid.x * grid.y * grid.z;
  xcc::buffer<unsigned> visits(n);
  xcc::buffer<xcc::dim3> dims(2);
  visits.fill(0);
  xcc::launch({grid, block}, visit, visits.data(), dims.data(),
              dims.data() + 1);
  std::vector<unsigned> host(n);
  xcc::dim3 seen[2];
  visits.copy_to(host.data(), n);
  dims.copy_to(seen, 2);
  check(seen[0] == grid && seen[1] == block, "grid_dim and block_dim");
  for (unsigned i = 0; i < n; ++i)
    check(host[i] == 1 + i % threads, "visits");
}

int main() {
  test({1}, {1});
  test({1}, {7});
  test({1000}, {1});
  test({3}, {1024});
  test({5, 4}, {33, 3});
  test({2, 3, 4}, {5, 6, 7});
  test({1, 1, 9}, {1, 1, 64});

  auto linear = on_device(1000, [](std::size_t i) {
    return i == xcc::global_id() && xcc::global_size() == 1024;
  });
  for (bool right : linear)
    check(right, "global_id");
  std::puts("all threads found"); // CHECK: all threads found
}
