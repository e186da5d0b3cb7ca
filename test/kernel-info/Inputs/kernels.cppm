module;
#include <xcc/xcc.h>
export module m;
export void kernel(int *p) { *p = 1; }
export inline void in_header(int *p) {
  xcc::launch({{1}, {1}}, [p] { *p = 2; });
}
export void run(int *p) {
  xcc::launch({{1}, {1}}, kernel, p);
  xcc::synchronize();
}
