// What a visit instantiates is what the kinds and types of members ask for: nothing for what holds no address, nothing
// that only references need for what is no reference; and one capture's code is any other's of that type.
// RUN: %xcc -std=c++20 -O0 -foffload-host-only -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=NONE < %t.ll
#include <vector>
#include <xcc/xcc.h>

struct Number {
  short bits[4];
  double value;
};
struct Row {
  Number number;
  float *data;
  int index[10];
};

void launches(std::vector<float> &y, std::vector<float> &x, Row row, double a) {
  xcc::parallel_for(10, [&, row](std::size_t i) { y[i] += float(a) * row.data[row.index[i]]; });
  xcc::parallel_for(10, [&](std::size_t i) { x[i] += float(a) * y[i]; });
}
// CHECK-DAG: define linkonce_odr {{.*}}@_ZN3xcc6mapper10part_namedIKPfEEvPKcRT_(
// CHECK-DAG: define linkonce_odr {{.*}}@_ZN3xcc6mapper15reference_namedIdEEvPKcPKvRT_(
// CHECK-DAG: define linkonce_odr {{.*}}@_ZN3xcc6mapper15reference_namedISt6vectorIfSaIfEEEEvPKcPKvRT_(
// NONE-NOT: @_ZN3xcc6mapper{{(10part_named|4part|15reference_named|8referred|5whole)}}I{{K?}}6Number
// NONE-NOT: @_ZN3xcc6mapper{{(10part_named|4part)}}I{{K?}}{{[id]}}E
// NONE-NOT: @_ZN3xcc6mapper{{(15reference_named|8referred|5whole)}}I{{K?}}{{(Pf|3Row)}}E
