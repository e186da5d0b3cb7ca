// Copies to block-shared memory that go on while the kernel does: what is used after the wait is
// what was copied, whatever the type and however many groups are under way.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

constexpr unsigned Threads = 64, Parts = 9;

// Sums of parts, of which two are under way beside the one that is added.
static void sums(const float *x, float *r) {
  static xcc::block_shared<float[3][Threads]> part;
  const unsigned t = xcc::thread_idx().x;
  auto begin = [&](unsigned n) {
    if (n < Parts)
      xcc::copy_to_shared_async(&part[n % 3][t], x + n * Threads + t);
    xcc::commit_shared_copies();
  };
  begin(0);
  begin(1);
  float sum = 0;
  for (unsigned n = 0; n != Parts; ++n) {
    begin(n + 2);
    xcc::wait_shared_copies<2>();
    xcc::sync_block();
    sum += part[n % 3][Threads - 1 - t] * float(n + 1);
    xcc::sync_block();
  }
  r[t] = sum;
}

struct alignas(16) Four {
  float x, y, z, w;
};
struct Odd {
  char bytes[7];
};
struct Three {
  std::uint32_t a, b, c;
};
struct Pair {
  double a;
  float b;
};

// Each thread's own objects, and a neighbour's behind the barrier.
template <class Type, unsigned Count> static void neighbours(const Type *x, Type *r) {
  static xcc::block_shared<Type[Threads * Count]> all;
  const unsigned t = xcc::thread_idx().x;
  xcc::copy_to_shared_async(&all[t * Count], x + t * Count, Count);
  xcc::wait_shared_copies();
  for (unsigned n = 0; n != Count; ++n)
    r[t * Count + n] = all[t * Count + n];
  xcc::sync_block();
  for (unsigned n = 0; n != Count; ++n)
    r[(Threads + t) * Count + n] = all[(t + 1) % Threads * Count + n];
}

// From memory that is not global, too.
static void fromStack(const int *x, int *r) {
  static xcc::block_shared<int[Threads]> there;
  const unsigned t = xcc::thread_idx().x;
  int own[4];
  for (int n = 0; n != 4; ++n)
    own[n] = x[(t + n) % Threads];
  xcc::copy_to_shared_async(&there[t], own + (x[t] & 3));
  xcc::wait_shared_copies();
  xcc::sync_block();
  r[t] = there[Threads - 1 - t];
}

template <class Type, unsigned Count> static bool agrees() {
  std::vector<unsigned char> bytes(sizeof(Type) * Threads * Count);
  for (std::size_t n = 0; n != bytes.size(); ++n)
    bytes[n] = static_cast<unsigned char>(n * 31 % 251);
  std::vector<Type> x(Threads * Count), r(2 * Threads * Count);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<unsigned char *>(x.data()));
  xcc::buffer<Type> from(x), to(r.size());
  xcc::launch({{1}, {Threads}}, neighbours<Type, Count>, from.data(), to.data());
  to.copy_to(r);
  auto same = [](const Type &a, const Type &b) {
    // Padding may be anything.
    auto *p = reinterpret_cast<const unsigned char *>(&a), *q = reinterpret_cast<const unsigned char *>(&b);
    return std::equal(p, p + (std::is_same_v<Type, Pair> ? 12 : sizeof(Type)), q);
  };
  for (unsigned t = 0; t != Threads; ++t)
    for (unsigned n = 0; n != Count; ++n)
      if (!same(r[t * Count + n], x[t * Count + n]) ||
          !same(r[(Threads + t) * Count + n], x[(t + 1) % Threads * Count + n]))
        return false;
  return true;
}

int main() {
  std::vector<float> x(Threads * Parts);
  for (unsigned n = 0; n != x.size(); ++n)
    x[n] = float(n % 37);
  xcc::buffer<float> from(x), to(Threads);
  xcc::launch({{1}, {Threads}}, sums, from.data(), to.data());
  std::vector<float> r(Threads);
  to.copy_to(r);
  bool good = true;
  for (unsigned t = 0; t != Threads; ++t) {
    float sum = 0;
    for (unsigned n = 0; n != Parts; ++n)
      sum += x[n * Threads + Threads - 1 - t] * float(n + 1);
    good = good && r[t] == sum;
  }
  // CHECK: sums: good
  std::printf("sums: %s\n", good ? "good" : "wrong");

  // CHECK-NEXT: bytes 1, shorts 1, ints 1 1, longs 1, fours 1 1, odd 1, three 1, pairs 1
  std::printf("bytes %d, shorts %d, ints %d %d, longs %d, fours %d %d, odd %d, three %d, pairs %d\n",
              agrees<unsigned char, 5>(), agrees<std::int16_t, 1>(), agrees<int, 1>(), agrees<int, 3>(),
              agrees<std::int64_t, 2>(), agrees<Four, 1>(), agrees<Four, 2>(), agrees<Odd, 1>(), agrees<Three, 2>(),
              agrees<Pair, 1>());

  std::vector<int> y(Threads), z(Threads);
  for (unsigned t = 0; t != Threads; ++t)
    y[t] = int(t * 7);
  xcc::buffer<int> ints(y), out(Threads);
  xcc::launch({{1}, {Threads}}, fromStack, ints.data(), out.data());
  out.copy_to(z);
  good = true;
  for (unsigned t = 0; t != Threads; ++t) {
    unsigned other = Threads - 1 - t;
    good = good && z[t] == y[(other + (y[other] & 3)) % Threads];
  }
  // CHECK-NEXT: from the stack: good
  std::printf("from the stack: %s\n", good ? "good" : "wrong");
}
