#include "amount.h"
#include <xcc/xcc.h>
static void kernel(int *p) { *p += amount; }
void low(int *p) {
  xcc::launch({{1}, {1}}, kernel, p);
  xcc::synchronize();
}
