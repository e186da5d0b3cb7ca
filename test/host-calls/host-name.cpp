// gethostname in a kernel is the host's, on every device; too short a place is an error.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// CHECK: same 1 short -1
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <xcc/xcc.h>

int main() {
  char own[256] = {}, name[256] = {};
  int result = 0;
  gethostname(own, sizeof own);
  xcc::launch({{1}, {1}}, [&] {
    gethostname(name, 256);
    char little[1];
    result = gethostname(little, 1);
  });
  xcc::synchronize();
  std::printf("same %d short %d\n", !std::strcmp(own, name), result);
}
