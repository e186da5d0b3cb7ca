#pragma once
#include <xcc/xcc.h>

class Shared {
  int a = 1;
  double b = 2;
};

template <class T> int count(T &object) {
  int n = 0;
  xcc::visit_members(object, [&n](xcc::member, auto &) { ++n; });
  return n;
}
inline int tenfold(Shared &shared) {
  int n = 0;
  xcc::visit_members(shared, [&n](xcc::member, auto &value) { n += int(value) * 10; });
  return n;
}
int inOther(Shared &);
