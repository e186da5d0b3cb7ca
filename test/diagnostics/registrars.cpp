// What runs before main for a variable that device code uses, and cannot run on
// a device, is warned of; what has nothing to do with device code is not.
// RUN: %xcc -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %xcc -fsyntax-only -Wno-offload-globals %s 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: not %xcc -fsyntax-only -Werror=offload-globals %s
// QUIET-NOT: warning
#include <xcc/xcc.h>

int devices = 0, other = 0;
int undefined(int);
struct counts {
  counts() { devices += xcc::device::count(); }
} counter;
// CHECK-DAG: :[[#@LINE-1]]:3: warning: device code uses 'devices', which 'counter' changes before main: that does not happen on the device, where it cannot run [-Woffload-globals]
// CHECK-DAG: :[[#@LINE-3]]:25: note: because of this
int unrelated = other += undefined(3) + xcc::device::count();
int copied = devices + undefined(4);

void kernel(int *out) { *out = devices; }
int main() {
  int *out = nullptr;
  xcc::launch({1, 1}, kernel, out);
}
