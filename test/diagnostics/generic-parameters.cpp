// What a launch cannot give to the parameters that a call operator's template or
// overloads choose is refused where the launch is written.
// RUN: not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s
#include <vector>
#include <xcc/jit.h>
#include <xcc/xcc.h>
struct MoveOnly {
  int value;
  MoveOnly(int value) : value(value) {}
  MoveOnly(MoveOnly &&other) : value(other.value) {}
};
struct Overloads {
  void operator()(int &&) const {}
  void operator()(int &) const {}
};
int main() {
  const xcc::launch_config one{{1}, {1}};
  xcc::launch(one, [](auto &&m) { MoveOnly own(std::move(m)); }, MoveOnly(1));
  // CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: parameter 'm' of type 'MoveOnly' cannot be given to every thread
  xcc::launch(one, Overloads(), 5);
  // CHECK-DAG: :[[#@LINE-1]]:33: error: parameter 1 is a reference, and the temporary it is bound to is gone
  xcc::launch(one, [](const auto &v) { (void)v; }, std::vector<int>(3));
  // CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: parameter 'v' of type 'std::vector<int>' cannot be copied to a device
  xcc::launch(one, [](auto &q) { q = 1; }, 5);
  // CHECK-DAG: :[[#@LINE-1]]:20: error: no matching function for call to object of type
  auto refers = [](auto &q) { q = 1; };
  (void)xcc::kernel_info_for<int>(refers);
  // CHECK-DAG: :[[#@LINE-1]]:35: error: a parameter is a reference to its argument, and these types are values
  // CHECK-DAG: :[[#@LINE-2]]:35: note: name the type as a reference, as in kernel_info_for<int &>(lambda)
  (void)xcc::jit::kernel<int>(refers);
  // CHECK-DAG: :[[#@LINE-1]]:31: note: name the type as a reference, as in xcc::jit::kernel<int &>(lambda)
  (void)xcc::jit::kernel(refers);
  // CHECK-DAG: :[[#@LINE-1]]:26: error: the parameter types of a generic lambda are not known here
  // CHECK-DAG: :[[#@LINE-2]]:26: note: name them, as in xcc::jit::kernel<int, float *>(lambda)
}
// CHECK-DAG: 7 errors generated.
