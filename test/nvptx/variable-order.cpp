// Variables stand in one order in PTX, whatever compiled it and when: each after
// what its initial value names, and these in the order named.
// RUN: %ptx -O2 -offload-arch=sm_70 %s | FileCheck %s
#include <xcc/xcc.h>

struct named {
  const char *name;
  const int *value;
};
inline int one = 1, two = 2, three = 3, four = 4;
named table[] = {
    {"first", &four}, {"second", &two}, {"third", &one}, {"fourth", &three}};

// CHECK: .global {{.*}}str[6]
// CHECK-NEXT: .global {{.*}} four = 4;
// CHECK-NEXT: .global {{.*}}str1[7]
// CHECK-NEXT: .global {{.*}} two = 2;
// CHECK-NEXT: .global {{.*}}str2[6]
// CHECK-NEXT: .global {{.*}} one = 1;
// CHECK-NEXT: .global {{.*}}str3[7]
// CHECK-NEXT: .global {{.*}} three = 3;
// CHECK-NEXT: .const {{.*}} table[8]
void sum(int *out, int i) { *out = table[i].name[0] + *table[i].value; }

void start(int *out) { xcc::launch({{1}, {1}}, sum, out, 0); }
