// Descriptors' addresses are constants: tables of them are there before any
// constructor runs, in every file, at every -O level. So is param_count.
// RUN: %xcc -std=c++20 -O0 %s -DFIRST -c -o %t.1.o && %xcc -std=c++20 -O0 %s -c -o %t.2.o
// RUN: %xcc %t.1.o %t.2.o -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -DFIRST -c -o %t.1.o && %xcc -std=c++20 -O2 %s -c -o %t.2.o
// RUN: %xcc %t.1.o %t.2.o -o %t && %t | FileCheck %s
// CHECK: all there
// RUN: %xcc -std=c++17 -DCOUNTS -O0 %s -o %t && %t | FileCheck %s --check-prefix=COUNTS
// RUN: %xcc -std=c++23 -DCOUNTS -O2 -pedantic -Wall -Werror %s -o %t && %t | FileCheck %s --check-prefix=COUNTS
// COUNTS: counted 10, 0 differ
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

#ifdef COUNTS
#include <array>

void none() {}
void one(int *) {}
void two(int *, float) noexcept {}
template <class... T> void several(T...) {}
struct Functor { void operator()(int *) const {} };
struct Base {
  template <class T> static void member(T, T, T) {}
};
auto lambda = [](int *, int, int) {};
auto generic = [](auto *, auto) {};
template <class F> constexpr auto &info_of(XCC_KERNEL F &&f) {
  return xcc::kernel_info_for(f);
}

#define COUNT(kernel, number) static_assert(xcc::kernel_info_for kernel.param_count == number)
COUNT((none), 0);
COUNT((one), 1);
COUNT((two), 2);
COUNT((several<int, char, long, float>), 4);
COUNT((Base::member<int>), 3);
// A function object is its own first parameter.
COUNT((Functor{}), 2);
COUNT((lambda), 4);
static_assert(xcc::kernel_info_for<int *, float>(generic).param_count == 3);
static_assert(info_of(two).param_count == 2 && info_of(lambda).param_count == 4);
template <auto Kernel> struct Launcher {
  static constexpr int count = xcc::kernel_info_for(Kernel).param_count;
};
enum { Two = Launcher<two>::count };
char places[xcc::kernel_info_for(two).param_count];
static_assert(Two == 2 && sizeof places == 2);

static int different;
template <class I> void compare(const I &info) {
  const xcc::kernel_info &whole = info;
  const unsigned &mine = info.param_count;
  different += whole.param_count != mine || &whole != &info;
}

int main() {
  auto local = [&](int) {};
  auto &k = xcc::kernel_info_for(local);
  static_assert(k.param_count == 2);
  compare(k);
  compare(xcc::kernel_info_for(none));
  compare(xcc::kernel_info_for(one));
  compare(xcc::kernel_info_for(two));
  compare(xcc::kernel_info_for(several<int, char, long, float>));
  compare(xcc::kernel_info_for(Base::member<int>));
  compare(xcc::kernel_info_for(Functor{}));
  compare(xcc::kernel_info_for(lambda));
  compare(xcc::kernel_info_for<int *, float>(generic));
  compare(info_of(two));
  const xcc::kernel_info *either = different ? &k : &xcc::kernel_info_for(two);
  for (const auto *each : {either, &xcc::kernel_info_for(none), &k})
    different += !each->name;
  std::printf("counted 10, %d differ\n", different);
}
#else
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
#endif // COUNTS
