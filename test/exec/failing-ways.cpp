// What makes the text of an exception may need what a device lacks, the name of a
// terminal for one: a launch that comes there fails with that exception all the same.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0: {{.*}}an exception left the kernel: std::domain_error
// CHECK: 1: {{.*}}an exception left the kernel: app::error
// CHECK: 2: {{.*}}an exception left the kernel: std::domain_error
// CHECK: 3: {{.*}}the kernel: std::runtime_error
// CHECK: 4: no error, 84
#include "Inputs/each_in_child.h"
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <xcc/xcc.h>

namespace app {
struct error : std::runtime_error {
  using runtime_error::runtime_error;
};
} // namespace app

template <class T> std::string text(const char *what, T value) {
  std::ostringstream out;
  for (const char *c = what; *c; ++c)
    out << *c;
  out << value;
  return out.str();
}
// It never returns, and does not say so.
template <class E, class T> void raise(const char *what, T value) {
  std::string all = text(what, value);
  E error(all);
  throw error;
}
int checked(int which) {
  if (which == 1) {
    std::string parts;
    for (int i = 0; i < which + 3; ++i)
      parts += text("part ", i);
    if (const char *terminal = ttyname(1000 + which))
      parts += terminal;
    if (parts.size() > 3)
      throw app::error(parts);
    raise<app::error>("too short: ", parts);
  }
  return which * 21;
}
double root(double x) {
  if (x < 0) {
    raise<std::domain_error>("no root of ", x);
    return 0;
  }
  return x;
}
void kernel(int which, int *p) {
  p[0] = checked(which);
  p[1] = int(root(which == 0 ? -1 : 4));
  switch (which) {
  case 2:
    p[2] = int(root(p[0] - 50));
    break;
  case 3:
    // The text needs nothing that is lacking, and arrives.
    std::__throw_runtime_error("three");
  }
}

int main() {
  each_in_child(5, [](int which) {
    try {
      xcc::buffer<int> p(3);
      xcc::launch({1, 1}, kernel, which, p.data());
      xcc::synchronize();
      int first = 0;
      p.copy_to(&first, 1);
      std::printf("%d: no error, %d\n", which, first);
    } catch (const xcc::error &error) {
      std::printf("%d: %s\n", which, error.what());
    }
  });
}
