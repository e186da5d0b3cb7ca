// A function that passes a kernel on knows its type, and so neither its default
// arguments nor that a 0 was written: the launch says so rather than be none.
// RUN: not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>

void kernel(int *out, int value = 5) {}
void pointers(int *out, int *more) {}

template <class... P, class... A>
void forward(XCC_KERNEL void (*f)(P...), A &&...args) {
  // CHECK-DAG: :[[#@LINE+3]]:{{[0-9]+}}: error: too few arguments to function call, expected 2, have 1
  // CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: note: the kernel is known here by its type alone, which has no default arguments
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: cannot initialize a parameter of type 'int *' with an rvalue of type 'int'
  xcc::launch({{1}, {1}}, f, std::forward<A>(args)...);
}
template <class... P> void null(XCC_KERNEL void (*f)(P...), int *out) {
  xcc::launch({{1}, {1}}, f, out, 0);
}
void stale(int *out, const int &value = 5) {}

int main() {
  int *out = nullptr;
  forward(kernel, out, 6);
  forward(kernel, out);
  forward(pointers, out, 0);
  null(pointers, out);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: parameter 'value' is a reference, and the temporary it is bound to is gone when the kernel runs
  xcc::launch({{1}, {1}}, stale, out);
}
// CHECK: 3 errors generated.
