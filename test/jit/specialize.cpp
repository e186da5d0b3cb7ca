// Parameters, members and captures that are marked [[xcc::specialize]]: each value
// has code of its own, of the same results, up to a number of values.
// REQUIRES: simulators
// RUN: %xcc %headers -std=c++20 -O2 -Wall -Wextra -Werror -offload-arch=generic %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// RUN: env XCC_DEVICE=host XCC_CPU_SEPARATE=1 %t | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -offload-arch=generic %s -o %t-O0
// RUN: env XCC_DEVICE=host %t-O0 | FileCheck %s
// CHECK: all kinds: right
// CHECK-NEXT: a template: right
// CHECK-NEXT: an object: right
// CHECK-NEXT: a closure: right
// CHECK-NEXT: parallel_for: right
// CHECK-NEXT: a generic closure: right
// CHECK-NEXT: many values: right
// CHECK-NEXT: options too: right
// CHECK-NEXT: variables: 6
// CHECK-NEXT: threads: right
// CHECK-NEXT: padding: right

// Each value once: numbers by their bits, and no padding; and that it ends.
// RUN: env XCC_DEVICE=host XCC_LOG=load %t 2>&1 | FileCheck %s --check-prefix=LOG
// RUN: env XCC_DEVICE=host XCC_LOG=load %t padding 2>&1 | grep -c specialised | FileCheck %s --check-prefix=ONCE
// LOG: (specialised, generated here
// LOG: kernel 'many' is specialised for 64 values already: for others its generic code runs
// LOG-NOT: kernel 'many' is
// LOG: kernel 'tied' is not specialised: kernel 'tied' cannot be generated again
// LOG-NOT: kernel 'tied'
// ONCE: {{^}}2{{$}}

// The code knows what is captured, on GPUs too: 3 to the power of 4.
// RUN: rm -rf %t.dump && env XCC_DEVICE=host XCC_JIT_DUMP=%t.dump %t one | FileCheck %s --check-prefix=ONE
// RUN: cat %t.dump/*-native-*.s | FileCheck %s --check-prefix=CPU
// RUN: rm -rf %t.dump && env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_JIT_DUMP=%t.dump %t one | FileCheck %s --check-prefix=ONE
// RUN: cat %t.dump/*-sm_90-*.s | FileCheck %s --check-prefix=PTX
// RUN: rm -rf %t.dump && env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa XCC_JIT_DUMP=%t.dump %t one | FileCheck %s --check-prefix=ONE
// RUN: cat %t.dump/*-gfx1100-*.s | FileCheck %s --check-prefix=GCN
// ONE: one: 81
// CPU: movl $81, (%
// PTX: st.global.b32 {{.*}}, 81;
// GCN: v_dual_mov_b32 {{.*}}, 0x51{{$}}

// Where there is nothing to make code of, it is as if nothing was marked.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host,generic %s -o %t-both
// RUN: env XCC_DEVICE=host XCC_JIT=never %t-both | FileCheck %s --check-prefix=NEVER
// NEVER: all kinds: right
// NEVER: variables: 6
// NEVER: padding: right
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>
#include <xcc/jit.h>
#include <xcc/xcc.h>

enum class letter : unsigned char { a, b, c };
struct inner {
  char c;
  short pair[2];
};
struct settings : inner {
  double d;
  unsigned f : 3, g : 5;
  letter l;
};

static float add(float f, const settings &s) {
  return f + float(s.c) + float(s.pair[0]) + 10 * float(s.pair[1]) +
         float(s.d) + float(s.f) + 100 * float(s.g) + 1000 * float(int(s.l));
}

// Marked on a declaration alone.
static void all_kinds(float *to, int n, settings s, float, bool, letter l,
                      __int128 wide, _Float16 half,
                      int plain [[xcc::specialize]]);
static void all_kinds(float *to, int n [[xcc::specialize]],
                      [[xcc::specialize]] settings s, float f XCC_SPECIALIZE,
                      bool b [[xcc::specialize]], letter l [[xcc::specialize]],
                      __int128 wide [[xcc::specialize]],
                      _Float16 half [[xcc::specialize]], int plain) {
  float r = add(f, s);
  for (int k = 0; k < n; ++k)
    r += f;
  *to = (b ? -r : r) + float(int(l)) + float(wide >> 70) + float(half) +
        float(plain);
}

template <class T> static void square(T *to, T value [[xcc::specialize]]) {
  *to = value * value;
}

struct power {
  [[xcc::specialize]] int degree;
  int *to;
  void operator()(int x) const {
    int r = 1;
    for (int k = 0; k < degree; ++k)
      r *= x;
    *to = r;
  }
};

static void many(int *to, int value [[xcc::specialize]]) { *to = value * 3; }

static int counter;
static void tied(int *to, int by [[xcc::specialize]]) {
  counter += by;
  *to = counter;
}

struct padded {
  char c;
  int n;
};
static void sum(int *to, padded p [[xcc::specialize]]) { *to = p.c + p.n; }

template <class T> static T read(const xcc::buffer<T> &from) {
  T value;
  from.copy_to(&value, 1);
  return value;
}

static void report(const char *what, bool good) {
  std::printf("%s: %s\n", what, good ? "right" : "WRONG");
}

