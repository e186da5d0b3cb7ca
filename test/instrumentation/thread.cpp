// ThreadSanitizer in kernels of the CPU device: each thread of each block is a
// thread to it. A program that orders them reports nothing.
// DEFINE: %{run} = env TSAN_OPTIONS=external_symbolizer_path=%llvm/bin/llvm-symbolizer:exitcode=66 %t
// RUN: %xcc -std=c++20 -g -fsanitize=thread %s -o %t
// RUN: %{run} good 2>&1 | %FileCheck %s --check-prefix=GOOD
// RUN: %not %{run} within 2>&1 | %FileCheck %s --check-prefixes=RACE,WITHIN
// RUN: %not %{run} after 2>&1 | %FileCheck %s --check-prefixes=RACE,AFTER
// RUN: %not %{run} blocks 2>&1 | %FileCheck %s --check-prefixes=RACE,BLOCKS
// RUN: %not %{run} host 2>&1 | %FileCheck %s --check-prefixes=RACE,HOST
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>
#include <xcc/xcc.h>

// RACE: WARNING: ThreadSanitizer: data race
constexpr int Threads = 64;
/// The sum of a block's numbers, with barriers.
static void sum(int *out, const int *in, int *total) {
  static xcc::block_shared<int[Threads]> part;
  unsigned t = xcc::thread_idx().x;
  part[t] = in[xcc::global_id()];
  xcc::sync_block();
  for (unsigned d = Threads / 2; d; d /= 2) {
    if (t < d)
      part[t] += part[t + d];
    xcc::sync_block();
  }
  out[xcc::global_id()] = part[0];
  if (t == 0)
    std::atomic_ref<int>(*total).fetch_add(part[0]);
}
static void within(int *out, const int *in) {
  static xcc::block_shared<int[Threads]> part;
  unsigned t = xcc::thread_idx().x;
  part[t] = in[t];
  // WITHIN: #0 within({{.*}}thread.cpp:[[@LINE+2]]
  // WITHIN: 'block (0,0,0) thread (
  out[t] = part[Threads - 1 - t];
}
static void after(int *out, const int *in) {
  static xcc::block_shared<int[Threads]> part;
  unsigned t = xcc::thread_idx().x;
  part[t] = in[t];
  xcc::sync_block();
  // AFTER: #0 after({{.*}}thread.cpp:[[@LINE+1]]
  int v = part[Threads - 1 - t];
  part[t] = v;
  out[t] = v;
}
static void blocks(int *total) {
  if (xcc::thread_idx().x == 0)
    // BLOCKS: #0 blocks(int*) {{.*}}thread.cpp:[[@LINE+1]]
    ++*total;
}
static void fill(int *out, int value) { out[xcc::global_id()] = value; }

int main(int, char **argv) {
  std::vector<int> a(10 * Threads), b(10 * Threads, 1);
  int total = 0;
  auto is = [&](const char *name) { return !strcmp(argv[1], name); };
  if (is("good")) {
    for (int round = 0; round != 3; ++round) {
      for (int &x : b)
        x = round;
      xcc::launch({{10}, {Threads}}, sum, a.data(), b.data(), &total);
      xcc::launch({{10}, {Threads}}, fill, b.data(), 3);
      xcc::launch({{10}, {Threads}}, sum, a.data(), b.data(), &total);
      xcc::synchronize();
      a[5] += b[7];
    }
    // An event, another thread of the host, copies.
    xcc::stream one, two;
    xcc::event point;
    xcc::launch({{10}, {Threads}, 0, &one}, fill, a.data(), 1);
    point.record(one);
    two.wait(point);
    xcc::launch({{10}, {Threads}, 0, &two}, fill, a.data(), 2);
    two.synchronize();
    std::thread([&] {
      xcc::launch({{10}, {Threads}}, fill, a.data(), a[3]);
      xcc::synchronize();
    }).join();
    xcc::buffer<int> c(b.size());
    c.copy_from(a.data(), a.size());
    xcc::launch({{10}, {Threads}}, fill, c.data(), 7);
    c.copy_to(b.data(), b.size());
    xcc::launch({{2}, {2}}, [&](int n) { printf("%d\n", n); }, b[9]);
  }
  if (is("within"))
    xcc::launch({{1}, {Threads}}, within, a.data(), b.data());
  if (is("after"))
    xcc::launch({{1}, {Threads}}, after, a.data(), b.data());
  if (is("blocks"))
    xcc::launch({{10}, {Threads}}, blocks, &total);
  if (is("host")) {
    xcc::launch({{10}, {Threads}}, fill, a.data(), 1);
    // HOST-DAG: #0 fill(int*, int)
    // HOST-DAG: #0 main {{.*}}thread.cpp:[[@LINE+1]]
    a[5] = 2;
  }
  xcc::synchronize();
  // GOOD-NOT: WARNING
  // GOOD: 7
  // GOOD: total 7680
  printf("total %d\n", total);
}
