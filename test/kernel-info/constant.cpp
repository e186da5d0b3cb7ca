// Descriptors' addresses are constants: tables of them are there before any
// constructor runs, in every file, at every -O level.
// RUN: %xcc -std=c++20 -O0 %s -DFIRST -c -o %t.1.o && %xcc -std=c++20 -O0 %s -c -o %t.2.o
// RUN: %xcc %t.1.o %t.2.o -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -DFIRST -c -o %t.1.o && %xcc -std=c++20 -O2 %s -c -o %t.2.o
// RUN: %xcc %t.1.o %t.2.o -o %t && %t | FileCheck %s
// CHECK: all there
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

extern const xcc::kernel_info *table[5], *const names[4];
extern const xcc::kernel_info &reference;

#ifdef FIRST
// Linked first, so that its constructor runs first.
struct Early {
  const char *seen[5];
  const char *byReference;
  Early() {
    for (int i = 0; i < 5; ++i)
      seen[i] = table[i]->name;
    byReference = reference.name;
  }
} early;

int main() {
  int bad = 0;
  const char *expected[] = {"plain", "scale<float>", "Functor", "scale<int>", "lambda"};
  for (int i = 0; i < 5; ++i)
    if (!std::strstr(early.seen[i], expected[i]))
      std::printf("%d: %s\n", i, early.seen[i]), ++bad;
  if (std::strcmp(early.byReference, "plain"))
    ++bad;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j)
      if (names[i] == names[j] || !std::strcmp(names[i]->name, names[j]->name))
        std::printf("%s twice\n", names[i]->name), ++bad;
  std::puts(bad ? "wrong" : "all there");
  return bad;
}
#else
void plain(int *p) { *p = 1; }
template <class T> void scale(T *p) { *p *= 2; }
struct Functor { void operator()(int *p) const { *p = 3; } };
auto lambda = [](int *p) { *p = 4; };

template <class F> constexpr auto &info_of(XCC_KERNEL F &&f) {
  return xcc::kernel_info_for(f);
}
constinit const xcc::kernel_info *table[5] = {
    &xcc::kernel_info_for(plain), &xcc::kernel_info_for(scale<float>),
    &xcc::kernel_info_for(Functor{}), &info_of(scale<int>),
    &xcc::kernel_info_for(lambda)};
constinit const xcc::kernel_info &reference = xcc::kernel_info_for(plain);

// Overloads, and instances of one generic lambda.
void over(int *) {}
void over(float *) {}
auto generic = [](auto *) {};
constinit const xcc::kernel_info *const names[4] = {
    &xcc::kernel_info_for(static_cast<void (*)(int *)>(over)),
    &xcc::kernel_info_for(static_cast<void (*)(float *)>(over)),
    &xcc::kernel_info_for<int *>(generic),
    &xcc::kernel_info_for<float *>(generic)};
#endif
