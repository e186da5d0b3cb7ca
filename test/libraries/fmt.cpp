// fmt formats into memory.
//
// REQUIRES: fmt, simulators
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %two-gpus %s -o %t && %on-nvidia %t && %on-amd %t
#define FMT_HEADER_ONLY
#include "Inputs/both.h"
#include <fmt/compile.h>
#include <fmt/format.h>

int main() {
  both("formatted", std::vector<char>(128, 0), [](char *p) {
    p = fmt::format_to(p, "{} {:08.3f} {:x} {:>6}|", 42, 3.14159, 255, "ab");
    p = fmt::format_to(p, FMT_COMPILE("{}-{}"), 1.5, -7);
    p = fmt::format_to(p, " {:e} {:+d} {}", 1e-7, 5, true);
    *p = 0;
  });
}
