// -foffload-report-mapping says at each launch what it moves to a device with
// memory of its own, as the types say it.
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -foffload-report-mapping %s 2>&1 | %FileCheck %s
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only %s 2>&1 | count 0
#include <xcc/xcc.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

struct Image {
  int width;
  float *pixels;
  std::vector<std::string> names;
};
struct Own {
  int *nodes;
};
template <> struct xcc::transfer<Own> {
  static void map(xcc::mapper &m, const Own &own) { m.range(own.nodes, 3); }
};
void kernel(int n, const float *x, Image &image, std::span<const int> span,
            const std::vector<double> &weights, const Own &own) {}

struct Object {
  std::unique_ptr<int[]> data;
  int n;
  void run() {
    // CHECK-DAG: report.cpp:[[#@LINE+3]]:5: remark: Object::run::(lambda): capture 'this' (reference to 'Object', in and out as far as kernels write it)
    // CHECK-DAG: remark: Object::run::(lambda): capture 'this' -> member 'data' (what 'std::unique_ptr<int[]>' owns, in and out as far as kernels write it)
    // CHECK-DAG: remark: Object::run::(lambda): capture 'local' (bits of 'int')
    xcc::launch({1, 1}, [this, local = n] { (void)local; });
  }
};
int main() {
  Image image{};
  std::vector<int> row;
  std::vector<double> weights;
  Own own{};
  // CHECK-DAG: report.cpp:[[#@LINE+9]]:3: remark: kernel: parameter 'n' (bits of 'int')
  // CHECK-DAG: remark: kernel: parameter 'x' (address 'const float *', of device memory or in what is mapped)
  // CHECK-DAG: remark: kernel: parameter 'image' (reference to 'Image', in and out as far as kernels write it)
  // CHECK-DAG: remark: kernel: parameter 'image' -> member 'pixels' (address 'float *', of device memory or in what is mapped)
  // CHECK-DAG: remark: kernel: parameter 'image' -> member 'names' (elements of 'std::vector<std::string>', in and out as far as kernels write it)
  // CHECK-DAG: remark: kernel: parameter 'image' -> member 'names'[] (elements of '{{.*}}', in and out as far as kernels write it)
  // CHECK-DAG: remark: kernel: parameter 'span' (elements of 'std::span<const int>', in)
  // CHECK-DAG: remark: kernel: parameter 'weights' (elements of 'std::vector<double>', in)
  // CHECK-DAG: remark: kernel: parameter 'own' (what xcc::transfer says of 'Own')
  xcc::launch({1, 1}, kernel, 3, nullptr, image, row, weights, own);
  float a = 2;
  std::vector<float> x(3), y(3);
  // CHECK-DAG: report.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}(lambda{{.*}}: capture 'y' (elements of 'std::vector<float>', in and out as far as kernels write it)
  // CHECK-DAG: remark: {{.*}}(lambda{{.*}}: capture 'a' (reference to 'float', in and out as far as kernels write it)
  // CHECK-NOT: capture 'first'
  xcc::parallel_for(3, [&](std::size_t i) { y[i] += a * x[i]; });
}
