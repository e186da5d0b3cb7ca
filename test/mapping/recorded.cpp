// A launch that refers to memory of the host cannot be part of a graph on a device
// with memory of its own; buffers can.
// RUN: %xcc -O2 -std=c++17 %s -o %t
// RUN: env XCC_CPU_SEPARATE=1 %t | %FileCheck %s
// RUN: %t | %FileCheck %s --check-prefix SHARED
// DEVICES: host, because its graphs have launches that use memory of the host
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

static void add(int *to, int n, int what) {
  if (auto i = xcc::global_id(); i < std::size_t(n))
    to[i] += what;
}

int main() {
  constexpr int n = 100;
  xcc::stream s;
  std::vector<int> host(n, 1);
  xcc::buffer<int> data(n);
  xcc::host_buffer<int> pinned(n);
  data.fill(0);
  for (int i = 0; i != n; ++i)
    pinned[i] = 5;
  auto tried = [&](const char *what, auto work) {
    try {
      auto g = xcc::graph::record(s, work);
      g.replay(s);
      g.replay(s);
      s.synchronize();
      std::printf("%s: done\n", what);
    } catch (const xcc::error &e) {
      std::printf("%s: %s\n", what, e.what());
    }
  };
  // CHECK: vector: launch of '{{.*}}' {{.*}}cannot be part of a graph on device 0 (host): 'host' is memory of the host, which is mapped for one launch; use an xcc::buffer
  // SHARED: vector: done
  tried("vector", [&] {
    xcc::parallel_for(s, n, [&host](std::size_t i) { host[i] += 1; });
  });
  // CHECK: pointer: launch of 'add' {{.*}}cannot be part of a graph on device 0 (host): 'to' points to memory of the host
  // SHARED: pointer: done
  tried("pointer", [&] {
    xcc::launch({{1}, {n}, 0, s}, add, host.data(), n, 1);
  });
  // CHECK: buffers: done
  // SHARED: buffers: done
  tried("buffers", [&] {
    xcc::launch({{1}, {n}, 0, s}, add, data.data(), n, 3);
    xcc::launch({{1}, {n}, 0, s}, add, pinned.data(), n, 1);
    xcc::launch({{1}, {n}, 0, s}, [at = data.data()] { at[0] += 1; });
  });
  int got[n];
  data.copy_to(got, n);
  // CHECK: 206 6 7
  // SHARED: 206 6 7
  std::printf("%d %d %d\n", got[0], got[1], pinned[n - 1]);
}
