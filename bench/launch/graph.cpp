// A graph of fifty kernels, replayed and waited for, beside fifty launches of
// the same: each with one block, and with one block for each core.
#include "timing.h"
#include <xcc/xcc.h>

static void add(float *to, float what) {
  if (auto i = xcc::global_id(); i < 64)
    to[i] += what;
}

int main() {
  const unsigned cores = xcc::device::current().cores();
  xcc::buffer<float> data(64);
  data.fill(0);
  xcc::stream s;
  for (unsigned blocks : {1u, cores}) {
    auto launches = [&] {
      for (int i = 0; i != 50; ++i)
        xcc::launch({{blocks}, {16}, 0, s}, add, data.data(), 1.0f);
    };
    auto fifty = xcc::graph::record(s, launches);
    print_median([&] {
      launches();
      s.synchronize();
    });
    print_median([&] {
      fifty.replay(s);
      s.synchronize();
    });
  }
}
