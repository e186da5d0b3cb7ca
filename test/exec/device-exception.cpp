// What leaves a kernel reaches the host as xcc::device_exception: its type, text,
// thrower, block and thread, and the object itself.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -g1 -DCATCHES %s -o %t && %t | FileCheck %s --check-prefixes=CHECK,PLACE
// CHECK: 0: std::runtime_error 'negative mass' by check(int, int, int*)
// PLACE-SAME: at device-exception.cpp:[[#]]
// CHECK: 0: as std::runtime_error: negative mass
// CHECK: 1: Bad '' by check(int, int, int*)
// CHECK: 1: as Bad: 37, 2.5
// CHECK: 2: int '' by
// CHECK: 2: as int: 42
// CHECK: 3: app::error 'app' by app::fail()
// CHECK: 3: as app::error: app
// CHECK: 4: std::out_of_range '{{.*}}__n (which is 7) >= {{.*}}' by
// CHECK: 4: as std::logic_error: {{.*}}__n (which is 7)
// CHECK: 4: as std::exception: {{.*}}__n (which is 7)
// CHECK: 5: Derived 'handed on' by check(int, int, int*)
// CHECK: 5: as Derived: handed on
// CHECK: 6: no device_exception
// CHECK: 7: Bad '' by check(int, int, int*)
// CHECK: 7: as Bad: 3, 2.5
// PLACE: 7: block 1 0 0, thread 3 0 0, others some
// CHECK: 8: no exception, -1
#include "Inputs/each_in_child.h"
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <xcc/xcc.h>

struct Bad {
  int index;
  double weight;
};
struct Derived : std::runtime_error {
  explicit Derived(const char *text) : std::runtime_error(text) {}
};
namespace app {
struct error : std::exception {
  const char *what() const noexcept override { return "app"; }
};
[[gnu::noinline]] void fail() { throw error(); }
} // namespace app

[[gnu::noinline]] void check(int which, int i, int *p) {
  if (which == 0)
    throw std::runtime_error("negative mass");
  if (which == 1)
    throw Bad{i, 2.5};
  if (which == 2)
    throw 42;
  if (which == 3)
    app::fail();
  if (which == 4) {
    std::array<int, 4> a{};
    *p = a.at(unsigned(which) + 3);
  }
  if (which == 5)
    throw Derived("handed on");
  if (which == 6)
    std::abort();
  if (which == 7 && i >= 3)
    throw Bad{i, 2.5};
}
void kernel(int which, int *p) {
  const unsigned block = xcc::block_idx().x;
  int i = int(xcc::thread_idx().x);
  if (which != 7 && (block || i))
    return;
  if (which == 7 && !block)
    return;
  if (which == 1)
    i = 37;
#if CATCHES
  try {
#endif
    check(which, i, p);
#if CATCHES
  } catch (const std::bad_alloc &) {
    *p = 1;
  }
#endif
  if (which == 8)
    *p = -1;
}

template <class Type>
void tellIf(int which, const char *name, const xcc::device_exception &e) {
  try {
    e.rethrow_if<Type>();
  } catch (const Bad &bad) {
    std::printf("%d: as %s: %d, %g\n", which, name, bad.index, bad.weight);
  } catch (const int &number) {
    std::printf("%d: as %s: %d\n", which, name, number);
  } catch (const Type &other) {
    if constexpr (std::is_base_of_v<std::exception, Type>)
      std::printf("%d: as %s: %s\n", which, name, other.what());
  }
}
void tell(int which, const xcc::device_exception &e) {
  const char *file = std::strrchr(e.thrown_file(), '/');
  file = file ? file + 1 : e.thrown_file();
  std::printf("%d: %s '%s' by %s at %s:%u\n", which, e.type(), e.text(),
              e.thrown_in(), file, e.thrown_line());
#define TELL(type) tellIf<type>(which, #type, e)
  TELL(Bad);
  TELL(int);
  TELL(long);
  TELL(Derived);
  TELL(app::error);
  if (which == 0 || which == 4) {
    TELL(std::range_error);
    TELL(std::runtime_error);
    TELL(std::logic_error);
    TELL(std::exception);
  }
  if (which == 7 && e.has_place())
    std::printf("%d: block %u %u %u, thread %u %u %u, others %s\n", which,
                e.block().x, e.block().y, e.block().z, e.thread().x,
                e.thread().y, e.thread().z,
                e.others() < 13 ? "some" : "too many");
}

int main() {
  each_in_child(9, [](int which) {
    try {
      xcc::buffer<int> p(1);
      int result = 0;
      xcc::launch({2, 16}, kernel, which, p.data());
      p.copy_to(&result, 1);
      std::printf("%d: no exception, %d\n", which, result);
    } catch (const xcc::device_exception &e) {
      tell(which, e);
    } catch (const xcc::error &e) {
      std::printf("%d: no device_exception: %s\n", which, e.what());
    }
  });
}
