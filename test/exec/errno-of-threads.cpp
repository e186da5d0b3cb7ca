// errno is each thread's own: one that fails says nothing to others, which read
// numbers at the same time.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cerrno>
#include <cstdlib>
#include <string>

int main() {
  same("errno", 256, [](std::size_t i) {
    errno = 0;
    double sum = 0;
    for (int round = 0; round < 4; ++round)
      sum +=
          i % 3 ? std::strtod("1e5", nullptr) : std::strtod("1e999", nullptr);
    return sum + 1000000 * errno;
  });
  // std::stod takes errno's word for whether to throw.
  same("stod", 256, [](std::size_t i) {
    if (i % 2)
      return std::strtod("1e999", nullptr);
    return std::stod("2.5") * double(i);
  });
  // CHECK: errno: same
  // CHECK: stod: same
}
