// XCC_JIT=adaptive: what stays the same over many launches is known to code that
// takes over when it is there; a launch with other values gets the generic code.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host,generic:x86_64 %s -o %t
// RUN: env XCC_DEVICE=host XCC_JIT=adaptive XCC_LOG=load %t %t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file %t.log --implicit-check-not="tied"
// RUN: env XCC_DEVICE=host XCC_JIT=adaptive XCC_CPU_THREADS=1 XCC_LOG=load %t %t.log | FileCheck %s
// CHECK: another is there: right
// CHECK-NEXT: other values: right
// CHECK-NEXT: a second guess: right
// CHECK-NEXT: a closure: right
// CHECK-NEXT: a grid: right
// CHECK-NEXT: eight threads: right
// CHECK-NEXT: variables: 200
// The grid is among what the code knows: 3 blocks of 2 threads, times 7.
// RUN: rm -rf %t.dump && env XCC_DEVICE=host XCC_JIT=adaptive XCC_LOG=load XCC_JIT_DUMP=%t.dump %t %t.log | FileCheck %s
// RUN: cat %t.dump/*.s | FileCheck %s --check-prefix=GRID
// GRID: movl $42, (%
// LOG: loaded the x86-64-v3 image, {{[0-9]+}} bytes{{$}}
// LOG: loaded the native image, {{[0-9]+}} bytes (specialised, generated here
// LOG: kernel 'power' has other values now: its generic code runs
// LOG: loaded the native image, {{[0-9]+}} bytes (specialised, generated here

// No image to make code of: as ever.
// RUN: %xcc %headers -std=c++20 -O2 -DONCE -offload-arch=host %s -o %t-none
// RUN: env XCC_DEVICE=host XCC_JIT=adaptive %t-none %t.log | FileCheck %s --check-prefix=ONCE
// ONCE: variables: 200
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
#include <xcc/xcc.h>

static void power(float *to, const float *from, int n, int degree) {
  std::size_t i = xcc::global_id();
  if (i >= std::size_t(n))
    return;
  float r = 1;
  for (int k = 0; k < degree; ++k)
    r *= from[i];
  to[i] = r;
}

static void gridded(int *to, int times) {
  *to = times * int(xcc::grid_dim().x * xcc::block_dim().x);
}

static int counter;
static void count(int *to, int by) {
  counter += by;
  *to = counter;
}

/// How often the runtime has said this so far.
static int said(const char *file, const std::string &what) {
  std::stringstream all;
  all << std::ifstream(file).rdbuf();
  std::string text = all.str();
  int times = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; ++at)
    ++times;
  return times;
}

static bool right(int degree) {
  xcc::buffer<float> to(4), from(4);
  float host[4] = {1, 2, 3, 4}, expected[4];
  for (int i = 0; i != 4; ++i) {
    expected[i] = 1;
    for (int k = 0; k != degree; ++k)
      expected[i] *= host[i];
  }
  from.copy_from(host, 4);
  xcc::launch({{1}, {32}}, power, to.data(), from.data(), 4, degree);
  to.copy_to(host, 4);
  for (int i = 0; i != 4; ++i)
    if (host[i] != expected[i])
      return false;
  return true;
}

static void report(const char *what, bool good) {
  std::printf("%s: %s\n", what, good ? "right" : "WRONG");
}

int main(int, char **arguments) {
  const char *log = arguments[1];
  if (!std::freopen(log, "w", stderr))
    return 1;
#ifndef ONCE
  const char *made = "(specialised, generated here";
  bool good = true;
  while (said(log, made) < 1)
    good &= right(3);
  for (int i = 0; i != 100; ++i)
    good &= right(3);
  report("another is there", good);

  good = right(4) && right(3) && right(0);
  for (int i = 0; i != 20; ++i)
    good &= right(i % 3);
  good &= said(log, "has other values now") == 1;
  report("other values", good);
  while (said(log, made) < 2)
    good &= right(5);
  report("a second guess", good && right(5) && right(6));

  xcc::buffer<int> device(64);
  std::vector<int> host(64);
  auto body = [&](int times, int more) {
    xcc::parallel_for(64, [to = device.data(), times, more](std::size_t i) {
      int sum = more;
      for (int k = 0; k != times; ++k)
        sum += int(i) * k;
      to[i] = sum;
    });
    device.copy_to(host.data(), 64);
    bool all = true;
    for (int i = 0; i != 64; ++i)
      all &= host[i] == i * times * (times - 1) / 2 + more;
    return all;
  };
  while (said(log, made) < 3)
    good &= body(7, 1);
  for (int i = 0; i != 30; ++i)
    good &= body(7, 1) && body(i, 2);
  report("a closure", good);

  auto blocks = [&](unsigned grid) {
    xcc::launch({{grid}, {2}}, gridded, device.data(), 7);
    device.copy_to(host.data(), 1);
    return host[0] == 14 * int(grid);
  };
  while (said(log, made) < 4)
    good &= blocks(3);
  for (unsigned i = 1; i != 7; ++i)
    good &= blocks(3) && blocks(i);
  report("a grid", good);

  std::vector<std::thread> threads;
  std::vector<int> each(8);
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      each[t] = true;
      for (int i = 0; i != 100; ++i)
        each[t] &= right(i < 60 ? 2 : t);
    });
  for (int t = 0; t != 8; ++t) {
    threads[t].join();
    good &= each[t] != 0;
  }
  report("eight threads", good);
#else
  (void)right;
  (void)said;
  (void)report;
#endif
  // What has variables stays as it is.
  xcc::buffer<int> sum(1);
  int total = 0;
  for (int i = 0; i != 100; ++i)
    xcc::launch({{1}, {1}}, count, sum.data(), 2);
  sum.copy_to(&total, 1);
  std::printf("variables: %d\n", total);
  // The process ends while code may be on its way.
  auto last = [to = sum.data()](int n) { *to = n; };
  for (int i = 0; i != 34; ++i)
    xcc::launch({{1}, {1}}, last, 5);
}