static bool testPadding(xcc::buffer<int> &ints) {
  bool good = true;
  for (unsigned char byte : {0, 0x55, 0xff})
    for (int n : {7, 8}) {
      padded p;
      std::memset(&p, byte, sizeof(p));
      p.c = 1;
      p.n = n;
      xcc::launch({{1}, {1}}, sum, ints.data(), p);
      good &= read(ints) == n + 1;
    }
  return good;
}

int main(int count, char **arguments) {
  xcc::buffer<float> floats(4);
  xcc::buffer<int> ints(4);
  if (count > 1 && !std::strcmp(arguments[1], "padding"))
    return !testPadding(ints);
  if (count > 1) {
    auto body = [to = ints.data(), degree = xcc::constant(4)](int x
                                                [[xcc::specialize]]) {
      int r = 1;
      for (int k = 0; k < degree; ++k)
        r *= x;
      *to = r;
    };
    xcc::launch({{1}, {1}}, body, 3);
    std::printf("one: %d\n", read(ints));
    return 0;
  }

  bool good = true;
  settings s{{1, {2, 3}}, 0.5, 5, 6, letter::c};
  for (int n : {3, 4, 3})
    for (int plain : {1, 2}) {
      xcc::launch({{1}, {1}}, all_kinds, floats.data(), n, s, 0.25f, n == 4,
                  letter::b, __int128(5) << 70, _Float16(1.5f), plain);
      float r = add(0.25f, s) + 0.25f * float(n);
      good &= read(floats) == (n == 4 ? -r : r) + 1 + 5 + 1.5f + float(plain);
    }
  report("all kinds", good);

  good = true;
  for (float f : {2.0f, 0.0f, -0.0f, NAN, -NAN, 2.0f, INFINITY}) {
    xcc::launch({{1}, {1}}, square<float>, floats.data(), f);
    float r = read(floats);
    good &= std::isnan(f) ? std::isnan(r) : r == f * f && !std::signbit(r);
  }
  xcc::launch({{1}, {1}}, square<int>, ints.data(), -7);
  report("a template", good && read(ints) == 49);

  good = true;
  for (int degree : {2, 3, 0, 2}) {
    xcc::launch({{1}, {1}}, power{degree, ints.data()}, 5);
    good &= read(ints) == int(std::pow(5, degree));
  }
  report("an object", good);

  good = true;
  for (int degree : {2, 3, 2}) {
    auto body = [to = ints.data(), degree = xcc::constant(degree)](
                    int x, int more [[xcc::specialize]]) mutable {
      int r = more;
      for (degree.value += 1; degree > 1; --degree.value)
        r *= x;
      *to = r;
    };
    xcc::launch({{1}, {1}}, body, 5, 2);
    good &= read(ints) == 2 * int(std::pow(5, degree));
  }
  report("a closure", good);

  good = true;
  for (int degree : {2, 3, 2}) {
    xcc::parallel_for(
        4, [to = ints.data(), degree = xcc::constant(degree)](std::size_t i) {
          int r = 1;
          for (int k = 0; k < degree; ++k)
            r *= int(i) + 2;
          to[i] = r;
        });
    int host[4];
    ints.copy_to(host, 4);
    for (int i = 0; i != 4; ++i)
      good &= host[i] == int(std::pow(i + 2, degree));
  }
  report("parallel_for", good);

  auto generic = [to = floats.data()](auto first [[xcc::specialize]],
                                      auto... more [[xcc::specialize]]) {
    *to = float(first) + (float(more) + ...);
  };
  xcc::launch({{1}, {1}}, generic, 1, 2.5, 3L);
  good = read(floats) == 6.5;
  xcc::launch({{1}, {1}}, generic, xcc::constant(2), 2.5, 3L);
  report("a generic closure", good && read(floats) == 7.5);

  good = true;
  for (int i = 0; i != 2000; ++i) {
    xcc::launch({{1}, {1}}, many, ints.data(), i);
    if (i % 100 < 2)
      good &= read(ints) == i * 3;
  }
  report("many values", good);

  good = true;
  try {
    xcc::jit::options how;
    how.opt_level = 1;
    auto made = xcc::jit::kernel(square<int>, how);
    for (int i : {3, 4, 3}) {
      made({{1}, {1}}, ints.data(), i);
      good &= read(ints) == i * i;
    }
    xcc::launch(xcc::constant({{1}, {1}}), all_kinds, floats.data(), 3, s,
                0.25f, false, letter::b, __int128(5) << 70, _Float16(1.5f),
                xcc::constant(1));
    good &= read(floats) == add(0.25f, s) + 0.75f + 1 + 5 + 1.5f + 1;
  } catch (const xcc::error &e) {
    good = e.status() == XCC_ERROR_NO_IMAGE;
  }
  report("options too", good);

  for (int i = 1; i <= 3; ++i)
    xcc::launch({{1}, {1}}, tied, ints.data(), i);
  std::printf("variables: %d\n", read(ints));

  std::vector<std::thread> threads;
  std::vector<int> each(8);
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      xcc::stream own;
      xcc::buffer<long> to(1);
      each[t] = true;
      for (int i = 0; i != 12; ++i) {
        xcc::launch({{1}, {1}, 0, &own}, square<long>, to.data(),
                    long(i / 2 % 3 + t % 2));
        own.synchronize();
        long v = i / 2 % 3 + t % 2;
        each[t] &= read(to) == v * v;
      }
    });
  good = true;
  for (int t = 0; t != 8; ++t) {
    threads[t].join();
    good &= each[t] != 0;
  }
  report("threads", good);
  report("padding", testPadding(ints));
}
