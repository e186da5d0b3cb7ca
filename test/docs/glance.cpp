// What docs/api.md shows of the API is there, under the names that it has.
// RUN: %xcc -std=c++20 -O2 -Wall -Werror %s -o %t && %t | FileCheck %s
// RUN: grep '^| `' %S/../../docs/api.md | cut -d'|' -f2 | grep -oE '`[^`]*`' > %t.rows
// RUN: grep -oE '[A-Za-z_][a-z_]+[a-z]' %t.rows | grep -vxE 'blocks|threads|arguments|function|lambda|vector|container|width|height|tile' | sort -u > %t.names
// RUN: grep -oE '[A-Za-z_][a-z_]+[a-z]' %s | sort -u > %t.used
// RUN: comm -23 %t.names %t.used | count 0
// CHECK: seen 15
// CHECK: 64 threads counted, 15 from the host
// CHECK: function kernel of 2 parameters
// CHECK: replayed: 3 3 sum 9
#include <xcc/algorithm.h>
#include <xcc/xcc.h>

#include <atomic>
#include <cstdio>
#include <vector>

using namespace xcc;

static int triple(int x) { return 3 * x; }
XCC_HOST void seen(int x) { std::printf("seen %d\n", x); }

static void kernel(float *out, int *n) {
  static block_shared<float[256]> tile;
  float *more = dynamic_shared<float>();
  const unsigned t = thread_idx().x;
  tile[t] = float(t + block_idx().y * block_dim().z * grid_dim().x);
  more[t] = float(global_id() + global_size());
  sync_block();
  float v = shuffle(tile[t], 0) + shuffle_up(1.f, 1u) + shuffle_down(1.f, 1u) + shuffle_xor(1.f, 1u);
  v += float(ballot(v > 0) & 1) + any(v > 0) + all(v > 0);
  v += fast::exp(1.f) + fast::sin(1.f) + fast::divide(1.f, 2.f) + rsqrt(4.f);
  std::atomic_ref(*n) += 1;
  out[global_id()] = v + more[t];
  if (global_id() == 0) {
    n[1] = host_call(triple, 5);
    seen(n[1]);
  }
}

int main() {
  buffer<float> out(64);
  buffer<int> n(2);
  n.fill(0);
  stream s;
  event e;
  launch({{2}, {32}, 256 * sizeof(float), s}, kernel, out, n);
  e.record(s);
  s.synchronize();
  const auto numbers = n.to<std::vector<int>>();
  std::printf("%d threads counted, %d from the host\n", numbers[0], numbers[1]);
  std::printf("function %s of %u parameters\n", kernel_info_for(kernel).name, kernel_info_for(kernel).param_count);

  std::vector<float> v(64);
  out.copy_to(v);
  out.copy_from(v);
  out.part(0, 8).fill(1);
  buffer copy(v);
  host_buffer<float> page_locked(64);
  managed_buffer<float> by_turns(64);
  s.copy(page_locked.data(), out.data(), 64);
  {
    host_registration registration(v);
    map scope(v);
    parallel_for(s, 64, [&](std::size_t i) { v[i] = float(i); });
    synchronize();
  }
  pitched_buffer<float> image(30, 20);
  parallel_for({30, 20},
               [image = pitched_span<float>(image)](std::size_t x, std::size_t y) { image[y][x] = float(x); });
  parallel_for(64, [&](std::size_t i) { by_turns[i] = v[i]; });
  synchronize();

  buffer<int> few(3);
  few.fill(0);
  auto recorded = graph::record(s, [&] {
    parallel_for(s, 3, [p = few.data()](std::size_t i) { ++p[i]; });
  });
  for (int i = 0; i < 3; ++i)
    recorded.replay(s);
  s.synchronize();
  sort(few);
  buffer<int> sums(3);
  inclusive_scan(few, sums);
  const auto each = few.to<std::vector<int>>();
  std::printf("replayed: %d %d sum %d\n", each[0], each[2], reduce(few, 0));
  return device::current().cores() == 0;
}
