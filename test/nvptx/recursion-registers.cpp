// No uniform register that changes lives across a call that may recurse, and no
// barrier follows one without WARPSYNC: what ptxas makes of the PTX says so, and
// of PTX with direct calls, that the check sees both.
// REQUIRES: ptxas, nvdisasm
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %xcc -std=c++20 -O1 -c -foffload-device-only -offload-arch=sm_75,sm_90,sm_120 %s -o 1.cubin
// RUN: %xcc -std=c++20 -O3 -c -foffload-device-only -offload-arch=sm_75,sm_90,sm_120 %s -o 3.cubin
// RUN: %python %S/Inputs/uniform_registers.py 1-sm_75.cubin 1-sm_90.cubin 1-sm_120.cubin \
// RUN:   3-sm_75.cubin 3-sm_90.cubin 3-sm_120.cubin | FileCheck %s
// CHECK-COUNT-6: {{[1-9][0-9]*}} calls that may recurse, 0 wrong
//
// RUN: %ptxas -arch=sm_90 %S/Inputs/recursion.ptx -o none.cubin
// RUN: %not %python %S/Inputs/uniform_registers.py none.cubin | FileCheck --check-prefix=NONE %s
// NONE-DAG: UR{{[0-9]+}} lives across the call, and is changed at {{.*}}: UIADD3
// NONE-DAG: a barrier without WARPSYNC at {{.*}}: BAR.SYNC
#include <xcc/xcc.h>

#define FUNCTION [[gnu::noinline]] static
FUNCTION unsigned walk(unsigned depth, unsigned v) {
  if (!depth)
    return v;
  unsigned first = walk(depth - 1, v * 3 + depth);
  return first & 4 ? first : walk(depth / 2, first + v) + 1;
}
FUNCTION unsigned pong(unsigned depth, unsigned v);
FUNCTION unsigned ping(unsigned depth, unsigned v) {
  return depth ? pong(depth - 1, v * 5 + 1) ^ v : v;
}
FUNCTION unsigned pong(unsigned depth, unsigned v) {
  return depth ? ping(depth - 1, v + 3) * 3 : v;
}
FUNCTION unsigned through(unsigned depth, unsigned v) {
  return depth & 2 ? ping(depth, v) + 1 : v;
}
struct link {
  const link *next;
  virtual unsigned down(unsigned left) const {
    return left ? next->down(left - 1) * 3 : 1;
  }
};
struct other : link {
  unsigned down(unsigned left) const override {
    return left ? next->down(left - 1) + 7 : 2;
  }
};

/// A loop that counts, around calls.
template <class F> static void loop(unsigned *out, F f) {
  unsigned i = xcc::thread_idx().x, sum = 2;
  for (unsigned k = 0; k < 3; ++k)
    sum += f((i + 3) % 4, sum + i);
  out[i] = sum;
}

int main() {
  unsigned *out = nullptr;
  const link *first = nullptr;
  xcc::launch_config one{{1}, {32}};
  xcc::launch(one, [](unsigned *out) { loop(out, walk); }, out);
  xcc::launch(one, [](unsigned *out) { loop(out, ping); }, out);
  xcc::launch(one, [](unsigned *out) { loop(out, through); }, out);
  xcc::launch(one, [](unsigned *out, const link *first) {
    loop(out, [=](unsigned depth, unsigned v) {
      return first->down(depth) + v;
    });
  }, out, first);
  xcc::launch(one, [](unsigned *out) {
    loop(out, [](unsigned depth, unsigned v) {
      v += walk(depth, v);
      xcc::sync_block();
      v += walk(depth, v);
      xcc::sync_block();
      return v;
    });
  }, out);
  xcc::parallel_for(1, [out](std::size_t) {
    new (out) link;
    new (out + 8) other;
  });
}
