// Kernels that are generated for values that their launches have, and with
// options of their own: the same results on every device, and what cannot be.
// REQUIRES: simulators
// RUN: %xcc %headers -std=c++20 -O2 -Wall -Wextra -Werror -offload-arch=generic %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -offload-arch=generic %s -o %t-O0
// RUN: env XCC_DEVICE=host %t-O0 | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t-O0 | FileCheck %s
// CHECK: numbers of all kinds: right
// CHECK-NEXT: the shape too: right
// CHECK-NEXT: many values: right
// CHECK-NEXT: a closure's parameters: right
// CHECK-NEXT: numbers beside the shape: 308126
// CHECK-NEXT: variables: 6
// CHECK-NEXT: options: right
// CHECK-NEXT: the same again: 1
// CHECK-NEXT: options and numbers: right
// CHECK-NEXT: error: launch of 'apply': a block of 64 threads, the kernel was compiled for at most 32
// CHECK-NEXT: error: kernel 'apply' has the parameters 8 bytes at 0, 2 bytes at 8, 8 bytes at 16, 1 bytes at 24, 1 bytes at 25, 8 bytes at 32, 4 bytes at 40; given are 8 bytes at 0
// CHECK-NEXT: error: no kernel 'applied' is in the program or its libraries
// CHECK-NEXT: error: kernel 'tied' cannot be generated again: it uses variables
// CHECK-NEXT: error: {{.*}}generating its code for pdp11 failed: this xcc, with LLVM {{.*}}, knows no arch 'pdp11'
// CHECK-NEXT: error: xcc_kernel_generate: opt_level is 4
// CHECK-NEXT: the kernel itself: right

// What is made when, and what the cache has of it.
// RUN: rm -rf %t.cache && env XCC_DEVICE=host XCC_LOG=load XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t 2>&1 | FileCheck %s --check-prefix=LOG
// LOG: loaded the native image, {{[0-9]+}} bytes (generated here
// LOG: loaded the native image, {{[0-9]+}} bytes (specialised, generated here
// LOG: kernel 'tied' is not specialised: kernel 'tied' cannot be generated again
// RUN: env XCC_DEVICE=host XCC_LOG=load XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t 2>&1 | FileCheck %s --check-prefix=KEPT --implicit-check-not="generated here"
// KEPT: (generated before, found in
// KEPT: (specialised, generated before, found in

// The code knows what it was made for: no loop is left.
// RUN: rm -rf %t.dump && env XCC_DEVICE=host XCC_JIT_DUMP=%t.dump %t one | FileCheck %s --check-prefix=ONE
// RUN: cat %t.dump/*-native-*.s | FileCheck %s --check-prefix=CODE --implicit-check-not=mulss
// ONE: one: 24
// CODE: movl $1103101952, (%

// Nothing to make them of, or nothing that may be used: the kernel as it is.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host %s -o %t-none
// RUN: env XCC_LOG=load %t-none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host,generic %s -o %t-both
// RUN: env XCC_DEVICE=host XCC_JIT=never %t-both | FileCheck %s --check-prefix=NONE
// RUN: env XCC_DEVICE=host %t-both | FileCheck %s
// NONE: numbers of all kinds: right
// NONE: the shape too: right
// NONE: a closure's parameters: right
// NONE: error: kernel 'apply' cannot be generated again: the program has no portable image for device 0 (host); rebuild with generic in --offload-arch=
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>
#include <xcc/jit.h>
#include <xcc/xcc.h>

using xcc::constant;
enum class op : char { add, multiply };
constexpr int Count = 16;

static float value(float x, double times, bool negative, op what,
                   float factor) {
  float r = what == op::multiply ? 1 : 0;
  for (int k = 0; k < times; ++k)
    r = what == op::multiply ? r * x : r + x;
  return (negative ? -r : r) * factor;
}

static void apply(float *to, short n, double times, bool negative, op what,
                  const float *from, float factor) {
  std::size_t i = xcc::global_id();
  if (i < std::size_t(n))
    to[i] = value(from[i], times, negative, what, factor) +
            float(xcc::block_dim().x) + 100 * float(xcc::grid_dim().x);
}

static void factorial(float *to, int n) {
  float r = 1;
  for (int k = 0; k < n; ++k)
    r *= float(k + 1);
  *to = r;
}

/// Its parameters lie where a launch's record has its blocks and threads.
static void shape(int *to, int a, int b, int c, int d, int e, int f, int g,
                  int h, int i, int j, int k, int l, int m, int n) {
  int sum = a + b + c + d + e + f + g + h + i + j + k + l + m + n;
  if (xcc::global_id() == 0)
    *to = sum + 1000 * int(xcc::grid_dim().x * xcc::block_dim().x +
                           100 * xcc::grid_dim().y * xcc::block_dim().y);
}

static int counter;
static void tied(int *to, int add) {
  counter += add;
  *to = counter;
}

struct Test {
  xcc::buffer<float> to{Count}, from{Count};
  std::vector<float> source, expected = std::vector<float>(Count, -1.0f);

