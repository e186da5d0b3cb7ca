// Code for lambdas and other function objects is generated as functions' is: with their captures, for the types of a
// generic one's parameters, and launched as the object would be.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host,generic:x86_64 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <memory>
#include <xcc/jit.h>
#include <xcc/xcc.h>

struct counted {
  int value;
  explicit counted(int value) : value(value) {}
  counted(const counted &other) : value(other.value) {}
  ~counted() {}
};
struct overloaded {
  void operator()(int *to) const { *to = 6; }
  void operator()(int *to, int more) const { *to = 6 + more; }
};

int main() {
  const xcc::launch_config one{{1}, {1}};
  int n = 3, x = 0;
  xcc::buffer<int> out(1);
  auto show = [&](const char *what) {
    int result;
    out.copy_to(&result, 1);
    std::printf("%s: %d\n", what, result);
  };

  auto captures = xcc::jit::kernel([n](int *to) { *to = n; });
  n = 100; // the object is as it was
  captures(one, out.data());
  show("capture"); // CHECK: capture: 3

  auto generic = [](auto *to, auto value) { *to = 2 * value; };
  xcc::launch(one, xcc::jit::kernel<int *, double>(generic), out.data(), 2.5);
  show("generic"); // CHECK: generic: 5

  auto refers = [](auto &value) { value = 4; };
  xcc::jit::kernel<int &>(refers)(one, x);
  xcc::synchronize();
  std::printf("reference: %d\n", x); // CHECK: reference: 4

  xcc::jit::options fast;
  fast.opt_level = 3;
  auto copied = xcc::jit::kernel(
      [value = counted(9)](int *to) { *to = value.value; }, fast);
  auto copy = copied;
  copy(one, out.data());
  show("class"); // CHECK: class: 9

  xcc::jit::kernel<int *, int>(overloaded())(one, out.data(), 1);
  show("overloaded"); // CHECK: overloaded: 7

  xcc::jit::kernel([n](int *to) mutable { *to = ++n; })(one, out.data());
  show("mutable"); // CHECK: mutable: 101

  xcc::jit::kernel([&x] { x = 8; })(one);
  xcc::synchronize();
  std::printf("by reference: %d\n", x); // CHECK: by reference: 8
  // CHECK: main::(lambda at 
  std::printf("%s\n", captures.info().name);
}
