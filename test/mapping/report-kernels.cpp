// -foffload-report-mapping says at the link what each launch copies and why, once it is known what kernels read and
// write; with -c too, where the compile says what types tell.
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -O2 -foffload-report-mapping %s -o %t 2>&1 | %FileCheck %s --implicit-check-not='as far as'
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -O2 -foffload-report-mapping -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=TYPES
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -foffload-report-mapping %t.o -o %t 2>&1 | %FileCheck %s --implicit-check-not='as far as'
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race %t.o -o %t 2>&1 | count 0
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -O2 -offload-arch=x86-64-v2,x86-64-v3 -foffload-report-mapping %t.o -o %t 2>&1 | %FileCheck %s --implicit-check-not='as far as'
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -O0 -foffload-report-mapping %s -o %t 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -O2 -DOTHER -c %s -o %t-other.o
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -foffload-report-mapping %t.o %t-other.o -o %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,OTHER
#include <xcc/xcc.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#ifdef OTHER
// OTHER: report-kernels.cpp:[[# @LINE + 1]]:6: remark: late: compiled without -foffload-report-mapping: nothing is known of its launches
void late(std::vector<int> &v) { v[0] = 1; }
void launchLate(std::vector<int> &v) { xcc::launch({1, 1}, late, v); }
#else
struct Image {
  int width;
  float *pixels;
  std::vector<std::string> names;
};
template <class T> void step(int n, const float *x, T &image, std::span<const int> span, std::vector<int> &to) {
  for (auto i = xcc::global_id(); i < unsigned(n); i += 1000) {
    image.width += span[i];
    to[i] = int(x[i]);
  }
}
void through(int **table, int i) { *table[i] = i; }
void unknown(std::vector<int> &v, unsigned long number) { *(int *)(number * 8) = v[0]; }

struct Object {
  std::unique_ptr<int[]> data;
  int n;
  void run() {
    // CHECK-DAG: report-kernels.cpp:[[# @LINE + 3]]:5: remark: Object::run::(lambda): capture 'this' (reference to 'Object'): copied in; not back: the kernel does not write it [-foffload-report-mapping]{{$}}
    // CHECK-DAG: remark: Object::run::(lambda): capture 'this' -> member 'data' (what 'std::unique_ptr<int[]>' owns): copied in and back: the kernel writes it, perhaps not all of it
    // CHECK-DAG: remark: Object::run::(lambda): capture 'local' (bits of 'int'): among the arguments
    xcc::launch({1, 1}, [this, local = n] { data[0] = local; });
  }
};

