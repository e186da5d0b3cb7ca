#include <xcc/xcc.h>
__attribute__((visibility("default"))) int shared(int x) {
  int result = 0;
  xcc::launch({{1}, {1}}, [](int *p, int x) { *p = x + 1; }, &result, x);
  xcc::synchronize();
  return result;
}
