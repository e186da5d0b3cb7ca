// Operations among the lanes of a warp.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

struct triple {
  int a, b, c;
};

void full(int *wrong) {
  const unsigned lane = xcc::lane_id(), t = xcc::thread_idx().x;
  int bad = 0;
  bad += xcc::warp_size() != 32 || lane != t % 32;
  bad += xcc::shuffle(10 * lane, 3) != 30;
  bad += xcc::shuffle(lane, (lane + 1) % 32) != (lane + 1) % 32;
  bad += xcc::shuffle_down(lane, 4) != (lane + 4 < 32 ? lane + 4 : lane);
  bad += xcc::shuffle_up(lane, 4) != (lane >= 4 ? lane - 4 : lane);
  bad += xcc::shuffle_xor(0.5 * lane, 8) != 0.5 * (lane ^ 8);
  bad += xcc::shuffle(static_cast<unsigned char>(lane), 9) != 9;
  const triple other = xcc::shuffle(triple{1, int(lane), -int(lane)}, 7);
  bad += other.a != 1 || other.b != 7 || other.c != -7;
  bad += xcc::ballot(lane % 2 == 0) != 0x55555555u;
  bad += !xcc::any(lane == 31) || xcc::any(lane == 32);
  bad += !xcc::all(lane < 32) || xcc::all(lane < 31);
  int sum = t;
  for (unsigned step = 16; step > 0; step /= 2)
    sum += xcc::shuffle_xor(sum, step);
  bad += sum != int(t / 32 * 32 * 32 + 31 * 16);
  xcc::sync_warp();
  wrong[t] = bad;
}

// Some lanes have ended; the last warp is not full.
void partial(int *wrong) {
  const unsigned t = xcc::thread_idx().x, lane = t % 32;
  wrong[t] = 0;
  if (lane >= 20)
    return;
  const unsigned lanes = t < 64 ? 0xfffff : 0x3f;
  wrong[t] = xcc::ballot(true) != lanes;
}

// Only the lane that the others read sets its value; wrong[0] counts the warps that took a number.
void unset(int *wrong) {
  const unsigned t = xcc::thread_idx().x, lane = t % 32;
  if (t < 32)
    wrong[t] = 0;
  xcc::sync_block();
  int first;
  double half;
  triple three;
  if (lane == 0) {
    first = __atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED);
    half = t / 2.;
    three = {1, 2, int(t)};
  }
  first = xcc::shuffle(first, 0);
  half = xcc::shuffle_up(half, lane);
  three = xcc::shuffle(xcc::lane_mask(~0u), three, 0);
  xcc::sync_block();
  if (t < 32)
    wrong[t] -= t == 0 ? 3 : 0;
  else
    wrong[t] = unsigned(first) > 2 || half != t / 32 * 16. || three.c != int(t / 32 * 32);
}

template <class... A>
void test(const char *what, unsigned threads, A... kernel) {
  xcc::buffer<int> wrong(threads);
  wrong.fill(1);
  (xcc::launch({{1}, {threads}}, kernel, wrong.data()), ...);
  std::vector<int> host(threads);
  wrong.copy_to(host.data(), threads);
  for (unsigned t = 0; t < threads; ++t)
    if (host[t])
      std::printf("%s: thread %u, %d\n", what, t, host[t]), std::exit(1);
  std::printf("%s: right\n", what);
}

int main() {
  test("full", 96, [](int *wrong) { full(wrong); });
  test("partial", 70, [](int *wrong) { partial(wrong); });
  test("unset", 96, [](int *wrong) { unset(wrong); });
}
// CHECK: full: right
// CHECK: partial: right
// CHECK: unset: right
