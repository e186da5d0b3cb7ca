// What has no size cannot be passed: said at the launch.
// RUN: not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %xcc -std=c++20 -c %s -o %t.o 2>&1 | FileCheck %s
// An object may own one whose class is not defined: it is no reason to refuse the launch where nothing is mapped.
// RUN: %xcc -std=c++20 -O1 -DOWNED %s -o %t && %t | FileCheck %s --check-prefix=OWNED
// RUN: env XCC_CPU_SEPARATE=1 %t | FileCheck %s --check-prefix=OWNED
// RUN: env XCC_CPU_SEPARATE=1 %t separate | FileCheck %s --check-prefix=SEPARATE
// RUN: not %xcc -std=c++20 -fsyntax-only -DOWNED -offload-arch=sm_90 %s 2>&1 | FileCheck %s --check-prefix=GPU
#include <xcc/xcc.h>
#ifdef OWNED
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

struct Hidden;
struct Free {
  void operator()(Hidden *it) const { delete reinterpret_cast<int *>(it); }
};
struct Owner {
  std::unique_ptr<Hidden, Free> own;
  int x = 3;
};
int main(int count, char **) {
  Owner none, some;
  std::filesystem::path path("a");
  if (count > 1)
    some.own.reset(reinterpret_cast<Hidden *>(new int));
  int sum = 0;
  try {
    // GPU: error: capture 'none' -> member 'own' -> element of type 'Hidden' cannot be mapped to a device with memory of its own: its class is not defined here
    xcc::launch({{1}, {1}}, [&] { sum += none.x + some.x; });
    xcc::synchronize();
    // GPU: error: capture 'path' -> member {{.*}} cannot be mapped
    if (!std::getenv("XCC_CPU_SEPARATE"))
      xcc::launch({{1}, {1}}, [&] { sum += path.native()[0]; });
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::puts(e.what());
  }
  std::printf("sum %d\n", sum);
}
// OWNED: sum {{6|103}}
// SEPARATE: 'some.own' leads to an object whose class is not defined where the kernel is launched
// SEPARATE: sum 0
#else

struct Unknown;
template <class T> struct Made {
  T value;
};
void kernel(int n, Unknown u);
void fine(int *out, Made<int>) {}
struct Functor {
  void operator()(Unknown) const;
};
struct Later;
Later &later();

int main() {
  // CHECK: :[[#@LINE+1]]:27: error: parameter 'u' has the incomplete type 'Unknown', and nothing of unknown size can be passed to a kernel
  xcc::launch({{1}, {1}}, kernel);
  // CHECK: :[[#@LINE-11]]:28: note: declared here; define the type before the launch
  // CHECK: :[[#@LINE+1]]:24: error: parameter 'u' has the incomplete type
  xcc::kernel_info_for(kernel);
  xcc::kernel_info_for(fine);
  // CHECK: :[[#@LINE+1]]:24: error: the function object has the incomplete type 'Later'
  xcc::kernel_info_for(later());
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a parameter has the incomplete type 'Unknown'
  xcc::kernel_info_for(Functor{});
}
#endif
