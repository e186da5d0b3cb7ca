// Global and static variables with constant initialisers. Each device has its
// own: what kernels write, later kernels see and the host does not.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

int counter = 40;
static const double table[] = {0.5, 1.5, 2.5};
constexpr struct {
  const char *name;
  int value;
} entries[] = {{"one", 1}, {"two", 2}};
struct with_static {
  static inline int shared = 6;
  static constexpr int fixed = 3;
};
const int *pointer = &counter;
template <class T> T variable_template = T(9);

int next() {
  static int calls = 100;
  return ++calls;
}

void kernel(double *out) {
  if (xcc::global_id() != 0)
    return;
  counter += 2;
  with_static::shared *= 2;
  out[0] = *pointer;
  out[1] = table[2] + entries[1].value + entries[0].name[1];
  out[2] = with_static::shared + with_static::fixed;
  out[3] = next();
  out[4] = variable_template<int> + variable_template<double>;
}

int main() {
  xcc::buffer<double> out(5);
  double host[5];
  for (int i = 0; i < 2; ++i) {
    xcc::launch({{1}, {1}}, kernel, out.data());
    out.copy_to(host, 5);
    std::printf("%g %g %g %g %g\n", host[0], host[1], host[2], host[3],
                host[4]);
  }
  // A function's own, which brings the function's code to the device module.
  static const double weights[] = {1, 20, 300};
  xcc::launch({{1}, {1}}, [to = out.data()] {
    to[0] = 0;
    for (double weight : weights)
      to[0] += weight;
  });
  out.copy_to(host, 1);
  std::printf("of main: %g\n", host[0]);
  std::printf("host: %d %d %d\n", counter, with_static::shared, next());
}
// CHECK: 42 114.5 15 101 18
// CHECK: 44 114.5 27 102 18
// CHECK: of main: 321
// CHECK: host: 40 6 101
