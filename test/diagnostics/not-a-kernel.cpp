// What is no kernel is refused at the call, with what to write instead.
// RUN: not %xcc -std=c++20 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
#include <cstdarg>
#include <xcc/xcc.h>

struct Shape {
  virtual void area(int) {}
  void scale(int) {}
};
struct Polymorphic {
  virtual void operator()(int) const {}
};
void variadic(int, ...) {}
int returns(int) { return 1; }
void declared_only(int);

__attribute__((ms_abi)) void foreign(int) {}
void takes_list(va_list) {}
void body(std::size_t) {}
struct Data {
  int value;
};
struct ForRvalues {
  void operator()(int) && {}
};
struct Nothing {};
struct Pointer {
  using Type = void (*)(int);
  operator Type() const { return variadic_not; }
  static void variadic_not(int) {}
};
struct Choices {
  void operator()(int) const {}
  void operator()(float) const {}
};

int main() {
  // CHECK: :[[#@LINE+1]]:27: error: a virtual function cannot be a kernel
  xcc::launch({{1}, {1}}, &Shape::area, 1);
  // CHECK: :7:16: note: launch a static member function, or a lambda that holds the object and calls it
  // CHECK: :[[#@LINE+1]]:27: error: a non-static member function cannot be a kernel
  xcc::launch({{1}, {1}}, &Shape::scale, 1);
  // CHECK: :[[#@LINE+1]]:27: error: function object of type 'Polymorphic' cannot be copied to a device: the type has virtual functions
  xcc::launch({{1}, {1}}, Polymorphic{}, 1);
  // CHECK: :[[#@LINE+1]]:27: error: a variadic function cannot be a kernel
  xcc::launch({{1}, {1}}, variadic, 1);
  // CHECK: :13:6: note: 'variadic' is declared here; give it a fixed number of parameters
  va_list list;
  // CHECK: :[[#@LINE+1]]:27: error: a va_list cannot be passed to a kernel: it is the stack of a function of the host
  xcc::launch({{1}, {1}}, takes_list, list);
  // CHECK: :18:24: note: declared here; read the arguments on the host
  // CHECK: :[[#@LINE+1]]:3: error: a kernel must return void, and 'returns' returns 'int'
  xcc::launch({{1}, {1}}, returns, 1);
  // CHECK: :14:5: note: declared here; write the result through a pointer parameter instead
  // CHECK: :[[#@LINE+1]]:3: error: a kernel must return void, and the lambda returns 'int'
  xcc::launch({{1}, {1}}, [](int i) { return i; }, 1);
  // CHECK: :[[#@LINE+1]]:27: error: kernel 'declared_only' is not defined in this translation unit
  xcc::launch({{1}, {1}}, declared_only, 1);
  // CHECK: :[[#@LINE+1]]:27: error: 'int' cannot be a kernel
  xcc::launch({{1}, {1}}, 3, 1);
  // CHECK: :[[#@LINE+1]]:27: error: 'int Data::*' cannot be a kernel
  xcc::launch({{1}, {1}}, &Data::value, 1);
  // CHECK: :[[#@LINE+1]]:27: error: a function with the calling convention 'ms_abi' cannot be a kernel
  xcc::launch({{1}, {1}}, foreign, 1);
  // CHECK: note: 'foreign' is declared here; launch a lambda that calls it
  // CHECK: :[[#@LINE+1]]:27: error: type 'Nothing' does not provide a call operator
  xcc::launch({{1}, {1}}, Nothing{}, 1);
  ForRvalues rvalues;
  // CHECK: :[[#@LINE+1]]:27: error: no matching function for call to object of type 'ForRvalues'
  xcc::launch({{1}, {1}}, rvalues, 1);
  // CHECK: note: candidate function not viable: expects an rvalue for object argument
  // CHECK: note: pass it as an rvalue, with std::move
  volatile int n = 0;
  // CHECK: :[[#@LINE+1]]:24: error: 'const volatile int' cannot be a kernel
  xcc::parallel_for(1, n);
  // CHECK: :[[#@LINE+1]]:24: error: parallel_for takes a lambda or a function object
  xcc::parallel_for(1, body);
  // CHECK: note: 'body' is declared here; pass a lambda that calls it
  // CHECK: :[[#@LINE+1]]:24: error: a non-static member function cannot be a kernel
  xcc::parallel_for(1, &Shape::scale);
  // CHECK: :[[#@LINE+1]]:24: error: no matching function for call to object of type
  xcc::parallel_for(1, [] {});
  // CHECK: note: candidate function not viable: requires 0 arguments, but 1 was provided
  // CHECK: :[[#@LINE+1]]:24: error: type 'Nothing' does not provide a call operator
  xcc::parallel_for(1, Nothing{});
  // CHECK: :[[#@LINE+1]]:30: error: 'int' cannot be a kernel
  (void)xcc::kernel_info_for(3);
  // CHECK: :[[#@LINE+1]]:30: error: a non-static member function cannot be a kernel
  (void)xcc::kernel_info_for(&Shape::scale);
  // CHECK: :[[#@LINE+1]]:30: error: type 'Nothing' does not provide a call operator
  (void)xcc::kernel_info_for(Nothing{});
  // CHECK: :[[#@LINE+1]]:30: error: the parameter types of 'Pointer' are not known here
  (void)xcc::kernel_info_for(Pointer{});
  // CHECK: :[[#@LINE+1]]:30: error: the parameter types of 'Choices' are not known here
  (void)xcc::kernel_info_for(Choices{});
  // CHECK: note: name them, as in kernel_info_for<int, float *>(lambda)
  (void)xcc::kernel_info_for<float>(Choices{});
}
// CHECK: 23 errors generated.
