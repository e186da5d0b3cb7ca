#include <xcc/xcc.h>
void low(int *p);
static void kernel(int *p) { *p += 2; }
void high(int *p) {
  low(p);
  xcc::launch({{1}, {1}}, kernel, p);
  xcc::synchronize();
}
