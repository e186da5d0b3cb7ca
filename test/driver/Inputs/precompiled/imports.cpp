#include <cstdio>
#include <xcc/xcc.h>
#ifdef LAUNCHES
import launches;
#else
import plain;
#endif
int main() {
  static int n = 1;
#ifdef LAUNCHES
  run(&n);
#else
  n = twice(n);
#endif
#ifndef NONE
  xcc::launch({{1}, {1}}, [](int *p) {
#ifndef LAUNCHES
    *p = thrice(*p);
#endif
    *p = *p + 1;
  }, &n);
  xcc::synchronize();
#endif
  std::printf("%d\n", n);
}
