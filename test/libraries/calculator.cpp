// A library in C that calls through addresses of functions, of its own and of
// <math.h>, that its tables have: compiled with -foffload-export alone.
//
// REQUIRES: simulators
// RUN: %xcc -O0 -foffload-export -x c -c %S/Inputs/calculator.c -o %t.library.o
// RUN: %xcc -std=c++20 -O0 %s %t.library.o -o %t && %t
// RUN: %xcc -O2 -foffload-export -x c -c %S/Inputs/calculator.c -o %t.library.o
// RUN: %xcc -std=c++20 -O2 %s %t.library.o -o %t && %t
// RUN: %xcc -O2 %two-gpus -foffload-export -x c -c %S/Inputs/calculator.c -o %t.library.o
// RUN: %xcc -std=c++20 -O2 %two-gpus %s %t.library.o -o %t && %on-nvidia %t && %on-amd %t
#include "Inputs/both.h"

extern "C" double calculate(const char *);

int main() {
  both("formulas", std::vector<double>(4, 0), [](double *p) {
    p[0] = calculate("sqrt(16)+2*pi-pow(2,3)");
    p[1] = calculate("abs(3-10)*(1+cos(0))");
    p[2] = calculate("atan2(1,2)+exp(1)+ln(10)");
    p[3] = calculate("floor(2.7)*ceil(1.2)");
  });
}
