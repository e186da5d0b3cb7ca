// What has no size cannot be passed: said at the launch.
// RUN: not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %xcc -std=c++20 -c %s -o %t.o 2>&1 | FileCheck %s
#include <xcc/xcc.h>

struct Unknown;
template <class T> struct Made { T value; };
void kernel(int n, Unknown u);
void fine(int *out, Made<int>) {}
struct Functor { void operator()(Unknown) const; };
struct Later;
Later &later();

int main() {
  // CHECK: :[[#@LINE+1]]:27: error: parameter 'u' has the incomplete type 'Unknown', and nothing of unknown size can be passed to a kernel
  xcc::launch({{1}, {1}}, kernel);
  // CHECK: :8:28: note: declared here; define the type before the launch
  // CHECK: :[[#@LINE+1]]:24: error: parameter 'u' has the incomplete type
  xcc::kernel_info_for(kernel);
  xcc::kernel_info_for(fine);
  // CHECK: :[[#@LINE+1]]:24: error: the function object has the incomplete type 'Later'
  xcc::kernel_info_for(later());
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a parameter has the incomplete type 'Unknown'
  xcc::kernel_info_for(Functor{});
}
