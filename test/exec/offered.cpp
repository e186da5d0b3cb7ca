// Kernels use what other files define and nothing marks: functions, variables,
// explicit instantiations, virtual tables, of objects and archives.
// RUN: rm -rf %t && mkdir %t
// RUN: %xcc -O2 -c %S/Inputs/offered.cpp -o %t/offered.o
// RUN: %xcc -O0 -c %s -o %t/main.o
// RUN: %xcc %t/main.o %t/offered.o -o %t/objects && %t/objects | FileCheck %s
// RUN: %llvm/bin/llvm-ar rc %t/lib.a %t/offered.o
// RUN: %xcc %t/main.o %t/lib.a -o %t/archive && %t/archive | FileCheck %s
// RUN: %xcc -O2 %s %S/Inputs/offered.cpp -o %t/once && %t/once | FileCheck %s
//
// A file that knows nothing of xcc is told to.
// RUN: %xcc -O2 -DUNASKED -foffload-export -c %S/Inputs/offered.cpp -o %t/unasked.o
// RUN: %xcc %t/main.o %t/unasked.o -o %t/told && %t/told | FileCheck %s
#include "Inputs/offered.h"
#include "Inputs/same.h"

int main() {
  using namespace offered;
  auto results = on_device(8, [](std::size_t i) {
    int x = int(i);
    Shape shape(x);
    Square square(x);
    Box<int> box{x};
    switch (i) {
    case 0:
      return twice(21) + counter; // 42 + 24
    case 1:
      return half(9) + int(half(3.0) * 2); // 4 + 3
    case 2:
      return table[2] + names[1][1]; // 7 + 'w'
    case 3:
      return second(nullptr, &shape)->area(); // 9
    case 4:
      return second(&shape, &square)->area(); // 17
    case 5:
      return box.get() + Shape::made; // 14 + 40
    case 6:
      return chosen(0)(6) + chosen(1)(6) * 10; // 57
    default:
      return 0;
    }
  });
  for (int result : results)
    std::printf("%d ", result);
  // CHECK: 66 7 126 9 17 54 57 0
}
