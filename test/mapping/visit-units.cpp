// Several translation units visit the same class, as one step and as several,
// with and without LTO, in a shared library, from a precompiled header.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %xcc -O0 %s %S/Inputs/visits-too.cpp -I %S/Inputs -o one && ./one
// RUN: %xcc -O2 -c %s -I %S/Inputs -o a.o
// RUN: %xcc -O0 -g -c %S/Inputs/visits-too.cpp -o b.o
// RUN: %xcc a.o b.o -o two && ./two
// RUN: %xcc -O2 -flto %s %S/Inputs/visits-too.cpp -I %S/Inputs -o lto && ./lto
// RUN: %xcc -shared -fPIC %S/Inputs/visits-too.cpp -o libtoo.so
// RUN: %xcc %s -I %S/Inputs ./libtoo.so -o shared && ./shared
// RUN: %xcc -x c++-header %S/Inputs/visited.h -o header.pch
// RUN: %xcc -include-pch header.pch -I %S/Inputs %s b.o -o pch && ./pch
#include "visited.h"

int main() {
  Shared shared;
  xcc::launch({1, 1}, [] {});
  xcc::synchronize();
  return count(shared) == 2 && tenfold(shared) == 30 && inOther(shared) == 32
             ? 0
             : 1;
}