int main() {
  Image image{};
  std::vector<int> row, one, two;
  // CHECK-DAG: report-kernels.cpp:[[# @LINE + 8]]:3: remark: step<Image>: parameter 'x' (address 'const float *'): of device memory, or of what is mapped anyway; the kernel only reads it
  // CHECK-DAG: :[[# @LINE + 7]]:3: remark: step<Image>: parameter 'image' (reference to 'Image'): copied in and back: the kernel reads and writes it
  // CHECK-DAG: :[[# @LINE + 6]]:3: remark: step<Image>: parameter 'image' -> member 'pixels' (address 'float *'): of device memory, or of what is mapped anyway; the kernel does not use it
  // CHECK-DAG: :[[# @LINE + 5]]:3: remark: step<Image>: parameter 'image' -> member 'names'[] (elements of '{{.*}}'): copied in only where it holds addresses; not back: the kernel does not use it
  // CHECK-DAG: :[[# @LINE + 4]]:3: remark: step<Image>: parameter 'span' (elements of 'std::span<const int>'): copied in; not back: const
  // CHECK-DAG: :[[# @LINE + 3]]:3: remark: step<Image>: parameter 'to' (elements of 'std::vector<int>'): copied in and back: the kernel writes it, perhaps not all of it
  // TYPES-DAG: report-kernels.cpp:[[# @LINE + 2]]:3: remark: step<Image>: parameter 'to' (elements of 'std::vector<int>', in and out as far as kernels write it)
  // NONE-DAG: :[[# @LINE + 1]]:3: remark: step<Image>: parameter 'to' (elements of 'std::vector<int>'): copied in and back: {{the kernel|what the kernel does with it is not known: }}
  xcc::launch({1, 1}, step<Image>, 3, nullptr, image, row, one);
  // Another launch of it, with what it states.
  // CHECK-DAG: :[[# @LINE + 5]]:3: remark: step<Image>: parameter 'image' (reference to 'Image'): copied in, as it holds addresses; not back: xcc::keep
  // CHECK-DAG: :[[# @LINE + 4]]:3: remark: step<Image>: parameter 'to' (reference to 'std::vector<int>'): copied in; not back: the kernel does not write it
  // CHECK-DAG: :[[# @LINE + 3]]:3: remark: step<Image>: parameter 'to' (elements of 'std::vector<int>'): not copied in, as xcc::out states; copied back: the kernel writes it, perhaps not all of it
  // TYPES-DAG: :[[# @LINE + 2]]:3: remark: step<Image>: parameter 'to' (elements of 'std::vector<int>'
  // NONE-DAG: :[[# @LINE + 1]]:3: remark: step<Image>: parameter 'to' (elements of 'std::vector<int>'): not copied in, as xcc::out states; copied back: {{the kernel|what the kernel does with it is not known: }}
  xcc::launch({1, 1}, step<Image>, 3, nullptr, xcc::keep(image), row, xcc::out(two));

  // What a capture states.
  // CHECK-DAG: :[[# @LINE + 2]]:3: remark: main::(lambda): capture 'out' (elements of 'std::vector<int>'): not copied in, as xcc::out states; copied back: the kernel writes it, perhaps not all of it
  // CHECK-DAG: :[[# @LINE + 1]]:3: remark: main::(lambda): capture 'in' (elements of 'std::vector<int>'): copied in; not back: const
  xcc::launch({1, 1}, [out = xcc::out(two), in = xcc::in(one)] { out.object[0] = in.object[1]; });

  float a = 2;
  std::vector<float> x(3), y(3);
  std::vector<std::vector<int>> rows(3);
  // CHECK-DAG: :[[# @LINE + 6]]:3: remark: {{.*}}: capture 'y' (reference to 'std::vector<float>'): copied in; not back: the kernel does not write it
  // CHECK-DAG: remark: {{.*}}: capture 'y' (elements of 'std::vector<float>'): copied in and back: the kernel reads and writes it
  // CHECK-DAG: remark: {{.*}}: capture 'a' (reference to 'float'): copied in; not back: the kernel does not write it
  // CHECK-DAG: remark: {{.*}}: capture 'x' (elements of 'std::vector<float>'): copied in; not back: the kernel does not write it
  // CHECK-DAG: remark: {{.*}}: capture 'rows' (elements of 'std::vector<std::vector<int>>'): copied in; not back: the kernel does not write it
  // CHECK-DAG: remark: {{.*}}: capture 'rows'[] (elements of 'std::vector<int>'): copied in and back: the kernel writes it, perhaps not all of it
  xcc::parallel_for(3, [&](std::size_t i) { y[i] += a * x[i], rows[i][0] = 1; });

  // CHECK-DAG: :[[# @LINE + 1]]:3: remark: {{.*}}: capture 'y' (elements of 'std::vector<float>'): copied in, unless there is a thread for each, and back: the kernel overwrites an element in each thread
  xcc::parallel_for(3, [&](std::size_t i) { y[i] = a * x[i]; });

  // CHECK-DAG: remark: unknown: parameter 'v' (elements of 'std::vector<int>'): copied in and back: what the kernel does with it is not known: {{.+}}
  xcc::launch({1, 1}, unknown, row, 0ul);
  Object().run();
}
#endif
