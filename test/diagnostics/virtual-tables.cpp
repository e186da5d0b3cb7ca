// A class whose virtual table nothing defines is named as it is written, and what would define the table is said.
// RUN: not %xcc -O0 %s -o %t 2>&1 | FileCheck %s
// RUN: not %xcc -O0 -foffload-no-cubin -offload-arch=sm_90,gfx1100 %s -o %t 2>&1 | FileCheck %s
#include <xcc/xcc.h>
namespace shapes {
struct base {
  virtual int first(); // nowhere defined
  virtual int second() const { return 4; }
};
} // namespace shapes
int main() {
  int result = 0;
  xcc::launch({1, 1}, [&result] {
    shapes::base object;
    shapes::base *by = &object;
    result = by->second();
  });
}
// CHECK-NOT: _ZTV
// CHECK: error: device code uses 'vtable for shapes::base', which nothing in this link defines for a device
// CHECK: virtual-tables.cpp:[[#@LINE-8]]:{{[0-9]+}}: note: in kernel 'main::(lambda)', which is launched here
// CHECK: note: what 'shapes::base' has of this is where its key function is defined: the first of its virtual functions that is neither pure nor inline; define that, or make it pure or inline
// CHECK-NOT: _ZTV
