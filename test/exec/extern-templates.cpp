// Static data members, variable templates, virtual functions and tables of
// functions of which another file, that has no kernels, has the instantiations.
// A variable's initial value is followed too: what it points at is needed.
// RUN: %xcc -std=c++20 -Wno-offload-globals -O0 %S/Inputs/elsewhere.cpp %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O1 %S/Inputs/elsewhere.cpp %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O2 %S/Inputs/elsewhere.cpp %s -o %t && %t | FileCheck %s
// CHECK: 19 values, 0 wrong
#include "Inputs/elsewhere.h"
#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <xcc/xcc.h>
const int &same(const int &x) { return x; }
int *const inside = &Elsewhere<int>::table[2];
struct Step {
  int (*step)(int);
  double (Elsewhere<double>::*both)() const;
} const steps[] = {{nullptr, nullptr},
                   {&Elsewhere<int>::twice, &Elsewhere<double>::both}};
struct Log {
  int n;
  long v[32];
};
inline void work(Log &l, int two) {
  l.n = 0;
  auto put = [&](auto v) { l.v[l.n++] = long(v); };
  using I = Elsewhere<int>;
  using D = Elsewhere<double>;
  put(std::min<std::size_t>(std::size_t(two), std::string::npos));
  const std::size_t *volatile npos = &std::string::npos;
  put(*npos);
  put(I::get(two)), put(D::get(two)), put(same(I::fixed)), put(same(I::literal));
  put(++I::counter), put(I::counter), put(I::name[1]), put(I::Nested::deep);
  put(I(nullptr).both()), put(*inside), put(variable<int>);
  put(I::steps[two - 1](two)), put(I::steps[two - 2](two)), put(steps[two - 1].step(two));
  const D *volatile object = &D::first;
  put((object->*steps[two - 1].both)()), put(object->other->made());
  // Its vtable is the library's.
  const std::bad_alloc alloc;
  const std::exception *volatile thrown = &alloc;
  put(thrown->what()[5]);
}
void k(Log *out, int two) { work(*out, two); }
int main() {
  xcc::buffer<Log> log(1);
  xcc::launch({1, 1}, k, log.data(), 2);
  Log got;
  log.copy_to(&got, 1);
  Elsewhere<int>::counter = 8;
  Log want;
  work(want, 2);
  int wrong = got.n != want.n;
  for (int i = 0; i < want.n; ++i)
    if (got.v[i] != want.v[i]) {
      ++wrong;
      std::printf("%d: %ld, host %ld\n", i, got.v[i], want.v[i]);
    }
  std::printf("%d values, %d wrong\n", want.n, wrong);
}
