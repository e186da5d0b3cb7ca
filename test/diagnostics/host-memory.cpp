// A plain pointer to a variable of the host's is right on the CPU device alone,
// and worth a warning where a GPU is asked for and the address is written at
// the launch, or where host code uses what is in a buffer. What has a type that
// says how much there is, is mapped.
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only %s 2>&1 | count 0
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -offload-arch=host,gfx90a %s 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %not %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -Werror -offload-arch=sm_90 %s 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ERROR
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -Wno-offload-host-memory -offload-arch=sm_90 %s 2>&1 \
// RUN:   | count 0
#include <xcc/xcc.h>

#include <span>
#include <vector>

struct Image {
  int width;
  int *pixels;
};
void take(int *p) { *p = 1; }
void takeImage(Image image) { *image.pixels = 1; }
void takeSpan(std::span<int> span) { span[0] = 1; }
void takeReference(int &i) { ++i; }

struct Counter {
  int total = 0;
  void count() {
    xcc::launch({1, 1}, [this] { ++total; });
    xcc::launch({1, 1}, [*this] { (void)total; });
  }
};

void addresses(int *there, Image &elsewhere) {
  int here = 0, row[4] = {};
  Image image{4, row};
  // CHECK: host-memory.cpp:[[#@LINE+3]]:29: warning: the address of 'here' is passed as a plain pointer, which is an address of host memory to a GPU [-Woffload-host-memory]
  // CHECK: host-memory.cpp:[[#@LINE+2]]:23: note: launched here; a reference or a std::span is mapped, and so is what a lambda captures by reference
  // ERROR: error: the address of 'here'
  xcc::launch({1, 1}, take, &here);
  // CHECK: warning: the address of 'row'
  xcc::launch({1, 1}, take, row);
  // CHECK: warning: the address of 'row'
  xcc::launch({1, 1}, take, here ? there : row + 2);
  // CHECK: warning: the address of 'row'
  xcc::launch({1, 1}, take, &row[1]);
  // CHECK: warning: the address of 'here'
  xcc::launch({1, 1}, takeImage, Image{4, &here});
  // CHECK: warning: the address of 'image'
  xcc::launch({1, 1}, [](int *p) { *p = 1; }, &image.width);
  // CHECK: warning: the address of 'here'
  xcc::launch({1, 1}, [p = &here] { *p = 1; });
  // CHECK: warning: the address of 'here'
  xcc::parallel_for(1, [image = Image{4, &here}](std::size_t) { *image.pixels = 1; });
  // CHECK: warning: the address of 'row'
  xcc::launch({1, 1}, [](auto p) { *p = 1; }, row);
  std::vector<int> vector(3);
  // CHECK: warning: the address of the elements of 'vector' is passed as a plain pointer
  xcc::launch({1, 1}, take, vector.data());
  // CHECK: warning: the address of the elements of 'vector' is passed as a plain pointer
  xcc::launch({1, 1}, take, &vector[1]);
  // CHECK: warning: the address of the elements of 'vector' is passed as a plain pointer
  xcc::parallel_for(1, [p = vector.data() + 1](std::size_t) { *p = 1; });
  // CHECK-NOT: warning:
  std::vector<int, xcc::allocator<int>> reached(3);
  xcc::launch({1, 1}, take, reached.data());
  xcc::launch({1, 1}, take, there);
  xcc::launch({1, 1}, take, &*there);
  xcc::launch({1, 1}, take, &there[3]);
  xcc::launch({1, 1}, take, elsewhere.pixels);
  xcc::launch({1, 1}, take, image.pixels);
  xcc::launch({1, 1}, take, &elsewhere.width);
  xcc::launch({1, 1}, takeSpan, row);
  xcc::launch({1, 1}, takeSpan, std::span(&here, 1));
  xcc::launch({1, 1}, takeReference, here);
  xcc::launch({1, 1}, [&here, &there] { ++here, ++*there; });
  std::vector<int> y(3);
  xcc::parallel_for(3, [&](std::size_t i) { y[i] += here; });
}
int elements(xcc::buffer<int> &x, xcc::device_span<int> part) {
  // CHECK: host-memory.cpp:[[#@LINE+1]]:3: warning: host code uses an element of 'x', which is in a device's memory: a GPU's is not the host's; copy it with to_vector() or copy_to() [-Woffload-host-memory]
  x[0] = 1;
  // CHECK: warning: host code uses an element of 'part'
  const int last = *part;
  // CHECK: warning: host code uses an element of 'x'
  const auto read = [&] { return x[1]; };
  // CHECK-NOT: warning:
  xcc::stream s;
  s.copy(&x[3], part, 1);
  xcc::launch({1, 1}, take, &x[2]);
  xcc::parallel_for(sizeof(x[1]), [&](std::size_t i) { x[i] = part[i]; });
  return last + read();
}
void locked() {
  std::vector<int> vector(3);
  xcc::host_registration all(vector);
  xcc::launch({1, 1}, take, vector.data());
}
void scoped() {
  int here = 0, row[4] = {};
  xcc::map scope(here, row);
  xcc::launch({1, 1}, take, &here);
  xcc::launch({1, 1}, take, row);
}
