// Scans and selections of <xcc/algorithm.h> on GPUs, where blocks wait for tiles
// of others: in any order of blocks, with operands that cannot be exchanged, and
// with sums that show how they are grouped.
// RUN: %xcc -O2 -std=c++20 --offload-arch=sm_90,gfx90a -foffload-no-cubin %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_SIM_SCHEDULE=random:7 XCC_SIM_CHECK=memory,races %t 2>&1 | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t | FileCheck %s
#include <cstdio>
#include <numeric>
#include <vector>
#include <xcc/algorithm.h>

static void check(bool right, const char *what, std::size_t n) {
  if (!right)
    std::printf("wrong: %s of %zu\n", what, n);
}

template <class Type> static void scans(std::size_t n) {
  std::vector<Type> in(n), out(n), expected(n);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = Type(int(i * 7919 % 1009) - 300);
  // The last one that is no multiple of five, and else the first.
  const auto last = [](Type a, Type b) { return b % 5 ? b : a; };
  xcc::map scope(in, out);
  const auto same = [&](const char *what) {
    scope.to_host(out);
    check(out == expected, what, n);
  };
  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  xcc::inclusive_scan(in, out);
  same("inclusive_scan");
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), Type(17));
  xcc::exclusive_scan(in, out, Type(17));
  same("exclusive_scan");
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), last);
  xcc::inclusive_scan(in, out, last);
  same("inclusive_scan in order");

  const auto odd = [](Type v) { return v % 2 != 0; };
  const std::size_t kept = xcc::copy_if(in, out, odd);
  scope.to_host(out);
  std::size_t next = 0;
  bool right = true;
  for (Type v : in)
    if (odd(v))
      right = right && next < kept && out[next++] == v;
  check(right && next == kept, "copy_if", n);
}

/// Sums that depend on how they are grouped: the same in each run, whatever the
/// order of blocks.
static void rounded(std::size_t n) {
  std::vector<double> in(n), first(n), out(n);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = 1.0 / double(i % 1009 + 1);
  xcc::map scope(in, first, out);
  xcc::inclusive_scan(in, first);
  for (int run = 0; run < 3; ++run) {
    xcc::inclusive_scan(in, out);
    scope.to_host(out, first);
    check(out == first, "inclusive_scan again", n);
  }
  double sum = 0;
  bool near = true;
  for (std::size_t i = 0; i < n; ++i) {
    sum += in[i];
    near = near && out[i] > sum * (1 - 1e-12) && out[i] < sum * (1 + 1e-12);
  }
  check(near, "inclusive_scan of double", n);
}

/// x becomes scale * x + offset, of integers: operands must stay in their order.
struct step {
  long scale, offset, steps;
  friend bool operator==(const step &a, const step &b) {
    return a.scale == b.scale && a.offset == b.offset && a.steps == b.steps;
  }
};
static void structs(std::size_t n) {
  const auto then = [](const step &a, const step &b) {
    return step{a.scale * b.scale % 10007,
                (b.scale * a.offset + b.offset) % 10007, a.steps + b.steps};
  };
  std::vector<step> in(n), out(n), expected(n);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = {long(i % 13 + 1), long(i % 7), 1};
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), then);
  xcc::map scope(in, out);
  xcc::inclusive_scan(in, out, then);
  scope.to_host(out);
  check(out == expected, "inclusive_scan of structs", n);
}

int main() {
  // Elements of one tile, of two, and of more than a warp looks back at.
  for (std::size_t n : {2816u, 2817u, 50000u})
    scans<int>(n);
  scans<long long>(60001);
  rounded(60001);
  // Of 24 bytes, a tile has 256: more than 1,024 tiles.
  structs(265000);
  // CHECK-NOT: wrong
  // CHECK: done
  std::printf("done\n");
}
