// A parameter marked XCC_KERNEL may be a reference to whatever a kernel is.
// DEVICES: host, because its kernels use memory of the host
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

void plain(int *p) { *p = 1; }
void quiet(int *p) noexcept { *p = 2; }
template <class T> void scale(T *p) { *p = 3; }
struct Functor { void operator()(int *p) const { *p = 4; } };
struct Class { static void member(int *p) { *p = 5; } };

template <class F> auto &info_of(XCC_KERNEL F &&f) { return xcc::kernel_info_for(f); }
template <class F> auto &forwarded(XCC_KERNEL F &&f) {
  return xcc::kernel_info_for(std::forward<F>(f));
}
template <class F> auto &twice(XCC_KERNEL F &&f) { return info_of(std::forward<F>(f)); }
template <class F> auto &by_const(XCC_KERNEL const F &f) { return info_of(f); }
template <class F, class... A> void run(XCC_KERNEL F &&f, A &&...args) {
  xcc::launch({{1}, {1}}, std::forward<F>(f), std::forward<A>(args)...);
  xcc::synchronize();
}

int main() {
  static int memory;
  int *p = &memory;
  // CHECK: plain scale<int> Functor Class::member
  std::printf("%s %s %s %s\n", info_of(plain).name, info_of(scale<int>).name,
              info_of(Functor{}).name, info_of(Class::member).name);
  // CHECK: plain scale<int> Functor quiet
  std::printf("%s %s %s %s\n", forwarded(plain).name, twice(scale<int>).name,
              by_const(Functor{}).name, twice(quiet).name);
  // CHECK: plain Class::member plain
  std::printf("%s %s %s\n", info_of(&plain).name, twice(&Class::member).name, by_const(plain).name);
  auto lambda = [](int *p) { *p = 6; };
  // CHECK: 1
  std::printf("%d\n", &info_of(lambda) == &xcc::kernel_info_for(lambda));
  // CHECK: 1 2 3 4 5 6
  run(plain, p); std::printf("%d ", memory);
  run(quiet, p); std::printf("%d ", memory);
  run(scale<int>, p); std::printf("%d ", memory);
  run(Functor{}, p); std::printf("%d ", memory);
  run(Class::member, p); std::printf("%d ", memory);
  run(lambda, p); std::printf("%d\n", memory);
}
