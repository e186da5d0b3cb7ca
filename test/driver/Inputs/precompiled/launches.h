#pragma once
#include <cstdio>
#include <xcc/xcc.h>
inline int in_function(int *p) {
  xcc::launch({{1}, {1}}, [=] { *p = 11; });
  xcc::synchronize();
  return *p;
}
template <class T> int in_template(T *p) {
  xcc::launch({{1}, {1}}, [=](auto v) { *p = v; }, T(12));
  xcc::synchronize();
  return *p;
}
inline void kernel(int *p) { *p = 13; }
static auto lambda = [](int *p) { *p = 14; };
struct Holder {
  int x = 15;
  int in_member(int *p) {
    xcc::launch({{1}, {1}}, [*this, p] { *p = x; });
    xcc::synchronize();
    return *p;
  }
};
inline const xcc::kernel_info &info = xcc::kernel_info_for(kernel);
