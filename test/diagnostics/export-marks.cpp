// What is marked XCC_EXPORT is checked where it is written: members of classes,
// what namespaces hold, variables.
// RUN: not %xcc -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>
static void kernel() {}
static int launches() { return xcc::launch({1, 1}, kernel), 1; }
struct XCC_EXPORT Marked {
  int inside() { return launches(); }
  // CHECK-DAG: :[[#@LINE-1]]:25: note: 'launches' is called by 'inside' here
  int outside();
};
int Marked::outside() { return xcc::launch({1, 1}, kernel), 1; }
// CHECK-DAG: :[[#@LINE-1]]:32: error: a kernel cannot launch a kernel
namespace XCC_EXPORT space {
int third() { return xcc::launch({1, 1}, kernel), 1; }
// CHECK-DAG: :[[#@LINE-1]]:22: error: a kernel cannot launch a kernel
} // namespace space
int unmarked() { return xcc::launch({1, 1}, kernel), 1; }
// CHECK-DAG: :6:32: error: a kernel cannot launch a kernel
// CHECK-DAG: 3 errors generated.
