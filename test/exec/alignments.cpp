// Types aligned to more than what a launch's place for arguments is: arguments,
// captures, variables of threads, blocks and devices, and what is allocated.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <xcc/xcc.h>

struct alignas(1024) large {
  int v[4];
};
struct alignas(2048) larger {
  int v;
};
large variable;
alignas(2048) static char bytes[100];

template <class T> long off(const T &object) {
  return long(reinterpret_cast<std::uintptr_t>(&object) % alignof(T));
}

int main() {
  xcc::buffer<long> out(8);
  long r[8];
  xcc::launch(
      {2, 3},
      [](large a, long *out) {
        large b;
        b.v[1] = a.v[2];
        volatile large *p = &b;
        static xcc::block_shared<large> shared;
        large *made = new large;
        if (xcc::global_id() == 5) {
          out[0] = off(a) + off(b) + off(variable) + off(shared.get());
          out[1] =
              off(*made) + long(reinterpret_cast<std::uintptr_t>(bytes) % 2048);
          out[2] = p->v[1];
        }
        delete made;
      },
      large{{1, 2, 3, 4}}, out.data());
  larger captured = {77};
  long *to = out.data();
  xcc::launch({1, 1}, [captured, to] { to[3] = captured.v + off(captured); });
  out.copy_to(r, 8);
  std::printf("%ld %ld %ld %ld\n", r[0], r[1], r[2], r[3]); // CHECK: 0 0 3 77
}
