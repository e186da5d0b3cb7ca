// Source that is compiled as the program runs: kernels by name and by
// expression, macros, headers, variables, services, on every kind of device.
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -fno-rtti %s -o %t-0 && %t-0 | FileCheck %s
// RUN: %if simulators %{ env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t | FileCheck %s %}
// RUN: %if simulators %{ env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa %t | FileCheck %s %}
// CHECK: kernel app::clear a.cpp:3
// CHECK: kernel saxpy a.cpp:5
// CHECK: kernel axpy<double> a.cpp:11
// CHECK: kernel axpy<float> a.cpp:11
// CHECK: saxpy: 107 107
// CHECK: axpy: 53.5 214
// CHECK: hits: 1
// CHECK: hello from 3
// CHECK: references: 6
// CHECK: objects: 11
// CHECK: separate: 1 0
// CHECK: constants: 24
#include <cstdio>
#include <vector>
#include <xcc/source.h>
#include <xcc/xcc.h>

namespace jit = xcc::jit;

static const char Text[] = R"(#include "factor.h"
#include <cstdio>
namespace app { int hits; void clear() { hits = 0; } }
float coefficient = 10;
extern "C" void saxpy(float a, float *x, const float *y, int n) {
  int i = xcc::global_id();
  if (i >= n) return;
  x[i] = a * x[i] * FACTOR + y[i] + coefficient;
  if (i == 0) app::hits++;
}
template <class T> void axpy(T a, T *x, int n) {
  int i = xcc::global_id();
  if (i < n) x[i] *= a;
}
static void helper() {}
inline void another() { helper(); }
)";

struct Pair {
  int a;
  int *to;
};

int main() {
  jit::source_options how;
  how.name = "a.cpp";
  how.headers = {{"factor.h", "#define FACTOR SCALE\n"}};
  how.arguments = {"-DSCALE=2", "-O2"};
  how.kernels = {"axpy<float>", "axpy<double>"};
  jit::source made = jit::compile_source(Text, how);
  for (const xcc::kernel_info *kernel : made.kernels())
    std::printf("kernel %s %s:%u\n", kernel->name, kernel->file, kernel->line);

  std::vector<float> one(1000, 1), three(1000, 3);
  xcc::buffer<float> x(1000), y(1000);
  x.copy_from(one.data(), 1000);
  y.copy_from(three.data(), 1000);
  made.symbol<float>("coefficient").copy_from(100.0f);
  auto saxpy = made.kernel<void(float, float *, const float *, int)>("saxpy");
  xcc::launch({{4}, {256}}, saxpy, 2, x.data(), y.data(), 1000);
  x.copy_to(one.data(), 1000);
  std::printf("saxpy: %g %g\n", one[0], one[999]);

  auto axpy = made.kernel<void(float, float *, int)>("axpy<float>");
  axpy({{4}, {256}}, 0.5f, x.data(), 1000);
  x.copy_to(one.data(), 1);
  std::printf("axpy: %g", one[0]);
  // By name alone, the arguments' types are the parameters', a buffer's a pointer.
  jit::any_kernel any = made.kernel("axpy<float>");
  xcc::launch({{4}, {256}}, any, 2.0f, x.data(), 1000);
  any({{4}, {256}}, 2.0f, x, 1000);
  x.copy_to(one.data(), 1);
  std::printf(" %g\n", one[0]);
  int hits = 0;
  made.symbol<int>("app::hits").copy_to(hits);
  std::printf("hits: %d\n", hits);

  // A kernel keeps its source.
  auto hello = jit::compile_source(R"(
    #include <cstdio>
    #include <cstdlib>
    void hello(int n) {
      int *memory = static_cast<int *>(malloc(4));
      *memory = n;
      printf("hello from %d\n", *memory);
      free(memory);
    })").kernel<void(int)>("hello");
  std::fflush(stdout);
  hello({{1}, {1}}, 3);
  xcc::synchronize();

  std::vector<int> list = {1, 2, 3};
  int sum = 0;
  jit::compile_source(R"(
    #include <vector>
    void add(const std::vector<int> &list, int &sum) {
      for (int i : list) sum += i;
    })").kernel<void(const std::vector<int> &, int &)>("add")(
      {{1}, {1}}, list, sum);
  xcc::synchronize();
  std::printf("references: %d\n", sum);

  xcc::buffer<int> result(1);
  jit::compile_source("struct Pair { int a; int *to; };\n"
                      "void put(Pair pair) { *pair.to = pair.a + 1; }")
      .kernel<void(Pair)>("put")({{1}, {1}}, Pair{10, result.data()});
  int host = 0;
  result.copy_to(&host, 1);
  std::printf("objects: %d\n", host);

  // Each source has variables of its own.
  const char *counts = "int count; void bump() { ++count; }";
  jit::source first = jit::compile_source(counts);
  jit::source second = jit::compile_source(counts);
  first.kernel<void()>("bump")({{1}, {1}});
  int a = 0, b = 0;
  first.symbol<int>("count").copy_to(a);
  second.symbol<int>("count").copy_to(b);
  std::printf("separate: %d %d\n", a, b);

  auto times = jit::compile_source("void times(int *to, int a, int b) { *to = a * b; }")
                   .kernel<void(int *, int, int)>("times");
  times({{1}, {1}}, result.data(), xcc::constant(4), 6);
  result.copy_to(&host, 1);
  std::printf("constants: %d\n", host);
}
