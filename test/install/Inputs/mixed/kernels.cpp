#include "added.h"
#include <cstdio>
#include <xcc/xcc.h>
#ifndef ADDED
#define ADDED 0
#endif
int host();
int kernels(int x) {
  int result = 0;
  xcc::launch({{1}, {1}}, [](int *p, int x) { *p = added(x * FACTOR + ADDED); }, &result, x);
  xcc::synchronize();
  std::puts(TEXT);
  return host() == FACTOR ? result : -1;
}
