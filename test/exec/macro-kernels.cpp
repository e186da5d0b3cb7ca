// Kernels that macros write, or files that are included twice: each is another.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -c %s -o %t.o && %xcc %t.o -o %t && %t | FileCheck %s
// CHECK: all right
// RUN: %xcc -std=c++20 -DIN_A_FUNCTION %s -o %t && %t | FileCheck %s
// Where nothing tells two closures apart, the compiler says so.
// RUN: not %xcc -std=c++20 -DALIAS -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: this kernel has the same name as another: both are written at the same place
// SAME: note: the other is launched here; make one of them a function object with a name
// SAME: 1 error generated.
#include <xcc/xcc.h>
#include <cstdio>
int fails; static int host; int *o = &host;
xcc::launch_config c{{1},{1}};
void expect(int line, int v) { xcc::synchronize(); if (host != v) printf("line %d: %d, not %d\n", line, host, v), ++fails; host = 0; }
#define EACH(X) X(1) X(2) X(3)
#define A1(n) xcc::launch(c, [](int *o) { *o = *o * 10 + n; }, o); xcc::synchronize();
#define TWICE(...) __VA_ARGS__ __VA_ARGS__
#define NEST(X) EACH(X) EACH(X)
#define CAT_(a,b) a##b
#define CAT(a,b) CAT_(a,b)
#define NAMED(n) auto CAT(l, n) = [](int *o) { *o = *o * 10 + n; }; xcc::launch(c, CAT(l, n), o); xcc::synchronize();
#define CNT2(n) { struct { int v = n; } s; xcc::launch(c, [s](int *o) { *o = *o * 10 + s.v + n - n + 0 * n; }, o); xcc::synchronize(); }
#define PRAG(n) _Pragma("clang diagnostic push") xcc::launch(c, [](int *o) { *o = *o * 10 + n; }, o); xcc::synchronize(); _Pragma("clang diagnostic pop")
#define ID(x) x
#define DEEP(n) ID(ID(ID(A1(n))))
#define OBJ(n) { struct L { void operator()(int *o) const { *o = *o * 10 + n; } }; xcc::launch(c, L{}, o); xcc::synchronize(); }
template <class T> void tmpl() { EACH(A1) xcc::launch(c, [](int *o) { *o = *o * 10 + sizeof(T); }, o); }
inline void in_header() {
#define N 1
#include "Inputs/one-kernel.inc"
#undef N
#define N 2
#include "Inputs/one-kernel.inc"
#undef N
}
auto g1 = [](int *o) { *o = *o * 10 + 1; }; auto g2 = [](int *o) { *o = *o * 10 + 2; };
#define NSL(n) auto CAT(ns, n) = [](int *o) { *o = *o * 10 + n; };
EACH(NSL)
#define NSI(n) inline auto CAT(nsi, n) = [](int *o) { *o = *o * 10 + n; };
EACH(NSI)
template <int N2> using Al = decltype([](int *o) { *o = *o * 10 + N2; });
#ifdef ALIAS
using Al1 = Al<1>; using Al2 = Al<2>;
#endif
int main() {
  EACH(A1) expect(__LINE__, 123);
  NEST(A1) expect(__LINE__, 123123);
  EACH(NAMED) expect(__LINE__, 123);
  EACH(CNT2) expect(__LINE__, 123);
  EACH(PRAG) expect(__LINE__, 123);
  EACH(DEEP) expect(__LINE__, 123);
  EACH(OBJ) expect(__LINE__, 123);
  { static int n = 0; TWICE(xcc::launch(c, [v = ++n](int *o) { *o = *o * 10 + v; }, o); xcc::synchronize();) expect(__LINE__, 12); }
  tmpl<char>(); expect(__LINE__, 1231);
  tmpl<int>(); expect(__LINE__, 1234);
  in_header(); expect(__LINE__, 12);
#line 10
  xcc::launch(c, [](int *o) { *o = *o * 10 + 1; }, o); xcc::synchronize();
#line 10
  xcc::launch(c, [](int *o) { *o = *o * 10 + 2; }, o); expect(__LINE__, 12);
  xcc::launch(c, [](int *o) { *o = *o * 10 + 1; }, o); xcc::synchronize(); xcc::launch(c, [](int *o) { *o = *o * 10 + 2; }, o); expect(__LINE__, 12);
  xcc::launch(c, g1, o); xcc::synchronize(); xcc::launch(c, g2, o); expect(__LINE__, 12);
  xcc::launch(c, ns1, o); xcc::synchronize(); xcc::launch(c, ns2, o); expect(__LINE__, 12);
  xcc::launch(c, nsi1, o); xcc::synchronize(); xcc::launch(c, nsi2, o); expect(__LINE__, 12);
#ifdef IN_A_FUNCTION
  xcc::launch(c, Al<1>{}, o); xcc::synchronize(); xcc::launch(c, Al<2>{}, o); expect(__LINE__, 12);
#endif
#ifdef ALIAS
  xcc::launch(c, Al1{}, o); xcc::synchronize(); xcc::launch(c, Al2{}, o); expect(__LINE__, 12);
#endif
  puts(fails ? "FAIL" : "all right");
  return fails;
}
