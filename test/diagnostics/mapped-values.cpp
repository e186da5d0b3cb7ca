// By value, too, a device with memory of its own cannot be given a union that
// may hold an address, nor a long double, which has another size there.
// RUN: %xcc -std=c++20 -fsyntax-only %s
// RUN: not %xcc -std=c++20 -fsyntax-only -ferror-limit=0 -offload-arch=sm_90 %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>

union Either {
  int number;
  int *address;
};
struct Tagged {
  bool isAddress;
  union {
    int number;
    int *address;
  };
};
union Numbers {
  int whole;
  float real;
};
struct Precise {
  char c;
  long double value;
};
void take(Tagged t) {}
void precise(long double d) {}

int main() {
  xcc::launch_config one{{1}, {1}};
  Either either{};
  // CHECK: :[[#@LINE+1]]:20: error: capture 'either' of type 'Either' cannot be mapped to a device with memory of its own: only the program knows which of its members is active [-Woffload-mapping]
  xcc::launch(one, [=] { (void)either.number; });
  // CHECK: :[[#@LINE+1]]:20: error: parameter 't' -> a member without a name of type {{.*}} cannot be mapped
  xcc::launch(one, take, Tagged{});
  Numbers numbers{};
  xcc::launch(one, [=] { (void)numbers.whole; });
  // CHECK: :[[#@LINE+1]]:20: error: parameter 'd' of type 'long double' cannot be mapped to a device with memory of its own: long double has another size there
  xcc::launch(one, precise, 1);
  // CHECK: note: declared here; use double, or two of them
  Precise value{};
  // CHECK: :[[#@LINE+1]]:20: error: capture 'value' -> member 'value' of type 'long double' cannot
  xcc::launch(one, [&] { (void)value.c; });
  long double *there = nullptr;
  // CHECK: :[[#@LINE+1]]:20: error: capture 'there' of type 'long double' cannot
  xcc::launch(one, [=] { (void)there; });
  // CHECK: :[[#@LINE+1]]:3: error: parameter 'd' of type 'long double' cannot
  xcc::launch(one, [](auto d) {}, 1.0l);
}
// CHECK: 6 errors generated.
