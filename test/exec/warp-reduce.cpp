// Match, reduce and scan among lanes: all of a warp, those that are there, and
// those of a mask; types of one byte to many; operations that do not commute.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/lanes.h"

#include <functional>

static unsigned bits_below(mask m, unsigned lane) {
  return __builtin_popcountll(m & ((mask(1) << lane) - 1));
}
/// f of the lanes of m, one after the other.
template <class T, class Op, class F> static T over(mask m, Op op, F f) {
  bool first = true;
  T sum = {};
  for (unsigned l = 0; l < 64; ++l)
    if (m >> l & 1) {
      sum = first ? f(l) : op(sum, f(l));
      first = false;
    }
  return sum;
}
static mask upto(unsigned lane) { return ~mask(0) >> (63 - lane); }

/// x -> a x + b, one after the other; and which were the first and the last.
struct affine {
  std::uint32_t a, b;
  std::uint64_t where;
};
static bool operator==(const affine &x, const affine &y) {
  return x.a == y.a && x.b == y.b && x.where == y.where;
}
struct then {
  affine operator()(affine f, affine g) const {
    return {f.a * g.a, g.a * f.b + g.b, f.where >> 32 << 32 | std::uint32_t(g.where)};
  }
};

/// Number of what is wrong among the lanes of m, which are here together.
template <class T> [[gnu::noinline]] static int numbers(mask m, int zero) {
  const unsigned lane = xcc::lane_id();
  auto value = [=](unsigned l) { return T(int((l * 37 + 11) % 101) - 50 + zero); };
  const T own = value(lane);
  const xcc::lane_mask those(m);
  auto least = [](T a, T b) { return b < a ? b : a; };
  auto most = [](T a, T b) { return a < b ? b : a; };
  auto sum = [](T a, T b) { return T(a + b); };
  if (xcc::warp_reduce_add(those, own) != over<T>(m, sum, value))
    return 1;
  if (xcc::warp_reduce_min(those, own) != over<T>(m, least, value) ||
      xcc::warp_reduce_max(those, own) != over<T>(m, most, value))
    return 2;
  if (xcc::warp_inclusive_scan(those, own) !=
      over<T>(m & upto(lane), sum, value))
    return 3;
  if (xcc::warp_exclusive_scan(those, own, T(5)) !=
      T(5 + over<T>(m & (upto(lane) >> 1), sum, value)))
    return 4;
  if (m == here()) {
    if (xcc::warp_reduce_add(own) != over<T>(m, sum, value) ||
        xcc::warp_reduce(own, sum) != over<T>(m, sum, value))
      return 5;
    if (xcc::warp_reduce_min(own) != over<T>(m, least, value) ||
        xcc::warp_reduce_max(own) != over<T>(m, most, value))
      return 6;
    if (xcc::warp_inclusive_scan(own, most) !=
            over<T>(m & upto(lane), most, value) ||
        xcc::warp_exclusive_scan(own, T(0)) !=
            over<T>(m & (upto(lane) >> 1), sum, value))
      return 7;
  }
  if constexpr (std::is_integral_v<T>) {
    if (xcc::warp_reduce_and(those, own) != over<T>(m, std::bit_and<>(), value) ||
        xcc::warp_reduce_or(those, own) != over<T>(m, std::bit_or<>(), value) ||
        xcc::warp_reduce_xor(those, own) != over<T>(m, std::bit_xor<>(), value))
      return 8;
    if (m == here() &&
        (xcc::warp_reduce_and(own) != over<T>(m, std::bit_and<>(), value) ||
         xcc::warp_reduce_or(own) != over<T>(m, std::bit_or<>(), value) ||
         xcc::warp_reduce_xor(own) != over<T>(m, std::bit_xor<>(), value)))
      return 9;
  }
  // Three values, all the same one, and each its own.
  const T third = T(value(lane % 3));
  if (xcc::match_any(those, third).bits !=
      (m & those.bits & ::those([=](unsigned l) { return l % 3 == lane % 3; })))
    return 10;
  if (xcc::match_any(those, own).bits !=
      (m & ::those([=](unsigned l) { return value(l) == own; })))
    return 11;
  if (xcc::match_all(those, T(zero)).bits != m ||
      (m & (m - 1) && xcc::match_all(those, T(lane)).bits != 0))
    return 12;
  return 0;
}
[[gnu::noinline]] static int classes(mask m, int zero) {
  const unsigned lane = xcc::lane_id();
  auto value = [=](unsigned l) {
    return affine{2 * l + 3, l + zero, mask(l) << 32 | l};
  };
  const xcc::lane_mask those(m);
  if (!(xcc::warp_reduce(those, value(lane), then()) ==
        over<affine>(m, then(), value)))
    return 20;
  if (!(xcc::warp_inclusive_scan(those, value(lane), then()) ==
        over<affine>(m & upto(lane), then(), value)))
    return 21;
  if (m == here() && !(xcc::warp_reduce(value(lane), then()) ==
                       over<affine>(m, then(), value)))
    return 22;
  const affine start{1, 7, 0};
  const affine sum =
      xcc::warp_exclusive_scan(those, value(lane), start, then());
  const mask below = m & (upto(lane) >> 1);
  const affine right =
      below ? then()(start, over<affine>(below, then(), value)) : start;
  if (sum.a != right.a || sum.b != right.b)
    return 23;
  const affine tenth{lane % 10 / 9, 1, lane % 2};
  if (xcc::match_any(those, tenth).bits !=
      (m & ::those([=](unsigned l) {
         return l % 10 / 9 == lane % 10 / 9 && l % 2 == lane % 2;
       })))
    return 24;
  return 0;
}
static int everything(mask m, int zero) {
  if (int bad = numbers<int>(m, zero))
    return bad;
  if (int bad = numbers<unsigned char>(m, zero))
    return 100 + bad;
  if (int bad = numbers<double>(m, zero))
    return 200 + bad;
  return classes(m, zero);
}

