#include <xcc/xcc.h>
int other(int x) {
  int result = 0;
  xcc::launch({{1}, {1}}, [](int *p, int x) { *p = -x; }, &result, x);
  xcc::synchronize();
  return result;
}
