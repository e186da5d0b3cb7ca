// Scans and selections of <xcc/algorithm.h> on GPUs, where blocks wait for tiles
// of others: in any order of blocks, and also where operands cannot be exchanged.
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

int main() {
  // Elements of one tile, of two, and of more than a warp looks back at.
  for (std::size_t n : {2816u, 2817u, 50000u})
    scans<int>(n);
  scans<long long>(60001);
  // CHECK-NOT: wrong
  // CHECK: done
  std::printf("done\n");
}
