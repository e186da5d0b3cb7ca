// xcc::symbol: the device's instance of a global variable, its address and its
// value.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -c %s -o %t.o && %xcc -O2 -DOTHER -c %s -o %t.other.o && %xcc %t.o %t.other.o -o %t && %t | FileCheck %s
//
// What nothing defines is said of the call.
// RUN: %not %xcc -DUNDEFINED %s -o %t-none 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %not %xcc -DUNDEFINED --offload-arch=sm_90 -foffload-no-cubin %s -o %t-none 2>&1 | FileCheck --check-prefix=NONE %s
#include <cstdio>
#include <xcc/xcc.h>

// Letters that are not ASCII, in names of all kinds: assemblers of GPUs have none.
#ifndef OTHER
struct Größe {
  int höhe;
};
int zähler[4] = {1, 2, 3, 4};
namespace αβ {
template <class T> [[gnu::noinline]] T doppelt(T größe) {
  static xcc::block_shared<int[4]> geteilt;
  static int immer = 5;
  geteilt[größe.höhe & 3] = größe.höhe * 2;
  return {geteilt[größe.höhe & 3] + zähler[größe.höhe & 3] + immer};
}
} // namespace αβ
void größe(int *aus, Größe g) { *aus = αβ::doppelt(g).höhe; }
void names() {
  zähler[2] = 40;
  xcc::symbol(zähler).copy_from(zähler);
  xcc::buffer<int> aus(2);
  xcc::launch({1, 1}, größe, aus.data(), Größe{6});
  auto λ = [p = aus.data()](auto i) { p[1] = p[0] + i; };
  xcc::launch({1, 1}, λ, 7);
  int host[2];
  aus.copy_to(host, 2);
  std::printf("%d %d\n", host[0], host[1]);
}
#endif

template <class T> struct holder {
  static inline T value = T(3) + T(1);
};
#ifndef OTHER
struct point {
  int x, y;
};
int hits = 5;
static point where = {1, 2};
namespace ns {
float table[4];
}
int made(int i) {
  int sum = 0;
  while (i)
    sum += i--;
  return sum;
}
int initialised = made(4);
const int constant[] = {7, 8, 9};

void kernel() {
  hits += 10;
  where.y *= 3;
  for (int i = 0; i < 4; ++i)
    ns::table[i] = float(i) / 2;
  holder<long>::value += 1;
}
void through(int *p) { *p += 100; }
template <auto &Variable> auto of() { return xcc::symbol(Variable); }
int *local() {
  static int inner = 77;
  return xcc::symbol(inner).address();
}
void look(int *p, int *out) { *out = *p; }

int main() {
  // Before any kernel has run.
  int n = 0;
  xcc::symbol(initialised).copy_to(n);
  std::printf("initialised: %d\n", n); // CHECK: initialised: 10
  xcc::launch({1, 1}, kernel);
  auto symbol = xcc::symbol(hits);
  symbol.copy_to(n);
  std::printf("%d, host %d\n", n, hits); // CHECK: 15, host 5
  symbol.copy_from(1000);
  xcc::launch({1, 1}, through, symbol.address());
  symbol.to_host();
  std::printf("host %d\n", hits); // CHECK: host 1100
  hits = 3;
  symbol.to_device();
  xcc::launch({1, 1}, kernel);
  xcc::stream stream;
  of<hits>().copy_to(n);
  std::printf("%d\n", n); // CHECK: 13
  point p;
  xcc::synchronize();
  xcc::symbol(where).copy_to(p, stream);
  stream.synchronize();
  std::printf("%d %d, host %d\n", p.x, p.y, where.y); // CHECK: 1 18, host 2
  float values[4];
  xcc::symbol(ns::table).copy_to(values);
  std::printf("%g %g\n", values[1], values[3]); // CHECK: 0.5 1.5
  long l;
  xcc::symbol(holder<long>::value).copy_to(l);
  std::printf("%ld, host %ld\n", l, holder<long>::value); // CHECK: 6, host 4
  int numbers[3];
  xcc::symbol(constant).copy_to(numbers);
  std::printf("%d\n", numbers[2]); // CHECK: 9
  // Elements, by plain copies.
  (void)xcc_memory_copy(&numbers[0], &(*xcc::symbol(constant).address())[1], 4);
  std::printf("%d\n", numbers[0]); // CHECK: 8
  xcc::buffer<int> out(1);
  xcc::launch({1, 1}, look, local(), out.data());
  out.copy_to(&n, 1);
  std::printf("%d %d\n", n, local() == local()); // CHECK: 77 1
  std::printf("free: %s\n", xcc_status_name(xcc_memory_free(symbol.address())));
  // CHECK: free: {{.*}}INVALID
  names();
  // CHECK: 57 64
#ifdef UNDEFINED
  extern int missing;
  xcc::symbol(missing).copy_from(1);
  // NONE: device code uses 'missing', which nothing in this link defines for a device
  // NONE-NEXT: symbol.cpp:[[# @LINE - 2]]:3: note: xcc::symbol asks for it here
#endif
}
#endif