  Test() {
    for (int i = 0; i != Count; ++i)
      source.push_back(float(i) / 4);
    from.copy_from(source.data(), Count);
    to.copy_from(expected.data(), Count);
  }
  void expect(int n, double times, bool negative, op what, float factor,
              int blocks, int threads) {
    for (int i = 0; i != n; ++i)
      expected[i] = value(source[i], times, negative, what, factor) +
                    float(threads) + 100 * float(blocks);
  }
  void done(const char *what) {
    std::vector<float> host(Count);
    to.copy_to(host.data(), Count);
    std::printf("%s: %s\n", what, host == expected ? "right" : "WRONG");
  }
};

template <class F> static void fails(F run) {
  try {
    run();
    std::printf("NO error\n");
  } catch (const xcc::error &e) {
    std::printf("error: %s\n", e.what());
  }
}

template <int... N>
static void many(Test &test, std::integer_sequence<int, N...>) {
  // More than are kept of one kernel.
  (xcc::launch({{1}, {Count}}, apply, test.to.data(), constant(Count),
               constant(N), constant(N % 2 == 0), constant(op::add),
               test.from.data(), constant(N / 2.0)),
   ...);
}

int main(int count, char **) {
  if (count > 1) {
    xcc::buffer<float> out(1);
    xcc::launch({{1}, {1}}, factorial, out.data(), constant(4));
    float host;
    out.copy_to(&host, 1);
    std::printf("one: %g\n", host);
    return 0;
  }
  Test test;
  float *to = test.to.data(), *from = test.from.data();
  xcc::launch({{1}, {Count}}, apply, to, Count, 4, true, op::add, from, 4);
  test.expect(Count, 4, true, op::add, 4, 1, Count);

  // Converted as in a call.
  xcc::launch({{1}, {Count}}, apply, to, constant(9L), constant(3),
              constant(true), constant(op::multiply), from, constant(2));
  test.expect(9, 3, true, op::multiply, 2, 1, Count);
  xcc::launch({{1}, {Count}}, apply, to, constant(7), 2.5f, constant(false),
              constant(op::add), from, constant(-0.3));
  test.expect(7, 2.5, false, op::add, -0.3f, 1, Count);
  test.done("numbers of all kinds");
  for (int threads : {4, 8, 4})
    for (int blocks : {1, 2}) {
      xcc::launch(constant({{blocks}, {threads}}), apply, to,
                  constant(blocks * threads), constant(3), constant(true),
                  constant(op::multiply), from, 2);
      test.expect(blocks * threads, 3, true, op::multiply, 2, blocks, threads);
      xcc::launch(constant({{blocks}, {threads}}), apply, to, 4, 2, true,
                  op::multiply, from, 2);
      test.expect(4, 2, true, op::multiply, 2, blocks, threads);
    }
  test.done("the shape too");
  many(test, std::make_integer_sequence<int, 70>());
  test.expect(Count, 69, false, op::add, 34.5, 1, Count);
  test.done("many values");

  auto closure = [to, from](int n, const float &, xcc::dim3 by, double more) {
    auto i = xcc::global_id();
    if (int(i) < n)
      to[i] = from[i] * float(by.y) + float(more);
  };
  float unused = 0;
  xcc::launch({{1}, {Count}}, closure, constant(5), unused, xcc::dim3(1, 2, 3),
              constant(7.5));
  for (int i = 0; i != 5; ++i)
    test.expected[i] = test.source[i] * 2 + 7.5f;
  test.done("a closure's parameters");

  xcc::buffer<int> sum(1);
  int host = 0;
  xcc::launch({{2, 3}, {4, 1}}, shape, sum.data(), constant(9), constant(9),
              constant(9), constant(9), constant(9), constant(9), constant(9),
              constant(9), constant(9), constant(9), constant(9), constant(9),
              constant(9), constant(9));
  sum.copy_to(&host, 1);
  std::printf("numbers beside the shape: %d\n", host);

  // What has variables is as it is, and they are there once.
  for (int i = 1; i <= 3; ++i)
    xcc::launch({{1}, {1}}, tied, sum.data(), constant(i));
  sum.copy_to(&host, 1);
  std::printf("variables: %d\n", host);

  xcc::jit::options how;
  how.opt_level = 1;
  how.max_threads = 32;
  how.min_blocks = 2;
  fails([&] {
    auto made = xcc::jit::kernel(apply, how);
    made({{1}, {Count}}, to, Count, 3, true, op::multiply, from, 2);
    test.expect(Count, 3, true, op::multiply, 2, 1, Count);
    test.done("options");
    auto again = xcc::jit::kernel<float *, short, double, bool, op,
                                  const float *, float>("apply", how);
    std::printf("the same again: %d\n", &made.info() == &again.info());
    again({{1}, {Count}}, to, 6, constant(2), true, constant(op::multiply),
          from, 2);
    test.expect(6, 2, true, op::multiply, 2, 1, Count);
    test.done("options and numbers");
    made({{1}, {64}}, to, Count, 3, true, op::multiply, from, 2);
  });
  fails([&] { xcc::jit::kernel<float *>("apply"); });
  fails([&] { xcc::jit::kernel<float *>("applied"); });
  fails([&] { xcc::jit::kernel(tied, how); });
  how.arch = "pdp11";
  fails([&] { xcc::jit::kernel(apply, how); });
  how = {};
  how.opt_level = 4;
  fails([&] { xcc::jit::kernel(apply, how); });
  xcc::launch({{1}, {Count}}, apply, to, Count, 4, true, op::add, from, 4);
  test.expect(Count, 4, true, op::add, 4, 1, Count);
  test.done("the kernel itself");
}
