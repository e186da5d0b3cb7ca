// Indices of which the launch decides whether they fit into their type: of blocks whose size is a number to the kernel,
// and from an argument on. Where they wrap, they wrap as C++ says.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | FileCheck %s
#include <climits>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

using xcc::block_dim, xcc::block_idx, xcc::global_id, xcc::thread_idx;

static int wrong = 0;

/// What a thread says of its index, where a kernel has it do something.
struct Seen {
  std::int64_t index = 0;
  int turns = 0;
  bool operator==(const Seen &) const = default;
};

/// Index::of gives a thread's index, which is the host's of the same numbers; those below a bound loop.
template <class Index, class Number> void kernel(Number from, Number bound, Number times, int turns, Seen *seen) {
  const auto i = Index::of(block_idx().x, block_dim().x, thread_idx().x, from, times);
  if (i < bound) {
    Seen *own = &seen[block_idx().x * block_dim().x + thread_idx().x];
    own->index = std::int64_t(i);
    for (int k = 0; k < turns; ++k)
      own->turns += k;
  }
}

struct Sixteens {
  static int of(unsigned block, unsigned, unsigned thread, int, int) { return block * 16 + thread; }
};
struct Thousands {
  static unsigned of(unsigned block, unsigned, unsigned thread, unsigned, unsigned) { return thread + block * 1000; }
};
struct Backwards {
  static int of(unsigned block, unsigned, unsigned thread, int from, int) { return block * 32 + thread - from; }
};
struct Times {
  static unsigned of(unsigned block, unsigned, unsigned thread, unsigned from, unsigned times) {
    return from + block * times + thread;
  }
};
struct SignedTimes {
  static int of(unsigned block, unsigned, unsigned thread, int from, int times) {
    return int(block) * times + int(thread) + from;
  }
};
struct From {
  static int of(unsigned block, unsigned size, unsigned thread, int from, int) { return block * size + thread + from + 1; }
};
struct UnsignedFrom {
  static unsigned of(unsigned block, unsigned size, unsigned thread, unsigned from, unsigned) {
    return from + block * size + thread;
  }
};
struct WideFrom {
  static std::size_t of(unsigned block, unsigned size, unsigned thread, std::size_t from, std::size_t) {
    return from + (std::size_t(block) * size + thread);
  }
};
struct WideTimes {
  static std::int64_t of(unsigned block, unsigned, unsigned thread, std::int64_t from, std::int64_t times) {
    return std::int64_t(block) * times + thread + from;
  }
};

template <class Index, class Number> void check(Number from, Number bound, Number times = 0) {
  for (xcc::dim3 shape : {xcc::dim3(7, 16), xcc::dim3(3, 100), xcc::dim3(1, 1), xcc::dim3(5, 32)}) {
    std::vector<Seen> seen(shape.x * shape.y), expected(seen.size());
    const int turns = 11;
    const xcc::buffer<Seen> on_device(seen);
    xcc::launch({{shape.x}, {shape.y}}, kernel<Index, Number>, from, bound, times, turns, on_device);
    on_device.copy_to(seen);
    for (unsigned block = 0; block < shape.x; ++block)
      for (unsigned thread = 0; thread < shape.y; ++thread)
        if (auto i = Index::of(block, shape.y, thread, from, times); i < bound)
          expected[block * shape.y + thread] = {std::int64_t(i), turns * (turns - 1) / 2};
    if (seen != expected)
      std::printf("%s from %lld below %lld times %lld\n", __PRETTY_FUNCTION__, (long long)from, (long long)bound,
                  (long long)times),
          ++wrong;
  }
}

int main() {
  for (int bound : {0, 1, 40, 100, 1 << 20, INT_MAX, INT_MIN, -3}) {
    check<Sixteens>(0, bound);
    check<Thousands>(0u, unsigned(bound));
    for (int from : {0, 5, 200, -7, INT_MAX, INT_MAX - 60, INT_MIN, INT_MIN + 60}) {
      check<Backwards>(from, bound);
      check<From>(from, bound);
      check<UnsignedFrom>(unsigned(from), unsigned(bound));
      for (int times : {0, 3, 64, -16, INT_MAX, INT_MIN, INT_MAX / 3}) {
        check<Times>(unsigned(from), unsigned(bound), unsigned(times));
        // Signed products and sums must not wrap.
        if (times > -100 && times < 100 && from > -1000 && from < 1000)
          check<SignedTimes>(from, bound, times);
      }
    }
  }
  for (std::int64_t bound : {std::int64_t(0), std::int64_t(50), std::int64_t(1) << 40, INT64_MAX, std::int64_t(-1)})
    for (std::int64_t from : {std::int64_t(0), std::int64_t(9), std::int64_t(-9), std::int64_t(-40), std::int64_t(1) << 40}) {
      check<WideFrom>(std::size_t(from), std::size_t(bound));
      check<WideTimes>(from, bound, std::int64_t(48));
      check<WideTimes>(from, bound, std::int64_t(-5));
      check<WideTimes>(from, bound, std::int64_t(1) << 33);
    }
  std::printf("%d wrong\n", wrong); // CHECK: {{^}}0 wrong
}
