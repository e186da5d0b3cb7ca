module;
#include <xcc/xcc.h>
export module launches;
export template <class T> void scale(T *p) { *p *= 2; }
export void run(int *p) {
  xcc::launch({{1}, {1}}, scale<int>, p);
  xcc::synchronize();
}
