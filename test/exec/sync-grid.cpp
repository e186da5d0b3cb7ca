// Blocks wait for each other in a cooperative launch, over and over; what is
// written before is seen after. Too many blocks, and a kernel that waits in a
// launch that is not cooperative, are errors.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <cstring>

// Each element goes through every block's hands.
static void turns(unsigned *from, unsigned *to, unsigned n, unsigned count) {
  for (unsigned turn = 0; turn < count; ++turn) {
    for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size())
      to[(i + xcc::block_dim().x) % n] = from[i] * 3 + unsigned(i);
    xcc::sync_grid();
    unsigned *was = from;
    from = to;
    to = was;
  }
}
// Some threads have ended, the first of each block among them.
static void ended(unsigned *sums, unsigned *out) {
  const unsigned t = xcc::thread_idx().x, b = xcc::block_idx().x;
  if (t % 3 == 0)
    return;
  __atomic_fetch_add(&sums[b], t, __ATOMIC_RELAXED);
  xcc::sync_grid();
  unsigned sum = 0;
  for (unsigned other = 0; other < xcc::grid_dim().x; ++other)
    sum += __atomic_load_n(&sums[other], __ATOMIC_RELAXED);
  xcc::sync_grid();
  if (t == 1)
    out[b] = sum;
}
static void plain(unsigned *out) { out[xcc::global_id()] = 1; }

template <class Launch> static void refused(const char *what, Launch launch) {
  try {
    launch();
    xcc::synchronize();
    std::printf("%s: not refused\n", what);
  } catch (const xcc::error &e) {
    const char *text = e.what();
    std::printf("%s: %s\n", what,
                std::strstr(text, "xcc::cooperative") ? "not cooperative"
                : std::strstr(text, "at once")        ? "too many"
                                                      : text);
  }
}

int main() {
  const xcc::kernel_info &info = xcc::kernel_info_for(turns);
  const unsigned most = xcc::max_cooperative_blocks(info, {64});
  check(most >= 4, "four blocks at once");
  const unsigned blocks = most < 6 ? most : 6, n = 1000;
  std::vector<unsigned> a(n), b(n);
  for (unsigned i = 0; i < n; ++i)
    a[i] = i;
  xcc::buffer<unsigned> da(n), db(n);
  da.copy_from(a.data(), n);
  for (int again = 0; again < 2; ++again) {
    xcc::launch(xcc::cooperative({{blocks}, {64}}), turns, da.data(),
                db.data(), n, 9u);
    for (unsigned turn = 0; turn < 9; ++turn) {
      for (unsigned i = 0; i < n; ++i)
        b[(i + 64) % n] = a[i] * 3 + i;
      a.swap(b);
    }
    std::vector<unsigned> got(n);
    db.copy_to(got.data(), n);
    check(got == a, "turns");
    da.copy_from(a.data(), n);
  }
  std::puts("turns");

  // Two streams: one cooperative launch after the other.
  xcc::stream one, two;
  xcc::buffer<unsigned> sums(2 * 4), out(2 * 4);
  sums.fill(0);
  xcc::launch(xcc::cooperative({{4}, {100}, 0, one}), ended, sums.data(),
              out.data());
  xcc::launch(xcc::cooperative({{4}, {100}, 0, two}), ended, sums.data() + 4,
              out.data() + 4);
  one.synchronize();
  two.synchronize();
  std::vector<unsigned> got(8);
  out.copy_to(got.data(), 8);
  for (unsigned each : got)
    check(each == 4 * 3267, "threads that have ended");
  std::puts("ended");

  refused("many", [&] {
    xcc::launch(xcc::cooperative({{1u << 20}, {64}}), turns, da.data(),
                db.data(), n, 9u);
  });
  // No kernel that waits for its grid.
  xcc::buffer<unsigned> ones(4 * 64);
  xcc::launch(xcc::cooperative({{4}, {64}}), plain, ones.data());
  xcc::synchronize();
  refused("usual", [&] {
    xcc::launch({{blocks}, {64}}, turns, da.data(), db.data(), n, 9u);
  });
}
// CHECK: turns
// CHECK-NEXT: ended
// CHECK-NEXT: many: too many
// CHECK-NEXT: usual: not cooperative