int main() {
  for (unsigned threads : {1u, 64u, 100u})
    test("all", [](int *wrong, int *zero) {
      wrong[xcc::thread_idx().x] = everything(all(), *zero);
    }, threads);
  std::puts("all");
  test("masks", [](int *wrong, int *zero) {
    const unsigned lane = xcc::lane_id();
    // Other masks in each lane.
    const mask m = those([=](unsigned l) { return l % 5 == lane % 5; });
    wrong[xcc::thread_idx().x] = everything(m, *zero);
  }, 100);
  std::puts("masks");
  // In loops over the threads, on the CPU device.
  test("loops", [](int *wrong, int *zero) {
    const int value = int(xcc::lane_id()) + *zero, last = int(lanes()) - 1;
    wrong[xcc::thread_idx().x] =
        xcc::warp_reduce_add(value) != last * (last + 1) / 2 ||
        xcc::warp_reduce_max(value) != last ||
        xcc::warp_exclusive_scan(value, 0) != value * (value - 1) / 2 ||
        xcc::match_any(value / 2).count() != (value / 2 == last / 2 && last % 2 == 0 ? 1 : 2);
  }, 100);
  test("branches", [](int *wrong, int *zero) {
    const unsigned lane = xcc::lane_id();
    int bad;
    if (lane % 3 == 1)
      bad = numbers<unsigned>(those([](unsigned l) { return l % 3 == 1; }), *zero);
    else
      bad = numbers<float>(those([](unsigned l) { return l % 3 != 1; }), *zero);
    wrong[xcc::thread_idx().x] = bad;
  }, 100);
  std::puts("branches");
  test("bits", [](int *wrong, int *zero) {
    const unsigned lane = xcc::lane_id();
    const double number = lane % 2 ? -0.0 : 0.0 + *zero;
    const double nan = __builtin_nan("") + *zero;
    wrong[xcc::thread_idx().x] =
        xcc::match_any(number).bits !=
            those([=](unsigned l) { return l % 2 == lane % 2; }) ||
        xcc::match_all(nan).bits != all() ||
        xcc::match_any(lane % 4).first() != lane % 4 ||
        xcc::match_any(1).count() != lanes() || xcc::lane_mask(0).first() != 64;
  }, 100);
  // The first lane of each bin adds for all.
  xcc::buffer<int> bins(7);
  bins.fill(0);
  xcc::launch({{4}, {96}}, [](int *bins) {
    const unsigned bin = xcc::global_id() * 5 % 7;
    const xcc::lane_mask same = xcc::match_any(bin);
    const int sum = xcc::warp_reduce_add(same, int(bin) + 1);
    if (xcc::lane_id() == same.first())
      __atomic_fetch_add(&bins[bin], sum, __ATOMIC_RELAXED);
  }, bins.data());
  int host[7];
  bins.copy_to(host, 7);
  for (int bin = 0; bin < 7; ++bin)
    std::printf("%d: %d\n", bin, host[bin] / (bin + 1));
  // A clock that goes on.
  test("clock", [](int *wrong, int *zero) {
    const std::uint64_t begin = xcc::clock64();
    for (int i = 0; i < 100; ++i)
      *const_cast<volatile int *>(zero + 0);
    const std::uint64_t end = xcc::clock64();
    wrong[xcc::thread_idx().x] = end <= begin;
  }, 64);
  std::puts("clock");
}
// CHECK: all
// CHECK-NEXT: masks
// CHECK-NEXT: branches
// CHECK-NEXT: 0: 55
// CHECK-NEXT: 1: 55
// CHECK-NEXT: 2: 54
// CHECK-NEXT: 3: 55
// CHECK-NEXT: 4: 55
// CHECK-NEXT: 5: 55
// CHECK-NEXT: 6: 55
// CHECK-NEXT: clock
