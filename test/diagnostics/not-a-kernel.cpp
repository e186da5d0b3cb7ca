// What is no kernel is refused at the call, with what to write instead.
// RUN: not %xcc -fsyntax-only %s 2>&1 | FileCheck %s
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

int main() {
  // CHECK: :[[#@LINE+1]]:27: error: a virtual function cannot be a kernel
  xcc::launch({{1}, {1}}, &Shape::area, 1);
  // CHECK: :6:16: note: launch a static member function, or a lambda that holds the object and calls it
  // CHECK: :[[#@LINE+1]]:27: error: a non-static member function cannot be a kernel
  xcc::launch({{1}, {1}}, &Shape::scale, 1);
  // CHECK: :[[#@LINE+1]]:27: error: function object of type 'Polymorphic' cannot be copied to a device: the type has virtual functions
  xcc::launch({{1}, {1}}, Polymorphic{}, 1);
  // CHECK: :[[#@LINE+1]]:27: error: a variadic function cannot be a kernel
  xcc::launch({{1}, {1}}, variadic, 1);
  // CHECK: :12:6: note: 'variadic' is declared here; give it a fixed number of parameters
  // CHECK: :[[#@LINE+1]]:3: error: a kernel must return void, and 'returns' returns 'int'
  xcc::launch({{1}, {1}}, returns, 1);
  // CHECK: :13:5: note: declared here; write the result through a pointer parameter instead
  // CHECK: :[[#@LINE+1]]:3: error: a kernel must return void, and the lambda returns 'int'
  xcc::launch({{1}, {1}}, [](int i) { return i; }, 1);
  // CHECK: :[[#@LINE+1]]:27: error: kernel 'declared_only' is not defined in this translation unit
  xcc::launch({{1}, {1}}, declared_only, 1);
  // CHECK: :[[#@LINE+1]]:27: error: 'int' cannot be a kernel
  xcc::launch({{1}, {1}}, 3, 1);
}
// CHECK: 8 errors generated.
